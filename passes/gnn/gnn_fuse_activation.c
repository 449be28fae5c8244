/* gnn-fuse-activation: fuses activations, biases and sums with the layer that computes their
 * operand (Activation Fusion, GraphAGILE, Section VI-D).
 *
 *   relu(vector_add(linear(%x, %w), %b))       =>  linear(%x, %w, %b){relu}
 *   relu(aggregate(%g, %x))                    =>  aggregate(%g, %x){relu}
 *   vector_add(linear(%x, %w), linear(%y, %v)) =>  linear(%y, %v, addend linear(%x, %w))
 *   vector_add(vector_add(%a, %b), linear(%x, %w)) =>  linear(%x, %w, %b, addend %a)
 *
 * A fused layer writes its result once instead of twice. The layer must have no other user and no
 * activation yet. The fused layer is built in the place of the second operation, where all operands
 * exist; of two linear layers the later takes the result of the earlier one as addend. */
#include "passes/gnn/rules/gnn_rewrite.h"

static const MlirValue none = {NULL};

/* The layer that computes `value` for one user only and has no activation yet; else null. */
static MlirOperation open_layer(MlirValue value) {
  MlirOperation op = ir_defining_op(value);
  if (mlirOperationIsNull(op) || !ir_value_has_one_use(value)) return (MlirOperation){NULL};
  switch (ir_op_kind(op)) {
  case IR_OP(gnn, aggregate):
  case IR_OP(gnn, linear):
  case IR_OP(gnn, vector_inner):
  case IR_OP(gnn, vector_add): return gnn_activation_of(op) ? (MlirOperation){NULL} : op;
  default: return (MlirOperation){NULL};
  }
}

static MlirOperation open_linear(MlirValue value) {
  MlirOperation op = open_layer(value);
  return !mlirOperationIsNull(op) && ir_op_kind(op) == IR_OP(gnn, linear) ? op : (MlirOperation){NULL};
}

static MlirValue fuse_activation(MlirOperation activation) {
  MlirOperation layer = open_layer(ir_operand(activation, IR_IN(gnn, activation, x)));
  if (mlirOperationIsNull(layer)) return none;
  MlirValue operands[IR_MAX_OPERANDS];
  ir_operands(layer, operands);
  ir_attr changes[IR_UNARY_ATTRIBUTES];
  ir_unary_attributes(activation, "activation", changes);
  ir_builder b = ir_builder_before(activation);
  return gnn_build_like(&b, layer, operands, changes);
}

/* ---- sums into linear layers ------------------------------------------------------------------------------------- */

/* Builds `linear` with a further bias and an addend, each null if there is none, and with the
 * activation of `sum`. */
static MlirValue take_in(MlirOperation sum, MlirOperation linear, MlirValue bias, MlirValue addend) {
  MlirValue operands[IR_MAX_OPERANDS];
  ir_operands(linear, operands);
  ir_builder b = ir_builder_before(sum);
  MlirValue *old = &operands[IR_IN(gnn, linear, bias)];
  bool is_second = !ir_value_is_null(bias) && !ir_value_is_null(*old);
  if (is_second) bias = gnn_build_binary(&b, IR_OP(gnn, vector_add), *old, bias);
  if (is_second && ir_value_is_null(bias)) return none;
  if (!ir_value_is_null(bias)) *old = bias;
  if (!ir_value_is_null(addend)) operands[IR_IN(gnn, linear, addend)] = addend;
  ir_attr changes[IR_UNARY_ATTRIBUTES];
  ir_unary_attributes(sum, "activation", changes);
  return gnn_build_like(&b, linear, operands, changes);
}

/* Whether a term is a bias of a layer: a plain [N] for a layer with result f32[N]. In results with
 * more dimensions vector_add aligns leading dimensions, but a bias the last one. */
static bool is_bias_for(MlirOperation linear, MlirValue term) {
  ir_type y = ir_type_of(ir_result(linear)), b = ir_type_of(term);
  return b.kind == IR_KIND_plain && y.kind != IR_KIND_plain && y.rank == 1 && ir_payload_equal(y, b);
}

static bool is_addend_for(MlirOperation linear, MlirValue term) {
  return ir_value_is_null(ir_operand(linear, IR_IN(gnn, linear, addend))) &&
         mlirTypeEqual(mlirValueGetType(ir_result(linear)), mlirValueGetType(term));
}

/* Builds `linear` with `term` as addend. If the term is itself a value plus a fitting bias, that
 * becomes the layer's bias. */
static MlirValue take_addend(MlirOperation sum, MlirOperation linear, MlirValue term) {
  MlirOperation inner = open_layer(term);
  if (!mlirOperationIsNull(inner) && ir_op_kind(inner) == IR_OP(gnn, vector_add)) {
    for (int i = 0; i < 2; i++) {
      MlirValue bias = ir_operand(inner, i), rest = ir_operand(inner, 1 - i);
      if (!is_bias_for(linear, bias) || !is_addend_for(linear, rest)) continue;
      return take_in(sum, linear, bias, rest);
    }
  }
  return take_in(sum, linear, none, term);
}

static MlirValue fuse_sum(MlirOperation sum) {
  MlirValue a = ir_operand(sum, IR_IN(gnn, vector_add, a)), b = ir_operand(sum, IR_IN(gnn, vector_add, b));
  MlirOperation first = open_linear(a), second = open_linear(b);
  bool has_first = !mlirOperationIsNull(first), has_second = !mlirOperationIsNull(second);
  if (has_first && is_bias_for(first, b)) return take_in(sum, first, b, none);
  if (has_second && is_bias_for(second, a)) return take_in(sum, second, a, none);
  bool can_first = has_first && is_addend_for(first, b), can_second = has_second && is_addend_for(second, a);
  if (can_first && can_second) can_first = mlirOperationIsBeforeInBlock(second, first);
  if (can_first) return take_addend(sum, first, b);
  return can_second ? take_addend(sum, second, a) : none;
}

static MlirValue fuse(MlirOperation op) {
  switch (ir_op_kind(op)) {
  case IR_OP(gnn, activation): return fuse_activation(op);
  case IR_OP(gnn, vector_add): return fuse_sum(op);
  default: return none;
  }
}

bool pass_run_fuse_activation(MlirOperation root, pass_context *p) {
  IR_FOR_EACH_FUNC(func, root) {
    IR_FOR_EACH_OP_SAFE(op, ir_func_body(func)) {
      MlirValue value = fuse(op);
      if (ir_value_is_null(value)) continue;
      bool is_sum = ir_op_kind(op) == IR_OP(gnn, vector_add);
      pass_remark(p, op, "%s is computed by the layer before it", is_sum ? "the sum" : "the activation");
      gnn_replace(p, op, value);
    }
  }
  return true;
}
