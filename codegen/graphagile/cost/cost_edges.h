/* Cycles of Aggregate and Vector-Inner layers. */
#ifndef GNNC_CODEGEN_GRAPHAGILE_COST_COST_EDGES_H
#define GNNC_CODEGEN_GRAPHAGILE_COST_COST_EDGES_H

#include "codegen/graphagile/cost/cost_blocks.h"
#include "codegen/graphagile/cost/cost_cut.h"

/* The shards of a layer, `targets` of them in each band, in `count` bands. A block covers one
 * band. */
typedef struct graphagile_cost_bands {
  double shards, targets, count;
} graphagile_cost_bands;

/* What the blocks of a layer consist of, independent of how they share loads. The members behind
 * `bands` are those of an Aggregate. */
typedef struct graphagile_cost_layer {
  const graphagile_plan_layer *layer;
  const graphagile_cost_cut *cut;
  graphagile_cost_bands bands;
  double groups, fibers; /* groups of fibers; average fibers of a group, because the last one may be smaller */
  double heads;
  double per_edge; /* cycles per p / 2 edges, without links */
  double links;    /* cycles per p / 2 edges of links, also those that are hidden */
  double switches; /* cycles per piece, from SDDMM to SPDMM and back */
  double sources;  /* bytes of the rows of a source tile */
  graphagile_cost_blocks ends;
} graphagile_cost_layer;

/* Describes an Aggregate or Vector-Inner layer over its edge list, cut as in `c`, with tile.fibers
 * fibers and tile.targets shards per block. */
graphagile_cost_layer graphagile_cost_layer_of(const graphagile_cost_machine *m, const graphagile_plan_layer *layer,
                                               const graphagile_cost_cut *c, graphagile_plan_tile tile);

/* Estimated cycles of the layer with tile.groups groups of fibers per wave; the other members of the
 * tile are those of graphagile_cost_layer_of. */
double graphagile_cost_edges(const graphagile_cost_machine *m, const graphagile_cost_layer *l,
                             graphagile_plan_tile tile);

#endif
