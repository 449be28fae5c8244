/* Pairs the edges into a node with those out of it: see graph_opposite.h. */
#include "data/graph_opposite.h"

#include "support/arena.h"

/* Lists of edges by one of their ends, in their order: the first edge at each node, and the next one of each edge; -1
 * ends a list. */
typedef struct edge_lists {
  int32_t *first; /* [num_nodes] */
  int32_t *next;  /* [num_edges] */
} edge_lists;

static bool make_lists(arena *a, int64_t num_nodes, int64_t num_edges, edge_lists *out) {
  out->first = arena_try_alloc_array(a, (size_t)num_nodes, sizeof *out->first);
  out->next = arena_try_alloc_array(a, (size_t)num_edges, sizeof *out->next);
  for (int64_t n = 0; out->first && n < num_nodes; n++) out->first[n] = -1;
  return out->first && out->next;
}

static void put_first(edge_lists *lists, int32_t node, int32_t edge) {
  lists->next[edge] = lists->first[node];
  lists->first[node] = edge;
}

static int32_t take_first(edge_lists *lists, int32_t node) {
  int32_t edge = lists->first[node];
  if (edge >= 0) lists->first[node] = lists->next[edge];
  return edge;
}

bool graph_opposite_edges(int64_t num_nodes, int64_t num_edges, const int32_t *src, const int32_t *dst,
                          int32_t *opposite) {
  arena *a = arena_create();
  edge_lists into = {0}, out_of = {0}, to = {0}; /* `to`: the edges out of one node, by their destinations */
  bool is_made = make_lists(a, num_nodes, num_edges, &into) && make_lists(a, num_nodes, num_edges, &out_of) &&
                 make_lists(a, num_nodes, num_edges, &to);
  for (int64_t e = num_edges - 1; is_made && e >= 0; e--) put_first(&into, dst[e], (int32_t)e);
  for (int64_t e = 0; is_made && e < num_edges; e++) put_first(&out_of, src[e], (int32_t)e); /* the last edge first */
  for (int64_t n = 0; is_made && n < num_nodes; n++) {
    for (int32_t e = out_of.first[n]; e >= 0; e = out_of.next[e]) put_first(&to, dst[e], e);
    for (int32_t e = into.first[n]; e >= 0; e = into.next[e]) opposite[e] = take_first(&to, src[e]);
    for (int32_t e = out_of.first[n]; e >= 0; e = out_of.next[e]) to.first[dst[e]] = -1;
  }
  arena_destroy(a);
  return is_made;
}
