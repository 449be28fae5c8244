/* Estimates of a partition before it is made, as if edges were random. */
#ifndef GNNC_CODEGEN_GRAPHAGILE_COST_COST_CUT_H
#define GNNC_CODEGEN_GRAPHAGILE_COST_COST_CUT_H

#include "codegen/graphagile/cost/cost_machine.h"
#include "codegen/graphagile/plan/plan_layer.h"

/* An average destination shard of an edge list, cut into subshards of a shape. */
typedef struct graphagile_cost_cut {
  graphagile_partition_shape shape;
  double height;            /* destination rows */
  double tiles, cells;      /* subshards in the shard; those with edges */
  double pieces, per_piece; /* pieces of the shard; edges of a piece */
  double cycles;            /* to compute a piece for one fiber */
} graphagile_cost_cut;

/* Estimates the shards of a list in a shape; no errors. */
graphagile_cost_cut graphagile_cost_cut_of(const graphagile_cost_machine *m, const program_edge_list *list,
                                           graphagile_partition_shape shape);

/* Cycles by which conflicts on banks and pipelines (docs/devices/graphagile.md, level L1) delay
 * `parts` pieces of as many edges each; `mean` is the cycles of one piece without conflicts. */
double graphagile_cost_conflicts(const graphagile_cost_machine *m, double mean, double parts);

/* The shape of the list that blocks begin with (graphagile_plan_spdmm.before), for the shape and
 * tile of the layer itself: the same destination shards, and about 16 source tiles. */
graphagile_partition_shape graphagile_cost_shape_before(const graphagile_cost_machine *m,
                                                        const graphagile_plan_spdmm *before,
                                                        graphagile_partition_shape shape, graphagile_plan_tile tile);

#endif
