/* What a device refuses in any state of its buffers: a region beyond the end of a buffer, a buffer
 * of the wrong class, an extension that the device does not have. */
#include "isa/graphagile/graphagile.h"

typedef struct check {
  const graphagile_insn *in;
  const graphagile_device *device;
  status failure;
} check;

static status fail(const check *c, const char *field, uint64_t value, const char *expected, uint64_t limit) {
  return status_error(STATUS_CODE_mismatch, "%s: '%s' is %llu, %s %llu", graphagile_insn_name(c->in->op), field,
                      (unsigned long long)value, expected, (unsigned long long)limit);
}

/* Checks that `fibers` fibers of `rows` rows, `stride` rows apart, from row `first` on, lie in a
 * Feature Buffer. */
static void features(check *c, const char *field, uint64_t first, uint64_t fibers, uint64_t stride, uint64_t rows) {
  uint64_t end = first + (fibers - 1) * stride + rows, limit = (uint64_t)c->device->feature_rows;
  if (c->failure || end <= limit) return;
  c->failure = status_error(STATUS_CODE_mismatch,
                            "%s: the rows from '%s' = %llu end at %llu (%llu fibers %llu apart, %llu rows each), but a "
                            "Feature Buffer has feature_rows = %llu",
                            graphagile_insn_name(c->in->op), field, (unsigned long long)first, (unsigned long long)end,
                            (unsigned long long)fibers, (unsigned long long)stride, (unsigned long long)rows,
                            (unsigned long long)limit);
}

static void at_most(check *c, const char *field, uint64_t value, const char *expected, uint64_t limit) {
  if (!c->failure && value > limit) c->failure = fail(c, field, value, expected, limit);
}

static void at_least(check *c, const char *field, uint64_t value, const char *expected, uint64_t limit) {
  if (!c->failure && value < limit) c->failure = fail(c, field, value, expected, limit);
}

static void is_zero(check *c, const char *field, uint64_t value, const char *reason) {
  if (!c->failure && value)
    c->failure =
        status_error(STATUS_CODE_mismatch, "%s: '%s' is set, but %s", graphagile_insn_name(c->in->op), field, reason);
}

/* Checks that `count` elements from `first` on lie in a buffer of `limit` elements. */
static void inside(check *c, const char *field, uint64_t first, uint64_t count, const char *buffer, uint64_t limit) {
  uint64_t end = first + count;
  if (c->failure || end <= limit) return;
  c->failure = status_error(STATUS_CODE_mismatch, "%s: '%s' = %llu and %llu from there on end at %llu, but %s = %llu",
                            graphagile_insn_name(c->in->op), field, (unsigned long long)first,
                            (unsigned long long)count, (unsigned long long)end, buffer, (unsigned long long)limit);
}

static void edges(check *c, const char *field, uint64_t first, uint64_t count) {
  inside(c, field, first, count, "an Edge Buffer has edges", (uint64_t)c->device->edges);
}

static void weights(check *c, const char *field, uint64_t first, uint64_t rows) {
  inside(c, field, first, rows, "a Weight Buffer has weight_rows", (uint64_t)c->device->weight_rows);
}

/* Checks that the fibers to which a result is written do not overlap. */
static void apart(check *c, const char *field, uint64_t stride, uint64_t fibers, uint64_t rows) {
  if (fibers > 1) at_least(c, field, stride, "fibers of the result overlap, expected at least", rows);
}

static void lanes(check *c, uint64_t value) {
  at_least(c, "lanes", value, "expected a bit per column that takes part, at least", 1);
  at_most(c, "lanes", value, "the device has columns for",
          (UINT64_C(1) << (c->device->width < 16 ? c->device->width : 16)) - 1);
}

static void memory_address(check *c, uint64_t words, uint64_t rows, uint64_t form) {
  uint64_t begin = 4 * words, end = begin + rows * graphagile_row_bytes(c->device, form),
           limit = (uint64_t)c->device->ddr_bytes;
  if (c->failure || end <= limit) return;
  c->failure = status_error(
      STATUS_CODE_mismatch, "%s: 'addr' = 0x%llx ends at 0x%llx, but the device has ddr_bytes = %llu",
      graphagile_insn_name(c->in->op), (unsigned long long)begin, (unsigned long long)end, (unsigned long long)limit);
}

/* Checks the form of features in DDR. */
static void features_form(check *c, uint64_t form) {
  if (form == GRAPHAGILE_FORM_packed) is_zero(c, "form", form, "features have no form but half and value");
  if (form == GRAPHAGILE_FORM_half && !c->device->has_half_rows)
    is_zero(c, "form", 1, "the device has no rows of fp16 (has_half_rows = false)");
  if (form == GRAPHAGILE_FORM_value && !c->device->has_compact_columns)
    is_zero(c, "form", 1, "the device has no rows of one number (has_compact_columns = false)");
}

static void memrd(check *c, const graphagile_memrd *i) {
  if (i->bcast && !c->device->has_broadcast)
    is_zero(c, "bcast", 1, "the device does not broadcast (has_broadcast = false)");
  if (!i->bcast) is_zero(c, "share", i->share, "the load has no bcast");
  switch (i->buffer) {
  case GRAPHAGILE_E0:
  case GRAPHAGILE_E1:
    at_most(c, "nfib", i->nfib, "edges have", 1);
    if (i->form == GRAPHAGILE_FORM_half && !c->device->has_half_rows)
      is_zero(c, "form", 1, "the device has no edges of 8 bytes (has_half_rows = false)");
    if (i->form == GRAPHAGILE_FORM_packed && !c->device->has_packed_edges)
      is_zero(c, "form", 1, "the device has no packed edges (has_packed_edges = false)");
    if (!i->ind) edges(c, "base", i->base, i->count);
    return;
  case GRAPHAGILE_W0:
  case GRAPHAGILE_W1:
    at_most(c, "nfib", i->nfib, "weights have", 1);
    is_zero(c, "form", i->form, "weights have no form");
    is_zero(c, "ind", i->ind, "descriptors say nothing of weights");
    weights(c, "base", i->base, i->count);
    memory_address(c, i->addr, i->count, i->form);
    return;
  default:
    features_form(c, i->form);
    features(c, "base", i->base, i->nfib, i->count, i->ind ? 1 : i->count);
    if (!i->ind) memory_address(c, i->addr, (i->nfib - 1) * i->stride + i->count, i->form);
  }
}

static void memwr(check *c, const graphagile_memwr *i) {
  at_most(c, "act", i->act, "a store knows none, relu and leaky_relu, up to", GRAPHAGILE_FUNCTION_leaky_relu);
  switch (i->buffer) {
  case GRAPHAGILE_E0:
  case GRAPHAGILE_E1:
    at_most(c, "nfib", i->nfib, "edges have", 1);
    if (!c->failure && i->form != GRAPHAGILE_FORM_value)
      c->failure = status_error(STATUS_CODE_mismatch,
                                "memwr: 'form' is %s, but only the weights of edges are stored "
                                "(form=value)",
                                graphagile_value_name(GRAPHAGILE_VALUES_FORM, i->form));
    if (!i->ind) edges(c, "base", i->base, i->count);
    return;
  case GRAPHAGILE_W0:
  case GRAPHAGILE_W1: is_zero(c, "buffer", 1, "Weight Buffers are not stored"); return;
  default:
    features_form(c, i->form);
    features(c, "base", i->base, i->nfib, i->count, i->ind ? 1 : i->count);
    if (!i->ind) memory_address(c, i->addr, (i->nfib - 1) * i->stride + i->count, i->form);
  }
}

/* Checks that the result goes to another buffer than the operand, which is read until the end. An
 * alternating operand is in F0 and F1 in turns. */
static void other_buffer(check *c, uint64_t in, uint64_t out, bool alternates) {
  if (c->failure || (in != out && !(alternates && in < 2 && out < 2))) return;
  c->failure =
      status_error(STATUS_CODE_mismatch, "%s: 'out' is F%llu, expected another buffer than 'in', which is F%llu%s",
                   graphagile_insn_name(c->in->op), (unsigned long long)out, (unsigned long long)in,
                   alternates && in < 2 ? " and alternates" : "");
}

static void gemm(check *c, const graphagile_gemm *i) {
  uint64_t width = (uint64_t)c->device->width;
  other_buffer(c, i->in, i->out, i->alt);
  features(c, "in_base", i->in_base, (i->len + width - 1) / width, i->in_stride, i->rows);
  features(c, "out_base", i->out_base, i->gfib, i->out_stride, i->rows);
  apart(c, "out_stride", i->out_stride, i->gfib, i->rows);
  weights(c, "w_base", i->w_base, i->len * i->gfib);
}

static void spdmm(check *c, const graphagile_spdmm *i) {
  if (!i->ind) at_most(c, "num_edges", i->num_edges, "an Edge Buffer has", (uint64_t)c->device->edges);
  if (!i->edge_only) other_buffer(c, i->in, i->out, i->alt && !i->single);
  if (!i->edge_only) features(c, "in_base", i->in_base, i->nfib, i->in_stride, 1);
  features(c, "out_base", i->out_base, i->nfib, i->out_stride, 1);
  lanes(c, i->lanes);
}

static void sddmm(check *c, const graphagile_sddmm *i) {
  if (!i->ind) at_most(c, "num_edges", i->num_edges, "an Edge Buffer has", (uint64_t)c->device->edges);
  if (i->inner != GRAPHAGILE_INNER_dst) features(c, "src_base", i->src_base, i->nfib, i->src_stride, 1);
  if (i->inner != GRAPHAGILE_INNER_src) features(c, "dst_base", i->dst_base, i->nfib, i->dst_stride, 1);
  if (i->pair) at_most(c, "dst", i->dst, "with pair there is a Feature Buffer behind 0 and", 1);
  lanes(c, i->lanes);
}

static void vadd(check *c, const graphagile_vadd *i) {
  at_most(c, "lane", i->lane, "the device has columns up to", (uint64_t)c->device->width - 1);
  if (i->on_edges) {
    at_most(c, "a", i->a, "there are Edge Buffers 0 and", 1);
    at_most(c, "b", i->b, "there are Edge Buffers 0 and", 1);
    at_most(c, "out", i->out, "there are Edge Buffers 0 and", 1);
    at_most(c, "nfib", i->nfib, "edges have", 1);
    is_zero(c, "bcast_b", i->bcast_b, "an edge has one word");
    if (i->ind) return;
    edges(c, "a_base", i->a_base, i->rows);
    edges(c, "b_base", i->b_base, i->rows);
    edges(c, "out_base", i->out_base, i->rows);
    return;
  }
  is_zero(c, "ind", i->ind, "features have no descriptor here");
  features(c, "a_base", i->a_base, i->nfib, i->stride, i->rows);
  features(c, "b_base", i->b_base, i->bcast_b ? 1 : i->nfib, i->stride, i->rows);
  features(c, "out_base", i->out_base, i->nfib, i->stride, i->rows);
  apart(c, "stride", i->stride, i->nfib, i->rows);
}

static void post(check *c, const graphagile_post *i) {
  switch (i->buffer) {
  case GRAPHAGILE_E0:
  case GRAPHAGILE_E1:
    at_most(c, "nfib", i->nfib, "edges have", 1);
    if (!i->ind) edges(c, "base", i->base, i->rows);
    return;
  case GRAPHAGILE_W0:
  case GRAPHAGILE_W1: is_zero(c, "buffer", 1, "it changes features and edges, not weights"); return;
  default:
    is_zero(c, "ind", i->ind, "features have no descriptor here");
    features(c, "base", i->base, i->nfib, i->stride, i->rows);
    apart(c, "stride", i->stride, i->nfib, i->rows);
  }
}

static void init(check *c, const graphagile_init *i) {
  features(c, "base", i->base, i->nfib, i->stride, i->rows);
  apart(c, "stride", i->stride, i->nfib, i->rows);
  if (i->fill == GRAPHAGILE_FILL_row) weights(c, "w_base", i->w_base, i->nfib);
}

status graphagile_check(const graphagile_insn *in, const graphagile_device *d) {
  check c = {in, d, STATUS_OK};
  switch (in->op) {
  case GRAPHAGILE_OP_memrd: memrd(&c, &in->memrd); break;
  case GRAPHAGILE_OP_memwr: memwr(&c, &in->memwr); break;
  case GRAPHAGILE_OP_gemm: gemm(&c, &in->gemm); break;
  case GRAPHAGILE_OP_spdmm: spdmm(&c, &in->spdmm); break;
  case GRAPHAGILE_OP_sddmm: sddmm(&c, &in->sddmm); break;
  case GRAPHAGILE_OP_vadd: vadd(&c, &in->vadd); break;
  case GRAPHAGILE_OP_post: post(&c, &in->post); break;
  case GRAPHAGILE_OP_init: init(&c, &in->init); break;
  case GRAPHAGILE_OP_loop: at_least(&c, "body_len", in->loop.body_len, "expected at least", 1); break;
  case GRAPHAGILE_OP_nop:
  case GRAPHAGILE_OP_csi:
  case GRAPHAGILE_OP_halt: break;
  }
  return c.failure;
}
