/* Detects hazards of DDR inside of a layer. The tiling blocks of a layer have no order (GraphAGILE,
 * Section VI-E), so no block may store what another block of the layer loads. A block may load what
 * it has stored itself when the store is complete, and store what it has loaded when the load is
 * complete. For use inside of sim/graphagile/ only.
 *
 * A layer has far more loads than distinct regions, and most loads are from tensors that the layer
 * does not store to. Therefore each region is kept once, and blocks are compared at the end of the
 * layer, and only in coarse cells of memory that were both loaded and stored. */
#ifndef GNNC_SIM_GRAPHAGILE_HAZARD_H
#define GNNC_SIM_GRAPHAGILE_HAZARD_H

#include "sim/graphagile/engine.h"

graphagile_hazard *graphagile_hazard_create(void);
void graphagile_hazard_destroy(graphagile_hazard *h);

/* Forgets the loads and stores so far; to be called at the beginning of a layer. */
void graphagile_hazard_begin_layer(graphagile_hazard *h);

/* To be called when a load, or a store, starts. False after a fault: a store, or load, of the same
 * rows by the same block is not complete. */
bool graphagile_hazard_note_load(graphagile_engine *s, const graphagile_engine_pe *pe, const graphagile_engine_op *op);
bool graphagile_hazard_note_store(graphagile_engine *s, const graphagile_engine_pe *pe, const graphagile_engine_op *op);

/* To be called at the end of the layer. False after a fault: a block has loaded what another one
 * has stored. */
bool graphagile_hazard_end_layer(graphagile_engine *s);

#endif
