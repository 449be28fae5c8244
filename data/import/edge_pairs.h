/* Edges that are nothing but their ends, 8 bytes each: large synthetic graphs fit into memory. */
#ifndef GNNC_DATA_IMPORT_EDGE_PAIRS_H
#define GNNC_DATA_IMPORT_EDGE_PAIRS_H

#include "data/tensor.h"
#include "support/thread_pool.h"

typedef struct edge_pair {
  int32_t src, dst;
} edge_pair;

/* Adds edge_index and its metadata, edges sorted by source, then target: what edge_list_finish
 * makes of the same edges. Ends are in 0 .. num_nodes - 1; the storage is malloc'ed and freed here.
 * At most 16 bytes per edge are taken at a time, the result included. Threads of the pool (NULL: the
 * calling one alone) take part. */
status edge_pairs_finish(edge_pair *edges, int64_t count, int64_t num_nodes, thread_pool *pool, tensor_set *set);

#endif
