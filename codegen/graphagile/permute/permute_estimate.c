/* Estimates a layer by its subshards: one takes as long as its fullest pipeline or bank, and as its
 * largest row (docs/devices/graphagile.md, level L1); a PE takes as long as its blocks; PEs that share
 * loads take as long as the slowest of them; and the layer takes at least as long as its bytes. */
#include "codegen/graphagile/permute/permute_estimate.h"

#include "codegen/graphagile/plan/plan_links.h"

#include <math.h>

/* What a layer does with its subshards. */
typedef struct work {
  const graphagile_cost_machine *machine;
  const graphagile_permute_cells *cells;
  double fibers, groups;  /* fibers of a block; groups of fibers */
  double sources, record; /* bytes of a source tile and of an edge */
  int targets;            /* shards of a block */
} work;

/* Where a subshard has several pieces, one may have a full bank and the next a large row. */
static double compute_cycles(const work *w, graphagile_permute_cell c) {
  const double in_turns = 0.25;
  double banks = c.fullest * w->fibers, row = c.row * fmax(w->fibers, w->machine->device->accumulator_latency);
  return fmax(banks, row) + (c.edges > w->machine->device->edges ? in_turns * fmin(banks, row) : 0);
}

/* The cycles from one piece to the next, where two buffers alternate. */
static double period_of(const work *w, double compute, double load) {
  return fmax(fmax(compute, load), (compute + w->machine->latency + load) / 2);
}

/* The subshards of a block with one source tile. */
typedef struct step {
  double edges, cycles;
} step;

static step step_of(const work *w, int64_t shard, int64_t tile) {
  step s = {0, 0};
  for (int64_t i = shard; i < number_min(shard + w->targets, w->cells->shards); i++) {
    graphagile_permute_cell c = graphagile_permute_cell_of(w->cells, i, tile);
    s.edges += c.edges;
    s.cycles += compute_cycles(w, c);
  }
  return s;
}

/* ---- blocks that load for themselves ----------------------------------------------------------------------------- */

enum { MOST_PES = 256 };

/* PEs by the time when they are free. */
typedef struct queue {
  double busy[MOST_PES];
  int count;
} queue;

/* Gives a block to the PE that is free first; returns when it is done. */
static double give(queue *q, double cycles) {
  int first = 0;
  for (int i = 1; i < q->count; i++) first = q->busy[i] < q->busy[first] ? i : first;
  return q->busy[first] += cycles;
}

static double estimate_apart(const work *w) {
  const graphagile_permute_cells *c = w->cells;
  queue q = {.count = (int)number_min(MOST_PES, (int64_t)w->machine->pes)};
  double bytes = 0, last = 0;
  for (int64_t s = 0; s < c->shards; s += w->targets) {
    double cycles = 0;
    for (int64_t t = 0; t < c->tiles; t++) {
      step here = step_of(w, s, t);
      if (here.edges <= 0) continue;
      cycles += period_of(w, here.cycles, here.edges * w->record / w->machine->rate);
      bytes += (w->sources + here.edges * w->record) * w->groups;
    }
    for (int64_t g = 0; g < (int64_t)w->groups; g++) last = fmax(last, give(&q, cycles));
  }
  return fmax(last, bytes / w->machine->rate);
}

/* ---- blocks that share loads, `wide` groups of fibers times some bands at a time --------------------------------- */

static double estimate_waves(const work *w, double wide) {
  const graphagile_permute_cells *c = w->cells;
  int64_t high = number_max(1, (int64_t)(w->machine->pes / wide)) * w->targets;
  double all = 0;
  for (int64_t s = 0; s < c->shards; s += high)
    for (int64_t t = 0; t < c->tiles; t++) {
      double slowest = 0, edges = 0;
      for (int64_t k = s; k < number_min(s + high, c->shards); k += w->targets) {
        step here = step_of(w, k, t);
        slowest = fmax(slowest, here.cycles);
        edges += here.edges;
      }
      if (edges > 0) all += period_of(w, slowest, (w->sources * wide + edges * w->record) / w->machine->rate);
    }
  return all * ceil(w->groups / wide);
}

double graphagile_permute_estimate(const graphagile_cost_machine *m, const graphagile_plan_layer *l,
                                   const graphagile_permute_cells *c) {
  const graphagile_plan_edge_list *e = graphagile_plan_edges_of(l);
  bool is_sum = l->kind == GRAPHAGILE_PLAN_spdmm, has_sources = is_sum ? l->spdmm.in != NULL : l->sddmm.src != NULL;
  int64_t fibers = is_sum ? l->result->fibers : graphagile_plan_rows_of(&l->sddmm)->fibers;
  work w = {.machine = m, .cells = c, .record = (double)e->record_bytes, .targets = l->tile.targets > 1 ? 2 : 1};
  w.fibers = (double)number_max(1, number_min(l->tile.fibers, fibers));
  w.groups = is_sum ? ceil((double)fibers / w.fibers) : 1;
  w.sources = has_sources ? (double)e->shape->shape.src_rows * w.fibers * m->width * m->number : 0;
  if (is_sum && l->tile.groups > 0) return estimate_waves(&w, fmin(l->tile.groups, w.groups));
  if (!is_sum && m->shares && w.targets == 1) return estimate_waves(&w, 1);
  return estimate_apart(&w);
}
