/* Weakly connected components. */
#ifndef GNNC_DATA_COMPONENTS_H
#define GNNC_DATA_COMPONENTS_H

#include "data/neighbours.h"

/* Counts components and the nodes of the largest one. Fails only when memory is out. */
status components_count(const neighbours *n, arena *a, thread_pool *pool, int64_t *count, int64_t *largest);

#endif
