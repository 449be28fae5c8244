/* Cuts a batch between its graphs. */
#ifndef GNNC_DATA_CELLS_CELLS_GRAPHS_H
#define GNNC_DATA_CELLS_CELLS_GRAPHS_H

#include "data/cells/cells_adjacency.h"

/* Puts whole graphs into cells, ranges of their numbers with about equal weight. O(V + graphs). Fails when memory is out. */
status cells_by_graphs(const graph *g, const cells_adjacency *a, int32_t count, int32_t *cell);

#endif
