/* Faults: a program does something that the device does not allow, or nothing can happen any more.
 * For use inside of sim/graphagile/ only. */
#ifndef GNNC_SIM_GRAPHAGILE_FAULT_H
#define GNNC_SIM_GRAPHAGILE_FAULT_H

#include "sim/graphagile/engine.h"

/* Keeps "layer 1 (spdmm), block 7, PE 2, instruction 3 `memrd F0, ...`, iteration 4, cycle 812:
 * <formatted>" as the fault of the run, unless there is one already. Returns false. `op` NULL: the
 * instruction at the decoder. */
bool graphagile_fault_raise(graphagile_engine *s, const graphagile_engine_pe *pe, const graphagile_engine_op *op,
                            const char *format, ...) __attribute__((format(printf, 4, 5)));

/* The same for the Scheduler: "layer 1 (spdmm), block 7, cycle 800: ...". block < 0: the whole
 * layer. */
bool graphagile_fault_raise_layer(graphagile_engine *s, int64_t block, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Keeps a deadlock as the fault: what the decoder, the ACK and the store port of each PE wait for,
 * and since when. */
void graphagile_fault_raise_deadlock(graphagile_engine *s);

/* The name of a physical buffer as the program calls it in a block, with the physical name if that
 * differs: "F1 (physical F2)". Written to `name`, which is returned. */
const char *graphagile_fault_buffer_name(const graphagile_engine_block *block, int buffer, char name[32]);

#endif
