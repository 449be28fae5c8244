/* A processing element (GraphAGILE section V): decoder, ACK with its queue, buffers with mutexes,
 * store port. Inside of sim/graphagile/ only. */
#ifndef GNNC_SIM_GRAPHAGILE_PE_H
#define GNNC_SIM_GRAPHAGILE_PE_H

#include "sim/graphagile/engine.h"

/* Whether the PE can take a tiling block: its decoder has issued the last one, and it holds fewer
 * than queue_blocks that are not complete. */
bool graphagile_pe_can_take(const graphagile_engine *s, const graphagile_engine_pe *pe);

/* Hands over the block at an address, which the decoder begins after the Scheduler's dispatch.
 * False after a fault. */
bool graphagile_pe_take(graphagile_engine *s, graphagile_engine_pe *pe, uint64_t address, uint64_t number);

/* Goes on as far as possible at this cycle and says when to be called again (pe->wake). False after
 * a fault. */
bool graphagile_pe_step(graphagile_engine *s, graphagile_engine_pe *pe);

/* Counts the cycles since the last time as what the PE waits for. To be called before that
 * changes. */
void graphagile_pe_account(const graphagile_engine *s, graphagile_engine_pe *pe);

/* Adds what the PE did in the layer, which is over, to its statistics. */
void graphagile_pe_end_layer(const graphagile_engine *s, graphagile_engine_pe *pe, sim_layer *layer);

/* Buffers and clocks as after a reset; contents stay. */
void graphagile_pe_reset(graphagile_engine_pe *pe);

#endif
