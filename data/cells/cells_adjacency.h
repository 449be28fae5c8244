/* The neighbours of every node without directions, as partitioners read a graph. */
#ifndef GNNC_DATA_CELLS_CELLS_ADJACENCY_H
#define GNNC_DATA_CELLS_CELLS_ADJACENCY_H

#include "data/graph.h"
#include "support/thread_pool.h"

/* Node n has the neighbours ends[begin[n]] .. ends[begin[n + 1] - 1], ascending, each once and without
 * itself; edges: how many edges lead there or come from there. */
typedef struct cells_adjacency {
  int64_t num_nodes;
  int32_t *begin;        /* [num_nodes + 1] */
  int32_t *ends, *edges; /* [begin[num_nodes]] */
  int32_t *weight;       /* [num_nodes] 1 + in-degree */
} cells_adjacency;

/* Makes the lists; the caller frees them with cells_adjacency_free, also after a failure. The
 * lists take 8 bytes per node and 8 per neighbour, and those of neighbours_find are needed meanwhile. Fails when memory is out or there are more than 2^31 - 1 ends. */
status cells_adjacency_make(const graph *g, thread_pool *pool, cells_adjacency *out);
void cells_adjacency_free(cells_adjacency *a);

#endif
