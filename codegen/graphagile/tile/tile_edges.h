/* Tiles of Aggregate and Vector-Inner layers over a partition. */
#ifndef GNNC_CODEGEN_GRAPHAGILE_TILE_TILE_EDGES_H
#define GNNC_CODEGEN_GRAPHAGILE_TILE_TILE_EDGES_H

#include "codegen/graphagile/cost/cost_machine.h"
#include "codegen/graphagile/plan/plan.h"

/* Returns the cheapest tile of a layer over a partition shape, and its estimate in *cycles:
 * INFINITY where no tile fits. */
graphagile_plan_tile graphagile_tile_edges(const graphagile_plan *p, const graphagile_cost_machine *m,
                                           const graphagile_plan_layer *l, graphagile_partition_shape shape,
                                           double *cycles);

#endif
