/* Synthetic graphs. Equal options give equal bytes on every machine. */
#ifndef GNNC_DATA_GENERATE_GENERATE_H
#define GNNC_DATA_GENERATE_GENERATE_H

#include "data/tensor.h"
#include "support/thread_pool.h"

typedef enum generate_kind { GENERATE_uniform, GENERATE_power_law, GENERATE_rmat } generate_kind;

typedef struct generate_options {
  generate_kind kind;
  uint64_t seed;
  int64_t num_nodes;
  int64_t num_edges;      /* directed edges in the file */
  double exponent;        /* power law: P(degree) ~ degree^-exponent; 0: 2.1 */
  double rmat[3];         /* a, b, c of the quadrants; all 0: 0.57, 0.19, 0.19 */
  int64_t num_features;   /* columns of x; 0: no x */
  double density;         /* share of nonzero features; below 1 x is stored sparse */
  int64_t num_classes;    /* classes of y, which comes with the masks; 0: none */
  int64_t num_edge_types; /* 0: none */
  int64_t num_node_types; /* 0: none */
  bool has_weights;       /* edge_weight in (0, 1] */
  bool is_undirected;     /* every edge has its reverse, no self loops; num_edges counts both directions */
  bool drops_loops;       /* no edge n -> n */
  thread_pool *pool;      /* threads for the sort of the edges; NULL: only the calling one */
} generate_options;

/* Makes the graph, a set owned by the caller; edges are sorted by source, then by target. Fails for
 * options that contradict one another, and when memory is out. */
status generate_graph(const generate_options *options, tensor_set **out);

#endif
