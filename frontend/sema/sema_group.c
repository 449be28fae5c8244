/* Edges of one type at a node, seen from an edge of that type:
 *
 *   e.dst.in_degree[e.type]                     how many edges of e's type enter e.dst
 *   sum(d in e.dst.incoming[e.type]: d.a)       a sum over them
 *
 * All edges of one type at one node share the value: it is computed once per pair of both, then
 * given to the edges. */
#include "frontend/sema/sema_kinds.h"

#include "support/edge_mode.h"

#include <string.h>

static bool is_type(const ast_expr *e) {
  return e->kind == AST_EXPR_field && (sema_is_either(e->field.name.text, "type", "etype"));
}

/* A group of edges: the end of the innermost loop's edge to which they belong. */
typedef struct group {
  flat_id graph;
  sema_end end;
} group;

/* Returns the end of the innermost loop's edge that the node is, or self when it is none. */
static sema_end end_of(const sema *s, sema_position node) {
  const sema_loop *loop = s->scope->loop;
  if (node.loop == loop) return node.end;
  return loop->owner.loop == node.loop && loop->owner.end == node.end ? loop->owner_end : SEMA_END_self;
}

static bool bad_group(sema *s, const ast_expr *e, const char *expected) {
  sema_error(s, e->span, DIAG_type_mismatch, "%s has no meaning: %s", sema_quote(s, e), expected);
  return false;
}

bool sema_has_types(const char *set) {
  const char *dot = strchr(set, '.');
  return !dot || (!strchr(dot + 1, '.') && edge_mode_is_chosen(edge_mode_read(dot + 1)));
}

sema_value sema_untyped_edges(sema *s, const ast_expr *e) {
  const char *set = s->scope->loop ? s->scope->loop->set : NULL;
  if (set && sema_has_types(set))
    sema_error(s, e->span, DIAG_unsupported,
               "%s: the edges of one type at a node are those of the whole graph, not of a relation or a union",
               sema_quote(s, e));
  else
    sema_error(s, e->span, DIAG_unsupported, "%s: edges of a graph %s have no types", sema_quote(s, e),
               set && sema_is_run_set(set) ? "that is made while the model runs" : "with new self loops");
  return sema_poisoned();
}

/* Evaluates the expression before the bracket, e.dst.in_degree; `is_in`: it means incoming edges. */
static bool eval_group(sema *s, const ast_expr *e, bool is_in, group *out) {
  const ast_expr *property = e->index.base;
  const sema_loop *loop = s->scope->loop;
  const char *name = property->field.name.text;
  const char *end = is_in ? "dst" : "src"; /* as the loop calls it */
  sema_position node = {0};
  sema_position edge = {0};
  const char *expected =
      arena_printf(s->arena, "edges of one type are written e.%s.%s[e.type], in a loop over edges e", end, name);
  const ast_expr *type = ast_only_subscript(e);
  if (!loop || !sema_as_position(s, property->field.base, &node) || !type || !is_type(type) ||
      !sema_as_position(s, type->field.base, &edge))
    return bad_group(s, e, expected);
  if (loop->graph == FLAT_NONE) return false;
  bool is_own = loop->is_edge && edge.loop == loop && edge.end == SEMA_END_self;
  if (!is_own) return bad_group(s, e, expected);
  out->graph = loop->graph;
  out->end = end_of(s, node);
  if (out->end != sema_stored_end(loop->is_reversed, !is_in)) return bad_group(s, e, expected);
  if (strchr(loop->set, '.')) sema_untyped_edges(s, e);
  return !strchr(loop->set, '.');
}

static flat_id unique_edges(sema *s, const group *of, span where) {
  const char *end = of->end == SEMA_END_dst ? "dst" : "src";
  flat_type type = sema_type(s, of->graph);
  type.set = arena_printf(s->arena, "%s.unique_%s", type.set, end);
  flat_id id = sema_add(s, FLAT_unique_edges, type, where, &of->graph, 1);
  sema_add_string(s, id, "end", end);
  return id;
}

/* Gives each edge of the graph the value of its pair of type and node. */
static sema_value expand(sema *s, const group *of, flat_id value, span where) {
  if (value == FLAT_NONE) return sema_poisoned();
  flat_type type = sema_type(s, value);
  type.set = sema_type(s, of->graph).set;
  return sema_from_id(s, sema_add(s, FLAT_expand, type, where, (flat_id[]){of->graph, value}, 2));
}

bool sema_is_group_property(const ast_expr *e) {
  if (e->kind != AST_EXPR_index || e->index.base->kind != AST_EXPR_field) return false;
  const char *name = e->index.base->field.name.text;
  return sema_is_either(name, "in_degree", "out_degree") || sema_is_either(name, "incoming", "outgoing") ||
         sema_is_either(name, "incoming_edges", "outgoing_edges");
}

sema_value sema_eval_group_property(sema *s, const ast_expr *e) {
  const char *name = e->index.base->field.name.text;
  bool is_in = *name == 'i';
  group of = {FLAT_NONE, SEMA_END_self};
  if (!eval_group(s, e, is_in, &of)) return sema_poisoned();
  if (!sema_is_either(name, "in_degree", "out_degree")) {
    sema_error(s, e->span, DIAG_type_mismatch, "%s is a set of edges: reduce it with sum(d in %s: ...)",
               sema_quote(s, e), arena_printf(s->arena, "e.%s.%s[e.type]", is_in ? "dst" : "src", name));
    return sema_poisoned();
  }
  flat_id pairs = unique_edges(s, &of, e->span);
  if (pairs == FLAT_NONE) return sema_poisoned();
  flat_type type = {.domain = FLAT_DOMAIN_edge, .set = sema_type(s, pairs).set};
  return expand(s, &of, sema_add(s, FLAT_group_size, type, e->span, &pairs, 1), e->span);
}

bool sema_check_group(sema *s, const ast_expr *domain, sema_loop *loop) {
  group of = {FLAT_NONE, SEMA_END_self};
  const char *name = domain->index.base->field.name.text;
  if (!loop->is_reduction) {
    sema_error(s, domain->span, DIAG_unsupported,
               "a loop cannot run over edges of one type; reduce them: sum(d in e.dst.incoming[e.type]: ...)");
    return false;
  }
  if (sema_is_either(name, "in_degree", "out_degree")) {
    sema_error(s, domain->span, DIAG_type_mismatch, "%s is a number; its edges are e.%s[e.type]", sema_quote(s, domain),
               *name == 'i' ? "dst.incoming" : "src.outgoing");
    return false;
  }
  loop->is_group = true;
  return eval_group(s, domain, *name == 'i', &of);
}

sema_value sema_reduce_group(sema *s, const sema_loop *loop, flat_id value, const char *reduction, span where) {
  group of = {loop->graph, loop->owner_end};
  flat_id pairs = unique_edges(s, &of, where);
  if (pairs == FLAT_NONE || value == FLAT_NONE) return sema_poisoned();
  flat_type type = sema_type(s, value);
  type.set = sema_type(s, pairs).set;
  flat_id id = sema_add(s, FLAT_collapse, type, where, (flat_id[]){pairs, value}, 2);
  sema_add_string(s, id, "reduce", reduction);
  return expand(s, &of, id, where);
}
