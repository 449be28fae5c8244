/* The outgoing and incoming neighbours of every node, in ascending order. */
#ifndef GNNC_DATA_NEIGHBOURS_H
#define GNNC_DATA_NEIGHBOURS_H

#include "data/graph.h"
#include "support/thread_pool.h"

/* The targets of the edges from node n are targets[out[n]] .. targets[out[n + 1] - 1], the sources
 * of the edges to it are sources[in[n]] .. sources[in[n + 1] - 1]. Each of several equal edges
 * counts. */
typedef struct neighbours {
  int64_t num_nodes, num_edges;
  int64_t *out, *in;          /* [num_nodes + 1] */
  int32_t *targets, *sources; /* [num_edges] */
  int64_t duplicates;         /* edges that equal an earlier edge in source, target and type */
} neighbours;

/* Finds the neighbours; the caller frees them with neighbours_free. Needs 16 bytes per node and 20
 * bytes per edge, 28 if edges have types; all but 8 bytes per edge (12 with types) remain in the
 * result. Threads of the pool (NULL: only the calling one) take part. Fails only when memory is
 * out. */
status neighbours_find(const graph *g, thread_pool *pool, neighbours *out);

/* Frees the arrays, also after neighbours_find has failed. */
void neighbours_free(neighbours *n);

#endif
