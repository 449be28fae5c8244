/* Expands loops and assignments. Each statement of a loop body assigns the field over the whole
 * domain:
 *
 *   for n in g.nodes { n.z = n.x @ W; for e in n.incoming { n.y += e.a * e.src.z; } }
 *
 * computes z for all nodes, then y for all nodes. An assignment makes a new version of a field and
 * never changes an old one. */
#include "frontend/sema/sema_kinds.h"

#include <string.h>

/* ---- assignments of a body ---- */

/* Whether the statement assigns the field; accumulating: at a node, from a loop over edges (n.y or
 * e.dst.y, with +=).
 */
static bool assigns(const ast_statement *st, const char *field, bool only_accumulating, const char *edge_variable) {
  if (st->kind != AST_STATEMENT_assign || st->assign.target->kind != AST_EXPR_field) return false;
  const ast_expr *target = st->assign.target;
  if (strcmp(target->field.name.text, field) != 0) return false;
  if (!only_accumulating) return true;
  bool is_of_edge = target->field.base->kind == AST_EXPR_name && edge_variable &&
                    !strcmp(target->field.base->name.text, edge_variable);
  return st->assign.op == AST_ASSIGN_add && !is_of_edge;
}

static const ast_statement *find(const ast_statement_list *body, const char *field, bool only_accumulating,
                                 const char *edge_variable) {
  for (size_t i = 0; i < body->count; i++) {
    const ast_statement *st = body->items[i];
    const ast_statement *found = assigns(st, field, only_accumulating, edge_variable) ? st : NULL;
    if (st->kind == AST_STATEMENT_repeat) found = find(&st->repeat.body, field, only_accumulating, edge_variable);
    for (const ast_statement *b = st->kind == AST_STATEMENT_if ? st : NULL; b && !found; b = b->branch.otherwise)
      found = find(&b->branch.body, field, only_accumulating, edge_variable);
    if (st->kind == AST_STATEMENT_for && !only_accumulating) found = find(&st->loop.body, field, false, NULL);
    if (found) return found;
  }
  return NULL;
}

const ast_statement *sema_find_assignment(const ast_statement_list *body, const char *field,
                                          const sema_loop *accumulating) {
  return find(body, field, accumulating != NULL, accumulating ? accumulating->variable : NULL);
}

void sema_run_for(sema *s, const ast_statement *st) {
  sema_loop *loop = arena_alloc(s->arena, sizeof *loop);
  loop->body = &st->loop.body;
  bool is_good = sema_eval_domain(s, st->loop.domain, loop);
  sema_enter_loop(s, loop, st->loop.variable);
  if (!is_good) loop->graph = FLAT_NONE;
  sema_run_block(s, &st->loop.body);
  sema_leave_loop(s, loop);
}

/* ---- storing ---- */

static ast_binary operator_of(ast_assign_op op) {
  switch (op) {
  case AST_ASSIGN_subtract: return AST_BINARY_subtract;
  case AST_ASSIGN_multiply: return AST_BINARY_multiply;
  case AST_ASSIGN_divide: return AST_BINARY_divide;
  default: return AST_BINARY_add;
  }
}

/* A field as the target of an assignment. */
typedef struct place {
  const ast_expr *target;
  bool is_edge;
  const char *set;
  flat_id graph;
} place;

static bool is_property(const char *name) {
  static const char *const names[] = {"src",       "dst",        "type",     "etype",   "ntype",
                                      "in_degree", "out_degree", "incoming", "outgoing"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (!strcmp(names[i], name)) return true;
  return false;
}

static void set_field(sema *s, const place *p, sema_value v, size_t first) {
  const char *name = p->target->field.name.text;
  if (v.kind != SEMA_poison) {
    flat_id id = FLAT_NONE;
    if (sema_as_tensor(s, v, p->target, &id)) id = sema_spread(s, id, p->is_edge, p->graph, p->target->span);
    id = sema_part(s, id, p->set, p->target->span);
    v = sema_from_id(s, id);
  }
  if (v.kind == SEMA_tensor && p->set) {
    flat_type type = sema_type(s, v.id);
    bool is_fit =
        type.domain == (p->is_edge ? FLAT_DOMAIN_edge : FLAT_DOMAIN_node) && type.set && !strcmp(type.set, p->set);
    if (!is_fit) {
      sema_error(s, p->target->span, DIAG_domain_mismatch, "%s takes a value per %s of '%s', not %s%s%s",
                 sema_quote(s, p->target), p->is_edge ? "edge" : "node", p->set, sema_type_text(s, type),
                 type.set ? " of " : "", type.set ? type.set : "");
      v = sema_poisoned();
    }
  }
  sema_name_result(s, v, first, name);
  sema_warn_field(s, p->target, p->is_edge, p->set);
  sema_set_field(s, name, p->is_edge, p->set, v, p->target->span)->use =
      sema_track(s, p->target->span, name, "this value of %s", sema_quote(s, p->target));
}

static void assign_whole(sema *s, const ast_statement *st, const place *p) {
  size_t first = s->flat->values.count;
  sema_value v = {0};
  if (st->assign.op == AST_ASSIGN_set) {
    v = sema_eval(s, st->assign.value);
  } else {
    sema_value before = sema_eval(s, st->assign.target);
    sema_value change = sema_eval(s, st->assign.value);
    ast_expr e = {.kind = AST_EXPR_binary, .span = st->span};
    v = sema_eval_operator(s, &e, operator_of(st->assign.op), st->assign.target, before, st->assign.value, change);
  }
  flat_id id = FLAT_NONE;
  if (v.kind != SEMA_poison && !sema_as_tensor(s, v, st->assign.value, &id)) v = sema_poisoned();
  if (v.kind != SEMA_poison) v = sema_from_id(s, id);
  set_field(s, p, v, first);
}

/* Returns the value that y had before the sum that is added to it, SEMA_nothing when it had none. */
static sema_value value_before(sema *s, const place *p, const sema_loop *owner, span where) {
  const char *name = p->target->field.name.text;
  const sema_binding *newest = sema_newest_name(s, name, false, p->set, owner);
  if (newest) sema_mark(newest->use);
  if (newest && newest->value.kind == SEMA_by_type) return sema_read_by_type(s, newest->value, name, p->set, where);
  if (newest) return sema_from_id(s, sema_part(s, newest->value.id, p->set, where));
  const sema_field *field = sema_read_field(s, s->scope, name, false, p->set, where);
  return field ? field->value : (sema_value){.kind = SEMA_nothing, .id = FLAT_NONE};
}

/* Expands n.y += v over the edges of n, or e.dst.y += v over all edges: the sum of v at each node
 * is added to the previous value of y. `owner` is the loop over n. */
static void accumulate(sema *s, const ast_statement *st, const place *p, sema_end end, const sema_loop *owner) {
  size_t first = s->flat->values.count;
  const sema_loop *loop = s->scope->loop;
  flat_id value = FLAT_NONE;
  sema_value before = value_before(s, p, owner, st->span);
  if (!sema_eval_tensor(s, st->assign.value, &value) || loop->graph == FLAT_NONE) {
    set_field(s, p, sema_poisoned(), first);
    return;
  }
  value = sema_spread(s, value, true, loop->graph, st->span);
  flat_id sum = sema_aggregate(s, loop->graph, value, "sum", end == SEMA_END_dst ? "in" : "out", st->span);
  sema_value v = sema_from_id(s, sema_part(s, sum, p->set, st->span));
  if (before.kind != SEMA_nothing) {
    ast_expr e = {.kind = AST_EXPR_binary, .span = st->span};
    v = sema_eval_operator(s, &e, AST_BINARY_add, st->assign.target, before, st->assign.value, v);
  }
  set_field(s, p, v, first);
}

static void bad_target(sema *s, const ast_statement *st, const char *reason) {
  sema_error(s, st->assign.target->span, DIAG_assignment, "%s cannot be assigned%s", sema_quote(s, st->assign.target),
             reason);
  sema_eval(s, st->assign.value);
}

/* Assigns a field of a value for which an error was reported, both of nodes and of edges, so that
 * no reader reports it as missing. */
static void assign_to_poison(sema *s, const ast_statement *st) {
  const ast_expr *target = st->assign.target;
  sema_eval(s, st->assign.value);
  for (int is_edge = 0; is_edge < 2; is_edge++)
    sema_set_field(s, target->field.name.text, is_edge, NULL, sema_poisoned(), target->span);
}

/* Assigns a field in a loop: of the loop's own variable, or of a node at the loop's edges. */
static void assign_in_loop(sema *s, const ast_statement *st, sema_position at) {
  const sema_loop *loop = s->scope->loop;
  if (loop->is_unknown) {
    assign_to_poison(s, st);
    return;
  }
  bool is_edge = sema_position_is_edge(at);
  const char *edges = at.loop->graph == FLAT_NONE ? NULL : sema_type(s, at.loop->graph).set;
  place p = {st->assign.target, is_edge, is_edge ? edges : sema_node_set(s, edges), at.loop->graph};
  if (at.loop->part) p.set = at.loop->part;
  if (is_edge && loop->owner.loop && loop->owner.loop->part) {
    bad_target(s, st, ": only some edges have it; assign it in a loop over g.edges");
    return;
  }
  if (at.loop == loop && at.end == SEMA_END_self) {
    assign_whole(s, st, &p);
    return;
  }
  bool is_owner = loop->is_edge && loop->owner.loop == at.loop && loop->owner.end == at.end;
  bool is_end = at.loop == loop && at.end != SEMA_END_self;
  if (is_edge || (!is_owner && !is_end)) {
    bad_target(s, st, arena_printf(s->arena, " in the loop over '%s'", loop->variable));
    return;
  }
  if (st->assign.op != AST_ASSIGN_add) {
    sema_error(s, st->assign.target->span, DIAG_assignment,
               "%s is assigned once per edge, and edges have no order; only '+=' adds them up",
               sema_quote(s, st->assign.target));
    sema_note(s, st->span, "a mean or maximum over edges is written mean(e in n.incoming: ...) in a loop over nodes");
    sema_eval(s, st->assign.value);
    sema_set_field(s, p.target->field.name.text, false, p.set, sema_poisoned(), p.target->span);
    return;
  }
  accumulate(s, st, &p, is_owner ? loop->owner_end : at.end, is_owner && !at.end ? at.loop : NULL);
}

/* Assigns n.y = v after the loop over n. */
static void assign_after_loop(sema *s, const ast_statement *st) {
  const ast_expr *target = st->assign.target;
  const ast_expr *base = target->field.base;
  bool is_free = base->kind == AST_EXPR_name && !sema_find_name(s->scope, base->name.text);
  const sema_last_loop *last = is_free ? sema_map_get(&s->scope->last_loops, base->name.text) : NULL;
  if (last && last->is_unknown) {
    assign_to_poison(s, st);
    return;
  }
  if (!last || s->scope->loop) {
    sema_value v = sema_eval(s, base);
    if (v.kind == SEMA_poison)
      assign_to_poison(s, st);
    else
      bad_target(s, st, ": only fields of loop variables can");
    return;
  }
  place p = {target, last->is_edge, last->set, last->graph};
  if (!last->is_edge) p.set = sema_node_set(s, last->set);
  assign_whole(s, st, &p);
}

/* ---- names ---- */

static bool can_change(sema *s, const ast_expr *target, const sema_binding *binding) {
  bool is_variable = binding->kind == SEMA_BINDING_let || binding->kind == SEMA_BINDING_parameter ||
                     binding->kind == SEMA_BINDING_input;
  if (is_variable && binding->loop == s->scope->loop) return true;
  if (!is_variable)
    sema_error(s, target->span, DIAG_assignment, "'%s' is %s and cannot be assigned", binding->name,
               sema_binding_text(binding->kind));
  else
    sema_error(s, target->span, DIAG_assignment,
               "'%s' cannot be assigned in the loop over '%s'; assign a field, like %s.%s", binding->name,
               s->scope->loop->variable, s->scope->loop->variable, binding->name);
  sema_note(s, binding->declared, "'%s' is declared here as %s", binding->name, sema_binding_text(binding->kind));
  return false;
}

static bool is_value(sema_value v) {
  return v.kind == SEMA_tensor || v.kind == SEMA_number || v.kind == SEMA_size || v.kind == SEMA_by_type;
}

static bool is_same_sort(sema_value a, sema_value b) {
  if (a.kind == SEMA_poison || b.kind == SEMA_poison || a.kind == SEMA_none || b.kind == SEMA_none) return true;
  bool is_value_a = is_value(a), is_value_b = is_value(b);
  return is_value_a == is_value_b && (is_value_a || a.kind == b.kind);
}

static void assign_name(sema *s, const ast_statement *st) {
  const ast_expr *target = st->assign.target;
  size_t first = s->flat->values.count;
  sema_binding *binding = sema_find_name(s->scope, target->name.text);
  if (!binding || !can_change(s, target, binding)) {
    if (!binding) {
      sema_eval(s, target); /* reports, with a suggestion */
      sema_note(s, target->span, "a new value is declared with 'let %s = ...'", target->name.text);
    }
    sema_eval(s, st->assign.value);
    return;
  }
  sema_value v = sema_eval(s, st->assign.value);
  ast_expr e = {.kind = AST_EXPR_binary, .span = st->span};
  if (st->assign.op != AST_ASSIGN_set)
    v = sema_eval_operator(s, &e, operator_of(st->assign.op), target, sema_eval(s, target), st->assign.value, v);
  if (!is_same_sort(binding->value, v) || v.kind == SEMA_tuple || v.kind == SEMA_nothing) {
    sema_error(s, st->assign.value->span, DIAG_type_mismatch, "'%s' is %s, so it cannot become %s", binding->name,
               sema_describe(s, binding->value), sema_describe(s, v));
    sema_note(s, binding->declared, "'%s' is declared here", binding->name);
    v = sema_poisoned();
  }
  sema_name_result(s, v, first, target->name.text);
  binding->value = v;
  binding->stamp = ++s->clock;
  binding->use = sema_track(s, target->span, binding->name, "this value of '%s'", binding->name);
}

void sema_run_assign(sema *s, const ast_statement *st) {
  const ast_expr *target = st->assign.target;
  sema_position at = {0};
  if (target->kind == AST_EXPR_name) {
    assign_name(s, st);
    return;
  }
  if (target->kind != AST_EXPR_field) {
    bad_target(s, st, ": only names and fields can");
    return;
  }
  if (is_property(target->field.name.text)) {
    bad_target(s, st, ": it belongs to the graph");
    return;
  }
  if (sema_as_position(s, target->field.base, &at))
    assign_in_loop(s, st, at);
  else
    assign_after_loop(s, st);
}

void sema_store(sema *s, const ast_expr *target, sema_value v) {
  if (target->kind == AST_EXPR_name) {
    sema_binding *binding = sema_find_name(s->scope, target->name.text);
    if (!binding || !can_change(s, target, binding)) return;
    binding->value = v;
    binding->stamp = ++s->clock;
    binding->use = sema_track(s, target->span, binding->name, "what '%s' is changed to", binding->name);
    return;
  }
  const ast_expr *base = target->field.base;
  const sema_last_loop *last =
      base->kind == AST_EXPR_name ? sema_map_get(&s->scope->last_loops, base->name.text) : NULL;
  if (!last || last->is_unknown) return; /* reported when the argument was evaluated, or the loop entered */
  bool is_poison = v.kind != SEMA_tensor;
  const char *set = is_poison || last->is_edge ? last->set : sema_node_set(s, last->set);
  sema_warn_field(s, target, last->is_edge, set);
  sema_set_field(s, target->field.name.text, last->is_edge, set, v, target->span)->use =
      sema_track(s, target->span, target->field.name.text, "what %s is changed to", sema_quote(s, target));
}
