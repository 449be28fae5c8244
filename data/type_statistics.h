/* Statistics of edge types. They show how many rows a value has that depends only on the type and
 * one end of an edge. */
#ifndef GNNC_DATA_TYPE_STATISTICS_H
#define GNNC_DATA_TYPE_STATISTICS_H

#include "data/graph.h"

/* Counts for one numbering of the edge types. Compact materialisation (Pigeon, Section 3.1.3) keeps
 * unique_src rows for a value of (type, source), where other code keeps one row per edge. */
typedef struct type_counts {
  int64_t types;                /* types that occur */
  int64_t unique_src;           /* pairs (type, source) that occur */
  int64_t unique_dst;           /* pairs (type, destination) that occur */
  int64_t unique_either;        /* pairs of a type and a node at either end */
  int64_t pairs_src, pairs_dst; /* pairs of a type and the node type of that end; 0 stands for nodes without types */
} type_counts;

typedef struct type_statistics {
  int64_t num_edge_types, num_node_types; /* 1 + the largest type that occurs; 0 if the graph has none */
  type_counts stored;                     /* over edge_type as stored; without types all edges have type 0 */
  type_counts canonical;                  /* over (relation, node type of the source, node type of the destination) */
} type_statistics;

/* Counts in time and memory linear in nodes and edges. Fails when memory is out or the graph has
 * more than 2^31 - 1 edges. */
status type_statistics_collect(const graph *g, type_statistics *out);

/* Numbers the canonical types from 0 in the order of relation, source type and destination type.
 * Returns the type of each edge, [num_edges] in the arena, and the number of types. Fails as
 * type_statistics_collect does. */
status type_statistics_number(const graph *g, arena *a, int32_t **types, int64_t *count);

/* Replaces edge_type of the graph in `set` by its canonical types and adapts the metadata; all
 * other tensors stay. Fails when the set holds no graph, or one with neither edge types nor node
 * types. */
status type_statistics_canonicalize(tensor_set *set);

#endif
