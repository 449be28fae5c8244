/* Chooses partitions and tiles: one partition shape for each edge list, and for each layer the
 * tile that costs least by the cost model among the few dozen that fit the buffers. The paper
 * has one partitioning configuration (N1, N2) for all layers instead (GraphAGILE, Section VI-E). */
#ifndef GNNC_CODEGEN_GRAPHAGILE_TILE_TILE_H
#define GNNC_CODEGEN_GRAPHAGILE_TILE_TILE_H

#include "codegen/graphagile/plan/plan.h"

/* Chooses the shapes of edge lists, which Vector-Inner layers are fused with Aggregates, and the
 * tiles of layers. Returns false after a message where a layer does not fit the device in any
 * tile. */
bool graphagile_tile_layers(graphagile_plan *p);

#endif
