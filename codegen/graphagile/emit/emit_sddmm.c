/* Vector-Inner layers: a block is a destination shard (with as many heads as the instructions of a LOOP allow); a loop over the shard's pieces computes a number per edge and stores it
 * (GraphAGILE, Algorithm 7).
 *
 *   MEMRD F2; LOOP pieces - 1 { MEMRD E; MEMRD F0|F1; per head: [MEMRD E form=value;] SDDMM ...;
 *     POST ...; MEMWR E form=value }; LOOP 1 { the same, F2 becomes EMPTY }; NOP
 *
 *   MEMRD F2; MEMRD F1; LOOP pieces { MEMRD E; MEMRD F0; per head: ... }; VADD, after which F1 and F2 are EMPTY; NOP
 *
 * The second form goes over the pieces of two shards in one pass over the sources, as an Aggregate
 * does (emit_spdmm.c). Where not all fibers of sources or destinations fit a buffer, the number of
 * a head is summed up in chunks of fibers, each loaded for the piece. In the paper's accounting
 * values of edges cost nothing but features do; there the chunks are the outermost loop: F2 keeps
 * one chunk for all pieces of the shard, and the sums so far are loaded from memory. */
#include "codegen/graphagile/emit/emit_sddmm.h"

#include "codegen/graphagile/emit/emit_block.h"
#include "codegen/graphagile/emit/emit_code.h"
#include "codegen/graphagile/emit/emit_hubs.h"
#include "codegen/graphagile/emit/emit_inner.h"
#include "codegen/graphagile/plan/plan_links.h"
#include "codegen/graphagile/plan/plan_order.h"
#include "support/number.h"

/* Ends a block. Its last instruction may not be in the body of a LOOP, so it is a NOP. */
static void end_block(graphagile_emit *e) {
  EMIT(e, nop, .eot = 1);
}

/* An addition of one row whose only purpose is to release F1 and F2. */
static void free_pair(graphagile_emit *e) {
  EMIT(e, vadd, .a = 1, .b = 2, .out = 1, .unlock_a = 1, .unlock_b = 1, .rows = 1, .nfib = 1, .stride = 1);
}

/* Loads the rows of a shard, with those of hubs in all their places. */
static void load_destinations(graphagile_emit *e, int buffer, const graphagile_emit_region *r) {
  const graphagile_plan_sddmm *s = &e->layer->sddmm;
  const graphagile_emit_hubs hubs = {&s->edges->shape->shape, buffer, 0, r->fibers, graphagile_emit_stride(r)};
  graphagile_emit_load_rows(e, buffer, s->dst, r);
  graphagile_emit_copy_hubs(e, &hubs);
}

/* Emits a block of two shards. The descriptors say which of them a piece belongs to, and whether
 * its source rows are loaded already. */
static void emit_band(graphagile_emit *e, graphagile_emit_inner *b, int64_t band) {
  const graphagile_plan_layer *l = e->layer;
  const graphagile_plan_sddmm *s = &l->sddmm;
  const graphagile_plan_pieces *o = graphagile_plan_pieces_of(l);
  int64_t at = o->band_begin[band], end = o->band_begin[band + 1];
  graphagile_emit_region second = b->dst;
  second.first_row += b->dst.rows;
  second.rows = number_min(b->dst.rows, s->edges->list->to_rows - second.first_row);
  second.stride = (int64_t)graphagile_emit_stride(&b->dst);
  if (second.rows < 1) second.first_row = b->dst.first_row, second.rows = 1; /* without a second shard: any row */
  load_destinations(e, 2, &second);
  load_destinations(e, 1, &b->dst);
  for (int64_t count; at < end; at += count) {
    count = number_min(end - at, GRAPHAGILE_PLAN_MAX_LOOP);
    b->parity = 0;
    b->is_last = false;
    graphagile_emit_inner_pieces(e, b, at, count);
  }
  free_pair(e);
  end_block(e);
}

/* Emits a block of one shard. If the rows of destinations stay in F2, the last piece has a LOOP of its
 * own, because only its last SDDMM releases F2. */
static void emit_block(graphagile_emit *e, graphagile_emit_inner *b, int64_t shard) {
  const graphagile_plan_sddmm *s = &e->layer->sddmm;
  const graphagile_partition *p = &s->edges->partition;
  bool peels = b->is_resident && s->dst;
  int64_t at = p->shard_begin[shard], end = p->shard_begin[shard + 1], done = 0;
  if (b->is_outer) {
    graphagile_emit_inner_chunks(e, b, at, end);
    at = end;
  }
  if (peels) load_destinations(e, 2, &b->dst);
  while (at < end) {
    int64_t count = number_min(end - at, GRAPHAGILE_PLAN_MAX_LOOP);
    if (peels && count > 1 && at + count == end) count--;
    b->is_last = at + count == end;
    b->parity = b->alternates ? (int)(done & 1) : 0;
    graphagile_emit_inner_pieces(e, b, at, count);
    at += count;
    done += count;
  }
  end_block(e);
}

/* The number of instructions in a LOOP body for heads begin .. end - 1. */
static int64_t body_of(graphagile_emit *e, const graphagile_emit_inner *b, int64_t begin, int64_t end) {
  int64_t length = 2;
  graphagile_emit_head split = graphagile_emit_new_head(e);
  for (int64_t h = begin; h < end; h++) {
    graphagile_emit_split_head(e, h, &split);
    length += split.count * (b->is_resident ? 1 : 3) + e->layer->num_functions + 2 + (b->by_vadd ? 1 : 0);
  }
  return length;
}

/* Whether a VADD must combine values and inner products: the combination is neither an addition nor a
 * subtraction, and some head needs several SDDMMs, whose sum must be complete before. */
static bool needs_vadd(graphagile_emit *e) {
  const graphagile_plan_layer *l = e->layer;
  const graphagile_plan_sddmm *s = &l->sddmm;
  graphagile_emit_head split = graphagile_emit_new_head(e);
  if (graphagile_plan_is_added(s)) return false;
  for (int64_t h = 0; h < l->result->width; h++) {
    graphagile_emit_split_head(e, h, &split);
    if (split.count > 1) return true;
  }
  return false;
}

/* Whether two shards have the same number of pieces of the same source tiles. */
static bool has_same_tiles(const graphagile_partition *p, int64_t a, int64_t b) {
  int64_t count = p->shard_begin[a + 1] - p->shard_begin[a];
  const graphagile_descriptor *x = &p->pieces[p->shard_begin[a]], *y = &p->pieces[p->shard_begin[b]];
  if (p->shard_begin[b + 1] - p->shard_begin[b] != count) return false;
  for (int64_t i = 0; i < count; i++)
    if (x[i].src_row != y[i].src_row) return false;
  return true;
}

/* How many blocks run at the same time and may share loads. */
static int64_t at_once(const graphagile_emit *e) {
  return number_min(e->plan->device->num_pes, GRAPHAGILE_PLAN_MAX_SHARE);
}

/* How many of the blocks that run at the same time, from shard `first` on, share their loads: all
 * of them or one. */
static int sharers(const graphagile_emit *e, const graphagile_emit_inner *b, int64_t first) {
  const graphagile_plan_sddmm *s = &e->layer->sddmm;
  const graphagile_partition *p = &s->edges->partition;
  int64_t end = number_min(p->shards, first + at_once(e));
  if (!e->shares || !b->is_resident || !s->src) return 1;
  for (int64_t i = first; i < end; i++)
    if (p->shard_begin[i] == p->shard_begin[i + 1] || !has_same_tiles(p, first, i)) return 1;
  return (int)(end - first);
}

/* The region of all fibers of a shard's rows. */
static graphagile_emit_region region_of(const graphagile_plan_sddmm *s, int64_t shard) {
  const graphagile_partition_shape *shape = &s->edges->shape->shape;
  int64_t rows = shape->dst_rows;
  graphagile_emit_region r = {.fibers = graphagile_plan_rows_of(s)->fibers, .first_row = shard * rows};
  r.rows = number_min(rows, s->edges->list->to_rows - r.first_row);
  if (shape->hub_rows) r.stride = graphagile_partition_sums(shape);
  return r;
}

/* Emit the blocks of some heads: one for each shard, or one for each two shards. Return how
 * many. */
static int64_t emit_shards(graphagile_emit *e, graphagile_emit_inner *b) {
  const graphagile_plan_sddmm *s = &e->layer->sddmm;
  const graphagile_partition *p = &s->edges->partition;
  int64_t blocks = 0;
  for (int64_t shard = 0; shard < p->shards; shard++) {
    if (shard % at_once(e) == 0) b->share = sharers(e, b, shard);
    if (p->shard_begin[shard] == p->shard_begin[shard + 1]) continue;
    b->dst = region_of(s, shard);
    emit_block(e, b, shard);
    blocks++;
  }
  return blocks;
}

static int64_t emit_bands(graphagile_emit *e, graphagile_emit_inner *b) {
  const graphagile_plan_sddmm *s = &e->layer->sddmm;
  int64_t bands = number_ceil_div(s->edges->partition.shards, GRAPHAGILE_PLAN_MAX_TARGETS);
  b->share = 1;
  for (int64_t band = 0; band < bands; band++) {
    b->dst = region_of(s, band * GRAPHAGILE_PLAN_MAX_TARGETS);
    emit_band(e, b, band);
  }
  return bands;
}

int64_t graphagile_emit_sddmm(graphagile_emit *e) {
  const graphagile_plan_layer *l = e->layer;
  const graphagile_plan_sddmm *s = &l->sddmm;
  int64_t blocks = 0, heads = l->result->width;
  graphagile_emit_inner b = {.is_resident = l->tile.fibers >= graphagile_plan_rows_of(s)->fibers,
                             .by_vadd = needs_vadd(e),
                             .is_pair = l->tile.targets > 1};
  bool has_ends = s->src && s->dst && s->combine == GRAPHAGILE_COMBINE_replace;
  b.alternates = e->alternates && !b.by_vadd;
  b.is_outer = e->plan->options->paper && !b.is_resident && has_ends;
  for (b.first_head = 0; b.first_head < heads; b.first_head = b.end_head) {
    b.end_head = b.first_head + 1;
    while (b.end_head < heads && body_of(e, &b, b.first_head, b.end_head + 1) <= GRAPHAGILE_PLAN_MAX_BODY) b.end_head++;
    blocks += b.is_pair ? emit_bands(e, &b) : emit_shards(e, &b);
  }
  return blocks;
}
