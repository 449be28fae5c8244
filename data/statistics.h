/* Statistics of a graph: degrees, loops, duplicates, components. */
#ifndef GNNC_DATA_STATISTICS_H
#define GNNC_DATA_STATISTICS_H

#include "data/graph.h"
#include "support/thread_pool.h"

enum { STATISTICS_BUCKETS = 32 };

typedef struct degree_statistics {
  int64_t least, most, median;
  double mean;
  int64_t buckets[STATISTICS_BUCKETS]; /* number of nodes of degree 0, 1, 2-3, 4-7, 8-15, ... */
} degree_statistics;

typedef struct graph_statistics {
  degree_statistics in, out;
  int64_t isolated;          /* nodes without any edge */
  int64_t self_loops;        /* edges n -> n */
  int64_t duplicates;        /* edges that equal an earlier edge in source, target and type */
  int64_t reciprocal;        /* edges whose reverse exists, without self loops */
  int64_t components;        /* weakly connected components */
  int64_t largest_component; /* number of its nodes */
  double density;            /* edges / nodes^2 */
} graph_statistics;

/* Collects the statistics. Threads of the pool (NULL: only the calling one) take part; the results
 * do not depend on their number. Fails only when memory is out. */
status statistics_collect(const graph *g, thread_pool *pool, graph_statistics *out);

#endif
