/* Both neighbourhoods of every node, each in rising order. */
#ifndef GNNC_DATA_NEIGHBOURS_H
#define GNNC_DATA_NEIGHBOURS_H

#include "data/graph.h"
#include "support/thread_pool.h"

/* Targets of node n are targets[out[n]] .. targets[out[n + 1] - 1], sources of the edges into it
 * sources[in[n]] .. sources[in[n + 1] - 1]; of several edges each counts. */
typedef struct neighbours {
  int64_t num_nodes, num_edges;
  int64_t *out, *in;          /* [num_nodes + 1] */
  int32_t *targets, *sources; /* [num_edges] */
  int64_t duplicates;         /* edges whose source, target and type an earlier edge has */
} neighbours;

/* Takes about 20 bytes per edge and 16 per node for a while; half of it stays until it is freed. Fails
 * only when memory is out. */
status neighbours_find(const graph *g, thread_pool *pool, neighbours *out);

/* Frees the arrays; those of a search that failed, too. */
void neighbours_free(neighbours *n);

#endif
