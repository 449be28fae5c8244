/* gnn-recompute: the order and the shapes of the backward pass, so that few of its rows are alive together.
 *
 *   %s = contract(%d) ... %r = reshape(%d) ... contract(%x, %r)      =>      %r = reshape(%d), %s = reshape(contract(%r)), contract(%x, %r)
 *
 * A row that is read in two shapes is stored in one. Values of edges are made before their first use, and sums over rows where their
 * operands are complete. */
#include "passes/gnn/train/gnn_recompute_order.h"

#include "passes/gnn/rules/gnn_rewrite.h"

bool gnn_recompute_is_of_rows(MlirValue value) {
  ir_kind kind = ir_type_of(value).kind;
  return kind == IR_KIND_node || kind == IR_KIND_edge;
}

/* A sum over rows that are read in another shape, too, sums them in that shape: they are stored once. */
static void share_shape(pass_context *p, MlirOperation contract) {
  MlirValue y = ir_operand(contract, IR_IN(gnn, contract, b));
  if (!ir_value_is_null(ir_operand(contract, IR_IN(gnn, contract, a))) || ir_get_bool(contract, "batch")) return;
  MlirOperation reshape = {NULL};
  IR_FOR_EACH_USE(use, y)
    if (ir_op_kind(mlirOpOperandGetOwner(use)) == IR_OP(gnn, reshape)) reshape = mlirOpOperandGetOwner(use);
  if (mlirOperationIsNull(reshape)) return;
  ir_type type = ir_type_of(ir_result(contract));
  if (mlirOperationIsBeforeInBlock(contract, reshape)) /* what reads the sum may stand between them */
    mlirOperationMoveBefore(reshape, contract);
  ir_builder b = ir_builder_before(contract);
  const MlirValue operands[IR_MAX_OPERANDS] = {mlirOperationGetOperand(contract, 0), {NULL}, ir_result(reshape)};
  MlirValue sum = gnn_build_like(&b, contract, operands, NULL);
  ir_attr shape[] = {{"shape", ir_attr_integers(b.context, type.dims, type.rank)}, {NULL, {NULL}}};
  mlirValueReplaceAllUsesOfWith(ir_result(contract), ir_build_value(&b, IR_OP(gnn, reshape), &sum, shape));
  mlirOperationDestroy(contract);
  p->changed++;
}

/* A row of which a contraction reads another shape is read in that shape by its other readers, too: it is stored once. */
static void share_row(pass_context *p, const map *forward, MlirOperation reshape) {
  MlirValue row = mlirOperationGetOperand(reshape, 0), made = ir_result(reshape);
  MlirOperation from = ir_defining_op(row);
  bool is_contracted = false;
  IR_FOR_EACH_USE(use, made) is_contracted |= ir_op_kind(mlirOpOperandGetOwner(use)) == IR_OP(gnn, contract);
  if (!is_contracted || mlirOperationIsNull(from) || map_get_pointer(forward, from.ptr) ||
      !gnn_recompute_is_of_rows(row) || ir_value_has_one_use(row))
    return;
  mlirOperationMoveAfter(reshape, from);
  ir_type type = ir_type_of(row);
  ir_builder b = ir_builder_before(mlirOperationGetNextInBlock(reshape));
  ir_attr shape[] = {{"shape", ir_attr_integers(b.context, type.dims, type.rank)}, {NULL, {NULL}}};
  MlirValue back = ir_build_value(&b, IR_OP(gnn, reshape), &made, shape);
  mlirValueReplaceAllUsesOfWith(row, back);
  mlirOperationSetOperand(reshape, 0, row);
  p->changed++;
}

/* Moves values of edges of the backward pass to their first use. */
static void sink_edges(MlirOperation op) {
  if (mlirOperationGetNumResults(op) != 1 || ir_type_of(ir_result(op)).kind != IR_KIND_edge) return;
  MlirOperation first = {NULL};
  IR_FOR_EACH_USE(use, ir_result(op)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (mlirOperationIsNull(first) || mlirOperationIsBeforeInBlock(user, first)) first = user;
  }
  if (!mlirOperationIsNull(first)) mlirOperationMoveBefore(op, first);
}

/* The operation before which a copy goes that `op` reads: behind its last operand of the backward pass, so that a copy which a contraction
 * and the product beside it read is made before both. */
static MlirOperation place_for(MlirOperation op) {
  if (ir_op_kind(op) != IR_OP(gnn, contract)) return op;
  MlirOperation last = {NULL};
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
    MlirOperation from = ir_defining_op(mlirOperationGetOperand(op, i));
    if (mlirOperationIsNull(from)) continue;
    if (mlirOperationIsNull(last) || mlirOperationIsBeforeInBlock(last, from)) last = from;
  }
  return mlirOperationIsNull(last) ? op : mlirOperationGetNextInBlock(last);
}

gnn_recompute_ops gnn_recompute_backward(pass_context *p, MlirOperation func, const map *forward) {
  gnn_recompute_ops ops = {0};
  MlirOperation end = ir_block_terminator(ir_func_body(func));
  IR_FOR_EACH_OP_BEFORE(op, ir_func_body(func), end)
    if (!map_get_pointer(forward, op.ptr)) VEC_PUSH(p->arena, &ops, op);
  return ops;
}

void gnn_recompute_order(pass_context *p, MlirOperation func, const map *forward) {
  gnn_recompute_ops ops = gnn_recompute_backward(p, func, forward);
  for (size_t i = 0; i < ops.count; i++)
    if (ir_op_kind(ops.items[i]) == IR_OP(gnn, contract)) share_shape(p, ops.items[i]);
  ops = gnn_recompute_backward(p, func, forward);
  for (size_t i = 0; i < ops.count; i++)
    if (ir_op_kind(ops.items[i]) == IR_OP(gnn, reshape)) share_row(p, forward, ops.items[i]);
  ops = gnn_recompute_backward(p, func, forward);
  for (size_t i = ops.count; i-- > 0;) sink_edges(ops.items[i]);
  for (size_t i = 0; i < ops.count; i++) {
    MlirOperation place = place_for(ops.items[i]);
    if (!mlirOperationEqual(place, ops.items[i])) mlirOperationMoveBefore(ops.items[i], place);
  }
}
