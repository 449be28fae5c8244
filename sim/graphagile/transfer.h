/* Loads and stores of PEs: their bytes, their channel, and their effect when they are complete. For
 * use inside of sim/graphagile/ only. */
#ifndef GNNC_SIM_GRAPHAGILE_TRANSFER_H
#define GNNC_SIM_GRAPHAGILE_TRANSFER_H

#include "sim/graphagile/engine.h"

/* The bytes of a load or store that cross DDR: each fiber, or the sequence of weights or edges, is
 * rounded up to 64 bytes. `rows` is the number of rows of a fiber, of rows of weights, or of
 * edges. */
uint64_t graphagile_transfer_bytes(const graphagile_insn *in, uint64_t rows, const graphagile_device *d);

/* Starts the load pe->next into its buffer, which becomes PENDING, or holds it for broadcast. The
 * caller has checked that the buffer can take it (docs/devices/graphagile.md, rule 6). False after
 * a fault. */
bool graphagile_transfer_start_load(graphagile_engine *s, graphagile_engine_pe *pe);

/* Starts the first store in the queue of the PE. False after a fault. */
bool graphagile_transfer_start_store(graphagile_engine *s, graphagile_engine_pe *pe);

/* Starts one transfer for the loads of slot `leader` and of the slots that follow it by `member`.
 * The leader's buffer holds the number of bytes. */
void graphagile_transfer_start_members(graphagile_engine *s, uint32_t leader);

/* Completes the transfers that end by now; the PEs that they concern become due. False after a
 * fault. */
bool graphagile_transfer_complete(graphagile_engine *s);

/* The next cycle at which a transfer begins or ends. */
uint64_t graphagile_transfer_next(const graphagile_engine *s);

#endif
