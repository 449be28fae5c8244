/* Counts rows by name: see graph_rows.h. */
#include "data/graph_rows.h"

#include "data/graph_choice.h"
#include "data/graph_power.h"
#include "support/edge_mode.h"

#include <string.h>

/* Edges of a set, those of them that are self loops, and the nodes that have one. */
typedef struct edge_count {
  int64_t edges, loops, looped;
} edge_count;

/* The edges that the first suffix of a name chooses, or all of a graph. */
typedef struct edge_ends {
  int64_t count;
  const int32_t *src, *dst;
} edge_ends;

/* Chooses the edges of a relation or a union; false without memory or types. */
static bool choose_ends(arena *a, const graph *g, const char *mode, edge_ends *out) {
  graph_choice c = {g->num_edges, g->src, g->dst, g->edge_type, mode};
  out->count = graph_choice_edges(&c, NULL, NULL, NULL);
  if (out->count < 0) return false;
  int32_t *src = arena_try_alloc_array(a, (size_t)out->count, sizeof *src);
  int32_t *dst = arena_try_alloc_array(a, (size_t)out->count, sizeof *dst);
  out->src = src;
  out->dst = dst;
  return src && dst && graph_choice_edges(&c, src, dst, NULL) >= 0;
}

/* Counts edges, loops and nodes that have one; false without memory. */
static bool count_ends(arena *a, int64_t nodes, const edge_ends *ends, edge_count *c) {
  unsigned char *has_loop = arena_try_alloc_array(a, (size_t)nodes, 1);
  *c = (edge_count){.edges = ends->count};
  for (int64_t e = 0; has_loop && e < ends->count; e++) {
    if (ends->src[e] != ends->dst[e]) continue;
    c->loops++;
    c->looped += !has_loop[ends->src[e]];
    has_loop[ends->src[e]] = 1;
  }
  return has_loop != NULL;
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
static int64_t count_made(arena *a, const graph *g, const char *suffixes) {
  bool is_chosen = edge_mode_is_chosen(edge_mode_read(suffixes + 1));
  edge_ends ends = {g->num_edges, g->src, g->dst};
  edge_count c = {0};
  if (is_chosen && !choose_ends(a, g, suffixes + 1, &ends)) return -1;
  if (!count_ends(a, g->num_nodes, &ends, &c)) return -1;
  for (const char *at = is_chosen ? strchr(suffixes + 1, '.') : suffixes; at; at = strchr(at + 1, '.')) {
    edge_mode mode = edge_mode_read(at + 1);
    graph_power p = {g->num_nodes, ends.count, ends.src, ends.dst, .most = mode.number};
    if (mode.kind == EDGE_MODE_none || edge_mode_is_chosen(mode)) return -1;
    if (mode.kind == EDGE_MODE_power)
      c = (edge_count){.edges = graph_power_edges(&p, NULL, NULL)};
    else
      change_loops(g->num_nodes, mode, &c);
    if (c.edges < 0) return -1;
  }
  return c.edges;
}

static int64_t edges_of_made(const graph *g, const char *suffixes) {
  arena *a = arena_create();
  int64_t count = count_made(a, g, suffixes);
  arena_destroy(a);
  return count;
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
