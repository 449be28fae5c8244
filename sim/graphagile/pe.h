/* A processing element (GraphAGILE, Section V): decoder, ACK with its queue, buffers with mutexes,
 * store port. For use inside of sim/graphagile/ only. */
#ifndef GNNC_SIM_GRAPHAGILE_PE_H
#define GNNC_SIM_GRAPHAGILE_PE_H

#include "sim/graphagile/engine.h"

/* Whether the PE can take a tiling block: its decoder has issued all of the last one, and fewer
 * than queue_blocks of its blocks are incomplete. */
bool graphagile_pe_can_take(const graphagile_engine *s, const graphagile_engine_pe *pe);

/* Gives the PE the block at an address; its decoder begins after the Scheduler's dispatch cycles.
 * False after a fault. */
bool graphagile_pe_take(graphagile_engine *s, graphagile_engine_pe *pe, uint64_t address, uint64_t number);

/* Proceeds as far as possible at this cycle, and sets pe->wake to the cycle of the next call. False
 * after a fault. */
bool graphagile_pe_step(graphagile_engine *s, graphagile_engine_pe *pe);

/* Adds the cycles since the last call to the state in which the PE has waited. To be called before
 * that state changes. */
void graphagile_pe_account(const graphagile_engine *s, graphagile_engine_pe *pe);

/* Adds what the PE did in the layer that has ended to the statistics of the layer. */
void graphagile_pe_end_layer(const graphagile_engine *s, graphagile_engine_pe *pe, sim_layer *layer);

/* Resets buffers and clocks; contents of buffers stay. */
void graphagile_pe_reset(graphagile_engine_pe *pe);

#endif
