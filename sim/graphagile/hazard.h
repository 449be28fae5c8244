/* Hazards of DDR inside of a layer. Tiling blocks of a layer have no order, so what a block loads
 * no other block of the layer may store; a block may load what it has stored when the store is
 * over, and store what it has loaded when the load is over. Inside of sim/graphagile/ only.
 *
 * Layers have far more loads than distinct regions, and most loads are of tensors that the layer
 * does not store: a region is kept once, and blocks are compared when the layer is over, where
 * coarse cells of memory have both. */
#ifndef GNNC_SIM_GRAPHAGILE_HAZARD_H
#define GNNC_SIM_GRAPHAGILE_HAZARD_H

#include "sim/graphagile/engine.h"

graphagile_hazard *graphagile_hazard_create(void);
void graphagile_hazard_destroy(graphagile_hazard *h);

/* Forgets what the layer has loaded and stored so far. */
void graphagile_hazard_begin_layer(graphagile_hazard *h);

/* A load or a store starts. False after a fault: the same block's store, or load, of the same rows
 * is not over. */
bool graphagile_hazard_note_load(graphagile_engine *s, const graphagile_engine_pe *pe, const graphagile_engine_op *op);
bool graphagile_hazard_note_store(graphagile_engine *s, const graphagile_engine_pe *pe, const graphagile_engine_op *op);

/* The layer is over. False after a fault: a block has loaded what another one has stored. */
bool graphagile_hazard_end_layer(graphagile_engine *s);

#endif
