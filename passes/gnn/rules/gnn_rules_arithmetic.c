/* Rules of gnn-canonicalize about numbers: folding of constants, identities of arithmetic.
 *
 *   multiply(%x, constant 1) => %x        vector_add(constant 2, constant 3) => constant 5
 *
 * Folding computes in double and keeps what is finite: the constant is rounded once, when the code for it is made. A
 * sum with 0 may turn -0 into 0; nothing else changes a result. */
#include "passes/gnn/rules/gnn_rewrite.h"
#include "passes/gnn/rules/gnn_rules.h"

#include <math.h>
#include <string.h>

static const MlirValue none = {NULL};

/* ---- functions of one number: one evaluator per row of unary.def ------------------------------------------------- */

static double eval_relu(double x, double slope) {
  (void)slope;
  return x > 0 ? x : 0;
}
static double eval_leaky_relu(double x, double slope) {
  return x > 0 ? x : slope * x;
}
static double eval_elu(double x, double slope) {
  return x > 0 ? x : slope * (exp(x) - 1);
}
#define EVAL(name, formula)                                                                                            \
  static double eval_##name(double x, double slope) {                                                                  \
    (void)slope;                                                                                                       \
    return formula;                                                                                                    \
  }
EVAL(sigmoid, 1 / (1 + exp(-x)))
EVAL(swish, x / (1 + exp(-x)))
EVAL(gelu, x / 2 * (1 + erf(x / sqrt(2.0))))
EVAL(tanh, tanh(x))
EVAL(exp, exp(x))
EVAL(log, log(x))
EVAL(sqrt, sqrt(x))
EVAL(rsqrt, 1 / sqrt(x))
EVAL(negate, -x)
EVAL(reciprocal, 1 / x)
EVAL(abs, fabs(x))
#undef EVAL

static const struct {
  const char *name;
  double (*eval)(double x, double slope);
  double slope;
} unaries[] = {
#define UNARY(name, has_slope, default_slope, doc) {#name, eval_##name, default_slope},
#include "dialects/unary.def"
#undef UNARY
};

static bool eval_unary(const char *function, MlirOperation op, double x, double *result) {
  for (size_t i = 0; function && i < sizeof unaries / sizeof unaries[0]; i++) {
    if (strcmp(unaries[i].name, function) != 0) continue;
    *result = unaries[i].eval(x, ir_get_float(op, "slope", unaries[i].slope));
    return true;
  }
  return false;
}

static bool eval_compare(const char *predicate, double a, double b) {
  if (strcmp(predicate, "lt") == 0) return a < b;
  if (strcmp(predicate, "le") == 0) return a <= b;
  if (strcmp(predicate, "gt") == 0) return a > b;
  if (strcmp(predicate, "ge") == 0) return a >= b;
  bool equal = !(a < b) && !(a > b);
  return strcmp(predicate, "eq") == 0 ? equal : !equal;
}

/* The number an operation on constants gives. */
static bool eval_op(MlirOperation op, const double *in, double *result) {
  switch (ir_op_kind(op)) {
  case IR_OP(gnn, vector_add): *result = in[0] + in[1]; break;
  case IR_OP(gnn, subtract): *result = in[0] - in[1]; return true;
  case IR_OP(gnn, multiply): *result = in[0] * in[1]; return true;
  case IR_OP(gnn, divide): *result = in[0] / in[1]; return true;
  case IR_OP(gnn, maximum): *result = in[0] > in[1] ? in[0] : in[1]; return true;
  case IR_OP(gnn, minimum): *result = in[0] < in[1] ? in[0] : in[1]; return true;
  case IR_OP(gnn, compare): *result = eval_compare(ir_get_string(op, "predicate", "eq"), in[0], in[1]); return true;
  case IR_OP(gnn, select): *result = in[0] < 0 || in[0] > 0 ? in[1] : in[2]; return true;
  case IR_OP(gnn, activation): return eval_unary(ir_get_string(op, "function", NULL), op, in[0], result);
  default: return false;
  }
  const char *activation = gnn_activation_of(op);
  return !activation || eval_unary(activation, op, *result, result);
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

/* The operand of a negation, else null. */
static MlirValue negated(MlirValue value) {
  MlirOperation op = gnn_producer(value, IR_OP(gnn, activation));
  if (mlirOperationIsNull(op) || !ir_string_is(op, "function", "negate")) return none;
  return ir_operand(op, IR_IN(gnn, activation, x));
}

/* `x` where it has the type of the result, else null: broadcasting is part of an operation. */
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
