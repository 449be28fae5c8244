/* Writes the tree as JSON, for tools that read models without a parser of their own
 * (--emit=ast=json):
 *
 *   {"file": {"imports": [...], "layers": [...], "models": [...]}}
 *
 * Each node is an object with "kind", "line", "column" and the fields of ast.h under their names;
 * absent fields and comments are omitted. Layers are those of all files of the program, each with
 * "library": true or false. */
#include "frontend/syntax/ast.h"

#include <jansson.h>

#include <stdlib.h>

/* Every node needs the line of an offset, so the last result is cached. */
typedef struct writer {
  const source *source;
  uint32_t offset, line, line_begin;
} writer;

static void set(json_t *object, const char *key, json_t *value) {
  json_object_set_new(object, key, value);
}

static void set_text(json_t *object, const char *key, const char *s) {
  if (s) set(object, key, json_string(s));
}

static void set_place(writer *w, json_t *object, span where) {
  if (!where.source) return;
  if (w->source != where.source || where.begin < w->line_begin) {
    source_position at = source_find(where.source, where.begin);
    *w = (writer){where.source, where.begin, at.line, where.begin - (at.column - 1)};
  }
  for (; w->offset < where.begin; w->offset++) {
    if (where.source->text[w->offset] != '\n') continue;
    w->line++;
    w->line_begin = w->offset + 1;
  }
  if (w->offset > where.begin) w->offset = where.begin;
  set(object, "line", json_integer(w->line));
  set(object, "column", json_integer(where.begin - w->line_begin + 1));
}

static json_t *new_node(writer *w, const char *kind, span where) {
  json_t *node = json_object();
  if (kind) set_text(node, "kind", kind);
  set_place(w, node, where);
  return node;
}

static json_t *names_json(const ast_name_list *names) {
  json_t *array = json_array();
  for (size_t i = 0; i < names->count; i++) json_array_append_new(array, json_string(names->items[i].text));
  return array;
}

static json_t *graph_types_json(const ast_graph_type_list *types) {
  json_t *array = json_array();
  for (size_t i = 0; i < types->count; i++) json_array_append_new(array, json_string(types->items[i].name.text));
  return array;
}

/* Of each type of edges [source, destination], or null. */
static json_t *ends_json(const ast_graph_type_list *types) {
  json_t *array = json_array();
  for (size_t i = 0; i < types->count; i++) {
    const ast_graph_type *type = &types->items[i];
    json_array_append_new(array, type->src.text ? json_pack("[ss]", type->src.text, type->dst.text) : json_null());
  }
  return array;
}

static json_t *expr_json(writer *w, const ast_expr *e);

static json_t *exprs_json(writer *w, const ast_expr_list *list) {
  json_t *array = json_array();
  for (size_t i = 0; i < list->count; i++) json_array_append_new(array, expr_json(w, list->items[i]));
  return array;
}

static json_t *arguments_json(writer *w, const ast_argument_list *list) {
  json_t *arguments = json_array();
  for (size_t i = 0; i < list->count; i++) {
    const ast_argument *argument = &list->items[i];
    json_t *item = json_object();
    set_text(item, "name", argument->name.text);
    set(item, "is_inout", json_boolean(argument->is_inout));
    set(item, "value", expr_json(w, argument->value));
    json_array_append_new(arguments, item);
  }
  return arguments;
}

static void set_call(writer *w, json_t *node, const ast_expr *e) {
  set_text(node, "callee", e->call.callee.text);
  set(node, "arguments", arguments_json(w, &e->call.arguments));
  set_text(node, "prefix", e->call.prefix);
}

static json_t *expr_json(writer *w, const ast_expr *e) {
  static const char *const kinds[] = {
      [AST_EXPR_number] = "number", [AST_EXPR_string] = "string", [AST_EXPR_name] = "name",
      [AST_EXPR_field] = "field",   [AST_EXPR_index] = "index",   [AST_EXPR_call] = "call",
      [AST_EXPR_unary] = "unary",   [AST_EXPR_binary] = "binary", [AST_EXPR_reduce] = "reduce",
      [AST_EXPR_list] = "list",     [AST_EXPR_choice] = "choice", [AST_EXPR_range] = "range",
  };
  json_t *node = new_node(w, kinds[e->kind], e->span);
  switch (e->kind) {
  case AST_EXPR_number:
    set(node, "value", e->number.is_integer ? json_integer((json_int_t)e->number.value) : json_real(e->number.value));
    set(node, "is_integer", json_boolean(e->number.is_integer));
    set_text(node, "text", e->number.text);
    break;
  case AST_EXPR_string: set_text(node, "text", e->string.text); break;
  case AST_EXPR_name: set_text(node, "name", e->name.text); break;
  case AST_EXPR_field:
    set(node, "base", expr_json(w, e->field.base));
    set_text(node, "name", e->field.name.text);
    break;
  case AST_EXPR_index:
    set(node, "base", expr_json(w, e->index.base));
    set(node, "subscripts", exprs_json(w, &e->index.subscripts));
    break;
  case AST_EXPR_call: set_call(w, node, e); break;
  case AST_EXPR_unary:
    set_text(node, "op", "-");
    set(node, "operand", expr_json(w, e->unary.operand));
    break;
  case AST_EXPR_binary:
    set_text(node, "op", ast_binary_text(e->binary.op));
    set(node, "left", expr_json(w, e->binary.left));
    set(node, "right", expr_json(w, e->binary.right));
    break;
  case AST_EXPR_reduce:
    set_text(node, "reduction", e->reduce.reduction.text);
    if (e->reduce.argument) set(node, "argument", expr_json(w, e->reduce.argument));
    set_text(node, "variable", e->reduce.variable.text);
    set(node, "domain", expr_json(w, e->reduce.domain));
    if (e->reduce.key) set(node, "key", expr_json(w, e->reduce.key));
    if (e->reduce.states.count) set(node, "states", arguments_json(w, &e->reduce.states));
    set(node, "body", expr_json(w, e->reduce.body));
    break;
  case AST_EXPR_list: set(node, "list", exprs_json(w, &e->list)); break;
  case AST_EXPR_choice:
    set(node, "condition", expr_json(w, e->choice.condition));
    set(node, "yes", expr_json(w, e->choice.yes));
    set(node, "no", expr_json(w, e->choice.no));
    break;
  case AST_EXPR_range:
    if (e->range.first) set(node, "first", expr_json(w, e->range.first));
    if (e->range.last) set(node, "last", expr_json(w, e->range.last));
    break;
  }
  return node;
}

static void set_type(writer *w, json_t *object, const ast_type *type) {
  static const char *const kinds[] = {
      [AST_TYPE_tensor] = "tensor",       [AST_TYPE_node] = "node",   [AST_TYPE_edge] = "edge",
      [AST_TYPE_etype] = "etype",         [AST_TYPE_ntype] = "ntype", [AST_TYPE_pergraph] = "pergraph",
      [AST_TYPE_graph] = "graph",         [AST_TYPE_dim] = "dim",     [AST_TYPE_function] = "function",
      [AST_TYPE_reduction] = "reduction",
  };
  if (type->kind == AST_TYPE_none) return;
  json_t *node = new_node(w, kinds[type->kind], type->span);
  if (type->is_integer) set_text(node, "element", "i32");
  set(node, "dims", exprs_json(w, &type->dims));
  set(object, "type", node);
}

static void set_training(writer *w, json_t *node, const ast_training *training) {
  if (training->is_trained) set(node, "is_trained", json_true());
  if (training->is_frozen) set(node, "is_frozen", json_true());
  if (training->init.text) set_text(node, "init", training->init.text);
  if (training->init_value) set(node, "init_value", expr_json(w, training->init_value));
}

static json_t *body_json(writer *w, const ast_statement_list *body);

static void set_declaration(writer *w, json_t *node, const ast_statement *st) {
  switch (st->kind) {
  case AST_STATEMENT_graph:
    set_text(node, "name", st->graph.name.text);
    set(node, "node_types", graph_types_json(&st->graph.node_types));
    set(node, "edge_types", graph_types_json(&st->graph.edge_types));
    set(node, "edge_ends", ends_json(&st->graph.edge_types));
    break;
  case AST_STATEMENT_dim:
    set_text(node, "name", st->dim.name.text);
    if (st->dim.value) set(node, "value", expr_json(w, st->dim.value));
    break;
  case AST_STATEMENT_input:
    set_text(node, "name", st->input.name.text);
    set_text(node, "node_type", st->input.node_type.text);
    set_type(w, node, &st->input.type);
    set_text(node, "from", st->input.from);
    set_training(w, node, &st->input.training);
    break;
  default:
    set_text(node, "name", st->weight.name.text);
    set_type(w, node, &st->weight.type);
    set_text(node, "from", st->weight.from);
    set(node, "is_transposed", json_boolean(st->weight.is_transposed));
    if (st->weight.older.count) set(node, "older", names_json(&st->weight.older));
    set_training(w, node, &st->weight.training);
    if (st->weight.default_value) set(node, "default_value", expr_json(w, st->weight.default_value));
    break;
  }
}

static json_t *statement_json(writer *w, const ast_statement *st);

static void set_action(writer *w, json_t *node, const ast_statement *st) {
  switch (st->kind) {
  case AST_STATEMENT_let:
    set(node, "names", names_json(&st->let.names));
    set(node, "value", expr_json(w, st->let.value));
    break;
  case AST_STATEMENT_assign:
    set(node, "target", expr_json(w, st->assign.target));
    set_text(node, "op", ast_assign_text(st->assign.op));
    set(node, "value", expr_json(w, st->assign.value));
    break;
  case AST_STATEMENT_call: set(node, "call", expr_json(w, st->call)); break;
  case AST_STATEMENT_for:
    set_text(node, "variable", st->loop.variable.text);
    set(node, "domain", expr_json(w, st->loop.domain));
    set(node, "body", body_json(w, &st->loop.body));
    break;
  case AST_STATEMENT_repeat:
    set_text(node, "variable", st->repeat.variable.text);
    set(node, "first", expr_json(w, st->repeat.first));
    if (st->repeat.last) set(node, "last", expr_json(w, st->repeat.last));
    set(node, "body", body_json(w, &st->repeat.body));
    break;
  case AST_STATEMENT_if:
    if (st->branch.condition) set(node, "condition", expr_json(w, st->branch.condition));
    set(node, "body", body_json(w, &st->branch.body));
    if (st->branch.otherwise) set(node, "otherwise", statement_json(w, st->branch.otherwise));
    break;
  case AST_STATEMENT_output:
    set_text(node, "name", st->output.name.text);
    set_text(node, "node_type", st->output.node_type.text);
    set(node, "value", expr_json(w, st->output.value));
    break;
  case AST_STATEMENT_loss:
    set_text(node, "name", st->output.name.text);
    set(node, "value", expr_json(w, st->output.value));
    break;
  default: set(node, "values", exprs_json(w, &st->values)); break;
  }
}

static json_t *statement_json(writer *w, const ast_statement *st) {
  static const char *const kinds[] = {
      [AST_STATEMENT_graph] = "graph",   [AST_STATEMENT_dim] = "dim",       [AST_STATEMENT_input] = "input",
      [AST_STATEMENT_weight] = "weight", [AST_STATEMENT_let] = "let",       [AST_STATEMENT_assign] = "assign",
      [AST_STATEMENT_call] = "call",     [AST_STATEMENT_for] = "for",       [AST_STATEMENT_repeat] = "repeat",
      [AST_STATEMENT_if] = "if",         [AST_STATEMENT_output] = "output", [AST_STATEMENT_loss] = "loss",
      [AST_STATEMENT_return] = "return",
  };
  json_t *node = new_node(w, kinds[st->kind], st->span);
  if (st->kind <= AST_STATEMENT_weight)
    set_declaration(w, node, st);
  else
    set_action(w, node, st);
  return node;
}

static json_t *body_json(writer *w, const ast_statement_list *body) {
  json_t *array = json_array();
  for (size_t i = 0; i < body->count; i++) json_array_append_new(array, statement_json(w, body->items[i]));
  return array;
}

static json_t *layer_json(writer *w, const ast_layer *layer) {
  json_t *node = new_node(w, "layer", layer->span);
  set_text(node, "name", layer->name.text);
  json_t *parameters = json_array();
  for (size_t i = 0; i < layer->parameters.count; i++) {
    const ast_parameter *parameter = &layer->parameters.items[i];
    json_t *item = new_node(w, NULL, parameter->name.span);
    set_text(item, "name", parameter->name.text);
    set_text(item, "field", parameter->field.text);
    set(item, "is_inout", json_boolean(parameter->is_inout));
    set_type(w, item, &parameter->type);
    if (parameter->default_value) set(item, "default_value", expr_json(w, parameter->default_value));
    json_array_append_new(parameters, item);
  }
  set(node, "parameters", parameters);
  set(node, "body", body_json(w, &layer->body));
  set(node, "library", json_boolean(layer->is_library));
  return node;
}

char *ast_json(arena *a, const ast_program *p) {
  writer w = {0};
  json_t *imports = json_array(), *layers = json_array(), *models = json_array();
  for (size_t i = 0; i < p->main->imports.count; i++) {
    json_t *node = new_node(&w, "import", p->main->imports.items[i].span);
    set_text(node, "path", p->main->imports.items[i].path);
    json_array_append_new(imports, node);
  }
  for (size_t i = 0; i < p->files.count; i++)
    for (size_t k = 0; k < p->files.items[i]->layers.count; k++)
      json_array_append_new(layers, layer_json(&w, p->files.items[i]->layers.items[k]));
  for (size_t i = 0; i < p->main->models.count; i++) {
    const ast_model *model = p->main->models.items[i];
    json_t *node = new_node(&w, "model", model->span);
    set_text(node, "name", model->name.text);
    set(node, "body", body_json(&w, &model->body));
    json_array_append_new(models, node);
  }
  json_t *root = json_pack("{s:{s:o,s:o,s:o}}", "file", "imports", imports, "layers", layers, "models", models);
  char *dumped = json_dumps(root, JSON_INDENT(1) | JSON_REAL_PRECISION(17));
  char *result = arena_strdup(a, dumped ? dumped : "");
  free(dumped);
  json_decref(root);
  return result;
}
