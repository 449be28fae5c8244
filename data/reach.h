/* How far the outputs of a model reach in a graph. */
#ifndef GNNC_DATA_REACH_H
#define GNNC_DATA_REACH_H

#include <stdbool.h>
#include <stdint.h>

/* How far the outputs of a model reach. */
typedef enum reach_extent {
  REACH_hops,   /* to nodes and edges at most `hops` away */
  REACH_graphs, /* to whole graphs of a batch; without a batch to the whole graph */
  REACH_all     /* to the whole graph, also in a batch */
} reach_extent;

/* What the outputs of a model depend on, at a node or at the two ends of an edge. */
typedef struct graph_reach {
  reach_extent extent;
  int64_t hops;
  bool follows_in, follows_out; /* hops go from a node along incoming, or outgoing, edges */
  bool has_edge_rows;           /* an output has a row per edge */
} graph_reach;

#endif
