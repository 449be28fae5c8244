/* The decoder of a PE: it issues one instruction per cycle, executes LOOPs, reads descriptors, and
 * maps the buffers of an instruction to physical ones. For use inside of sim/graphagile/ only. */
#ifndef GNNC_SIM_GRAPHAGILE_DECODER_H
#define GNNC_SIM_GRAPHAGILE_DECODER_H

#include "sim/graphagile/engine.h"

/* Decodes the tiling block at block->address into block->insns, up to its eot. False after a fault
 * of the layer: .text ends, a word is no instruction, the device refuses an instruction, or a loop
 * does not end inside of the block. */
bool graphagile_decoder_read_block(graphagile_engine *s, graphagile_engine_block *block);

/* Makes pe->next from the instruction at pe->pc: its fields contain alternation, rotation,
 * increments and the iteration's descriptor. False after a fault. */
bool graphagile_decoder_resolve(graphagile_engine *s, graphagile_engine_pe *pe);

/* Begins the LOOP at pe->pc. */
void graphagile_decoder_begin_loop(graphagile_engine_pe *pe);

/* Moves to the next instruction, or back to the start of a LOOP's body; returns true at the end of
 * the block. */
bool graphagile_decoder_advance(graphagile_engine_pe *pe);

#endif
