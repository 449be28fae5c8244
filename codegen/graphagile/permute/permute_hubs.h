/* Shapes in which hubs have several sums each. */
#ifndef GNNC_CODEGEN_GRAPHAGILE_PERMUTE_PERMUTE_HUBS_H
#define GNNC_CODEGEN_GRAPHAGILE_PERMUTE_PERMUTE_HUBS_H

#include "codegen/graphagile/plan/plan.h"

/* The shape of a list with so many places for each hub; without hub_rows where a layer over the list
 * cannot join them, or where the buffers have no room. */
graphagile_partition_shape graphagile_permute_spread_hubs(const graphagile_plan *p, const graphagile_plan_edge_list *e,
                                                          int places);

/* Gives a list and the layers over it another shape. */
void graphagile_permute_set_shape(graphagile_plan *p, const graphagile_plan_edge_list *e,
                                  graphagile_partition_shape shape);

#endif
