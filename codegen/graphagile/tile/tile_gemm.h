/* Tiles of Linear layers. */
#ifndef GNNC_CODEGEN_GRAPHAGILE_TILE_TILE_GEMM_H
#define GNNC_CODEGEN_GRAPHAGILE_TILE_TILE_GEMM_H

#include "codegen/graphagile/cost/cost_machine.h"
#include "codegen/graphagile/plan/plan.h"

/* Sets tile and estimated cycles of a Linear layer to the cheapest of a few dozen tiles that
 * fit; gives a message where none fits. */
void graphagile_tile_gemm(graphagile_plan *p, const graphagile_cost_machine *m, graphagile_plan_layer *l);

#endif
