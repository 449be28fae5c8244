/* Computes numbers for the symbols of counts from the graph.
 *
 *   8192 U_src, U_src = 24299    =>    199057408 */
#include "tools/gnnc/gnnc_counts.h"

#include "data/graph_rows.h"

#include <string.h>

static bool ends_with(const char *s, const char *suffix) {
  size_t length = strlen(s), ending = strlen(suffix);
  return length >= ending && !strcmp(s + length - ending, suffix);
}

int64_t gnnc_counts_rows(const intra_counts *counts, const gnnc_counts_graph *g, const char *rows) {
  if (!strcmp(rows, "one")) return 1;
  for (size_t i = 0; i < counts->types.count; i++)
    if (!strcmp(rows, counts->types.items[i].rows)) return counts->types.items[i].count;
  if (!g->graph) return -1;
  if (ends_with(rows, ".unique_src") && strchr(rows, '.') == strrchr(rows, '.')) return g->statistics.unique_src;
  if (ends_with(rows, ".unique_dst") && strchr(rows, '.') == strrchr(rows, '.')) return g->statistics.unique_dst;
  return graph_rows_count(g->graph, rows);
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
