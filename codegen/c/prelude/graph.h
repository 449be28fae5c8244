/* Edge sets: checked, extended by self loops and grouped by their ends when a graph is bound. See real.h for how parts are used. */
#include "runtime/gnnc/abi.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

//@ edge_set
/* The edges of one set, in positions 0 .. num_edges - 1; what a model does not use is NULL. Where in_ptr is there, edges are stored by
 * destination and position p is not the edge's number. Edges of a unique set are pairs of edge type and end node, stored by type. */
typedef struct edge_set {
  int64_t num_nodes, num_edges;
  const int64_t *in_ptr;       /* [num_nodes + 1] edges into node n: positions in_ptr[n] .. in_ptr[n + 1] - 1 */
  const int32_t *src, *dst;    /* [num_edges] by position */
  const int32_t *number;       /* [num_edges] position -> number in the order of the set */
  const int32_t *position;     /* [num_edges] number -> position */
  const int32_t *base;         /* [num_edges] position -> number in the set this one was made from, -1 for new loops */
  const int32_t *type;         /* [num_edges] by position */
  const int64_t *out_ptr;      /* [num_nodes + 1] edges out of node n: entries out_ptr[n] .. out_ptr[n + 1] - 1 */
  const int32_t *out_dst;      /* [num_edges] by entry */
  const int32_t *out_position; /* [num_edges] entry -> position */
  /* Pairs of edge type and end node. */
  const int32_t *in_position; /* [num_edges] entry of in_ptr -> position, in unique sets */
  const int32_t *row;         /* position in the graph -> pair, in unique sets */
  const int64_t *member_ptr;  /* [num_edges + 1] edges of pair u: entries member_ptr[u] .. member_ptr[u + 1] - 1 */
  const int32_t *member;      /* entry -> position in the graph */
  /* Types; a kind is a pair of edge type and type of an end node. */
  const int32_t *kind_src, *kind_dst;                           /* [num_edges] by position */
  const int64_t *etype_ptr, *kind_src_ptr, *kind_dst_ptr;       /* type -> its first entry */
  const int32_t *etype_order, *kind_src_order, *kind_dst_order; /* [num_edges] entry -> position; NULL: the same */
  const int32_t *node_type, *batch;                             /* [num_nodes]; batch: graph of each node */
  const int64_t *ntype_ptr;                                     /* type -> its first entry */
  const int32_t *ntype_order;                                   /* entry -> node */
  const int32_t *place;                                         /* [num_nodes] place among nodes of the same type */
  const int64_t *graph_ptr;                                     /* graph of a batch -> its first entry */
  const int32_t *graph_order;                                   /* entry -> node */
  const int32_t *src_kind_etype, *src_kind_ntype;               /* the types of each kind at sources */
  const int32_t *dst_kind_etype, *dst_kind_ntype;               /* at destinations */
  const int32_t *part;                                          /* nodes of one type: row -> node */
} edge_set;

//@ has_possible_counts
/* Nodes, edges with a new self loop at each node, and graphs are counted by int32_t. */
static int has_possible_counts(const gnnc_graph *graph) {
  return graph->num_nodes >= 0 && graph->num_nodes < INT32_MAX && graph->num_edges >= 0 &&
         graph->num_edges <= INT32_MAX - graph->num_nodes && graph->num_graphs >= 0 && graph->num_graphs < INT32_MAX;
}

//@ count_graphs
/* Graphs of a batch; a graph that is no batch is one. */
static int64_t count_graphs(const gnnc_graph *graph) {
  return graph->batch || graph->num_graphs ? graph->num_graphs : 1;
}

//@ check_graph
/* Counts and endpoints of the caller's graph. */
static gnnc_result check_graph(const gnnc_graph *graph, int64_t *index) {
  if (graph->size < sizeof *graph) {
    *index = (int64_t)graph->size;
    return GNNC_ERROR_VERSION;
  }
  if (!has_possible_counts(graph)) return GNNC_ERROR_COUNT;
  if (graph->num_edges && (!graph->src || !graph->dst)) {
    *index = graph->src ? 4 : 3;
    return GNNC_ERROR_NULL;
  }
  for (int64_t e = 0; e < graph->num_edges; e++) {
    if (graph->src[e] >= 0 && graph->src[e] < graph->num_nodes && graph->dst[e] >= 0 &&
        graph->dst[e] < graph->num_nodes)
      continue;
    *index = e;
    return GNNC_ERROR_EDGE_RANGE;
  }
  return GNNC_OK;
}

//@ check_types
/* Types (or graphs of a batch) of `count` edges or nodes, each in 0 .. limit - 1; `position` is the array's in gnnc_graph. */
static gnnc_result check_types(const int32_t *types, int64_t count, int64_t limit, int64_t position, int64_t *index) {
  if (count && !types) {
    *index = position;
    return GNNC_ERROR_NULL;
  }
  for (int64_t i = 0; i < count; i++) {
    if (types[i] >= 0 && types[i] < limit) continue;
    *index = i;
    return GNNC_ERROR_TYPE_RANGE;
  }
  return GNNC_OK;
}

//@ keep_batch
/* The graph of each node, 0 where there is no batch. */
static void keep_batch(const gnnc_graph *graph, int32_t *to) {
  for (int64_t n = 0; n < graph->num_nodes; n++) to[n] = graph->batch ? graph->batch[n] : 0;
}

//@ add_self_loops
/* Makes a set with self loops: kept edges in their order, then new loops at nodes that have none left, by node. Of the stored loops of a
 * node the last `most` stay (0, 1, or -1 for all). `mark` is room for a number per node. Returns the number of edges. */
static int64_t add_self_loops(int64_t num_nodes, int64_t num_edges, const int32_t *src, const int32_t *dst, int most,
                              int32_t *mark, int32_t *to_src, int32_t *to_dst, int32_t *to_base) {
  int64_t count = 0;
  for (int64_t n = 0; n < num_nodes; n++) mark[n] = -1;
  for (int64_t e = 0; e < num_edges; e++)
    if (most && src[e] == dst[e]) mark[src[e]] = (int32_t)e;
  for (int64_t e = 0; e < num_edges; e++) {
    if (src[e] == dst[e] && most >= 0 && mark[src[e]] != e) continue;
    to_src[count] = src[e];
    to_dst[count] = dst[e];
    to_base[count++] = (int32_t)e;
  }
  for (int64_t n = 0; n < num_nodes; n++) {
    if (mark[n] >= 0) continue;
    to_src[count] = to_dst[count] = (int32_t)n;
    to_base[count++] = -1;
  }
  return count;
}

//@ group_edges
/* A stable counting sort: order[i] is the edge at place i when edges are grouped by `key`; those of node n are at ptr[n] .. ptr[n + 1] - 1. */
static void group_edges(int64_t num_nodes, int64_t num_edges, const int32_t *key, int64_t *ptr, int32_t *order) {
  for (int64_t n = 0; n <= num_nodes; n++) ptr[n] = 0;
  for (int64_t e = 0; e < num_edges; e++) ptr[key[e] + 1]++;
  for (int64_t n = 0; n < num_nodes; n++) ptr[n + 1] += ptr[n];
  for (int64_t e = 0; e < num_edges; e++) order[ptr[key[e]]++] = (int32_t)e;
  for (int64_t n = num_nodes; n > 0; n--) ptr[n] = ptr[n - 1];
  ptr[0] = 0;
}

//@ permute
/* to[i] = from[order[i]]; a NULL order copies. */
static void permute(int64_t count, const int32_t *from, const int32_t *order, int32_t *to) {
  for (int64_t i = 0; i < count; i++) to[i] = from[order ? order[i] : i];
}

//@ invert
/* to[order[i]] = i. */
static void invert(int64_t count, const int32_t *order, int32_t *to) {
  for (int64_t i = 0; i < count; i++) to[order[i]] = (int32_t)i;
}

//@ check_csr
/* Rows in order and columns in range. */
static gnnc_result check_csr(const gnnc_csr *x, int64_t rows, int64_t columns) {
  if (!x->indptr) return GNNC_ERROR_NULL;
  if (x->indptr[0] < 0) return GNNC_ERROR_CSR;
  for (int64_t n = 0; n < rows; n++)
    if (x->indptr[n + 1] < x->indptr[n]) return GNNC_ERROR_CSR;
  if (x->indptr[rows] > x->indptr[0] && (!x->indices || !x->data)) return GNNC_ERROR_NULL;
  int bad = 0;
  for (int64_t k = x->indptr[0]; k < x->indptr[rows]; k++) bad |= (x->indices[k] < 0) | (x->indices[k] >= columns);
  return bad ? GNNC_ERROR_CSR : GNNC_OK;
}
