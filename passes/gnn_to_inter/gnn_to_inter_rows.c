/* gnn-to-inter: products of sparse or normalised rows of features.
 *
 *   gnn.linear(row_normalize(xs), w)   becomes   for n: s = sum of the stored entries, y = sum of entry * w[column]; yield y / s
 *
 * A normalised row is a multiple of the row, so the product is divided instead of the entries: a
 * sparse row has no room for new entries, and a dense row would be written and read again. A
 * product with sparse rows needs the weight as [K, N]; a transposed weight is transposed once, in
 * bind where that is possible. */
#include "passes/gnn_to_inter/gnn_to_inter.h"
#include "passes/inter/inter_loops.h"

#include "passes/gnn/rules/gnn_rewrite.h"

#include <string.h>

/* The stored input behind any number of row normalisations, which are counted. */
static MlirValue peel(MlirValue x, unsigned *normalisations) {
  MlirOperation op = gnn_producer(x, IR_OP(gnn, row_normalize));
  for (; !mlirOperationIsNull(op); op = gnn_producer(x, IR_OP(gnn, row_normalize))) {
    x = ir_operand(op, IR_IN(gnn, row_normalize, x));
    ++*normalisations;
  }
  return x;
}

/* Divides y, a linear function of the row, as often as the row was normalised. `sum` is the sum of
 * the stored row; the sum of a normalised row is the sum before, divided by itself where it is not
 * 0. */
static MlirValue normalise(const ir_builder *b, MlirValue y, MlirValue sum, unsigned times) {
  for (unsigned i = 0; i < times; i++) {
    MlirValue divisor = to_inter_divisor(b, sum);
    y = gnn_build_binary(b, IR_OP(gnn, divide), y, divisor);
    if (i + 1 < times) sum = gnn_build_binary(b, IR_OP(gnn, divide), sum, divisor);
  }
  return y;
}

/* The weight as [K, N]; a transposed one is transposed by a loop `once` before the operation. */
static MlirValue weight_rows(to_inter *l, MlirOperation op) {
  MlirValue w = ir_operand(op, IR_IN(gnn, linear, w));
  if (ir_type_of(w).kind != IR_KIND_plain) {
    l->ok = inter_refuse(l->p, op,
                         "sparse features times a weight that differs from node to node are not lowered yet; "
                         "compile with dense features");
    return w;
  }
  if (!ir_get_bool(op, "transposed")) return w;
  ir_builder b = ir_builder_before(op);
  MlirBlock block;
  MlirRegion region = ir_region_create(b.context, NULL, 0, b.location, &block);
  ir_builder inside = ir_builder_at_end(block, b.location);
  MlirValue turned = gnn_build_unary(&inside, IR_OP(gnn, transpose), w);
  if (mlirValueIsNull(turned)) l->ok = false;
  ir_build_yield(&inside, &turned, 1);
  MlirOperation once = ir_build(&b, IR_OP(inter, once), NULL, NULL, region, (MlirType){NULL});
  return ir_build_result(&b, once, 0);
}

static void lower_linear(to_inter *l, MlirOperation op) {
  unsigned normalisations = 0;
  MlirValue x = peel(ir_operand(op, IR_IN(gnn, linear, x)), &normalisations);
  MlirValue w = weight_rows(l, op);
  if (!l->ok) return;
  to_inter_loop loop;
  if (!to_inter_begin(l, op, ir_type_of(ir_result(op)), &loop)) return;
  to_inter_inner inner =
      to_inter_inner_begin(&loop, IR_OP(inter, for_nonzeros), x, ir_type_cursor("nonzero", ir_type_of(x).set));
  MlirValue entry = to_inter_at(&inner.b, x, inner.cursor);
  const MlirValue row_operands[IR_MAX_OPERANDS] = {w, inner.cursor};
  MlirValue row = ir_build_value(&inner.b, IR_OP(inter, row), row_operands, NULL);
  MlirValue yields[2] = {gnn_build_binary(&inner.b, IR_OP(gnn, multiply), entry, row), entry};
  static const char *const sums[2] = {"sum", "sum"};
  MlirOperation entries = to_inter_inner_end(&loop, &inner, yields, sums, normalisations ? 2 : 1);
  MlirValue y = ir_build_result(&loop.b, entries, 0);
  if (normalisations) y = normalise(&loop.b, y, ir_build_result(&loop.b, entries, 1), normalisations);
  MlirValue bias = to_inter_payload(&loop, ir_operand(op, IR_IN(gnn, linear, bias)));
  MlirValue addend = to_inter_payload(&loop, ir_operand(op, IR_IN(gnn, linear, addend)));
  to_inter_end(&loop, to_inter_linear_tail(&loop.b, op, y, bias, addend));
}

static void lower_densify(to_inter *l, MlirOperation op) {
  unsigned normalisations = 0;
  MlirValue x = peel(ir_operand(op, IR_IN(gnn, densify, x)), &normalisations);
  to_inter_loop loop;
  if (!to_inter_begin(l, op, ir_type_of(ir_result(op)), &loop)) return;
  const MlirValue operands[IR_MAX_OPERANDS] = {x, loop.cursor};
  MlirValue row = ir_build_value(&loop.b, IR_OP(inter, dense_row), operands, NULL);
  ir_attr sum[] = {{"function", ir_attr_string(l->p->context, "sum")}, {NULL, {NULL}}};
  for (unsigned i = 0; i < normalisations; i++) {
    MlirValue divisor = to_inter_divisor(&loop.b, ir_build_value(&loop.b, IR_OP(gnn, reduce), &row, sum));
    row = gnn_build_binary(&loop.b, IR_OP(gnn, divide), row, divisor);
  }
  to_inter_end(&loop, row);
}

void to_inter_normalized_linear(to_inter *l, MlirOperation op) {
  unsigned normalisations = 0;
  MlirValue x = peel(ir_operand(op, IR_IN(gnn, linear, x)), &normalisations);
  to_inter_loop loop;
  if (!to_inter_begin(l, op, ir_type_of(ir_result(op)), &loop)) return;
  MlirValue row = to_inter_payload(&loop, x), w = to_inter_payload(&loop, ir_operand(op, IR_IN(gnn, linear, w)));
  const MlirValue operands[IR_MAX_OPERANDS] = {row, w};
  ir_attr attributes[] = {{"transposed", ir_attr_bool(l->p->context, ir_get_bool(op, "transposed"))}, {NULL, {NULL}}};
  MlirValue y = ir_build_value(&loop.b, IR_OP(gnn, linear), operands, attributes);
  ir_attr sum[] = {{"function", ir_attr_string(l->p->context, "sum")}, {NULL, {NULL}}};
  if (!mlirValueIsNull(y))
    y = normalise(&loop.b, y, ir_build_value(&loop.b, IR_OP(gnn, reduce), &row, sum), normalisations);
  MlirValue bias = to_inter_payload(&loop, ir_operand(op, IR_IN(gnn, linear, bias)));
  MlirValue addend = to_inter_payload(&loop, ir_operand(op, IR_IN(gnn, linear, addend)));
  to_inter_end(&loop, to_inter_linear_tail(&loop.b, op, y, bias, addend));
}

/* The sum of a row of x at the loop's node, dense or sparse. */
static MlirValue row_sum(to_inter_loop *loop, MlirValue x) {
  if (ir_type_of(x).kind != IR_KIND_sparse) {
    MlirValue row = to_inter_payload(loop, x);
    ir_attr sum[] = {{"function", ir_attr_string(loop->b.context, "sum")}, {NULL, {NULL}}};
    return ir_build_value(&loop->b, IR_OP(gnn, reduce), &row, sum);
  }
  to_inter_inner inner =
      to_inter_inner_begin(loop, IR_OP(inter, for_nonzeros), x, ir_type_cursor("nonzero", ir_type_of(x).set));
  MlirValue entry = to_inter_at(&inner.b, x, inner.cursor);
  static const char *const sums[1] = {"sum"};
  return ir_build_result(&loop->b, to_inter_inner_end(loop, &inner, &entry, sums, 1), 0);
}

void to_inter_contract(to_inter *l, MlirOperation op) {
  MlirValue a = ir_operand(op, IR_IN(gnn, contract, a)), b = ir_operand(op, IR_IN(gnn, contract, b));
  ir_type rows = ir_type_of(b);
  if (rows.kind == IR_KIND_per) return; /* of any graph of the function, and few */
  bool is_edge = rows.kind == IR_KIND_edge;
  MlirValue graph = is_edge ? to_inter_edge_graph(l, rows.set) : to_inter_node_graph(l, rows.set);
  if (mlirValueIsNull(graph)) {
    l->ok =
        inter_refuse(l->p, op, "no graph of this function has the %s of '%s'", is_edge ? "edges" : "nodes", rows.set);
    return;
  }
  mlirOperationSetOperand(op, IR_IN(gnn, contract, graph), graph);
  unsigned normalisations = 0;
  MlirValue x = ir_value_is_null(a) ? a : peel(a, &normalisations);
  to_inter_loop loop;
  if (!normalisations || !to_inter_begin(l, op, rows, &loop)) return;
  MlirValue divided = normalise(&loop.b, to_inter_payload(&loop, b), row_sum(&loop, x), normalisations);
  divided = to_inter_close(&loop, divided);
  if (mlirValueIsNull(divided)) return;
  mlirOperationSetOperand(op, IR_IN(gnn, contract, a), x);
  mlirOperationSetOperand(op, IR_IN(gnn, contract, b), divided);
  l->p->changed++;
}

void to_inter_sparse(to_inter *l, MlirOperation op) {
  switch (ir_op_kind(op)) {
  case IR_OP(gnn, linear): lower_linear(l, op); break;
  case IR_OP(gnn, densify): lower_densify(l, op); break;
  case IR_OP(gnn, row_normalize): break; /* its users read through it */
  default:
    l->ok = inter_refuse(l->p, op, "%s of sparse features is not lowered yet; compile with dense features",
                         ir_op_name(op) + strlen("gnn."));
  }
}

/* ---- weights in bind ---- */

/* Whether every use reads the value as the transposed weight of a product with sparse rows. */
static bool only_transposed_rows(MlirValue w) {
  IR_FOR_EACH_USE(use, w) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    if (ir_op_kind(op) != IR_OP(gnn, linear) || !ir_get_bool(op, "transposed")) return false;
    if (mlirOpOperandGetOperandNumber(use) != IR_IN(gnn, linear, w)) return false;
    if (ir_type_of(ir_operand(op, IR_IN(gnn, linear, x))).kind != IR_KIND_sparse) return false;
  }
  return ir_value_has_uses(w);
}

void to_inter_transpose_in_bind(MlirOperation module, pass_context *p) {
  MlirOperation bind = inter_find_phase(module, "bind"), run = inter_find_phase(module, "run");
  if (mlirOperationIsNull(bind) || mlirOperationIsNull(run)) return;
  MlirBlock body = ir_func_body(run);
  MlirOperation end = ir_block_terminator(ir_func_body(bind));
  const int64_t *results = inter_bound_results(p, bind, run);
  for (size_t i = 0; i < (size_t)mlirBlockGetNumArguments(body); i++) {
    MlirValue w = mlirBlockGetArgument(body, (intptr_t)i);
    if (results[i] < 0 || !only_transposed_rows(w)) continue;
    MlirValue kept = mlirOperationGetOperand(end, results[i]);
    ir_builder b = ir_builder_before(end);
    b.location = mlirValueGetLocation(kept);
    MlirValue turned = gnn_build_unary(&b, IR_OP(gnn, transpose), kept);
    if (mlirValueIsNull(turned)) continue;
    mlirOperationSetOperand(end, results[i], turned);
    mlirValueSetType(w, mlirValueGetType(turned));
    IR_FOR_EACH_USE(use, w)
      mlirOperationRemoveAttributeByName(mlirOpOperandGetOwner(use), mlirStringRefCreateFromCString("transposed"));
    p->changed++;
  }
  gnn_func_update_type(p, bind);
  gnn_func_update_type(p, run);
}
