/* Estimates the cycles of a layer whose blocks are dealt out to the PEs in turns: the longer of
 * what the PEs compute and what the memory moves, plus what neither hides at the ends of blocks. */
#include "codegen/graphagile/cost/cost_blocks.h"

#include "codegen/graphagile/plan/plan_product.h"
#include "isa/graphagile/timing.h"

#include <math.h>

/* Instructions of a block that the decoder issues while nothing is loaded or computed: the six
 * of a tile (INIT, LOOP, MEMRD, MEMRD, a computation, MEMWR) and about two additions or
 * functions. */
static const double decode = 8;

double graphagile_cost_bytes(const graphagile_plan_tensor *t, double rows, double fibers, double width) {
  if (!t) return 0;
  if (t->is_compact_in_cost) return rows * sizeof(float);
  return rows * fibers * width * (t->is_half ? 2 : 4);
}

void graphagile_cost_ends(const graphagile_cost_machine *m, const graphagile_plan_layer *l, double rows, double fibers,
                          graphagile_cost_blocks *b) {
  const graphagile_plan_start *start = graphagile_plan_start_of(l);
  double p = m->width;
  b->stored = graphagile_cost_bytes(l->result, rows, fibers, p);
  b->added = graphagile_cost_bytes(start ? start->addend : NULL, rows, fibers, p);
  b->once = graphagile_timing_init_mean(p, rows, fibers);
  for (int i = 0; i < l->num_epilogues; i++) {
    const graphagile_plan_epilogue *t = &l->epilogues[i];
    b->added += graphagile_cost_bytes(t->other, rows, t->is_bcast ? 1 : fibers, p);
    b->once += graphagile_timing_vadd_mean(p, rows, fibers, t->operation == GRAPHAGILE_VECTOR_div) + m->fill;
  }
  double relus = graphagile_plan_relus(l);
  b->once += (graphagile_plan_posted_functions(l) - relus) * graphagile_timing_post_mean(rows, fibers);
  b->once += relus * (graphagile_timing_init_mean(p, rows, fibers) +
                      graphagile_timing_vadd_mean(p, rows, fibers, false) + m->fill);
}

double graphagile_cost_tail(const graphagile_cost_product *product, double store) {
  double parts = graphagile_cost_max(1, product->parts);
  return graphagile_cost_max(store / parts, store - product->cycles * (1 - 1 / parts));
}

/* The traffic of one PE, and how long its loads take at the bandwidth that it has while others
 * work. */
typedef struct flow {
  double rows, moved;        /* bytes of an iteration: of sources, and of all loads */
  double cycles;             /* to move all bytes of the layer at full bandwidth */
  double rate, ends;         /* bytes per cycle of one PE: in the middle of the layer, and when all PEs begin or end */
  double load, store, added; /* cycles of a load, of the store, and of the rows that are added to the sums */
} flow;

static flow flow_of(const graphagile_cost_machine *m, const graphagile_cost_blocks *b, double rounds, double compute) {
  double busy = graphagile_cost_min(m->pes, ceil(b->blocks));
  flow f = {.rows = b->rows / graphagile_cost_max(1, b->rows_share), .ends = m->rate / busy};
  f.moved = b->fixed / graphagile_cost_max(1, b->fixed_share) + f.rows;
  f.cycles = b->blocks * (b->count * f.moved + b->added + b->stored + b->product.matrix);
  f.cycles = (f.cycles + graphagile_cost_max(0, b->loads - b->blocks) * b->count * f.rows) / m->rate;
  double working = b->waves > 0 || rounds < 2 ? busy : b->blocks / rounds; /* PEs that work, on average */
  /* while the PEs multiply their sums, all at the same time, the memory has little to do */
  double use = graphagile_cost_min(
      1, f.cycles / graphagile_cost_max(
                        1, compute - rounds * b->product.cycles)); /* share of the bandwidth that the layer uses */
  f.rate = m->rate / graphagile_cost_max(1, working * use);
  f.load = m->latency + f.moved / f.rate;
  f.store = m->latency + graphagile_cost_tail(&b->product, b->stored / f.rate);
  f.added = b->added > 0 ? m->latency + b->added / f.rate : 0;
  return f;
}

/* Cycles from one iteration to the next. With two buffers, two iterations take at least one load
 * and one computation, because each waits for the other. */
static double period_of(const graphagile_cost_machine *m, const graphagile_cost_blocks *b, const flow *f) {
  double cold = f->load > b->cycles ? m->fill : 0;
  if (!m->overlaps) return f->load + b->cycles + m->fill;
  if (b->is_single)
    return graphagile_cost_max(f->moved / f->rate + m->latency + m->fill / 2,
                               b->cycles + m->fill + m->latency + f->rows / f->rate);
  return graphagile_cost_max(graphagile_cost_max(b->cycles, f->moved / f->rate), (f->load + b->cycles + cold) / 2);
}

/* Cycles that a PE waits between two blocks. Feature Buffers change their roles from block to
 * block: F0 was F1 in the block before, F1 was F2, and F2 was F0 (docs/devices/graphagile.md, rule
 * 9). After an odd number of iterations F1 is free, so the first load overlaps the last computation;
 * the second load waits for the store. A single iteration needs no second buffer. A product lies in
 * F0, which becomes F2: loads overlap it, and the next sums wait for its store. */
static double boundary_of(const graphagile_cost_machine *m, const graphagile_cost_blocks *b, const flow *f) {
  bool is_odd = b->count - 2 * floor(b->count / 2) > 0;
  if (!m->overlaps) return f->load + f->store + f->added + m->dispatch;
  if (b->product.cycles > 0 && m->device->queue_blocks > 1)
    return graphagile_cost_max(f->store, f->load - b->product.cycles);
  if (m->device->queue_blocks < 2) return m->dispatch + f->load + f->store + f->added;
  if (b->count <= 1) return f->added > 0 ? f->load : 0;
  double first = is_odd && f->added <= 0 ? graphagile_cost_max(0, f->load + m->dispatch - b->cycles) : f->load;
  double second = graphagile_cost_max(0, f->store + f->load - first - b->cycles);
  return first + second + (is_odd ? graphagile_cost_max(0, f->added - b->cycles) : 0);
}

double graphagile_cost_of_blocks(const graphagile_cost_machine *m, const graphagile_cost_blocks *b) {
  double rounds = b->waves > 0 ? b->waves : ceil(b->blocks / m->pes);
  double compute = rounds * (b->count * b->cycles + b->once);
  if (!(compute > 0)) return 0; /* nothing to compute: no rows or no edges */
  flow f = flow_of(m, b, rounds, compute);
  double inside = b->cycles + (b->count - 1) * period_of(m, b, &f) + b->once + decode;
  /* all PEs begin and end together */
  double first = m->latency + f.moved / f.ends,
         last = m->latency + graphagile_cost_tail(&b->product, b->stored / f.ends);
  double chain = first + rounds * inside + (rounds - 1) * boundary_of(m, b, &f) + f.added + last;
  /* The Scheduler reads the CSI, then hands out the first blocks (docs/devices/graphagile.md, rules 1
   * and 3). */
  double cycles = m->dispatch + m->dispatch + m->fill + graphagile_cost_max(chain, f.cycles + b->cycles + m->latency);
  return cycles < INFINITY ? cycles : 0; /* NaN where a set has no rows */
}
