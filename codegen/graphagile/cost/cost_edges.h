/* Cycles of Aggregate and Vector-Inner layers. */
#ifndef GNNC_CODEGEN_GRAPHAGILE_COST_COST_EDGES_H
#define GNNC_CODEGEN_GRAPHAGILE_COST_COST_EDGES_H

#include "codegen/graphagile/cost/cost_cut.h"

/* An Aggregate or Vector-Inner layer over its edge list in a shape, with tile.fibers fibers,
 * tile.targets shards and tile.groups groups. */
double graphagile_cost_edges(const graphagile_cost_machine *m, const graphagile_plan_layer *layer,
                             const graphagile_cost_cut *c, graphagile_plan_tile tile);

#endif
