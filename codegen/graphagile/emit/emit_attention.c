/* The computations on a piece of edges whose values are computed in the Edge Buffer
 * (fuse_attention.h), head after head:
 *
 *   MEMRD E; MEMRD F0|F1; per head { [MEMRD E form=value;] SDDMM ...; POST ...;
 *     [SPDMM edge_only: the sums of the values;] SPDMM ...; [MEMWR E form=value] }
 *
 * The reduction of a guard is an SPDMM edge_only among the SDDMMs.
 *
 * The source rows that links read lie in the sources' buffer behind those that are summed up. Where
 * a shard is one piece they lie in the other of F0 and F1, so that values are computed while the
 * rows to sum up are loaded. In the sums' buffer a column for the sums of the values follows the
 * sums, then the rows of destinations that links read, which each block loads once. */
#include "codegen/graphagile/emit/emit_attention.h"

#include "codegen/graphagile/emit/emit_code.h"
#include "codegen/graphagile/emit/emit_hubs.h"
#include "codegen/graphagile/plan/plan_links.h"
#include "support/number.h"

bool graphagile_emit_has_attention(const graphagile_plan_spdmm *s) {
  return s->num_links > 0 || s->is_divided;
}

/* Splits the columns of a head in the rows of a link into fibers and parts of fibers; returns how
 * many. */
static int link_parts(const graphagile_emit *e, const graphagile_plan_layer *link, int64_t head,
                      graphagile_emit_part out[GRAPHAGILE_EMIT_MOST_PARTS]) {
  int64_t columns = graphagile_plan_rows_of(&link->sddmm)->width / link->result->width;
  return graphagile_emit_split_columns(e, head * columns, (head + 1) * columns, GRAPHAGILE_EMIT_NO_CHUNKS, out);
}

/* The number of fibers in the sums' buffer before the rows of destinations `rows`. */
static int64_t place_of(const graphagile_plan_spdmm *s, const graphagile_emit_region *r,
                        const graphagile_plan_tensor *rows) {
  const graphagile_plan_tensor *tensors[GRAPHAGILE_PLAN_MAX_LINKS];
  int count = graphagile_plan_destinations(s, tensors);
  int64_t at = r->fibers + s->is_divided;
  for (int i = 0; i < count && tensors[i] != rows; i++) at += tensors[i]->fibers;
  return at;
}

/* An SDDMM of a link on a part of a head's columns. `before`: fibers in the buffer before the
 * sources of the link. */
static void multiply(graphagile_emit *e, const graphagile_emit_piece *p, const graphagile_emit_region *r,
                     const graphagile_plan_layer *link, int64_t before, const graphagile_emit_part *part, int combine,
                     bool is_end, bool frees_rows) {
  const graphagile_plan_spdmm *s = &e->layer->spdmm;
  const graphagile_plan_sddmm *inner = &link->sddmm;
  const graphagile_descriptor *d = p->descriptor;
  uint64_t stride = graphagile_emit_stride(r), out = (uint64_t)e->out, rows = (uint64_t)graphagile_emit_link_rows(s, p);
  uint64_t act = is_end ? graphagile_plan_act_of(link) : GRAPHAGILE_ACT_none, dst = p->is_pair ? 1 : out;
  uint64_t dst_base = inner->dst ? (uint64_t)(place_of(s, r, inner->dst) + part->first) * stride : 0;
  EMIT(e, sddmm, .inner = (uint64_t)inner->inner, .combine = (uint64_t)combine, .ind = !d, .alt = !d && e->alternates,
       .unlock_src = frees_rows, .e = (uint64_t)p->e, .src = inner->src ? rows : out, .dst = inner->dst ? dst : rows,
       .pair = p->is_pair, .act = act, .param = act ? (uint64_t)link->functions[0].param : 0,
       .num_edges = d ? d->num_edges : 1, .src_base = inner->src ? (uint64_t)((before + part->first) * p->rows) : 0,
       .dst_base = dst_base, .nfib = (uint64_t)part->fibers, .src_stride = (uint64_t)p->rows, .dst_stride = stride,
       .lanes = part->lanes);
}

/* Applies the functions of a link that its SDDMM has not applied. */
static void post(graphagile_emit *e, const graphagile_emit_piece *p, const graphagile_plan_layer *link) {
  const graphagile_descriptor *d = p->descriptor;
  for (int i = link->kind == GRAPHAGILE_PLAN_sddmm && graphagile_plan_act_of(link); i < link->num_functions; i++) {
    EMIT(e, post, .function = (uint64_t)link->functions[i].function, .alt = !d && e->alternates, .ind = !d,
         .buffer = (uint64_t)(GRAPHAGILE_E0 + p->e), .rows = d ? d->num_edges : 1, .nfib = 1, .stride = 1,
         .param = (uint64_t)link->functions[i].param);
  }
}

/* Fibers of the source rows that a link reads. */
static int64_t fibers_of(const graphagile_plan_layer *link) {
  return link->kind == GRAPHAGILE_PLAN_sddmm && link->sddmm.src ? link->sddmm.src->fibers : 0;
}

/* The last link that reads source rows; with the last head it releases their buffer. -1 where the
 * sums release it. */
static int last_reader(const graphagile_plan_spdmm *s) {
  int last = -1;
  for (int i = 0; i < s->num_links && (!s->in || graphagile_plan_is_whole(s)); i++)
    if (s->links[i]->kind == GRAPHAGILE_PLAN_sddmm && s->links[i]->sddmm.src) last = i;
  return last;
}

/* Sums up the values themselves into one column; for a guard with its own reduction. */
static void reduce_values(graphagile_emit *e, const graphagile_emit_piece *p, const graphagile_emit_region *r,
                          int reduce, int64_t fiber, int64_t lane) {
  const graphagile_descriptor *d = p->descriptor;
  EMIT(e, spdmm, .reduce = (uint64_t)reduce, .weighted = 1, .ind = !d, .alt = !d && e->alternates, .edge_only = 1,
       .e = (uint64_t)p->e, .in = (uint64_t)p->f, .out = p->is_pair ? 1 : (uint64_t)e->out, .out2 = (uint64_t)e->out,
       .single = p->is_pair && e->alternates, .num_edges = d ? d->num_edges : 1,
       .out_base = (uint64_t)fiber * graphagile_emit_stride(r), .nfib = 1, .in_stride = (uint64_t)p->rows,
       .out_stride = graphagile_emit_stride(r), .lanes = UINT64_C(1) << lane);
}

/* Joins the places of hubs in rows that a link made, because the next link reads all places. The list has one piece,
 * so that the rows are complete. */
static void share_hubs(graphagile_emit *e, const graphagile_emit_region *r, const graphagile_plan_layer *link) {
  const graphagile_plan_spdmm *s = &e->layer->spdmm;
  const uint64_t stride = graphagile_emit_stride(r);
  const graphagile_emit_hubs hubs = {&s->edges->shape->shape, e->out, (uint64_t)place_of(s, r, link->result) * stride,
                                     link->result->fibers, stride};
  graphagile_emit_join_hubs(e, &hubs, link->spdmm.reduce);
  graphagile_emit_copy_hubs(e, &hubs);
}

/* Computes the numbers of a link for a head. */
static void emit_inner(graphagile_emit *e, const graphagile_emit_piece *p, const graphagile_emit_region *r,
                       const graphagile_plan_layer *link, int64_t before, int64_t head, bool frees) {
  graphagile_emit_part parts[GRAPHAGILE_EMIT_MOST_PARTS];
  int count = link_parts(e, link, head, parts), how = link->sddmm.combine;
  for (int k = 0; k < count; k++) {
    bool is_added = k && how == GRAPHAGILE_COMBINE_replace, is_end = k + 1 == count;
    int combine = is_added ? GRAPHAGILE_COMBINE_add : how;
    multiply(e, p, r, link, before, &parts[k], combine, is_end, frees && is_end && p->frees_rows);
  }
}

static void make_values(graphagile_emit *e, const graphagile_emit_piece *p, const graphagile_emit_region *r,
                        int64_t head, bool is_last_head) {
  const graphagile_plan_spdmm *s = &e->layer->spdmm;
  int64_t before = s->in && !graphagile_plan_is_whole(s) ? r->fibers : 0;
  int last = last_reader(s);
  for (int i = 0; i < s->num_links; i++) {
    const graphagile_plan_layer *link = s->links[i];
    if (link->kind == GRAPHAGILE_PLAN_sddmm) emit_inner(e, p, r, link, before, head, is_last_head && i == last);
    if (link->kind == GRAPHAGILE_PLAN_spdmm) {
      reduce_values(e, p, r, link->spdmm.reduce, place_of(s, r, link->result) + head / e->lanes, head % e->lanes);
      share_hubs(e, r, link);
    } else {
      post(e, p, link);
    }
    before += fibers_of(link);
  }
}

static void store_values(graphagile_emit *e, const graphagile_emit_piece *p, int64_t head, bool frees) {
  const graphagile_plan_spdmm *s = &e->layer->spdmm;
  const graphagile_plan_tensor *t = s->kept;
  const graphagile_descriptor *d = p->descriptor;
  uint64_t first = d ? (uint64_t)d->first_edge * GRAPHAGILE_VALUE_BYTES : 0;
  EMIT(e, memwr, .buffer = (uint64_t)(GRAPHAGILE_E0 + p->e), .unlock = frees, .ind = !d, .alt = !d && e->alternates,
       .kind = GRAPHAGILE_KIND_values, .form = GRAPHAGILE_FORM_value, .count = d ? d->num_edges : 1, .nfib = 1,
       .addr = (t->address + (uint64_t)head * t->array_bytes + first) / 4);
}

void graphagile_emit_attention(graphagile_emit *e, const graphagile_emit_piece *p, const graphagile_emit_region *r) {
  const graphagile_plan_layer *l = e->layer;
  const graphagile_plan_spdmm *s = &l->spdmm;
  int64_t heads = graphagile_plan_heads(s), columns = l->result->width / heads;
  int64_t begin = r->first_fiber * e->lanes, end = number_min(begin + r->fibers * e->lanes, l->result->width);
  for (int64_t h = begin / columns; h * columns < end; h++) {
    graphagile_emit_part parts[GRAPHAGILE_EMIT_MOST_PARTS];
    /* one of the groups of fibers stores a head */
    bool is_last = (h + 1) * columns >= end, is_stored = s->kept && h * columns >= begin;
    int64_t from = number_max(h * columns, begin) - begin, to = number_min((h + 1) * columns, end) - begin;
    int count = graphagile_emit_split_columns(e, from, to, GRAPHAGILE_EMIT_NO_CHUNKS, parts);
    if (s->values) graphagile_emit_load_values(e, p, h);
    make_values(e, p, r, h, is_last);
    if (s->is_divided) reduce_values(e, p, r, GRAPHAGILE_REDUCE_sum, r->fibers, 0);
    for (int i = 0; i < count; i++) {
      bool is_end = is_last && i + 1 == count;
      graphagile_emit_sum(e, p, r, &parts[i], is_end && !is_stored, is_end);
    }
    if (is_stored) store_values(e, p, h, is_last);
  }
}
