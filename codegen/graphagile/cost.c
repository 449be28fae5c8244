/* Estimates of a layer's cycles: blocks of iterations, each a load and a computation. */
#include "codegen/graphagile/cost.h"

#include <math.h>

cost_machine cost_machine_of(const overlay_options *options) {
  const device *d = &options->device;
  cost_machine m = {.pes = d->num_pes,
                    .width = d->width,
                    .latency = d->ddr_latency,
                    .fill = d->fill,
                    .dispatch = d->dispatch,
                    .overlaps = options->overlap,
                    .shares = options->broadcast && d->has_broadcast,
                    .device = d};
  m.rate = d->ddr_gb_s * 1000.0 / d->clock_mhz;
  if (d->memory == DEVICE_MEMORY_PAPER) {
    m.rate = 1e12;
    m.latency = 0;
    m.reload = d->reload_gb_s * 1000.0 / d->clock_mhz;
    m.reload_free = (double)d->reload_free_bytes;
  }
  return m;
}

/* Equal blocks of `count` iterations: each loads `bytes` and computes `cycles`; besides them a block moves `other` bytes. `total` are all bytes of the layer. */
typedef struct work {
  double blocks, count, cycles, bytes, other, total;
} work;

static double time_of(const cost_machine *m, const work *w) {
  double busy = fmin(m->pes, w->blocks), rate = m->rate / busy;
  double transfer = w->bytes / rate, load = m->latency + transfer;
  double period = m->overlaps ? fmax(fmax(w->cycles, transfer), (load + w->cycles) / 2) : load + w->cycles;
  double gap = m->overlaps && m->device->queue_blocks > 1 ? fmax(0, m->dispatch + load - w->cycles)
                                                          : m->dispatch + load + m->latency + w->other / rate;
  double block = w->count * period + gap + m->fill + 10;
  double rounds = ceil(w->blocks / m->pes);
  return fmax(rounds * block, w->total / m->rate + m->latency) + w->other / rate;
}

double cost_gemm(const cost_machine *m, const plan_layer *layer, plan_tile tile) {
  const plan_tensor *out = layer->result;
  double p = m->width, segments = layer->segments > 1 ? (double)layer->segments : 1;
  double rows = (double)tile.rows, fibers = (double)tile.fibers, inner = (double)tile.inner;
  double depth = (double)layer->matrix.depth, groups = ceil((double)out->fibers / fibers);
  double row_tiles = layer->segments ? ceil((double)out->rows / rows) + segments / 2 : ceil((double)out->rows / rows);
  work w = {.blocks = row_tiles * groups, .count = ceil(depth / (inner * p))};
  double len = depth / w.count, matrix = len * fibers * p * 4;
  w.cycles = ceil(rows / p) * fibers * fmax(len, p);
  if (m->shares && layer->matrix.types == 1) matrix /= fmin(m->pes, row_tiles);
  w.bytes = rows * ceil(len / p) * p * 4 + matrix;
  w.other = rows * fibers * p * 4 * (layer->addend ? 2 : 1);
  w.total = w.blocks * (w.count * w.bytes + w.other);
  return time_of(m, &w);
}

double cost_edges(const cost_machine *m, const plan_layer *layer, partition_shape shape, int64_t fibers) {
  const overlay_relation *list = layer->edges->list;
  const bool is_sddmm = layer->kind == PLAN_SDDMM;
  const plan_tensor *rows = layer->in ? layer->in : is_sddmm ? layer->other : layer->result;
  double p = m->width, edges = (double)list->edges, all = (double)rows->fibers, at_once = fmin((double)fibers, all);
  double shards = ceil((double)list->to_rows / shape.dst_rows), tiles = ceil((double)list->from_rows / shape.src_rows);
  double density = edges / fmax(1, shards * tiles);
  double pieces = shards * tiles * (1 - exp(-density)) + edges / shape.max_edges;
  double per_piece = edges / fmax(1, pieces), mean = per_piece / (p / 2);
  double groups = is_sddmm ? 1 : ceil(all / at_once);
  double heads = layer->values ? (double)layer->values->width : is_sddmm ? (double)layer->result->width : 0;
  double sources = fmin((double)shape.src_rows, (double)list->from_rows) * at_once * p * 4;
  work w = {.blocks = shards * groups, .count = fmax(1, pieces / shards)};
  double passes = layer->values && heads > 1 ? fmax(1, heads * p / fmax(p, (double)rows->width)) : 1;
  w.cycles = at_once * passes * (mean + 1.4 * sqrt(mean));
  if (!layer->in) sources = 0;
  if (m->shares) sources /= fmin(m->pes, shards);
  double values = heads * 4 / groups + (is_sddmm && layer->values ? heads * 4 : 0);
  w.bytes = sources + per_piece * ((double)layer->edges->record_bytes + values);
  w.other = fmin((double)shape.dst_rows, (double)list->to_rows) * at_once * p * 4 * (layer->addend ? 2 : 1);
  if (m->reload > 0 && layer->in && layer->in->place == PLAN_HIDDEN &&
      (double)layer->in->rows * (double)layer->in->width * 4 > m->reload_free)
    w.cycles = fmax(w.cycles, sources / m->reload);
  w.total = groups * (pieces * w.bytes + shards * w.other);
  return time_of(m, &w);
}
