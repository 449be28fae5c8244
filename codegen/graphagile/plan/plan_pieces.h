/* The orders in which Aggregate layers go over the pieces of a partition, as descriptor tables of
 * their own; records stay where they are. */
#ifndef GNNC_CODEGEN_GRAPHAGILE_PLAN_PLAN_PIECES_H
#define GNNC_CODEGEN_GRAPHAGILE_PLAN_PLAN_PIECES_H

#include "isa/graphagile/graphagile.h"
#include "support/number.h"

/* A band is the destination shards that a block sums up: one, or two that follow one another. */
typedef struct graphagile_plan_pieces {
  graphagile_descriptor *pieces; /* band by band, in a band by source shard, then first shard before second */
  int64_t *band_begin;           /* [bands + 1] */
  int64_t bands;
  uint64_t address; /* in .desc */
  bool is_owned;    /* not the partition's arrays */
} graphagile_plan_pieces;

static inline int64_t graphagile_plan_pieces_count(const graphagile_plan_pieces *pieces) {
  return pieces->band_begin ? pieces->band_begin[pieces->bands] : 0;
}

/* Of an edge list: that of the partition; with reuse, where it has several pieces of a subshard; of
 * pairs of shards, with reuse; the same with each piece in several, so that the memory is busy
 * while the first of them is computed. */
enum {
  GRAPHAGILE_PLAN_ORDER_PLAIN,
  GRAPHAGILE_PLAN_ORDER_REUSE,
  GRAPHAGILE_PLAN_ORDER_PAIRS,
  GRAPHAGILE_PLAN_ORDER_PARTS,
  GRAPHAGILE_PLAN_ORDERS
};
enum { GRAPHAGILE_PLAN_MAX_TARGETS = 2, GRAPHAGILE_PLAN_PARTS = 4, GRAPHAGILE_PLAN_PART_EDGES = 4096 };

/* Parts of a piece of so many edges in GRAPHAGILE_PLAN_ORDER_PARTS: none is smaller than
 * GRAPHAGILE_PLAN_PART_EDGES. */
static inline int64_t graphagile_plan_parts_of(int64_t edges) {
  return number_max(1, number_min(edges / GRAPHAGILE_PLAN_PART_EDGES, GRAPHAGILE_PLAN_PARTS));
}

#endif
