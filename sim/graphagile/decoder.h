/* The decoder of a PE: one instruction per cycle, LOOPs, descriptors, and which buffers an
 * instruction names. Inside of sim/graphagile/ only. */
#ifndef GNNC_SIM_GRAPHAGILE_DECODER_H
#define GNNC_SIM_GRAPHAGILE_DECODER_H

#include "sim/graphagile/engine.h"

/* Decodes the tiling block at block->address into block->insns, up to its eot. Fails as a fault of
 * the layer: text that ends, words that are no instructions or that the device refuses, loops that
 * are not inside of the block. */
bool graphagile_decoder_read_block(graphagile_engine *s, graphagile_engine_block *block);

/* Makes pe->next from the instruction at pe->pc: alternation, rotation, increments and the
 * iteration's descriptor go into its fields. False after a fault. */
bool graphagile_decoder_resolve(graphagile_engine *s, graphagile_engine_pe *pe);

/* Begins the LOOP at pe->pc. */
void graphagile_decoder_begin_loop(graphagile_engine_pe *pe);

/* Goes on to the next instruction, back to the start of a LOOP's body where its turn is; true when
 * the block has none left. */
bool graphagile_decoder_advance(graphagile_engine_pe *pe);

#endif
