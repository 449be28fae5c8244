/* Cycles of Aggregate layers in waves. */
#ifndef GNNC_CODEGEN_GRAPHAGILE_COST_COST_WAVE_H
#define GNNC_CODEGEN_GRAPHAGILE_COST_COST_WAVE_H

#include "codegen/graphagile/cost/cost_blocks.h"
#include "codegen/graphagile/plan/plan_layer.h"

/* An Aggregate layer in waves: numbers of groups of fibers, of bands of tile.targets shards (the
 * last may be a fraction of one), of destination shards and of source tiles. */
typedef struct graphagile_cost_wave {
  graphagile_plan_tile tile;
  double groups, bands, shards, tiles;
  /* edges of the list; bytes of an edge that PEs load once together, and bytes that each loads
   * itself */
  double edges, record, value;
  double sources;             /* bytes of all source rows for all groups */
  double cycles, switches;    /* of a group: per p / 2 edges, and per piece */
  double once, added, stored; /* at the ends of a block: cycles, bytes added to the sums, bytes stored */
  graphagile_cost_product product;
} graphagile_cost_wave;

/* Estimated cycles of the layer. */
double graphagile_cost_of_wave(const graphagile_cost_machine *m, const graphagile_cost_wave *w);

#endif
