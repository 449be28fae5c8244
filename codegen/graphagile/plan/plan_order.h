/* Which order of pieces (plan_pieces.h) a layer takes, and the making of these orders. */
#ifndef GNNC_CODEGEN_GRAPHAGILE_PLAN_PLAN_ORDER_H
#define GNNC_CODEGEN_GRAPHAGILE_PLAN_PLAN_ORDER_H

#include "codegen/graphagile/plan/plan.h"

/* The order that a layer takes: with reuse of source rows where a subshard has several pieces,
 * in pairs of shards where tile.targets is 2, and in parts where tile.has_parts too. */
const graphagile_plan_pieces *graphagile_plan_pieces_of(const graphagile_plan_layer *layer);

/* Address of the first descriptor that a layer uses: of its own list, or of the list that it
 * begins with where that one comes first. */
uint64_t graphagile_plan_pieces_base(const graphagile_plan_layer *layer);

/* Makes the orders that the layers take, after all lists are partitioned. Returns false with
 * p->error where there is no memory. */
bool graphagile_plan_order_pieces(graphagile_plan *p);
/* Frees the orders that an edge list owns. */
void graphagile_plan_free_pieces(graphagile_plan_edge_list *edges);

#endif
