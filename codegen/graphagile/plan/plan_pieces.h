/* The orders in which Aggregate layers go over the pieces of a partition, as descriptor tables of their own; records stay where they are. */
#ifndef GNNC_CODEGEN_GRAPHAGILE_PLAN_PIECES_H
#define GNNC_CODEGEN_GRAPHAGILE_PLAN_PIECES_H

#include "isa/graphagile/graphagile.h"

struct plan;
struct plan_layer;
struct plan_edge_list;

/* A band is the destination shards that a block sums up: one, or two that follow one another. */
typedef struct plan_pieces {
  graphagile_descriptor *pieces; /* band by band, in a band by source shard, then first shard before second */
  int64_t *band_begin;           /* [bands + 1] */
  int64_t bands;
  uint64_t address; /* in .desc */
  bool is_owned;    /* not the partition's arrays */
} plan_pieces;

static inline int64_t plan_pieces_count(const plan_pieces *pieces) {
  return pieces->band_begin ? pieces->band_begin[pieces->bands] : 0;
}

/* Of an edge list: that of the partition; with reuse, where it has several pieces of a subshard; of pairs of shards, with reuse; the same with each piece in several, so that
 * the memory is busy while the first of them is computed. */
enum { PLAN_ORDER_PLAIN, PLAN_ORDER_REUSE, PLAN_ORDER_PAIRS, PLAN_ORDER_PARTS, PLAN_ORDERS };
enum { PLAN_MAX_TARGETS = 2, PLAN_PARTS = 4, PLAN_PART_EDGES = 4096 };

/* Parts of a piece of so many edges in PLAN_ORDER_PARTS: none is smaller than PLAN_PART_EDGES. */
static inline int64_t plan_parts_of(int64_t edges) {
  int64_t parts = edges / PLAN_PART_EDGES;
  return parts < 1 ? 1 : parts < PLAN_PARTS ? parts : PLAN_PARTS;
}

/* The order a layer takes: with reuse of source rows where a block has several pieces of a source shard, with pairs where tile.targets is 2, and in parts where
 * tile.has_parts. */
const plan_pieces *plan_pieces_of(const struct plan_layer *layer);

/* Where a layer's descriptors begin: of two lists, those that come first. */
uint64_t plan_pieces_base(const struct plan_layer *layer);

/* Makes the orders that the layers take, once partitions are there. False with p->error: no memory. */
bool plan_order_pieces(struct plan *p);
void plan_free_pieces(struct plan_edge_list *edges);

#endif
