/* Cells: a graph is cut once into parts, and ranks (processes, threads, or turns of one process) own
 * consecutive cells. So the number of ranks may change without another cut, and sums over all nodes
 * that are made by cells have the same bits for any number of ranks.
 *
 *   cells 0 .. 63, 4 ranks  =>  rank 0 owns cells 0 .. 15, rank 1 owns 16 .. 31, ...
 *
 * Neighbouring numbers are cells with many edges between them (cells_order.h). */
#ifndef GNNC_DATA_CELLS_CELLS_H
#define GNNC_DATA_CELLS_CELLS_H

#include "data/cells/cells_adjacency.h"

enum { CELLS_MOST = 1024, CELLS_DEFAULT = 64 };

typedef enum cells_method {
  CELLS_metis,     /* the caller's function, cells_options.metis */
  CELLS_streaming, /* linear deterministic greedy (Stanton and Kliot, KDD 2012): one pass over the nodes */
  CELLS_blocks,    /* ranges of the file's order */
} cells_method;

/* Writes the cell of each node, 0 .. count - 1. */
typedef status cells_cutter(const cells_adjacency *a, int32_t count, uint64_t seed, int32_t *cell);

/* The weight of a node is 1 + its in-degree: the work of a layer on it. Cells have about equal weight where no node
 * is heavier than a cell. */
typedef struct cells {
  int64_t num_nodes;
  int32_t count; /* cells; some may be empty */
  int32_t *cell; /* [num_nodes] */
} cells;

typedef struct cells_options {
  cells_method method;
  int32_t count;       /* 1 .. CELLS_MOST */
  uint64_t seed;       /* of METIS; other methods do not use it */
  cells_cutter *metis; /* of CELLS_metis */
  thread_pool *pool;   /* NULL: only the calling thread; the result does not depend on it */
} cells_options;

/* Cuts a graph; a batch of at least as many graphs as cells is cut between its graphs, whatever the method. The caller frees the result with cells_free. Fails when memory is out, and where nodes have more than
 * 2^31 - 1 neighbours together. */
status cells_divide(const graph *g, const cells_options *options, cells *out);
void cells_free(cells *c);

/* The name of a method on command lines and in files; NULL behind the last one. */
const char *cells_method_name(size_t method);

/* The rank that owns a cell, of `ranks` <= count ranks: rank r owns the cells from r * count / ranks to
 * before (r + 1) * count / ranks. */
static inline int32_t cells_rank_of(int32_t cell, int32_t count, int32_t ranks) {
  return (int32_t)((((int64_t)cell + 1) * ranks - 1) / count);
}

#endif
