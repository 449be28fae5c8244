/* Cuts graphs in one pass over the nodes, without a library. */
#ifndef GNNC_DATA_CELLS_CELLS_STREAMING_H
#define GNNC_DATA_CELLS_CELLS_STREAMING_H

#include "data/cells/cells_adjacency.h"

/* Linear deterministic greedy (Stanton and Kliot, Streaming graph partitioning for large distributed
 * graphs, KDD 2012): nodes come in the order of the file; each goes to the cell with the most edges to
 * it, weighed by the room that the cell has left. Cells have room for 1.05 times the mean weight.
 * O(V + E). Fails when memory is out. */
status cells_by_streaming(const cells_adjacency *a, int32_t count, int32_t *cell);

/* Ranges of the order of the file with about equal weight. */
void cells_by_blocks(const cells_adjacency *a, int32_t count, int32_t *cell);

#endif
