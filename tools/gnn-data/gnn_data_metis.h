/* Cuts graphs with METIS, where gnn-data is built with it. No other program and no library has this file, so that
 * they do not need METIS. */
#ifndef GNNC_TOOLS_GNN_DATA_GNN_DATA_METIS_H
#define GNNC_TOOLS_GNN_DATA_GNN_DATA_METIS_H

#include "data/cells/cells.h"

enum { GNN_DATA_METIS_LEAST_NODES = 8 }; /* per cell: METIS is not made for fewer, and prints messages */

/* METIS's multilevel k-way method for the fewest pairs of neighbours in different cells: a row crosses once,
 * however many edges a pair has. Weights of cells differ by 3 % where no node is heavier than that and the graph
 * has few components. A cells_cutter; NULL without METIS. */
cells_cutter *gnn_data_metis(void);

#endif
