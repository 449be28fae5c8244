/* The cycles of a launch (docs/simulator.md, "Sextans"). */
#ifndef GNNC_SIM_SEXTANS_TIME_H
#define GNNC_SIM_SEXTANS_TIME_H

#include "sim/common/trace.h"
#include "sim/sextans/lists.h"

/* States of a PE in a cycle, in the order of sextans_sim.state_names. All but the first two are the
 * same for all PEs. */
typedef enum sextans_state {
  SEXTANS_STATE_compute, /* a slot with a non-zero */
  SEXTANS_STATE_bubble,
  SEXTANS_STATE_wait_a, /* slots come slower than one per cycle */
  SEXTANS_STATE_wait_b,
  SEXTANS_STATE_clear_c,
  SEXTANS_STATE_write_c,
  SEXTANS_STATE_drain,
  SEXTANS_STATES
} sextans_state;

/* Tracks of a trace. */
enum { SEXTANS_TRACK_B, SEXTANS_TRACK_A, SEXTANS_TRACK_C };

typedef struct sextans_times {
  bool is_too_long; /* longer than the limit; the rest is not known then */
  uint64_t cycles;
  uint64_t slots;                     /* of a list, all passes */
  uint64_t in_common[SEXTANS_STATES]; /* of each PE, without compute and bubble */
  uint64_t compute[SEXTANS_PES];      /* of each PE; the rest of its slots are bubbles */
} sextans_times;

typedef struct sextans_timing {
  const sextans_device *device;
  sim_level level;
  uint64_t limit; /* cycles */
  trace *trace;   /* NULL: none */
  uint64_t begin; /* where the launch begins in the trace */
} sextans_timing;

/* Passes of 8 columns. */
static inline uint64_t sextans_passes(const sextans_spmm *in) {
  return (in->n + SEXTANS_TILE - 1) / SEXTANS_TILE;
}

/* Beats of all windows of B in a pass. */
uint64_t sextans_b_beats(const sextans_device *d, const sextans_spmm *in);

/* The time of a launch of a checked program. */
void sextans_time_launch(const sextans_timing *t, const sextans_spmm *in, const sextans_view *v,
                         const sextans_decoded *lists, sextans_times *out);

#endif
