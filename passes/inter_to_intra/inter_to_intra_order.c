/* inter-to-intra: operations on groups in an order become kernels of their own, because they read
 * the values of a group several times, or at places that other values decide.
 *
 *   %y = gnn.first(%g, %x, %o) {count = 8, over = "in"}      becomes      intra.first(%g, %x, %y, %o) {count = 8, over = "in"} */
#include "passes/inter_to_intra/inter_to_intra.h"

bool to_intra_is_ordered(MlirOperation op) {
  ir_op kind = ir_op_kind(op);
  return kind == IR_OP(gnn, order) || kind == IR_OP(gnn, first) || kind == IR_OP(gnn, place_first) ||
         kind == IR_OP(gnn, quantile);
}

static ir_op kernel_of(ir_op kind) {
  if (kind == IR_OP(gnn, order)) return IR_OP(intra, order);
  if (kind == IR_OP(gnn, place_first)) return IR_OP(intra, place_first);
  return kind == IR_OP(gnn, first) ? IR_OP(intra, first) : IR_OP(intra, quantile);
}

/* The order that an operation reads; null without one. */
static MlirValue order_of(MlirOperation op) {
  ir_op kind = ir_op_kind(op);
  if (kind == IR_OP(gnn, first)) return ir_operand(op, IR_IN(gnn, first, order));
  return kind == IR_OP(gnn, place_first) ? ir_operand(op, IR_IN(gnn, place_first, order)) : (MlirValue){NULL};
}

bool to_intra_ordered(to_intra *t, MlirOperation op) {
  MlirValue order = order_of(op);
  const MlirValue operands[IR_MAX_OPERANDS] = {
      to_intra_graph(t, mlirOperationGetOperand(op, 0)), to_intra_buffer(t, mlirOperationGetOperand(op, 1)),
      to_intra_buffer(t, ir_result(op)), ir_value_is_null(order) ? order : to_intra_buffer(t, order)};
  ir_attr attributes[] = {{"over", ir_get_attr(op, "over")},
                          {"count", ir_get_attr(op, "count")},
                          {"q", ir_get_attr(op, "q")},
                          {"interpolation", ir_get_attr(op, "interpolation")},
                          {NULL, {NULL}}};
  ir_builder b = {
      .context = t->p->context, .block = t->body, .before = t->end, .location = mlirOperationGetLocation(op)};
  return !mlirOperationIsNull(
      ir_build(&b, kernel_of(ir_op_kind(op)), operands, attributes, (MlirRegion){NULL}, (MlirType){NULL}));
}
