/* Level 0: each part of the device is as busy as its work demands, and the busiest one decides. No
 * queue, no latency of a node alone, no imbalance is part of it. */
#include "sim/agile/time.h"

typedef struct work {
  uint64_t nodes, lists, messages; /* cycles of read masters: for adjacency lists, for the rest */
  uint64_t managers;               /* half cycles */
} work;

static void add_node(const agile_timing *t, const agile_aggregation *a, agile_desc n, work *w) {
  const agile_device *d = t->device;
  uint64_t first = n.count < (uint32_t)d->address_queue ? n.count : (uint64_t)d->address_queue, rest = n.count - first;
  uint64_t beats = agile_message_beats(d, n.precision, t->registers->reg[AGILE_REGISTER_in_features]);
  w->nodes++;
  w->lists += agile_list_cycles(d, first) + (rest ? agile_list_cycles(d, rest) : 0);
  w->messages += agile_scales_cycles(d, n.count) + n.count * agile_message_cycles(d, beats);
  w->managers += 2 * a->packets + n.count * a->neighbour + a->last + a->store + a->done;
}

static uint64_t most(uint64_t a, uint64_t b) {
  return a > b ? a : b;
}

static uint64_t read_cycles(const agile_device *d, const work *w) {
  uint64_t masters = (uint64_t)d->read_masters * (uint64_t)d->outstanding;
  if (d->masters == AGILE_MASTERS_shared) return agile_ceil(w->lists + w->messages, masters);
  return agile_ceil(most(w->lists, w->messages), masters);
}

void agile_time_bound(const agile_timing *t, agile_times *out) {
  const agile_device *d = t->device;
  const uint64_t *reg = t->registers->reg;
  uint64_t f = reg[AGILE_REGISTER_in_features], o = reg[AGILE_REGISTER_out_features], rows = (uint64_t)d->fte_rows;
  agile_aggregation a = agile_aggregation_of(d, f);
  work w = {0};
  for (uint64_t i = 0; i < reg[AGILE_REGISTER_node_count]; i++) {
    agile_desc n = agile_desc_at(t->descs, i);
    if (agile_desc_runs(n)) add_node(t, &a, n, &w);
  }
  out->nodes = w.nodes;
  out->passes = agile_ceil(w.nodes, rows);
  if (!w.nodes) return;
  out->master_cycles = w.messages + (d->masters == AGILE_MASTERS_shared ? w.lists : 0);
  out->manager_cycles = w.managers / 2;
  out->engine_cycles = out->passes * (agile_pass_cycles(d, f, o) + rows) + agile_write_cycles(d, o, w.nodes) - rows;
  out->cycles = most(read_cycles(d, &w), out->engine_cycles);
  out->cycles = most(out->cycles, agile_ceil(w.managers, 2 * (uint64_t)d->rows * (uint64_t)d->meshes));
  out->cycles = most(out->cycles, (uint64_t)d->ddr_latency + w.nodes + agile_ceil(w.nodes, AGILE_BEAT_DESCS));
  if (d->allocation == AGILE_ALLOCATION_sequential) out->cycles = most(out->cycles, w.nodes * a.allocator / 2);
  out->is_too_long = out->cycles > t->limit;
}
