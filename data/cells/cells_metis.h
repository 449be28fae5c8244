/* Cuts graphs with METIS, where the program is built with it. */
#ifndef GNNC_DATA_CELLS_CELLS_METIS_H
#define GNNC_DATA_CELLS_CELLS_METIS_H

#include "data/cells/cells.h"
#include "data/cells/cells_adjacency.h"

/* Writes the cell of each node, 0 .. count - 1: METIS's multilevel k-way method for the fewest pairs of
 * neighbours in different cells (a row crosses once, however many edges a pair has), whose weights differ by at most 3 %. Graphs with fewer than 8 nodes per cell are cut by
 * cells_by_streaming. */
status cells_by_metis(const cells_adjacency *a, int32_t count, uint64_t seed, int32_t *cell);

#endif
