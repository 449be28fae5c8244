/* Computes numbers for the symbols of counts from the graph.
 *
 *   8192 U_src, U_src = 24299    =>    199057408 */
#include "tools/gnnc/gnnc_counts.h"

#include <string.h>

/* Returns the number of edges of a set with self loops: "g.add_remaining", "g.keep_one",
 * "g.replace", or several of these suffixes. -1: unknown. */
static int64_t edges_with_loops(const graph *g, const char *suffixes) {
  arena *a = arena_create();
  unsigned char *has_loop = arena_try_alloc_array(a, (size_t)g->num_nodes, 1);
  int64_t edges = g->num_edges, loops = 0, looped = 0;
  for (int64_t e = 0; has_loop && e < g->num_edges; e++) {
    if (g->src[e] != g->dst[e]) continue;
    loops++;
    looped += !has_loop[g->src[e]];
    has_loop[g->src[e]] = 1;
  }
  bool is_known = has_loop != NULL;
  arena_destroy(a);
  for (const char *at = suffixes; is_known && at; at = strchr(at + 1, '.')) {
    size_t size = strcspn(at + 1, ".");
    if (size == strlen("remove") && !strncmp(at + 1, "remove", size)) {
      edges -= loops;
      loops = looped = 0;
      continue;
    }
    bool is_one = size == strlen("keep_one") && !strncmp(at + 1, "keep_one", size);
    if (is_one || (size == strlen("replace") && !strncmp(at + 1, "replace", size))) {
      edges += g->num_nodes - loops;
      loops = g->num_nodes;
    } else if (size == strlen("add_remaining") && !strncmp(at + 1, "add_remaining", size)) {
      edges += g->num_nodes - looped;
      loops += g->num_nodes - looped;
    } else {
      return -1;
    }
    looped = g->num_nodes;
  }
  return is_known ? edges : -1;
}

static int64_t edges_of(const gnnc_counts_graph *g, const char *set) {
  const char *suffixes = strchr(set, '.');
  if (!suffixes) return g->graph->num_edges;
  if (!strcmp(suffixes, ".unique_src")) return g->statistics.unique_src;
  if (!strcmp(suffixes, ".unique_dst")) return g->statistics.unique_dst;
  return edges_with_loops(g->graph, suffixes);
}

/* Counts the nodes of a type, or the original edges at such nodes; `ends` is NULL for nodes. */
static int64_t count_at_type(const graph *g, const char *type_text, const int32_t *ends) {
  int64_t type = 0, found = 0;
  for (const char *at = type_text; *at >= '0' && *at <= '9' && type <= INT32_MAX; at++) type = 10 * type + (*at - '0');
  for (int64_t i = 0; i < (ends ? g->num_edges : g->num_nodes); i++)
    found += (g->node_type ? g->node_type[ends ? ends[i] : i] : 0) == type;
  return found;
}

static bool begins_with(const char *s, const char *prefix) {
  return !strncmp(s, prefix, strlen(prefix));
}

int64_t gnnc_counts_rows(const intra_counts *counts, const gnnc_counts_graph *g, const char *rows) {
  if (!strcmp(rows, "one")) return 1;
  for (size_t i = 0; i < counts->types.count; i++)
    if (!strcmp(rows, counts->types.items[i].rows)) return counts->types.items[i].count;
  if (!g->graph || !strcmp(rows, "?")) return -1;
  const char *type = strrchr(rows, ':');
  bool has_type = type && type != strchr(rows, ':');
  if (begins_with(rows, "node:")) return has_type ? count_at_type(g->graph, type + 1, NULL) : g->graph->num_nodes;
  if (begins_with(rows, "edge:")) return edges_of(g, rows + strlen("edge:"));
  if (!strcmp(rows, "graph")) return g->graph->batch ? g->graph->num_graphs : 1;
  graph_field field;
  if (begins_with(rows, "nonzero:") && graph_find_field(g->graph, rows + strlen("nonzero:"), &field))
    return field.nonzeros;
  if (!has_type || strchr(rows, '.')) return -1;
  if (begins_with(rows, "in:")) return count_at_type(g->graph, type + 1, g->graph->dst);
  return begins_with(rows, "out:") ? count_at_type(g->graph, type + 1, g->graph->src) : -1;
}

int64_t gnnc_counts_value(const intra_counts *counts, const gnnc_counts_graph *g, const intra_sum *sum) {
  int64_t total = 0;
  for (size_t i = 0; i < sum->count; i++) {
    int64_t rows = gnnc_counts_rows(counts, g, sum->items[i].rows), product;
    if (rows < 0) return -1;
    bool is_large = __builtin_mul_overflow(rows, sum->items[i].factor, &product);
    if (is_large || __builtin_add_overflow(total, product, &total)) return INT64_MAX;
  }
  return total;
}
