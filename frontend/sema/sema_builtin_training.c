/* Expands calls of functions that losses and training need.
 *
 *   dropout(x, 0.6)       dropout(x) {p = 0.6, site = 3} in training, x itself elsewhere
 *   one_hot(y, C)         compare(iota(C), y) {eq}; integers are looked up in iota(C), so that the run checks their range
 *   sum_all(x)            the sum of all elements in all rows: nodes, edges, or graphs of a batch */
#include "frontend/sema/sema_builtin.h"
#include "frontend/sema/sema_kinds.h"
#include "frontend/sema/sema_reduce.h"
#include "frontend/sema/sema_view.h"

#include <string.h>

flat_id sema_make_dropout(sema *s, const sema_call *c) {
  double p = c->numbers[1];
  if (!(p >= 0 && p < 1)) {
    sema_error(s, c->exprs[1] ? c->exprs[1]->span : c->e->span, DIAG_number_range,
               "'p' of 'dropout' is %g, expected a probability of at least 0 and less than 1", p);
    return FLAT_NONE;
  }
  if (!s->env->is_training || s->is_check || p == 0) return c->ids[0];
  flat_id id = sema_add(s, FLAT_dropout, sema_type(s, c->ids[0]), c->e->span, c->ids, 1);
  sema_add_number(s, id, "p", p);
  sema_add_integer(s, id, "site", (int64_t)s->dropout_sites++);
  return id;
}

/* ---- classes ---- */

/* Numbers of classes as f32: those that are integers are looked up in 0, 1, 2, ... */
static bool read_classes(sema *s, const sema_call *c, flat_id numbers, flat_id *out) {
  sema_value y = c->values[0];
  if (!sema_is_integer(s, y)) {
    if (!sema_as_tensor(s, y, c->exprs[0], out)) return false;
  } else {
    flat_type type = sema_type(s, y.id);
    type.is_integer = false;
    *out = type.rank ? y.id : sema_add(s, FLAT_lookup, type, c->e->span, (flat_id[]){numbers, y.id}, 2);
  }
  flat_type type = sema_type(s, *out);
  if (!type.rank) return *out != FLAT_NONE;
  sema_error(s, c->exprs[0]->span, DIAG_shape_mismatch, "%s is %s, but 'one_hot' takes one number of a class",
             sema_quote(s, c->exprs[0]), sema_type_text(s, type));
  sema_note_operand(s, c->exprs[0]);
  return false;
}

flat_id sema_make_one_hot(sema *s, const sema_call *c) {
  flat_type row = {.rank = 1};
  flat_id y = FLAT_NONE;
  row.dims[0] = sema_eval_size(s, c->exprs[1]);
  if (!row.dims[0]) return FLAT_NONE;
  flat_id numbers = sema_add(s, FLAT_iota, row, c->e->span, NULL, 0);
  sema_add_whole(s, numbers, "size", row.dims[0]);
  if (numbers == FLAT_NONE || !read_classes(s, c, numbers, &y)) return FLAT_NONE;
  flat_type type = sema_type(s, y);
  type.rank = 1;
  type.dims[0] = row.dims[0];
  flat_id id = sema_add(s, FLAT_compare, type, c->e->span, (flat_id[]){numbers, y}, 2);
  sema_add_string(s, id, "predicate", "eq");
  return id;
}

/* ---- all rows ---- */

static flat_id number(sema *s, double value, span where) {
  flat_id id = sema_add(s, FLAT_constant, (flat_type){0}, where, NULL, 0);
  sema_add_number(s, id, "value", value);
  return id;
}

/* The graph whose edges a set has; FLAT_NONE where the layer is checked by itself. */
static flat_id graph_of_set(sema *s, const char *set) {
  for (size_t i = s->flat->values.count; i-- > 0;) {
    const flat_type *type = &s->flat->values.items[i]->type;
    if (type->domain == FLAT_DOMAIN_graph && !strcmp(type->set, set)) return (flat_id)i;
  }
  return FLAT_NONE;
}

/* The sum over the graphs of a batch that have nodes: each node adds its share of the value of its graph. */
static flat_id sum_graphs(sema *s, flat_id value, span where) {
  flat_id graph = s->graph;
  flat_type type = sema_type(s, value), count = {.domain = FLAT_DOMAIN_pergraph};
  flat_id ones = sema_spread(s, number(s, 1, where), false, graph, where);
  flat_id nodes = sema_add(s, FLAT_pool, count, where, (flat_id[]){graph, ones}, 2);
  sema_add_string(s, nodes, "reduce", "sum");
  /* no node reads the share of a graph without nodes, but its derivative must be finite */
  nodes = sema_add(s, FLAT_maximum, count, where, (flat_id[]){nodes, number(s, 1, where)}, 2);
  flat_id share = sema_add(s, FLAT_divide, type, where, (flat_id[]){value, nodes}, 2);
  type.domain = FLAT_DOMAIN_node;
  type.set = s->graph_set;
  flat_id at_nodes = sema_add(s, FLAT_slice, type, where, (flat_id[]){graph, share}, 2);
  sema_add_string(s, at_nodes, "by", "node");
  return sema_reduce_all(s, &(sema_loop){.graph = graph}, at_nodes, "sum", where).id;
}

/* Whether the function may stand here and its argument has rows; reports what is wrong. */
static bool check_rows(sema *s, const sema_call *c) {
  flat_type type = sema_type(s, c->ids[0]);
  if (!sema_is_outside_loops(s, c)) return false;
  bool is_node_or_edge = type.domain == FLAT_DOMAIN_node || type.domain == FLAT_DOMAIN_edge;
  if (is_node_or_edge || type.domain == FLAT_DOMAIN_pergraph) return true;
  sema_error(s, c->e->span, DIAG_domain_mismatch, "%s is %s, but '%s' takes a value per node, edge or graph",
             sema_quote(s, c->exprs[0]), sema_type_text(s, type), c->f->name);
  sema_note_operand(s, c->exprs[0]);
  return false;
}

/* The sum over all rows of a value; FLAT_NONE after an error. */
static flat_id sum_rows(sema *s, const sema_call *c, flat_id value) {
  flat_type type = sema_type(s, value);
  sema_loop loop = {.graph = s->graph, .is_edge = type.domain == FLAT_DOMAIN_edge};
  if (loop.is_edge) loop.graph = graph_of_set(s, type.set);
  if (type.domain == FLAT_DOMAIN_node && sema_is_part(type.set)) loop.part = type.set;
  if (loop.graph == FLAT_NONE) return FLAT_NONE;
  if (type.domain == FLAT_DOMAIN_pergraph) return sum_graphs(s, value, c->e->span);
  return sema_reduce_all(s, &loop, value, "sum", c->e->span).id;
}

/* The sum over the elements of each row. */
static flat_id sum_columns(sema *s, flat_id value, span where) {
  flat_type type = sema_type(s, value);
  if (!type.rank) return value;
  if (type.rank > 1) {
    dim size = type.dims[0];
    for (unsigned i = 1; i < type.rank; i++) size = dim_multiply(s->dims, size, type.dims[i]);
    type.rank = 1;
    type.dims[0] = size;
    value = sema_reshape(s, value, type, where);
  }
  type.rank = 0;
  flat_id id = sema_add(s, FLAT_reduce, type, where, &value, 1);
  sema_add_string(s, id, "function", "sum");
  return id;
}

flat_id sema_make_sum_all(sema *s, const sema_call *c) {
  if (!check_rows(s, c)) return FLAT_NONE;
  return sum_rows(s, c, sum_columns(s, c->ids[0], c->e->span));
}

/* The sum of 1 over the rows that a value has. */
flat_id sema_make_num_rows(sema *s, const sema_call *c) {
  flat_type type = sema_type(s, c->ids[0]);
  span where = c->e->span;
  if (!check_rows(s, c)) return FLAT_NONE;
  if (type.domain == FLAT_DOMAIN_edge) {
    flat_id graph = graph_of_set(s, type.set);
    return graph == FLAT_NONE ? graph : sema_count_edges(s, graph, where);
  }
  if (s->graph == FLAT_NONE) return FLAT_NONE;
  flat_id ones = sema_spread(s, number(s, 1, where), false, s->graph, where);
  if (type.domain == FLAT_DOMAIN_node)
    return sum_rows(s, c, sema_is_part(type.set) ? sema_part(s, ones, type.set, where) : ones);
  type.rank = 0;
  flat_id largest = sema_add(s, FLAT_pool, type, where, (flat_id[]){s->graph, ones}, 2);
  sema_add_string(s, largest, "reduce", "max");
  return sum_rows(s, c, largest);
}

sema_value sema_make_num_columns(sema *s, const sema_call *c) {
  flat_id id = FLAT_NONE;
  if (!sema_as_tensor(s, c->values[0], c->exprs[0], &id)) return sema_poisoned();
  flat_type type = sema_type(s, id);
  dim size = dim_constant(s->dims, 1);
  for (unsigned i = 0; i < type.rank; i++) size = dim_multiply(s->dims, size, type.dims[i]);
  return size ? sema_from_size(s, size) : sema_poisoned();
}
