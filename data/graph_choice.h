/* The edges of a relation or a union, chosen from those of a graph by their types: see support/edge_mode.h. */
#ifndef GNNC_DATA_GRAPH_CHOICE_H
#define GNNC_DATA_GRAPH_CHOICE_H

#include <stdint.h>

typedef struct graph_choice {
  int64_t num_edges;
  const int32_t *src, *dst, *type; /* [num_edges] of the graph; type may be NULL where types do not matter */
  const char *mode;                /* "relation2", "union_0_2r" */
} graph_choice;

/* Writes the ends of the chosen edges, in the order of the graph and the reverse of an edge behind it, and the number in
 * the graph of each. Without `src`, `dst` and `base` they are counted only. Returns their number, at most twice that of the
 * graph; -1: there is no memory, or there are no types. */
int64_t graph_choice_edges(const graph_choice *c, int32_t *src, int32_t *dst, int32_t *base);

#endif
