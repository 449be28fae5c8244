/* The Scheduler (GraphAGILE section V-B; spec E.4.1): reads a CSI, hands its tiling blocks in order to the lowest-numbered PE that can take one, and goes on to the next layer
 * when all are complete. Inside of sim/ only. */
#ifndef GNNC_SIM_SCHEDULER_H
#define GNNC_SIM_SCHEDULER_H

#include "sim/graphagile/engine.h"

/* Finds the layers and blocks of the program, into s->layers and s->block_addresses. Fails on text that does not hold together. */
status scheduler_read_program(sim *s);

/* Starts the first layer at cycle 0. */
void scheduler_start(sim *s);

/* A block of the layer is complete. */
void scheduler_end_block(sim *s);

/* Ends the layer, reads a CSI or hands out blocks, as far as possible at this cycle. False after a fault. */
bool scheduler_step(sim *s);

/* The cycle at which the Scheduler has something to do by itself. */
uint64_t scheduler_next(const sim *s);

static inline bool scheduler_is_halted(const sim *s) {
  return s->layer == s->stats.num_layers;
}

#endif
