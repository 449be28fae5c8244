/* Finds receptive fields: see receptive_field.h.
 *
 *   0 -> 1 -> 2 -> 3, node 3, 2 hops in: nodes 1, 2, 3 and edges 1 -> 2, 2 -> 3
 *
 * A hop is one pass over all edges, which needs no sorted edges and reads memory in order. */
#include "data/receptive_field.h"

#include <string.h>

typedef struct finder {
  const graph *g;
  const graph_reach *reach;
  bool *has_node, *has_edge;
} finder;

bool receptive_field_has_row(const graph *g, const graph_reach *r, const bool *is_chosen, int64_t edge) {
  return is_chosen[r->follows_out && !r->follows_in ? g->src[edge] : g->dst[edge]];
}

/* Adds the edges at the nodes of `from`, and their other ends; returns whether a node was new. */
static bool add_hop(finder *f, const bool *from, bool follows_in, bool follows_out) {
  const graph *g = f->g;
  bool has_grown = false;
  for (int64_t e = 0; e < g->num_edges; e++) {
    bool is_reached = (follows_in && from[g->dst[e]]) || (follows_out && from[g->src[e]]);
    if (!is_reached) continue;
    has_grown |= !f->has_node[g->src[e]] || !f->has_node[g->dst[e]];
    f->has_edge[e] = f->has_node[g->src[e]] = f->has_node[g->dst[e]] = true;
  }
  return has_grown;
}

static void add_hops(finder *f, arena *a) {
  size_t bytes = (size_t)f->g->num_nodes * sizeof *f->has_node;
  bool *before = arena_alloc(a, bytes + 1);
  if (f->reach->has_edge_rows) {
    /* the rows of these edges, with both ends; the hops go on from there */
    memcpy(before, f->has_node, bytes);
    add_hop(f, before, f->reach->follows_in || !f->reach->follows_out, f->reach->follows_out && !f->reach->follows_in);
  }
  bool grows = f->reach->follows_in || f->reach->follows_out;
  for (int64_t h = 0; h < f->reach->hops && grows; h++) {
    memcpy(before, f->has_node, bytes);
    grows = add_hop(f, before, f->reach->follows_in, f->reach->follows_out);
  }
}

/* Adds graphs of the batch that have a node in the part, and what edges connect with them. */
static void add_graphs(finder *f, arena *a) {
  const graph *g = f->g;
  bool *has_graph = arena_alloc_array(a, (size_t)g->num_graphs + 1, sizeof *has_graph);
  for (bool grows = true; grows;) {
    for (int64_t n = 0; n < g->num_nodes; n++)
      if (f->has_node[n]) has_graph[g->batch[n]] = true;
    for (int64_t n = 0; n < g->num_nodes; n++) f->has_node[n] |= has_graph[g->batch[n]];
    grows = add_hop(f, f->has_node, true, true);
  }
}

static void add_all(finder *f) {
  for (int64_t n = 0; n < f->g->num_nodes; n++) f->has_node[n] = true;
  for (int64_t e = 0; e < f->g->num_edges; e++) f->has_edge[e] = true;
}

/* ---- the part with numbers of its own ---- */

/* Lists the marked indices in rising order, and writes the number of each to `numbers`. */
static int64_t *list_marked(arena *a, const bool *marks, int64_t count, int32_t *numbers, int64_t *found) {
  *found = 0;
  for (int64_t i = 0; i < count; i++) *found += marks[i];
  int64_t *made = arena_alloc_array(a, (size_t)*found + 1, sizeof *made), next = 0;
  for (int64_t i = 0; i < count; i++) {
    if (!marks[i]) continue;
    if (numbers) numbers[i] = (int32_t)next;
    made[next++] = i;
  }
  return made;
}

/* Returns the elements of the listed indices, with new numbers if `numbers` is not NULL; NULL for
 * NULL. */
static const int32_t *take(arena *a, const int32_t *from, const int64_t *indices, int64_t count,
                           const int32_t *numbers) {
  if (!from) return NULL;
  int32_t *made = arena_alloc_array(a, (size_t)count + 1, sizeof *made);
  for (int64_t i = 0; i < count; i++) made[i] = numbers ? numbers[from[indices[i]]] : from[indices[i]];
  return made;
}

static void take_graphs(arena *a, const graph *g, receptive_field *out) {
  if (!g->batch) return;
  bool *has_graph = arena_alloc_array(a, (size_t)g->num_graphs + 1, sizeof *has_graph);
  int32_t *numbers = arena_alloc_array(a, (size_t)g->num_graphs + 1, sizeof *numbers);
  for (int64_t i = 0; i < out->part.num_nodes; i++) has_graph[g->batch[out->nodes[i]]] = true;
  out->graphs = list_marked(a, has_graph, g->num_graphs, numbers, &out->part.num_graphs);
  out->part.batch = take(a, g->batch, out->nodes, out->part.num_nodes, numbers);
}

static void take_part(const finder *f, arena *a, receptive_field *out) {
  const graph *g = f->g;
  graph *part = &out->part;
  int32_t *numbers = arena_alloc_array(a, (size_t)g->num_nodes + 1, sizeof *numbers);
  *out = (receptive_field){.whole = g};
  *part = (graph){.name = g->name, .num_edge_types = g->num_edge_types, .num_node_types = g->num_node_types};
  out->nodes = list_marked(a, f->has_node, g->num_nodes, numbers, &part->num_nodes);
  out->edges = list_marked(a, f->has_edge, g->num_edges, NULL, &part->num_edges);
  part->src = take(a, g->src, out->edges, part->num_edges, numbers);
  part->dst = take(a, g->dst, out->edges, part->num_edges, numbers);
  part->edge_type = take(a, g->edge_type, out->edges, part->num_edges, NULL);
  part->node_type = take(a, g->node_type, out->nodes, part->num_nodes, NULL);
  take_graphs(a, g, out);
}

void receptive_field_find(arena *a, const graph *g, const graph_reach *r, const int64_t *nodes, int64_t count,
                          receptive_field *out) {
  finder f = {.g = g, .reach = r};
  f.has_node = arena_alloc_array(a, (size_t)g->num_nodes + 1, sizeof *f.has_node);
  f.has_edge = arena_alloc_array(a, (size_t)g->num_edges + 1, sizeof *f.has_edge);
  for (int64_t i = 0; i < count; i++) f.has_node[nodes[i]] = true;
  if (r->extent == REACH_hops)
    add_hops(&f, a);
  else if (r->extent == REACH_graphs && g->batch)
    add_graphs(&f, a);
  else
    add_all(&f);
  take_part(&f, a, out);
}
