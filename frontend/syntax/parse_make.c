/* Builds the tree, one function per form of the grammar, and makes the checks that a grammar cannot
 * express: an assignment has a target, a callee is a name, and no expression is higher than
 * AST_MAX_HEIGHT. */
#include "frontend/syntax/parse_state.h"
#include "support/number.h"

#include <string.h>

/* Makes an expression over parts of the given height; returns NULL after one message when it is too
 * high. */
static ast_expr *make(parse_state *s, span where, ast_expr_kind kind, int64_t height) {
  if (height >= AST_MAX_HEIGHT) {
    if (s->high_phrase != s->phrase.begin + 1)
      parse_error(s, where, DIAG_syntax,
                  "this expression is more than %d operations deep: name a part of it with 'let'", AST_MAX_HEIGHT - 1);
    s->high_phrase = s->phrase.begin + 1;
    return NULL;
  }
  ast_expr *e = arena_alloc(s->arena, sizeof *e);
  e->kind = kind;
  e->height = (unsigned)height + 1;
  e->span = where;
  return e;
}

static int64_t highest(const ast_expr_list *list) {
  int64_t height = 0;
  for (size_t i = 0; i < list->count; i++) height = number_max(height, list->items[i]->height);
  return height;
}

ast_expr *parse_make_string(parse_state *s, parse_string string) {
  ast_expr *e = make(s, string.span, AST_EXPR_string, 0);
  e->string.text = string.text;
  return e;
}

ast_expr *parse_make_name(parse_state *s, ast_name name) {
  ast_expr *e = make(s, name.span, AST_EXPR_name, 0);
  e->name = name;
  return e;
}

ast_expr *parse_make_field(parse_state *s, span where, ast_expr *base, ast_name name) {
  ast_expr *e = make(s, where, AST_EXPR_field, base->height);
  if (!e) return base;
  e->field.base = base;
  e->field.name = name;
  return e;
}

ast_expr *parse_make_index(parse_state *s, span where, ast_expr *base, ast_expr_list subscripts) {
  const ast_expr *index = subscripts.items[0];
  if (subscripts.count == 1 && index->kind == AST_EXPR_string) {
    text t = {0};
    ast_print_expr(base, &t);
    parse_error(s, where, DIAG_syntax, "a field is written '%.60s.%.60s', not with '[\"...\"]'", text_str(&t),
                index->string.text);
    text_free(&t);
    return parse_make_field(s, where, base, (ast_name){index->string.text, index->span});
  }
  ast_expr *e = make(s, where, AST_EXPR_index, number_max(base->height, highest(&subscripts)));
  if (!e) return base;
  e->index.base = base;
  e->index.subscripts = subscripts;
  return e;
}

ast_expr *parse_make_range(parse_state *s, span where, ast_expr *first, ast_expr *last) {
  ast_expr *e = make(s, where, AST_EXPR_range, number_max(first ? first->height : 0, last ? last->height : 0));
  if (!e) return first ? first : last;
  e->range.first = first;
  e->range.last = last;
  return e;
}

ast_expr *parse_make_choice(parse_state *s, span where, ast_expr *condition, ast_expr *yes, ast_expr *no) {
  ast_expr *e = make(s, where, AST_EXPR_choice, number_max(condition->height, number_max(yes->height, no->height)));
  if (!e) return yes;
  e->choice.condition = condition;
  e->choice.yes = yes;
  e->choice.no = no;
  return e;
}

/* Reports a callee that is no name; common mistakes are `n.in_degree()` and `g.edges()`. */
static bool check_callee(parse_state *s, const ast_expr *callee, bool has_arguments) {
  if (callee->kind == AST_EXPR_name) return true;
  text t = {0};
  ast_print_expr(callee, &t);
  if (callee->kind == AST_EXPR_field && strcmp(callee->field.name.text, "from") == 0)
    parse_error(s, callee->field.name.span, DIAG_syntax,
                "the prefix of the weights follows the call: 'layer(...) from \"conv1\"'");
  else if (callee->kind == AST_EXPR_field && !has_arguments)
    parse_error(s, callee->span, DIAG_syntax, "'%.60s' is not a function: write it without '()'", text_str(&t));
  else if (callee->kind == AST_EXPR_field)
    parse_error(s, callee->span, DIAG_syntax, "'%.60s' is not a function: functions have plain names, as in '%s(x)'",
                text_str(&t), callee->field.name.text);
  else
    parse_error(s, callee->span, DIAG_syntax, "expected the name of a function or layer before '(', found '%.60s'",
                text_str(&t));
  text_free(&t);
  return false;
}

ast_expr *parse_make_call(parse_state *s, span where, ast_expr *callee, ast_argument_list arguments,
                          parse_string prefix) {
  if (!check_callee(s, callee, arguments.count > 0)) return callee;
  int64_t height = callee->height;
  for (size_t i = 0; i < arguments.count; i++) height = number_max(height, arguments.items[i].value->height);
  ast_expr *e = make(s, where, AST_EXPR_call, height);
  if (!e) return callee;
  e->call.callee = callee->name;
  e->call.arguments = arguments;
  e->call.prefix = prefix.text;
  e->call.prefix_span = prefix.span;
  return e;
}

ast_expr *parse_make_negate(parse_state *s, span where, ast_expr *operand) {
  ast_expr *e = make(s, where, AST_EXPR_unary, operand->height);
  if (!e) return operand;
  e->unary.op = AST_UNARY_negate;
  e->unary.operand = operand;
  return e;
}

ast_expr *parse_make_binary(parse_state *s, span where, ast_binary op, ast_expr *left, ast_expr *right) {
  ast_expr *e = make(s, where, AST_EXPR_binary, number_max(left->height, right->height));
  if (!e) return right;
  e->binary.op = op;
  e->binary.left = left;
  e->binary.right = right;
  return e;
}

void parse_check_by(parse_state *s, ast_name word) {
  if (strcmp(word.text, "by") != 0)
    parse_error(s, word.span, DIAG_syntax,
                "unexpected '%.40s'; an order is written 'by KEY': first(3, e in n.incoming by e.w: e.a)", word.text);
}

/* The one argument before the variable: 8 of first(8, e in ...); NULL where there is none. */
static ast_expr *only_argument(parse_state *s, const ast_argument_list *arguments) {
  if (!arguments->count) return NULL;
  const ast_argument *a = &arguments->items[0];
  if (arguments->count > 1 || a->name.text || a->is_inout)
    parse_error(
        s, arguments->items[arguments->count - 1].value->span, DIAG_syntax,
        "a reduction has at most one argument before its variable, without a name: first(3, e in n.incoming: e.a)");
  return a->value;
}

ast_expr *parse_make_reduce(parse_state *s, span where, ast_expr *reduction, ast_argument_list arguments,
                            ast_name variable, parse_members of) {
  if (reduction->kind != AST_EXPR_name) {
    parse_error(s, reduction->span, DIAG_syntax,
                "expected a reduction before '(%.40s in': sum, mean, max, min or a parameter", variable.text);
    return of.body;
  }
  ast_expr *argument = only_argument(s, &arguments);
  int64_t height = number_max(of.domain->height, of.body->height);
  if (argument) height = number_max(height, argument->height);
  if (of.key) height = number_max(height, of.key->height);
  for (size_t i = 0; i < of.states.count; i++) height = number_max(height, of.states.items[i].value->height);
  ast_expr *e = make(s, where, AST_EXPR_reduce, height);
  if (!e) return of.body;
  e->reduce.reduction = reduction->name;
  e->reduce.argument = argument;
  e->reduce.variable = variable;
  e->reduce.domain = of.domain;
  e->reduce.key = of.key;
  e->reduce.states = of.states;
  e->reduce.body = of.body;
  return e;
}

ast_expr *parse_make_list(parse_state *s, span where, ast_expr_list items) {
  ast_expr *e = make(s, where, AST_EXPR_list, highest(&items));
  if (!e) return items.items[0];
  e->list = items;
  return e;
}

ast_statement *parse_make_statement(parse_state *s, span where, ast_statement_kind kind) {
  ast_statement *statement = arena_alloc(s->arena, sizeof *statement);
  statement->kind = kind;
  statement->span = where;
  return statement;
}

/* Reports what training cannot do with a weight, or with an input. */
static void check_training(parse_state *s, const ast_training *t, bool is_weight) {
  if (t->pending.text)
    parse_error(s, t->pending.span, DIAG_syntax,
                "'init' is followed by an initialiser: init glorot, init uniform(0.1)");
  if (is_weight && t->is_trained)
    parse_error(s, t->word.span, DIAG_syntax, "every weight is trained unless it is 'frozen'; 'trained' is of inputs");
  if (!is_weight && t->is_frozen)
    parse_error(s, t->word.span, DIAG_syntax,
                "an input is never changed unless it is 'trained'; 'frozen' is of weights");
  if (!is_weight && t->init.text && !t->is_trained)
    parse_error(s, t->init.span, DIAG_syntax, "only an input that is 'trained' has an initialiser");
}

ast_statement *parse_make_weight(parse_state *s, span where, ast_name name, ast_type type, ast_name_list from,
                                 bool is_transposed) {
  ast_statement *statement = parse_make_statement(s, where, AST_STATEMENT_weight);
  statement->weight.name = name;
  statement->weight.type = type;
  if (from.count) {
    statement->weight.from = from.items[0].text;
    statement->weight.from_span = from.items[0].span;
  }
  for (size_t i = 1; i < from.count; i++) VEC_PUSH(s->arena, &statement->weight.older, from.items[i]);
  statement->weight.is_transposed = is_transposed;
  return statement;
}

void parse_end_weight(parse_state *s, ast_statement *weight, span where, ast_training training, ast_expr *value) {
  weight->span = where;
  weight->weight.training = training;
  weight->weight.default_value = value;
  check_training(s, &training, true);
}

ast_statement *parse_make_input(parse_state *s, span where, ast_name name, ast_type type, parse_string from,
                                ast_training training) {
  ast_statement *statement = parse_make_statement(s, where, AST_STATEMENT_input);
  statement->input.name = name;
  statement->input.type = type;
  statement->input.from = from.text;
  statement->input.from_span = from.span;
  statement->input.training = training;
  check_training(s, &training, false);
  return statement;
}

/* Reports a word that a declaration does not have, which may be the beginning of the next statement. */
static void unknown_word(parse_state *s, ast_name word) {
  const char *line = s->source->text + word.span.begin;
  while (line > s->source->text && (line[-1] == ' ' || line[-1] == '\t')) line--;
  bool is_first = line == s->source->text || line[-1] == '\n';
  if (is_first)
    parse_error(s, word.span, DIAG_syntax, "expected ';' before '%.40s'", word.text);
  else
    parse_error(
        s, word.span, DIAG_syntax,
        "unexpected '%.40s'; a declaration ends with 'init NAME', 'frozen' (of a weight), 'trained' (of an input) "
        "and ';'",
        word.text);
  s->mended_end = word.span.end;
}

void parse_add_training(parse_state *s, ast_training *training, ast_name word, ast_expr *argument) {
  bool is_init = !strcmp(word.text, "init"), is_frozen = !strcmp(word.text, "frozen");
  if (training->pending.text) {
    training->init = word;
    training->init_value = argument;
    training->pending = (ast_name){0};
    return;
  }
  if (argument || !(is_init || is_frozen || !strcmp(word.text, "trained"))) {
    unknown_word(s, word);
    return;
  }
  bool is_twice = is_init ? training->init.text != NULL : is_frozen ? training->is_frozen : training->is_trained;
  if (is_twice) parse_error(s, word.span, DIAG_syntax, "'%s' stands here twice", word.text);
  if (is_init) training->pending = word;
  if (is_frozen) training->is_frozen = true;
  if (!is_init && !is_frozen) training->is_trained = true;
  if (!is_init && !training->word.text) training->word = word;
}

ast_statement *parse_make_branch(parse_state *s, span where, ast_expr *condition, ast_statement_list body,
                                 ast_statement *otherwise) {
  ast_statement *statement = parse_make_statement(s, where, AST_STATEMENT_if);
  statement->branch.condition = condition;
  statement->branch.body = body;
  statement->branch.otherwise = otherwise;
  return statement;
}

ast_statement *parse_make_assign(parse_state *s, span where, ast_expr *target, ast_assign_op op, ast_expr *value) {
  if (target->kind != AST_EXPR_name && target->kind != AST_EXPR_field) {
    text t = {0};
    ast_print_expr(target, &t);
    parse_error(s, target->span, DIAG_syntax, "cannot assign to '%.60s': expected a name or a field such as 'n.h'",
                text_str(&t));
    text_free(&t);
    return NULL;
  }
  ast_statement *statement = parse_make_statement(s, where, AST_STATEMENT_assign);
  statement->assign.target = target;
  statement->assign.op = op;
  statement->assign.value = value;
  return statement;
}

ast_statement *parse_make_call_statement(parse_state *s, span where, ast_expr *call, bool is_recovering) {
  if (call->kind != AST_EXPR_call) {
    if (is_recovering || call->span.begin == s->junk_begin) return NULL;
    text t = {0};
    ast_print_expr(call, &t);
    parse_error(s, call->span, DIAG_syntax, "'%.60s' alone does nothing: expected an assignment or the call of a layer",
                text_str(&t));
    text_free(&t);
    return NULL;
  }
  ast_statement *statement = parse_make_statement(s, where, AST_STATEMENT_call);
  statement->call = call;
  return statement;
}

void parse_add_graph_types(parse_state *s, ast_statement *graph, ast_name which, ast_graph_type_list types) {
  ast_graph_type_list *list = strcmp(which.text, "nodes") == 0   ? &graph->graph.node_types
                              : strcmp(which.text, "edges") == 0 ? &graph->graph.edge_types
                                                                 : NULL;
  if (!list) {
    parse_error(s, which.span, DIAG_syntax, "expected 'nodes' or 'edges' with the names of the types, found '%.40s'",
                which.text);
    return;
  }
  for (size_t i = 0; i < types.count; i++) {
    const ast_graph_type *type = &types.items[i];
    if (type->src.text && list == &graph->graph.node_types)
      parse_error(s, span_join(type->src.span, type->dst.span), DIAG_syntax,
                  "a type of nodes has no ends: 'nodes %.40s;'", type->name.text);
    VEC_PUSH(s->arena, list, *type);
  }
}

void parse_add_layer(parse_state *s, span where, ast_name name, ast_parameter_list parameters,
                     ast_statement_list body) {
  ast_layer *layer = arena_alloc(s->arena, sizeof *layer);
  *layer = (ast_layer){.name = name, .span = where, .parameters = parameters, .body = body};
  VEC_PUSH(s->arena, &s->file->layers, layer);
}

void parse_add_model(parse_state *s, span where, ast_name name, ast_statement_list body) {
  ast_model *model = arena_alloc(s->arena, sizeof *model);
  *model = (ast_model){.name = name, .span = where, .body = body};
  VEC_PUSH(s->arena, &s->file->models, model);
}

void parse_push_statement(parse_state *s, ast_statement_list *list, ast_statement *statement) {
  if (statement) VEC_PUSH(s->arena, list, statement);
}
