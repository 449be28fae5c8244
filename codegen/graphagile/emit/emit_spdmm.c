/* Aggregate layers: a block is a group of fibers and a destination shard; a loop over the shard's pieces accumulates in F2 (GraphAGILE Algorithm 6).
 *
 *   INIT F2; LOOP pieces { MEMRD E; MEMRD F0|F1; [MEMRD E form=value; ] SPDMM ... }; MEMWR F2
 *
 *   INIT F2; INIT F1; LOOP pieces { MEMRD E; MEMRD F0; SPDMM F1|F2 }; MEMWR F1; MEMWR F2
 *
 * The second form sums up two shards in one pass over the sources, at the price of their second buffer: other PEs use the memory while one computes. Descriptors leave source
 * rows where they are for all pieces that need them (plan_pieces.h). Which blocks share what they load with others says emit_wave.c. */
#include "codegen/graphagile/emit/emit_spdmm.h"
#include "codegen/graphagile/plan/plan_attention.h"
#include "support/number.h"

static void load_edges(graphagile_emit *e, const graphagile_emit_piece *p, bool is_complete) {
  const int share = p->share.edges;
  const graphagile_plan_edge_list *edges = e->layer->edges;
  const graphagile_descriptor *d = p->descriptor;
  EMIT(e, memrd, .buffer = (uint64_t)(GRAPHAGILE_E0 + p->e), .lock = is_complete, .wait = 1, .ind = !d,
       .alt = !d && e->alternates, .bcast = share > 1, .share = share > 1 ? (uint64_t)share : 0,
       .step = share > 1 ? (uint64_t)p->share.wave : 0, .kind = GRAPHAGILE_KIND_edges,
       .form = edges->is_packed ? GRAPHAGILE_FORM_packed : GRAPHAGILE_FORM_record, .count = d ? d->num_edges : 1,
       .nfib = 1, .addr = (edges->address + (d ? d->first_edge * edges->record_bytes : 0)) / 4);
}

void graphagile_emit_load_values(graphagile_emit *e, const graphagile_emit_piece *p, int64_t head) {
  const graphagile_plan_tensor *values = e->layer->values;
  const graphagile_descriptor *d = p->descriptor;
  const int share = values->width == 1 ? p->share.edges : 1; /* other fibers, other heads */
  uint64_t first = d ? (uint64_t)d->first_edge * GRAPHAGILE_VALUE_BYTES : 0;
  EMIT(e, memrd, .buffer = (uint64_t)(GRAPHAGILE_E0 + p->e), .lock = 1, .ind = !d, .alt = !d && e->alternates,
       .bcast = share > 1, .share = share > 1 ? (uint64_t)share : 0, .step = share > 1 ? (uint64_t)p->share.wave : 0,
       .kind = GRAPHAGILE_KIND_values, .form = GRAPHAGILE_FORM_value, .count = d ? d->num_edges : 1, .nfib = 1,
       .addr = (values->address + (uint64_t)head * values->array_bytes + first) / 4);
}

/* Fibers of a tensor, from row `base` of the buffer on. */
static void load_rows(graphagile_emit *e, const graphagile_emit_piece *p, int f, const graphagile_plan_tensor *t,
                      int64_t first, int64_t fibers, int64_t base, bool is_last) {
  const graphagile_descriptor *d = p->descriptor;
  const int share = p->share.rows;
  EMIT(e, memrd, .buffer = (uint64_t)(GRAPHAGILE_F0 + f), .lock = is_last, .wait = !base, .ind = !d,
       .alt = !d && e->alternates && !p->is_pair, .bcast = share > 1, .share = share > 1 ? (uint64_t)share : 0,
       .step = share > 1 ? (uint64_t)p->share.wave : 0, .kind = (uint64_t)t->kind, .base = (uint64_t)base,
       .count = (uint64_t)p->rows, .nfib = (uint64_t)fibers,
       .addr = (t->address + (uint64_t)(first * t->stride + (d ? d->src_row : 0)) * e->row) / 4,
       .stride = fibers > 1 ? (uint64_t)t->stride : 0);
  graphagile_emit_moves(e, 0, (uint64_t)t->stride * e->row);
}

static void load_link_rows(graphagile_emit *e, const graphagile_emit_piece *p, int64_t before) {
  const graphagile_plan_layer *l = e->layer;
  int64_t loaded = before, all = before + graphagile_plan_source_fibers(l);
  for (int i = 0; i < l->num_links; i++) {
    const graphagile_plan_tensor *t = l->links[i]->in;
    if (l->links[i]->kind != GRAPHAGILE_PLAN_SDDMM || !t) continue;
    load_rows(e, p, graphagile_emit_link_rows(l, p), t, 0, t->fibers, loaded * p->rows, loaded + t->fibers == all);
    loaded += t->fibers;
  }
}

void graphagile_emit_load_sources(graphagile_emit *e, const graphagile_emit_piece *p, const graphagile_emit_region *r) {
  const graphagile_plan_layer *l = e->layer;
  bool is_whole = graphagile_plan_is_whole(l), is_alone = is_whole || !graphagile_plan_source_fibers(l);
  if (is_whole) load_link_rows(e, p, 0);
  if (l->in) load_rows(e, p, p->f, l->in, r->first_fiber, r->fibers, 0, is_alone);
  if (!is_whole) load_link_rows(e, p, l->in ? r->fibers : 0);
}

void graphagile_emit_sum(graphagile_emit *e, const graphagile_emit_piece *p, const graphagile_emit_region *r,
                         const graphagile_emit_part *part, bool frees_edges, bool frees_rows) {
  const graphagile_plan_layer *l = e->layer;
  const graphagile_descriptor *d = p->descriptor;
  EMIT(e, spdmm, .reduce = (uint64_t)l->operation, .weighted = l->values || l->num_links || l->edges->list->has_weight,
       .unlock_e = frees_edges, .unlock_f = frees_rows && l->in && p->frees_rows, .ind = !d, .alt = !d && e->alternates,
       .edge_only = !l->in, .e = (uint64_t)p->e, .in = (uint64_t)p->f, .out = p->is_pair ? 1 : (uint64_t)e->out,
       .out2 = (uint64_t)e->out, .single = p->is_pair && e->alternates, .num_edges = d ? d->num_edges : 1,
       .in_base = l->in ? (uint64_t)(part->first * p->rows) : 0,
       .out_base = (uint64_t)part->first * graphagile_emit_stride(r), .nfib = (uint64_t)part->fibers,
       .in_stride = (uint64_t)p->rows, .out_stride = graphagile_emit_stride(r), .lanes = part->lanes);
}

int graphagile_emit_split_columns(const graphagile_emit *e, int64_t begin, int64_t end, graphagile_emit_part out[3]) {
  int count = 0;
  while (begin < end) {
    int64_t lane = begin % e->lanes, columns = number_min(e->lanes - lane, end - begin);
    bool is_whole = columns == e->lanes;
    if (is_whole) columns = (end - begin) / e->lanes * e->lanes;
    out[count++] = (graphagile_emit_part){.first = begin / e->lanes,
                                          .fibers = number_ceil_div(columns, e->lanes),
                                          .lanes = is_whole ? e->all : ((UINT64_C(1) << columns) - 1) << lane};
    begin += columns;
  }
  return count;
}

/* The instructions for the heads that have columns in the block's fibers. */
static void emit_heads(graphagile_emit *e, const graphagile_emit_piece *p, const graphagile_emit_region *r) {
  const graphagile_plan_layer *l = e->layer;
  int64_t heads = l->values->width, columns = l->in ? l->result->width / heads : 1;
  int64_t begin = r->first_fiber * e->lanes, end = number_min(begin + r->fibers * e->lanes, l->result->width);
  for (int64_t h = begin / columns; h * columns < end; h++) {
    graphagile_emit_part parts[3];
    int64_t from = number_max(h * columns, begin) - begin, to = number_min((h + 1) * columns, end) - begin;
    int count = graphagile_emit_split_columns(e, from, to, parts);
    graphagile_emit_load_values(e, p, h);
    for (int i = 0; i < count; i++) {
      bool is_last = (h + 1) * columns >= end && i + 1 == count;
      graphagile_emit_sum(e, p, r, &parts[i], is_last, is_last);
    }
  }
}

void graphagile_emit_load_piece(graphagile_emit *e, const graphagile_emit_piece *p) {
  load_edges(e, p, !e->layer->values);
}

void graphagile_emit_aggregate(graphagile_emit *e, const graphagile_emit_piece *p, const graphagile_emit_region *r) {
  const graphagile_plan_layer *l = e->layer;
  if (graphagile_emit_has_attention(l)) {
    graphagile_emit_attention(e, p, r);
    return;
  }
  if (l->values && (l->values->width > 1 || !l->in)) {
    emit_heads(e, p, r);
    return;
  }
  graphagile_emit_part all = {0, r->fibers, e->all};
  if (l->values) graphagile_emit_load_values(e, p, 0);
  graphagile_emit_sum(e, p, r, &all, true, true);
}

static void emit_pieces(graphagile_emit *e, const graphagile_emit_region *r, graphagile_emit_piece p, uint64_t first,
                        int64_t count) {
  const graphagile_plan_layer *l = e->layer;
  size_t loop = graphagile_emit_loop(e, count, first);
  graphagile_emit_loop_moves(e);
  graphagile_emit_load_piece(e, &p);
  if (graphagile_plan_has_sources(l)) graphagile_emit_load_sources(e, &p, r);
  graphagile_emit_aggregate(e, &p, r);
  graphagile_emit_loop_end(e, loop);
}

static void settle(graphagile_emit *e, const graphagile_emit_region *r) {
  EMIT(e, post, .function = GRAPHAGILE_FUNCTION_settle, .buffer = (uint64_t)(GRAPHAGILE_F0 + e->out),
       .rows = (uint64_t)r->rows, .nfib = (uint64_t)r->fibers, .stride = graphagile_emit_stride(r));
}

void graphagile_emit_finish(graphagile_emit *e, const graphagile_emit_region *r) {
  const graphagile_plan_layer *l = e->layer;
  if (l->operation != GRAPHAGILE_REDUCE_sum && !l->edges->list->every_destination) settle(e, r);
  graphagile_emit_add(e, r);
  graphagile_emit_end(e, e->out, r);
}

graphagile_emit_region graphagile_emit_shard(const graphagile_emit *e, int64_t group, int64_t shard) {
  const graphagile_plan_layer *l = e->layer;
  int64_t rows = l->edges->shape->shape.dst_rows;
  graphagile_emit_region r = {.first_fiber = group * l->tile.fibers, .first_row = shard * rows};
  r.fibers = number_min(l->tile.fibers, l->result->fibers - r.first_fiber);
  r.rows = number_min(rows, l->result->rows - r.first_row);
  return r;
}

/* Loads of source rows by pieces begin .. end. */
static int64_t count_loads(const graphagile_plan_pieces *o, int64_t begin, int64_t end) {
  int64_t loads = 0;
  for (int64_t i = begin; i < end; i++) loads += !o->pieces[i].reuse;
  return loads;
}

enum { LARGEST = 65536 }; /* iterations of a LOOP */

/* The pieces of a band over one of the block's lists; the next list goes on with the buffers behind. */
static void emit_list(graphagile_emit *e, const graphagile_plan_layer *list, const graphagile_emit_region *r,
                      int64_t band, graphagile_emit_piece *piece) {
  const graphagile_plan_layer *l = e->layer;
  const graphagile_plan_pieces *o = graphagile_plan_pieces_of(list);
  int64_t begin = o->band_begin[band], end = o->band_begin[band + 1];
  uint64_t table = (o->address - graphagile_plan_pieces_base(l)) / GRAPHAGILE_DESCRIPTOR_BYTES;
  e->layer = list;
  piece->rows = list->edges->shape->shape.src_rows;
  for (int64_t at = begin, count; at < end; at += count) {
    count = number_min(end - at, LARGEST);
    emit_pieces(e, r, *piece, table + (uint64_t)at, count);
  }
  e->layer = l;
  if (!e->alternates) return;
  piece->e ^= (int)((end - begin) & 1);
  piece->f ^= (int)(count_loads(o, begin, end) & 1);
}

/* Whether the addresses in a block follow its region, which has one shard and one LOOP: only then may it be a copy. */
static bool is_plain(const graphagile_plan_layer *l, const graphagile_emit_share *share, int64_t pieces) {
  return l->tile.targets == 1 && !l->before && !l->values && !l->num_links && !l->num_epilogues && !l->is_divided &&
         share->edges == 1 && share->rows == 1 && pieces <= LARGEST;
}

void graphagile_emit_band(graphagile_emit *e, int64_t group, int64_t band, int64_t number,
                          graphagile_emit_share share) {
  const graphagile_plan_layer *l = e->layer, *const lists[] = {l->before, l};
  const graphagile_plan_pieces *orders[] = {l->before ? graphagile_plan_pieces_of(l->before) : NULL,
                                            graphagile_plan_pieces_of(l)};
  int64_t most = l->tile.targets > 1 ? 2 : 1, pieces = 0, loads = 0;
  int targets = (int)number_min(most, l->edges->partition.shards - band * most);
  graphagile_emit_region regions[GRAPHAGILE_PLAN_MAX_TARGETS];
  for (int t = 0; t < targets; t++) {
    regions[t] = graphagile_emit_shard(e, group, band * most + t);
    regions[t].stride = regions[0].rows;
  }
  for (int i = !l->before; i < 2; i++) {
    pieces += orders[i]->band_begin[band + 1] - orders[i]->band_begin[band];
    loads += count_loads(orders[i], orders[i]->band_begin[band], orders[i]->band_begin[band + 1]);
  }
  graphagile_emit_turn(e, number, pieces);
  if (e->alternates) e->free_f = (int)(loads & 1);
  if (targets > 1) {
    e->free_f = 0;
    e->num_free = 1;
  }
  bool is_copied = is_plain(l, &share, pieces);
  regions[0].first_piece = orders[1]->band_begin[band];
  regions[0].pieces = pieces;
  if (is_copied && graphagile_emit_copy_block(e, &regions[0])) return;
  if (is_copied) graphagile_emit_copy_begin(e, &regions[0]);
  for (int t = targets - 1; t >= 0; t--) { /* F2 is free before F1 is */
    e->out = targets > 1 ? 1 + t : 2;
    graphagile_emit_begin(e, &regions[t]);
  }
  e->out = 2;
  graphagile_emit_piece piece = {.e = e->first, .frees_rows = true, .is_pair = targets > 1, .share = share};
  /* PEs that share nothing are at different lists, of which one may keep the memory busy and one the PEs. */
  int turned = share.edges * share.rows > 1 ? 0 : (int)(number & 1);
  for (int i = 0; i < 2; i++) {
    const graphagile_plan_layer *list = lists[i ^ turned];
    if (list) emit_list(e, list, &regions[0], band, &piece);
  }
  for (int t = 0; t < targets; t++) { /* the next block's sources come where F1 was */
    e->out = targets > 1 ? 1 + t : 2;
    e->goes_on = t + 1 < targets;
    graphagile_emit_finish(e, &regions[t]);
  }
  if (is_copied) graphagile_emit_copy_end(e);
}

int64_t graphagile_emit_spdmm(graphagile_emit *e) {
  const graphagile_plan_layer *l = e->layer;
  int64_t bands = graphagile_plan_pieces_of(l)->bands, blocks = 0;
  graphagile_emit_copy_reset(e);
  if (l->tile.groups > 0) return graphagile_emit_waves(e);
  for (int64_t g = 0; g * l->tile.fibers < l->result->fibers; g++)
    for (int64_t b = 0; b < bands; b++) graphagile_emit_band(e, g, b, blocks++, (graphagile_emit_share){1, 1, 0});
  return blocks;
}
