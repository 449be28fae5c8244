/* The Scheduler (GraphAGILE, Section VI-F, Algorithm 9): it reads a CSI, gives its tiling blocks in
 * order to the lowest-numbered PE that can take one, and goes on to the next layer when all blocks
 * are complete. For use inside of sim/graphagile/ only. */
#ifndef GNNC_SIM_GRAPHAGILE_SCHEDULER_H
#define GNNC_SIM_GRAPHAGILE_SCHEDULER_H

#include "sim/graphagile/engine.h"

/* Finds the layers and blocks of the program and writes them to s->layers and s->block_addresses.
 * Returns an error where .text is not a sequence of layers. */
status graphagile_scheduler_read_program(graphagile_engine *s);

/* Starts layer `first` at cycle 0; the run ends before layer `end`. */
void graphagile_scheduler_start(graphagile_engine *s, int64_t first, int64_t end);

/* The layer whose CSI is instruction `record` of .text; the number of layers for HALT; -1 for other
 * instructions. */
int64_t graphagile_scheduler_find_layer(const graphagile_engine *s, uint64_t record);

/* To be called when a block of the layer is complete. */
void graphagile_scheduler_end_block(graphagile_engine *s);

/* Ends the layer, reads a CSI or dispatches blocks, as far as possible at this cycle. False after a
 * fault. */
bool graphagile_scheduler_step(graphagile_engine *s);

/* The next cycle at which the Scheduler has something to do by itself. */
uint64_t graphagile_scheduler_next(const graphagile_engine *s);

static inline bool graphagile_scheduler_is_halted(const graphagile_engine *s) {
  return s->layer == s->end_layer;
}

#endif
