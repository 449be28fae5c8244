/* Loads and stores of PEs: their bytes, their channel, and what happens when they are complete.
 * Inside of sim/graphagile/ only. */
#ifndef GNNC_SIM_GRAPHAGILE_TRANSFER_H
#define GNNC_SIM_GRAPHAGILE_TRANSFER_H

#include "sim/graphagile/engine.h"

/* Bytes that cross DDR: each fiber (or sequence) rounded up to 64. */
uint64_t graphagile_transfer_bytes(const graphagile_insn *in, uint64_t rows, const graphagile_device *d);

/* Starts the load that pe->next is, into a buffer that is free for it, which becomes PENDING. False
 * after a fault. */
bool graphagile_transfer_start_load(graphagile_engine *s, graphagile_engine_pe *pe);

/* Starts the first store of the queue. False after a fault. */
bool graphagile_transfer_start_store(graphagile_engine *s, graphagile_engine_pe *pe);

/* One transfer for the loads of the slots that `leader` leads through; its bytes are in the
 * leader's buffer. */
void graphagile_transfer_start_members(graphagile_engine *s, uint32_t leader);

/* Completes what memory has done by now; PEs it concerns become due. False after a fault. */
bool graphagile_transfer_complete(graphagile_engine *s);

/* The next cycle at which memory has something to do. */
uint64_t graphagile_transfer_next(const graphagile_engine *s);

#endif
