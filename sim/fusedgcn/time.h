/* When LOADWs and RUNs begin and end. The loader and the array each take their records in the order
 * of the program, side by side: a RUN waits for its weights, a LOADW for RUNs that still use the
 * places that it fills. */
#ifndef GNNC_SIM_FUSEDGCN_TIME_H
#define GNNC_SIM_FUSEDGCN_TIME_H

#include "isa/fusedgcn/view.h"
#include "sim/sim.h"

/* States of the array in a cycle, in the order of fusedgcn_sim.state_names. */
typedef enum fusedgcn_state {
  FUSEDGCN_STATE_compute, /* an issue */
  FUSEDGCN_STATE_load_weights,
  FUSEDGCN_STATE_wait_memory, /* issues come slower than one per cycle */
  FUSEDGCN_STATE_drain,       /* the last products pass through the array */
  FUSEDGCN_STATES
} fusedgcn_state;

typedef struct fusedgcn_clock {
  const fusedgcn_device *device;
  sim_level level;
  uint64_t rate;                    /* 2^-16 bytes per cycle of the memory; 0: it is ideal */
  uint64_t loader, array;           /* when they are free */
  uint64_t done;                    /* when the last RUN was done */
  uint64_t *tile_ready, *tile_used; /* [mem] when the tile is loaded, and when its last RUN is done */
  uint64_t *bias_ready, *bias_used; /* [mem] */
} fusedgcn_clock;

/* A record on the time line, in cycles from the beginning of the run. */
typedef struct fusedgcn_interval {
  uint64_t begin, end;
  uint64_t in[FUSEDGCN_STATES]; /* of a RUN: cycles of the array, from the end of the RUN before */
} fusedgcn_interval;

/* A clock whose arrays are in the arena. */
fusedgcn_clock fusedgcn_clock_make(arena *a, const fusedgcn_device *d, sim_level level);

/* All parts are free at cycle 0, and all weights that were loaded are there. */
void fusedgcn_clock_reset(fusedgcn_clock *c);

/* Add a record. A RUN takes `cycles` where the memory is ideal. */
fusedgcn_interval fusedgcn_clock_load(fusedgcn_clock *c, const fusedgcn_loadw *in);
fusedgcn_interval fusedgcn_clock_run(fusedgcn_clock *c, const fusedgcn_layer *layer, const fusedgcn_view *s,
                                     const fusedgcn_run *in, uint64_t cycles);
/* SYNC: both parts wait for the other. */
void fusedgcn_clock_sync(fusedgcn_clock *c);

/* When all is done. */
static inline uint64_t fusedgcn_clock_end(const fusedgcn_clock *c) {
  return c->loader > c->array ? c->loader : c->array;
}

/* Non-zeros of the rows of a RUN. */
static inline uint64_t fusedgcn_nonzeros(const fusedgcn_view *s, const fusedgcn_run *in) {
  return (uint64_t)(fusedgcn_view_pos(s, (int64_t)in->hi) - fusedgcn_view_pos(s, (int64_t)in->lo));
}

/* Segments of K words of H that a RUN reads. */
uint64_t fusedgcn_segments(const fusedgcn_layer *layer, const fusedgcn_view *s, const fusedgcn_run *in);

#endif
