/* Fiber-Shard partitioning of an edge list (GraphAGILE section VI-E): subshards, split where dense,
 * left out where empty. O(V + E), on several threads. */
#ifndef GNNC_CODEGEN_GRAPHAGILE_PARTITION_PARTITION_H
#define GNNC_CODEGEN_GRAPHAGILE_PARTITION_PARTITION_H

#include "codegen/device/host/host.h"
#include "codegen/graphagile/partition/partition_shape.h"

/* INTO, with RECORDS: out->records is set already, and has room; its owner takes it back before
 * graphagile_partition_free. EMPTY: subshards without edges get a piece, too. */
enum {
  GRAPHAGILE_PARTITION_RECORDS = 1,
  GRAPHAGILE_PARTITION_POSITIONS = 2,
  GRAPHAGILE_PARTITION_INTO = 4,
  GRAPHAGILE_PARTITION_EMPTY = 8
};

/* Inside a piece edges keep the edge list's order (never sorted by destination: docs/simulator.md).
 * what: PARTITION_* or 0 to count only. */
status graphagile_partition_build(const program_edge_list *r, graphagile_partition_shape shape, int what, int threads,
                                  graphagile_partition *out);
void graphagile_partition_free(graphagile_partition *p);

#endif
