/* --emit=counts: rows, FLOPs and bytes of every kernel, in symbols and, with a graph, in
 * numbers. */
#ifndef GNNC_TOOLS_GNNC_GNNC_COUNTS_H
#define GNNC_TOOLS_GNNC_GNNC_COUNTS_H

#include "data/graph.h"
#include "passes/intra/intra_counts.h"
#include "passes/manager/pass.h"
#include "support/text.h"

/* The data from which the numbers are computed. */
typedef struct gnnc_counts_graph {
  const graph *graph; /* NULL = symbols only */
  pass_statistics statistics;
} gnnc_counts_graph;

/* Returns the number of rows of that name (intra_term), -1 when unknown. */
int64_t gnnc_counts_rows(const intra_counts *counts, const gnnc_counts_graph *g, const char *rows);
/* Returns a sum as a number, -1 when a term is unknown, INT64_MAX when it is larger than that. */
int64_t gnnc_counts_value(const intra_counts *counts, const gnnc_counts_graph *g, const intra_sum *sum);

/* Append the counts of a model; `model` is its name, `options` are those of the compiler. */
void gnnc_counts_print(arena *a, const char *model, const intra_counts *counts, const gnnc_counts_graph *g, text *out);
void gnnc_counts_print_json(arena *a, const char *model, const char *options, const intra_counts *counts,
                            const gnnc_counts_graph *g, text *out);

#endif
