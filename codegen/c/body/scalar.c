/* Expressions of element-wise operations: gnn.multiply on "a[j]" and "w" becomes "(a[j] * w)". */
#include "codegen/c/body/scalar.h"

#include "codegen/c/text/formula.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The functions of two numbers that are operators in C; all others are calls: real_max(a, b). */
static const char *const operators[BINARY_COUNT] = {
    [BINARY_add] = "+", [BINARY_sub] = "-", [BINARY_mul] = "*", [BINARY_div] = "/", [BINARY_lt] = "<",
    [BINARY_le] = "<=", [BINARY_gt] = ">",  [BINARY_ge] = ">=", [BINARY_eq] = "==", [BINARY_ne] = "!=",
};

bool c_scalar_is_elementwise(ir_op op) {
  return ir_op_is_binary(op) || op == IR_OP(gnn, convert) || op == IR_OP(gnn, select) || op == IR_OP(gnn, activation) ||
         op == IR_OP(gnn, derivative) || op == IR_OP(inter, dropout);
}

intptr_t c_scalar_count_operands(MlirOperation op) {
  return ir_op_kind(op) == IR_OP(inter, dropout) ? 1 : mlirOperationGetNumOperands(op);
}

const char *c_scalar_bare(c_body *b, const char *expression) {
  size_t length = strlen(expression), at = 0;
  if (expression[0] != '(') return expression;
  for (int depth = 0; at < length; at++) {
    depth += (expression[at] == '(') - (expression[at] == ')');
    if (!depth) break;
  }
  return at == length - 1 ? arena_strndup(b->model->arena, expression + 1, length - 2) : expression;
}

/* The shortest decimal number that reads back as the same float (or double). */
const char *c_scalar_literal(c_body *b, double value) {
  arena *a = b->model->arena;
  bool wide = b->model->options->is_f64;
  if (isnan(value)) return "NAN";
  if (isinf(value)) return value < 0 ? "-INFINITY" : "INFINITY";
  char digits[40];
  for (int precision = 1; precision <= 17; precision++) {
    snprintf(digits, sizeof digits, "%.*g", precision, value);
    if (wide ? strtod(digits, NULL) == value : strtof(digits, NULL) == (float)value) break;
  }
  const char *point = strpbrk(digits, ".e") ? "" : ".0";
  if (signbit(value)) return arena_printf(a, "(%s%s%s)", digits, point, wide ? "" : "f");
  return arena_printf(a, "%s%s%s", digits, point, wide ? "" : "f");
}

/* The function of an operation, and its numbers as text; UNARY_none after an error. */
static elementwise_unary read_function(c_body *b, MlirOperation op, const char *numbers[ELEMENTWISE_MAX_PARAMETERS]) {
  elementwise_unary function = ir_unary_of(op);
  if (function == UNARY_none)
    c_body_fail(b, op, DIAG_internal, "'%s' is no function of one number", ir_get_string(op, "function", ""));
  int count = function == UNARY_none ? 0 : elementwise_count_parameters(function);
  for (int i = 0; i < count; i++) numbers[i] = c_scalar_literal(b, ir_unary_number(op, i));
  return function;
}

static const char *activation_expression(c_body *b, MlirOperation op, const char *x) {
  arena *a = b->model->arena;
  const char *numbers[ELEMENTWISE_MAX_PARAMETERS] = {0};
  elementwise_unary function = read_function(b, op, numbers);
  if (function == UNARY_none) return x;
  int count = elementwise_count_parameters(function);
  if (!elementwise_unaries[function].is_function)
    return arena_printf(a, "(%s)", c_formula_apply(a, function, x, numbers));
  const char *call = arena_printf(a, "real_%s(%s", elementwise_unaries[function].name, c_scalar_bare(b, x));
  for (int i = 0; i < count; i++) call = arena_printf(a, "%s, %s", call, numbers[i]);
  return arena_printf(a, "%s)", call);
}

/* Whether the derivative of a function is infinite at an end of its domain. */
static bool has_pole(elementwise_unary function) {
  return function == UNARY_log || function == UNARY_log1p || function == UNARY_sqrt || function == UNARY_rsqrt ||
         function == UNARY_reciprocal;
}

/* d * f'(x): `operands` has those that are present, in order. */
static const char *derivative_expression(c_body *b, MlirOperation op, const char *const *operands) {
  const char *numbers[ELEMENTWISE_MAX_PARAMETERS] = {0};
  elementwise_unary function = read_function(b, op, numbers);
  if (function == UNARY_none) return operands[0];
  const char *x = NULL, *y = NULL, *formula = elementwise_unaries[function].derivative;
  int next = 1;
  if (!mlirValueIsNull(ir_operand(op, IR_IN(gnn, derivative, x)))) x = c_scalar_bare(b, operands[next++]);
  if (!mlirValueIsNull(ir_operand(op, IR_IN(gnn, derivative, y)))) y = c_scalar_bare(b, operands[next]);
  if ((c_formula_mentions(formula, 'x') && !x) || (c_formula_mentions(formula, 'y') && !y)) {
    c_body_fail(b, op, DIAG_internal, "the derivative of '%s' lacks an operand", elementwise_unaries[function].name);
    return operands[0];
  }
  arena *a = b->model->arena;
  const char *slope = c_formula_apply_derivative(a, function, x, y, numbers);
  if (has_pole(function)) return arena_printf(a, "real_scaled(%s, %s)", c_scalar_bare(b, operands[0]), slope);
  return arena_printf(a, "(%s * %s)", operands[0], slope);
}

static const char *binary_expression(c_body *b, MlirOperation op, const char *left, const char *right) {
  arena *a = b->model->arena;
  elementwise_binary function = ir_binary_of(op);
  if (function == BINARY_none) {
    c_body_fail(b, op, DIAG_internal, "the C target has no expression for '%s'", ir_op_name(op));
    return left;
  }
  if (operators[function])
    return arena_printf(a, "%s(%s %s %s)", ir_op_kind(op) == IR_OP(gnn, compare) ? "(real)" : "", left,
                        operators[function], right);
  return arena_printf(a, "real_%s(%s, %s)", elementwise_binaries[function].name, c_scalar_bare(b, left),
                      c_scalar_bare(b, right));
}

const char *c_scalar_expression(c_body *b, MlirOperation op, const char *const *operands) {
  switch (ir_op_kind(op)) {
  case IR_OP(gnn, activation): return activation_expression(b, op, operands[0]);
  case IR_OP(gnn, derivative): return derivative_expression(b, op, operands);
  case IR_OP(inter, dropout): return arena_printf(b->model->arena, "(%s * %s)", operands[0], operands[1]);
  case IR_OP(gnn, select):
    return arena_printf(b->model->arena, "real_select(%s, %s, %s)", c_scalar_bare(b, operands[0]),
                        c_scalar_bare(b, operands[1]), c_scalar_bare(b, operands[2]));
  case IR_OP(gnn, convert): return arena_printf(b->model->arena, "(real)%s", operands[0]);
  default: return binary_expression(b, op, operands[0], operands[1]);
  }
}
