/* Cycles of Linear layers. */
#ifndef GNNC_CODEGEN_GRAPHAGILE_COST_COST_GEMM_H
#define GNNC_CODEGEN_GRAPHAGILE_COST_COST_GEMM_H

#include "codegen/graphagile/cost/cost_machine.h"
#include "codegen/graphagile/plan/plan_layer.h"

/* Estimated cycles of a Linear layer whose blocks have tile.rows rows and tile.fibers output
 * fibers and load tile.inner input fibers at a time. */
double graphagile_cost_gemm(const graphagile_cost_machine *m, const graphagile_plan_layer *layer,
                            graphagile_plan_tile tile);

#endif
