/* Sampled neighbourhoods: the part of a graph at most some hops before chosen nodes, the seeds, with at most some incoming
 * edges of each node (Hamilton et al., Inductive representation learning on large graphs, NeurIPS 2017, algorithm 2).
 *
 *   sample_source_create(graph, &source);
 *   sample_create(source, &sample);
 *   sample_draw(sample, &rule, seeds, count);     rule: fanout 10, 10: two hops of at most ten edges each
 *
 * The edges that node n keeps in hop h of epoch t are a function of the seed and of n, t and h alone: other seeds,
 * batches and threads change nothing about them. */
#ifndef GNNC_RUNTIME_SAMPLE_H
#define GNNC_RUNTIME_SAMPLE_H

#include "data/graph.h"

enum { SAMPLE_MOST_HOPS = 16 };

/* How a part is chosen. */
typedef struct sample_rule {
  uint64_t seed;
  int64_t epoch;
  int32_t hops;
  int32_t fanout[SAMPLE_MOST_HOPS]; /* edges of a node in each hop; 0 or less: all */
} sample_rule;

/* The incoming edges of each node of a graph. Samples of several threads read it at once. */
typedef struct sample_source {
  const graph *graph;
  int64_t *first;       /* [num_nodes + 1] where the edges of a node begin */
  int32_t *edges;       /* [num_edges] in rising order for each node */
  int64_t most_degrees; /* the largest number of edges of a node */
} sample_source;

/* A part of the graph, numbered anew: first the seeds, then the other nodes, each in the order of the graph; edges in
 * the order of the graph. The arrays live until the next draw. */
typedef struct sample {
  graph part; /* numbers and arrays of the part; it has no tensors */
  int64_t num_seeds;
  int32_t *nodes, *edges; /* of the part, the numbers in the whole */
  const sample_source *from;
  struct sample_memory *memory;
} sample;

/* The graph lives as long as its source. Fails when memory is out, and for more edges than 2^31 - 1. */
status sample_source_create(const graph *g, sample_source **out);
/* NULL is allowed. */
void sample_source_destroy(sample_source *s);

/* Makes an empty sample. Fails when memory is out. */
status sample_create(const sample_source *from, sample **out);
/* NULL is allowed. */
void sample_destroy(sample *s);

/* Draws the part of these seeds, nodes of the graph, none twice. Fails when memory is out. */
status sample_draw(sample *s, const sample_rule *rule, const int32_t *seeds, int64_t count);

/* Puts numbers in a random order, a function of the seed and the epoch. */
void sample_permute(uint64_t seed, int64_t epoch, int32_t *numbers, int64_t count);

#endif
