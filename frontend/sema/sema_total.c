/* Reductions over all nodes, those of one type, or all edges, which give one value for the whole graph.
 *
 *   sum(n in g.nodes: outer(n.k, n.v))    total(g, k, v): the outer products are multiplied as they are added up
 *   max(e in g.edges: e.w)                the maximum over the nodes of the maximum over their incoming edges
 *   g.num_nodes                           the sum of 1 over the nodes
 *   mean(n in g.nodes.paper: n.h)         of a value of all nodes that is 0 at nodes of other types, by their number
 *
 * Over no nodes or edges the result is 0, as at a node without edges. */
#include "frontend/sema/sema_kinds.h"
#include "frontend/sema/sema_reduce.h"

#include "support/edge_mode.h"

#include <math.h>
#include <string.h>

static flat_id number(sema *s, double value, span where) {
  flat_id id = sema_add(s, FLAT_constant, (flat_type){0}, where, NULL, 0);
  sema_add_number(s, id, "value", value);
  return id;
}

static flat_id total(sema *s, flat_id graph, flat_id value, flat_id times, const char *reduce, span where) {
  flat_type type = sema_type(s, value);
  if (value == FLAT_NONE) return value;
  if (times != FLAT_NONE) type.dims[type.rank++] = sema_type(s, times).dims[0];
  type.domain = FLAT_DOMAIN_plain;
  type.set = NULL;
  flat_id id = sema_add(s, FLAT_total, type, where, (flat_id[]){graph, value, times}, 3);
  sema_add_string(s, id, "reduce", reduce);
  return id;
}

flat_id sema_count_nodes(sema *s, flat_id graph, span where) {
  flat_id ones = sema_spread(s, number(s, 1, where), false, graph, where);
  return total(s, graph, ones, FLAT_NONE, "sum", where);
}

/* A value of the nodes where edges end, with 0 at the nodes of other types: a relation has no edges there, but the new
 * self loops of a set made from it are at all nodes. */
static flat_id at_ends(sema *s, flat_id graph, flat_id value, span where) {
  const char *part = sema_part_at(s, sema_type(s, graph).set, SEMA_END_dst);
  bool is_changed = part && edge_mode_has_loops(edge_mode_read(strrchr(sema_type(s, graph).set, '.') + 1));
  return is_changed ? sema_unite(s, sema_part(s, value, part, where), FLAT_NONE, where) : value;
}

flat_id sema_count_edges(sema *s, flat_id graph, span where) {
  flat_id degree = at_ends(s, graph, sema_degree(s, graph, "in", where), where);
  return total(s, graph, degree, FLAT_NONE, "sum", where);
}

/* `a` where the count is 0, else `b`. */
static flat_id choose_if_none(sema *s, flat_id count, flat_id a, flat_id b, span where) {
  flat_type is = sema_type(s, count), type = sema_type(s, b);
  type.domain = is.domain != FLAT_DOMAIN_plain ? is.domain : type.domain;
  if (is.set) type.set = is.set;
  flat_id is_none = sema_add(s, FLAT_compare, is, where, (flat_id[]){count, number(s, 0, where)}, 2);
  sema_add_string(s, is_none, "predicate", "eq");
  return sema_add(s, FLAT_select, type, where, (flat_id[]){is_none, a, b}, 3);
}

/* The operands of an outer product of node values; false for other values. */
static bool is_outer(sema *s, flat_id value, flat_id *a, flat_id *b) {
  const flat_value *v = value == FLAT_NONE ? NULL : sema_flat(s, value);
  if (!v || v->op != FLAT_outer) return false;
  *a = v->operands[0];
  *b = v->operands[1];
  return sema_type(s, *a).domain == FLAT_DOMAIN_node && sema_type(s, *b).domain == FLAT_DOMAIN_node;
}

static flat_id over_nodes(sema *s, flat_id graph, flat_id value, const char *reduce, span where) {
  flat_id a = FLAT_NONE, b = FLAT_NONE;
  bool is_sum = !strcmp(reduce, "sum") || !strcmp(reduce, "mean");
  if (is_sum && is_outer(s, value, &a, &b)) {
    flat_id sum = total(s, graph, a, b, "sum", where);
    if (!strcmp(reduce, "sum")) return sum;
    flat_id count = sema_count_nodes(s, graph, where);
    flat_id least = sema_add(s, FLAT_maximum, (flat_type){0}, where, (flat_id[]){count, number(s, 1, where)}, 2);
    return sema_add(s, FLAT_divide, sema_type(s, sum), where, (flat_id[]){sum, least}, 2);
  }
  return total(s, graph, value, FLAT_NONE, reduce, where);
}

static flat_id over_edges(sema *s, flat_id graph, flat_id value, const char *reduce, span where) {
  bool is_mean = !strcmp(reduce, "mean"), is_sum = is_mean || !strcmp(reduce, "sum");
  flat_id at_nodes = sema_aggregate(s, graph, value, is_mean ? "sum" : reduce, "in", where);
  if (is_sum) {
    flat_id sum = total(s, graph, at_ends(s, graph, at_nodes, where), FLAT_NONE, "sum", where);
    if (!is_mean) return sum;
    flat_id count = sema_count_edges(s, graph, where);
    flat_id least = sema_add(s, FLAT_maximum, (flat_type){0}, where, (flat_id[]){count, number(s, 1, where)}, 2);
    return sema_add(s, FLAT_divide, sema_type(s, sum), where, (flat_id[]){sum, least}, 2);
  }
  flat_id degree = at_ends(s, graph, sema_degree(s, graph, "in", where), where);
  flat_id start = number(s, !strcmp(reduce, "max") ? -INFINITY : INFINITY, where);
  flat_id result = total(s, graph, choose_if_none(s, degree, start, at_nodes, where), FLAT_NONE, reduce, where);
  flat_id count = sema_count_edges(s, graph, where);
  return choose_if_none(s, count, number(s, 0, where), result, where);
}

/* The same at the nodes of one type, whose value has a row for each of them. */
static flat_id over_part(sema *s, const sema_loop *loop, flat_id value, const char *reduce, span where) {
  flat_id graph = s->graph, a = FLAT_NONE, b = FLAT_NONE;
  flat_id ones = sema_part(s, sema_spread(s, number(s, 1, where), false, graph, where), loop->part, where);
  flat_id is_there = sema_unite(s, ones, FLAT_NONE, where);
  flat_id count = total(s, graph, is_there, FLAT_NONE, "sum", where);
  if (!strcmp(reduce, "sum") || !strcmp(reduce, "mean")) {
    bool is_product = is_outer(s, value, &a, &b);
    flat_id all = sema_unite(s, is_product ? a : value, FLAT_NONE, where);
    flat_id sum = total(s, graph, all, is_product ? sema_unite(s, b, FLAT_NONE, where) : FLAT_NONE, "sum", where);
    if (!strcmp(reduce, "sum")) return sum;
    flat_id least = sema_add(s, FLAT_maximum, (flat_type){0}, where, (flat_id[]){count, number(s, 1, where)}, 2);
    return sema_add(s, FLAT_divide, sema_type(s, sum), where, (flat_id[]){sum, least}, 2);
  }
  flat_id start = number(s, !strcmp(reduce, "max") ? -INFINITY : INFINITY, where);
  flat_id all = choose_if_none(s, is_there, start, sema_unite(s, value, FLAT_NONE, where), where);
  return choose_if_none(s, count, number(s, 0, where), total(s, graph, all, FLAT_NONE, reduce, where), where);
}

sema_value sema_reduce_all(sema *s, const sema_loop *loop, flat_id value, const char *reduce, span where) {
  if (value == FLAT_NONE) return sema_poisoned();
  if (loop->part) return sema_from_id(s, over_part(s, loop, sema_part(s, value, loop->part, where), reduce, where));
  return sema_from_id(s, (loop->is_edge ? over_edges : over_nodes)(s, loop->graph, value, reduce, where));
}
