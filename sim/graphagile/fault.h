/* What a program did that the device must not do, and who waits for whom when nothing happens any
 * more. Inside of sim/graphagile/ only. */
#ifndef GNNC_SIM_GRAPHAGILE_FAULT_H
#define GNNC_SIM_GRAPHAGILE_FAULT_H

#include "sim/graphagile/engine.h"

/* Keeps "layer 1 (spdmm), block 7, PE 2, instruction 3 `memrd F0, ...`, iteration 4, cycle 812:
 * <formatted>" as the fault of the run, unless there is one already, and returns false. `op` NULL:
 * of the instruction at the decoder. */
bool graphagile_fault_raise(graphagile_engine *s, const graphagile_engine_pe *pe, const graphagile_engine_op *op,
                            const char *format, ...) __attribute__((format(printf, 4, 5)));

/* The same for the Scheduler: "layer 1 (spdmm), block 7, cycle 800: ...". block < 0: of the
 * layer. */
bool graphagile_fault_raise_layer(graphagile_engine *s, int64_t block, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Keeps a deadlock as the fault: for each PE what its decoder, its ACK and its store port wait for,
 * and since when. */
void graphagile_fault_raise_deadlock(graphagile_engine *s);

/* "F1", as the program calls it in a block, with the physical buffer where that is another: "F1
 * (physical F2)". In `name`. */
const char *graphagile_fault_buffer_name(const graphagile_engine_block *block, int buffer, char name[32]);

#endif
