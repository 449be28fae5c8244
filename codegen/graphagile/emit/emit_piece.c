/* Loads of a piece and SPDMMs on it. The place of a piece is in its descriptor: either the emitter
 * writes it into the instructions, or the LOOP around them reads the descriptor (ind = 1). */
#include "codegen/graphagile/emit/emit_piece.h"

#include "codegen/graphagile/emit/emit_code.h"
#include "codegen/graphagile/emit/emit_memo.h"
#include "codegen/graphagile/plan/plan_links.h"
#include "support/number.h"

int graphagile_emit_link_rows(const graphagile_plan_spdmm *s, const graphagile_emit_piece *p) {
  return s->in && graphagile_plan_is_whole(s) ? 1 - p->f : p->f;
}

static void load_edges(graphagile_emit *e, const graphagile_emit_piece *p, bool is_complete) {
  const graphagile_plan_spdmm *s = &e->layer->spdmm;
  const int share = p->share.edges;
  const graphagile_plan_edge_list *edges = s->edges;
  const graphagile_descriptor *d = p->descriptor;
  EMIT(e, memrd, .buffer = (uint64_t)(GRAPHAGILE_E0 + p->e), .lock = is_complete, .wait = 1, .ind = !d,
       .alt = !d && e->alternates, .bcast = share > 1, .share = share > 1 ? (uint64_t)share : 0,
       .step = share > 1 ? (uint64_t)p->share.wave : 0, .kind = GRAPHAGILE_KIND_edges,
       .form = (uint64_t)graphagile_plan_form_of(edges), .count = d ? d->num_edges : 1, .nfib = 1,
       .addr = (edges->address + (d ? d->first_edge * edges->record_bytes : 0)) / 4);
}

void graphagile_emit_load_values(graphagile_emit *e, const graphagile_emit_piece *p, int64_t head) {
  const graphagile_plan_spdmm *s = &e->layer->spdmm;
  const graphagile_plan_tensor *values = s->values;
  const graphagile_descriptor *d = p->descriptor;
  const int share = values->width == 1 ? p->share.edges : 1; /* blocks with other fibers have other heads */
  uint64_t first = d ? (uint64_t)d->first_edge * GRAPHAGILE_VALUE_BYTES : 0;
  EMIT(e, memrd, .buffer = (uint64_t)(GRAPHAGILE_E0 + p->e), .lock = 1, .ind = !d, .alt = !d && e->alternates,
       .bcast = share > 1, .share = share > 1 ? (uint64_t)share : 0, .step = share > 1 ? (uint64_t)p->share.wave : 0,
       .kind = GRAPHAGILE_KIND_values, .form = GRAPHAGILE_FORM_value, .count = d ? d->num_edges : 1, .nfib = 1,
       .addr = (values->address + (uint64_t)head * values->array_bytes + first) / 4);
}

/* Loads fibers first .. first + fibers - 1 of the piece's source rows, to row `base` of the
 * buffer. */
static void load_rows(graphagile_emit *e, const graphagile_emit_piece *p, int f, const graphagile_plan_tensor *t,
                      int64_t first, int64_t fibers, int64_t base, bool is_last) {
  const graphagile_descriptor *d = p->descriptor;
  const int share = p->share.rows;
  EMIT(e, memrd, .buffer = (uint64_t)(GRAPHAGILE_F0 + f), .lock = is_last, .wait = !base, .ind = !d,
       .alt = !d && e->alternates && !p->is_pair, .bcast = share > 1, .share = share > 1 ? (uint64_t)share : 0,
       .step = share > 1 ? (uint64_t)p->share.wave : 0, .kind = (uint64_t)t->kind, .form = graphagile_emit_form(t),
       .base = (uint64_t)base, .count = (uint64_t)p->rows, .nfib = (uint64_t)fibers,
       .addr = (t->address + (uint64_t)(first * t->stride + (d ? d->src_row : 0)) * graphagile_emit_row(e, t)) / 4,
       .stride = fibers > 1 ? (uint64_t)t->stride : 0);
  graphagile_emit_moves(e, 0, (uint64_t)t->stride * graphagile_emit_row(e, t));
}

static void load_link_rows(graphagile_emit *e, const graphagile_emit_piece *p, int64_t before) {
  const graphagile_plan_spdmm *s = &e->layer->spdmm;
  int64_t loaded = before, all = before + graphagile_plan_source_fibers(s);
  for (int i = 0; i < s->num_links; i++) {
    const graphagile_plan_layer *link = s->links[i];
    const graphagile_plan_tensor *t = link->kind == GRAPHAGILE_PLAN_sddmm ? link->sddmm.src : NULL;
    if (!t) continue;
    load_rows(e, p, graphagile_emit_link_rows(s, p), t, 0, t->fibers, loaded * p->rows, loaded + t->fibers == all);
    loaded += t->fibers;
  }
}

void graphagile_emit_load_sources(graphagile_emit *e, const graphagile_emit_piece *p, const graphagile_emit_region *r) {
  const graphagile_plan_spdmm *s = &e->layer->spdmm;
  bool is_whole = graphagile_plan_is_whole(s), is_alone = is_whole || !graphagile_plan_source_fibers(s);
  if (is_whole) load_link_rows(e, p, 0);
  if (s->in) load_rows(e, p, p->f, s->in, r->first_fiber, r->fibers, 0, is_alone);
  if (!is_whole) load_link_rows(e, p, s->in ? r->fibers : 0);
}

void graphagile_emit_sum(graphagile_emit *e, const graphagile_emit_piece *p, const graphagile_emit_region *r,
                         const graphagile_emit_part *part, bool frees_edges, bool frees_rows) {
  const graphagile_plan_spdmm *s = &e->layer->spdmm;
  const graphagile_descriptor *d = p->descriptor;
  EMIT(e, spdmm, .reduce = (uint64_t)s->reduce, .weighted = s->values || s->num_links || s->edges->list->has_weight,
       .unlock_e = frees_edges, .unlock_f = frees_rows && s->in && p->frees_rows, .ind = !d, .alt = !d && e->alternates,
       .edge_only = !s->in, .e = (uint64_t)p->e, .in = (uint64_t)p->f, .out = p->is_pair ? 1 : (uint64_t)e->out,
       .out2 = (uint64_t)e->out, .single = p->is_pair && e->alternates, .num_edges = d ? d->num_edges : 1,
       .in_base = s->in ? (uint64_t)(part->first * p->rows) : 0,
       .out_base = (uint64_t)part->first * graphagile_emit_stride(r), .nfib = (uint64_t)part->fibers,
       .in_stride = (uint64_t)p->rows, .out_stride = graphagile_emit_stride(r), .lanes = part->lanes);
}

int graphagile_emit_split_columns(const graphagile_emit *e, int64_t begin, int64_t end, int64_t chunk,
                                  graphagile_emit_part *out) {
  int count = 0;
  while (begin < end) {
    int64_t fiber = begin / e->lanes, lane = begin % e->lanes, columns = number_min(e->lanes - lane, end - begin);
    bool is_whole = columns == e->lanes;
    if (is_whole) columns = number_min((end - begin) / e->lanes, chunk - fiber % chunk) * e->lanes;
    out[count++] = (graphagile_emit_part){.first = fiber,
                                          .fibers = number_ceil_div(columns, e->lanes),
                                          .lanes = is_whole ? e->all : ((UINT64_C(1) << columns) - 1) << lane};
    begin += columns;
  }
  return count;
}

void graphagile_emit_load_piece(graphagile_emit *e, const graphagile_emit_piece *p) {
  load_edges(e, p, !e->layer->spdmm.values);
}
