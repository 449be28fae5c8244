/* The times of launches. Level 0 is equation (10) of the paper. Above it, two parts of the device
 * run side by side, as its published tasks do: one streams windows of B, the other clears C,
 * processes the slots of a window when its rows of B are there, and writes C. */
#include "sim/sextans/time.h"

#include "isa/sextans/timing.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

/* Rates are fractions of 2^-16 bytes per cycle. */
enum { SHIFT = 16 };

typedef struct timer {
  const sextans_timing *t;
  const sextans_spmm *in;
  const sextans_view *v;
  uint64_t rate; /* 2^-16 bytes per cycle that all channels share; 0: a beat takes a cycle */
  sextans_clock at;
  uint64_t in_state[SEXTANS_STATES]; /* of the current pass */
} timer;

static uint64_t most(uint64_t a, uint64_t b) {
  return a > b ? a : b;
}

/* Cycles of a phase: its beats, and with a shared memory its bytes. */
static uint64_t phase(const timer *t, uint64_t beats, uint64_t bytes) {
  return t->rate ? most(beats, ((bytes << SHIFT) + t->rate - 1) / t->rate) : beats;
}

static uint64_t rate_of(const sextans_device *d) {
  double rate = d->ddr_gb_s * d->cycle_ns * (1 << SHIFT);
  if (d->memory == SEXTANS_MEMORY_ideal) return 0;
  return rate >= 0x1p46 ? UINT64_C(1) << 46 : rate >= 1 ? (uint64_t)llround(rate) : 1;
}

static void write_trace(const timer *t, int32_t track, const char *name, uint64_t begin, uint64_t end, uint64_t pass,
                        int64_t window) {
  char words[80];
  if (!t->t->trace || begin == end) return;
  if (window < 0)
    snprintf(words, sizeof words, "{\"pass\": %" PRIu64 "}", pass);
  else
    snprintf(words, sizeof words, "{\"pass\": %" PRIu64 ", \"window\": %" PRId64 "}", pass, window);
  trace_interval(t->t->trace, track, 0, name, t->t->begin + begin, t->t->begin + end, words);
}

/* Beats that stream rows of B. */
static uint64_t beats_of(uint64_t rows) {
  return (rows + SEXTANS_STREAM_ROWS - 1) / SEXTANS_STREAM_ROWS;
}

static void run_window(timer *t, uint64_t pass, int64_t window) {
  const sextans_device *d = t->t->device;
  sextans_clock *at = &t->at;
  uint64_t beats = beats_of(sextans_window_rows(d, t->in->k, (uint64_t)window)), before = at->now;
  uint64_t slots = (uint64_t)(sextans_view_slot(t->v, window + 1) - sextans_view_slot(t->v, window));
  sextans_phases p = {.lead = window ? 0 : phase(t, 0, sizeof(int32_t) * (t->in->windows + 1)),
                      .stream = phase(t, beats, SEXTANS_B_BEAT * beats),
                      .slots = phase(t, slots, SEXTANS_A_BEAT * slots),
                      .drain = t->t->level == SIM_L2 ? (uint64_t)d->drain : 0};
  uint64_t start = sextans_clock_window(at, d->has_two_b, p);
  write_trace(t, SEXTANS_TRACK_B, "load B", at->load - p.stream, at->load, pass, window);
  write_trace(t, SEXTANS_TRACK_A, "slots", start, start + p.slots, pass, window);
  t->in_state[SEXTANS_STATE_wait_b] += start - before;
  t->in_state[SEXTANS_STATE_wait_a] += p.slots - slots;
  t->in_state[SEXTANS_STATE_drain] += p.drain;
}

/* A pass of 8 columns. False: it is over the limit. */
static bool run_pass(timer *t, uint64_t pass) {
  uint64_t m = t->in->m, clear = sextans_rows_of_pe(m), beats = (m + SEXTANS_WRITE_ROWS - 1) / SEXTANS_WRITE_ROWS;
  uint64_t write = phase(t, beats, beats * (t->in->no_c ? SEXTANS_C_BEAT : 2 * SEXTANS_C_BEAT));
  memset(t->in_state, 0, sizeof t->in_state);
  write_trace(t, SEXTANS_TRACK_C, "clear C", t->at.now, t->at.now + clear, pass, -1);
  t->at.now += clear;
  for (int64_t j = 0; j < t->v->windows && t->at.now <= t->t->limit; j++) run_window(t, pass, j);
  write_trace(t, SEXTANS_TRACK_C, "write C", t->at.now, t->at.now + write, pass, -1);
  t->at.now += write;
  t->in_state[SEXTANS_STATE_clear_c] = clear;
  t->in_state[SEXTANS_STATE_write_c] = write;
  return t->at.now <= t->t->limit;
}

static void run_passes(timer *t, sextans_times *out) {
  uint64_t passes = sextans_passes(t->in), repeat = 1;
  for (uint64_t pass = 0; pass < passes; pass += repeat) {
    sextans_clock before = t->at;
    if (!run_pass(t, pass)) {
      out->is_too_long = true;
      return;
    }
    repeat = !t->t->trace && sextans_clock_repeats(&before, &t->at) ? passes - pass : 1;
    out->cycles = before.now + repeat * (t->at.now - before.now);
    for (int k = 0; k < SEXTANS_STATES; k++) out->in_common[k] += repeat * t->in_state[k];
  }
}

/* With a shared memory, phases that run side by side share it: a launch takes at least its bytes. */
static void share_memory(const timer *t, sextans_times *out) {
  uint64_t passes = sextans_passes(t->in), rows = (t->in->m + SEXTANS_WRITE_ROWS - 1) / SEXTANS_WRITE_ROWS;
  double pass = (double)SEXTANS_A_BEAT * (double)t->in->slots +
                (double)SEXTANS_B_BEAT * (double)sextans_b_beats(t->t->device, t->in) +
                (double)SEXTANS_C_BEAT * (double)rows * (t->in->no_c ? 1 : 2) +
                (double)sizeof(int32_t) * (double)(t->in->windows + 1);
  double least = ceil((double)passes * pass * (1 << SHIFT) / (double)t->rate);
  if (least > (double)out->cycles)
    out->cycles = least < (double)SIM_MOST_CYCLES ? (uint64_t)least : SIM_MOST_CYCLES + 1;
}

/* Equation (10), rounded up at the end; all PEs have the mean of the non-zeros. */
static void use_equation(const timer *t, const sextans_decoded *lists, sextans_times *out) {
  uint64_t passes = sextans_passes(t->in);
  uint64_t b = 8 * t->in->k * passes, a = lists->count * passes, c = 4 * t->in->m * passes;
  out->cycles = (b + a + c + SEXTANS_PES - 1) / SEXTANS_PES;
  out->in_common[SEXTANS_STATE_wait_b] = b / SEXTANS_PES;
  out->in_common[SEXTANS_STATE_write_c] = c / SEXTANS_PES;
  out->slots = a / SEXTANS_PES;
  for (int pe = 0; pe < SEXTANS_PES; pe++) out->compute[pe] = out->slots;
  write_trace(t, SEXTANS_TRACK_A, "launch", 0, out->cycles, 0, -1);
}

uint64_t sextans_b_beats(const sextans_device *d, const sextans_spmm *in) {
  uint64_t window = (uint64_t)sextans_window(d), whole = in->k / window, rest = in->k % window;
  return whole * beats_of(window) + beats_of(rest);
}

void sextans_time_launch(const sextans_timing *t, const sextans_spmm *in, const sextans_view *v,
                         const sextans_decoded *lists, sextans_times *out) {
  timer made = {.t = t, .in = in, .v = v, .rate = rate_of(t->device)};
  *out = (sextans_times){0};
  if (t->level == SIM_L0) {
    use_equation(&made, lists, out);
    out->is_too_long = out->cycles > t->limit;
    return;
  }
  if (t->level == SIM_L2) made.at.now = made.at.load = (uint64_t)t->device->ddr_latency;
  run_passes(&made, out);
  if (made.rate) share_memory(&made, out);
  out->slots = sextans_passes(in) * in->slots;
  for (int pe = 0; pe < SEXTANS_PES; pe++) out->compute[pe] = sextans_passes(in) * lists->of_pe[pe];
  out->is_too_long |= out->cycles > t->limit;
}
