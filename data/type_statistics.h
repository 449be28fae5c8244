/* Types of edges and what they save: how many rows a value has that depends on the type and one end
 * of an edge alone. */
#ifndef GNNC_DATA_TYPE_STATISTICS_H
#define GNNC_DATA_TYPE_STATISTICS_H

#include "data/graph.h"

/* Counts over one numbering of the types of edges. Compact materialisation (Pigeon section 3.2.2)
 * keeps unique_src rows for a value of (type, source) where plain code keeps one per edge. */
typedef struct type_counts {
  int64_t types;                /* that occur */
  int64_t unique_src;           /* pairs of type and source that occur */
  int64_t unique_dst;           /* pairs of type and destination */
  int64_t unique_either;        /* pairs of type and a node at either end */
  int64_t pairs_src, pairs_dst; /* pairs of type and node type of that end; nodes without types have type 0 */
} type_counts;

typedef struct type_statistics {
  int64_t num_edge_types, num_node_types; /* 1 + the largest that occurs; 0 where the graph has none */
  type_counts stored;                     /* over edge_type as stored; all edges have type 0 where there is none */
  type_counts canonical;                  /* over (relation, node type of the source, node type of the destination) */
} type_statistics;

/* Counts in time and memory linear in nodes and edges. Fails only when memory is out. */
status type_statistics_collect(const graph *g, type_statistics *out);

/* The canonical type of each edge, numbered from 0 in the order of relation, source type,
 * destination type, and their number; in the arena. Fails only when memory is out. */
status type_statistics_number(const graph *g, arena *a, int32_t **types, int64_t *count);

/* Makes edge_type of the graph in `set` its canonical types; everything else stays. Fails when the
 * set holds no graph, or one without edge and node types. */
status type_statistics_canonicalize(tensor_set *set);

#endif
