/* Expressions of element-wise operations: gnn.multiply on "a[j]" and "w" becomes "(a[j] * w)". */
#include "codegen/c/body/scalar.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One row per element-wise operation; %s are its operands in order. */
static const struct {
  ir_op op;
  const char *format;
} elementwise[] = {
    {IR_OP(gnn, vector_add), "(%s + %s)"},
    {IR_OP(gnn, subtract), "(%s - %s)"},
    {IR_OP(gnn, multiply), "(%s * %s)"},
    {IR_OP(gnn, divide), "(%s / %s)"},
    {IR_OP(gnn, maximum), "real_max(%s, %s)"},
    {IR_OP(gnn, minimum), "real_min(%s, %s)"},
    {IR_OP(gnn, select), "(%s != 0 ? %s : %s)"},
    {IR_OP(gnn, compare), NULL},
    {IR_OP(gnn, activation), NULL},
};

static const struct {
  const char *predicate, *format;
} comparisons[] = {
    {"lt", "(real)(%s < %s)"},  {"le", "(real)(%s <= %s)"}, {"gt", "(real)(%s > %s)"},
    {"ge", "(real)(%s >= %s)"}, {"eq", "(real)(%s == %s)"}, {"ne", "(real)(%s != %s)"},
};

static const struct {
  const char *name;
  bool has_slope;
  double slope;
} unaries[] = {
#define UNARY(name, has_slope, default_slope, doc) {#name, has_slope, default_slope},
#include "dialects/unary.def"
#undef UNARY
};

bool c_scalar_is_elementwise(ir_op op) {
  for (size_t i = 0; i < sizeof elementwise / sizeof elementwise[0]; i++)
    if (elementwise[i].op == op) return true;
  return false;
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

/* The shortest decimal that reads back as the same float (or double). */
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
  const char *function = ir_get_string(op, "function", "");
  for (size_t i = 0; i < sizeof unaries / sizeof unaries[0]; i++) {
    if (strcmp(unaries[i].name, function) != 0) continue;
    if (!strcmp(function, "negate")) return arena_printf(a, "(-%s)", x);
    const char *name = arena_printf(a, "real_%s", function);
    x = c_scalar_bare(b, x);
    if (!unaries[i].has_slope) return arena_printf(a, "%s(%s)", name, x);
    return arena_printf(a, "%s(%s, %s)", name, x, c_scalar_literal(b, ir_get_float(op, "slope", unaries[i].slope)));
  }
  c_body_fail(b, op, DIAG_internal, "'%s' is no function of one argument", function);
  return x;
}

const char *c_scalar_expression(c_body *b, MlirOperation op, const char *const *operands) {
  arena *a = b->model->arena;
  ir_op kind = ir_op_kind(op);
  if (kind == IR_OP(gnn, activation)) return activation_expression(b, op, operands[0]);
  const char *format = NULL;
  for (size_t i = 0; i < sizeof elementwise / sizeof elementwise[0]; i++)
    if (elementwise[i].op == kind) format = elementwise[i].format;
  const char *predicate = ir_get_string(op, "predicate", "");
  for (size_t i = 0; kind == IR_OP(gnn, compare) && i < sizeof comparisons / sizeof comparisons[0]; i++)
    if (!strcmp(comparisons[i].predicate, predicate)) format = comparisons[i].format;
  if (!format) {
    c_body_fail(b, op, DIAG_internal, "the C target has no expression for '%s' %s", ir_op_name(op), predicate);
    return "0";
  }
  text made = {0};
  for (const char *at = format; *at; at++) {
    if (at[0] == '%' && at[1] == 's') {
      text_append(&made, format[0] == 'r' ? c_scalar_bare(b, *operands) : *operands);
      operands++;
      at++;
    } else {
      text_append_bytes(&made, at, 1);
    }
  }
  const char *kept = arena_strdup(a, text_str(&made));
  text_free(&made);
  return kept;
}
