/* Fiber-Shard partitioning of an edge list (GraphAGILE, Section VI-E): destination and source rows
 * are cut into shards, edges into subshards; a subshard with too many edges becomes several pieces,
 * an empty one none. Takes O(V + E) time, on several threads. */
#ifndef GNNC_CODEGEN_GRAPHAGILE_PARTITION_PARTITION_H
#define GNNC_CODEGEN_GRAPHAGILE_PARTITION_PARTITION_H

#include "codegen/device/host/host.h"
#include "codegen/graphagile/partition/partition_shape.h"

/* What a partition shall have. RECORDS: the records of edges. POSITIONS: the place of each edge.
 * INTO, with RECORDS: out->records is memory of the caller with room for them, which the caller
 * takes back before graphagile_partition_free. EMPTY: subshards without edges get a piece too. */
enum {
  GRAPHAGILE_PARTITION_RECORDS = 1,
  GRAPHAGILE_PARTITION_POSITIONS = 2,
  GRAPHAGILE_PARTITION_INTO = 4,
  GRAPHAGILE_PARTITION_EMPTY = 8
};

/* Partitions an edge list. Inside a piece edges keep the order of the list, which
 * graphagile_partition_order may change. `what` is a sum of
 * GRAPHAGILE_PARTITION_* or 0, which only counts. The caller frees the result with
 * graphagile_partition_free. Returns an error where there is no memory. */
status graphagile_partition_build(const program_edge_list *r, graphagile_partition_shape shape, int what, int threads,
                                  graphagile_partition *out);
void graphagile_partition_free(graphagile_partition *p);

#endif
