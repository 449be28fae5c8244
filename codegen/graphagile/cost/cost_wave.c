/* Estimates of Aggregate layers in waves (emit_wave.c): PEs that share loads are in step.
 *
 * With one tile of results a PE has two buffers of sources, and loads and computations overlap.
 * With two it has one: the next source tile comes when the last of the edges of this one are
 * computed, together with the edges that the second Edge Buffer takes; and while the first edges of
 * a tile are computed all buffers are full, so that nobody uses the memory. That is why these edges
 * are cut (GRAPHAGILE_PLAN_ORDER_PARTS). */
#include "codegen/graphagile/cost/cost_wave.h"

#include "codegen/graphagile/cost/cost_cut.h"
#include "isa/graphagile/timing.h"

#include <math.h>

/* Parts of a subshard of so many edges: pieces, and with has_parts what they are cut into. */
static double parts_of(const graphagile_cost_machine *m, const graphagile_plan_tile *tile, double edges) {
  double pieces = fmax(1, ceil(edges / m->device->edges));
  return tile->has_parts ? pieces * (double)graphagile_plan_parts_of((int64_t)(edges / pieces)) : pieces;
}

/* PEs in step wait for the one with most edges. A subshard has 8 * mean edges, with that variance:
 * the largest of eight exceeds them by 1.42 * sqrt(8 * mean), which pass in an eighth of so many
 * cycles. */
static double most_of_8(const graphagile_cost_machine *m, double mean) {
  const double deviations = 0.5; /* 1.42 / sqrt(8) */
  return m->has_conflicts ? deviations * sqrt(mean) : 0;
}

/* Cycles of a subshard: the fullest bank or pipeline of each part, and of the PEs in step the one
 * with most edges. */
static double cycles_of(const graphagile_cost_machine *m, const graphagile_cost_wave *w, double edges, double parts) {
  double mean = graphagile_timing_edges_mean(m->width, edges);
  return w->cycles * (mean + (graphagile_cost_conflicts(m, mean, parts) + most_of_8(m, mean))) + parts * w->switches;
}

/* Cycles between two waves, besides their loads and computations: Feature Buffers change their
 * roles (see boundary_of in cost_blocks.c), and sums are stored. */
static double boundary_of(const graphagile_cost_wave *w, double tiles, double last, double load, double store,
                          double added) {
  bool is_odd = tiles - 2 * floor(tiles / 2) > 0;
  if (w->tile.targets > 1) return w->once + store / 2 + added; /* sources come where the first of two tiles was */
  double first = tiles <= 1 || (is_odd && added <= 0) ? fmax(0, load - last) : load;
  if (tiles <= 1) return w->once + first + added;
  return w->once + first + fmax(0, store + load - first - last) + added;
}

double graphagile_cost_of_wave(const graphagile_cost_machine *m, const graphagile_cost_wave *w) {
  double wide = fmin((double)w->tile.groups, w->groups), high = fmin(floor(m->pes / wide), ceil(w->bands));
  double targets = fmin(w->tile.targets, ceil(w->shards)), waves = ceil(w->groups / wide) * ceil(ceil(w->bands) / high);
  double density = w->edges / fmax(1, w->shards * w->tiles);
  double tiles = fmax(1, w->tiles * (1 - exp(-density * targets * high))); /* that a wave has edges from */
  double cell = w->edges / (w->shards * tiles), parts = parts_of(m, &w->tile, cell);
  double cycles = cycles_of(m, w, cell, parts) / parts;
  double moved = w->edges * (w->record * ceil(w->groups / wide) + w->value * w->groups) +
                 ceil(ceil(w->bands) / high) * w->sources * tiles / w->tiles +
                 w->bands * w->groups * (w->stored + w->added);
  double rows = w->sources / (w->groups * w->tiles), part = cell * (w->record + w->value * wide) / parts;
  double next = high * part / m->rate, sources = wide * rows / m->rate; /* cycles of the next part, of a source tile */
  double both = m->latency + sources + (targets > 1 ? fmin(sources, next) : next);
  double store = m->latency + wide * high * w->stored / m->rate;
  double added = w->added > 0 ? m->latency + wide * high * w->added / m->rate : 0;
  double memory = moved / m->rate + waves * (w->once + m->latency), chain = tiles * targets * parts * cycles;
  if (targets > 1) {
    chain += tiles * (both + m->fill);
    memory += waves * tiles * (fmax(0, cycles - fmax(0, 2 * next - cycles - sources)) + m->fill + m->latency);
  } else {
    chain += tiles * (parts - 1) * fmax(0, m->latency + next - cycles) + (tiles - 1) * fmax(0, both - cycles);
  }
  chain = waves * chain + (waves - 1) * boundary_of(w, tiles, parts * cycles, both, store, added);
  double total = m->dispatch + both + m->fill + fmax(memory, chain + w->once + store + added);
  return total < INFINITY ? total : 0; /* not a number: sets without rows */
}
