/* Chooses by cost which Linear layers become part of the Aggregate before them (fuse_product.h). */
#ifndef GNNC_CODEGEN_GRAPHAGILE_TILE_TILE_PRODUCT_H
#define GNNC_CODEGEN_GRAPHAGILE_TILE_TILE_PRODUCT_H

#include "codegen/graphagile/cost/cost_machine.h"
#include "codegen/graphagile/plan/plan.h"

/* Estimated cycles of a Linear layer of its own; does not change it. */
double graphagile_tile_cost_linear(graphagile_plan *p, const graphagile_cost_machine *m,
                                   const graphagile_plan_layer *linear);

/* Fuses each product that costs less with its sums, over the chosen shapes. */
void graphagile_tile_products(graphagile_plan *p, const graphagile_cost_machine *m);

#endif
