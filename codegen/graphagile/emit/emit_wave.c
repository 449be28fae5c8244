/* Aggregate layers in waves. The blocks of a wave run at the same time and share loads by
 * broadcast: those of one group of fibers share source tiles, those of one band of shards share
 * edges. A load says how many PEs of its wave will ask for the same data, and waits until so many
 * have asked. A number that is too large is a deadlock.
 *
 * In a LOOP this number is the same for all pieces. A wave has one of three forms:
 *
 *   even          all bands have edges from the same source tiles, so equally many PEs share each
 *                 load: blocks are loops (emit_band.c)
 *   written out   the instructions of each piece are written out, and the loads of each source tile
 *                 have a number of their own. Layers that load no source rows have this form, too.
 *   alone         a layer that begins with another edge list (spdmm.before), where one of the two
 *                 lists is not even: blocks are loops that share nothing
 *
 * A block that is written out has two forms, for one shard and for two:
 *
 *   INIT F2; per source tile { MEMRD E0|E1; MEMRD F0|F1; SPDMM F2; ... }; MEMWR F2
 *
 *   INIT F2; INIT F1; per source tile { MEMRD E0|E1; MEMRD F0; SPDMM F2; ...
 *                                       MEMRD E0|E1; SPDMM F1; ... }; MEMWR F2; MEMWR F1
 *
 * A tile's source rows are loaded once, behind the edges of its first piece. "..." stands for the
 * further pieces of the tile and the shard, each a load of edges and a sum. */
#include "codegen/graphagile/emit/emit_wave.h"

#include "codegen/graphagile/emit/emit_band.h"
#include "codegen/graphagile/emit/emit_block.h"
#include "codegen/graphagile/emit/emit_code.h"
#include "codegen/graphagile/emit/emit_shard.h"
#include "codegen/graphagile/plan/plan_links.h"
#include "support/number.h"

/* The blocks of a wave: one for each group and band. The shards of a band belong to one block. */
typedef struct wave {
  int64_t first_group, groups;
  int64_t first_band, bands;
  int number; /* modulo WAVES; loads of different waves are not merged */
} wave;

enum { WAVES = 256 }; /* the numbers that the field `step` of MEMRD can hold */

typedef struct cursor {
  int64_t at, end; /* the next piece of a shard, and the end of its pieces */
} cursor;

static cursor cursor_of(const graphagile_plan_edge_list *edges, int64_t shard) {
  const graphagile_partition *p = &edges->partition;
  if (shard >= p->shards) return (cursor){0, 0};
  return (cursor){p->shard_begin[shard], p->shard_begin[shard + 1]};
}

/* Counts the bands of a wave that have edges from a source tile, tile after tile. */
typedef struct tally {
  cursor *cursors; /* [count], one for each shard; empty for shards behind the last */
  int count;       /* bands of the wave * tile.targets */
} tally;

static tally tally_of(graphagile_emit *e, const wave *w, const graphagile_plan_layer *l) {
  tally t = {.count = (int)w->bands * l->tile.targets};
  t.cursors = arena_alloc_array(e->plan->arena, (size_t)t.count, sizeof *t.cursors);
  for (int i = 0; i < t.count; i++) t.cursors[i] = cursor_of(l->spdmm.edges, w->first_band * l->tile.targets + i);
  return t;
}

/* The number of bands with edges from the source tile that begins at source row `row`; moves all
 * cursors to that tile. Calls must come in the order of the tiles. */
static int count_bands(tally *t, const graphagile_plan_layer *l, uint32_t row) {
  const graphagile_descriptor *pieces = l->spdmm.edges->partition.pieces;
  int bands = 0;
  for (int i = 0; i < t->count; i += l->tile.targets) {
    bool has_edges = false;
    for (int k = i; k < i + l->tile.targets; k++) {
      cursor *c = &t->cursors[k];
      while (c->at < c->end && pieces[c->at].src_row < row) c->at++;
      has_edges |= c->at < c->end && pieces[c->at].src_row == row;
    }
    bands += has_edges;
  }
  return bands;
}

/* Whether all bands of the wave have edges from the same source tiles, in the edge list of the
 * layer `list`. */
static bool is_even(graphagile_emit *e, const wave *w, const graphagile_plan_layer *list) {
  const graphagile_partition *p = &list->spdmm.edges->partition;
  tally t = tally_of(e, w, list);
  for (;;) {
    uint32_t row = UINT32_MAX;
    for (int i = 0; i < t.count; i++)
      if (t.cursors[i].at < t.cursors[i].end) row = (uint32_t)number_min(row, p->pieces[t.cursors[i].at].src_row);
    if (row == UINT32_MAX) return true;
    if (count_bands(&t, list, row) < w->bands) return false;
    for (int i = 0; i < t.count; i++) /* moves past the tile */
      while (t.cursors[i].at < t.cursors[i].end && p->pieces[t.cursors[i].at].src_row == row) t.cursors[i].at++;
  }
}

/* A block that is being written out: `targets` shards, each with its region and its next piece. */
typedef struct block {
  graphagile_emit_region regions[2];
  cursor cursors[2];
  int targets;
  int edge, row; /* Edge Buffer of the next piece, Feature Buffer of the next sources */
} block;

/* The Feature Buffer for the sums of a shard of the block: F2, or F1 for the second one. */
static int out_of(int target) {
  return 2 - target;
}

/* The first source row of the next source tile that has edges; UINT32_MAX after the last one. */
static uint32_t next_tile(const block *b, const graphagile_descriptor *pieces) {
  uint32_t row = UINT32_MAX;
  for (int t = 0; t < b->targets; t++)
    if (b->cursors[t].at < b->cursors[t].end && pieces[b->cursors[t].at].src_row < row)
      row = pieces[b->cursors[t].at].src_row;
  return row;
}

/* Whether the current piece of shard `target` is the block's last one of the source tile at `row`;
 * it then releases the sources' buffer. */
static bool is_last_of_tile(const block *b, const graphagile_descriptor *pieces, int target, uint32_t row) {
  for (int t = target; t < b->targets; t++) {
    int64_t next = b->cursors[t].at + (t == target);
    if (next < b->cursors[t].end && pieces[next].src_row == row) return false;
  }
  return true;
}

/* Emits the pieces of one source tile, shard after shard. Source buffers alternate from tile to
 * tile; with two shards F0 is the only one, because F1 holds sums. */
static void emit_tile(graphagile_emit *e, block *b, uint32_t row, graphagile_emit_share share) {
  const graphagile_plan_spdmm *s = &e->layer->spdmm;
  const graphagile_descriptor *pieces = s->edges->partition.pieces;
  graphagile_emit_piece p = {.f = b->row, .share = share};
  bool is_loaded = false;
  for (int t = 0; t < b->targets; t++)
    for (; b->cursors[t].at < b->cursors[t].end && pieces[b->cursors[t].at].src_row == row; b->cursors[t].at++) {
      p.descriptor = &pieces[b->cursors[t].at];
      p.e = b->edge;
      p.rows = p.descriptor->src_rows;
      p.frees_rows = is_last_of_tile(b, pieces, t, row);
      e->out = out_of(t);
      size_t loop = 0;
      if (!p.descriptor->num_edges) { /* num_edges of SPDMM is at least 1; only a descriptor in a LOOP can say 0 */
        loop = graphagile_emit_loop(e, 1, (uint64_t)b->cursors[t].at);
        p.descriptor = NULL;
      }
      graphagile_emit_load_piece(e, &p);
      if (graphagile_plan_has_sources(s) && !is_loaded) graphagile_emit_load_sources(e, &p, &b->regions[0]);
      is_loaded = true;
      graphagile_emit_aggregate(e, &p, &b->regions[t]);
      if (!p.descriptor) graphagile_emit_loop_end(e, loop);
      if (e->alternates) b->edge ^= 1;
    }
  if (e->alternates && b->targets == 1) b->row ^= 1;
}

/* The number of source tiles from which the block has edges. */
static int64_t tiles_of(block b, const graphagile_descriptor *pieces) {
  int64_t tiles = 0;
  for (uint32_t row; (row = next_tile(&b, pieces)) != UINT32_MAX; tiles++)
    for (int t = 0; t < b.targets; t++)
      while (b.cursors[t].at < b.cursors[t].end && pieces[b.cursors[t].at].src_row == row) b.cursors[t].at++;
  return tiles;
}

/* Emits a block that is written out. */
static void emit_block(graphagile_emit *e, const wave *w, int64_t group, int64_t band, int64_t number) {
  const graphagile_plan_layer *l = e->layer;
  const graphagile_plan_spdmm *s = &l->spdmm;
  const graphagile_descriptor *pieces = s->edges->partition.pieces;
  block b = {0};
  int64_t shard = band * l->tile.targets, count = 0;
  tally shared = tally_of(e, w, l);
  for (; b.targets < l->tile.targets && shard + b.targets < s->edges->partition.shards; b.targets++) {
    b.regions[b.targets] = graphagile_emit_shard(e, group, shard + b.targets);
    b.cursors[b.targets] = cursor_of(s->edges, shard + b.targets);
    count += b.cursors[b.targets].end - b.cursors[b.targets].at;
  }
  graphagile_emit_turn(e, number, count);
  b.edge = e->first;
  if (b.targets == 1) e->free_f = e->alternates ? (int)(tiles_of(b, pieces) & 1) : 1;
  if (b.targets > 1) {
    e->free_f = 0;
    e->num_free = 1;
  }
  for (int t = 0; t < b.targets; t++) {
    e->out = out_of(t);
    graphagile_emit_begin(e, &b.regions[t]);
  }
  for (uint32_t row; (row = next_tile(&b, pieces)) != UINT32_MAX;) {
    graphagile_emit_share share = {(int)w->groups, count_bands(&shared, l, row), w->number};
    emit_tile(e, &b, row, share);
  }
  for (int t = 0; t < b.targets; t++) {
    e->out = out_of(t);
    e->goes_on = t + 1 < b.targets;
    graphagile_emit_finish(e, &b.regions[t]);
  }
}

/* Emits all blocks of a wave; the first one is number `number` of the layer. */
static void emit_wave(graphagile_emit *e, const wave *w, int64_t number) {
  const graphagile_plan_layer *l = e->layer;
  const graphagile_plan_spdmm *s = &l->spdmm;
  const graphagile_emit_share shared = {(int)w->groups, (int)w->bands, w->number}, alone = {1, 1, 0};
  bool is_loop = graphagile_plan_has_sources(s) && is_even(e, w, l) && (!s->before || is_even(e, w, s->before));
  e->matrix_share = is_loop || !s->before ? shared.rows : 1;
  e->wave = w->number;
  for (int64_t i = 0; i < w->groups * w->bands; i++) {
    int64_t group = w->first_group + i / w->bands, band = w->first_band + i % w->bands;
    if (is_loop || s->before)
      graphagile_emit_band(e, group, band, number + i, is_loop ? shared : alone);
    else
      emit_block(e, w, group, band, number + i);
  }
}

/* A wave has at most one block for each PE. The fields of loads limit its groups and its bands. */
int64_t graphagile_emit_waves(graphagile_emit *e) {
  const graphagile_plan_layer *l = e->layer;
  int64_t bands = number_ceil_div(l->spdmm.edges->partition.shards, l->tile.targets), blocks = 0;
  int64_t groups = number_ceil_div(l->result->fibers, l->tile.fibers);
  int waves = 0;
  for (int64_t g = 0, wide; g < groups; g += wide) {
    wide = number_min(number_min(l->tile.groups, GRAPHAGILE_PLAN_MAX_SHARE), groups - g);
    int64_t high = number_min(number_max(1, e->plan->device->num_pes / wide), GRAPHAGILE_PLAN_MAX_SHARE);
    for (int64_t s = 0; s < bands; s += high) {
      wave w = {g, wide, s, number_min(high, bands - s), waves++ % WAVES};
      emit_wave(e, &w, blocks);
      blocks += w.groups * w.bands;
    }
  }
  return blocks;
}
