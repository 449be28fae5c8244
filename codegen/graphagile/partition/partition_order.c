/* Orders the records of pieces for the two butterfly networks of SpDMM (sim/graphagile/network.h).
 *
 * The p / 2 records of a row of the Edge Buffer enter at every other port: record i is lane i. For
 * p = 16 a row is routed without a conflict where lane i reads a bank of the pair i and goes to the
 * pipeline i ^ c, with the same c for all lanes:
 *
 *   ISN, lane i = i2 i1 i0 to bank b = i2 i1 i0 b0: after its stages the wires are i2 i1 i0 0, ..., b;
 *   DSN, bank b to port d = (i ^ c) d0: each stage replaces a bit of b by one of d, which differs in
 *   the same bits between any two lanes.
 *
 * So records are dealt out to (p / 2)^2 buckets, by the pair of banks of the source (the lane) and by
 * c. A row takes one record of each lane from the buckets of one c, and c changes from row to row.
 * Records come sorted by a row, and edges into one row must not follow each other, or the accumulator
 * would wait. Therefore neighbours of the list get places in a bucket that are `parts` apart, and the
 * buckets of each c begin with another part of the list. When a bucket of each c is empty, lanes take
 * what is left, with different pipelines where there is a choice. */
#include "codegen/graphagile/partition/partition_order.h"

#include "codegen/device/host/host_memory.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The accumulator takes an edge into the same row every 9 cycles (accumulator_latency); a part of a
 * bucket has a turn after PARTS_AND_LANES cycles. */
enum { MOST_LANES = 8, MOST_BUCKETS = MOST_LANES * MOST_LANES, PARTS_AND_LANES = 16 };

typedef struct record {
  uint32_t src, dst;
  float weight;
} record;
_Static_assert(sizeof(record) == GRAPHAGILE_RECORD_BYTES, "a record has three words");

/* Records of one lane and one c. */
typedef struct bucket {
  uint32_t begin, end; /* in `slots` */
  uint32_t next;       /* the first whose place is not chosen yet */
  uint32_t at;         /* where the next record of the list is put, counted from `begin` */
} bucket;

typedef struct ordering {
  const graphagile_partition *partition;
  uint32_t lanes;
  uint32_t *moved; /* [edges] the new place of each record; NULL: nobody asks */
  int64_t most;    /* records of the largest piece */
  bool is_out_of_memory;
} ordering;

/* A piece while it is ordered. The places of the records are chosen from the sizes of the buckets
 * alone, so that each record moves once. */
typedef struct piece {
  bucket buckets[MOST_BUCKETS]; /* pipeline * lanes + lane; c = pipeline ^ lane */
  uint32_t first_edge, count, put;
  record *records; /* of the piece */
  record *listed;  /* a copy of them in the order of the list */
  uint32_t *slots; /* the place of each record of each bucket */
  uint32_t *moved;
} piece;

static inline uint32_t bucket_of(uint32_t lanes, const record *r) {
  uint32_t lane = r->src / 2 & (lanes - 1), pipeline = r->dst / 2 & (lanes - 1);
  return pipeline * lanes + lane;
}

/* Cuts the records into buckets. */
static inline __attribute__((always_inline)) void count(piece *p, uint32_t lanes) {
  uint32_t counts[MOST_BUCKETS] = {0};
  for (uint32_t i = 0; i < p->count; i++) counts[bucket_of(lanes, &p->records[i])]++;
  for (uint32_t k = 0, begin = 0; k < lanes * lanes; k++) {
    p->buckets[k] = (bucket){begin, begin + counts[k], begin, counts[k] * ((k / lanes ^ k) & (lanes - 1)) / lanes};
    begin += counts[k];
  }
}

/* Gives the next record of a bucket the next place. */
static inline void take(piece *p, bucket *b) {
  p->slots[b->next++] = p->put++;
}

/* The records of the smallest bucket. */
static inline uint32_t least(const piece *p, uint32_t lanes) {
  uint32_t rows = UINT32_MAX;
  for (uint32_t k = 0; k < lanes * lanes; k++) {
    uint32_t size = p->buckets[k].end - p->buckets[k].begin;
    if (size < rows) rows = size;
  }
  return rows;
}

/* Takes whole rows, as many of each c as the smallest of all buckets has records. */
static inline __attribute__((always_inline)) void take_all(piece *p, uint32_t lanes) {
  uint32_t rows = least(p, lanes), records = lanes * lanes;
  for (uint32_t k = 0; k < records; k++) {
    uint32_t lane = k & (lanes - 1), c = (k / lanes ^ k) & (lanes - 1);
    uint32_t *restrict slots = p->slots + p->buckets[k].begin;
    for (uint32_t row = 0; row < rows; row++) slots[row] = row * records + c * lanes + lane;
    p->buckets[k].next += rows;
  }
  p->put = rows * records;
}

/* Takes whole rows of each c, as many as its smallest bucket still has records. */
static inline __attribute__((always_inline)) void take_rows(piece *p, uint32_t lanes) {
  uint32_t rows[MOST_LANES], most = 0;
  for (uint32_t c = 0; c < lanes; c++) {
    rows[c] = UINT32_MAX;
    for (uint32_t lane = 0; lane < lanes; lane++) {
      const bucket *b = &p->buckets[(lane ^ c) * lanes + lane];
      if (b->end - b->next < rows[c]) rows[c] = b->end - b->next;
    }
    if (rows[c] > most) most = rows[c];
  }
  for (uint32_t row = 0; row < most; row++)
    for (uint32_t c = 0; c < lanes; c++)
      for (uint32_t lane = 0; row < rows[c] && lane < lanes; lane++) take(p, &p->buckets[(lane ^ c) * lanes + lane]);
}

/* The first member of a set of pipelines, which is not empty, in the cyclic order that begins with
 * `from`. */
static inline uint32_t first_from(uint32_t set, uint32_t from) {
  uint32_t behind = set >> from << from;
  return (uint32_t)__builtin_ctz(behind ? behind : set);
}

/* Takes all other records; a lane without records takes those of the next one that has some. */
static inline __attribute__((always_inline)) void take_rest(piece *p, uint32_t lanes) {
  uint32_t open[MOST_LANES] = {0}; /* of each lane: pipelines for which it has records */
  for (uint32_t k = 0; k < lanes * lanes; k++)
    if (p->buckets[k].next < p->buckets[k].end) open[k & (lanes - 1)] |= 1u << k / lanes;
  for (uint32_t turn = 0, used = 0; p->put < p->count; turn++) {
    uint32_t lane = turn & (lanes - 1);
    if (!lane) used = 0; /* a row begins */
    while (!open[lane]) lane = (lane + 1) & (lanes - 1);
    uint32_t free = open[lane] & ~used, pipeline = first_from(free ? free : open[lane], turn / lanes & (lanes - 1));
    bucket *b = &p->buckets[pipeline * lanes + lane];
    used |= 1u << pipeline;
    take(p, b);
    if (b->next == b->end) open[lane] &= ~(1u << pipeline);
  }
}

/* The place behind `at` in the cyclic order of the `count` places of a bucket that takes every
 * `parts`-th of them, then the places behind these. */
static inline uint32_t place_behind(uint32_t at, uint32_t count, uint32_t parts) {
  uint32_t next = at + (count < parts ? 1 : parts);
  if (next < count) return next;
  return count < parts ? 0 : (next + 1) & (parts - 1);
}

/* Moves the records to their places. Neighbours of the list go to every `parts`-th place of a bucket. */
static inline __attribute__((always_inline)) void move(piece *p, uint32_t lanes) {
  uint32_t parts = PARTS_AND_LANES / lanes;
  memcpy(p->listed, p->records, p->count * sizeof *p->listed);
  for (uint32_t i = 0; i < p->count; i++) {
    bucket *b = &p->buckets[bucket_of(lanes, &p->listed[i])];
    uint32_t slot = p->slots[b->begin + b->at];
    b->at = place_behind(b->at, b->end - b->begin, parts);
    p->records[slot] = p->listed[i];
    if (p->moved) p->moved[p->first_edge + i] = p->first_edge + slot;
  }
}

/* Called with a constant where the width is the common one, so that divisions by it are shifts. */
static inline __attribute__((always_inline)) void order_records(piece *p, uint32_t lanes) {
  count(p, lanes);
  take_all(p, lanes);
  take_rows(p, lanes);
  take_rest(p, lanes);
  move(p, lanes);
}

static void order_piece(const ordering *o, const graphagile_descriptor *d, piece *p) {
  if (d->num_edges <= o->lanes) return; /* one row */
  p->first_edge = d->first_edge;
  p->count = d->num_edges;
  p->records = (record *)(void *)o->partition->records + d->first_edge;
  if (o->lanes == MOST_LANES)
    order_records(p, MOST_LANES);
  else
    order_records(p, o->lanes);
}

static void order_share(void *user, int share, int shares) {
  ordering *o = user;
  const graphagile_partition *from = o->partition;
  piece p = {.moved = o->moved,
             .listed = host_memory_alloc(o->most, sizeof *p.listed),
             .slots = host_memory_alloc(o->most, sizeof *p.slots)};
  int64_t begin, end;
  thread_pool_cut(from->num_pieces, share, shares, &begin, &end);
  if (!p.listed || !p.slots)
    __atomic_store_n(&o->is_out_of_memory, true, __ATOMIC_RELAXED);
  else
    for (int64_t i = begin; i < end; i++) order_piece(o, &from->pieces[i], &p);
  free(p.listed);
  free(p.slots);
}

/* Replaces the places of edges by those that their records moved to. */
static void move_positions(graphagile_partition *p, const uint32_t *moved) {
  for (int64_t e = 0; e < p->edges; e++) p->position[e] = (int32_t)moved[p->position[e]];
}

status graphagile_partition_order(graphagile_partition *p, int32_t width, thread_pool *pool) {
  ordering o = {.partition = p, .lanes = (uint32_t)width / 2};
  if (o.lanes > MOST_LANES || !p->records) return STATUS_OK;
  for (int64_t i = 0; i < p->num_pieces; i++)
    if (p->pieces[i].num_edges > o.most) o.most = p->pieces[i].num_edges;
  if (p->position) {
    o.moved = host_memory_alloc(p->edges, sizeof *o.moved);
    if (!o.moved) return status_error(STATUS_CODE_memory, "no memory to order %" PRId64 " edges", p->edges);
    for (int64_t e = 0; e < p->edges; e++) o.moved[e] = (uint32_t)e; /* of pieces that are not ordered */
  }
  thread_pool_run(pool, p->edges, order_share, &o);
  if (o.moved) move_positions(p, o.moved);
  free(o.moved);
  return o.is_out_of_memory ? status_error(STATUS_CODE_memory, "no memory to order %" PRId64 " edges", p->edges)
                            : STATUS_OK;
}
