/* Partitions and tiles: for each edge list one shape, for each layer one tile, the cheapest of a
 * few dozen by the cost model that fit the buffers. */
#ifndef GNNC_CODEGEN_GRAPHAGILE_TILE_TILE_H
#define GNNC_CODEGEN_GRAPHAGILE_TILE_TILE_H

#include "codegen/graphagile/plan/plan.h"

/* Chooses shapes of edge lists and tiles of layers. False after a message: what does not fit the
 * device at all. */
bool graphagile_tile_layers(graphagile_plan *p);

#endif
