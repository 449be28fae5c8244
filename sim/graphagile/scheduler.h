/* The Scheduler (GraphAGILE section V-B; spec E.4.1): reads a CSI, hands its tiling blocks in order to the lowest-numbered PE that can take one, and goes on to the next layer
 * when all are complete. Inside of sim/graphagile/ only. */
#ifndef GNNC_SIM_SCHEDULER_H
#define GNNC_SIM_SCHEDULER_H

#include "sim/graphagile/engine.h"

/* Finds the layers and blocks of the program, into s->layers and s->block_addresses. Fails on text that does not hold together. */
status scheduler_read_program(engine *s);

/* Starts a layer at cycle 0; the run ends before layer `end`. */
void scheduler_start(engine *s, int64_t first, int64_t end);

/* The layer whose CSI is a record of .text; the number of layers for HALT, -1 for other records. */
int64_t scheduler_find_layer(const engine *s, uint64_t record);

/* A block of the layer is complete. */
void scheduler_end_block(engine *s);

/* Ends the layer, reads a CSI or hands out blocks, as far as possible at this cycle. False after a fault. */
bool scheduler_step(engine *s);

/* The cycle at which the Scheduler has something to do by itself. */
uint64_t scheduler_next(const engine *s);

static inline bool scheduler_is_halted(const engine *s) {
  return s->layer == s->end_layer;
}

#endif
