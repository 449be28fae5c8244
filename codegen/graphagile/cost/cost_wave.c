/* Estimates of Aggregate layers whose blocks run in waves (emit_wave.c): PEs that share loads
 * run in step.
 *
 * With one shard per block a PE has two buffers for sources, and loads overlap computations.
 * With two shards it has one: the next source tile is loaded when the last edges of this one are
 * computed, together with the edges for the second Edge Buffer. While a PE computes the first
 * edges of a tile all its buffers are full, and the memory is idle. Therefore pieces are cut
 * into parts (GRAPHAGILE_PLAN_ORDER_PARTS). */
#include "codegen/graphagile/cost/cost_wave.h"

#include "codegen/graphagile/cost/cost_cut.h"
#include "isa/graphagile/timing.h"

#include <math.h>

/* Loads into which a subshard of so many edges is cut: its pieces, or with has_parts their
 * parts. */
static double parts_of(const graphagile_cost_machine *m, const graphagile_plan_tile *tile, double edges) {
  double pieces = graphagile_cost_max(1, ceil(edges / m->device->edges));
  return tile->has_parts ? pieces * (double)graphagile_plan_parts_of((int64_t)(edges / pieces)) : pieces;
}

/* Additional cycles because PEs in step wait for the one with most edges. A subshard has 8 *
 * mean edges with the same variance; the expected maximum of eight subshards is 1.42 * sqrt(8 *
 * mean) edges above the mean, and eight edges pass per cycle. */
static double most_of_8(const graphagile_cost_machine *m, double mean) {
  const double deviations = 0.5; /* 1.42 / sqrt(8) */
  return m->has_conflicts ? deviations * sqrt(mean) : 0;
}

/* Cycles of a subshard: each part takes as long as its fullest bank or pipeline, and PEs in step
 * as long as the one with most edges. */
static double cycles_of(const graphagile_cost_machine *m, const graphagile_cost_wave *w, double edges, double parts) {
  double mean = graphagile_timing_edges_mean(m->width, edges);
  return w->cycles * (mean + (graphagile_cost_conflicts(m, mean, parts) + most_of_8(m, mean))) + parts * w->switches;
}

/* Cycles between two waves, without their loads and computations: Feature Buffers change their
 * roles (see boundary_of in cost_blocks.c), and sums are stored. */
static double boundary_of(const graphagile_cost_wave *w, double tiles, double last, double load, double store,
                          double added) {
  bool is_odd = tiles - 2 * floor(tiles / 2) > 0;
  /* the next sources are loaded into the buffer of the first of two shards */
  if (w->tile.targets > 1) return w->once + store / 2 + added;
  if (w->product.cycles > 0) return w->once + graphagile_cost_max(store, load - w->product.cycles) + added;
  double first = tiles <= 1 || (is_odd && added <= 0) ? graphagile_cost_max(0, load - last) : load;
  if (tiles <= 1) return w->once + first + added;
  return w->once + first + graphagile_cost_max(0, store + load - first - last) + added;
}

/* Cycles for which the memory works while PEs multiply their sums: for the stores of all parts but
 * the last one, and for the first loads of the next wave into both source buffers, `load` cycles
 * each. */
static double hidden_by_product(const graphagile_cost_machine *m, const graphagile_cost_wave *w, double waves,
                                double blocks, double load) {
  double stores = blocks * w->stored / m->rate, loads = w->tile.targets > 1 ? 0 : 2 * load;
  stores -= graphagile_cost_tail(&w->product, stores);
  return waves * stores + (waves - 1) * graphagile_cost_min(graphagile_cost_max(0, w->product.cycles - stores), loads);
}

double graphagile_cost_of_wave(const graphagile_cost_machine *m, const graphagile_cost_wave *w) {
  double wide = graphagile_cost_min((double)w->tile.groups, w->groups),
         high = graphagile_cost_min(floor(m->pes / wide), ceil(w->bands));
  double targets = graphagile_cost_min(w->tile.targets, ceil(w->shards)),
         waves = ceil(w->groups / wide) * ceil(ceil(w->bands) / high);
  double density = w->edges / graphagile_cost_max(1, w->shards * w->tiles);
  /* source tiles from which the wave has edges */
  double tiles = graphagile_cost_max(1, w->tiles * (1 - exp(-density * targets * high)));
  double cell = w->edges / (w->shards * tiles), parts = parts_of(m, &w->tile, cell);
  double cycles = cycles_of(m, w, cell, parts) / parts;
  double moved = w->edges * (w->record * ceil(w->groups / wide) + w->value * w->groups) +
                 ceil(ceil(w->bands) / high) * w->sources * tiles / w->tiles +
                 w->bands * w->groups * (w->stored + w->added) + waves * w->product.matrix;
  double rows = w->sources / (w->groups * w->tiles), part = cell * (w->record + w->value * wide) / parts;
  /* cycles to load the next part, and a source tile */
  double next = high * part / m->rate, sources = wide * rows / m->rate;
  double both = m->latency + sources + (targets > 1 ? graphagile_cost_min(sources, next) : next);
  double store = m->latency + graphagile_cost_tail(&w->product, wide * high * w->stored / m->rate);
  double added = w->added > 0 ? m->latency + wide * high * w->added / m->rate : 0;
  double memory = moved / m->rate + waves * (w->once + m->latency) -
                  hidden_by_product(m, w, waves, wide * high, sources + next),
         chain = tiles * targets * parts * cycles;
  if (targets > 1) {
    chain += tiles * (both + m->fill);
    memory +=
        waves * tiles *
        (graphagile_cost_max(0, cycles - graphagile_cost_max(0, 2 * next - cycles - sources)) + m->fill + m->latency);
  } else {
    chain += tiles * (parts - 1) * graphagile_cost_max(0, m->latency + next - cycles) +
             (tiles - 1) * graphagile_cost_max(0, both - cycles);
  }
  chain = waves * chain + (waves - 1) * boundary_of(w, tiles, parts * cycles, both, store, added);
  double total = m->dispatch + both + m->fill + graphagile_cost_max(memory, chain + w->once + store + added);
  return total < INFINITY ? total : 0; /* NaN where a set has no rows */
}
