/* A block of an Aggregate layer as a LOOP over the pieces of one shard, or of two consecutive ones
 * (emit_spdmm.c). */
#include "codegen/graphagile/emit/emit_band.h"

#include "codegen/graphagile/emit/emit_block.h"
#include "codegen/graphagile/emit/emit_code.h"
#include "codegen/graphagile/emit/emit_memo.h"
#include "codegen/graphagile/emit/emit_shard.h"
#include "codegen/graphagile/plan/plan_links.h"
#include "codegen/graphagile/plan/plan_order.h"
#include "support/number.h"

static void emit_pieces(graphagile_emit *e, const graphagile_emit_region *r, graphagile_emit_piece p, uint64_t first,
                        int64_t count) {
  const graphagile_plan_spdmm *s = &e->layer->spdmm;
  size_t loop = graphagile_emit_loop(e, count, first);
  graphagile_emit_loop_moves(e);
  graphagile_emit_load_piece(e, &p);
  if (graphagile_plan_has_sources(s)) graphagile_emit_load_sources(e, &p, r);
  graphagile_emit_aggregate(e, &p, r);
  graphagile_emit_loop_end(e, loop);
}

/* The number of pieces begin .. end - 1 that load source rows. */
static int64_t count_loads(const graphagile_plan_pieces *o, int64_t begin, int64_t end) {
  int64_t loads = 0;
  for (int64_t i = begin; i < end; i++) loads += !o->pieces[i].reuse;
  return loads;
}

/* Emits the loops over the pieces of a band from one of the block's lists, and sets the buffers
 * with which the next list begins. */
static void emit_list(graphagile_emit *e, const graphagile_plan_layer *list, const graphagile_emit_region *r,
                      int64_t band, graphagile_emit_piece *piece) {
  const graphagile_plan_layer *l = e->layer;
  const graphagile_plan_pieces *o = graphagile_plan_pieces_of(list);
  int64_t begin = o->band_begin[band], end = o->band_begin[band + 1];
  uint64_t table = (o->address - graphagile_plan_pieces_base(l)) / GRAPHAGILE_DESCRIPTOR_BYTES;
  e->layer = list;
  piece->rows = list->spdmm.edges->shape->shape.src_rows;
  for (int64_t at = begin, count; at < end; at += count) {
    count = number_min(end - at, GRAPHAGILE_PLAN_MAX_LOOP);
    emit_pieces(e, r, *piece, table + (uint64_t)at, count);
  }
  e->layer = l;
  if (!e->alternates) return;
  piece->e ^= (int)((end - begin) & 1);
  piece->f ^= (int)(count_loads(o, begin, end) & 1);
}

/* The block of a band: the layer whose pieces it begins with, or NULL, and its own layer; a region
 * for each of its shards; the number of its pieces. */
typedef struct block {
  const graphagile_plan_layer *lists[2];
  graphagile_emit_region regions[GRAPHAGILE_PLAN_MAX_TARGETS];
  int targets;
  int64_t pieces, loads; /* pieces; pieces that load source rows */
} block;

static block block_of(const graphagile_emit *e, int64_t group, int64_t band) {
  const graphagile_plan_layer *l = e->layer;
  block b = {.lists = {l->spdmm.before, l}};
  int64_t most = l->tile.targets > 1 ? 2 : 1;
  b.targets = (int)number_min(most, l->spdmm.edges->partition.shards - band * most);
  for (int t = 0; t < b.targets; t++) {
    b.regions[t] = graphagile_emit_shard(e, group, band * most + t);
    if (!b.regions[t].stride) b.regions[t].stride = b.regions[0].rows;
  }
  for (int i = 0; i < 2; i++) {
    const graphagile_plan_pieces *o = b.lists[i] ? graphagile_plan_pieces_of(b.lists[i]) : NULL;
    if (!o) continue;
    b.pieces += o->band_begin[band + 1] - o->band_begin[band];
    b.loads += count_loads(o, o->band_begin[band], o->band_begin[band + 1]);
  }
  b.regions[0].first_piece = graphagile_plan_pieces_of(l)->band_begin[band];
  b.regions[0].pieces = b.pieces;
  return b;
}

/* Sets the buffers that the block begins with and those that are free at its end. */
static void turn_buffers(graphagile_emit *e, const block *b, int64_t number) {
  graphagile_emit_turn(e, number, b->pieces);
  if (e->alternates) e->free_f = (int)(b->loads & 1);
  if (b->targets == 1) return;
  e->free_f = 0;
  e->num_free = 1;
}

/* The Feature Buffer for the sums of a shard. */
static int out_of(const block *b, int target) {
  return b->targets > 1 ? 1 + target : 2;
}

/* Whether all addresses in a block follow its region, which has one shard and one LOOP. Only such a
 * block may be copied (emit_memo.h). */
static bool is_plain(const graphagile_plan_layer *l, const graphagile_emit_share *share, int64_t pieces) {
  const graphagile_plan_spdmm *s = &l->spdmm;
  bool has_epilogues = l->num_epilogues || (s->product && s->product->num_epilogues);
  return l->tile.targets == 1 && !s->before && !s->values && !s->num_links && !has_epilogues && !s->is_divided &&
         share->edges == 1 && share->rows == 1 && pieces <= GRAPHAGILE_PLAN_MAX_LOOP;
}

static void emit_block(graphagile_emit *e, const block *b, int64_t band, int64_t number, graphagile_emit_share share) {
  for (int t = b->targets - 1; t >= 0; t--) { /* F2 is free before F1 is */
    e->out = out_of(b, t);
    graphagile_emit_begin(e, &b->regions[t]);
  }
  e->out = 2;
  graphagile_emit_piece piece = {.e = e->first, .frees_rows = true, .is_pair = b->targets > 1, .share = share};
  /* Where nothing is shared, odd blocks begin with the other list: so some PEs use the memory while
   * others compute. */
  int turned = share.edges * share.rows > 1 ? 0 : (int)(number & 1);
  for (int i = 0; i < 2; i++) {
    const graphagile_plan_layer *list = b->lists[i ^ turned];
    if (list) emit_list(e, list, &b->regions[0], band, &piece);
  }
  for (int i = 0; i < b->targets; i++) {
    /* F1 first, because the next block loads sources into it; a product needs F2 first */
    int t = e->layer->spdmm.product ? b->targets - 1 - i : i;
    e->out = out_of(b, t);
    e->goes_on = i + 1 < b->targets;
    graphagile_emit_finish(e, &b->regions[t]);
  }
}

void graphagile_emit_band(graphagile_emit *e, int64_t group, int64_t band, int64_t number,
                          graphagile_emit_share share) {
  const block b = block_of(e, group, band);
  bool is_copied = is_plain(e->layer, &share, b.pieces);
  turn_buffers(e, &b, number);
  if (is_copied && graphagile_emit_memo_copy(e, &b.regions[0])) return;
  if (is_copied) graphagile_emit_memo_begin(e, &b.regions[0]);
  emit_block(e, &b, band, number, share);
  if (is_copied) graphagile_emit_memo_end(e);
}
