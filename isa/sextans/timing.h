/* Cycles of a launch of Sextans at level 1, from the structure of the published kernel. The
 * simulator counts by these rules, and the compiler chooses by them.
 *
 * A pass computes 8 columns of C. Two chains of tasks take part: one streams B into the windows,
 * the other initialises C, executes the slots and writes C. The slots of a window need both. */
#ifndef GNNC_ISA_SEXTANS_TIMING_H
#define GNNC_ISA_SEXTANS_TIMING_H

#include "isa/sextans/format.h"

/* The state of the two chains, in cycles from the start of the launch. */
typedef struct sextans_clock {
  double b, c;    /* when the next window of B may be streamed, and when the chain of C is free */
  double free[2]; /* with has_two_b: when the slots that read each buffer end */
  int buffer;
} sextans_clock;

enum { SEXTANS_ZERO_ROWS = 64, SEXTANS_WRITE_ROWS = 16, SEXTANS_STREAM_ROWS = 8 }; /* rows per cycle */

/* Cycles that stream `rows` rows of B. */
static inline int64_t sextans_stream_cycles(int64_t rows) {
  return sextans_ceil(rows, SEXTANS_STREAM_ROWS);
}

/* Executes a window: `stream` cycles of B, then `slots` cycles of the PEs. Returns when the slots
 * begin. */
static inline double sextans_clock_window(sextans_clock *t, bool has_two_b, double stream, double slots) {
  if (has_two_b && t->free[t->buffer] > t->b) t->b = t->free[t->buffer];
  double ready = t->b + stream, begin = ready > t->c ? ready : t->c;
  t->c = begin + slots;
  t->b = has_two_b ? ready : t->c;
  t->free[t->buffer] = t->c;
  t->buffer = !t->buffer;
  return begin;
}

/* Cycles of a launch whose windows end at slots q[1], .., q[windows]. */
static inline double sextans_launch_cycles(const sextans_device *d, int64_t m, int64_t k, int64_t n, int64_t windows,
                                           const int32_t *q) {
  sextans_clock t = {0};
  int64_t window = sextans_window(d);
  for (int64_t pass = 0; pass < sextans_ceil(n, SEXTANS_TILE); pass++) {
    t.c += (double)sextans_ceil(m, SEXTANS_ZERO_ROWS);
    for (int64_t j = 0; j < windows; j++) {
      int64_t rows = k - j * window < window ? k - j * window : window;
      sextans_clock_window(&t, d->has_two_b, (double)sextans_stream_cycles(rows), q[j + 1] - q[j]);
    }
    t.c += (double)sextans_ceil(m, SEXTANS_WRITE_ROWS);
  }
  return t.c;
}

#endif
