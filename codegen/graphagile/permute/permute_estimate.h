/* Estimates the cycles of layers from the edges that there are (permute_cells.h). */
#ifndef GNNC_CODEGEN_GRAPHAGILE_PERMUTE_PERMUTE_ESTIMATE_H
#define GNNC_CODEGEN_GRAPHAGILE_PERMUTE_PERMUTE_ESTIMATE_H

#include "codegen/graphagile/cost/cost_machine.h"
#include "codegen/graphagile/permute/permute_cells.h"
#include "codegen/graphagile/plan/plan.h"

/* The cycles of an Aggregate or Vector-Inner layer with so many edges in each subshard. They are
 * compared with those of the same layer with other edges, so what orders do not change is left out. */
double graphagile_permute_estimate(const graphagile_cost_machine *m, const graphagile_plan_layer *l,
                                   const graphagile_permute_cells *c);

#endif
