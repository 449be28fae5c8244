/* The time line of a program. With memory=shared an issue takes as long as its bytes, at least a
 * cycle: 4 bytes of S_pos and the numbers of OUT that acc_in reads come with the first issue of a
 * row, 6 bytes of S with the first one of a non-zero, K numbers of H with each one that needs
 * another segment, and the numbers of OUT leave with the last one. The memory then serves either
 * the loader or the array. */
#include "sim/fusedgcn/time.h"

#include <math.h>

enum { SHIFT = 16 }; /* times of issues are in 2^-16 cycles, rates in 2^-16 bytes per cycle */
#define CYCLE (UINT64_C(1) << SHIFT)

static uint64_t most(uint64_t a, uint64_t b) {
  return a > b ? a : b;
}

static uint64_t rate_of(const fusedgcn_device *d) {
  double rate = d->ddr_gb_s * d->cycle_ns * (double)CYCLE;
  if (d->memory == FUSEDGCN_MEMORY_ideal) return 0;
  return rate >= 0x1p46 ? UINT64_C(1) << 46 : rate >= 1 ? (uint64_t)llround(rate) : 1;
}

fusedgcn_clock fusedgcn_clock_make(arena *a, const fusedgcn_device *d, sim_level level) {
  fusedgcn_clock c = {.device = d, .level = level, .rate = level == SIM_L0 ? 0 : rate_of(d)};
  c.tile_ready = arena_alloc_array(a, (size_t)d->mem, sizeof *c.tile_ready);
  c.tile_used = arena_alloc_array(a, (size_t)d->mem, sizeof *c.tile_used);
  c.bias_ready = arena_alloc_array(a, (size_t)d->mem, sizeof *c.bias_ready);
  c.bias_used = arena_alloc_array(a, (size_t)d->mem, sizeof *c.bias_used);
  return c;
}

void fusedgcn_clock_reset(fusedgcn_clock *c) {
  size_t bytes = (size_t)c->device->mem * sizeof *c->tile_ready;
  c->loader = c->array = c->done = 0;
  memset(c->tile_ready, 0, bytes);
  memset(c->tile_used, 0, bytes);
  memset(c->bias_ready, 0, bytes);
  memset(c->bias_used, 0, bytes);
}

void fusedgcn_clock_sync(fusedgcn_clock *c) {
  c->loader = c->array = fusedgcn_clock_end(c);
}

static uint64_t latest(const uint64_t *times, uint64_t first, uint64_t count, uint64_t least) {
  for (uint64_t i = first; i < first + count; i++) least = most(least, times[i]);
  return least;
}

static void set(uint64_t *times, uint64_t first, uint64_t count, uint64_t time) {
  for (uint64_t i = first; i < first + count; i++) times[i] = time;
}

/* ---- LOADW ---- */

/* The time of some bytes in 2^-16 cycles; bytes are less than 2^31. */
static uint64_t time_of(const fusedgcn_clock *c, uint64_t bytes) {
  return c->rate ? ((bytes << 2 * SHIFT) + c->rate - 1) / c->rate : 0;
}

static uint64_t load_cycles(const fusedgcn_clock *c, const fusedgcn_loadw *in) {
  uint64_t cycles = fusedgcn_load_cycles(c->device, in->tiles, in->biases);
  uint64_t bytes = fusedgcn_load_bytes(c->device, in->tiles, in->biases);
  if (c->level == SIM_L0) return 0;
  if (!c->rate) return cycles;
  return (uint64_t)c->device->ddr_latency + most(cycles, ((bytes << SHIFT) + c->rate - 1) / c->rate);
}

fusedgcn_interval fusedgcn_clock_load(fusedgcn_clock *c, const fusedgcn_loadw *in) {
  uint64_t begin = c->rate ? fusedgcn_clock_end(c) : c->loader, cycles = load_cycles(c, in);
  begin = latest(c->tile_used, in->first, in->tiles, begin);
  begin = latest(c->bias_used, in->first, in->biases, begin);
  if (c->level == SIM_L0) begin = c->loader;
  c->loader = begin + cycles;
  set(c->tile_ready, in->first, in->tiles, c->loader);
  set(c->bias_ready, in->first, in->biases, c->loader);
  return (fusedgcn_interval){.begin = begin, .end = c->loader};
}

/* ---- RUN ---- */

/* Segments of H of a row of S: 'jkr' keeps a segment for all columns of tiles, 'krj' only where the
 * row has no other non-zero. */
static uint64_t segments_of(const fusedgcn_layer *layer, uint64_t nonzeros) {
  bool is_again = layer->order == FUSEDGCN_ORDER_krj && nonzeros > 1;
  return nonzeros * layer->kt * (is_again ? layer->rt : 1);
}

uint64_t fusedgcn_segments(const fusedgcn_layer *layer, const fusedgcn_view *s, const fusedgcn_run *in) {
  uint64_t sum = 0;
  if (layer->order == FUSEDGCN_ORDER_jkr) return layer->kt * fusedgcn_nonzeros(s, in);
  for (int64_t row = (int64_t)in->lo; row < (int64_t)in->hi; row++)
    sum += segments_of(layer, (uint64_t)(fusedgcn_view_pos(s, row + 1) - fusedgcn_view_pos(s, row)));
  return sum;
}

/* The time of some issues, at least a cycle each; not more than 2^60 for any device. */
static uint64_t time_issues(const fusedgcn_clock *c, uint64_t issues, uint64_t bytes) {
  uint64_t one = most(CYCLE, time_of(c, bytes)), largest = UINT64_C(1) << 60;
  return issues > largest / one ? largest : issues * one;
}

/* The time of a row in 2^-16 cycles. */
static uint64_t time_row(const fusedgcn_clock *c, const fusedgcn_layer *in, uint64_t nonzeros) {
  uint64_t issues = nonzeros * in->kt * in->rt, segments = segments_of(in, nonzeros);
  uint64_t segment = FUSEDGCN_WORD * (uint64_t)c->device->rows, nonzero = FUSEDGCN_NONZERO_BYTES + segment;
  uint64_t out = FUSEDGCN_WORD * in->rt * (uint64_t)c->device->columns;
  uint64_t begin = FUSEDGCN_ROW_BYTES + (in->acc_in ? out : 0);
  if (!issues) return time_of(c, begin + out);
  if (issues == 1) return time_issues(c, 1, begin + nonzero + out);
  /* the last issue is that of a new non-zero, or of a new segment, or of neither; the rest of them are between */
  bool is_nonzero = in->kt * in->rt == 1, is_segment = !is_nonzero && (segments == issues || in->rt == 1);
  uint64_t last = is_nonzero ? nonzero : is_segment ? segment : 0, others = nonzeros - 1 - is_nonzero;
  uint64_t sum = time_issues(c, 1, begin + nonzero) + time_issues(c, others, nonzero);
  sum += time_issues(c, segments - nonzeros - is_segment, segment) + time_issues(c, 1, last + out);
  return sum + (issues - segments - !(is_nonzero || is_segment)) * CYCLE;
}

/* Cycles that a RUN waits for the memory. */
static uint64_t wait_cycles(const fusedgcn_clock *c, const fusedgcn_layer *layer, const fusedgcn_view *s,
                            const fusedgcn_run *in) {
  uint64_t sum = 0, issues = fusedgcn_nonzeros(s, in) * layer->kt * layer->rt;
  if (!c->rate) return 0;
  for (int64_t row = (int64_t)in->lo; row < (int64_t)in->hi && sum >> SHIFT < SIM_MOST_CYCLES; row++)
    sum += time_row(c, layer, (uint64_t)(fusedgcn_view_pos(s, row + 1) - fusedgcn_view_pos(s, row)));
  return (uint64_t)c->device->ddr_latency + most((sum + CYCLE - 1) / CYCLE, issues) - issues;
}

fusedgcn_interval fusedgcn_clock_run(fusedgcn_clock *c, const fusedgcn_layer *layer, const fusedgcn_view *s,
                                     const fusedgcn_run *in, uint64_t cycles) {
  uint64_t tiles = layer->kt * layer->rt, biases = layer->bias ? layer->rt : 0;
  uint64_t begin = c->rate ? fusedgcn_clock_end(c) : c->array, wait = wait_cycles(c, layer, s, in);
  begin = latest(c->tile_ready, in->first, tiles, begin);
  begin = latest(c->bias_ready, in->first, biases, begin);
  fusedgcn_interval at = {.begin = begin, .end = begin + wait + cycles};
  at.in[FUSEDGCN_STATE_drain] = fusedgcn_drain_cycles(c->device);
  at.in[FUSEDGCN_STATE_compute] = cycles - at.in[FUSEDGCN_STATE_drain];
  at.in[FUSEDGCN_STATE_load_weights] = begin - c->done;
  at.in[FUSEDGCN_STATE_wait_memory] = wait;
  c->array = c->done = at.end;
  set(c->tile_used, in->first, tiles, at.end);
  set(c->bias_used, in->first, biases, at.end);
  return at;
}
