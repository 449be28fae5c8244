/* Cycles of Aggregate and Vector-Inner layers. A block goes over the pieces of one or two
 * destination shards; each iteration loads the edges of a piece and the rows of their sources. */
#include "codegen/graphagile/cost/cost_edges.h"

#include "codegen/graphagile/cost/cost_blocks.h"
#include "codegen/graphagile/cost/cost_wave.h"
#include "codegen/graphagile/plan/plan_links.h"
#include "codegen/graphagile/plan/plan_product.h"
#include "isa/graphagile/timing.h"

#include <math.h>

/* ---- what both kinds share ---- */

static graphagile_cost_bands bands_of(const program_edge_list *list, const graphagile_cost_cut *c,
                                      graphagile_plan_tile tile) {
  graphagile_cost_bands b = {.shards = ceil((double)list->to_rows / c->shape.dst_rows)};
  b.targets = graphagile_cost_min(tile.targets, b.shards);
  b.count = graphagile_cost_max(1, (double)list->to_rows / (c->height * b.targets));
  return b;
}

static graphagile_cost_blocks blocks_of(const graphagile_cost_cut *c, const graphagile_cost_bands *b, double groups) {
  return (graphagile_cost_blocks){.blocks = b->count * groups,
                                  .loads = ceil(b->count) * groups,
                                  .count = graphagile_cost_max(1, c->pieces),
                                  .is_single = b->targets > 1};
}

/* How many instructions cover a fiber: one, or one per head where the columns of a fiber belong
 * to several heads, each with its own values. */
static double passes_of(double heads, double width, double p) {
  return heads > 1 ? graphagile_cost_max(1, heads * p / graphagile_cost_max(p, width)) : 1;
}

/* With two shards per block an iteration is a source tile with the pieces of both shards. */
static void take_pairs(graphagile_cost_blocks *b, double targets) {
  if (targets <= 1) return;
  b->cycles *= targets;
  b->fixed *= targets;
}

static double size_of(const graphagile_plan_tensor *t) {
  return graphagile_cost_bytes(t, (double)t->rows, 1, (double)t->width);
}

/* In the paper's accounting, large hidden features are loaded again for each block, at the
 * bandwidth reload_gb_s of the PE itself. */
static void add_reloads(const graphagile_cost_machine *m, const graphagile_plan_tensor *in, graphagile_cost_blocks *b) {
  bool is_hidden = in && in->place == GRAPHAGILE_PLAN_HIDDEN;
  if (m->reload > 0 && is_hidden && size_of(in) > m->reload_free)
    b->cycles = graphagile_cost_max(b->cycles, b->rows / m->reload);
}

/* ---- Vector-Inner ---- */

static double cost_sddmm(const graphagile_cost_machine *m, const graphagile_cost_layer *l) {
  const graphagile_plan_sddmm *s = &l->layer->sddmm;
  const graphagile_cost_cut *c = l->cut;
  const program_edge_list *list = s->edges->list;
  const graphagile_plan_tensor *rows = graphagile_plan_rows_of(s);
  double p = m->width, fibers = (double)rows->fibers, heads = (double)l->layer->result->width;
  graphagile_cost_blocks b = blocks_of(c, &l->bands, 1);
  b.cycles = fibers * (s->values ? passes_of(heads, (double)rows->width, p) : 1) * c->cycles;
  b.rows = graphagile_cost_bytes(s->src, (double)list->from_rows / c->tiles, fibers, p);
  b.fixed = c->per_piece * ((double)s->edges->record_bytes + (s->values ? heads : 0) * 4 + heads * 4);
  if (m->shares && l->bands.targets <= 1) {
    b.rows_share = graphagile_cost_min(m->pes, l->bands.shards);
    b.waves = ceil(l->bands.shards / m->pes);
  }
  take_pairs(&b, l->bands.targets);
  add_reloads(m, s->src, &b);
  b.added = graphagile_cost_bytes(s->dst, c->height * l->bands.targets, s->dst ? (double)s->dst->fibers : 0, p);
  return graphagile_cost_of_blocks(m, &b);
}

/* ---- Aggregate ---- */

/* Cycles per p / 2 edges of the SDDMMs, POSTs and sums of values that the links of a block
 * compute on a piece, for so many heads. */
static double cost_links(const graphagile_plan_spdmm *s, double heads, double lanes) {
  double cycles = s->is_divided ? heads : 0;
  for (int i = 0; i < s->num_links; i++) {
    const graphagile_plan_layer *link = s->links[i];
    const bool is_inner = link->kind == GRAPHAGILE_PLAN_sddmm;
    if (is_inner) {
      double columns = (double)graphagile_plan_rows_of(&link->sddmm)->width / (double)link->result->width;
      cycles += heads * ceil(columns / lanes);
    }
    /* a POST computes p edges per cycle, an SDDMM p / 2 */
    int posts = link->num_functions - (is_inner && graphagile_plan_act_of(link));
    cycles += link->kind == GRAPHAGILE_PLAN_spdmm ? heads : heads * posts / 2;
  }
  return cycles;
}

/* Adds the iterations over the list `before`, and replaces both kinds of iterations by average
 * ones. */
static void add_before(const graphagile_cost_machine *m, const graphagile_plan_spdmm *before,
                       graphagile_partition_shape shape, double fibers, graphagile_cost_blocks *b) {
  graphagile_cost_cut c = graphagile_cost_cut_of(m, before->edges->list, shape);
  double count = graphagile_cost_max(1, c.pieces), share = b->count / (b->count + count);
  double rows = graphagile_cost_bytes(before->in, (double)before->edges->list->from_rows / c.tiles, fibers, m->width);
  b->cycles = share * b->cycles + (1 - share) * fibers * c.cycles;
  b->rows = share * b->rows + (1 - share) * rows;
  b->fixed = share * b->fixed + (1 - share) * c.per_piece * (double)before->edges->record_bytes;
  b->count += count;
}

/* Cycles of links that cost nothing, because the rows to sum up are loaded into another buffer
 * meanwhile. */
static double hidden_links(const graphagile_cost_machine *m, const graphagile_cost_layer *a,
                           graphagile_plan_tile tile) {
  const graphagile_plan_spdmm *s = &a->layer->spdmm;
  double p = m->width, from = (double)s->edges->list->from_rows;
  if (!graphagile_plan_is_whole(s) || !s->in) return 0;
  double loads = tile.groups > 0 ? (double)tile.groups : graphagile_cost_min(m->pes, a->bands.count * a->groups);
  double moved = graphagile_cost_bytes(s->in, from, a->fibers, p) * loads;
  return graphagile_cost_min(a->links, moved / m->rate /
                                           graphagile_cost_max(1, graphagile_timing_edges_mean(p, a->cut->per_piece)));
}

/* Cycles per p / 2 edges, with those of links that are not hidden. */
static double per_edge_of(const graphagile_cost_machine *m, const graphagile_cost_layer *a, graphagile_plan_tile tile) {
  return a->per_edge + a->links - hidden_links(m, a, tile);
}

/* Values per edge that a block loads besides the record, over all heads. kept_bytes: the bytes
 * of values per edge that it stores. */
static double loaded_values(const graphagile_cost_layer *a) {
  return a->layer->spdmm.values ? a->heads : 0;
}

static double kept_bytes(const graphagile_cost_layer *a) {
  return a->layer->spdmm.kept ? a->heads * 4 : 0;
}

/* Adds the product of the sums of a block; only the product is stored. */
static void add_product(const graphagile_cost_machine *m, const graphagile_cost_layer *a, graphagile_plan_tile tile,
                        graphagile_cost_blocks *b) {
  const graphagile_plan_layer *product = a->layer->spdmm.product;
  const graphagile_plan_constant *matrix = &product->gemm.matrix;
  double height = a->cut->height, rows = height * a->bands.targets, fibers = (double)product->result->fibers;
  double parts = ceil(height / (double)graphagile_plan_product_rows(m->device, a->layer, tile));
  graphagile_cost_blocks ends = {0};
  graphagile_cost_ends(m, product, rows, fibers, &ends);
  double cycles = graphagile_timing_gemm_mean(m->width, rows, (double)matrix->depth, fibers) + ends.once;
  if (!product->gemm.start.bias.fibers) cycles -= graphagile_timing_init_mean(m->width, rows, fibers);
  b->product.cycles = cycles + m->fill + (double)GRAPHAGILE_TIMING_SWITCH;
  b->product.matrix = (double)(matrix->depth + matrix->head) * fibers * m->width * 4;
  b->product.parts = a->bands.targets * parts;
  b->once += b->product.cycles;
  b->added += ends.added;
  b->stored = ends.stored;
}

/* Adds the ends of a block, with the destination rows that links need and with the product. */
static void add_ends(const graphagile_cost_machine *m, const graphagile_cost_layer *a, graphagile_plan_tile tile,
                     graphagile_cost_blocks *b) {
  double rows = a->cut->height * a->bands.targets;
  graphagile_cost_ends(m, a->layer, rows, a->fibers, b);
  b->added += rows * (double)graphagile_plan_loaded_fibers(&a->layer->spdmm) * m->width * m->number;
  if (a->layer->spdmm.product) add_product(m, a, tile, b);
}

/* Cycles per p / 2 edges of the group with the most fibers, where PEs with other groups wait for it because they share
 * its edges; else of an average group. */
static double in_step(const graphagile_cost_machine *m, const graphagile_cost_layer *a, graphagile_plan_tile tile) {
  double cycles = per_edge_of(m, a, tile);
  return graphagile_cost_min((double)tile.groups, a->groups) > 1 ? cycles * (double)tile.fibers / a->fibers : cycles;
}

static double cost_wave(const graphagile_cost_machine *m, const graphagile_cost_layer *a, graphagile_plan_tile tile) {
  const graphagile_plan_edge_list *edges = a->layer->spdmm.edges;
  double values = loaded_values(a);
  return graphagile_cost_of_wave(
      m, &(graphagile_cost_wave){.tile = tile,
                                 .groups = a->groups,
                                 .bands = a->bands.count,
                                 .shards = (double)edges->list->to_rows / a->cut->height,
                                 .tiles = a->cut->tiles,
                                 .edges = (double)edges->list->edges,
                                 .record = (double)edges->record_bytes + (values == 1 ? 4 : 0),
                                 .value = (values > 1 ? values * 4 / a->groups : 0) + kept_bytes(a),
                                 .sources = a->cut->tiles * a->groups * a->sources,
                                 .cycles = in_step(m, a, tile),
                                 .switches = a->switches,
                                 .once = a->ends.once,
                                 .added = a->ends.added,
                                 .stored = a->ends.stored,
                                 .product = a->ends.product});
}

/* With a list `before`, blocks are loops, and the blocks of a wave share all their loads. */
static void share_waves(const graphagile_cost_machine *m, const graphagile_cost_layer *a, graphagile_plan_tile tile,
                        graphagile_cost_blocks *b) {
  b->fixed_share = graphagile_cost_min((double)tile.groups, a->groups);
  b->rows_share = graphagile_cost_min(floor(m->pes / b->fixed_share), ceil(a->bands.count));
  b->waves = ceil(a->groups / b->fixed_share) * ceil(ceil(a->bands.count) / b->rows_share);
}

/* Adds the ends of the layer's blocks. */
static void take_ends(const graphagile_cost_layer *a, graphagile_cost_blocks *b) {
  b->once = a->ends.once;
  b->added = a->ends.added;
  b->stored = a->ends.stored;
  b->product = a->ends.product;
}

/* Cycles of blocks that share their loads: all PEs go over the list `before`, then all over the other
 * one, so that the computations of one do not overlap the loads of the other. */
static double cost_both(const graphagile_cost_machine *m, const graphagile_cost_layer *a, graphagile_plan_tile tile,
                        graphagile_cost_blocks *b) {
  const graphagile_plan_spdmm *before = &a->layer->spdmm.before->spdmm;
  const graphagile_partition_shape shape = graphagile_cost_shape_before(m, before, a->cut->shape, tile);
  graphagile_cost_blocks first = {.blocks = b->blocks, .loads = b->loads};
  add_before(m, before, shape, a->fibers, &first);
  share_waves(m, a, tile, &first);
  share_waves(m, a, tile, b);
  take_ends(a, b);
  b->product.matrix /= b->rows_share;
  return graphagile_cost_of_blocks(m, &first) + graphagile_cost_of_blocks(m, b);
}

static double cost_spdmm(const graphagile_cost_machine *m, const graphagile_cost_layer *a, graphagile_plan_tile tile) {
  const graphagile_plan_spdmm *s = &a->layer->spdmm;
  const graphagile_plan_spdmm *before = s->before ? &s->before->spdmm : NULL;
  if (tile.groups > 0 && !before) return cost_wave(m, a, tile);
  graphagile_cost_blocks b = blocks_of(a->cut, &a->bands, a->groups);
  b.cycles = per_edge_of(m, a, tile) * a->cut->cycles + a->switches;
  b.rows = a->sources;
  if (!tile.groups && m->has_conflicts)
    b.rows *=
        a->cut->cells / graphagile_cost_max(1, a->cut->pieces); /* the pieces of a subshard load its source rows once */
  b.fixed = a->cut->per_piece * ((double)s->edges->record_bytes + loaded_values(a) * 4 / a->groups + kept_bytes(a));
  take_pairs(&b, a->bands.targets);
  add_reloads(m, s->in, &b);
  if (before && tile.groups > 0) return cost_both(m, a, tile, &b);
  if (before) add_before(m, before, graphagile_cost_shape_before(m, before, a->cut->shape, tile), a->fibers, &b);
  take_ends(a, &b);
  return graphagile_cost_of_blocks(m, &b);
}

/* ---- descriptions of layers ---- */

static void describe_sum(const graphagile_cost_machine *m, graphagile_plan_tile tile, graphagile_cost_layer *a) {
  const graphagile_plan_spdmm *s = &a->layer->spdmm;
  const graphagile_plan_tensor *rows = s->in ? s->in : a->layer->result;
  double p = m->width, all = (double)rows->fibers, from = (double)s->edges->list->from_rows;
  a->heads = (double)graphagile_plan_heads(s);
  a->groups = ceil(all / graphagile_cost_min((double)tile.fibers, all));
  a->fibers = all / a->groups;
  a->links = cost_links(s, graphagile_cost_max(1, a->heads / a->groups), p);
  bool has_values = s->values || s->num_links;
  a->per_edge = a->fibers * (has_values ? passes_of(a->heads, (double)rows->width, p) : 1);
  a->switches = s->num_links ? 2 * (m->fill + (double)GRAPHAGILE_TIMING_SWITCH) : 0;
  a->sources = graphagile_cost_bytes(s->in, from / a->cut->tiles, a->fibers, p);
  a->sources += from / a->cut->tiles * (double)graphagile_plan_source_fibers(s) * p * m->number;
  add_ends(m, a, tile, &a->ends);
}

graphagile_cost_layer graphagile_cost_layer_of(const graphagile_cost_machine *m, const graphagile_plan_layer *layer,
                                               const graphagile_cost_cut *c, graphagile_plan_tile tile) {
  graphagile_cost_layer l = {
      .layer = layer, .cut = c, .bands = bands_of(graphagile_plan_edges_of(layer)->list, c, tile)};
  if (layer->kind == GRAPHAGILE_PLAN_spdmm) describe_sum(m, tile, &l);
  return l;
}

double graphagile_cost_edges(const graphagile_cost_machine *m, const graphagile_cost_layer *l,
                             graphagile_plan_tile tile) {
  return l->layer->kind == GRAPHAGILE_PLAN_sddmm ? cost_sddmm(m, l) : cost_spdmm(m, l, tile);
}
