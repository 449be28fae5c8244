/* How an edge list falls into pieces, estimated as for edges at random. */
#ifndef GNNC_CODEGEN_GRAPHAGILE_COST_COST_CUT_H
#define GNNC_CODEGEN_GRAPHAGILE_COST_COST_CUT_H

#include "codegen/graphagile/cost/cost_machine.h"
#include "codegen/graphagile/plan/plan_layer.h"

/* A whole shard of an edge list in a shape. */
typedef struct graphagile_cost_cut {
  graphagile_partition_shape shape;
  double height;
  double tiles, cells; /* source tiles; those that it has edges from */
  double pieces, per_piece;
  double cycles; /* of a piece, for a fiber */
} graphagile_cost_cut;

graphagile_cost_cut graphagile_cost_cut_of(const graphagile_cost_machine *m, const program_edge_list *list,
                                           graphagile_partition_shape shape);

/* Cycles by which conflicts make edges slower (level L1), of `parts` of so many edges: `mean`
 * cycles without them. */
double graphagile_cost_conflicts(const graphagile_cost_machine *m, double mean, double parts);

/* The shape of the list that a layer's blocks begin with (graphagile_plan_spdmm.before), for the
 * shape and the tile of the layer itself: its shards, and 16 source tiles. */
graphagile_partition_shape graphagile_cost_shape_before(const graphagile_cost_machine *m,
                                                        const graphagile_plan_spdmm *before,
                                                        graphagile_partition_shape shape, graphagile_plan_tile tile);

#endif
