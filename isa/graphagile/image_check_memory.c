/* Checks where the instructions of an image read and write: loads must lie within .edges, .weights
 * and .features, stores within .features, descriptors within their table, rows in records within
 * those of the piece. */
#include "isa/graphagile/image_check.h"

#include <inttypes.h>

/* ---- descriptors ---- */

static status check_descriptor(const graphagile_image_checker *c, const graphagile_descriptor *d) {
  const graphagile_device *limits = &c->im->device.graphagile;
  if (d->num_edges > (uint32_t)limits->edges)
    return status_error(STATUS_CODE_format, "%u edges, an Edge Buffer has room for %d", d->num_edges, limits->edges);
  if (d->src_rows > (uint32_t)limits->feature_rows)
    return status_error(STATUS_CODE_format, "%u source rows, a Feature Buffer has room for %d", d->src_rows,
                        limits->feature_rows);
  return STATUS_OK;
}

/* Checks that a descriptor with `reuse` has the source rows of the descriptor before. */
static status check_reuse(const graphagile_descriptor *d, uint64_t number) {
  if (!d->reuse) return STATUS_OK;
  if (number && d[-1].src_row == d->src_row && d[-1].src_rows == d->src_rows) return STATUS_OK;
  return status_error(STATUS_CODE_format, "'reuse' of rows %u to %u, which the descriptor before does not have",
                      d->src_row, d->src_row + d->src_rows);
}

status graphagile_image_check_descriptors(graphagile_image_checker *c) {
  const image_section *s = &c->im->sections[IMAGE_DESC];
  uint64_t count = s->size / GRAPHAGILE_DESCRIPTOR_BYTES;
  c->descriptors = arena_try_alloc_array(c->memory, count + 1, sizeof *c->descriptors);
  if (!c->descriptors) return status_error(STATUS_CODE_memory, "%" PRIu64 " descriptors do not fit into memory", count);
  for (uint64_t i = 0; i < count; i++) {
    status failed = graphagile_descriptor_decode(s->data + i * GRAPHAGILE_DESCRIPTOR_BYTES, &c->descriptors[i])
                        ? check_descriptor(c, &c->descriptors[i])
                        : status_error(STATUS_CODE_format, "a reserved bit is set");
    if (!failed) failed = check_reuse(&c->descriptors[i], i);
    if (failed) return status_context(failed, "descriptor at 0x%" PRIx64, s->address + i * GRAPHAGILE_DESCRIPTOR_BYTES);
  }
  c->extremes = graphagile_image_extremes_create(c->memory, c->descriptors, count);
  if (c->extremes) return STATUS_OK;
  return status_error(STATUS_CODE_memory, "%" PRIu64 " descriptors do not fit into memory", count);
}

static uint64_t larger(uint64_t a, uint64_t b) {
  return a > b ? a : b;
}

/* Checks that the loop's descriptors are in the table, and finds their extremes. */
static status need_descriptors(const graphagile_image_checker *c, graphagile_image_loop *loop) {
  if (!loop)
    return status_error(STATUS_CODE_format, "%s: 'ind' outside of a loop, where there is no descriptor",
                        graphagile_insn_name(c->in.op));
  if (loop->has_extremes) return STATUS_OK;
  if (loop->desc_start > c->num_descriptors || loop->count > c->num_descriptors - loop->desc_start)
    return status_error(
        STATUS_CODE_format,
        "%s: 'ind' in a loop over descriptors %" PRIu64 " to %" PRIu64 ", the layer's table has %" PRIu64,
        graphagile_insn_name(c->in.op), loop->desc_start, loop->desc_start + loop->count - 1, c->num_descriptors);
  loop->extremes = graphagile_image_extremes_find(c->extremes, c->first_descriptor + loop->desc_start, loop->count);
  loop->has_extremes = true;
  return STATUS_OK;
}

/* ---- loads and stores ---- */

/* A MEMRD or a MEMWR. */
typedef struct transfer {
  uint64_t buffer, base, count, nfib, address, stride, step, form;
  bool is_store, inc, ind;
} transfer;

static transfer describe(const graphagile_insn *in) {
  if (in->op == GRAPHAGILE_OP_memrd) {
    const graphagile_memrd *m = &in->memrd;
    return (transfer){m->buffer, m->base, m->count, m->nfib, 4 * m->addr, m->stride,
                      m->step,   m->form, false,    m->inc,  m->ind};
  }
  const graphagile_memwr *m = &in->memwr;
  return (transfer){m->buffer, m->base, m->count, m->nfib, 4 * m->addr, m->stride, 1, m->form, true, m->inc, m->ind};
}

static bool is_edges(const transfer *t) {
  return t->buffer <= GRAPHAGILE_E1;
}

static uint64_t edge_bytes(const transfer *t) {
  return graphagile_edge_bytes(t->form);
}

/* The bytes *begin .. *end - 1 that rows or edges `first` to `last` touch in iteration
 * `iteration`. */
static void find_span(const graphagile_image_checker *c, const transfer *t, uint64_t first, uint64_t last,
                      uint64_t iteration, uint64_t *begin, uint64_t *end) {
  uint64_t row = graphagile_stride_bytes(&c->im->device.graphagile, t->buffer, t->form);
  uint64_t address = t->address + (t->inc ? row * t->step * t->stride * iteration : 0);
  uint64_t unit = is_edges(t) ? edge_bytes(t) : row;
  *begin = address + unit * first;
  *end = address + unit * last + (is_edges(t) ? 0 : row * t->stride * (t->nfib - 1));
}

static status check_span(const graphagile_image_checker *c, const transfer *t, uint64_t begin, uint64_t end) {
  image_section_kind kind = image_find_section(c->im, begin, end);
  bool is_record = is_edges(t) && t->form != GRAPHAGILE_FORM_value;
  bool fits = t->is_store ? kind == IMAGE_FEATURES
              : is_record ? kind == IMAGE_EDGES
                          : kind == IMAGE_EDGES || kind == IMAGE_WEIGHTS || kind == IMAGE_FEATURES;
  if (fits) return STATUS_OK;
  return status_error(STATUS_CODE_format, "%s: bytes 0x%" PRIx64 " to 0x%" PRIx64 " do not lie in %s",
                      graphagile_insn_name(c->in.op), begin, end,
                      t->is_store ? "'.features'"
                      : is_record ? "'.edges'"
                                  : "one of '.edges', '.weights', '.features'");
}

/* Checks that what the descriptors ask for fits the buffer. */
static status check_room(const graphagile_image_checker *c, const transfer *t, const graphagile_image_loop *loop) {
  const graphagile_device *limits = &c->im->device.graphagile;
  uint64_t most = is_edges(t) ? loop->extremes.most_edges : loop->extremes.most_rows;
  uint64_t end = t->base + most + (is_edges(t) ? 0 : (t->nfib - 1) * t->count);
  uint64_t room = (uint64_t)(is_edges(t) ? limits->edges : limits->feature_rows);
  if (end > room)
    return status_error(STATUS_CODE_format,
                        "%s: a descriptor of the loop asks for %" PRIu64 " %s, which end at %" PRIu64
                        " of a buffer of %" PRIu64,
                        graphagile_insn_name(c->in.op), most, is_edges(t) ? "edges" : "rows", end, room);
  if (is_edges(t) || t->nfib == 1 || most <= t->count) return STATUS_OK;
  return status_error(STATUS_CODE_format,
                      "%s: a descriptor of the loop asks for %" PRIu64 " rows, fibers are 'count' = %" PRIu64
                      " rows apart",
                      graphagile_insn_name(c->in.op), most, t->count);
}

/* Limits the iterations that are checked one by one: a file of a few megabytes may have loops with
 * thousands of millions of iterations. */
static status count_iterations(graphagile_image_checker *c, const graphagile_image_loop *loop) {
  enum { MOST = 1 << 24 };
  c->iterations += loop->count;
  if (c->iterations <= MOST) return STATUS_OK;
  return status_error(
      STATUS_CODE_unsupported,
      "%s: loops with 'inc' on edges or with 'ind' have more than %d iterations, which have to be looked "
      "at one by one",
      graphagile_insn_name(c->in.op), MOST);
}

/* Checks each iteration of a transfer with both a descriptor and an increment, because each has
 * another region. */
static status check_iterations(graphagile_image_checker *c, const transfer *t, const graphagile_image_loop *loop) {
  const graphagile_descriptor *d = c->descriptors + c->first_descriptor + loop->desc_start;
  RETURN_IF_ERROR(count_iterations(c, loop));
  for (uint64_t i = 0; i < loop->count; i++) {
    uint64_t first = is_edges(t) ? d[i].first_edge : d[i].src_row, begin, end;
    if (is_edges(t) && !d[i].num_edges) continue;
    find_span(c, t, first, first + (is_edges(t) ? d[i].num_edges : d[i].src_rows), i, &begin, &end);
    RETURN_IF_ERROR(check_span(c, t, begin, end));
  }
  return STATUS_OK;
}

static status check_described(graphagile_image_checker *c, const transfer *t, graphagile_image_loop *loop) {
  uint64_t begin, end;
  RETURN_IF_ERROR(need_descriptors(c, loop));
  RETURN_IF_ERROR(check_room(c, t, loop));
  if (t->inc) return check_iterations(c, t, loop);
  if (is_edges(t) && !loop->extremes.most_edges) return STATUS_OK;
  if (is_edges(t))
    find_span(c, t, loop->extremes.first_edge, loop->extremes.edges_end, 0, &begin, &end);
  else
    find_span(c, t, loop->extremes.first_row, loop->extremes.rows_end, 0, &begin, &end);
  return check_span(c, t, begin, end);
}

static status check_transfer(graphagile_image_checker *c, const transfer *t, graphagile_image_loop *loop) {
  if (t->ind) return check_described(c, t, loop);
  uint64_t last = loop ? loop->count - 1 : 0, begin, end, unused;
  find_span(c, t, 0, t->count, 0, &begin, &end);
  RETURN_IF_ERROR(check_span(c, t, begin, end));
  find_span(c, t, 0, t->count, last, &unused, &end); /* the last iteration must end in the same section */
  return check_span(c, t, begin, end);
}

/* ---- records ---- */

static status check_piece(const graphagile_image_checker *c, const transfer *t, const graphagile_descriptor *d,
                          uint64_t iteration) {
  uint64_t begin, end;
  if (!d->num_edges) return STATUS_OK;
  find_span(c, t, d->first_edge, (uint64_t)d->first_edge + d->num_edges, iteration, &begin, &end);
  return graphagile_image_records_check(c->records, begin, d->num_edges, d->src_rows, t->form);
}

/* Notes the records of each iteration, because with 'inc' each one loads from another place. */
static status check_moving_records(graphagile_image_checker *c, const transfer *t, const graphagile_image_loop *loop) {
  uint64_t begin, end, first = c->first_descriptor + loop->desc_start;
  RETURN_IF_ERROR(count_iterations(c, loop));
  for (uint64_t i = 0; i < loop->count; i++) {
    if (t->ind) {
      RETURN_IF_ERROR(check_piece(c, t, &c->descriptors[first + i], i));
      continue;
    }
    find_span(c, t, 0, t->count, i, &begin, &end);
    RETURN_IF_ERROR(graphagile_image_records_check(c->records, begin, (uint32_t)t->count,
                                                   (uint32_t)c->im->device.graphagile.feature_rows, t->form));
  }
  return STATUS_OK;
}

/* Notes the records that a load brings; those of a descriptor must stay within its rows. */
static status check_records(graphagile_image_checker *c, const transfer *t, const graphagile_image_loop *loop) {
  if (loop && t->inc) return check_moving_records(c, t, loop);
  if (t->ind) {
    graphagile_image_loads_add(c, t->address, t->form, c->first_descriptor + loop->desc_start, loop->count);
    return STATUS_OK;
  }
  uint64_t begin, end;
  find_span(c, t, 0, t->count, 0, &begin, &end);
  return graphagile_image_records_check(c->records, begin, (uint32_t)t->count,
                                        (uint32_t)c->im->device.graphagile.feature_rows, t->form);
}

/* ---- computes ---- */

/* Checks that edges whose number a descriptor says fit the Edge Buffer from `base` on. */
static status check_edges(const graphagile_image_checker *c, graphagile_image_loop *loop, uint64_t base) {
  RETURN_IF_ERROR(need_descriptors(c, loop));
  uint64_t room = (uint64_t)c->im->device.graphagile.edges;
  if (base + loop->extremes.most_edges <= room) return STATUS_OK;
  return status_error(STATUS_CODE_format,
                      "%s: a descriptor of the loop asks for %" PRIu64 " edges from %" PRIu64
                      ", an Edge Buffer has room for %" PRIu64,
                      graphagile_insn_name(c->in.op), loop->extremes.most_edges, base, room);
}

/* Checks the edges, and that the sums of a second shard do not go to the buffer of the sources. */
static status check_spdmm(const graphagile_image_checker *c, graphagile_image_loop *loop) {
  const graphagile_spdmm *in = &c->in.spdmm;
  if (!in->ind) return STATUS_OK;
  RETURN_IF_ERROR(check_edges(c, loop, 0));
  bool alternates = in->alt && !in->single && in->in < 2 && in->out2 < 2;
  if (!loop->extremes.has_second || in->edge_only || (in->out2 != in->in && !alternates)) return STATUS_OK;
  return status_error(STATUS_CODE_format,
                      "spdmm: a descriptor of the loop says second, but 'out2' is F%" PRIu64 ", as the sources are",
                      in->out2);
}

status graphagile_image_check_memory(graphagile_image_checker *c, graphagile_image_loop *loop) {
  const graphagile_insn *in = &c->in;
  switch (in->op) {
  case GRAPHAGILE_OP_memrd:
  case GRAPHAGILE_OP_memwr: {
    transfer t = describe(in);
    RETURN_IF_ERROR(check_transfer(c, &t, loop));
    bool has_records = !t.is_store && is_edges(&t) && t.form != GRAPHAGILE_FORM_value;
    return has_records ? check_records(c, &t, loop) : STATUS_OK;
  }
  case GRAPHAGILE_OP_spdmm: return check_spdmm(c, loop);
  case GRAPHAGILE_OP_sddmm: return in->sddmm.ind ? check_edges(c, loop, 0) : STATUS_OK;
  case GRAPHAGILE_OP_post: return in->post.ind ? check_edges(c, loop, in->post.base) : STATUS_OK;
  case GRAPHAGILE_OP_vadd: {
    uint64_t base = larger(larger(in->vadd.a_base, in->vadd.b_base), in->vadd.out_base);
    return in->vadd.ind ? check_edges(c, loop, base) : STATUS_OK;
  }
  default: return STATUS_OK;
  }
}
