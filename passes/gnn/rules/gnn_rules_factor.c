/* Rule of gnn-canonicalize about factors: those that are the same for a type, or for the whole
 * model, are multiplied first.
 *
 *   divide(multiply(%dot, slice(%g, %p){edge}), constant 8) => multiply(%dot, divide(slice(%g, %p), constant 8))
 *
 * The quotient of a type's factor and a constant is a view of a value per type, which
 * gnn_rule_hoist then computes per type; this saves an operation per edge. An example is HGT's
 * attention, which is scaled by mu[type] / sqrt(d). It changes rounding, so it applies from -O2
 * on. */
#include "passes/gnn/rules/gnn_rewrite.h"
#include "passes/gnn/rules/gnn_rules.h"

static const MlirValue none = {NULL};

/* Whether a value has few numbers: one for the model, or one row per type. */
static bool is_small(MlirValue value) {
  return ir_type_of(value).kind == IR_KIND_plain || ir_type_of(value).kind == IR_KIND_per ||
         !mlirOperationIsNull(gnn_producer(value, IR_OP(gnn, slice)));
}

/* Rewrites (x * factor) op other, where factor and other are small and x is not, to x * (factor op
 * other). */
static MlirValue regroup(MlirOperation op, MlirValue product, MlirValue other) {
  MlirOperation multiply = gnn_producer(product, IR_OP(gnn, multiply));
  if (mlirOperationIsNull(multiply) || !ir_value_has_one_use(product) || !is_small(other)) return none;
  for (int i = 0; i < 2; i++) {
    MlirValue x = ir_operand(multiply, i), factor = ir_operand(multiply, 1 - i);
    if (is_small(x) || !is_small(factor)) continue;
    bool is_view = ir_type_of(factor).kind != IR_KIND_plain, is_plain = ir_type_of(other).kind == IR_KIND_plain;
    if (is_view && !is_plain && !mlirTypeEqual(mlirValueGetType(factor), mlirValueGetType(other))) return none;
    ir_builder b = ir_builder_before(op);
    MlirValue joined = gnn_build_binary(&b, ir_op_kind(op), factor, other);
    return ir_value_is_null(joined) ? none : gnn_build_binary(&b, IR_OP(gnn, multiply), x, joined);
  }
  return none;
}

MlirValue gnn_rule_factor(const pass_context *p, MlirOperation op) {
  bool is_product = ir_op_kind(op) == IR_OP(gnn, multiply);
  if (p->opt_level < 2 || (!is_product && ir_op_kind(op) != IR_OP(gnn, divide))) return none;
  MlirValue a = mlirOperationGetOperand(op, 0), b = mlirOperationGetOperand(op, 1);
  MlirValue value = regroup(op, a, b);
  return ir_value_is_null(value) && is_product ? regroup(op, b, a) : value;
}
