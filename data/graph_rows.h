/* Numbers of rows by name, as the compiler's counts and manifests spell them. */
#ifndef GNNC_DATA_GRAPH_ROWS_H
#define GNNC_DATA_GRAPH_ROWS_H

#include "data/graph.h"

/* Returns how many rows a graph has of "one", "graph", "node:g", "node:g:TYPE", "edge:g" (also of sets
 * that are made from it, "edge:g.keep_one", "edge:g.relation2"), "nonzero:FIELD", "in:g:TYPE" or "out:g:TYPE" (edges at nodes of a
 * type), "pair:g" (ordered pairs of nodes of one graph). Returns -1 for other names and for fields that it does not have. */
int64_t graph_rows_count(const graph *g, const char *rows);

#endif
