/* Receptive fields: the part of a graph on which chosen rows of a model's outputs depend. */
#ifndef GNNC_DATA_RECEPTIVE_FIELD_H
#define GNNC_DATA_RECEPTIVE_FIELD_H

#include "data/graph.h"
#include "data/reach.h"

/* Part of a graph. Its nodes, edges and graphs are numbered anew, in the order of the whole. */
typedef struct receptive_field {
  graph part; /* numbers and arrays of the part; it has no tensors */
  const graph *whole;
  /* of the part, the numbers in the whole; of receptive_field_find in rising order, of a rank (runtime/ranks.h) in its own */
  const int64_t *nodes, *edges, *graphs;
  int64_t num_without_inputs; /* so many last nodes, whose inputs nobody reads: their rows are 0 */
} receptive_field;

/* Finds the part on which the rows of the given nodes depend; with edge rows also those of the
 * edges at these nodes, incoming ones where hops follow them, else outgoing ones. Every node less
 * than `hops` away has all its edges in the part, so that its degree and its sums are those of the
 * whole; values of nodes `hops` away are wrong in the part and reach no chosen row. The nodes are in
 * the range of the graph and may repeat. The arrays are in the arena. */
void receptive_field_find(arena *a, const graph *g, const graph_reach *r, const int64_t *nodes, int64_t count,
                          receptive_field *out);

/* Whether an edge of the whole is one whose row receptive_field_find promises, when `is_chosen`
 * marks the nodes. */
bool receptive_field_has_row(const graph *g, const graph_reach *r, const bool *is_chosen, int64_t edge);

#endif
