/* Numbers cells so that neighbouring numbers have many edges between them. */
#ifndef GNNC_DATA_CELLS_CELLS_ORDER_H
#define GNNC_DATA_CELLS_CELLS_ORDER_H

#include "data/cells/cells_adjacency.h"

/* Renumbers cells in the order of a recursive bisection of the graph of cells: its first half is the
 * one of two equal halves with the fewest edges between them (grown from one cell, then improved by
 * swaps: Kernighan and Lin 1970), and so on. O(count^2) memory. Fails when memory is out. */
status cells_order(const cells_adjacency *a, int32_t count, int32_t *cell);

#endif
