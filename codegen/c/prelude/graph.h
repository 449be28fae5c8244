/* Edge sets: checked, made from others (self loops, relations) and grouped by their ends when a graph is bound. See real.h for how parts are used. */
#include "codegen/c/prelude/sort.h"
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
  const int32_t *opposite; /* [num_edges] position -> that of the edge in the opposite direction, -1: there is none */
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
  const int64_t *piece_ptr;                                     /* piece -> its first entry */
  const int32_t *piece_order;                                   /* entry -> node; NULL: entries are nodes */
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

//@ graph_context
/* Who takes part in bind; a caller of an earlier version has no such member. */
static const gnnc_context *graph_context(const gnnc_graph *graph) {
  return graph->size >= offsetof(gnnc_graph, context) + sizeof graph->context ? graph->context : NULL;
}

//@ edge_check
typedef struct edge_check {
  const gnnc_graph *graph;
  int64_t bad[64]; /* by chunk: its first edge with an end that is no node, or -1 */
} edge_check;

//@ check_chunk
static void check_chunk(void *data, int64_t chunk) {
  edge_check *c = (edge_check *)data;
  const int32_t *const src = c->graph->src, *const dst = c->graph->dst;
  const uint32_t limit = (uint32_t)c->graph->num_nodes;
  int64_t e = first_edge(c->graph->num_edges, chunk);
  const int64_t end = first_edge(c->graph->num_edges, chunk + 1);
  int is_bad = 0;
  for (int64_t i = e; i < end; i++) is_bad |= ((uint32_t)src[i] >= limit) | ((uint32_t)dst[i] >= limit);
  c->bad[chunk] = -1;
  if (!is_bad) return;
  while ((uint32_t)src[e] < limit && (uint32_t)dst[e] < limit) e++;
  c->bad[chunk] = e;
}

//@ check_graph
/* Counts and endpoints of the caller's graph. */
static gnnc_result check_graph(const gnnc_graph *graph, int64_t *index) {
  if (graph->size < offsetof(gnnc_graph, context)) {
    *index = (int64_t)graph->size;
    return GNNC_ERROR_VERSION;
  }
  const gnnc_context *const context = graph_context(graph);
  if (context && context->size < offsetof(gnnc_context, step)) {
    *index = (int64_t)context->size;
    return GNNC_ERROR_VERSION;
  }
  if (!has_possible_counts(graph)) return GNNC_ERROR_COUNT;
  if (graph->num_edges && (!graph->src || !graph->dst)) {
    *index = graph->src ? 4 : 3;
    return GNNC_ERROR_NULL;
  }
  const int64_t chunks = edge_chunks(graph->num_edges);
  edge_check c;
  c.graph = graph;
  for_parts(context, chunks, check_chunk, &c);
  for (int64_t chunk = 0; chunk < chunks; chunk++) {
    if (c.bad[chunk] < 0) continue;
    *index = c.bad[chunk];
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

//@ ends_check
typedef struct ends_check {
  const gnnc_graph *graph;
  const int32_t *ends; /* edges of type t lead from ends[2 * t] to ends[2 * t + 1]; -1: nodes of any type */
  int64_t bad[64];     /* by chunk: its first edge with other ends, or -1 */
} ends_check;

//@ check_ends_of_chunk
static void check_ends_of_chunk(void *data, int64_t chunk) {
  ends_check *c = (ends_check *)data;
  const gnnc_graph *const graph = c->graph;
  const int64_t end = first_edge(graph->num_edges, chunk + 1);
  c->bad[chunk] = -1;
  for (int64_t e = first_edge(graph->num_edges, chunk); e < end; e++) {
    const int32_t *const of = c->ends + 2 * (int64_t)graph->edge_type[e];
    if ((of[0] < 0 || graph->node_type[graph->src[e]] == of[0]) &&
        (of[1] < 0 || graph->node_type[graph->dst[e]] == of[1]))
      continue;
    c->bad[chunk] = e;
    return;
  }
}

//@ check_ends
/* The types of nodes at the ends of each edge; all types are in range. */
static gnnc_result check_ends(const gnnc_graph *graph, const int32_t *ends, int64_t *index) {
  const int64_t chunks = edge_chunks(graph->num_edges);
  ends_check c;
  c.graph = graph;
  c.ends = ends;
  for_parts(graph_context(graph), chunks, check_ends_of_chunk, &c);
  for (int64_t chunk = 0; chunk < chunks; chunk++) {
    if (c.bad[chunk] < 0) continue;
    *index = c.bad[chunk];
    return GNNC_ERROR_EDGE_ENDS;
  }
  return GNNC_OK;
}

//@ check_integers
/* Rows of integers: element i of each in ranges[2 * i] .. ranges[2 * i + 1]. */
static gnnc_result check_integers(const int32_t *values, int64_t rows, int64_t elements, const int32_t *ranges) {
  for (int64_t r = 0; r < rows; r++)
    for (int64_t i = 0; i < elements; i++)
      if (values[r * elements + i] < ranges[2 * i] || values[r * elements + i] > ranges[2 * i + 1])
        return GNNC_ERROR_INDEX_RANGE;
  return GNNC_OK;
}

//@ keep_batch
/* The graph of each node, 0 where there is no batch. */
static void keep_batch(const gnnc_graph *graph, int32_t *to) {
  for (int64_t n = 0; n < graph->num_nodes; n++) to[n] = graph->batch ? graph->batch[n] : 0;
}

//@ made_set
/* A set as it is made from another one. */
typedef struct made_set {
  const gnnc_context *context;
  int64_t num_nodes, num_edges;
  const int32_t *src, *dst;  /* [num_edges] of the set that it is made from */
  const unsigned char *ways; /* where edges are chosen, else NULL: by type, 0: not, 1: as it is, 2: reversed, 3: both */
  const int32_t *types;      /* [num_edges] types of edges; NULL: they do not matter */
  int32_t last_type;         /* types from this one on have its ways */
  int most;                  /* stored loops of a node that stay, its last ones: 0, 1, or -1 for all */
  int adds;                  /* whether nodes without a loop get one */
  int32_t *mark;             /* [num_nodes] the last stored loop of a node, or -1 */
  int32_t *to_src, *to_dst, *to_base; /* room for each way of each edge and for a loop per node; to_base may be NULL */
  int64_t loops[64], first[65];       /* by chunk: stored loops, and where its kept edges go */
} made_set;

//@ edge_ways
/* How an edge stands in the set: 0: not, 1: as it is, 2: reversed, 3: both; a self loop is its own reverse. */
static inline int edge_ways(const made_set *s, int64_t e) {
  const int is_loop = s->src[e] == s->dst[e];
  if (!s->ways) return !is_loop || s->most < 0 || (s->most && s->mark[s->src[e]] == e);
  const int way = s->ways[s->types && s->types[e] < s->last_type ? s->types[e] : s->last_type];
  return is_loop ? way != 0 : way;
}

//@ count_loops
static void count_loops(void *data, int64_t chunk) {
  made_set *s = (made_set *)data;
  const int64_t end = first_edge(s->num_edges, chunk + 1);
  int64_t loops = 0;
  for (int64_t e = first_edge(s->num_edges, chunk); e < end; e++) loops += s->src[e] == s->dst[e];
  s->loops[chunk] = loops;
}

//@ keep_edges
static void keep_edges(void *data, int64_t chunk) {
  const made_set *s = (const made_set *)data;
  const int64_t begin = first_edge(s->num_edges, chunk), end = first_edge(s->num_edges, chunk + 1);
  int64_t at = s->first[chunk];
  if (!s->ways && s->first[chunk + 1] - at == end - begin) {
    memcpy(s->to_src + at, s->src + begin, (size_t)(end - begin) * sizeof *s->src);
    memcpy(s->to_dst + at, s->dst + begin, (size_t)(end - begin) * sizeof *s->dst);
    for (int64_t e = begin; s->to_base && e < end; e++) s->to_base[at + e - begin] = (int32_t)e;
    return;
  }
  for (int64_t e = begin; e < end; e++) {
    const int ways = edge_ways(s, e);
    for (int back = 0; back < 2; back++) {
      if (!(ways & (1 << back))) continue;
      s->to_src[at] = back ? s->dst[e] : s->src[e];
      s->to_dst[at] = back ? s->src[e] : s->dst[e];
      if (s->to_base) s->to_base[at] = (int32_t)e;
      at++;
    }
  }
}

//@ make_edge_set
/* Kept edges in their order, then new loops at nodes that have none left, by node. Returns the number of edges. */
static int64_t make_edge_set(made_set *s) {
  const int64_t chunks = edge_chunks(s->num_edges);
  for (int64_t n = 0; n < s->num_nodes; n++) s->mark[n] = -1;
  for_parts(s->context, chunks, count_loops, s);
  for (int64_t chunk = 0; chunk < chunks; chunk++)
    for (int64_t e = first_edge(s->num_edges, chunk);
         s->most && s->loops[chunk] && e < first_edge(s->num_edges, chunk + 1); e++)
      if (s->src[e] == s->dst[e]) s->mark[s->src[e]] = (int32_t)e;
  s->first[0] = 0;
  for (int64_t chunk = 0; chunk < chunks; chunk++) {
    const int64_t begin = first_edge(s->num_edges, chunk), end = first_edge(s->num_edges, chunk + 1);
    int64_t kept = end - begin;
    for (int64_t e = begin; (s->ways || s->loops[chunk]) && e < end; e++) kept += (edge_ways(s, e) + 1) / 2 - 1;
    s->first[chunk + 1] = s->first[chunk] + kept;
  }
  for_parts(s->context, chunks, keep_edges, s);
  int64_t count = s->first[chunks];
  for (int64_t n = 0; s->adds && n < s->num_nodes; n++) {
    if (s->mark[n] >= 0) continue;
    s->to_src[count] = s->to_dst[count] = (int32_t)n;
    if (s->to_base) s->to_base[count] = -1;
    count++;
  }
  return count;
}

//@ find_opposites
/* Pairs the edges into each node with those out of it, so that the first of parallel edges meets the first one in the opposite direction.
 * `first`, per node, and `next`, per edge, list the edges out of one node by their destinations. */
static void find_opposites(const edge_set *s, int32_t *first, int32_t *next, int32_t *opposite) {
  for (int64_t n = 0; n < s->num_nodes; n++) first[n] = -1;
  for (int64_t n = 0; n < s->num_nodes; n++) {
    for (int64_t i = s->out_ptr[n + 1]; i-- > s->out_ptr[n];) {
      next[i] = first[s->out_dst[i]];
      first[s->out_dst[i]] = (int32_t)i;
    }
    for (int64_t p = s->in_ptr[n]; p < s->in_ptr[n + 1]; p++) {
      const int32_t at = first[s->src[p]];
      opposite[p] = at < 0 ? -1 : s->out_position[at];
      if (at >= 0) first[s->src[p]] = next[at];
    }
    for (int64_t i = s->out_ptr[n]; i < s->out_ptr[n + 1]; i++) first[s->out_dst[i]] = -1;
  }
}

//@ cut_pieces
/* Cuts the nodes into pieces of consecutive ones; few nodes are one piece, and the others are empty. */
static void cut_pieces(int64_t num_nodes, int64_t pieces, int64_t *ptr) {
  for (int64_t i = 0; i <= pieces; i++) ptr[i] = num_nodes < 4096 ? (i ? num_nodes : 0) : num_nodes * i / pieces;
}

//@ group_edges
/* A stable counting sort of a few: order[i] is the edge at place i when edges are grouped by `key`; those of node n are at ptr[n] .. ptr[n + 1] - 1. */
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
