/* The edges in the opposite direction of the edges of a graph. */
#ifndef GNNC_DATA_GRAPH_OPPOSITE_H
#define GNNC_DATA_GRAPH_OPPOSITE_H

#include <stdbool.h>
#include <stdint.h>

/* Finds for each edge from u to v the edge from v to u: of several parallel ones the one that is as many edges after
 * the first as the edge is among its own parallel ones. A self loop is its own opposite; -1: there is none. Returns
 * false without memory. */
bool graph_opposite_edges(int64_t num_nodes, int64_t num_edges, const int32_t *src, const int32_t *dst,
                          int32_t *opposite);

#endif
