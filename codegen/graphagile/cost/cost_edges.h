/* Cycles of Aggregate and Vector-Inner layers. */
#ifndef GNNC_CODEGEN_GRAPHAGILE_COST_COST_EDGES_H
#define GNNC_CODEGEN_GRAPHAGILE_COST_COST_EDGES_H

#include "codegen/graphagile/cost/cost_cut.h"

/* Estimated cycles of an Aggregate or Vector-Inner layer over its edge list, cut as in `c`, with
 * tile.fibers fibers and tile.targets shards per block and tile.groups groups of fibers per
 * wave. */
double graphagile_cost_edges(const graphagile_cost_machine *m, const graphagile_plan_layer *layer,
                             const graphagile_cost_cut *c, graphagile_plan_tile tile);

#endif
