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
  return ir_op_is_binary(op) || op == IR_OP(gnn, convert) || op == IR_OP(gnn, select) || op == IR_OP(gnn, activation);
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

static const char *activation_expression(c_body *b, MlirOperation op, const char *x) {
  arena *a = b->model->arena;
  elementwise_unary function = ir_unary_of(op);
  if (function == UNARY_none) {
    c_body_fail(b, op, DIAG_internal, "'%s' is no function of one number", ir_get_string(op, "function", ""));
    return x;
  }
  const char *numbers[ELEMENTWISE_MAX_PARAMETERS] = {0};
  int count = elementwise_count_parameters(function);
  for (int i = 0; i < count; i++) numbers[i] = c_scalar_literal(b, ir_unary_number(op, i));
  if (!elementwise_unaries[function].is_function)
    return arena_printf(a, "(%s)", c_formula_apply(a, function, x, numbers));
  const char *call = arena_printf(a, "real_%s(%s", elementwise_unaries[function].name, c_scalar_bare(b, x));
  for (int i = 0; i < count; i++) call = arena_printf(a, "%s, %s", call, numbers[i]);
  return arena_printf(a, "%s)", call);
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
  case IR_OP(gnn, select):
    return arena_printf(b->model->arena, "real_select(%s, %s, %s)", c_scalar_bare(b, operands[0]),
                        c_scalar_bare(b, operands[1]), c_scalar_bare(b, operands[2]));
  case IR_OP(gnn, convert): return arena_printf(b->model->arena, "(real)%s", operands[0]);
  default: return binary_expression(b, op, operands[0], operands[1]);
  }
}
