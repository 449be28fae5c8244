/* Compares two trees. Spans, comments and the owner of the text do not count. */
#include "frontend/syntax/ast.h"

#include <string.h>

static bool same_text(const char *a, const char *b) {
  return a && b ? strcmp(a, b) == 0 : a == b;
}

static bool same_names(const ast_name_list *a, const ast_name_list *b) {
  if (a->count != b->count) return false;
  for (size_t i = 0; i < a->count; i++)
    if (!same_text(a->items[i].text, b->items[i].text)) return false;
  return true;
}

static bool same_expr(const ast_expr *a, const ast_expr *b);

static bool same_exprs(const ast_expr_list *a, const ast_expr_list *b) {
  if (a->count != b->count) return false;
  for (size_t i = 0; i < a->count; i++)
    if (!same_expr(a->items[i], b->items[i])) return false;
  return true;
}

static bool same_arguments(const ast_argument_list *x, const ast_argument_list *y) {
  if (x->count != y->count) return false;
  for (size_t i = 0; i < x->count; i++) {
    if (x->items[i].is_inout != y->items[i].is_inout) return false;
    if (!same_text(x->items[i].name.text, y->items[i].name.text)) return false;
    if (!same_expr(x->items[i].value, y->items[i].value)) return false;
  }
  return true;
}

static bool same_call(const ast_expr *a, const ast_expr *b) {
  if (!same_text(a->call.callee.text, b->call.callee.text) || !same_text(a->call.prefix, b->call.prefix)) return false;
  return same_arguments(&a->call.arguments, &b->call.arguments);
}

static bool same_expr(const ast_expr *a, const ast_expr *b) {
  if (!a || !b) return a == b;
  if (a->kind != b->kind || a->height != b->height) return false;
  switch (a->kind) {
  case AST_EXPR_number:
    return same_text(a->number.text, b->number.text) && a->number.is_integer == b->number.is_integer;
  case AST_EXPR_string: return same_text(a->string.text, b->string.text);
  case AST_EXPR_name: return same_text(a->name.text, b->name.text);
  case AST_EXPR_field:
    return same_text(a->field.name.text, b->field.name.text) && same_expr(a->field.base, b->field.base);
  case AST_EXPR_index:
    return same_expr(a->index.base, b->index.base) && same_exprs(&a->index.subscripts, &b->index.subscripts);
  case AST_EXPR_call: return same_call(a, b);
  case AST_EXPR_unary: return a->unary.op == b->unary.op && same_expr(a->unary.operand, b->unary.operand);
  case AST_EXPR_binary:
    return a->binary.op == b->binary.op && same_expr(a->binary.left, b->binary.left) &&
           same_expr(a->binary.right, b->binary.right);
  case AST_EXPR_reduce:
    return same_text(a->reduce.reduction.text, b->reduce.reduction.text) &&
           same_text(a->reduce.variable.text, b->reduce.variable.text) &&
           same_expr(a->reduce.argument, b->reduce.argument) && same_expr(a->reduce.domain, b->reduce.domain) &&
           same_expr(a->reduce.key, b->reduce.key) && same_arguments(&a->reduce.states, &b->reduce.states) &&
           same_expr(a->reduce.body, b->reduce.body);
  case AST_EXPR_list: return same_exprs(&a->list, &b->list);
  case AST_EXPR_choice:
    return same_expr(a->choice.condition, b->choice.condition) && same_expr(a->choice.yes, b->choice.yes) &&
           same_expr(a->choice.no, b->choice.no);
  case AST_EXPR_range: return same_expr(a->range.first, b->range.first) && same_expr(a->range.last, b->range.last);
  }
  return false;
}

static bool same_type(const ast_type *a, const ast_type *b) {
  return a->kind == b->kind && a->is_integer == b->is_integer && same_exprs(&a->dims, &b->dims);
}

static bool same_training(const ast_training *a, const ast_training *b) {
  return a->is_frozen == b->is_frozen && a->is_trained == b->is_trained && same_text(a->init.text, b->init.text) &&
         same_expr(a->init_value, b->init_value);
}

static bool same_statement(const ast_statement *a, const ast_statement *b);

static bool same_body(const ast_statement_list *a, const ast_statement_list *b) {
  if (a->count != b->count) return false;
  for (size_t i = 0; i < a->count; i++)
    if (!same_statement(a->items[i], b->items[i])) return false;
  return true;
}

static bool same_graph_types(const ast_graph_type_list *a, const ast_graph_type_list *b) {
  if (a->count != b->count) return false;
  for (size_t i = 0; i < a->count; i++) {
    const ast_graph_type *x = &a->items[i], *y = &b->items[i];
    if (!same_text(x->name.text, y->name.text) || !same_text(x->src.text, y->src.text) ||
        !same_text(x->dst.text, y->dst.text))
      return false;
  }
  return true;
}

static bool same_declaration(const ast_statement *a, const ast_statement *b) {
  switch (a->kind) {
  case AST_STATEMENT_graph:
    return same_text(a->graph.name.text, b->graph.name.text) &&
           same_graph_types(&a->graph.node_types, &b->graph.node_types) &&
           same_graph_types(&a->graph.edge_types, &b->graph.edge_types);
  case AST_STATEMENT_dim: return same_text(a->dim.name.text, b->dim.name.text) && same_expr(a->dim.value, b->dim.value);
  case AST_STATEMENT_input:
    return same_text(a->input.name.text, b->input.name.text) && same_text(a->input.from, b->input.from) &&
           same_text(a->input.node_type.text, b->input.node_type.text) && same_type(&a->input.type, &b->input.type) &&
           same_training(&a->input.training, &b->input.training);
  default:
    return same_text(a->weight.name.text, b->weight.name.text) && same_type(&a->weight.type, &b->weight.type) &&
           same_text(a->weight.from, b->weight.from) && a->weight.is_transposed == b->weight.is_transposed &&
           same_names(&a->weight.older, &b->weight.older) &&
           same_expr(a->weight.default_value, b->weight.default_value) &&
           same_training(&a->weight.training, &b->weight.training);
  }
}

static bool same_statement(const ast_statement *a, const ast_statement *b) {
  if (a->kind != b->kind) return false;
  switch (a->kind) {
  case AST_STATEMENT_graph:
  case AST_STATEMENT_dim:
  case AST_STATEMENT_input:
  case AST_STATEMENT_weight: return same_declaration(a, b);
  case AST_STATEMENT_let: return same_names(&a->let.names, &b->let.names) && same_expr(a->let.value, b->let.value);
  case AST_STATEMENT_assign:
    return a->assign.op == b->assign.op && same_expr(a->assign.target, b->assign.target) &&
           same_expr(a->assign.value, b->assign.value);
  case AST_STATEMENT_call: return same_expr(a->call, b->call);
  case AST_STATEMENT_for:
    return same_text(a->loop.variable.text, b->loop.variable.text) && same_expr(a->loop.domain, b->loop.domain) &&
           same_body(&a->loop.body, &b->loop.body);
  case AST_STATEMENT_repeat:
    return same_text(a->repeat.variable.text, b->repeat.variable.text) && same_expr(a->repeat.first, b->repeat.first) &&
           same_expr(a->repeat.last, b->repeat.last) && same_body(&a->repeat.body, &b->repeat.body);
  case AST_STATEMENT_if:
    if (!a->branch.otherwise != !b->branch.otherwise) return false;
    return same_expr(a->branch.condition, b->branch.condition) && same_body(&a->branch.body, &b->branch.body) &&
           (!a->branch.otherwise || same_statement(a->branch.otherwise, b->branch.otherwise));
  case AST_STATEMENT_output:
  case AST_STATEMENT_loss:
    return same_text(a->output.name.text, b->output.name.text) &&
           same_text(a->output.node_type.text, b->output.node_type.text) && same_expr(a->output.value, b->output.value);
  case AST_STATEMENT_return: return same_exprs(&a->values, &b->values);
  }
  return false;
}

static bool same_layer(const ast_layer *a, const ast_layer *b) {
  if (!same_text(a->name.text, b->name.text) || a->parameters.count != b->parameters.count) return false;
  for (size_t i = 0; i < a->parameters.count; i++) {
    const ast_parameter *x = &a->parameters.items[i], *y = &b->parameters.items[i];
    if (!same_text(x->name.text, y->name.text) || !same_text(x->field.text, y->field.text)) return false;
    if (x->is_inout != y->is_inout || !same_type(&x->type, &y->type)) return false;
    if (!same_expr(x->default_value, y->default_value)) return false;
  }
  return same_body(&a->body, &b->body);
}

bool ast_equal(const ast_file *a, const ast_file *b) {
  if (a->imports.count != b->imports.count || a->layers.count != b->layers.count || a->models.count != b->models.count)
    return false;
  for (size_t i = 0; i < a->imports.count; i++)
    if (!same_text(a->imports.items[i].path, b->imports.items[i].path)) return false;
  for (size_t i = 0; i < a->layers.count; i++)
    if (!same_layer(a->layers.items[i], b->layers.items[i])) return false;
  for (size_t i = 0; i < a->models.count; i++) {
    const ast_model *x = a->models.items[i], *y = b->models.items[i];
    if (!same_text(x->name.text, y->name.text) || !same_body(&x->body, &y->body)) return false;
  }
  return true;
}
