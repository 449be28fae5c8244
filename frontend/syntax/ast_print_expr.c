/* Prints expressions and types with the fewest parentheses that keep the tree: a - (b - c), -(a *
 * b), (a + b).x. */
#include "frontend/syntax/ast_print.h"

static unsigned precedence(const ast_expr *e) {
  if (e->kind == AST_EXPR_unary) return 4;
  if (e->kind == AST_EXPR_choice) return 0;
  if (e->kind != AST_EXPR_binary) return 5;
  switch (e->binary.op) {
  case AST_BINARY_add:
  case AST_BINARY_subtract: return 2;
  case AST_BINARY_multiply:
  case AST_BINARY_divide:
  case AST_BINARY_matmul: return 3;
  default: return 1;
  }
}

static void print_operand(text *t, const ast_expr *e, unsigned least) {
  bool has_parentheses = precedence(e) < least;
  if (has_parentheses) text_append(t, "(");
  ast_print_breakable_expr(t, e);
  if (has_parentheses) text_append(t, ")");
}

void ast_print_string(text *t, const char *s) {
  text_append(t, "\"");
  for (; *s; s++) {
    if (*s == '"' || *s == '\\') text_append(t, "\\");
    text_append_bytes(t, s, 1);
  }
  text_append(t, "\"");
}

void ast_print_breakable_exprs(text *t, const ast_expr_list *list) {
  for (size_t i = 0; i < list->count; i++) {
    if (i) text_append(t, "," BREAK);
    ast_print_breakable_expr(t, list->items[i]);
  }
}

void ast_print_names(text *t, const ast_name_list *list) {
  for (size_t i = 0; i < list->count; i++) {
    if (i) text_append(t, "," BREAK);
    text_append(t, list->items[i].text);
  }
}

static void print_argument(text *t, const ast_argument *argument) {
  if (argument->name.text) text_printf(t, "%s = ", argument->name.text);
  if (argument->is_inout) text_append(t, "inout ");
  ast_print_breakable_expr(t, argument->value);
}

/* fold(e in n.incoming by e.w, h = 0: h * 0.5 + e.x) */
static void print_reduce(text *t, const ast_expr *e) {
  text_printf(t, "%s(", e->reduce.reduction.text);
  if (e->reduce.argument) {
    ast_print_breakable_expr(t, e->reduce.argument);
    text_append(t, "," BREAK);
  }
  text_printf(t, "%s in ", e->reduce.variable.text);
  ast_print_breakable_expr(t, e->reduce.domain);
  if (e->reduce.key) {
    text_append(t, BREAK "by ");
    ast_print_breakable_expr(t, e->reduce.key);
  }
  for (size_t i = 0; i < e->reduce.states.count; i++) {
    text_append(t, "," BREAK);
    print_argument(t, &e->reduce.states.items[i]);
  }
  text_append(t, ":" BREAK);
  ast_print_breakable_expr(t, e->reduce.body);
  text_append(t, ")");
}

static void print_call(text *t, const ast_expr *e) {
  text_append(t, e->call.callee.text);
  text_append(t, "(");
  for (size_t i = 0; i < e->call.arguments.count; i++) {
    if (i) text_append(t, "," BREAK);
    print_argument(t, &e->call.arguments.items[i]);
  }
  text_append(t, ")");
  if (!e->call.prefix) return;
  text_append(t, BREAK "from ");
  ast_print_string(t, e->call.prefix);
}

void ast_print_breakable_expr(text *t, const ast_expr *e) {
  switch (e->kind) {
  case AST_EXPR_number: text_append(t, e->number.text); break;
  case AST_EXPR_string: ast_print_string(t, e->string.text); break;
  case AST_EXPR_name: text_append(t, e->name.text); break;
  case AST_EXPR_field:
    print_operand(t, e->field.base, 5);
    text_append(t, ".");
    text_append(t, e->field.name.text);
    break;
  case AST_EXPR_index:
    print_operand(t, e->index.base, 5);
    text_append(t, "[");
    ast_print_breakable_exprs(t, &e->index.subscripts);
    text_append(t, "]");
    break;
  case AST_EXPR_call: print_call(t, e); break;
  case AST_EXPR_unary:
    text_append(t, "-");
    print_operand(t, e->unary.operand, 4);
    break;
  case AST_EXPR_binary: {
    unsigned own = precedence(e); /* comparisons do not associate, the others do to the left */
    print_operand(t, e->binary.left, own == 1 ? 2 : own);
    text_append(t, BREAK);
    text_append(t, ast_binary_text(e->binary.op));
    text_append(t, " ");
    print_operand(t, e->binary.right, own + 1);
    break;
  }
  case AST_EXPR_reduce: print_reduce(t, e); break;
  case AST_EXPR_list:
    text_append(t, "[");
    ast_print_breakable_exprs(t, &e->list);
    text_append(t, "]");
    break;
  case AST_EXPR_choice: /* associates to the right */
    print_operand(t, e->choice.yes, 1);
    text_append(t, BREAK "if ");
    print_operand(t, e->choice.condition, 1);
    text_append(t, BREAK "else ");
    print_operand(t, e->choice.no, 0);
    break;
  case AST_EXPR_range:
    if (e->range.first) ast_print_breakable_expr(t, e->range.first);
    text_append(t, "..");
    if (e->range.last) ast_print_breakable_expr(t, e->range.last);
    break;
  }
}

void ast_print_breakable_type(text *t, const ast_type *type) {
  static const char *const words[] = {
      [AST_TYPE_none] = "",
      [AST_TYPE_tensor] = "",
      [AST_TYPE_node] = "node ",
      [AST_TYPE_edge] = "edge ",
      [AST_TYPE_etype] = "etype ",
      [AST_TYPE_ntype] = "ntype ",
      [AST_TYPE_pergraph] = "graph ",
      [AST_TYPE_graph] = "graph",
      [AST_TYPE_dim] = "dim",
      [AST_TYPE_function] = "function",
      [AST_TYPE_reduction] = "reduction",
  };
  text_append(t, words[type->kind]);
  bool is_value = type->kind >= AST_TYPE_tensor && type->kind <= AST_TYPE_pergraph;
  if (is_value) text_append(t, type->is_integer ? "i32" : "f32");
  if (type->dims.count == 0) return;
  text_append(t, "[");
  ast_print_breakable_exprs(t, &type->dims);
  text_append(t, "]");
}

void ast_print_without_breaks(text *out, const text *t) {
  for (size_t i = 0; i < t->size; i++) text_append_bytes(out, t->data[i] == BREAK[0] ? " " : &t->data[i], 1);
}

void ast_print_expr(const ast_expr *e, text *out) {
  text t = {0};
  ast_print_breakable_expr(&t, e);
  ast_print_without_breaks(out, &t);
  text_free(&t);
}

void ast_print_type(const ast_type *type, text *out) {
  text t = {0};
  ast_print_breakable_type(&t, type);
  ast_print_without_breaks(out, &t);
  text_free(&t);
}
