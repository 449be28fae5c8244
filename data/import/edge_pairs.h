/* Edges without types and weights, 8 bytes each, so that large synthetic graphs fit into memory. */
#ifndef GNNC_DATA_IMPORT_EDGE_PAIRS_H
#define GNNC_DATA_IMPORT_EDGE_PAIRS_H

#include "data/tensor.h"
#include "support/thread_pool.h"

typedef struct edge_pair {
  int32_t src, dst;
} edge_pair;

/* Adds edge_index and its metadata to the set, with the edges sorted by source, then by target: the
 * result of edge_list_finish for the same edges. All ends are in 0 .. num_nodes - 1. `edges` comes
 * from malloc, and this function frees it. At most 16 bytes per edge are allocated at a time, the
 * result included. Threads of the pool (NULL: only the calling one) take part. Fails only when
 * memory is out. */
status edge_pairs_finish(edge_pair *edges, int64_t count, int64_t num_nodes, thread_pool *pool, tensor_set *set);

#endif
