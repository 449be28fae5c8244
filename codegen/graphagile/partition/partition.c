/* Fiber-Shard partitioning (GraphAGILE, Section VI-E) by counting: one pass over the edges counts
 * those of each cell (pair of destination and source shard), a second pass writes them to their
 * places.
 *
 *   3 nodes per shard, edges 0->1 4->1 5->4 1->2
 *   ->  cells (0, 0): 0->1 1->2   (0, 1): 1->1   (1, 1): 2->1   in local rows
 *
 * The edge list is cut into lanes, two for each thread, each with counters of its own. In every
 * cell the edges of a lane come before those of the next lane; so edges keep the order of the list,
 * and the result does not depend on the number of threads. A thread takes edges from its two lanes
 * in turns: edge lists are sorted, so neighbouring edges use the same counter, and a counter that
 * is read right after it was written costs the latency of a store. */
#include "codegen/graphagile/partition/partition.h"

#include "codegen/device/host/host_memory.h"
#include "codegen/graphagile/partition/partition_job.h"
#include "codegen/graphagile/partition/partition_sort.h"
#include "kernels/wide.h"
#include "support/number.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { LANES_PER_SHARE = 2, FEW_CELLS = 1 << 12, SMALL = 1 << 15, BLOCK = PROGRAM_WEIGH_MOST };

/* Edges begin .. end - 1 of the list. */
typedef struct lane {
  int64_t begin, end;
  uint32_t *counters; /* [cells]: number of this lane's edges; in the second pass the place of the next edge */
} lane;

typedef struct counting {
  graphagile_partition_job *job;
  lane lanes[LANES_PER_SHARE * THREAD_POOL_MOST_SHARES];
  int lane_count;
} counting;

/* Some consecutive edges of a lane, so that cells, local rows and weights are computed for many at
 * a time. */
typedef struct block {
  size_t count;
  const int32_t *src, *dst; /* rows; those of self loops are not stored in the list, so they are written here: */
  int32_t listed[BLOCK];
  int32_t placed[2][BLOCK]; /* rows of the device, where these are in another order than those of the list */
  int32_t cell[BLOCK];
  int32_t ends[BLOCK][2]; /* local rows */
  const float *weight;    /* weights of the list, or these: */
  float weights[BLOCK];   /* 1, or computed */
  int32_t *position;      /* places of the edges, if the caller wants them; else NULL */
} block;

/* ---- the first pass ---------------------------------------------------------------------------------------------- */

/* Below these sizes fp32 is exact enough to find shards: x + 0.5 and its product with 1 / rows are
 * off by less than (x + 0.5) / rows * 2^-23. */
enum { SMALL_ROWS = 1 << 21, SMALL_CELLS = 1 << 24 };

static inline int32_t divide(graphagile_partition_divisor by, int32_t x, bool is_small) {
  return is_small ? (int32_t)(((float)x + 0.5f) * (float)by.inverse) : graphagile_partition_divide(by, x);
}

/* A thread's lanes take turns, so the processor does not recognise that the next block will be
 * read. */
static void prefetch(const graphagile_partition_job *j, int64_t begin) {
  const program_edge_list *r = j->edge_list;
  enum { PER_LINE = 16 };
  if (begin + BLOCK > r->edges - r->loops) return;
  for (int64_t e = begin; e < begin + BLOCK; e += PER_LINE) {
    __builtin_prefetch(r->src + e);
    __builtin_prefetch(r->dst + e);
  }
}

/* Replaces the rows at one end of a block by the places where the device has them. */
static void place_rows(const int32_t *restrict place, const int32_t **rows, int32_t *restrict to, size_t count) {
  if (!place) return;
  const int32_t *restrict from = *rows;
  for (size_t i = 0; i < count; i++) to[i] = place[from[i]];
  *rows = to;
}

/* Takes the next edges of a lane: all from the list, or all self loops. */
static void take_block(const graphagile_partition_job *j, lane *l, block *to) {
  const program_edge_list *r = j->edge_list;
  int64_t stored = r->edges - r->loops, end = l->begin < stored && stored < l->end ? stored : l->end;
  int64_t at = l->begin;
  to->count = end <= at ? 0 : end - at < BLOCK ? (size_t)(end - at) : BLOCK;
  l->begin += (int64_t)to->count;
  to->src = to->dst = to->listed;
  if (at < stored) {
    to->src = r->src + at;
    to->dst = r->dst + at;
    prefetch(j, l->begin);
  } else if (r->loop) {
    to->src = to->dst = r->loop + (at - stored);
  } else {
    for (size_t i = 0; i < to->count; i++) to->listed[i] = (int32_t)(at - stored) + (int32_t)i;
  }
  place_rows(r->src_place, &to->src, to->placed[0], to->count);
  place_rows(r->dst_place, &to->dst, to->placed[1], to->count);
}

static inline void find_cells_as(const graphagile_partition_job *j, block *restrict b, bool is_small) {
  const int32_t *restrict src = b->src, *restrict dst = b->dst;
  const graphagile_partition_divisor by_src = j->by_src, by_dst = j->by_dst;
  const int32_t src_shards = (int32_t)j->src_shards;
  for (size_t i = 0; i < b->count; i++)
    b->cell[i] = divide(by_dst, dst[i], is_small) * src_shards + divide(by_src, src[i], is_small);
}

KERNEL_WIDE static void find_cells(const graphagile_partition_job *j, block *b) {
  if (j->is_small)
    find_cells_as(j, b, true);
  else
    find_cells_as(j, b, false);
}

static void count_pair(const graphagile_partition_job *j, lane a, lane b) {
  block first, second;
  memset(a.counters, 0, (size_t)j->cells * sizeof *a.counters);
  memset(b.counters, 0, (size_t)j->cells * sizeof *b.counters);
  while (a.begin < a.end || b.begin < b.end) {
    take_block(j, &a, &first);
    take_block(j, &b, &second);
    find_cells(j, &first);
    find_cells(j, &second);
    size_t both = first.count < second.count ? first.count : second.count;
    for (size_t i = 0; i < both; i++) {
      a.counters[first.cell[i]]++;
      b.counters[second.cell[i]]++;
    }
    for (size_t i = both; i < first.count; i++) a.counters[first.cell[i]]++;
    for (size_t i = both; i < second.count; i++) b.counters[second.cell[i]]++;
  }
}

static void count_lanes(void *user, int share, int shares) {
  const counting *c = user;
  for (int first = share * LANES_PER_SHARE; first < c->lane_count; first += shares * LANES_PER_SHARE)
    count_pair(c->job, c->lanes[first], c->lanes[first + 1]);
}

/* Replaces the counts of cells by places: adds up the edges of cells and lanes, and makes the
 * pieces. */
static status make_pieces(counting *c) {
  graphagile_partition_job *j = c->job;
  int64_t pieces = 0, cells = 0;
  for (int64_t cell = 0; cell < j->cells; cell++) {
    int64_t edges = 0;
    for (int l = 0; l < c->lane_count; l++) edges += c->lanes[l].counters[cell];
    pieces += graphagile_partition_pieces_of(j, edges);
    cells += edges > 0;
  }
  RETURN_IF_ERROR(graphagile_partition_begin_pieces(j, cells, pieces));
  for (int64_t cell = 0; cell < j->cells; cell++) {
    int64_t at = j->out->edges;
    for (int l = 0; l < c->lane_count; l++) {
      uint32_t edges = c->lanes[l].counters[cell];
      c->lanes[l].counters[cell] = (uint32_t)at;
      at += edges;
    }
    if (at > j->out->edges) graphagile_partition_add_cell(j, cell, at - j->out->edges);
  }
  graphagile_partition_end_pieces(j);
  return STATUS_OK;
}

/* ---- the second pass --------------------------------------------------------------------------------------------- */

static inline void find_ends_as(const graphagile_partition_job *j, block *restrict b, bool is_small) {
  const int32_t *restrict src = b->src, *restrict dst = b->dst;
  const graphagile_partition_divisor by_src = j->by_src, by_dst = j->by_dst;
  const int32_t src_shards = (int32_t)j->src_shards;
  for (size_t i = 0; i < b->count; i++) {
    int32_t src_shard = divide(by_src, src[i], is_small), dst_shard = divide(by_dst, dst[i], is_small);
    b->cell[i] = dst_shard * src_shards + src_shard;
    b->ends[i][0] = src[i] - src_shard * by_src.rows;
    b->ends[i][1] = dst[i] - dst_shard * by_dst.rows;
  }
}

KERNEL_WIDE static void find_ends(const graphagile_partition_job *j, block *b) {
  if (j->is_small)
    find_ends_as(j, b, true);
  else
    find_ends_as(j, b, false);
}

/* Finds all that is needed of a lane's next edges: cells, local rows, weights. */
static void read_block(const graphagile_partition_job *j, lane *l, block *b) {
  const program_edge_list *r = j->edge_list;
  int64_t begin = l->begin;
  take_block(j, l, b);
  find_ends(j, b);
  for (size_t i = 0; j->out->shape.hub_rows && i < b->count; i++)
    b->ends[i][1] = graphagile_partition_place_sum(&j->out->shape, begin + (int64_t)i, b->ends[i][1]);
  if (r->weights.user && b->count) r->weights.weigh(r->weights.user, begin, (int64_t)b->count, b->weights);
  b->weight = r->weight ? r->weight + begin : b->weights;
  b->position = j->out->position ? j->out->position + begin : NULL;
}

/* Writes an edge of a block to the place that the counter of its cell says. */
static inline void put(unsigned char *records, const block *b, size_t i, uint32_t *counters, bool has_position) {
  uint32_t at = counters[b->cell[i]]++;
  if (records) graphagile_partition_put(records, at, b->ends[i], b->weight[i]);
  if (has_position) b->position[i] = (int32_t)at;
}

static inline void put_blocks(unsigned char *records, const block *restrict first, uint32_t *restrict counters,
                              const block *restrict second, uint32_t *restrict others, bool has_position) {
  size_t both = first->count < second->count ? first->count : second->count;
  for (size_t i = 0; i < both; i++) {
    put(records, first, i, counters, has_position);
    put(records, second, i, others, has_position);
  }
  for (size_t i = both; i < first->count; i++) put(records, first, i, counters, has_position);
  for (size_t i = both; i < second->count; i++) put(records, second, i, others, has_position);
}

static void put_pair(const graphagile_partition_job *j, lane a, lane b) {
  block first, second;
  for (size_t i = 0; i < BLOCK; i++) first.weights[i] = second.weights[i] = 1;
  while (a.begin < a.end || b.begin < b.end) {
    read_block(j, &a, &first);
    read_block(j, &b, &second);
    if (j->out->position)
      put_blocks(j->out->records, &first, a.counters, &second, b.counters, true);
    else
      put_blocks(j->out->records, &first, a.counters, &second, b.counters, false);
  }
}

static void put_lanes(void *user, int share, int shares) {
  const counting *c = user;
  for (int first = share * LANES_PER_SHARE; first < c->lane_count; first += shares * LANES_PER_SHARE)
    put_pair(c->job, c->lanes[first], c->lanes[first + 1]);
}

static void cut_lanes(counting *c, uint32_t *counters, int64_t stride) {
  for (int l = 0; l < c->lane_count; l++) {
    lane *to = &c->lanes[l];
    thread_pool_cut(c->job->edge_list->edges, l, c->lane_count, &to->begin, &to->end);
    to->counters = counters + (size_t)l * (size_t)stride;
  }
}

static status partition_count(graphagile_partition_job *j) {
  int64_t edges = j->edge_list->edges;
  counting c = {.job = j, .lane_count = LANES_PER_SHARE};
  if (edges >= SMALL) c.lane_count *= thread_pool_shares(j->pool);
  int64_t stride = number_round_up(j->cells, 32); /* no two threads write to the same cache line */
  uint32_t *counters = host_memory_alloc(stride * c.lane_count, sizeof *counters);
  if (!counters) return status_error(STATUS_CODE_memory, "no memory to count %" PRId64 " subshards", j->cells);
  cut_lanes(&c, counters, stride);
  thread_pool_run(j->pool, edges, count_lanes, &c);
  status s = make_pieces(&c);
  if (!s && (j->out->records || j->out->position)) thread_pool_run(j->pool, edges, put_lanes, &c);
  free(counters);
  return s;
}

/* ---- all of it --------------------------------------------------------------------------------------------------- */

static status prepare(graphagile_partition_job *j, int what) {
  const program_edge_list *r = j->edge_list;
  graphagile_partition *p = j->out;
  p->shards = number_ceil_div(r->to_rows, p->shape.dst_rows);
  j->src_shards = number_ceil_div(r->from_rows, p->shape.src_rows);
  j->cells = p->shards * j->src_shards;
  j->by_src = (graphagile_partition_divisor){1.0 / p->shape.src_rows, p->shape.src_rows};
  j->by_dst = (graphagile_partition_divisor){1.0 / p->shape.dst_rows, p->shape.dst_rows};
  j->is_small = r->from_rows <= SMALL_ROWS && r->to_rows <= SMALL_ROWS && j->cells <= SMALL_CELLS;
  if (what & GRAPHAGILE_PARTITION_RECORDS && !p->records)
    p->records = host_memory_alloc(r->edges, GRAPHAGILE_RECORD_BYTES);
  if (what & GRAPHAGILE_PARTITION_POSITIONS) p->position = host_memory_alloc(r->edges, sizeof *p->position);
  if ((what & GRAPHAGILE_PARTITION_RECORDS && !p->records) || (what & GRAPHAGILE_PARTITION_POSITIONS && !p->position))
    return status_error(STATUS_CODE_memory, "no memory for the records of %" PRId64 " edges", r->edges);
  return STATUS_OK;
}

status graphagile_partition_build(const program_edge_list *r, graphagile_partition_shape shape, int what, int threads,
                                  graphagile_partition *out) {
  assert(shape.src_rows > 0 && shape.dst_rows > 0 && shape.max_edges > 0);
  *out = (graphagile_partition){.shape = shape, .records = what & GRAPHAGILE_PARTITION_INTO ? out->records : NULL};
  if (r->edges > INT32_MAX)
    return status_error(STATUS_CODE_unsupported, "an edge list has %" PRId64 " edges, at most %d are supported",
                        r->edges, INT32_MAX);
  graphagile_partition_job job = {.edge_list = r,
                                  .out = out,
                                  .pool = threads > 1 ? r->pool : NULL,
                                  .keeps_empty = what & GRAPHAGILE_PARTITION_EMPTY};
  thread_pool *own = NULL;
  if (threads > 1 && !r->pool && r->edges >= SMALL) job.pool = own = thread_pool_create(threads);
  status s = prepare(&job, what);
  if (!s)
    s = job.cells <= FEW_CELLS || job.cells <= r->edges / 8 ? partition_count(&job) : graphagile_partition_sort(&job);
  thread_pool_destroy(own);
  if (s) {
    if (what & GRAPHAGILE_PARTITION_INTO) out->records = NULL;
    graphagile_partition_free(out);
    return s;
  }
  for (int64_t d = 0; d < out->shards; d++) /* shards without edges begin where the next one does */
    if (out->shard_begin[d + 1] < out->shard_begin[d]) out->shard_begin[d + 1] = out->shard_begin[d];
  return STATUS_OK;
}

void graphagile_partition_free(graphagile_partition *p) {
  free(p->pieces);
  free(p->shard_begin);
  free(p->records);
  free(p->position);
  *p = (graphagile_partition){0};
}
