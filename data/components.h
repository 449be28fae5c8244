/* Weakly connected components of a graph. */
#ifndef GNNC_DATA_COMPONENTS_H
#define GNNC_DATA_COMPONENTS_H

#include "data/neighbours.h"

/* Counts the components, and the nodes of the largest one. Scratch memory comes from the arena;
 * threads of the pool (NULL: only the calling one) take part. Fails only when memory is out. */
status components_count(const neighbours *n, arena *a, thread_pool *pool, int64_t *count, int64_t *largest);

#endif
