/* What a cut costs: edges between cells, and for each number of ranks the ghosts and the balance. */
#ifndef GNNC_DATA_CELLS_CELLS_STATISTICS_H
#define GNNC_DATA_CELLS_CELLS_STATISTICS_H

#include "data/cells/cells.h"

/* Ranks own nodes and the edges into them. A ghost of a rank is a node of another one that edges into
 * own nodes come from: before a layer sums over edges, its row crosses the network. */
typedef struct cells_of_ranks {
  int32_t ranks;
  double ghosts;      /* per own node, over all ranks */
  double most_ghosts; /* of the rank with most of them, per node of a rank of mean size */
  double most_edges;  /* edges of the rank with most of them / mean */
  bool
      by_columns; /* columns are exchanged rather than rows: there are more ghosts per node than 2 (ranks - 1) / ranks */
} cells_of_ranks;

typedef struct cells_statistics {
  int64_t cut;                     /* edges between different cells */
  int64_t least_nodes, most_nodes; /* of a cell */
  int count;                       /* numbers of ranks: 2, 4, 8, ... to the number of cells */
  cells_of_ranks of[10];
} cells_statistics;

/* Measures a cut. O((V + E) log cells) time. Fails when memory is out. */
status cells_measure(const graph *g, const cells *c, thread_pool *pool, cells_statistics *out);

/* The ghosts per node of so many ranks, of at most as many as there are cells. O(V ranks / 64 + E) time. Fails when memory is out. */
status cells_measure_ghosts(const graph *g, const cells *c, int32_t ranks, double *ghosts);

#endif
