/* Fields: n.z, e.a, e.src.z in loops, n.z after the last loop over n, degrees, and names seen per
 * node or edge (n.x for an input x).
 *
 * e.reverse.w is the value of the edge in the opposite direction.
 *
 * Each assignment makes a new version of the field over the whole domain; a read gives the latest
 * version. */
#include "frontend/sema/sema_kinds.h"
#include "frontend/sema/sema_reduce.h"

#include <string.h>

typedef VEC(const char *) name_list;

/* A place to read from, in a loop or after it. */
typedef struct reader {
  const ast_expr *e;
  const char *variable; /* as messages name it: "n", "e.src" */
  bool is_edge;
  const char *set; /* node set or edge set; NULL = any */
  flat_id graph;
  const sema_loop *loop; /* the loop of the variable itself; NULL at its ends and after it */
  bool is_reversed;      /* the graph is */
} reader;

static const char *domain_text(bool is_edge) {
  return is_edge ? "edge" : "node";
}

/* ---- errors: no such field ---- */

static sema_value wrong_domain(sema *s, const reader *r, const sema_field *field) {
  const ast_expr *e = r->e;
  if (field->is_edge == r->is_edge) {
    sema_error(s, e->span, DIAG_edge_set_mismatch,
               "'%s' was computed for the edges of '%s', but '%s' is an edge of '%s'", e->field.name.text, field->set,
               r->variable, r->set);
    sema_note(
        s, field->assigned,
        "it is assigned here; extend_edges(g2, value, fill = 1) carries edge values over to a graph with self loops");
    sema_set_field(s, e->field.name.text, true, r->set, sema_poisoned(), e->span); /* one error is enough */
  } else {
    sema_error(s, e->span, DIAG_domain_mismatch, "'%s' is a field of %ss, but '%s' is %s %s", e->field.name.text,
               domain_text(field->is_edge), r->variable, r->is_edge ? "an" : "a", domain_text(r->is_edge));
    sema_note(s, field->assigned, "it is assigned here");
  }
  return sema_poisoned();
}

static sema_value unknown_field(sema *s, const reader *r) {
  const char *name = r->e->field.name.text;
  const ast_statement *later = sema_find_assignment(s->scope->body, name, NULL);
  const sema_field *elsewhere = sema_is_part(r->set) ? sema_find_field(s->scope, name, false, NULL) : NULL;
  if (elsewhere) {
    sema_error(s, r->e->span, DIAG_unassigned_field,
               "'%s' is read at nodes of type '%s', where nothing is assigned to it", name, sema_part_name(s, r->set));
    sema_note(s, elsewhere->assigned, "it is assigned only here");
    return sema_poisoned();
  }
  if (later) {
    sema_error(s, r->e->span, DIAG_unassigned_field, "'%s' is read before anything is assigned to it", name);
    if (later->span.begin > r->e->span.begin) sema_note(s, later->span, "it is assigned only here");
    return sema_poisoned();
  }
  name_list names = {0};
  for (size_t i = 0; i < s->scope->fields.capacity; i++)
    if (s->scope->fields.entries[i].value) VEC_PUSH(s->arena, &names, s->scope->fields.entries[i].key);
  for (size_t i = 0; i < s->scope->declared.count; i++)
    if (s->scope->declared.items[i]->value.kind == SEMA_tensor)
      VEC_PUSH(s->arena, &names, s->scope->declared.items[i]->name);
  VEC_PUSH(s->arena, &names, r->is_edge ? "src" : "in_degree");
  VEC_PUSH(s->arena, &names, r->is_edge ? "dst" : "out_degree");
  sema_error(s, r->e->span, DIAG_unknown_name, "%s '%s' has no field '%s'%s", domain_text(r->is_edge), r->variable,
             name, sema_suggest(s, name, names.items, names.count));
  return sema_poisoned();
}

/* ---- a visible name seen per node or edge ---- */

static sema_value wrong_binding(sema *s, const reader *r, const sema_binding *binding) {
  const char *name = binding->name;
  flat_type type =
      binding->value.kind == SEMA_tensor ? sema_type(s, binding->value.id) : (flat_type){.domain = FLAT_DOMAIN_plain};
  bool is_other = type.domain == FLAT_DOMAIN_node || type.domain == FLAT_DOMAIN_edge;
  if (is_other && !r->is_edge && type.domain == FLAT_DOMAIN_node)
    sema_error(s, r->e->span, DIAG_edge_set_mismatch, "'%s' is %s, but '%s' is a node of %s", name,
               sema_rows_text(s, type), r->variable,
               sema_is_part(r->set) ? arena_printf(s->arena, "type '%s'", sema_part_name(s, r->set)) : "any type");
  else if (is_other && (type.domain == FLAT_DOMAIN_edge) == r->is_edge)
    sema_error(s, r->e->span, DIAG_edge_set_mismatch, "'%s' is per edge of '%s', but '%s' is an edge of '%s'", name,
               type.set, r->variable, r->set);
  else if (is_other)
    sema_error(s, r->e->span, DIAG_domain_mismatch, "'%s' is %s, but '%s' is %s %s", name,
               sema_describe(s, binding->value), r->variable, r->is_edge ? "an" : "a", domain_text(r->is_edge));
  else if (type.domain == FLAT_DOMAIN_etype || type.domain == FLAT_DOMAIN_ntype || type.domain == FLAT_DOMAIN_pergraph)
    sema_error(s, r->e->span, DIAG_domain_mismatch, "'%s' is %s; it is indexed: %s[%s.%s]", name,
               sema_describe(s, binding->value), name, r->variable,
               type.domain == FLAT_DOMAIN_pergraph ? "graph" : "type");
  else
    sema_error(s, r->e->span, DIAG_domain_mismatch, "'%s' is %s, not a field; write '%s'", name,
               sema_describe(s, binding->value), name);
  sema_note(s, binding->declared, "'%s' is declared here as %s", name, sema_binding_text(binding->kind));
  return sema_poisoned();
}

static sema_value read_binding(sema *s, const reader *r, const sema_binding *binding) {
  sema_value v = binding->value;
  sema_mark(binding->use);
  if (v.kind == SEMA_by_type && !r->set) return sema_poisoned();
  if (v.kind == SEMA_by_type && !r->is_edge) return sema_read_by_type(s, v, binding->name, r->set, r->e->span);
  if (v.kind == SEMA_poison) return v;
  flat_type type = v.kind == SEMA_tensor ? sema_type(s, v.id) : (flat_type){0};
  flat_domain wanted = r->is_edge ? FLAT_DOMAIN_edge : FLAT_DOMAIN_node;
  bool is_same_set = !r->set || (type.set && !strcmp(type.set, r->set));
  if (type.domain == wanted && is_same_set) return v;
  bool is_whole = type.domain == FLAT_DOMAIN_node && wanted == FLAT_DOMAIN_node && !sema_is_part(type.set);
  if (is_whole && sema_is_part(r->set)) return sema_from_id(s, sema_part(s, v.id, r->set, r->e->span));
  bool is_field_later = sema_find_assignment(s->scope->body, binding->name, NULL) != NULL;
  return is_field_later ? unknown_field(s, r) : wrong_binding(s, r, binding);
}

/* ---- reading ---- */

static const char *set_of(sema *s, bool is_edge, flat_id graph) {
  if (graph == FLAT_NONE) return NULL;
  const char *set = sema_type(s, graph).set;
  return is_edge ? set : sema_node_set(s, set);
}

static sema_value read(sema *s, const reader *r) {
  const char *name = r->e->field.name.text;
  const sema_binding *newest = sema_newest_name(s, name, r->is_edge, r->set, r->loop);
  if (newest) sema_mark(newest->use);
  if (newest && newest->loop) sema_warn_read(s, r->e, newest, r->is_edge, r->set);
  if (newest) return newest->loop ? newest->value : read_binding(s, r, newest);
  const sema_field *field = sema_read_field(s, s->scope, name, r->is_edge, r->set, r->e->span);
  if (field) return field->value;
  const sema_binding *binding = sema_find_name(s->scope, name);
  bool is_per_iteration = binding && (binding->loop || binding->kind == SEMA_BINDING_loop);
  if (binding && !is_per_iteration) return read_binding(s, r, binding);
  field = sema_is_part(r->set) ? NULL : sema_find_field(s->scope, name, r->is_edge, NULL);
  if (!field) field = sema_find_field(s->scope, name, !r->is_edge, NULL);
  if (field) return wrong_domain(s, r, field);
  const sema_binding *output = sema_find_output(s, name);
  return output ? read_binding(s, r, output) : unknown_field(s, r);
}

bool sema_is_either(const char *name, const char *a, const char *b) {
  return !strcmp(name, a) || !strcmp(name, b);
}

/* Reads in_degree and out_degree; true when the field is one of them. */
static bool read_degree(sema *s, const reader *r, sema_value *out) {
  const char *name = r->e->field.name.text;
  if (r->is_edge || !sema_is_either(name, "in_degree", "out_degree")) return false;
  bool is_known = r->graph != FLAT_NONE;
  *out = is_known
             ? sema_from_id(s, sema_degree(s, r->graph, (*name == 'i') != r->is_reversed ? "in" : "out", r->e->span))
             : sema_poisoned();
  return true;
}

/* Reports names that have a meaning only in other places; true after an error. */
static bool is_misused(sema *s, const reader *r) {
  const char *name = r->e->field.name.text;
  if (sema_is_either(name, "type", r->is_edge ? "etype" : "ntype"))
    sema_error(s, r->e->span, DIAG_type_mismatch, "'%s.%s' is only used to index a value per type: W[%s.%s]",
               r->variable, name, r->variable, name);
  else if (r->is_edge && !strcmp(name, "reverse"))
    sema_error(s, r->e->span, DIAG_type_mismatch, "'%s.%s' is an edge; its values are written '%s.%s.w'", r->variable,
               name, r->variable, name);
  else if (r->is_edge && sema_is_either(name, "src", "dst"))
    sema_error(s, r->e->span, DIAG_type_mismatch, "'%s.%s' is a node; its values are written '%s.%s.h'", r->variable,
               name, r->variable, name);
  else if (!r->is_edge &&
           (sema_is_either(name, "incoming", "outgoing") || sema_is_either(name, "incoming_edges", "outgoing_edges")))
    sema_error(s, r->e->span, DIAG_type_mismatch,
               "'%s.%s' is a set of edges: loop over it, or reduce it with sum(e in %s.%s: ...)", r->variable, name,
               r->variable, name);
  else
    return false;
  return true;
}

/* Whether the loop that accumulates the field is still open; reports the read, which would depend
 * on the order of edges. */
static bool is_being_accumulated(sema *s, const reader *r) {
  const char *name = r->e->field.name.text;
  for (const sema_loop *loop = s->scope->loop; loop && !r->is_edge; loop = loop->outer) {
    if (!loop->is_edge || !loop->body) continue;
    const ast_statement *st = sema_find_assignment(loop->body, name, loop);
    if (!st) continue;
    sema_error(s, r->e->span, DIAG_accumulator_read,
               "'%s' is being summed in this loop, so its value is known only after it", name);
    sema_note(s, st->span, "it is accumulated here");
    return true;
  }
  return false;
}

static sema_value read_in_loop(sema *s, const ast_expr *e, sema_position p) {
  bool is_edge = sema_position_is_edge(p);
  const sema_loop *own = p.end == SEMA_END_self ? p.loop : NULL;
  reader r = {e, sema_position_text(s, p), is_edge, sema_position_set(s, p), p.loop->graph, own, p.loop->is_reversed};
  sema_value v = {0};
  if (is_misused(s, &r) || is_being_accumulated(s, &r)) return sema_poisoned();
  if (!read_degree(s, &r, &v)) v = read(s, &r);
  return sema_bring(s, p, v, e->span);
}

/* Whether an expression is the edge in the opposite direction of a loop's edge: e.reverse. */
static bool is_opposite(sema *s, const ast_expr *e, sema_position *out) {
  return e->kind == AST_EXPR_field && !strcmp(e->field.name.text, "reverse") &&
         sema_as_position(s, e->field.base, out) && sema_position_is_edge(*out);
}

/* Reports edges that have no opposite ones; true after an error. */
static bool has_no_opposites(sema *s, const ast_expr *e, sema_position p) {
  const char *name = e->field.name.text, *variable = p.loop->variable, *set = sema_type(s, p.loop->graph).set;
  const char *src = sema_part_at(s, set, sema_stored_end(p.loop->is_reversed, true));
  const char *dst = sema_part_at(s, set, sema_stored_end(p.loop->is_reversed, false));
  if (sema_is_either(name, "src", "dst"))
    sema_error(s, e->span, DIAG_type_mismatch, "'%s.reverse.%s' is '%s.%s'", variable, name, variable,
               strcmp(name, "src") ? "src" : "dst");
  else if (sema_is_either(name, "type", "etype"))
    sema_error(s, e->span, DIAG_unsupported, "the type of '%s.reverse' cannot be read", variable);
  else if (sema_is_run_set(set))
    sema_error(s, e->span, DIAG_unsupported,
               "'%s' is an edge of a graph that the model makes: its reverse edge is not known", variable);
  else if (src && dst && strcmp(src, dst) != 0)
    sema_error(s, e->span, DIAG_edge_set_mismatch,
               "'%s' leads from '%s' to '%s', and no edge of the same relation leads back", variable,
               sema_part_name(s, src), sema_part_name(s, dst));
  else
    return false;
  return true;
}

/* Reads e.reverse.w: the value of the edge from e.dst to e.src. */
static sema_value read_opposite(sema *s, const ast_expr *e, sema_position p) {
  if (p.loop->graph == FLAT_NONE || has_no_opposites(s, e, p)) return sema_poisoned();
  const char *variable = arena_printf(s->arena, "%s.reverse", p.loop->variable);
  reader r = {e, variable, true, sema_position_set(s, p), p.loop->graph, p.loop, p.loop->is_reversed};
  sema_value v = sema_bring(s, p, read(s, &r), e->span);
  if (v.kind != SEMA_tensor) return v;
  flat_type type = sema_type(s, v.id);
  if (sema_is_integer(s, v)) {
    sema_error(s, e->span, DIAG_type_mismatch,
               "%s is an integer; assign %s.f = float(%s.%s) first, and read %s.reverse.f", sema_quote(s, e),
               p.loop->variable, p.loop->variable, e->field.name.text, p.loop->variable);
    return sema_poisoned();
  }
  return sema_from_id(s, sema_add(s, FLAT_opposite_edges, type, e->span, (flat_id[]){p.loop->graph, v.id}, 2));
}

/* Reads n.z where no loop over n is open: the field over its whole domain. */
static sema_value read_after_loop(sema *s, const ast_expr *e, const sema_last_loop *last) {
  reader r = {e,    e->field.base->name.text, last->is_edge, set_of(s, last->is_edge, last->graph), last->graph,
              NULL, last->is_reversed};
  sema_value v = {0};
  if (last->is_unknown) return sema_poisoned();
  if (s->scope->loop) {
    sema_error(s, e->span, DIAG_unknown_name, "the loop over '%s' is closed; this one is over '%s'", r.variable,
               s->scope->loop->variable);
    return sema_poisoned();
  }
  if (is_misused(s, &r)) return sema_poisoned();
  bool is_field = !r.is_edge && r.set && !sema_newest_name(s, e->field.name.text, false, r.set, NULL);
  if (is_field && sema_fields_by_type(s, e->field.name.text, r.set, &v)) return v;
  return read_degree(s, &r, &v) ? v : read(s, &r);
}

static sema_value not_a_structure(sema *s, const ast_expr *e, sema_value base) {
  const char *name = e->field.name.text;
  sema_value end = {0};
  if (base.kind == SEMA_graph &&
      (sema_is_either(name, "nodes", "edges") || sema_is_either(name, "src_nodes", "dst_nodes")))
    sema_error(s, e->span, DIAG_type_mismatch, "%s is what a loop runs over, not a value", sema_quote(s, e));
  else if (base.kind == SEMA_graph && sema_is_either(name, "num_nodes", "num_edges"))
    return sema_from_id(s, (strcmp(name, "num_nodes") ? sema_count_edges : sema_count_nodes)(s, base.id, e->span));
  else if (sema_end_type(s, base, name, &end))
    return end;
  else if (base.kind == SEMA_graph && s->graph_statement && s->graph_statement->graph.edge_types.count)
    return sema_relation(s, e, base, e->field.name);
  else if (base.kind == SEMA_graph)
    sema_error(s, e->span, DIAG_unknown_name, "a graph has 'nodes', 'edges', 'num_nodes' and 'num_edges', but no '%s'",
               name);
  else
    sema_error(s, e->span, DIAG_type_mismatch, "%s is %s and has no field '%s'", sema_quote(s, e->field.base),
               sema_describe(s, base), name);
  return sema_poisoned();
}

/* Reads x.paper outside of loops; true when it is a typed input, or after an error. */
static bool read_typed(sema *s, const ast_expr *e, sema_value *out) {
  const ast_expr *base = e->field.base;
  const sema_binding *all = base->kind == AST_EXPR_name ? sema_find_name(s->scope, base->name.text) : NULL;
  if (!all || all->value.kind != SEMA_by_type) return false;
  const sema_value *one = sema_find_item(s, all->value, e->field.name.text);
  *out = one ? *one : sema_poisoned();
  sema_mark(all->use);
  bool is_reported = sema_find_name(s->scope, arena_printf(s->arena, "%s.%s", all->name, e->field.name.text)) != NULL;
  if (!one && !is_reported) {
    sema_error(s, e->span, DIAG_unknown_name, "there is no %s%s", all->value.name ? "input " : "", sema_quote(s, e));
    sema_note(s, all->declared, "'%s' is declared here first", all->name);
  } else if (one && s->scope->loop && out->kind == SEMA_tensor) {
    sema_error(s, e->span, DIAG_bare_value, "%s is %s; in a loop over g.nodes.%s write n.%s", sema_quote(s, e),
               sema_rows_text(s, sema_type(s, out->id)), e->field.name.text, all->name);
    *out = sema_poisoned();
  }
  return true;
}

sema_value sema_eval_field(sema *s, const ast_expr *e) {
  sema_position p = {0};
  const ast_expr *base = e->field.base;
  if (sema_as_position(s, base, &p)) return read_in_loop(s, e, p);
  if (is_opposite(s, base, &p)) return read_opposite(s, e, p);
  bool is_end = base->kind == AST_EXPR_field && sema_is_either(base->field.name.text, "src", "dst") &&
                base->field.base->kind == AST_EXPR_name;
  const ast_expr *variable = is_end ? base->field.base : base;
  bool is_free = variable->kind == AST_EXPR_name && !sema_find_name(s->scope, variable->name.text);
  const sema_last_loop *last = is_free ? sema_map_get(&s->scope->last_loops, variable->name.text) : NULL;
  if (last && !is_end) return read_after_loop(s, e, last);
  if (last) {
    sema_error(s, e->span, DIAG_type_mismatch, "%s has a meaning only inside a loop over '%s'", sema_quote(s, e),
               variable->name.text);
    return sema_poisoned();
  }
  sema_value v = {0};
  if (read_typed(s, e, &v)) return v;
  v = sema_eval(s, base);
  const char *part = sema_part_of_type(s, e->field.name.text);
  bool is_whole =
      v.kind == SEMA_tensor && sema_type(s, v.id).domain == FLAT_DOMAIN_node && !sema_is_part(sema_type(s, v.id).set);
  if (part && is_whole) return sema_from_id(s, sema_part(s, v.id, part, e->span)); /* h.paper */
  return v.kind == SEMA_poison ? v : not_a_structure(s, e, v);
}
