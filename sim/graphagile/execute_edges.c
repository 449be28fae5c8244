/* SpDMM and SDDMM: computations along edges. All ends of edges are checked before anything is
 * changed; then edges are processed in order, fiber by fiber.
 *
 *   SpDMM   out[q][dst][c] = reduce(out[q][dst][c], in[q][src][c] * weight)
 *   SDDMM   weight = act(combine(weight, sum over q, c of inner(src[q][source][c], dst[q][destination][c]))), the columns of a fiber in a tree, fibers in order */
#include "sim/graphagile/execute_parts.h"

enum { MAX_WIDTH = 64 };

/* One fiber of an SpDMM. in_step is 0 where one row is used for all sources. */
typedef struct aggregation {
  const float *in;
  float *out;
  const uint32_t *src, *dst;
  const float *weight;
  uint64_t edges, in_step;
  const int32_t *takes_part;
} aggregation;

/* `a` where the mask is set, b elsewhere. */
ALWAYS_INLINE float4 choose(int4 mask, float4 a, float4 b) {
  return (float4)((mask & (int4)a) | (~mask & (int4)b));
}

ALWAYS_INLINE int4 are_unset(float4 v) {
  return (int4)v == (int4){GRAPHAGILE_UNSET, GRAPHAGILE_UNSET, GRAPHAGILE_UNSET, GRAPHAGILE_UNSET};
}

/* Reduces v into old; an unset word becomes v. A NaN that looks like the unset word is replaced by
 * another NaN. */
ALWAYS_INLINE float4 reduce_words(float4 old, float4 v, const int reduce) {
  if (reduce == GRAPHAGILE_REDUCE_sum) return old + v;
  float4 found = choose(are_unset(v), (float4){NAN, NAN, NAN, NAN}, v);
  int4 stays = (reduce == GRAPHAGILE_REDUCE_max ? old > found : old < found) | (old != old);
  return choose(stays & ~are_unset(old), old, found);
}

ALWAYS_INLINE void aggregate(const aggregation *a, const int p, const int reduce, const bool is_weighted,
                             const bool is_masked) {
  for (uint64_t e = 0; e < a->edges; e++) {
    const float *in = a->in + a->src[e] * a->in_step, weight = is_weighted ? a->weight[e] : 1;
    const float4 weights = {weight, weight, weight, weight};
    float *out = a->out + a->dst[e] * (uint64_t)p;
    for (int c = 0; c < p; c += 4) {
      float4 v = load4(in + c), old = load4(out + c);
      float4 reduced = reduce_words(old, is_weighted ? v * weights : v, reduce);
      store4(out + c, is_masked ? choose(load_mask(a->takes_part + c), reduced, old) : reduced);
    }
  }
}

ALWAYS_INLINE void aggregate_weighted(const aggregation *a, const int p, const int reduce, bool is_weighted,
                                      bool is_masked) {
  if (is_masked && is_weighted)
    aggregate(a, p, reduce, true, true);
  else if (is_masked)
    aggregate(a, p, reduce, false, true);
  else if (is_weighted)
    aggregate(a, p, reduce, true, false);
  else
    aggregate(a, p, reduce, false, false);
}

ALWAYS_INLINE void aggregate_width(const aggregation *a, const int p, uint64_t reduce, bool is_weighted,
                                   bool is_masked) {
  if (reduce == GRAPHAGILE_REDUCE_sum)
    aggregate_weighted(a, p, GRAPHAGILE_REDUCE_sum, is_weighted, is_masked);
  else if (reduce == GRAPHAGILE_REDUCE_max)
    aggregate_weighted(a, p, GRAPHAGILE_REDUCE_max, is_weighted, is_masked);
  else
    aggregate_weighted(a, p, GRAPHAGILE_REDUCE_min, is_weighted, is_masked);
}

/* Reads a mask of columns of a fiber; false if some columns do not take part. */
static bool read_lanes(uint64_t lanes, uint64_t p, int32_t takes_part[MAX_WIDTH]) {
  bool is_full = true;
  for (uint64_t c = 0; c < p; c++) {
    takes_part[c] = lanes >> c & 1 ? -1 : 0;
    is_full &= takes_part[c] != 0;
  }
  return is_full;
}

const char *graphagile_execute_spdmm(graphagile_sim_buffers *b, const graphagile_spdmm *in) {
  static const float ones[MAX_WIDTH] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
                                        1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
                                        1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
  uint64_t p = (uint64_t)b->device->width;
  int32_t takes_part[MAX_WIDTH];
  const uint32_t *src = b->edge_src[in->e], *dst = b->edge_dst[in->e];
  if (p > MAX_WIDTH || p % 4) return graphagile_execute_fault(b, "rows of %llu words", (unsigned long long)p);
  const char *fault = graphagile_execute_check_edges(b, 0, in->num_edges);
  if (!fault)
    fault = graphagile_execute_check_ends(b, "out", dst, in->num_edges, in->out_base, in->nfib, in->out_stride);
  if (!fault && !in->edge_only)
    fault = graphagile_execute_check_ends(b, "in", src, in->num_edges, in->in_base, in->nfib, in->in_stride);
  if (fault) return fault;
  bool is_masked = !read_lanes(in->lanes, p, takes_part);
  for (uint64_t q = 0; q < in->nfib; q++) {
    aggregation a = {.in = in->edge_only ? ones : b->feature[in->in] + (in->in_base + q * in->in_stride) * p,
                     .out = b->feature[in->out] + (in->out_base + q * in->out_stride) * p,
                     .src = src,
                     .dst = dst,
                     .weight = b->edge_weight[in->e],
                     .edges = in->num_edges,
                     .in_step = in->edge_only ? 0 : p,
                     .takes_part = takes_part};
    switch (p) {
    case 4: aggregate_width(&a, 4, in->reduce, in->weighted, is_masked); break;
    case 8: aggregate_width(&a, 8, in->reduce, in->weighted, is_masked); break;
    case 16: aggregate_width(&a, 16, in->reduce, in->weighted, is_masked); break;
    default: aggregate_width(&a, (int)p, in->reduce, in->weighted, is_masked);
    }
  }
  return NULL;
}

ALWAYS_INLINE float4 inner_words(const float *src, const float *dst, const int32_t *takes_part, uint64_t inner) {
  const float4 zero = {0, 0, 0, 0};
  float4 term = inner == GRAPHAGILE_INNER_dot   ? load4(src) * load4(dst)
                : inner == GRAPHAGILE_INNER_add ? load4(src) + load4(dst)
                : inner == GRAPHAGILE_INNER_src ? load4(src)
                                                : load4(dst);
  return choose(load_mask(takes_part), term, zero);
}

/* The sum over the columns of one fiber, in the order of the adder tree: the upper half is added to
 * the lower half again and again. */
ALWAYS_INLINE float inner_fiber(const float *src, const float *dst, const int32_t *takes_part, uint64_t inner,
                                const int p) {
  float4 terms[MAX_WIDTH / 4];
  for (int v = 0; v < p / 4; v++) terms[v] = inner_words(src + 4 * v, dst + 4 * v, takes_part + 4 * v, inner);
  for (int half = p / 8; half > 0; half /= 2)
    for (int v = 0; v < half; v++) terms[v] += terms[v + half];
  return terms[0][0] + terms[0][2] + (terms[0][1] + terms[0][3]);
}

static float combine_values(float w, float r, uint64_t combine) {
  switch (combine) {
  case GRAPHAGILE_COMBINE_add: return binary_add(w, r);
  case GRAPHAGILE_COMBINE_sub: return binary_sub(w, r);
  case GRAPHAGILE_COMBINE_mul: return binary_mul(w, r);
  case GRAPHAGILE_COMBINE_div: return binary_div(w, r);
  case GRAPHAGILE_COMBINE_max: return binary_max(w, r);
  case GRAPHAGILE_COMBINE_min: return binary_min(w, r);
  default: return r;
  }
}

ALWAYS_INLINE float act_on(float x, uint64_t act, float slope) {
  switch (act) {
  case GRAPHAGILE_ACT_relu: return unary_relu(x, 0, 0);
  case GRAPHAGILE_ACT_leaky_relu: return unary_leaky_relu(x, slope, 0);
  case GRAPHAGILE_ACT_exp: return unary_exp(x, 0, 0);
  default: return x;
  }
}

ALWAYS_INLINE void inner_edges(graphagile_sim_buffers *b, const graphagile_sddmm *in, const int32_t *takes_part,
                               uint64_t inner, const int p) {
  const uint64_t words = (uint64_t)p;
  const float *src_rows = b->feature[in->src] + in->src_base * words;
  const float *dst_rows = b->feature[in->dst] + in->dst_base * words;
  const uint32_t *src = b->edge_src[in->e], *dst = b->edge_dst[in->e];
  float *weight = b->edge_weight[in->e];
  bool reads_src = inner != GRAPHAGILE_INNER_dst, reads_dst = inner != GRAPHAGILE_INNER_src;
  for (uint64_t e = 0; e < in->num_edges; e++) {
    const float *s = src_rows + (reads_src ? src[e] : 0) * words, *d = dst_rows + (reads_dst ? dst[e] : 0) * words;
    float sum = inner_fiber(s, d, takes_part, inner, p);
    for (uint64_t q = 1; q < in->nfib; q++) {
      s += reads_src ? in->src_stride * words : 0;
      d += reads_dst ? in->dst_stride * words : 0;
      sum += inner_fiber(s, d, takes_part, inner, p);
    }
    weight[e] = act_on(combine_values(weight[e], sum, in->combine), in->act, b->constants[in->param]);
  }
}

ALWAYS_INLINE void inner_width(graphagile_sim_buffers *b, const graphagile_sddmm *in, const int32_t *takes_part,
                               const int p) {
  switch (in->inner) {
  case GRAPHAGILE_INNER_dot: inner_edges(b, in, takes_part, GRAPHAGILE_INNER_dot, p); break;
  case GRAPHAGILE_INNER_add: inner_edges(b, in, takes_part, GRAPHAGILE_INNER_add, p); break;
  case GRAPHAGILE_INNER_src: inner_edges(b, in, takes_part, GRAPHAGILE_INNER_src, p); break;
  default: inner_edges(b, in, takes_part, GRAPHAGILE_INNER_dst, p);
  }
}

const char *graphagile_execute_sddmm(graphagile_sim_buffers *b, const graphagile_sddmm *in) {
  uint64_t p = (uint64_t)b->device->width;
  int32_t takes_part[MAX_WIDTH];
  if (p > MAX_WIDTH || p < 4 || (p & (p - 1)))
    return graphagile_execute_fault(b, "rows of %llu words", (unsigned long long)p);
  const char *fault = graphagile_execute_check_edges(b, 0, in->num_edges);
  if (!fault) fault = graphagile_execute_check_constant(b, in->param);
  if (!fault && in->inner != GRAPHAGILE_INNER_dst)
    fault = graphagile_execute_check_ends(b, "src", b->edge_src[in->e], in->num_edges, in->src_base, in->nfib,
                                          in->src_stride);
  if (!fault && in->inner != GRAPHAGILE_INNER_src)
    fault = graphagile_execute_check_ends(b, "dst", b->edge_dst[in->e], in->num_edges, in->dst_base, in->nfib,
                                          in->dst_stride);
  if (fault) return fault;
  read_lanes(in->lanes, p, takes_part);
  switch (p) {
  case 4: inner_width(b, in, takes_part, 4); break;
  case 8: inner_width(b, in, takes_part, 8); break;
  case 16: inner_width(b, in, takes_part, 16); break;
  default: inner_width(b, in, takes_part, (int)p);
  }
  return NULL;
}
