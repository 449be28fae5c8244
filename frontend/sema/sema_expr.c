/* Evaluates expressions: dispatches on their kind, folds known numbers and sizes, applies
 * operators. */
#include "frontend/sema/sema_reduce.h"

#include <string.h>

static flat_op binary_op(ast_binary op) {
  switch (op) {
  case AST_BINARY_add: return FLAT_vector_add;
  case AST_BINARY_subtract: return FLAT_subtract;
  case AST_BINARY_multiply: return FLAT_multiply;
  case AST_BINARY_divide: return FLAT_divide;
  case AST_BINARY_matmul: return FLAT_linear;
  default: return FLAT_compare;
  }
}

static const char *predicate(ast_binary op) {
  switch (op) {
  case AST_BINARY_less: return "lt";
  case AST_BINARY_less_equal: return "le";
  case AST_BINARY_greater: return "gt";
  case AST_BINARY_greater_equal: return "ge";
  case AST_BINARY_equal: return "eq";
  default: return "ne";
  }
}

/* Sizes stay sizes under + - *, so that `H * C` can be passed as a size. */
static dim fold_sizes(sema *s, ast_binary op, dim a, dim b) {
  if (!a || !b) return NULL;
  switch (op) {
  case AST_BINARY_add: return dim_add(s->dims, a, b);
  case AST_BINARY_subtract: return dim_subtract(s->dims, a, b);
  case AST_BINARY_multiply: return dim_multiply(s->dims, a, b);
  default: return NULL;
  }
}

static bool is_number(sema_value v) {
  return v.kind == SEMA_number || v.kind == SEMA_size;
}

static bool compare(ast_binary op, double a, double b) {
  switch (op) {
  case AST_BINARY_less: return a < b;
  case AST_BINARY_less_equal: return a <= b;
  case AST_BINARY_greater: return a > b;
  case AST_BINARY_greater_equal: return a >= b;
  case AST_BINARY_equal: return a == b;
  default: return a != b;
  }
}

/* Computes with numbers that are known when the model is compiled; returns false when an operand is
 * known only at run time. */
static bool fold(sema *s, ast_binary op, sema_value a, sema_value b, sema_value *out) {
  if (!is_number(a) || !is_number(b)) return false;
  dim size = fold_sizes(s, op, a.size, b.size);
  if (size) {
    *out = sema_from_size(s, size);
    return true;
  }
  if (a.kind != SEMA_number || b.kind != SEMA_number) return false;
  if (op >= AST_BINARY_less) {
    *out = sema_from_number(s, compare(op, a.number, b.number), true);
    return true;
  }
  switch (op) {
  case AST_BINARY_add: *out = sema_from_number(s, a.number + b.number, false); return true;
  case AST_BINARY_subtract: *out = sema_from_number(s, a.number - b.number, false); return true;
  case AST_BINARY_multiply: *out = sema_from_number(s, a.number * b.number, false); return true;
  case AST_BINARY_divide:
    if (b.number == 0) return false;
    *out = sema_from_number(s, a.number / b.number, false);
    return true;
  default: return false;
  }
}

/* Whether the value is a name for something: none, a function, a reduction, a text. */
static bool is_symbol(sema_value v) {
  return v.kind == SEMA_none || v.kind == SEMA_function || v.kind == SEMA_reduction || v.kind == SEMA_string ||
         v.kind == SEMA_node_type;
}

/* Compares functions, reductions, texts and none by name: `aggr == mean`. A name that is compared with something
 * unknown, such as a parameter of a layer that nothing calls, gives something unknown. */
static bool fold_symbols(sema *s, ast_binary op, sema_value a, sema_value b, sema_value *out) {
  if (op != AST_BINARY_equal && op != AST_BINARY_not_equal) return false;
  bool is_none = a.kind == SEMA_none || b.kind == SEMA_none;
  if ((a.kind == SEMA_poison && is_symbol(b)) || (is_symbol(a) && b.kind == SEMA_poison)) {
    *out = sema_poisoned();
    return true;
  }
  if (!(is_symbol(a) && is_symbol(b)) && !(is_none && a.kind != SEMA_poison && b.kind != SEMA_poison)) return false;
  bool is_equal = is_none ? a.kind == b.kind : !strcmp(a.name, b.name);
  *out = sema_from_number(s, is_equal == (op == AST_BINARY_equal), true);
  return true;
}

static bool is_literal(sema_value v, double number) {
  return v.kind == SEMA_number && v.number == number;
}

/* x + 0, x - 0, x * 1 and x / 1 are x, where the number is known when the model is compiled: terms
 * and factors that options switch off cost nothing. */
static bool drop_neutral(ast_binary op, sema_value a, sema_value b, sema_value *out) {
  bool is_sum = op == AST_BINARY_add || op == AST_BINARY_subtract;
  bool is_product = op == AST_BINARY_multiply || op == AST_BINARY_divide;
  if (!is_sum && !is_product) return false;
  double neutral = is_sum ? 0 : 1;
  if (a.kind == SEMA_tensor && is_literal(b, neutral)) {
    *out = a;
    return true;
  }
  bool commutes = op == AST_BINARY_add || op == AST_BINARY_multiply;
  *out = b;
  return commutes && b.kind == SEMA_tensor && is_literal(a, neutral);
}

sema_value sema_eval_operator(sema *s, const ast_expr *e, ast_binary op, const ast_expr *left_text, sema_value left,
                              const ast_expr *right_text, sema_value right) {
  sema_value folded = {0};
  if (fold(s, op, left, right, &folded) || fold_symbols(s, op, left, right, &folded)) return folded;
  if (drop_neutral(op, left, right, &folded) && !sema_is_integer(s, folded)) return folded;
  if (op >= AST_BINARY_less) {
    left = sema_convert(s, left, left_text->span);
    right = sema_convert(s, right, right_text->span);
  }
  flat_id a = FLAT_NONE;
  flat_id b = FLAT_NONE;
  bool is_good = sema_as_tensor(s, left, left_text, &a);
  is_good = sema_as_tensor(s, right, right_text, &b) && is_good;
  if (!is_good) return sema_poisoned();
  flat_op code = binary_op(op);
  flat_type type = {0};
  bool is_typed = code == FLAT_linear
                      ? sema_type_linear(s, e, left_text, right_text, sema_type(s, a), sema_type(s, b), &type)
                      : sema_type_binary(s, e, left_text, right_text, sema_type(s, a), sema_type(s, b), &type);
  if (!is_typed) return sema_poisoned();
  flat_id id = sema_add(s, code, type, e->span, (flat_id[]){a, b}, 2);
  if (code == FLAT_compare) sema_add_string(s, id, "predicate", predicate(op));
  return sema_from_id(s, id);
}

static sema_value eval_negate(sema *s, const ast_expr *e) {
  sema_value v = sema_eval(s, e->unary.operand);
  if (is_number(v) && v.size) return sema_from_size(s, dim_subtract(s->dims, dim_constant(s->dims, 0), v.size));
  if (v.kind == SEMA_number) return sema_from_number(s, -v.number, false);
  flat_id x = FLAT_NONE;
  if (!sema_as_tensor(s, v, e->unary.operand, &x)) return sema_poisoned();
  return sema_from_id(s, sema_activation(s, "negate", x, e->span));
}

static sema_value eval_binary(sema *s, const ast_expr *e) {
  sema_value left = sema_eval(s, e->binary.left);
  sema_value right = sema_eval(s, e->binary.right);
  return sema_eval_operator(s, e, e->binary.op, e->binary.left, left, e->binary.right, right);
}

static sema_value eval(sema *s, const ast_expr *e) {
  switch (e->kind) {
  case AST_EXPR_number: return sema_from_number(s, e->number.value, e->number.is_integer);
  case AST_EXPR_string: return (sema_value){.kind = SEMA_string, .id = FLAT_NONE, .name = e->string.text};
  case AST_EXPR_name: return sema_eval_name(s, e);
  case AST_EXPR_field: return sema_eval_field(s, e);
  case AST_EXPR_index: return sema_eval_index(s, e);
  case AST_EXPR_call: return sema_eval_call(s, e);
  case AST_EXPR_unary: return eval_negate(s, e);
  case AST_EXPR_binary: return eval_binary(s, e);
  case AST_EXPR_reduce: return sema_eval_reduce(s, e);
  case AST_EXPR_list: return sema_stack(s, e);
  case AST_EXPR_choice: return sema_eval_choice(s, e);
  case AST_EXPR_range: break; /* between brackets alone, where sema_shapes.c reads it */
  }
  return sema_poisoned();
}

sema_value sema_eval(sema *s, const ast_expr *e) {
  if (s->is_stopped) return sema_poisoned();
  if (s->depth >= SEMA_MAX_DEPTH) {
    sema_error(s, e->span, DIAG_expansion_limit, "calls and expressions nest too deeply here");
    s->is_stopped = true;
    return sema_poisoned();
  }
  s->depth++;
  sema_value v = eval(s, e);
  s->depth--;
  return s->is_stopped ? sema_poisoned() : v;
}

bool sema_eval_tensor(sema *s, const ast_expr *e, flat_id *id) {
  return sema_as_tensor(s, sema_eval(s, e), e, id);
}
