/* Which of a partition's orders of pieces a layer takes, and making them. */
#ifndef GNNC_CODEGEN_GRAPHAGILE_PLAN_PLAN_ORDER_H
#define GNNC_CODEGEN_GRAPHAGILE_PLAN_PLAN_ORDER_H

#include "codegen/graphagile/plan/plan.h"

/* The order a layer takes: with reuse of source rows where a block has several pieces of a source
 * shard, with pairs where tile.targets is 2, and in parts where tile.has_parts. */
const graphagile_plan_pieces *graphagile_plan_pieces_of(const graphagile_plan_layer *layer);

/* Where a layer's descriptors begin: of two lists, those that come first. */
uint64_t graphagile_plan_pieces_base(const graphagile_plan_layer *layer);

/* Makes the orders that the layers take, once partitions are there. False with p->error: no
 * memory. */
bool graphagile_plan_order_pieces(graphagile_plan *p);
void graphagile_plan_free_pieces(graphagile_plan_edge_list *edges);

#endif
