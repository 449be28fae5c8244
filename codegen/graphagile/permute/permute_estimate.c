/* Estimates the cycles of layers from their edges: a subshard takes as long as its fullest pipeline
 * or bank (docs/devices/graphagile.md, level L1), a PE as long as its blocks, PEs that share loads as
 * long as the slowest, and all of it at least as long as its bytes. */
#include "codegen/graphagile/permute/permute_estimate.h"

#include "codegen/graphagile/plan/plan_links.h"

#include <math.h>

/* Edges are counted in runs, because a list is read by cache lines. */
enum { RUN = 16 };

static int64_t cell_width(const graphagile_permute_cells *c) {
  return c->pipelines + c->banks;
}

graphagile_permute_cells graphagile_permute_count(arena *a, const program_edge_list *list,
                                                  graphagile_partition_shape shape, int width, int64_t most) {
  graphagile_permute_cells c = {.shards = number_ceil_div(list->to_rows, shape.dst_rows),
                                .tiles = number_ceil_div(list->from_rows, shape.src_rows),
                                .pipelines = width / 2,
                                .banks = width};
  const int32_t *src_place = list->src_place, *dst_place = list->dst_place;
  int64_t stored = list->edges - list->loops, counted = 0;
  int64_t stride = stored > most ? number_ceil_div(stored, most) * RUN : RUN;
  c.count = arena_alloc_array(a, (size_t)(c.shards * c.tiles * cell_width(&c)), sizeof *c.count);
  for (int64_t begin = 0; begin < stored; begin += stride)
    for (int64_t e = begin; e < number_min(begin + RUN, stored); e++, counted++) {
      uint32_t src = (uint32_t)(src_place ? src_place[list->src[e]] : list->src[e]);
      uint32_t dst = (uint32_t)(dst_place ? dst_place[list->dst[e]] : list->dst[e]);
      uint32_t tile = src / (uint32_t)shape.src_rows, shard = dst / (uint32_t)shape.dst_rows;
      uint32_t *cell = c.count + (shard * c.tiles + tile) * cell_width(&c);
      cell[(dst - shard * (uint32_t)shape.dst_rows) % (uint32_t)c.banks / 2]++;
      cell[(uint32_t)c.pipelines + (src - tile * (uint32_t)shape.src_rows) % (uint32_t)c.banks]++;
    }
  c.scale = counted ? (double)stored / (double)counted : 1;
  return c;
}

/* ---- even edges -------------------------------------------------------------------------------------------------- */

/* Whether the largest of some numbers is not far above their mean. */
static bool are_even(const uint64_t *numbers, int64_t count) {
  double sum = 0, largest = 0;
  for (int64_t i = 0; i < count; i++) {
    sum += (double)numbers[i];
    largest = fmax(largest, (double)numbers[i]);
  }
  double mean = sum / (double)number_max(1, count);
  return largest <= 1.1 * mean + 4 * sqrt(mean);
}

bool graphagile_permute_is_even(const graphagile_permute_cells *c) {
  uint64_t lanes[32] = {0}, shards[256] = {0};
  int64_t shard_sums = number_min(c->shards, 256);
  for (int64_t s = 0; s < c->shards; s++)
    for (int64_t t = 0; t < c->tiles; t++) {
      const uint32_t *cell = c->count + (s * c->tiles + t) * cell_width(c);
      for (int64_t i = 0; i < cell_width(c); i++) lanes[i] += cell[i];
      for (int i = 0; i < c->pipelines; i++) shards[s * shard_sums / c->shards] += cell[i];
    }
  return are_even(lanes, c->pipelines) && are_even(lanes + c->pipelines, c->banks) && are_even(shards, shard_sums);
}

/* ---- layers ------------------------------------------------------------------------------------------------------ */

typedef struct cell {
  double edges, cycles; /* cycles per fiber */
} cell;

static cell read_cell(const graphagile_permute_cells *c, int64_t shard, int64_t tile) {
  const uint32_t *count = c->count + (shard * c->tiles + tile) * cell_width(c);
  uint32_t sum = 0, largest = 0;
  for (int i = 0; i < c->pipelines; i++) {
    sum += count[i];
    largest = count[i] > largest ? count[i] : largest;
  }
  for (int64_t i = c->pipelines; i < cell_width(c); i++) largest = count[i] > largest ? count[i] : largest;
  return (cell){.edges = sum * c->scale, .cycles = largest * c->scale};
}

/* What a layer does with a subshard. */
typedef struct work {
  const graphagile_cost_machine *machine;
  const graphagile_permute_cells *cells;
  double fibers, groups;  /* fibers of a block, blocks beside each other */
  double sources, record; /* bytes of a source tile and of an edge */
  int targets;
} work;

static double piece_cycles(const work *w, cell c, double load) {
  double cycles = c.cycles * w->fibers;
  return fmax(cycles, (cycles + w->machine->latency + load) / 2);
}

/* Blocks that load for themselves: each goes to the PE that is free first. */
static double estimate_apart(arena *a, const work *w) {
  const graphagile_permute_cells *c = w->cells;
  int64_t pes = (int64_t)w->machine->pes;
  double *busy = arena_alloc_array(a, (size_t)pes, sizeof *busy), bytes = 0, last = 0;
  for (int64_t i = 0; i < pes; i++) busy[i] = 0;
  for (int64_t s = 0; s < c->shards; s += w->targets) {
    double cycles = 0;
    for (int64_t t = 0; t < c->tiles; t++) {
      double edges = 0;
      for (int64_t k = s; k < number_min(s + w->targets, c->shards); k++) {
        cell here = read_cell(c, k, t);
        if (here.edges > 0) cycles += piece_cycles(w, here, here.edges * w->record / w->machine->rate);
        edges += here.edges;
      }
      if (edges > 0) bytes += (w->sources + edges * w->record) * w->groups;
    }
    for (int64_t g = 0; g < (int64_t)w->groups; g++) {
      int64_t first = 0;
      for (int64_t i = 1; i < pes; i++) first = busy[i] < busy[first] ? i : first;
      busy[first] += cycles;
      last = fmax(last, busy[first]);
    }
  }
  return fmax(last, bytes / w->machine->rate);
}

/* Blocks that share loads, `wide` groups of fibers times some bands at a time. */
static double estimate_waves(const work *w, double wide) {
  const graphagile_permute_cells *c = w->cells;
  int64_t high = number_max(1, (int64_t)(w->machine->pes / wide)) * w->targets;
  double passes = ceil(w->groups / wide), all = 0;
  for (int64_t s = 0; s < c->shards; s += high)
    for (int64_t t = 0; t < c->tiles; t++) {
      double most = 0, edges = 0;
      for (int64_t k = s; k < number_min(s + high, c->shards); k += w->targets) {
        double cycles = 0;
        for (int64_t i = k; i < number_min(k + w->targets, c->shards); i++) {
          cell here = read_cell(c, i, t);
          cycles += here.cycles;
          edges += here.edges;
        }
        most = fmax(most, cycles);
      }
      double load = (w->sources * wide + edges * w->record) / w->machine->rate;
      if (edges > 0) all += fmax(load, piece_cycles(w, (cell){.cycles = most}, load));
    }
  return all * passes;
}

double graphagile_permute_estimate(arena *a, const graphagile_cost_machine *m, const graphagile_plan_layer *l,
                                   const graphagile_permute_cells *c) {
  const graphagile_plan_edge_list *e = graphagile_plan_edges_of(l);
  bool is_sum = l->kind == GRAPHAGILE_PLAN_spdmm;
  int64_t fibers = is_sum ? l->result->fibers : graphagile_plan_rows_of(&l->sddmm)->fibers;
  work w = {.machine = m, .cells = c, .record = (double)e->record_bytes, .targets = l->tile.targets > 1 ? 2 : 1};
  w.fibers = (double)number_max(1, number_min(l->tile.fibers, fibers));
  w.groups = is_sum ? ceil((double)fibers / w.fibers) : 1;
  bool has_sources = is_sum ? l->spdmm.in != NULL : l->sddmm.src != NULL;
  w.sources = has_sources ? (double)e->shape->shape.src_rows * w.fibers * m->width * 4 : 0;
  if (is_sum && l->tile.groups > 0) return estimate_waves(&w, fmin(l->tile.groups, w.groups));
  if (!is_sum && m->shares && w.targets == 1) return estimate_waves(&w, 1);
  return estimate_apart(a, &w);
}
