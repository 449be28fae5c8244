/* The power of a graph: an edge for each pair of nodes with a path of a few edges from the first to the second. */
#ifndef GNNC_DATA_GRAPH_POWER_H
#define GNNC_DATA_GRAPH_POWER_H

#include <stdint.h>

typedef struct graph_power {
  int64_t num_nodes, num_edges;
  const int32_t *src, *dst; /* [num_edges] of the graph */
  int64_t most;             /* edges of a path */
} graph_power;

/* Writes the ends of the edges by destination; those of one destination are in the order in which a search against
 * the edges meets their sources, so nearer ones come first. Without `src` and `dst` they are counted only. Returns
 * their number; more than INT32_MAX: the search has ended early; -1: there is no memory. */
int64_t graph_power_edges(const graph_power *p, int32_t *src, int32_t *dst);

#endif
