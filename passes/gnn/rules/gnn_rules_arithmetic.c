/* Rules of gnn-canonicalize about numbers: folding of constants and arithmetic identities.
 *
 *   multiply(%x, constant 1) => %x        vector_add(constant 2, constant 3) => constant 5
 *
 * Constants are folded in double precision by the formulas of support/elementwise.def, and only to
 * finite results. The result is rounded once, when code is generated, so it may differ in the last
 * place from fp32 arithmetic. Functions with jumps (comparisons, floor, sign) would enlarge such a
 * difference; they are folded for whole numbers only. A sum with 0 may turn -0 into 0. */
#include "passes/gnn/rules/gnn_rewrite.h"
#include "passes/gnn/rules/gnn_rules.h"

#include <math.h>
#include <string.h>

static const MlirValue none = {NULL};

/* ---- folding ------------------------------------------------------------------------------------------------------ */

/* Whether both arithmetics represent the number exactly. */
static bool is_whole(double x) {
  return fabs(x) <= 0x1p24 && !(floor(x) < x);
}

/* Whether a function has jumps and is constant between them. */
static bool is_flat(const char *derivative) {
  return !strcmp(derivative, "0");
}

/* Evaluates an operation on constants. */
static bool eval_op(MlirOperation op, const double *in, double *result) {
  ir_op kind = ir_op_kind(op);
  elementwise_binary binary = ir_binary_of(op);
  if (binary != BINARY_none && is_flat(elementwise_binaries[binary].derivative_a) &&
      !(is_whole(in[0]) && is_whole(in[1])))
    return false;
  if (binary != BINARY_none)
    *result = elementwise_binary_f64(binary, in[0], in[1]);
  else if (kind == IR_OP(gnn, select))
    *result = in[0] < 0 || in[0] > 0 ? in[1] : in[2];
  else if (kind == IR_OP(gnn, activation))
    *result = in[0];
  else
    return false;
  elementwise_unary unary = ir_unary_of(op);
  if (unary == UNARY_none) return true;
  if (is_flat(elementwise_unaries[unary].derivative) && !is_whole(*result)) return false;
  *result = elementwise_unary_f64(unary, *result, ir_unary_number(op, 0), ir_unary_number(op, 1));
  return true;
}

MlirValue gnn_rule_fold_constant(const pass_context *p, MlirOperation op) {
  (void)p;
  double in[IR_MAX_OPERANDS] = {0}, result;
  intptr_t count = mlirOperationGetNumOperands(op);
  if (count == 0 || count > IR_MAX_OPERANDS) return none;
  for (intptr_t i = 0; i < count; i++)
    if (!gnn_constant_get(mlirOperationGetOperand(op, i), &in[i])) return none;
  if (!eval_op(op, in, &result) || !isfinite(result)) return none;
  ir_builder b = ir_builder_before(op);
  return gnn_build_constant(&b, result);
}

/* ---- identities -------------------------------------------------------------------------------------------------- */

static bool is_constant(MlirValue value, double expected) {
  double number;
  return gnn_constant_get(value, &number) && !(number < expected) && !(number > expected);
}

/* The operand of a negation; else null. */
static MlirValue negated(MlirValue value) {
  MlirOperation op = gnn_producer(value, IR_OP(gnn, activation));
  if (mlirOperationIsNull(op) || !ir_string_is(op, "function", "negate")) return none;
  return ir_operand(op, IR_IN(gnn, activation, x));
}

/* `x` if it has the type of the result; else null, because the operation broadcasts it. */
static MlirValue as_result(MlirOperation op, MlirValue x) {
  return mlirTypeEqual(mlirValueGetType(x), mlirValueGetType(ir_result(op))) ? x : none;
}

static MlirValue add_identity(MlirOperation op, MlirValue a, MlirValue b) {
  if (gnn_activation_of(op)) return none;
  if (is_constant(a, 0)) return as_result(op, b);
  if (is_constant(b, 0)) return as_result(op, a);
  ir_builder builder = ir_builder_before(op);
  if (!ir_value_is_null(negated(b))) return gnn_build_binary(&builder, IR_OP(gnn, subtract), a, negated(b));
  if (!ir_value_is_null(negated(a))) return gnn_build_binary(&builder, IR_OP(gnn, subtract), b, negated(a));
  return none;
}

static MlirValue subtract_identity(MlirOperation op, MlirValue a, MlirValue b) {
  if (is_constant(b, 0)) return as_result(op, a);
  ir_builder builder = ir_builder_before(op);
  if (!ir_value_is_null(negated(b))) return gnn_build_binary(&builder, IR_OP(gnn, vector_add), a, negated(b));
  return none;
}

static MlirValue activation_identity(MlirOperation op) {
  MlirValue x = ir_operand(op, IR_IN(gnn, activation, x));
  if (ir_string_is(op, "function", "negate")) return negated(x);
  MlirOperation inner = gnn_producer(x, IR_OP(gnn, activation));
  if (mlirOperationIsNull(inner)) return none;
  bool idempotent = ir_string_is(op, "function", "relu") || ir_string_is(op, "function", "abs");
  return idempotent && ir_string_is(inner, "function", ir_get_string(op, "function", "")) ? x : none;
}

static MlirValue select_identity(MlirOperation op) {
  MlirValue a = ir_operand(op, IR_IN(gnn, select, a)), b = ir_operand(op, IR_IN(gnn, select, b));
  double condition;
  if (mlirValueEqual(a, b)) return as_result(op, a);
  if (!gnn_constant_get(ir_operand(op, IR_IN(gnn, select, condition)), &condition)) return none;
  return as_result(op, condition < 0 || condition > 0 ? a : b);
}

MlirValue gnn_rule_identity(const pass_context *p, MlirOperation op) {
  (void)p;
  MlirValue in[IR_MAX_OPERANDS];
  ir_operands(op, in);
  switch (ir_op_kind(op)) {
  case IR_OP(gnn, vector_add): return add_identity(op, in[0], in[1]);
  case IR_OP(gnn, subtract): return subtract_identity(op, in[0], in[1]);
  case IR_OP(gnn, multiply):
    if (is_constant(in[0], 1)) return as_result(op, in[1]);
    return is_constant(in[1], 1) ? as_result(op, in[0]) : none;
  case IR_OP(gnn, divide): return is_constant(in[1], 1) ? as_result(op, in[0]) : none;
  case IR_OP(gnn, maximum):
  case IR_OP(gnn, minimum): return mlirValueEqual(in[0], in[1]) ? in[0] : none;
  case IR_OP(gnn, activation): return activation_identity(op);
  case IR_OP(gnn, select): return select_identity(op);
  default: return none;
  }
}
