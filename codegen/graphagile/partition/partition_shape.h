/* A partition of an edge list: its shape, and the pieces that it has. */
#ifndef GNNC_CODEGEN_GRAPHAGILE_PARTITION_PARTITION_SHAPE_H
#define GNNC_CODEGEN_GRAPHAGILE_PARTITION_PARTITION_SHAPE_H

#include "isa/graphagile/graphagile.h"

typedef struct graphagile_partition_shape {
  int32_t src_rows, dst_rows; /* rows of a source shard and of a destination shard (the paper's N1) */
  int32_t max_edges;          /* of a piece: device.edges */
} graphagile_partition_shape;

typedef struct graphagile_partition {
  graphagile_partition_shape shape;
  int64_t shards; /* of destinations: ceil(to_rows / dst_rows) */
  int64_t num_pieces;
  graphagile_descriptor *pieces; /* ordered by destination shard, then source shard */
  int64_t *shard_begin;          /* [shards + 1] first piece of each destination shard, then num_pieces */
  int64_t edges;
  /* [edges] of 12 bytes each: u32 local source row, u32 local destination row, f32 weight; NULL
   * when edges were only counted. */
  unsigned char *records;
  int32_t *position; /* [edges] the place of each edge of the list among the records; NULL unless asked for */
} graphagile_partition;

#endif
