/* Estimates the cycles of a layer: the part of the device that has most to do decides, as at level 0
 * of the simulator. */
#include "codegen/agile/program.h"

#include "isa/agile/timing.h"
#include "support/number.h"

typedef struct work {
  uint64_t masters, managers; /* cycles; half cycles */
} work;

static void add_row(const agile_device *d, const agile_aggregation *a, uint64_t count, uint64_t beats, uint64_t times,
                    work *w) {
  w->masters +=
      times * (agile_list_cycles(d, count) + agile_scales_cycles(d, count) + count * agile_message_cycles(d, beats));
  w->managers += times * (2 * a->packets + count * a->neighbour + a->last + a->store + a->done);
}

static uint64_t most(uint64_t x, uint64_t y) {
  return x > y ? x : y;
}

uint64_t agile_cost_layer(const agile_device *d, const matrix_csr *m, int64_t rows, int64_t extra, int64_t f,
                          int64_t o) {
  agile_aggregation a = agile_aggregation_of(d, (uint64_t)f);
  uint64_t beats = agile_row_beats((uint64_t)f), nodes = (uint64_t)rows;
  work w = {0};
  if (!rows) return 0;
  if (!m) add_row(d, &a, (uint64_t)number_max(extra, 1), beats, nodes, &w);
  for (int64_t r = 0; m && r < rows; r++)
    add_row(d, &a, (uint64_t)number_max(m->pos[r + 1] - m->pos[r] + extra, 1), beats, 1, &w);
  uint64_t passes = agile_ceil(nodes, (uint64_t)d->fte_rows);
  uint64_t cycles = agile_ceil(w.masters, (uint64_t)d->read_masters * (uint64_t)d->outstanding);
  cycles = most(cycles, agile_ceil(w.managers, 2 * (uint64_t)d->rows * (uint64_t)d->meshes));
  cycles = most(cycles, passes * agile_pass_cycles(d, (uint64_t)f, (uint64_t)o) +
                            agile_write_cycles(d, (uint64_t)o, nodes) + (passes - 1) * (uint64_t)d->fte_rows);
  if (d->allocation == AGILE_ALLOCATION_sequential) cycles = most(cycles, nodes * a.allocator / 2);
  return cycles + agile_weights_cycles(d, (uint64_t)f, (uint64_t)o);
}
