/* Shapes of partitions. */
#ifndef GNNC_CODEGEN_GRAPHAGILE_TILE_TILE_SHAPE_H
#define GNNC_CODEGEN_GRAPHAGILE_TILE_TILE_SHAPE_H

#include "codegen/graphagile/cost/cost_machine.h"
#include "codegen/graphagile/plan/plan.h"

/* Chooses the shapes of the edge lists that layers go over, then which layers are done in one, by
 * what they cost over them. */
void graphagile_tile_shapes(graphagile_plan *p, const graphagile_cost_machine *m);

/* Shapes of the lists that no layer goes over: those that only values or nothing belong to. */
void graphagile_tile_other_shapes(graphagile_plan *p);

#endif
