/* The orders in which Aggregate layers go over the pieces of a partition, as descriptor tables of their own; records stay where they are. */
#ifndef GNNC_CODEGEN_GRAPHAGILE_PLAN_PIECES_H
#define GNNC_CODEGEN_GRAPHAGILE_PLAN_PIECES_H

#include "isa/graphagile.h"

struct plan;
struct plan_layer;
struct plan_edges;

/* A band is the destination shards that a block sums up: one, or two that follow one another. */
typedef struct plan_pieces {
  isa_descriptor *pieces; /* band by band, in a band by source shard, then first shard before second */
  int64_t *band_begin;    /* [bands + 1] */
  int64_t bands;
  uint64_t address; /* in .desc */
  bool is_owned;    /* not the partition's arrays */
} plan_pieces;

/* Of an edge list: that of the partition; with reuse, where it has several pieces of a subshard; of pairs of shards, with reuse. */
enum { PLAN_ORDER_PLAIN, PLAN_ORDER_REUSE, PLAN_ORDER_PAIRS, PLAN_ORDERS };
enum { PLAN_MAX_TARGETS = 2 };

/* The order a layer takes: with reuse of source rows where a block has several pieces of a source shard, and with pairs where tile.targets is 2. */
const plan_pieces *plan_pieces_of(const struct plan_layer *layer);

/* Makes the orders that the layers take, once partitions are there. False with p->error: no memory. */
bool plan_order_pieces(struct plan *p);
void plan_free_pieces(struct plan_edges *edges);

#endif
