/* device-fuse-layers: makes one layer of a product and a sum over edges, for machines that compute
 * both at once or choose the order themselves.
 *
 *   %z = device.gemm %x, %w                         =>    %y = device.layer %e, %x, %w, %b
 *   %y = device.spdmm %e, %z, %b {sum}
 *
 *   %s = device.spdmm %e, %x {sum}                  =>    %y = device.layer %e, %x, %w, %b
 *   %y = device.gemm %s, %w, %b
 *
 * Both are linear, so their order does not matter. Weights per type of the result's rows are those
 * of the second form alone. */
#include "passes/gnn/rules/gnn_rewrite.h"

static const MlirValue none = {NULL};

static bool is_absent(MlirOperation op, int operand) {
  return ir_value_is_null(ir_operand(op, operand));
}

/* A sum over edges of rows, with the weights of the list alone. */
static bool is_plain_sum(MlirOperation op) {
  return !mlirOperationIsNull(op) && ir_op_kind(op) == IR_OP(device, spdmm) && ir_string_is(op, "reduce", "sum") &&
         !is_absent(op, IR_IN(device, spdmm, in)) && is_absent(op, IR_IN(device, spdmm, values));
}

/* Whether nothing follows the sum or product itself. */
static bool is_bare(MlirOperation op, int bias, int addend) {
  return is_absent(op, bias) && is_absent(op, addend) && !ir_get_array_size(op, "functions");
}

static bool is_bare_sum(MlirOperation op) {
  return is_plain_sum(op) && is_bare(op, IR_IN(device, spdmm, bias), IR_IN(device, spdmm, addend));
}

static bool is_bare_product(MlirOperation op) {
  return !mlirOperationIsNull(op) && ir_op_kind(op) == IR_OP(device, gemm) &&
         is_bare(op, IR_IN(device, gemm, bias), IR_IN(device, gemm, addend));
}

/* Whether an operation runs where the pass may still decide about it. */
static bool is_free(MlirOperation op) {
  return mlirAttributeIsNull(ir_get_attr(op, "unit"));
}

/* Whether a list has at most one edge per result, so that a sum over it costs nothing more when it is
 * computed again for another user. */
static bool copies_rows(MlirOperation sum) {
  MlirOperation edges = ir_defining_op(ir_operand(sum, IR_IN(device, spdmm, edges)));
  return ir_choice_has(IR_COPY_KINDS, ir_get_string(edges, "kind", ""));
}

/* Whether all users of a value are products of it that become layers, too. */
static bool has_only_products(MlirValue rows) {
  for (MlirOpOperand use = mlirValueGetFirstUse(rows); !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    bool is_input = ir_op_kind(user) == IR_OP(device, gemm) && is_free(user) &&
                    mlirValueEqual(ir_operand(user, IR_IN(device, gemm, in)), rows);
    bool is_addend = is_input && mlirValueEqual(ir_operand(user, IR_IN(device, gemm, addend)), rows);
    if (!is_input || is_addend) return false;
  }
  return true;
}

static MlirValue build_layer(MlirOperation at, MlirOperation product, const MlirValue operands[IR_MAX_OPERANDS]) {
  ir_builder b = ir_builder_before(at);
  ir_attr attributes[] = {
      {"transposed", ir_get_attr(product, "transposed")}, {"functions", ir_get_attr(at, "functions")}, {NULL, {NULL}}};
  return ir_build_value(&b, IR_OP(device, layer), operands, attributes);
}

/* sum(product(x, w)) + ... */
static MlirValue fuse_sum(MlirOperation sum) {
  MlirValue rows = ir_operand(sum, IR_IN(device, spdmm, in)), operands[IR_MAX_OPERANDS] = {none};
  if (!is_plain_sum(sum)) return none;
  MlirOperation product = ir_defining_op(rows);
  if (!is_bare_product(product) || !is_free(product) || !ir_value_has_one_use(rows)) return none;
  MlirValue w = ir_operand(product, IR_IN(device, gemm, w)), bias = ir_operand(sum, IR_IN(device, spdmm, bias));
  bool is_plain = ir_type_of(w).kind == IR_KIND_plain;
  if (!is_plain || (!ir_value_is_null(bias) && ir_type_of(bias).kind != IR_KIND_plain)) return none;
  operands[IR_IN(device, layer, edges)] = ir_operand(sum, IR_IN(device, spdmm, edges));
  operands[IR_IN(device, layer, in)] = ir_operand(product, IR_IN(device, gemm, in));
  operands[IR_IN(device, layer, w)] = w;
  operands[IR_IN(device, layer, bias)] = bias;
  operands[IR_IN(device, layer, addend)] = ir_operand(sum, IR_IN(device, spdmm, addend));
  return build_layer(sum, product, operands);
}

/* product(sum(x), w) + ... */
static MlirValue fuse_product(MlirOperation product) {
  MlirValue rows = ir_operand(product, IR_IN(device, gemm, in)), operands[IR_MAX_OPERANDS] = {none};
  MlirOperation sum = ir_defining_op(rows);
  if (!is_bare_sum(sum) || !is_free(sum)) return none;
  bool is_copied = copies_rows(sum) && has_only_products(rows);
  if (!ir_value_has_one_use(rows) && !is_copied) return none;
  operands[IR_IN(device, layer, edges)] = ir_operand(sum, IR_IN(device, spdmm, edges));
  operands[IR_IN(device, layer, in)] = ir_operand(sum, IR_IN(device, spdmm, in));
  operands[IR_IN(device, layer, w)] = ir_operand(product, IR_IN(device, gemm, w));
  operands[IR_IN(device, layer, bias)] = ir_operand(product, IR_IN(device, gemm, bias));
  operands[IR_IN(device, layer, addend)] = ir_operand(product, IR_IN(device, gemm, addend));
  return build_layer(product, product, operands);
}

static void fuse(pass_context *p, MlirOperation op) {
  if (!is_free(op)) return;
  MlirValue layer = ir_op_kind(op) == IR_OP(device, spdmm)  ? fuse_sum(op)
                    : ir_op_kind(op) == IR_OP(device, gemm) ? fuse_product(op)
                                                            : none;
  if (!ir_value_is_null(layer)) gnn_replace(p, op, layer);
}

bool pass_run_fuse_layers(MlirOperation root, pass_context *p) {
  IR_FOR_EACH_FUNC(func, root) {
    IR_FOR_EACH_OP_SAFE(op, ir_func_body(func)) {
      fuse(p, op);
    }
  }
  return true;
}
