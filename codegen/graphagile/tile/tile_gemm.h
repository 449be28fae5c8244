/* Tiles of Linear layers. */
#ifndef GNNC_CODEGEN_GRAPHAGILE_TILE_TILE_GEMM_H
#define GNNC_CODEGEN_GRAPHAGILE_TILE_TILE_GEMM_H

#include "codegen/graphagile/cost/cost_machine.h"
#include "codegen/graphagile/plan/plan.h"

/* Sets tile and cycles of a GEMM: the cheapest of a few dozen that fit. A message where none
 * does. */
void graphagile_tile_gemm(graphagile_plan *p, const graphagile_cost_machine *m, graphagile_plan_layer *l);

#endif
