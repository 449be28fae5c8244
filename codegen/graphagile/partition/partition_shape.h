/* A partition of an edge list: its shape, and the pieces that it has. */
#ifndef GNNC_CODEGEN_GRAPHAGILE_PARTITION_PARTITION_SHAPE_H
#define GNNC_CODEGEN_GRAPHAGILE_PARTITION_PARTITION_SHAPE_H

#include "isa/graphagile/graphagile.h"

typedef struct graphagile_partition_shape {
  int32_t src_rows, dst_rows; /* rows of a source shard and of a destination shard (the paper's N1) */
  int32_t max_edges;          /* of a piece: device.edges */
  /* The first hub_rows rows of each destination shard have hub_places places each, a power of two: their
   * own, and others behind the rows of the shard. Their edges take the places in turns, because the edges
   * into one place follow each other slowly. 0: none. */
  int32_t hub_rows, hub_places;
} graphagile_partition_shape;

/* The place of an edge's destination among the sums of its shard; edge: number in the list. */
static inline int32_t graphagile_partition_place_sum(const graphagile_partition_shape *s, int64_t edge, int32_t row) {
  int32_t turn = (int32_t)(edge & (s->hub_places - 1));
  return row >= s->hub_rows || !turn ? row : s->dst_rows + (turn - 1) * s->hub_rows + row;
}

/* The rows of a buffer that the sums of a shard take. */
static inline int64_t graphagile_partition_sums(const graphagile_partition_shape *s) {
  return s->dst_rows + (s->hub_rows ? (int64_t)s->hub_rows * (s->hub_places - 1) : 0);
}

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
