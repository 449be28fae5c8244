/* The orders in which layers go over the pieces of a partition. An order is a descriptor table
 * of its own; the records of edges stay where they are. */
#ifndef GNNC_CODEGEN_GRAPHAGILE_PLAN_PLAN_PIECES_H
#define GNNC_CODEGEN_GRAPHAGILE_PLAN_PLAN_PIECES_H

#include "isa/graphagile/graphagile.h"
#include "support/number.h"

/* A band is the destination shards that one block sums up: one shard, or two consecutive ones. */
typedef struct graphagile_plan_pieces {
  graphagile_descriptor *pieces; /* ordered by band, then source tile, then shard */
  int64_t *band_begin;           /* [bands + 1] */
  int64_t bands;
  uint64_t address; /* in section .desc */
  bool is_owned;    /* false: the arrays are the partition's */
} graphagile_plan_pieces;

/* The number of descriptors; 0 for an order that was not made. */
static inline int64_t graphagile_plan_pieces_count(const graphagile_plan_pieces *pieces) {
  return pieces->band_begin ? pieces->band_begin[pieces->bands] : 0;
}

/* The orders of an edge list. PLAIN is that of the partition. REUSE marks the pieces whose
 * source rows the piece before has loaded. PAIRS goes over two shards at a time, with reuse.
 * PARTS is PAIRS with each piece cut into parts, so that the memory is busy while the first part
 * is computed. */
enum {
  GRAPHAGILE_PLAN_ORDER_PLAIN,
  GRAPHAGILE_PLAN_ORDER_REUSE,
  GRAPHAGILE_PLAN_ORDER_PAIRS,
  GRAPHAGILE_PLAN_ORDER_PARTS,
  GRAPHAGILE_PLAN_ORDERS
};
enum { GRAPHAGILE_PLAN_MAX_TARGETS = 2, GRAPHAGILE_PLAN_PARTS = 4, GRAPHAGILE_PLAN_PART_EDGES = 4096 };

/* Into how many parts GRAPHAGILE_PLAN_ORDER_PARTS cuts a piece of so many edges: no part is
 * smaller than GRAPHAGILE_PLAN_PART_EDGES. */
static inline int64_t graphagile_plan_parts_of(int64_t edges) {
  return number_max(1, number_min(edges / GRAPHAGILE_PLAN_PART_EDGES, GRAPHAGILE_PLAN_PARTS));
}

#endif
