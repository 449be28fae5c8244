/* Partition shapes: how many source and destination rows a subshard has. */
#ifndef GNNC_CODEGEN_GRAPHAGILE_TILE_TILE_SHAPE_H
#define GNNC_CODEGEN_GRAPHAGILE_TILE_TILE_SHAPE_H

#include "codegen/graphagile/cost/cost_machine.h"
#include "codegen/graphagile/plan/plan.h"

/* Chooses the shapes of the edge lists that Aggregate and Vector-Inner layers go over. Then
 * fuses Vector-Inner layers with Aggregates (fuse_attention.h) where that costs less over these
 * shapes. */
void graphagile_tile_shapes(graphagile_plan *p, const graphagile_cost_machine *m);

/* Sets the shapes of all other lists: values may be stored in their order, but no layer goes
 * over them. */
void graphagile_tile_other_shapes(graphagile_plan *p);

#endif
