/* What a graph looks like: degrees, loops, duplicates, components. */
#ifndef GNNC_DATA_STATISTICS_H
#define GNNC_DATA_STATISTICS_H

#include "data/graph.h"
#include "support/thread_pool.h"

enum { STATISTICS_BUCKETS = 32 };

typedef struct degree_statistics {
  int64_t least, most, median;
  double mean;
  int64_t buckets[STATISTICS_BUCKETS]; /* nodes of degree 0, 1, 2-3, 4-7, 8-15, ... */
} degree_statistics;

typedef struct graph_statistics {
  degree_statistics in, out;
  int64_t isolated;   /* nodes without any edge */
  int64_t self_loops; /* edges n -> n */
  int64_t duplicates; /* edges whose source, target and type an earlier edge has */
  int64_t reciprocal; /* edges whose reverse exists */
  int64_t components; /* weakly connected */
  int64_t largest_component;
  double density; /* edges / nodes^2 */
} graph_statistics;

/* Threads of the pool (NULL: the calling one alone) take part; the numbers are the same for any. Fails
 * only when memory is out. */
status statistics_collect(const graph *g, thread_pool *pool, graph_statistics *out);

#endif
