/* Counts rows by name: see graph_rows.h. */
#include "data/graph_rows.h"

#include "data/graph_power.h"
#include "support/edge_mode.h"

#include <string.h>

/* Edges of a set, those of them that are self loops, and the nodes that have one. */
typedef struct edge_count {
  int64_t edges, loops, looped;
} edge_count;

/* Counts the stored edges, all or those of one type; false without memory. */
static bool count_stored(const graph *g, const int64_t *type, edge_count *c) {
  arena *a = arena_create();
  unsigned char *has_loop = arena_try_alloc_array(a, (size_t)g->num_nodes, 1);
  for (int64_t e = 0; has_loop && e < g->num_edges; e++) {
    if (type && (!g->edge_type || g->edge_type[e] != *type)) continue;
    c->edges++;
    if (g->src[e] != g->dst[e]) continue;
    c->loops++;
    c->looped += !has_loop[g->src[e]];
    has_loop[g->src[e]] = 1;
  }
  bool is_known = has_loop != NULL;
  arena_destroy(a);
  return is_known;
}

/* Counts the pairs of nodes with a path of at most `most` edges, all or those of one type. */
static bool count_power(const graph *g, const int64_t *type, int64_t most, edge_count *c) {
  graph_power p = {g->num_nodes, g->num_edges, g->src, g->dst, .most = most};
  if (type && !g->edge_type) p.num_edges = 0;
  if (type) p.type = g->edge_type, p.wanted = *type;
  *c = (edge_count){.edges = graph_power_edges(&p, NULL, NULL)};
  return c->edges >= 0;
}

static void change_loops(int64_t nodes, edge_mode mode, edge_count *c) {
  int64_t kept = edge_mode_kept_loops(mode) < 0 ? c->loops : edge_mode_kept_loops(mode) ? c->looped : 0;
  int64_t added = edge_mode_has_loops(mode) ? nodes - (kept ? c->looped : 0) : 0;
  c->edges += kept + added - c->loops;
  c->loops = kept + added;
  c->looped = edge_mode_has_loops(mode) ? nodes : 0;
}

/* Returns the number of edges of a set that was made from g: ".add_remaining", ".relation2", ".power3", or several such
 * suffixes. Self loops change no power. -1: unknown. */
static int64_t edges_of_made(const graph *g, const char *suffixes) {
  edge_mode first = edge_mode_read(suffixes + 1);
  bool is_relation = first.kind == EDGE_MODE_relation;
  edge_count c = {0};
  if (!count_stored(g, is_relation ? &first.number : NULL, &c)) return -1;
  for (const char *at = is_relation ? strchr(suffixes + 1, '.') : suffixes; at; at = strchr(at + 1, '.')) {
    edge_mode mode = edge_mode_read(at + 1);
    if (mode.kind == EDGE_MODE_none || mode.kind == EDGE_MODE_relation) return -1;
    if (mode.kind != EDGE_MODE_power)
      change_loops(g->num_nodes, mode, &c);
    else if (!count_power(g, is_relation ? &first.number : NULL, mode.number, &c))
      return -1;
  }
  return c.edges;
}

/* Counts the nodes of a type, or the original edges at such nodes; `ends` is NULL for nodes. */
static int64_t count_at_type(const graph *g, const char *type_text, const int32_t *ends) {
  int64_t type = 0, found = 0;
  for (const char *at = type_text; *at >= '0' && *at <= '9' && type <= INT32_MAX; at++) type = 10 * type + (*at - '0');
  for (int64_t i = 0; i < (ends ? g->num_edges : g->num_nodes); i++)
    found += (g->node_type ? g->node_type[ends ? ends[i] : i] : 0) == type;
  return found;
}

/* Counts ordered pairs of nodes of one graph; -1: there is no memory. */
static int64_t count_pairs(const graph *g) {
  if (!g->batch) return g->num_nodes * g->num_nodes;
  arena *a = arena_create();
  int64_t *sizes = arena_try_alloc_array(a, (size_t)g->num_graphs, sizeof *sizes), pairs = 0;
  for (int64_t n = 0; sizes && n < g->num_nodes; n++) pairs += 2 * sizes[g->batch[n]]++ + 1;
  bool is_known = sizes != NULL;
  arena_destroy(a);
  return is_known ? pairs : -1;
}

static bool begins_with(const char *s, const char *prefix) {
  return !strncmp(s, prefix, strlen(prefix));
}

int64_t graph_rows_count(const graph *g, const char *rows) {
  if (!strcmp(rows, "one")) return 1;
  if (!strcmp(rows, "graph")) return g->batch ? g->num_graphs : 1;
  const char *type = strrchr(rows, ':'), *suffixes = strchr(rows, '.');
  bool has_type = type && type != strchr(rows, ':');
  if (begins_with(rows, "node:")) return has_type ? count_at_type(g, type + 1, NULL) : g->num_nodes;
  if (begins_with(rows, "pair:")) return count_pairs(g);
  if (begins_with(rows, "edge:")) return suffixes ? edges_of_made(g, suffixes) : g->num_edges;
  graph_field field;
  if (begins_with(rows, "nonzero:") && g->tensors && graph_find_field(g, rows + strlen("nonzero:"), &field))
    return field.nonzeros;
  if (!has_type || suffixes) return -1;
  if (begins_with(rows, "in:")) return count_at_type(g, type + 1, g->dst);
  return begins_with(rows, "out:") ? count_at_type(g, type + 1, g->src) : -1;
}
