/* What the two ways to partition an edge list share: counting (partition.c) and sorting
 * (partition_sort.c). */
#ifndef GNNC_CODEGEN_GRAPHAGILE_PARTITION_PARTITION_JOB_H
#define GNNC_CODEGEN_GRAPHAGILE_PARTITION_PARTITION_JOB_H

#include "codegen/device/host/host.h"
#include "codegen/graphagile/partition/partition_shape.h"
#include "support/number.h"
#include "support/thread_pool.h"

/* Divides by a constant: floor(x / rows) for 0 <= x < 2^31. x + 0.5 is at least 0.5 / rows away
 * from the next quotient, and the product is off by less. Floating-point products are used because
 * not all vector units have 32-bit integer products. */
typedef struct graphagile_partition_divisor {
  double inverse;
  int32_t rows;
} graphagile_partition_divisor;

static inline int32_t graphagile_partition_divide(graphagile_partition_divisor by, int32_t x) {
  return (int32_t)(((double)x + 0.5) * by.inverse);
}

/* One partition while it is made. A cell is a pair of destination and source shard; its number is
 * dst shard * src_shards + src shard. */
typedef struct graphagile_partition_job {
  const program_edge_list *edge_list;
  graphagile_partition *out;
  graphagile_partition_divisor by_src, by_dst;
  int64_t src_shards, cells;
  int64_t next_cell; /* the cell after the last one that was added */
  bool is_small;     /* fp32 is exact enough to find shards */
  bool keeps_empty;  /* cells without edges get a piece */
  thread_pool *pool;
} graphagile_partition_job;

/* Writes a record as number `at` of the section; `ends` are the local rows of source and
 * destination. Records of a cell follow one another, so the next cache line is prefetched: with a
 * thousand cells in use that halves the time. */
static inline void graphagile_partition_put(unsigned char *records, size_t at, const int32_t *ends, float weight) {
  unsigned char *record = records + at * GRAPHAGILE_RECORD_BYTES;
  __builtin_prefetch(record + 128, 1);
  __builtin_memcpy(record, ends, 2 * sizeof *ends);
  __builtin_memcpy(record + 2 * sizeof *ends, &weight, sizeof weight);
}

/* begin_pieces allocates the pieces of `cells` cells with edges, `count` pieces in all. add_cell
 * then adds each of these cells, in the order of their numbers, with the empty cells before it
 * where these are kept. end_pieces adds the last empty cells. */
status graphagile_partition_begin_pieces(graphagile_partition_job *j, int64_t cells, int64_t count);
void graphagile_partition_add_cell(graphagile_partition_job *j, int64_t cell, int64_t edges);
void graphagile_partition_end_pieces(graphagile_partition_job *j);

/* The number of pieces of a cell with so many edges. */
static inline int64_t graphagile_partition_pieces_of(const graphagile_partition_job *j, int64_t edges) {
  return number_ceil_div(edges, j->out->shape.max_edges);
}

#endif
