/* Cycles of a launch of Sextans (Sextans, Section 3.5, and the published tasks). The simulator
 * counts by these rules, and the compiler chooses by them.
 *
 * A pass computes 8 columns of C. Two parts of the device run side by side: one streams the windows
 * of B; the other clears C, executes the slots of a window when its rows of B are there, and writes
 * C. B of the next pass is streamed while C is written. */
#ifndef GNNC_ISA_SEXTANS_TIMING_H
#define GNNC_ISA_SEXTANS_TIMING_H

#include "isa/sextans/format.h"

/* Rows per cycle: of B into a window, of C that are cleared and written, all PEs together. */
enum { SEXTANS_STREAM_ROWS = 8, SEXTANS_CLEAR_ROWS = SEXTANS_PES, SEXTANS_WRITE_ROWS = 16 };

/* Bytes of a beat of all channels of an array, C in one direction. */
enum {
  SEXTANS_A_BEAT = SEXTANS_A_CHANNELS * SEXTANS_BEAT_BYTES,
  SEXTANS_B_BEAT = SEXTANS_B_CHANNELS * SEXTANS_BEAT_BYTES,
  SEXTANS_C_BEAT = SEXTANS_C_CHANNELS * SEXTANS_BEAT_BYTES,
};

/* The state between two windows, in cycles from the start of the launch. */
typedef struct sextans_clock {
  uint64_t load;    /* when the last window of B was there */
  uint64_t free[2]; /* when each buffer of B has no more use */
  uint64_t now;     /* when the part that computes was done */
  int buffer;       /* the buffer of the next window */
} sextans_clock;

/* Cycles of one window. */
typedef struct sextans_phases {
  uint64_t lead;   /* before B is streamed */
  uint64_t stream; /* of B */
  uint64_t slots, drain;
} sextans_phases;

/* Streams B into a free buffer and executes the slots after those before. Returns when the slots
 * begin; B is streamed from t->load - p.stream to t->load. */
static inline uint64_t sextans_clock_window(sextans_clock *t, bool has_two_b, sextans_phases p) {
  uint64_t begin = t->load > t->free[t->buffer] ? t->load : t->free[t->buffer];
  t->load = begin + p.lead + p.stream;
  uint64_t start = t->load > t->now ? t->load : t->now;
  t->now = t->free[t->buffer] = start + p.slots + p.drain;
  if (has_two_b) t->buffer = 1 - t->buffer;
  return start;
}

/* Whether a pass has left all times as far apart as they were before it. The next passes then take
 * as long as this one. */
static inline bool sextans_clock_repeats(const sextans_clock *before, const sextans_clock *after) {
  uint64_t pass = after->now - before->now;
  return after->load - before->load == pass && after->free[after->buffer] - before->free[before->buffer] == pass &&
         after->free[1 - after->buffer] - before->free[1 - before->buffer] == pass;
}

/* Cycles of a launch at level 1, for m rows of C, k of B and n columns; the slots of window j are
 * q[j] to q[j + 1] - 1. */
static inline uint64_t sextans_launch_cycles(const sextans_device *d, int64_t m, int64_t k, int64_t n, int64_t windows,
                                             const int32_t *q) {
  sextans_clock t = {0};
  int64_t window = sextans_window(d), passes = sextans_ceil(n, SEXTANS_TILE);
  for (int64_t pass = 0; pass < passes; pass++) {
    sextans_clock before = t;
    t.now += (uint64_t)sextans_ceil(m, SEXTANS_CLEAR_ROWS);
    for (int64_t j = 0; j < windows; j++) {
      int64_t rows = k - j * window < window ? k - j * window : window;
      sextans_phases p = {.stream = (uint64_t)sextans_ceil(rows, SEXTANS_STREAM_ROWS),
                          .slots = (uint64_t)(q[j + 1] - q[j])};
      sextans_clock_window(&t, d->has_two_b, p);
    }
    t.now += (uint64_t)sextans_ceil(m, SEXTANS_WRITE_ROWS);
    if (sextans_clock_repeats(&before, &t)) return before.now + (uint64_t)(passes - pass) * (t.now - before.now);
  }
  return t.now;
}

#endif
