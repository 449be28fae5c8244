/* An edge list in subshards: how they are cut, and the pieces that came of it. */
#ifndef GNNC_CODEGEN_GRAPHAGILE_PARTITION_PARTITION_SHAPE_H
#define GNNC_CODEGEN_GRAPHAGILE_PARTITION_PARTITION_SHAPE_H

#include "isa/graphagile/graphagile.h"

typedef struct graphagile_partition_shape {
  int32_t src_rows, dst_rows; /* N1 of sources and destinations */
  int32_t max_edges;          /* per piece: device.edges */
} graphagile_partition_shape;

typedef struct graphagile_partition {
  graphagile_partition_shape shape;
  int64_t shards; /* of destinations: ceil(to_rows / dst_rows) */
  int64_t num_pieces;
  graphagile_descriptor *pieces; /* ordered by destination shard, then source shard */
  int64_t *shard_begin;          /* [shards + 1] first piece of each destination shard */
  int64_t edges;
  /* edges * 12 bytes: u32 local source, u32 local destination, f32 weight; NULL when only
   * counted */
  unsigned char *records;
  int32_t *position; /* [edges] where entry i of the edge list went; NULL unless asked for */
} graphagile_partition;

#endif
