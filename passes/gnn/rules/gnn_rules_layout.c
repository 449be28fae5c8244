/* Rules of gnn-canonicalize about the order of elements: reshapes and transposes that cancel or
 * combine.
 *
 *   linear(%x, transpose(%w)) => linear(%x, %w){transposed}
 *   reshape(reshape(%x, [4]), [2, 2]) => reshape(%x, [2, 2])
 *
 * Weights come from PyTorch as [out, in]; the front end transposes them after the load. */
#include "passes/gnn/rules/gnn_rewrite.h"
#include "passes/gnn/rules/gnn_rules.h"

static const MlirValue none = {NULL};

static MlirValue join_reshape(MlirOperation op) {
  MlirValue x = ir_operand(op, IR_IN(gnn, reshape, x));
  if (mlirTypeEqual(mlirValueGetType(x), mlirValueGetType(ir_result(op)))) return x;
  MlirOperation inner = gnn_producer(x, IR_OP(gnn, reshape));
  if (mlirOperationIsNull(inner)) return none;
  MlirValue operands[IR_MAX_OPERANDS] = {ir_operand(inner, IR_IN(gnn, reshape, x))};
  ir_builder b = ir_builder_before(op);
  return gnn_build_like(&b, op, operands, NULL);
}

static MlirValue join_transpose(MlirOperation op) {
  MlirOperation inner = gnn_producer(ir_operand(op, IR_IN(gnn, transpose, x)), IR_OP(gnn, transpose));
  return mlirOperationIsNull(inner) ? none : ir_operand(inner, IR_IN(gnn, transpose, x));
}

/* Applies to plain weights only. Weights per edge or node are slices of a table, which bind
 * transposes once. */
static MlirValue transpose_into_linear(const pass_context *p, MlirOperation op) {
  MlirValue operands[IR_MAX_OPERANDS];
  ir_operands(op, operands);
  MlirValue *w = &operands[IR_IN(gnn, linear, w)];
  MlirOperation transpose = gnn_producer(*w, IR_OP(gnn, transpose));
  if (mlirOperationIsNull(transpose) || ir_type_of(*w).kind != IR_KIND_plain) return none;
  *w = ir_operand(transpose, IR_IN(gnn, transpose, x));
  ir_attr changes[] = {{"transposed", ir_attr_bool(p->context, !ir_get_bool(op, "transposed"))}, {NULL, {NULL}}};
  ir_builder b = ir_builder_before(op);
  return gnn_build_like(&b, op, operands, changes);
}

MlirValue gnn_rule_layout(const pass_context *p, MlirOperation op) {
  switch (ir_op_kind(op)) {
  case IR_OP(gnn, reshape): return join_reshape(op);
  case IR_OP(gnn, transpose): return join_transpose(op);
  case IR_OP(gnn, linear): return transpose_into_linear(p, op);
  default: return none;
  }
}
