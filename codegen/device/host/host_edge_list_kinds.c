/* Makes the entries of each kind of edge list. Lists that lead to or from rows of edges follow
 * those rows; lists between nodes follow the graph's edges. */
#include "codegen/device/host/host_edge_list.h"

#include <string.h>

status host_edge_list_of_nonzeros(host_edge_list_parts *r) {
  program_host *h = r->host;
  const graph_csr *x;
  const host_order *nodes;
  int32_t *dst;
  RETURN_IF_ERROR(host_read_sparse(h, ir_operand(r->op, IR_IN(device, edges, of)), &x));
  RETURN_IF_ERROR(host_order_of(h, r->to, &nodes));
  RETURN_IF_ERROR(HOST_ARRAY(h, x->nonzeros, &dst));
  for (int64_t n = 0; n < x->rows; n++)
    for (int64_t i = x->indptr[n]; i < x->indptr[n + 1]; i++) dst[i] = nodes->row ? nodes->row[n] : (int32_t)n;
  r->count = x->nonzeros;
  r->src = x->indices;
  r->dst = dst;
  r->weight = x->data;
  return STATUS_OK;
}

/* ---- edges ------------------------------------------------------------------------------------------------------- */

/* The ends of a kind of edge list, for an edge of the graph: its source or destination node, its
 * own row, its pair, its type. */
typedef enum reference { AT_SRC, AT_DST, AT_ROW, AT_PAIR, AT_TYPE } reference;

static const struct {
  const char *kind;
  bool of_pairs;
  reference from, to;
} kinds[] = {
    {"in", false, AT_SRC, AT_DST},           {"out", false, AT_DST, AT_SRC},
    {"in", true, AT_PAIR, AT_DST},           {"out", true, AT_PAIR, AT_SRC},
    {"gather_src", false, AT_SRC, AT_ROW},   {"gather_dst", false, AT_DST, AT_ROW},
    {"scatter_src", false, AT_ROW, AT_SRC},  {"scatter_dst", false, AT_ROW, AT_DST},
    {"expand", true, AT_PAIR, AT_ROW},       {"collapse", true, AT_ROW, AT_PAIR},
    {"collapse_src", true, AT_SRC, AT_PAIR}, {"collapse_dst", true, AT_DST, AT_PAIR},
    {"type_edge", false, AT_TYPE, AT_ROW},
};

/* Sets *out to the row of one end for each edge, in the order of `edge` (NULL: the graph's). */
static status refer(host_edge_list_parts *r, const host_edges *edges, const host_edges *pairs, reference what,
                    const int32_t **out) {
  program_host *h = r->host;
  const host_order *nodes;
  const int32_t *index = NULL;
  RETURN_IF_ERROR(host_order_of(h, ir_node_set(mlirModuleGetContext(h->module), edges->set), &nodes));
  switch (what) {
  case AT_ROW: return host_edge_list_map(h, r->count, NULL, NULL, out); /* the list is in the order of the rows */
  case AT_SRC: RETURN_IF_ERROR(host_edge_list_map(h, r->count, edges->src, nodes->row, &index)); break;
  case AT_DST: RETURN_IF_ERROR(host_edge_list_map(h, r->count, edges->dst, nodes->row, &index)); break;
  case AT_PAIR: index = pairs ? pairs->row : NULL; break;
  case AT_TYPE: RETURN_IF_ERROR(host_type_of_edges(h, edges, ir_get_string(r->op, "per", "etype"), &index)); break;
  }
  return host_edge_list_map(h, r->count, r->edge, index, out);
}

/* Makes the list from edge rows of the original graph to those of the graph with self loops. */
static status extend(host_edge_list_parts *r, const host_edges *edges) {
  program_host *h = r->host;
  const host_order *base, *own;
  int32_t *src, *dst;
  RETURN_IF_ERROR(host_order_of(h, r->from, &base));
  RETURN_IF_ERROR(host_order_of(h, r->to, &own));
  r->count = edges->kept;
  RETURN_IF_ERROR(HOST_ARRAY(h, r->count, &src));
  RETURN_IF_ERROR(HOST_ARRAY(h, r->count, &dst));
  for (int64_t e = 0; e < r->count; e++) {
    int32_t from = edges->from ? edges->from[e] : (int32_t)e;
    src[e] = base->row ? base->row[from] : from;
    dst[e] = own->row ? own->row[e] : (int32_t)e;
  }
  r->src = src;
  r->dst = dst;
  return STATUS_OK;
}

/* Makes the list from the row of each edge to that of the edge in the opposite direction. */
static status pair_opposites(host_edge_list_parts *r, const host_edges *edges) {
  program_host *h = r->host;
  const host_order *rows;
  const int32_t *opposite;
  int32_t *src, *dst;
  RETURN_IF_ERROR(host_order_of(h, r->to, &rows));
  RETURN_IF_ERROR(host_opposite_edges(h, edges, &opposite));
  for (int64_t e = 0; e < edges->count; e++) r->count += opposite[e] >= 0;
  RETURN_IF_ERROR(HOST_ARRAY(h, r->count, &src));
  RETURN_IF_ERROR(HOST_ARRAY(h, r->count, &dst));
  for (int64_t e = 0, at = 0; e < edges->count; e++) {
    if (opposite[e] < 0) continue;
    src[at] = rows->row ? rows->row[opposite[e]] : opposite[e];
    dst[at++] = rows->row ? rows->row[e] : (int32_t)e;
  }
  r->src = src;
  r->dst = dst;
  return STATUS_OK;
}

status host_edge_list_of_edges(host_edge_list_parts *r, const char *kind) {
  program_host *h = r->host;
  MlirValue given = ir_operand(r->op, IR_IN(device, edges, pairs));
  const host_edges *edges, *pairs = NULL;
  const char *set = ir_type_of(ir_operand(r->op, IR_IN(device, edges, of))).set;
  RETURN_IF_ERROR(host_edge_parts(h, set, &edges));
  if (!mlirValueIsNull(given)) RETURN_IF_ERROR(host_edge_set(h, ir_type_of(given).set, &pairs));
  if (!strcmp(kind, "extend")) return extend(r, edges);
  if (!strcmp(kind, "opposite")) {
    RETURN_IF_ERROR(host_edge_set(h, set, &edges));
    return pair_opposites(r, edges);
  }
  size_t i = 0, count = sizeof kinds / sizeof *kinds;
  while (i < count && (strcmp(kinds[i].kind, kind) != 0 || kinds[i].of_pairs != (pairs != NULL))) i++;
  if (i == count) return status_error(STATUS_CODE_unsupported, "there is no edge list of kind '%s'", kind);
  r->count = edges->count;
  r->reaches_all = edges->has_loops && kinds[i].to <= AT_DST;
  if (kinds[i].from == AT_ROW || kinds[i].to == AT_ROW) {
    const host_order *rows;
    RETURN_IF_ERROR(host_order_of(h, kinds[i].from == AT_ROW ? r->from : r->to, &rows));
    r->edge = rows->user;
  }
  const host_order *nodes;
  RETURN_IF_ERROR(host_order_of(h, ir_node_set(mlirModuleGetContext(h->module), edges->set), &nodes));
  if (r->reaches_all && kinds[i].from <= AT_DST && !nodes->row) {
    r->loops = edges->count - edges->kept;
    r->loop = edges->loop;
    r->src = kinds[i].from == AT_SRC ? edges->kept_src : edges->kept_dst;
    r->dst = kinds[i].to == AT_SRC ? edges->kept_src : edges->kept_dst;
    return STATUS_OK;
  }
  RETURN_IF_ERROR(host_edge_set(h, set, &edges));
  RETURN_IF_ERROR(refer(r, edges, pairs, kinds[i].from, &r->src));
  return refer(r, edges, pairs, kinds[i].to, &r->dst);
}

/* ---- nodes ------------------------------------------------------------------------------------------------------- */

/* Lists the nodes of a type (or all others) with their rows among all nodes, and their rows in the
 * part. */
static status list_part(host_edge_list_parts *r, const char *kind) {
  program_host *h = r->host;
  int64_t type = ir_get_integer(r->op, "type", 0), count;
  const int32_t *nodes, *of_part, *of_whole;
  const host_order *order;
  bool is_others = !strcmp(kind, "others"), to_whole = strcmp(kind, "part") != 0;
  RETURN_IF_ERROR(host_order_of(h, to_whole ? r->to : r->from, &order));
  RETURN_IF_ERROR(host_part(h, type, &nodes, &count));
  if (is_others) {
    int32_t *rest;
    int64_t among = 0;
    RETURN_IF_ERROR(HOST_ARRAY(h, h->graph->num_nodes - count, &rest));
    for (int64_t n = 0; n < h->graph->num_nodes; n++)
      if (h->graph->node_type[n] != type) rest[among++] = (int32_t)n;
    nodes = rest;
    count = among;
  }
  r->count = count;
  RETURN_IF_ERROR(host_edge_list_map(h, count, nodes, order->row, &of_whole));
  if (is_others) {
    r->src = r->dst = of_whole;
    return STATUS_OK;
  }
  RETURN_IF_ERROR(host_edge_list_map(h, count, NULL, NULL, &of_part));
  r->src = to_whole ? of_part : of_whole;
  r->dst = to_whole ? of_whole : of_part;
  return STATUS_OK;
}

/* Lists each node row with the row of its type or graph, which is 0 where nodes have none. */
static status list_types(host_edge_list_parts *r, const char *kind) {
  program_host *h = r->host;
  bool to_graph = !strcmp(kind, "pool"), is_batch = to_graph || !strcmp(kind, "unpool");
  const host_order *order;
  const int32_t *types, *nodes, *rows;
  RETURN_IF_ERROR(host_order_of(h, to_graph ? r->from : r->to, &order));
  RETURN_IF_ERROR(host_type_of_nodes(h, is_batch ? "graph" : ir_get_string(r->op, "per", "ntype"), &types));
  r->count = h->graph->num_nodes;
  if (types) {
    RETURN_IF_ERROR(host_edge_list_map(h, r->count, order->user, types, &rows));
  } else {
    int32_t *zeros;
    RETURN_IF_ERROR(HOST_ARRAY(h, r->count, &zeros));
    memset(zeros, 0, (size_t)r->count * sizeof *zeros);
    rows = zeros;
  }
  RETURN_IF_ERROR(host_edge_list_map(h, r->count, NULL, NULL, &nodes));
  r->src = to_graph ? nodes : rows;
  r->dst = to_graph ? rows : nodes;
  return STATUS_OK;
}

/* Lists the only row of "one" with all rows of the other set. */
static status list_all(host_edge_list_parts *r, bool to_one) {
  int32_t *zeros;
  const int32_t *all;
  RETURN_IF_ERROR(program_host_set_rows(r->host, to_one ? r->from : r->to, &r->count));
  RETURN_IF_ERROR(HOST_ARRAY(r->host, r->count, &zeros));
  memset(zeros, 0, (size_t)r->count * sizeof *zeros);
  RETURN_IF_ERROR(host_edge_list_map(r->host, r->count, NULL, NULL, &all));
  r->src = to_one ? all : zeros;
  r->dst = to_one ? zeros : all;
  return STATUS_OK;
}

status host_edge_list_of_nodes(host_edge_list_parts *r, const char *kind) {
  if (!strcmp(kind, "broadcast") || !strcmp(kind, "total")) return list_all(r, !strcmp(kind, "total"));
  if (!strcmp(kind, "part") || !strcmp(kind, "unite") || !strcmp(kind, "others")) return list_part(r, kind);
  return list_types(r, kind);
}
