/* Cycles of Aggregate layers in waves. */
#ifndef GNNC_CODEGEN_GRAPHAGILE_COST_COST_WAVE_H
#define GNNC_CODEGEN_GRAPHAGILE_COST_COST_WAVE_H

#include "codegen/graphagile/cost/cost_machine.h"
#include "codegen/graphagile/plan/plan_layer.h"

/* An Aggregate layer in waves: its groups of fibers, bands of tile.targets shards - the last may be
 * a part -, destination and source shards. */
typedef struct graphagile_cost_wave {
  graphagile_plan_tile tile;
  double groups, bands, shards, tiles;
  double edges, record, value; /* bytes of an edge: loaded once by the PEs that share it, and by each */
  double sources;              /* bytes of all source rows, for all groups */
  double cycles, switches;     /* of a group: per p / 2 edges, and per piece */
  double once, added, stored;  /* cycles and bytes at the ends of a block */
} graphagile_cost_wave;

double graphagile_cost_of_wave(const graphagile_cost_machine *m, const graphagile_cost_wave *w);

#endif
