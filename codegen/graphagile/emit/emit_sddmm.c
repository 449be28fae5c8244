/* Vector-Inner layers: a block is a destination shard (and, where several do not fit, a head); a loop over the shard's pieces computes a number per edge and
 * stores it (GraphAGILE Algorithm 7).
 *
 *   MEMRD F2; LOOP pieces - 1 { MEMRD E; MEMRD F0|F1; per head: [MEMRD E form=value;] SDDMM ...; POST ...; MEMWR E form=value }; LOOP 1 { the same, F2 becomes EMPTY }; NOP
 *
 *   MEMRD F2; MEMRD F1; LOOP pieces { MEMRD E; MEMRD F0; per head: ... }; VADD, after which F1 and F2 are EMPTY; NOP
 *
 * The second form goes over the pieces of two shards in one pass over the sources, as Aggregate does (emit_spdmm.c). Where all fibers of sources or destinations do not fit a buffer, a head's sum is made in chunks of fibers, each loaded for the piece. In the paper's accounting, where
 * values of edges cost nothing and features do, the chunks are outermost: F2 keeps one for all pieces of the shard, and the sums so far come from memory. */
#include "codegen/graphagile/emit/emit.h"

#include "support/number.h"

/* Columns of a chunk as SDDMM takes them: fibers `first` .. and lanes. */
typedef struct part {
  int64_t first, fibers;
  uint64_t lanes;
} part;

typedef struct head {
  int64_t number;
  part *parts;
  int count;
} head;

static const graphagile_plan_tensor *rows_of(const graphagile_plan_layer *l) {
  return l->in ? l->in : l->other;
}

/* Room for the parts of a head: a fiber each, and the parts of fibers at both ends. */
static head new_head(graphagile_emit *e) {
  int64_t columns = rows_of(e->layer)->width / e->layer->result->width;
  return (head){.parts = arena_alloc_array(e->plan->arena, (size_t)(columns / e->lanes + 2), sizeof(part))};
}

typedef struct block {
  graphagile_emit_region dst; /* the shard, or the first of two: all fibers */
  bool is_resident;           /* all fibers of both sides fit: F2 is loaded once */
  bool by_vadd;               /* values meet the inner product in a VADD */
  bool is_outer;              /* chunks of fibers are outermost */
  bool is_pair;               /* two shards, in F1 and F2 */
  bool is_last;               /* pieces of the shard */
  int parity;                 /* of the buffers of a LOOP of one iteration */
  int64_t first_head, end_head;
  int share; /* PEs that go over the same source tiles at the same time */
} block;

static uint64_t alternates(const graphagile_emit *e, const block *b) {
  return e->alternates && !b->by_vadd;
}

static void load_edges(graphagile_emit *e, const block *b, int form, uint64_t address, bool waits, bool locks,
                       int buffer) {
  EMIT(e, memrd, .buffer = (uint64_t)(GRAPHAGILE_E0 + buffer), .lock = locks, .wait = waits, .ind = 1,
       .alt = alternates(e, b), .kind = form == GRAPHAGILE_FORM_value ? GRAPHAGILE_KIND_values : GRAPHAGILE_KIND_edges,
       .form = (uint64_t)form, .count = 1, .nfib = 1, .addr = address / 4);
}

static void load_records(graphagile_emit *e, const block *b, bool waits) {
  const graphagile_plan_edge_list *edges = e->layer->edges;
  load_edges(e, b, edges->is_packed ? GRAPHAGILE_FORM_packed : GRAPHAGILE_FORM_record, edges->address, waits, true,
             b->parity);
}

static uint64_t values_address(const graphagile_plan_tensor *t, int64_t h) {
  return t->address + (t->width > 1 ? (uint64_t)h * t->array_bytes : 0);
}

static void load_sources(graphagile_emit *e, const block *b, int64_t first, int64_t fibers) {
  const graphagile_plan_tensor *t = e->layer->in;
  EMIT(e, memrd, .buffer = (uint64_t)(GRAPHAGILE_F0 + (b->is_pair ? 0 : b->parity)), .lock = 1, .wait = 1, .ind = 1,
       .alt = alternates(e, b) && !b->is_pair, .bcast = b->share > 1, .share = b->share > 1 ? (uint64_t)b->share : 0,
       .kind = (uint64_t)t->kind, .count = (uint64_t)e->layer->edges->shape->shape.src_rows, .nfib = (uint64_t)fibers,
       .addr = (t->address + (uint64_t)(first * t->stride) * e->row) / 4,
       .stride = fibers > 1 ? (uint64_t)t->stride : 0);
}

/* What the SDDMM that ends a head does to its numbers. */
static uint64_t act_of(const graphagile_emit *e, const block *b) {
  return b->by_vadd || e->plan->options->paper ? GRAPHAGILE_ACT_none : graphagile_plan_act_of(e->layer);
}

static void multiply(graphagile_emit *e, const block *b, const part *p, int64_t base, int combine, uint64_t act,
                     bool frees_src, bool frees_dst) {
  const graphagile_plan_layer *l = e->layer;
  int64_t stride = l->edges->shape->shape.src_rows;
  uint64_t rows = b->is_pair ? 0 : (uint64_t)b->parity;
  EMIT(e, sddmm, .inner = (uint64_t)l->operation, .combine = (uint64_t)combine, .ind = 1, .alt = alternates(e, b),
       .unlock_src = frees_src && l->in, .unlock_dst = frees_dst && l->other, .e = (uint64_t)b->parity,
       .pair = b->is_pair, .act = act, .param = act ? (uint64_t)l->functions[0].param : 0, .src = l->in ? rows : 2,
       .dst = !l->other    ? rows
              : b->is_pair ? 1
                           : 2,
       .num_edges = 1, .src_base = l->in ? (uint64_t)((p->first - base) * stride) : 0,
       .dst_base = l->other ? (uint64_t)((p->first - base) * b->dst.rows) : 0, .nfib = (uint64_t)p->fibers,
       .src_stride = (uint64_t)stride, .dst_stride = (uint64_t)b->dst.rows, .lanes = p->lanes);
}

/* Splits columns begin .. end, also at multiples of `chunk` fibers (what is loaded at a time). */
static void split_columns(const graphagile_emit *e, int64_t begin, int64_t end, int64_t chunk, head *out) {
  out->count = 0;
  while (begin < end) {
    int64_t lane = begin % e->lanes, columns = number_min(e->lanes - lane, end - begin);
    bool is_whole = columns == e->lanes;
    if (is_whole) {
      int64_t fiber = begin / e->lanes, room = (fiber / chunk + 1) * chunk - fiber;
      columns = number_min((end - begin) / e->lanes, room) * e->lanes;
    }
    out->parts[out->count++] = (part){.first = begin / e->lanes,
                                      .fibers = number_ceil_div(columns, e->lanes),
                                      .lanes = is_whole ? e->all : ((UINT64_C(1) << columns) - 1) << lane};
    begin += columns;
  }
}

static int64_t total_fibers(const graphagile_plan_layer *l) {
  return rows_of(l)->fibers;
}

static void split_head(const graphagile_emit *e, int64_t h, head *out) {
  const graphagile_plan_layer *l = e->layer;
  int64_t columns = rows_of(l)->width / l->result->width;
  out->number = h;
  split_columns(e, h * columns, (h + 1) * columns, l->tile.fibers, out);
}

/* Loads for a part of a head where not all fibers are resident; returns the first fiber loaded. */
static void load_part(graphagile_emit *e, const block *b, const part *p) {
  graphagile_emit_region r = b->dst;
  r.first_fiber = p->first;
  r.fibers = p->fibers;
  if (e->layer->in) load_sources(e, b, p->first, p->fibers);
  if (e->layer->other) graphagile_emit_load_rows(e, 2, e->layer->other, &r);
}

static void meet_values(graphagile_emit *e, const block *b, int64_t h) {
  const graphagile_plan_layer *l = e->layer;
  static const int functions[] = {
      [GRAPHAGILE_COMBINE_add] = GRAPHAGILE_VECTOR_add, [GRAPHAGILE_COMBINE_sub] = GRAPHAGILE_VECTOR_sub,
      [GRAPHAGILE_COMBINE_mul] = GRAPHAGILE_VECTOR_mul, [GRAPHAGILE_COMBINE_div] = GRAPHAGILE_VECTOR_div,
      [GRAPHAGILE_COMBINE_max] = GRAPHAGILE_VECTOR_max, [GRAPHAGILE_COMBINE_min] = GRAPHAGILE_VECTOR_min};
  if (l->values) {
    load_edges(e, b, GRAPHAGILE_FORM_value, values_address(l->values, h), true, true, 1);
  } else {
    const graphagile_plan_edge_list *edges = l->edges;
    load_edges(e, b, edges->is_packed ? GRAPHAGILE_FORM_packed : GRAPHAGILE_FORM_record, edges->address, true, true, 1);
  }
  EMIT(e, vadd, .function = (uint64_t)functions[l->combine], .unlock_a = 1, .on_edges = 1, .a = 1, .b = 0, .out = 0,
       .rows = 1, .nfib = 1, .stride = 1, .ind = 1);
}

static void post_head(graphagile_emit *e, const block *b) {
  const graphagile_plan_layer *l = e->layer;
  for (int i = act_of(e, b) != GRAPHAGILE_ACT_none; i < l->num_functions; i++) {
    EMIT(e, post, .function = (uint64_t)l->functions[i].function, .alt = alternates(e, b), .ind = 1,
         .buffer = (uint64_t)(GRAPHAGILE_E0 + b->parity), .rows = 1, .nfib = 1, .stride = 1,
         .param = (uint64_t)l->functions[i].param);
  }
}

static void store_head(graphagile_emit *e, const block *b, int64_t h, bool frees) {
  const graphagile_plan_layer *l = e->layer;
  EMIT(e, memwr, .buffer = (uint64_t)(GRAPHAGILE_E0 + b->parity), .unlock = frees, .ind = 1, .alt = alternates(e, b),
       .kind = GRAPHAGILE_KIND_values, .form = GRAPHAGILE_FORM_value, .count = 1, .nfib = 1,
       .addr = (l->result->address + (uint64_t)h * l->result->array_bytes) / 4);
}

static void emit_head(graphagile_emit *e, const block *b, int64_t h) {
  const graphagile_plan_layer *l = e->layer;
  head split = new_head(e);
  split_head(e, h, &split);
  bool combines = l->combine != GRAPHAGILE_COMBINE_replace && !b->by_vadd, is_last_head = h + 1 == b->end_head;
  if (combines && l->values)
    load_edges(e, b, GRAPHAGILE_FORM_value, values_address(l->values, h), false, true, b->parity);
  else if (combines && h > b->first_head)
    load_records(e, b, false);
  for (int i = 0; i < split.count; i++) {
    bool is_last = i + 1 == split.count, frees = b->is_resident ? is_last && is_last_head : true;
    int combine = combines ? l->combine : i ? GRAPHAGILE_COMBINE_add : GRAPHAGILE_COMBINE_replace;
    if (!b->is_resident) load_part(e, b, &split.parts[i]);
    multiply(e, b, &split.parts[i], b->is_resident ? 0 : split.parts[i].first, combine,
             is_last ? act_of(e, b) : GRAPHAGILE_ACT_none, frees, b->is_resident ? frees && b->is_last : true);
  }
  if (b->by_vadd) meet_values(e, b, h);
  post_head(e, b);
  store_head(e, b, h, is_last_head);
}

/* One pass over pieces first .. of the shard. */
static void emit_pieces(graphagile_emit *e, const block *b, int64_t first, int64_t count) {
  size_t loop = graphagile_emit_loop(e, count, (uint64_t)first);
  load_records(e, b, true);
  if (b->is_resident && e->layer->in) load_sources(e, b, 0, total_fibers(e->layer));
  for (int64_t h = b->first_head; h < b->end_head; h++) emit_head(e, b, h);
  graphagile_emit_loop_end(e, loop);
}

/* A chunk of a head over pieces first .. of the shard. */
static void emit_chunk_pieces(graphagile_emit *e, const block *b, const head *h, int chunk, int64_t first,
                              int64_t count) {
  const part *p = &h->parts[chunk];
  size_t loop = graphagile_emit_loop(e, count, (uint64_t)first);
  load_records(e, b, true);
  if (chunk)
    load_edges(e, b, GRAPHAGILE_FORM_value, values_address(e->layer->result, h->number), false, true, b->parity);
  load_sources(e, b, p->first, p->fibers);
  multiply(e, b, p, p->first, chunk ? GRAPHAGILE_COMBINE_add : GRAPHAGILE_COMBINE_replace, GRAPHAGILE_ACT_none, true,
           b->is_last);
  if (chunk + 1 == h->count) post_head(e, b);
  store_head(e, b, h->number, true);
  graphagile_emit_loop_end(e, loop);
}

/* A chunk of a head over all pieces of the shard; the last gives F2 back. Edge Buffers alternate from chunk to chunk, too, but where there is one piece: then the sums
 * so far are loaded when its buffer is EMPTY, which is when they are stored. */
static void emit_chunk(graphagile_emit *e, block *b, const head *h, int chunk, int64_t first, int64_t end) {
  enum { LARGEST = 65536 };
  graphagile_emit_region r = b->dst;
  int64_t done = end - first > 1 ? chunk * (end - first) : 0;
  r.first_fiber = h->parts[chunk].first;
  r.fibers = h->parts[chunk].fibers;
  graphagile_emit_load_rows(e, 2, e->layer->other, &r);
  for (int64_t at = first, count; at < end; at += count, done += count) {
    count = number_min(end - at, LARGEST);
    if (count > 1 && at + count == end) count--;
    b->is_last = at + count == end;
    b->parity = alternates(e, b) ? (int)(done & 1) : 0;
    emit_chunk_pieces(e, b, h, chunk, at, count);
  }
}

static void emit_chunks(graphagile_emit *e, block *b, int64_t first, int64_t end) {
  head split = new_head(e);
  for (int64_t h = b->first_head; h < b->end_head; h++) {
    split_head(e, h, &split);
    for (int i = 0; i < split.count; i++) emit_chunk(e, b, &split, i, first, end);
  }
}

static void end_block(graphagile_emit *e) {
  EMIT(e, nop, .eot = 1);
}

/* An addition of one row, for what it gives back. */
static void free_pair(graphagile_emit *e) {
  EMIT(e, vadd, .a = 1, .b = 2, .out = 1, .unlock_a = 1, .unlock_b = 1, .rows = 1, .nfib = 1, .stride = 1);
}

/* Two shards at the same time: which of them a piece belongs to, and whether its sources are there, say the descriptors. */
static void graphagile_emit_band(graphagile_emit *e, block *b, int64_t band) {
  enum { LARGEST = 65536 };
  const graphagile_plan_layer *l = e->layer;
  const graphagile_plan_pieces *o = graphagile_plan_pieces_of(l);
  int64_t at = o->band_begin[band], end = o->band_begin[band + 1];
  graphagile_emit_region second = b->dst;
  second.first_row += b->dst.rows;
  second.rows = number_min(b->dst.rows, l->edges->list->to_rows - second.first_row);
  second.stride = b->dst.rows;
  if (second.rows < 1) second.first_row = b->dst.first_row, second.rows = 1; /* the last shard has no partner */
  graphagile_emit_load_rows(e, 2, l->other, &second);
  graphagile_emit_load_rows(e, 1, l->other, &b->dst);
  for (int64_t count; at < end; at += count) {
    count = number_min(end - at, LARGEST);
    b->parity = 0;
    b->is_last = false;
    emit_pieces(e, b, at, count);
  }
  free_pair(e);
  end_block(e);
}

static void emit_block(graphagile_emit *e, block *b, int64_t shard) {
  enum { LARGEST = 65536 };
  const graphagile_partition *p = &e->layer->edges->partition;
  bool peels = b->is_resident && e->layer->other;
  int64_t at = p->shard_begin[shard], end = p->shard_begin[shard + 1], done = 0;
  if (b->is_outer) {
    emit_chunks(e, b, at, end);
    at = end;
  }
  if (peels) graphagile_emit_load_rows(e, 2, e->layer->other, &b->dst);
  while (at < end) {
    int64_t count = number_min(end - at, LARGEST);
    if (peels && count > 1 && at + count == end) count--;
    b->is_last = at + count == end;
    b->parity = alternates(e, b) ? (int)(done & 1) : 0;
    emit_pieces(e, b, at, count);
    at += count;
    done += count;
  }
  end_block(e);
}

/* Instructions of a LOOP body for heads begin .. end. */
static int64_t body_of(graphagile_emit *e, const block *b, int64_t begin, int64_t end) {
  int64_t length = 2;
  head split = new_head(e);
  for (int64_t h = begin; h < end; h++) {
    split_head(e, h, &split);
    length += split.count * (b->is_resident ? 1 : 3) + e->layer->num_functions + 2 + (b->by_vadd ? 1 : 0);
  }
  return length;
}

static bool needs_vadd(graphagile_emit *e) {
  const graphagile_plan_layer *l = e->layer;
  head split = new_head(e);
  if (l->combine == GRAPHAGILE_COMBINE_replace || l->combine == GRAPHAGILE_COMBINE_add ||
      l->combine == GRAPHAGILE_COMBINE_sub)
    return false;
  for (int64_t h = 0; h < l->result->width; h++) {
    split_head(e, h, &split);
    if (split.count > 1) return true;
  }
  return false;
}

/* Whether two shards have pieces of the same source tiles, as many of each. */
static bool has_same_tiles(const graphagile_partition *p, int64_t a, int64_t b) {
  int64_t count = p->shard_begin[a + 1] - p->shard_begin[a];
  const graphagile_descriptor *x = &p->pieces[p->shard_begin[a]], *y = &p->pieces[p->shard_begin[b]];
  if (p->shard_begin[b + 1] - p->shard_begin[b] != count) return false;
  for (int64_t i = 0; i < count; i++)
    if (x[i].src_row != y[i].src_row) return false;
  return true;
}

/* Blocks that run at the same time and may share loads. */
static int64_t at_once(const graphagile_emit *e) {
  return number_min(e->plan->device->num_pes, GRAPHAGILE_EMIT_MOST_SHARE);
}

/* How many of the blocks that run at the same time, from a shard on, can share what they load: all or none. */
static int sharers(const graphagile_emit *e, const block *b, int64_t first) {
  const graphagile_partition *p = &e->layer->edges->partition;
  int64_t end = number_min(p->shards, first + at_once(e));
  if (!e->shares || !b->is_resident || !e->layer->in) return 1;
  for (int64_t s = first; s < end; s++)
    if (p->shard_begin[s] == p->shard_begin[s + 1] || !has_same_tiles(p, first, s)) return 1;
  return (int)(end - first);
}

int64_t graphagile_emit_sddmm(graphagile_emit *e) {
  const graphagile_plan_layer *l = e->layer;
  const graphagile_partition *p = &l->edges->partition;
  int64_t rows = l->edges->shape->shape.dst_rows, blocks = 0, heads = l->result->width;
  block b = {.is_resident = l->tile.fibers >= total_fibers(l), .by_vadd = needs_vadd(e)};
  b.is_pair = l->tile.targets > 1;
  b.is_outer =
      e->plan->options->paper && !b.is_resident && l->in && l->other && l->combine == GRAPHAGILE_COMBINE_replace;
  for (b.first_head = 0; b.first_head < heads; b.first_head = b.end_head) {
    b.end_head = b.first_head + 1;
    while (b.end_head < heads && body_of(e, &b, b.first_head, b.end_head + 1) <= GRAPHAGILE_PLAN_MAX_BODY) b.end_head++;
    for (int64_t s = 0; s < p->shards; s += b.is_pair ? 2 : 1) {
      if (b.is_pair) {
        b.dst = (graphagile_emit_region){.fibers = total_fibers(l), .first_row = s * rows};
        b.dst.rows = number_min(rows, l->edges->list->to_rows - b.dst.first_row);
        b.share = 1;
        graphagile_emit_band(e, &b, s / 2);
        blocks++;
        continue;
      }
      if (s % at_once(e) == 0) b.share = sharers(e, &b, s);
      if (p->shard_begin[s] == p->shard_begin[s + 1]) continue;
      b.dst = (graphagile_emit_region){.fibers = total_fibers(l), .first_row = s * rows};
      b.dst.rows = number_min(rows, l->edges->list->to_rows - b.dst.first_row);
      emit_block(e, &b, s);
      blocks++;
    }
  }
  return blocks;
}
