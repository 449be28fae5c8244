/* Reads the types of nodes and edges, and makes the orders of rows in which each type is a segment. */
#include "codegen/device/host/host_private.h"
#include "support/edge_mode.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

status host_sort(int64_t count, const int32_t *key, int64_t keys, const int32_t *from, int32_t *to) {
  int64_t *begin = calloc((size_t)keys + 1, sizeof *begin);
  if (!begin) return status_error(STATUS_CODE_memory, "no memory to sort %" PRId64 " rows", count);
  for (int64_t i = 0; i < count; i++) begin[key[i] + 1]++;
  for (int64_t k = 0; k < keys; k++) begin[k + 1] += begin[k];
  for (int64_t i = 0; i < count; i++) {
    int32_t at = from ? from[i] : (int32_t)i;
    to[begin[key[at]]++] = at;
  }
  free(begin);
  return STATUS_OK;
}

/* ---- pairs of types ---------------------------------------------------------------------------------------------- */

/* Sets *out to the type of the node at one end of each edge. */
static status end_types(program_host *h, const int32_t *end, const int32_t **out) {
  const graph *g = h->graph;
  int32_t *made;
  RETURN_IF_ERROR(HOST_ARRAY(h, g->num_edges, &made));
  for (int64_t e = 0; e < g->num_edges; e++) made[e] = g->node_type ? g->node_type[end[e]] : 0;
  *out = made;
  return STATUS_OK;
}

/* Sorts edges by edge type, type of the node at the end, and node, into 'order'; 'other' is
 * scratch. */
static status sort_pairs(program_host *h, const int32_t *end, const int32_t *ntype, int32_t *order, int32_t *other) {
  const graph *g = h->graph;
  RETURN_IF_ERROR(host_sort(g->num_edges, end, g->num_nodes, NULL, order));
  RETURN_IF_ERROR(host_sort(g->num_edges, ntype, g->num_node_types ? g->num_node_types : 1, order, other));
  return host_sort(g->num_edges, g->edge_type, g->num_edge_types, other, order);
}

typedef struct pairing {
  int32_t *order, *other;      /* [edges] */
  int32_t *row, *edge_kind;    /* [edges] */
  int32_t *node, *type, *kind; /* [edges] by pair */
  int32_t *etype, *ntype;      /* [edges] by kind */
} pairing;

static status find_kinds(program_host *h, int at_end, host_kinds *out) {
  const graph *g = h->graph;
  const int32_t *end = at_end ? g->dst : g->src, *end_type;
  if (!g->edge_type && g->num_edges)
    return status_error(STATUS_CODE_mismatch, "%s: has no 'edge_type', which the model needs", g->name);
  pairing p;
  int32_t **arrays[] = {&p.order, &p.other, &p.row, &p.edge_kind, &p.node, &p.type, &p.kind, &p.etype, &p.ntype};
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) RETURN_IF_ERROR(HOST_ARRAY(h, g->num_edges, arrays[i]));
  RETURN_IF_ERROR(end_types(h, end, &end_type));
  RETURN_IF_ERROR(sort_pairs(h, end, end_type, p.order, p.other));
  int64_t pairs = 0, kinds = 0;
  for (int64_t i = 0; i < g->num_edges; i++) {
    int32_t e = p.order[i], before = i ? p.order[i - 1] : -1;
    bool is_new_kind = before < 0 || g->edge_type[before] != g->edge_type[e] || end_type[before] != end_type[e];
    if (is_new_kind) {
      p.etype[kinds] = g->edge_type[e];
      p.ntype[kinds++] = end_type[e];
    }
    if (is_new_kind || end[before] != end[e]) {
      p.node[pairs] = end[e];
      p.type[pairs] = g->edge_type[e];
      p.kind[pairs++] = (int32_t)(kinds - 1);
    }
    p.row[e] = (int32_t)(pairs - 1);
    p.edge_kind[e] = (int32_t)(kinds - 1);
  }
  *out = (host_kinds){.is_found = true, .count = kinds, .etype = p.etype, .ntype = p.ntype, .edge = p.edge_kind};
  out->pairs = (host_edges){.count = pairs, .type = p.type, .row = p.row, .kind = p.kind};
  *(at_end ? &out->pairs.dst : &out->pairs.src) = p.node;
  return STATUS_OK;
}

status host_kinds_of(program_host *h, int end, const host_kinds **out) {
  host_kinds *k = &h->kinds[end];
  *out = k;
  return k->is_found ? STATUS_OK : find_kinds(h, end, k);
}

/* ---- types ------------------------------------------------------------------------------------------------------- */

/* Checks that each type has a row. */
static status check_types(const program_host *h, const int32_t *types, int64_t count, int64_t rows, const char *what) {
  int32_t most = -1;
  for (int64_t i = 0; i < count; i++) most = types[i] > most ? types[i] : most;
  if (most < rows) return STATUS_OK;
  return status_error(STATUS_CODE_mismatch, "%s: '%s' holds type %d, but the model has weights of %" PRId64 " types",
                      h->graph->name, what, most, rows);
}

/* Gives edges of a relation or a union the types of the stored ones. */
static status add_types(program_host *h, const host_edges *edges) {
  const char *dot = strrchr(edges->set, '.');
  bool is_chosen = dot && edge_mode_is_chosen(edge_mode_read(dot + 1));
  if (edges->type || !is_chosen || !edges->base || !edges->base->type) return STATUS_OK;
  int32_t *types;
  RETURN_IF_ERROR(HOST_ARRAY(h, edges->count, &types));
  for (int64_t e = 0; e < edges->count; e++) types[e] = edges->base->type[edges->from[e]];
  ((host_edges *)map_get_pointer(&h->edge_sets, edges->set))->type = types;
  return STATUS_OK;
}

status host_type_of_edges(program_host *h, const host_edges *edges, const char *per, const int32_t **out) {
  int64_t rows;
  const host_kinds *kinds;
  if (!strcmp(per, "etype")) {
    RETURN_IF_ERROR(add_types(h, edges));
    if (!edges->type && edges->count)
      return status_error(STATUS_CODE_mismatch, "%s: edges of '%s' have no types, which the model needs",
                          h->graph->name, edges->set);
    *out = edges->type;
    RETURN_IF_ERROR(host_per_rows(h, per, &rows));
    return check_types(h, edges->type, edges->count, rows, "edge_type");
  }
  RETURN_IF_ERROR(host_kinds_of(h, !strcmp(per, "etype_dst"), &kinds));
  *out = edges->kind ? edges->kind : kinds->edge;
  return STATUS_OK;
}

status host_type_of_nodes(program_host *h, const char *per, const int32_t **out) {
  const graph *g = h->graph;
  bool is_batch = !strcmp(per, "graph");
  int64_t rows;
  *out = is_batch ? g->batch : g->node_type; /* without a batch all nodes belong to one graph */
  if (is_batch) return STATUS_OK;
  if (!g->node_type)
    return status_error(STATUS_CODE_mismatch, "%s: the model needs 'node_type', which the graph does not have",
                        g->name);
  RETURN_IF_ERROR(host_per_rows(h, per, &rows));
  return check_types(h, g->node_type, g->num_nodes, rows, "node_type");
}

status host_part(program_host *h, int64_t type, const int32_t **nodes, int64_t *count) {
  const graph *g = h->graph;
  if (!g->node_type)
    return status_error(STATUS_CODE_mismatch, "%s: has no 'node_type', which the model needs", g->name);
  const char *name = arena_printf(h->memory, ":%" PRId64, type);
  host_order *found = map_get_pointer(&h->orders, name);
  *count = 0;
  for (int64_t n = 0; n < g->num_nodes; n++) *count += g->node_type[n] == type;
  if (!found) {
    int32_t *made;
    RETURN_IF_ERROR(HOST_ARRAY(h, *count, &made));
    for (int64_t n = 0, i = 0; n < g->num_nodes; n++)
      if (g->node_type[n] == type) made[i++] = (int32_t)n;
    found = arena_alloc(h->memory, sizeof *found);
    found->user = made;
    map_set_pointer(&h->orders, name, found);
  }
  *nodes = found->user;
  return STATUS_OK;
}

/* ---- orders ------------------------------------------------------------------------------------------------------ */

static status keep_order(program_host *h, int64_t count, const int32_t *user, host_order *out) {
  int64_t i = 0;
  while (i < count && user[i] == i) i++;
  if (i == count) return STATUS_OK;
  int32_t *row;
  RETURN_IF_ERROR(HOST_ARRAY(h, count, &row));
  for (i = 0; i < count; i++) row[user[i]] = (int32_t)i;
  out->user = user;
  out->row = row;
  return STATUS_OK;
}

/* Returns the end whose node type orders the edges of one type, where a weight per pair of types
 * needs this order: 0 source, 1 destination, -1 neither. */
static int pair_end(const program_host *h) {
  IR_FOR_EACH_FUNC(func, mlirModuleGetOperation(h->module)) {
    IR_FOR_EACH_OP(op, ir_func_body(func))
      if (ir_op_kind(op) == IR_OP(gnn, pair)) return ir_string_is(op, "end", "dst");
  }
  return -1;
}

/* Orders edges of the graph and of unions by type; those of a relation have one. */
static status order_edges(program_host *h, const host_edges *edges, host_order *out) {
  const char *dot = strrchr(edges->set, '.');
  if (dot && edge_mode_read(dot + 1).kind == EDGE_MODE_relation) return STATUS_OK;
  RETURN_IF_ERROR(add_types(h, edges));
  if (!edges->type) return STATUS_OK;
  int end = edges->base ? -1 : pair_end(h);
  int32_t *user;
  RETURN_IF_ERROR(HOST_ARRAY(h, edges->count, &user));
  if (end < 0) {
    RETURN_IF_ERROR(host_sort(edges->count, edges->type, h->graph->num_edge_types, NULL, user));
  } else {
    const host_kinds *kinds;
    RETURN_IF_ERROR(host_kinds_of(h, end, &kinds));
    RETURN_IF_ERROR(host_sort(edges->count, kinds->edge, kinds->count, NULL, user));
  }
  return keep_order(h, edges->count, user, out);
}

static status order_nodes(program_host *h, host_order *out) {
  const graph *g = h->graph;
  if (!h->has_node_order || !g->node_type) return STATUS_OK;
  int32_t *user;
  RETURN_IF_ERROR(HOST_ARRAY(h, g->num_nodes, &user));
  RETURN_IF_ERROR(host_sort(g->num_nodes, g->node_type, g->num_node_types, NULL, user));
  return keep_order(h, g->num_nodes, user, out);
}

static bool is_node_set(const char *rows) {
  static const char *const others[] = {"etype", "ntype", "graph", "etype_src", "etype_dst", "columns", "one"};
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    if (!strcmp(others[i], rows)) return false;
  return !strchr(rows, ':');
}

status host_order_of(program_host *h, const char *rows, const host_order **out) {
  host_order *made = map_get_pointer(&h->orders, rows);
  if (!made) {
    const host_edges *edges;
    made = arena_alloc(h->memory, sizeof *made);
    RETURN_IF_ERROR(host_edges_of_rows(h, rows, &edges));
    if (edges)
      RETURN_IF_ERROR(order_edges(h, edges, made));
    else if (is_node_set(rows))
      RETURN_IF_ERROR(order_nodes(h, made));
    map_set_pointer(&h->orders, arena_strdup(h->memory, rows), made);
  }
  *out = made;
  return STATUS_OK;
}

status program_host_set_order(program_host *h, const char *set, const int32_t **order) {
  const host_order *found;
  RETURN_IF_ERROR(host_order_of(h, set, &found));
  *order = found->user;
  return STATUS_OK;
}

/* ---- segments ---------------------------------------------------------------------------------------------------- */

/* Sets *types to the row of 'per' for each row of a set, in the graph's order; NULL: it is *only
 * for all rows. */
static status types_of_rows(program_host *h, const char *set, const char *per, const int32_t **types, int64_t *only) {
  const host_edges *edges;
  *only = 0;
  *types = NULL;
  if (ir_part_type(set) >= 0) {
    *only = ir_part_type(set);
    return STATUS_OK;
  }
  RETURN_IF_ERROR(host_edges_of_rows(h, set, &edges));
  return edges ? host_type_of_edges(h, edges, per, types) : host_type_of_nodes(h, per, types);
}

static status fill_segments(program_host *h, const char *set, const char *per, int64_t types, int64_t *offsets) {
  int64_t rows, only;
  const int32_t *type;
  const host_order *order;
  RETURN_IF_ERROR(program_host_set_rows(h, set, &rows));
  RETURN_IF_ERROR(host_order_of(h, set, &order));
  RETURN_IF_ERROR(types_of_rows(h, set, per, &type, &only));
  int32_t last = 0;
  for (int64_t r = 0; r < rows; r++) {
    int32_t here = type ? type[order->user ? order->user[r] : r] : (int32_t)only;
    if (here < last || here >= types)
      return status_error(STATUS_CODE_unsupported, "rows of '%s' are not ordered by %s", set, per);
    offsets[here + 1]++;
    last = here;
  }
  for (int64_t t = 0; t < types; t++) offsets[t + 1] += offsets[t];
  return STATUS_OK;
}

status program_host_set_segments(program_host *h, const char *set, const char *per, int64_t *count,
                                 const int64_t **offsets) {
  RETURN_IF_ERROR(host_per_rows(h, per, count));
  int64_t *made = arena_try_alloc_array(h->memory, (size_t)*count + 1, sizeof *made);
  if (!made) return status_error(STATUS_CODE_memory, "no memory for %" PRId64 " segments", *count);
  *offsets = made;
  if (strcmp(set, per) != 0) return fill_segments(h, set, per, *count, made);
  for (int64_t t = 0; t <= *count; t++) made[t] = t;
  return STATUS_OK;
}
