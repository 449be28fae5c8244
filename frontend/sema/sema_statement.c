/* Expands statements in order; the body of a repeat is expanded once per step. */
#include "frontend/sema/sema_kinds.h"
#include "frontend/sema/sema_reduce.h"

#include <inttypes.h>
#include <string.h>

/* ---- places of statements ---- */

static bool is_misplaced(sema *s, const ast_statement *st, const char *what, bool only_model, bool only_top) {
  const sema_scope *scope = s->scope;
  if (only_model && scope->layer)
    sema_error(s, st->span, DIAG_misplaced, "%s belongs to a model, not to layer '%s'", what, scope->name);
  else if (scope->loop)
    sema_error(s, st->span, DIAG_misplaced, "%s stands outside of loops, not in the loop over '%s'", what,
               scope->loop->variable);
  else if (only_top && scope->block_depth)
    sema_error(s, st->span, DIAG_misplaced, "%s cannot be repeated", what);
  else
    return false;
  return true;
}

/* ---- declarations ---- */

/* Binds the number of types of a graph that names them. Its file may have fewer types, but not
 * more. */
static void count_types(sema *s, const ast_statement *st, const ast_graph_type_list *types, bool is_edge) {
  if (!types->count) return;
  const char *kind = is_edge ? "edge" : "node";
  const char *plural = types->count == 1 ? "" : "s";
  int64_t of_file = is_edge ? s->env->num_edge_types : s->env->num_node_types;
  const char *reason =
      arena_printf(s->arena, "graph '%s' declares %zu %s type%s", st->graph.name.text, types->count, kind, plural);
  if (of_file > (int64_t)types->count)
    sema_error(s, types->items[0].name.span, DIAG_graph_mismatch, "%s, but %s has %" PRId64, reason, s->env->graph_file,
               of_file);
  dim declared = dim_constant(s->dims, (int64_t)types->count);
  sema_unify(s, is_edge ? s->etype_count : s->ntype_count, declared, types->items[0].name.span, reason);
}

/* Notes how many types the graph declares. */
static void add_count(sema *s, flat_id graph, const char *name, const ast_graph_type_list *types) {
  if (graph != FLAT_NONE && types->count) sema_add_integer(s, graph, name, (int64_t)types->count);
}

/* Returns the number of nodes of one type, a symbol where no graph gives it. */
static dim count_nodes(sema *s, const ast_statement *st, size_t type) {
  const sema_environment *env = s->env;
  if (env->count_nodes) return dim_constant(s->dims, env->count_nodes(env->user, type));
  const ast_name *name = &st->graph.node_types.items[type].name;
  return dim_new_symbol(s->dims, name->text, name->span);
}

static void run_graph(sema *s, const ast_statement *st) {
  if (is_misplaced(s, st, "a graph", true, true)) return;
  if (s->scope->has_graph) {
    sema_error(s, st->span, DIAG_unsupported, "a model has one graph for now; '%s' is the second", st->graph.name.text);
    sema_declare(s, st->graph.name, SEMA_BINDING_graph, sema_poisoned());
    return;
  }
  s->scope->has_graph = true;
  s->graph_set = st->graph.name.text;
  count_types(s, st, &st->graph.node_types, false);
  count_types(s, st, &st->graph.edge_types, true);
  sema_check_ends(s, st);
  flat_id id = sema_add(s, FLAT_graph, (flat_type){.domain = FLAT_DOMAIN_graph, .set = st->graph.name.text},
                        st->graph.name.span, NULL, 0);
  add_count(s, id, "node_types", &st->graph.node_types);
  add_count(s, id, "edge_types", &st->graph.edge_types);
  sema_add_ends(s, id, st);
  const sema_binding *binding = sema_declare(s, st->graph.name, SEMA_BINDING_graph, sema_from_id(s, id));
  s->graph = id;
  s->graph_statement = st;
  s->part_rows = arena_alloc_array(s->arena, st->graph.node_types.count + 1, sizeof *s->part_rows);
  for (size_t i = 0; i < st->graph.node_types.count; i++) s->part_rows[i] = count_nodes(s, st, i);
  sema_name_result(s, binding->value, id, st->graph.name.text);
}

static void run_dim(sema *s, const ast_statement *st) {
  if (is_misplaced(s, st, "a dimension", false, false)) return;
  dim d = sema_new_dim(s, st->dim.name);
  dim value = st->dim.value ? sema_eval_size(s, st->dim.value) : NULL;
  if (st->dim.value && !value) d = NULL;
  const sema_dim_option *option = value && !s->scope->layer ? sema_find_dim_option(s, st->dim.name.text) : NULL;
  int64_t fixed = 0;
  if (option && dim_value(s->dims, value, &fixed) && fixed != option->value) {
    sema_error(s, st->span, DIAG_shape_mismatch, "--dim %s=%lld cannot change '%s', which the model fixes to %lld",
               option->name, (long long)option->value, option->name, (long long)fixed);
    sema_note(s, st->span, "'dim %s;' without a value takes it from --dim", option->name);
    d = NULL;
  } else if (value &&
             !sema_unify(s, d, value, st->span, arena_printf(s->arena, "'dim %s' says so", st->dim.name.text))) {
    sema_error(s, st->span, DIAG_shape_mismatch, "'%s' is %s, but %s is given here", st->dim.name.text,
               sema_dim_text(s, d), sema_dim_text(s, value));
    sema_note_sizes(s, d, value);
  }
  sema_declare(s, st->dim.name, SEMA_BINDING_dim,
               d ? (sema_value){.kind = SEMA_size, .id = FLAT_NONE, .size = d} : sema_poisoned());
}

static void run_let(sema *s, const ast_statement *st) {
  const ast_name_list *names = &st->let.names;
  size_t first = s->flat->values.count;
  sema_value v = sema_eval(s, st->let.value);
  bool is_tuple = v.kind == SEMA_tuple && v.count == names->count;
  bool is_single = names->count == 1 && v.kind != SEMA_tuple && v.kind != SEMA_nothing;
  if (!is_tuple && !is_single && v.kind != SEMA_poison) {
    if (v.kind == SEMA_nothing)
      sema_error(s, st->let.value->span, DIAG_type_mismatch, "%s returns nothing, so there is nothing to name",
                 sema_quote(s, st->let.value));
    else
      sema_error(s, st->span, DIAG_arity, "%zu name%s for %zu value%s of %s", names->count,
                 names->count == 1 ? "" : "s", v.kind == SEMA_tuple ? v.count : 1,
                 v.kind == SEMA_tuple && v.count != 1 ? "s" : "", sema_quote(s, st->let.value));
    v = sema_poisoned();
  }
  for (size_t i = 0; i < names->count; i++) {
    sema_value item = v.kind == SEMA_tuple ? v.items[i] : v;
    sema_name_result(s, item, first, names->items[i].text);
    sema_binding *binding = sema_declare(s, names->items[i], SEMA_BINDING_let, item);
    binding->use = sema_track(s, binding->declared, binding->name, "value '%s'", binding->name);
    sema_warn_let(s, binding);
  }
}

/* ---- repeat ---- */

static void run_step(sema *s, const ast_statement *st, sema_value index) {
  size_t mark = sema_open_block(s->scope);
  sema_declare(s, st->repeat.variable, SEMA_BINDING_index, index);
  s->scope->block_depth++;
  sema_run_block(s, &st->repeat.body);
  s->scope->block_depth--;
  sema_close_block(s->scope, mark);
}

/* Once with an unknown index, to check the body, where the steps are not known. */
static void run_repeat(sema *s, const ast_statement *st) {
  sema_members m;
  if (!sema_eval_members(s, st->repeat.first, st->repeat.last, &m)) {
    run_step(s, st, sema_poisoned());
    return;
  }
  if (!m.count) sema_mark_visible(s->scope);
  for (int64_t i = 0; i < m.count && sema_step(s, st->span); i++) run_step(s, st, sema_member(s, &m, i));
}

/* ---- outputs ---- */

static bool is_twice(sema *s, const char *name, span where) {
  const flat_output *loss = &s->flat->loss;
  if (loss->name && !strcmp(loss->name, name)) {
    sema_error(s, where, DIAG_redefinition, "'%s' is already the loss", name);
    sema_note(s, loss->span, "it is declared here");
    return true;
  }
  for (size_t i = 0; i < s->flat->outputs.count; i++) {
    if (strcmp(s->flat->outputs.items[i].name, name) != 0) continue;
    sema_error(s, where, DIAG_redefinition, "output '%s' is already declared", name);
    sema_note(s, s->flat->outputs.items[i].span, "it is declared here");
    return true;
  }
  return false;
}

/* Evaluates `output y.paper`: the rows of that type. */
static bool eval_typed_output(sema *s, const ast_statement *st, flat_id *id) {
  const char *part = NULL;
  sema_value v = sema_eval(s, st->output.value);
  if (!sema_find_part(s, st->output.node_type, &part) || v.kind == SEMA_poison) return false;
  if (v.kind == SEMA_by_type) v = sema_read_by_type(s, v, st->output.name.text, part, st->output.value->span);
  if (!sema_as_tensor(s, v, st->output.value, id)) return false;
  flat_type type = sema_type(s, *id);
  if (type.domain == FLAT_DOMAIN_node && (!sema_is_part(type.set) || !strcmp(type.set, part))) {
    *id = sema_part(s, *id, part, st->output.value->span);
    return true;
  }
  sema_error(s, st->output.value->span, DIAG_domain_mismatch, "output '%s.%s' takes a value per node, but %s is %s",
             st->output.name.text, st->output.node_type.text, sema_quote(s, st->output.value),
             type.domain == FLAT_DOMAIN_node ? sema_rows_text(s, type) : sema_describe(s, v));
  return false;
}

/* Outputs have a row per node, edge or graph of the caller's graph: the caller makes room for
 * them. */
static bool can_leave(sema *s, const ast_statement *st, flat_type type) {
  const char *name = st->output.name.text;
  if (type.domain == FLAT_DOMAIN_etype || type.domain == FLAT_DOMAIN_ntype) {
    sema_error(s, st->output.value->span, DIAG_unsupported,
               "output '%s' is %s; outputs are per node, per edge, per graph or plain tensors", name,
               sema_type_text(s, type));
    return false;
  }
  if (type.domain == FLAT_DOMAIN_node && sema_is_part(type.set)) {
    sema_error(s, st->output.value->span, DIAG_unsupported,
               "output '%s' is %s; write 'output %s.%s = ...', or assign it to a field, which has all nodes", name,
               sema_rows_text(s, type), name, sema_part_name(s, type.set));
    return false;
  }
  if (type.domain == FLAT_DOMAIN_edge && strchr(type.set, '.')) {
    sema_error(s, st->output.value->span, DIAG_unsupported,
               "output '%s' has a value for every edge of a graph %s; an edge output has one per edge of "
               "the graph that is given",
               name,
               sema_is_run_set(type.set)           ? "that is made while the model runs"
               : sema_relation_type(type.set) >= 0 ? "of one relation"
               : sema_is_union(type.set)           ? "that is a union"
                                                   : "with new self loops");
    return false;
  }
  return true;
}

static void run_output(sema *s, const ast_statement *st) {
  if (is_misplaced(s, st, "an output", true, true)) return;
  size_t first = s->flat->values.count;
  flat_id id = FLAT_NONE;
  const char *type = st->output.node_type.text, *name = st->output.name.text;
  bool is_good = type ? eval_typed_output(s, st, &id) : sema_eval_tensor(s, st->output.value, &id);
  if (type) name = arena_printf(s->arena, "%s.%s", name, type);
  if (is_twice(s, name, st->output.name.span)) return;
  is_good = is_good && (type || can_leave(s, st, sema_type(s, id)));
  if (is_good) sema_name_result(s, sema_from_id(s, id), first, name);
  VEC_PUSH(s->arena, &s->flat->outputs, (flat_output){name, is_good ? id : FLAT_NONE, st->output.name.span});
}

static void run_loss(sema *s, const ast_statement *st) {
  if (is_misplaced(s, st, "a loss", true, true)) return;
  size_t first = s->flat->values.count;
  flat_id id = FLAT_NONE;
  const ast_name *name = &st->output.name;
  bool is_good = sema_eval_tensor(s, st->output.value, &id);
  if (s->flat->loss.name) {
    sema_error(s, name->span, DIAG_redefinition, "a model has one loss; '%s' is the second", name->text);
    sema_note(s, s->flat->loss.span, "'%s' is the first", s->flat->loss.name);
    return;
  }
  if (is_twice(s, name->text, name->span)) return;
  flat_type type = sema_type(s, id);
  if (is_good && (type.domain != FLAT_DOMAIN_plain || type.rank)) {
    sema_error(s, st->output.value->span, DIAG_loss_shape,
               "loss '%s' is %s, but a loss is one number; sum_all(x) adds up all elements of x", name->text,
               sema_type_text(s, type));
    sema_note_operand(s, st->output.value);
    is_good = false;
  }
  if (is_good) sema_name_result(s, sema_from_id(s, id), first, name->text);
  s->flat->loss = (flat_output){name->text, is_good ? id : FLAT_NONE, name->span};
}

static void run_return(sema *s, const ast_statement *st) {
  const ast_expr_list *values = &st->values;
  if (!s->scope->layer) {
    sema_error(s, st->span, DIAG_misplaced, "a model returns nothing; write 'output name = value'");
    return;
  }
  if (is_misplaced(s, st, "'return'", false, true)) return;
  sema_value *items = arena_alloc_array(s->arena, values->count, sizeof *items);
  for (size_t i = 0; i < values->count; i++) {
    items[i] = sema_eval(s, values->items[i]);
    bool is_value = items[i].kind != SEMA_nothing && items[i].kind != SEMA_tuple;
    if (is_value) continue;
    sema_error(s, values->items[i]->span, DIAG_type_mismatch, "%s is %s and cannot be returned as one value",
               sema_quote(s, values->items[i]), sema_describe(s, items[i]));
    items[i] = sema_poisoned();
  }
  s->scope->has_returned = true;
  s->scope->result = values->count == 1
                         ? items[0]
                         : (sema_value){.kind = SEMA_tuple, .id = FLAT_NONE, .items = items, .count = values->count};
}

static void run_call(sema *s, const ast_statement *st) {
  const ast_expr *call = st->call;
  if (s->scope->loop) {
    sema_error(s, st->span, DIAG_misplaced, "a call on its own stands outside of the loop over '%s'",
               s->scope->loop->variable);
    return;
  }
  sema_value v = sema_eval(s, call);
  if (v.kind == SEMA_nothing || v.kind == SEMA_poison) return;
  for (size_t i = 0; i < call->call.arguments.count; i++)
    if (call->call.arguments.items[i].is_inout) return;
  sema_error(s, st->span, DIAG_unused_value, "the result of '%s' is not used", call->call.callee.text);
}

/* ---- dispatch ---- */

void sema_run_statement(sema *s, const ast_statement *st) {
  switch (st->kind) {
  case AST_STATEMENT_graph: run_graph(s, st); break;
  case AST_STATEMENT_dim: run_dim(s, st); break;
  case AST_STATEMENT_input:
    if (!is_misplaced(s, st, "an input", true, true)) sema_run_input(s, st);
    break;
  case AST_STATEMENT_weight:
    if (!is_misplaced(s, st, "a weight", false, false)) sema_run_weight(s, st);
    break;
  case AST_STATEMENT_let: run_let(s, st); break;
  case AST_STATEMENT_assign: sema_run_assign(s, st); break;
  case AST_STATEMENT_call: run_call(s, st); break;
  case AST_STATEMENT_for: sema_run_for(s, st); break;
  case AST_STATEMENT_repeat: run_repeat(s, st); break;
  case AST_STATEMENT_if: sema_run_if(s, st); break;
  case AST_STATEMENT_output: run_output(s, st); break;
  case AST_STATEMENT_loss: run_loss(s, st); break;
  case AST_STATEMENT_return: run_return(s, st); break;
  }
}

void sema_run_block(sema *s, const ast_statement_list *body) {
  for (size_t i = 0; i < body->count; i++) {
    const ast_statement *st = body->items[i];
    if (!sema_step(s, st->span)) break;
    if (s->scope->is_left) return;
    bool is_late = s->scope->has_returned;
    if (is_late)
      sema_error(s, st->span, DIAG_misplaced, "nothing comes after 'return'");
    else
      sema_run_statement(s, st);
    sema_report_failures(s);
    sema_flush(s);
    if (is_late) break;
  }
}
