/* The numbers of the edges of a piece, head after head. All fibers of the sources are loaded at
 * once, or in chunks where they do not fit or where chunks are the outermost loop
 * (emit_sddmm.c). */
#include "codegen/graphagile/emit/emit_inner.h"

#include "codegen/graphagile/emit/emit_block.h"
#include "codegen/graphagile/emit/emit_code.h"
#include "codegen/graphagile/plan/plan_links.h"
#include "support/number.h"

/* Room for the parts of a head: a fiber each, and the parts of fibers at both ends. */
graphagile_emit_head graphagile_emit_new_head(graphagile_emit *e) {
  const graphagile_plan_sddmm *s = &e->layer->sddmm;
  int64_t columns = graphagile_plan_rows_of(s)->width / e->layer->result->width;
  return (graphagile_emit_head){
      .parts = arena_alloc_array(e->plan->arena, (size_t)(columns / e->lanes + 2), sizeof(graphagile_emit_part))};
}

void graphagile_emit_split_head(const graphagile_emit *e, int64_t h, graphagile_emit_head *out) {
  const graphagile_plan_layer *l = e->layer;
  const graphagile_plan_sddmm *s = &l->sddmm;
  int64_t columns = graphagile_plan_rows_of(s)->width / l->result->width;
  out->number = h;
  out->count = graphagile_emit_split_columns(e, h * columns, (h + 1) * columns, l->tile.fibers, out->parts);
}

static void load_edges(graphagile_emit *e, const graphagile_emit_inner *b, int form, uint64_t address, bool waits,
                       bool locks, int buffer) {
  EMIT(e, memrd, .buffer = (uint64_t)(GRAPHAGILE_E0 + buffer), .lock = locks, .wait = waits, .ind = 1,
       .alt = b->alternates, .kind = form == GRAPHAGILE_FORM_value ? GRAPHAGILE_KIND_values : GRAPHAGILE_KIND_edges,
       .form = (uint64_t)form, .count = 1, .nfib = 1, .addr = address / 4);
}

static void load_records(graphagile_emit *e, const graphagile_emit_inner *b, bool waits) {
  const graphagile_plan_sddmm *s = &e->layer->sddmm;
  const graphagile_plan_edge_list *edges = s->edges;
  load_edges(e, b, graphagile_plan_form_of(edges), edges->address, waits, true, b->parity);
}

static uint64_t values_address(const graphagile_plan_tensor *t, int64_t h) {
  return t->address + (t->width > 1 ? (uint64_t)h * t->array_bytes : 0);
}

static void load_sources(graphagile_emit *e, const graphagile_emit_inner *b, int64_t first, int64_t fibers) {
  const graphagile_plan_sddmm *s = &e->layer->sddmm;
  const graphagile_plan_tensor *t = s->src;
  EMIT(e, memrd, .buffer = (uint64_t)(GRAPHAGILE_F0 + (b->is_pair ? 0 : b->parity)), .lock = 1, .wait = 1, .ind = 1,
       .alt = b->alternates && !b->is_pair, .bcast = b->share > 1, .share = b->share > 1 ? (uint64_t)b->share : 0,
       .kind = (uint64_t)t->kind, .form = graphagile_emit_form(t), .count = (uint64_t)s->edges->shape->shape.src_rows,
       .nfib = (uint64_t)fibers, .addr = (t->address + (uint64_t)(first * t->stride) * graphagile_emit_row(e, t)) / 4,
       .stride = fibers > 1 ? (uint64_t)t->stride : 0);
}

/* The function that the last SDDMM of a head applies to its numbers. */
static uint64_t act_of(const graphagile_emit *e, const graphagile_emit_inner *b) {
  return b->by_vadd || e->plan->options->paper ? GRAPHAGILE_ACT_none : graphagile_plan_act_of(e->layer);
}

static void multiply(graphagile_emit *e, const graphagile_emit_inner *b, const graphagile_emit_part *p, int64_t base,
                     int combine, uint64_t act, bool frees_src, bool frees_dst) {
  const graphagile_plan_layer *l = e->layer;
  const graphagile_plan_sddmm *s = &l->sddmm;
  int64_t stride = s->edges->shape->shape.src_rows;
  uint64_t rows = b->is_pair ? 0 : (uint64_t)b->parity;
  EMIT(e, sddmm, .inner = (uint64_t)s->inner, .combine = (uint64_t)combine, .ind = 1, .alt = b->alternates,
       .unlock_src = frees_src && s->src, .unlock_dst = frees_dst && s->dst, .e = (uint64_t)b->parity,
       .pair = b->is_pair, .act = act, .param = act ? (uint64_t)l->functions[0].param : 0, .src = s->src ? rows : 2,
       .dst = !s->dst      ? rows
              : b->is_pair ? 1
                           : 2,
       .num_edges = 1, .src_base = s->src ? (uint64_t)((p->first - base) * stride) : 0,
       .dst_base = s->dst ? (uint64_t)(p->first - base) * graphagile_emit_stride(&b->dst) : 0,
       .nfib = (uint64_t)p->fibers, .src_stride = (uint64_t)stride, .dst_stride = graphagile_emit_stride(&b->dst),
       .lanes = p->lanes);
}

/* Loads the rows for a part of a head, where not all fibers fit at once. */
static void load_part(graphagile_emit *e, const graphagile_emit_inner *b, const graphagile_emit_part *p) {
  const graphagile_plan_sddmm *s = &e->layer->sddmm;
  graphagile_emit_region r = b->dst;
  r.first_fiber = p->first;
  r.fibers = p->fibers;
  if (s->src) load_sources(e, b, p->first, p->fibers);
  if (s->dst) graphagile_emit_load_rows(e, 2, s->dst, &r);
}

static void meet_values(graphagile_emit *e, const graphagile_emit_inner *b, int64_t h) {
  const graphagile_plan_sddmm *s = &e->layer->sddmm;
  static const int functions[] = {
      [GRAPHAGILE_COMBINE_add] = GRAPHAGILE_VECTOR_add, [GRAPHAGILE_COMBINE_sub] = GRAPHAGILE_VECTOR_sub,
      [GRAPHAGILE_COMBINE_mul] = GRAPHAGILE_VECTOR_mul, [GRAPHAGILE_COMBINE_div] = GRAPHAGILE_VECTOR_div,
      [GRAPHAGILE_COMBINE_max] = GRAPHAGILE_VECTOR_max, [GRAPHAGILE_COMBINE_min] = GRAPHAGILE_VECTOR_min};
  if (s->values) {
    load_edges(e, b, GRAPHAGILE_FORM_value, values_address(s->values, h), true, true, 1);
  } else {
    const graphagile_plan_edge_list *edges = s->edges;
    load_edges(e, b, graphagile_plan_form_of(edges), edges->address, true, true, 1);
  }
  EMIT(e, vadd, .function = (uint64_t)functions[s->combine], .unlock_a = 1, .on_edges = 1, .a = 1, .b = 0, .out = 0,
       .rows = 1, .nfib = 1, .stride = 1, .ind = 1);
}

static void post_head(graphagile_emit *e, const graphagile_emit_inner *b) {
  const graphagile_plan_layer *l = e->layer;
  for (int i = act_of(e, b) != GRAPHAGILE_ACT_none; i < l->num_functions; i++) {
    EMIT(e, post, .function = (uint64_t)l->functions[i].function, .alt = b->alternates, .ind = 1,
         .buffer = (uint64_t)(GRAPHAGILE_E0 + b->parity), .rows = 1, .nfib = 1, .stride = 1,
         .param = (uint64_t)l->functions[i].param);
  }
}

static void store_head(graphagile_emit *e, const graphagile_emit_inner *b, int64_t h, bool frees) {
  const graphagile_plan_layer *l = e->layer;
  EMIT(e, memwr, .buffer = (uint64_t)(GRAPHAGILE_E0 + b->parity), .unlock = frees, .ind = 1, .alt = b->alternates,
       .kind = GRAPHAGILE_KIND_values, .form = GRAPHAGILE_FORM_value, .count = 1, .nfib = 1,
       .addr = (l->result->address + (uint64_t)h * l->result->array_bytes) / 4);
}

static void emit_head(graphagile_emit *e, const graphagile_emit_inner *b, int64_t h) {
  const graphagile_plan_sddmm *s = &e->layer->sddmm;
  graphagile_emit_head split = graphagile_emit_new_head(e);
  graphagile_emit_split_head(e, h, &split);
  bool combines = s->combine != GRAPHAGILE_COMBINE_replace && !b->by_vadd, is_last_head = h + 1 == b->end_head;
  if (combines && s->values)
    load_edges(e, b, GRAPHAGILE_FORM_value, values_address(s->values, h), false, true, b->parity);
  else if (combines && h > b->first_head)
    load_records(e, b, false);
  for (int i = 0; i < split.count; i++) {
    bool is_last = i + 1 == split.count, frees = b->is_resident ? is_last && is_last_head : true;
    int combine = combines ? s->combine : i ? GRAPHAGILE_COMBINE_add : GRAPHAGILE_COMBINE_replace;
    if (!b->is_resident) load_part(e, b, &split.parts[i]);
    multiply(e, b, &split.parts[i], b->is_resident ? 0 : split.parts[i].first, combine,
             is_last ? act_of(e, b) : GRAPHAGILE_ACT_none, frees, b->is_resident ? frees && b->is_last : true);
  }
  if (b->by_vadd) meet_values(e, b, h);
  post_head(e, b);
  store_head(e, b, h, is_last_head);
}

void graphagile_emit_inner_pieces(graphagile_emit *e, const graphagile_emit_inner *b, int64_t first, int64_t count) {
  const graphagile_plan_sddmm *s = &e->layer->sddmm;
  size_t loop = graphagile_emit_loop(e, count, (uint64_t)first);
  load_records(e, b, true);
  if (b->is_resident && s->src) load_sources(e, b, 0, graphagile_plan_rows_of(s)->fibers);
  for (int64_t h = b->first_head; h < b->end_head; h++) emit_head(e, b, h);
  graphagile_emit_loop_end(e, loop);
}

/* Computes a chunk of a head over `count` pieces from piece `first` on. */
static void emit_chunk_pieces(graphagile_emit *e, const graphagile_emit_inner *b, const graphagile_emit_head *h,
                              int chunk, int64_t first, int64_t count) {
  const graphagile_emit_part *p = &h->parts[chunk];
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

/* Computes a chunk of a head over all pieces of the shard; its last piece releases F2. Edge Buffers
 * alternate from chunk to chunk too. With a single piece they do not: the sums so far are then
 * loaded into the buffer from which they were stored, because it is EMPTY only when the store is
 * done. */
static void emit_chunk(graphagile_emit *e, graphagile_emit_inner *b, const graphagile_emit_head *h, int chunk,
                       int64_t first, int64_t end) {
  const graphagile_plan_sddmm *s = &e->layer->sddmm;
  graphagile_emit_region r = b->dst;
  int64_t done = end - first > 1 ? chunk * (end - first) : 0;
  r.first_fiber = h->parts[chunk].first;
  r.fibers = h->parts[chunk].fibers;
  graphagile_emit_load_rows(e, 2, s->dst, &r);
  for (int64_t at = first, count; at < end; at += count, done += count) {
    count = number_min(end - at, GRAPHAGILE_PLAN_MAX_LOOP);
    if (count > 1 && at + count == end) count--;
    b->is_last = at + count == end;
    b->parity = b->alternates ? (int)(done & 1) : 0;
    emit_chunk_pieces(e, b, h, chunk, at, count);
  }
}

void graphagile_emit_inner_chunks(graphagile_emit *e, graphagile_emit_inner *b, int64_t first, int64_t end) {
  graphagile_emit_head split = graphagile_emit_new_head(e);
  for (int64_t h = b->first_head; h < b->end_head; h++) {
    graphagile_emit_split_head(e, h, &split);
    for (int i = 0; i < split.count; i++) emit_chunk(e, b, &split, i, first, end);
  }
}
