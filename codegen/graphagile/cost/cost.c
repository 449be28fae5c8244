/* Estimates of a layer's cycles: blocks of iterations, each a load and a computation. */
#include "codegen/graphagile/cost/cost.h"

#include "codegen/graphagile/plan/plan_links.h"
#include "support/number.h"

#include <math.h>

graphagile_cost_machine graphagile_cost_machine_of(const graphagile_options *options) {
  const graphagile_device *d = &options->device.graphagile;
  graphagile_cost_machine m = {.pes = d->num_pes,
                               .width = d->width,
                               .latency = d->ddr_latency,
                               .fill = d->fill,
                               .dispatch = d->dispatch,
                               .overlaps = options->overlap,
                               .shares = options->broadcast && d->has_broadcast,
                               .keeps_empty = !options->skip_empty,
                               .has_conflicts = d->memory != GRAPHAGILE_MEMORY_paper,
                               .device = d};
  m.rate = d->ddr_gb_s * 1000.0 / d->clock_mhz;
  if (d->memory == GRAPHAGILE_MEMORY_paper) {
    m.rate = 1e12;
    m.latency = 0;
    m.reload = d->reload_gb_s * 1000.0 / d->clock_mhz;
    m.reload_free = (double)d->reload_free_bytes;
  }
  return m;
}

/* Equal blocks of `count` iterations, of which the last may be smaller: 2.5 blocks are two and a half. An iteration loads `fixed` bytes into an Edge or Weight Buffer and `rows` bytes into a Feature Buffer and computes `cycles`; besides,
 * a block computes `once` cycles, loads `added` bytes to add to its sums and stores `stored` bytes. */
typedef struct work {
  double blocks, count, cycles, fixed, rows, once, added, stored;
  double loads;                   /* blocks that load all `rows`, small ones too; 0: as there are blocks */
  double waves;                   /* blocks that share loads run in waves; 0: they do not */
  double fixed_share, rows_share; /* PEs that one transfer of these serves; 0: one */
  bool is_single; /* Feature Buffers of sources do not alternate: their load waits for the computation */
} work;

/* Cycles a PE waits between two blocks. Feature Buffers change their roles: F0 of a block is F1 of the one before, F1 its F2, F2 its F0. After an odd number of iterations F1
 * is free, so the first load overlaps the last computation; the second load waits for the store; a single iteration needs no second buffer. */
static double boundary_of(const graphagile_cost_machine *m, const work *w, double load, double store, double added) {
  bool is_odd = w->count - 2 * floor(w->count / 2) > 0;
  if (m->device->queue_blocks < 2) return m->dispatch + load + store + added;
  if (w->count <= 1) return added > 0 ? load : 0;
  double first = is_odd && added <= 0 ? fmax(0, load + m->dispatch - w->cycles) : load;
  double second = fmax(0, store + load - first - w->cycles);
  return first + second + (is_odd ? fmax(0, added - w->cycles) : 0);
}

static double time_of(const graphagile_cost_machine *m, const work *w) {
  const double csi = 16, decode = 8;
  double busy = fmin(m->pes, ceil(w->blocks)), rounds = w->waves > 0 ? w->waves : ceil(w->blocks / m->pes);
  double rows = w->rows / fmax(1, w->rows_share), moved = w->fixed / fmax(1, w->fixed_share) + rows; /* per PE */
  double flow = w->blocks * (w->count * moved + w->added + w->stored);
  flow = (flow + fmax(0, w->loads - w->blocks) * w->count * rows) / m->rate;
  double compute = rounds * (w->count * w->cycles + w->once);
  if (!(compute > 0)) return 0;                                            /* nothing to do: no rows, no edges */
  double working = w->waves > 0 || rounds < 2 ? busy : w->blocks / rounds; /* PEs, on average */
  double use = fmin(1, flow / compute), rate = m->rate / fmax(1, working * use), ends = m->rate / busy;
  double load = m->latency + moved / rate, store = m->latency + w->stored / rate;
  double added = w->added > 0 ? m->latency + w->added / rate : 0;
  double cold = load > w->cycles ? m->fill : 0;
  double period = fmax(fmax(w->cycles, moved / rate), (load + w->cycles + cold) / 2);
  if (w->is_single)
    period = fmax(moved / rate + m->latency + m->fill / 2, w->cycles + m->fill + m->latency + rows / rate);
  if (!m->overlaps) period = load + w->cycles + m->fill;
  double inside = w->cycles + (w->count - 1) * period + w->once + decode;
  double boundary = m->overlaps ? boundary_of(m, w, load, store, added) : load + store + added + m->dispatch;
  double first = m->latency + moved / ends, last = m->latency + w->stored / ends; /* PEs begin and end together */
  double chain = first + rounds * inside + (rounds - 1) * boundary + added + last;
  double cycles = csi + m->dispatch + m->fill + fmax(chain, flow + w->cycles + m->latency);
  return cycles < INFINITY ? cycles : 0; /* not a number: sets without rows */
}

/* Bytes of rows x columns of an operand or result, where there is one. */
static double bytes_of(const graphagile_plan_tensor *t, double rows, double fibers, double width) {
  return t ? rows * fibers * width * 4 : 0;
}

/* Cycles and bytes of what follows the sum of a block: functions that the store does not do, additions. */
static void add_ends(const graphagile_cost_machine *m, const graphagile_plan_layer *l, double rows, double fibers,
                     work *w) {
  double p = m->width;
  w->stored = rows * fibers * p * 4;
  w->added = bytes_of(l->addend, rows, fibers, p);
  w->once = fibers * rows / p;
  for (int i = 0; i < l->num_epilogues; i++) {
    const graphagile_plan_epilogue *t = &l->epilogues[i];
    w->added += bytes_of(t->other, rows, t->is_bcast ? 1 : fibers, p);
    w->once += fibers * rows / (p / 2) + m->fill;
  }
  w->once += graphagile_plan_posted_functions(l) * fibers * rows;
}

double graphagile_cost_gemm(const graphagile_cost_machine *m, const graphagile_plan_layer *layer,
                            graphagile_plan_tile tile) {
  const graphagile_plan_tensor *out = layer->result;
  double p = m->width, rows = (double)tile.rows, fibers = (double)tile.fibers, inner = (double)tile.inner;
  double depth = (double)layer->matrix.depth, groups = ceil((double)out->fibers / fibers);
  double row_tiles = ceil((double)out->rows / rows) + (double)layer->segments / 2;
  work w = {.blocks = row_tiles * groups, .count = ceil(depth / (inner * p))};
  rows = (double)out->rows / row_tiles; /* the last tile of a segment is smaller */
  double len = depth / w.count;
  w.fixed = len * fibers * p * 4;
  w.rows = rows * ceil(len / p) * p * 4;
  w.cycles = ceil((double)tile.rows / p) * fibers * fmax(len, p);
  add_ends(m, layer, rows, fibers, &w);
  return time_of(m, &w);
}

/* SDDMMs, POSTs and the sums of values on a piece, per fiber and edge as SPDMM is: heads of a block's fibers. */
static double cost_links(const graphagile_plan_layer *l, double heads, double lanes) {
  double cycles = l->is_divided ? heads : 0;
  for (int i = 0; i < l->num_links; i++) {
    const graphagile_plan_layer *link = l->links[i];
    const graphagile_plan_tensor *rows = link->in ? link->in : link->other;
    if (link->kind == GRAPHAGILE_PLAN_SDDMM)
      cycles += heads * ceil((double)rows->width / (double)link->result->width / lanes);
    int posts = link->num_functions - (link->kind == GRAPHAGILE_PLAN_SDDMM && graphagile_plan_act_of(link));
    cycles += link->kind == GRAPHAGILE_PLAN_SPDMM ? heads : heads * posts / 2;
  }
  return cycles;
}

/* An edge list in pieces: a whole shard of it, and the share of all edges that it has. */
typedef struct cut {
  double height, share, tiles, cells, pieces, per_piece;
  double cycles; /* of a piece, for a fiber */
} cut;

static cut cut_of(const graphagile_cost_machine *m, const program_edge_list *list, graphagile_partition_shape shape) {
  double to = (double)list->to_rows, edges = (double)list->edges;
  cut c = {.height = fmin(to, (double)shape.dst_rows), .tiles = ceil((double)list->from_rows / shape.src_rows)};
  c.share = c.height / fmax(1, to);
  double density = edges * c.share / fmax(1, c.tiles);
  c.cells = c.tiles * (m->keeps_empty ? 1 : 1 - exp(-density));
  c.pieces = c.cells + edges * c.share / shape.max_edges;
  c.per_piece = density * c.tiles / fmax(1, c.pieces);
  double mean = c.per_piece / (m->width / 2);
  c.cycles = mean + (m->has_conflicts ? 1.4 * sqrt(mean) : 0);
  return c;
}

graphagile_partition_shape graphagile_cost_shape_before(const graphagile_cost_machine *m,
                                                        const graphagile_plan_layer *before,
                                                        graphagile_partition_shape shape, graphagile_plan_tile tile) {
  enum { PIECES = 16 };
  int64_t rows = number_round_up(number_ceil_div(before->edges->list->from_rows, PIECES), m->device->width);
  shape.src_rows = (int32_t)number_max(1, number_min(rows, m->device->feature_rows / number_max(1, tile.fibers)));
  return shape;
}

/* Blocks with the iterations of another list, all alike. */
static void add_before(const graphagile_cost_machine *m, const graphagile_plan_layer *before,
                       graphagile_partition_shape shape, graphagile_plan_tile tile, double fibers, work *w) {
  cut c = cut_of(m, before->edges->list, graphagile_cost_shape_before(m, before, shape, tile));
  double count = fmax(1, c.pieces), share = w->count / (w->count + count);
  double rows = (double)before->edges->list->from_rows / c.tiles * fibers * m->width * 4;
  w->cycles = share * w->cycles + (1 - share) * fibers * c.cycles;
  w->rows = share * w->rows + (1 - share) * rows;
  w->fixed = share * w->fixed + (1 - share) * c.per_piece * (double)before->edges->record_bytes;
  w->count += count;
}

double graphagile_cost_edges(const graphagile_cost_machine *m, const graphagile_plan_layer *layer,
                             graphagile_partition_shape shape, graphagile_plan_tile tile) {
  const program_edge_list *list = layer->edges->list;
  const bool is_sddmm = layer->kind == GRAPHAGILE_PLAN_SDDMM;
  const graphagile_plan_tensor *rows = layer->in ? layer->in : is_sddmm ? layer->other : layer->result;
  double p = m->width, edges = (double)list->edges, all = (double)rows->fibers,
         at_once = fmin((double)tile.fibers, all);
  double from = (double)list->from_rows, to = (double)list->to_rows, shards = ceil(to / shape.dst_rows);
  const cut c = cut_of(m, list, shape);
  double groups = is_sddmm ? 1 : ceil(all / at_once);
  double heads = is_sddmm ? (double)layer->result->width : (double)graphagile_plan_heads(layer);
  double targets = fmin(tile.targets, shards), bands = fmax(1, to / (c.height * targets));
  work w = {
      .blocks = bands * groups, .loads = ceil(bands) * groups, .count = fmax(1, c.pieces), .is_single = targets > 1};
  double passes =
      (layer->values || layer->num_links) && heads > 1 ? fmax(1, heads * p / fmax(p, (double)rows->width)) : 1;
  at_once = all / groups; /* the last group is smaller */
  double of_links = cost_links(layer, fmax(1, heads / groups), p), per_edge = at_once * passes + of_links;
  if (graphagile_plan_is_whole(layer) && layer->in) { /* values are made while the rows to sum up are loaded */
    double loads = tile.groups > 0 ? (double)tile.groups : fmin(m->pes, w.blocks);
    per_edge -= fmin(of_links, from * at_once * p * 4 * loads / m->rate / fmax(1, c.per_piece / (p / 2)));
  }
  double switches = layer->num_links ? 2 * (m->fill + 1) : 0; /* from SDDMM to SPDMM and back */
  double sources = from / c.tiles * ((layer->in ? at_once : 0) + (double)graphagile_plan_source_fibers(layer)) * p * 4;
  double values = layer->values ? heads : 0;
  w.cycles = per_edge * c.cycles + switches;
  w.rows = sources;
  if (!is_sddmm && !tile.groups && m->has_conflicts)
    w.rows *= c.cells / fmax(1, c.pieces); /* the pieces of a cell load their sources once */
  w.fixed = c.per_piece *
            ((double)layer->edges->record_bytes + values * 4 / groups + (is_sddmm || layer->kept ? heads * 4 : 0));
  if (is_sddmm && m->shares && at_once >= all && targets <= 1) {
    w.rows_share = fmin(m->pes, shards);
    w.waves = ceil(shards / m->pes);
  }
  if (targets > 1) { /* an iteration is a source tile with its pieces */
    w.cycles *= targets;
    w.fixed *= targets;
  }
  if (m->reload > 0 && layer->in && layer->in->place == GRAPHAGILE_PLAN_HIDDEN &&
      (double)layer->in->rows * (double)layer->in->width * 4 > m->reload_free)
    w.cycles = fmax(w.cycles, w.rows / m->reload);
  if (layer->before) add_before(m, layer->before, shape, tile, at_once, &w);
  if (layer->before && tile.groups > 0) {
    w.fixed_share = fmin((double)tile.groups, groups);
    w.rows_share = fmin(floor(m->pes / w.fixed_share), ceil(bands));
    w.waves = ceil(groups / w.fixed_share) * ceil(ceil(bands) / w.rows_share);
  }
  add_ends(m, layer, c.height * targets, at_once, &w);
  w.added += c.height * targets * (double)graphagile_plan_loaded_fibers(layer) * p * 4;
  if (is_sddmm) w.once = w.stored = 0;
  if (is_sddmm)
    w.added = bytes_of(layer->other, c.height * targets, layer->other ? (double)layer->other->fibers : 0, p);
  if (tile.groups > 0 && !layer->before)
    return graphagile_cost_of_wave(
        m, &(graphagile_cost_wave){.tile = tile,
                                   .groups = groups,
                                   .bands = bands,
                                   .shards = to / c.height,
                                   .tiles = c.tiles,
                                   .edges = edges,
                                   .record = (double)layer->edges->record_bytes + (values == 1 ? 4 : 0),
                                   .value = (values > 1 ? values * 4 / groups : 0) + (layer->kept ? heads * 4 : 0),
                                   .sources = c.tiles * groups * sources,
                                   .cycles = per_edge,
                                   .switches = switches,
                                   .once = w.once,
                                   .added = w.added,
                                   .stored = w.stored});
  return time_of(m, &w);
}
