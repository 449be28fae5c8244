/* VADD, POST and INIT: element by element over rows, or over the weights of edges. */
#include "sim/graphagile/execute_parts.h"

ALWAYS_INLINE float vector_word(float a, float b, float old, const int function) {
  switch (function) {
  case GRAPHAGILE_VECTOR_add: return a + b;
  case GRAPHAGILE_VECTOR_sub: return a - b;
  case GRAPHAGILE_VECTOR_mul: return a * b;
  case GRAPHAGILE_VECTOR_div: return a / b;
  case GRAPHAGILE_VECTOR_max: return larger(a, b);
  case GRAPHAGILE_VECTOR_min: return smaller(a, b);
  case GRAPHAGILE_VECTOR_lt: return a < b;
  case GRAPHAGILE_VECTOR_le: return a <= b;
  case GRAPHAGILE_VECTOR_gt: return a > b;
  case GRAPHAGILE_VECTOR_ge: return a >= b;
  case GRAPHAGILE_VECTOR_eq: return a == b;
  case GRAPHAGILE_VECTOR_ne: return a != b;
  case GRAPHAGILE_VECTOR_select: return old != 0 ? a : b;
  default: return old;
  }
}

/* out[i] = function(a[i], scale * b[i]); b advances by b_step (0: one word for all). */
static void vector_words(float *out, const float *a, const float *b, uint64_t b_step, float scale, uint64_t n,
                         uint64_t function) {
  switch (function) {
#define CASE(name)                                                                                                     \
  case GRAPHAGILE_VECTOR_##name:                                                                                       \
    if (b_step)                                                                                                        \
      for (uint64_t i = 0; i < n; i++) out[i] = vector_word(a[i], scale * b[i], out[i], GRAPHAGILE_VECTOR_##name);     \
    else                                                                                                               \
      for (uint64_t i = 0; i < n; i++) out[i] = vector_word(a[i], scale * *b, out[i], GRAPHAGILE_VECTOR_##name);       \
    break;
    CASE(add)
    CASE(sub)
    CASE(mul)
    CASE(div)
    CASE(max)
    CASE(min)
    CASE(lt)
    CASE(le)
    CASE(gt)
    CASE(ge)
    CASE(eq)
    CASE(ne)
    CASE(select)
#undef CASE
  default: break;
  }
}

static const char *vadd_edges(graphagile_sim_buffers *b, const graphagile_vadd *in, float scale) {
  const char *fault;
  if (in->a > 1 || in->b > 1 || in->out > 1)
    return graphagile_execute_fault(b, "vadd of an edge buffer that does not exist");
  if ((fault = graphagile_execute_check_edges(b, in->a_base, in->rows))) return fault;
  if ((fault = graphagile_execute_check_edges(b, in->b_base, in->rows))) return fault;
  if ((fault = graphagile_execute_check_edges(b, in->out_base, in->rows))) return fault;
  vector_words(b->edge_weight[in->out] + in->out_base, b->edge_weight[in->a] + in->a_base,
               b->edge_weight[in->b] + in->b_base, 1, scale, in->rows, in->function);
  return NULL;
}

const char *graphagile_execute_vadd(graphagile_sim_buffers *b, const graphagile_vadd *in) {
  uint64_t p = (uint64_t)b->device->width;
  const char *fault = graphagile_execute_check_constant(b, in->scale);
  if (fault) return fault;
  float scale = b->constants[in->scale];
  if (in->on_edges) return vadd_edges(b, in, scale);
  if ((fault = graphagile_execute_check_rows(b, "a", in->a_base, in->nfib, in->stride, in->rows))) return fault;
  if ((fault = graphagile_execute_check_rows(b, "b", in->b_base, in->bcast_b ? 1 : in->nfib, in->stride, in->rows)))
    return fault;
  if ((fault = graphagile_execute_check_rows(b, "out", in->out_base, in->nfib, in->stride, in->rows))) return fault;
  if (in->bcast_b && in->lane >= p)
    return graphagile_execute_fault(b, "lane %llu of rows of %llu words", (unsigned long long)in->lane,
                                    (unsigned long long)p);
  const float *left = b->feature[in->a] + in->a_base * p, *right = b->feature[in->b] + in->b_base * p;
  float *out = b->feature[in->out] + in->out_base * p;
  if (!in->bcast_b) {
    for (uint64_t q = 0, at = 0; q < in->nfib; q++, at += in->stride * p)
      vector_words(out + at, left + at, right + at, 1, scale, in->rows * p, in->function);
    return NULL;
  }
  for (uint64_t r = 0; r < in->rows; r++) {
    float word = right[r * p + in->lane]; /* read once: out may be b */
    for (uint64_t q = 0, at = r * p; q < in->nfib; q++, at += in->stride * p)
      vector_words(out + at, left + at, &word, 0, scale, p, in->function);
  }
  return NULL;
}

static float exponential_linear(float x, float alpha) {
  return x > 0 ? x : alpha * expm1f(x);
}
static float sigmoid(float x) {
  return 1 / (1 + expf(-x));
}
static float swish(float x) {
  return x / (1 + expf(-x));
}
static float gelu(float x) {
  return x / 2 * (1 + erff(x * 0.70710678118654752440f));
}

static void post_words(float *x, uint64_t n, uint64_t function, float c) {
  switch (function) {
#define CASE(name, value)                                                                                              \
  case GRAPHAGILE_FUNCTION_##name:                                                                                     \
    for (uint64_t i = 0; i < n; i++) x[i] = (value);                                                                   \
    break;
    CASE(relu, relu(x[i]))
    CASE(leaky_relu, leaky_relu(x[i], c))
    CASE(elu, exponential_linear(x[i], c))
    CASE(sigmoid, sigmoid(x[i]))
    CASE(swish, swish(x[i]))
    CASE(gelu, gelu(x[i]))
    CASE(tanh, tanhf(x[i]))
    CASE(exp, expf(x[i]))
    CASE(log, logf(x[i]))
    CASE(sqrt, sqrtf(x[i]))
    CASE(rsqrt, 1 / sqrtf(x[i]))
    CASE(negate, -x[i])
    CASE(reciprocal, 1 / x[i])
    CASE(abs, fabsf(x[i]))
    CASE(add_constant, x[i] + c)
    CASE(mul_constant, x[i] * c)
    CASE(settle, is_unset(x[i]) ? 0 : x[i])
#undef CASE
  default: break;
  }
}

const char *graphagile_execute_post(graphagile_sim_buffers *b, const graphagile_post *in) {
  uint64_t p = (uint64_t)b->device->width;
  const char *fault = graphagile_execute_check_constant(b, in->param);
  if (fault) return fault;
  float c = b->constants[in->param];
  if (in->buffer == GRAPHAGILE_E0 || in->buffer == GRAPHAGILE_E1) {
    if ((fault = graphagile_execute_check_edges(b, in->base, in->rows))) return fault;
    post_words(b->edge_weight[in->buffer - GRAPHAGILE_E0] + in->base, in->rows, in->function, c);
    return NULL;
  }
  if (in->buffer < GRAPHAGILE_F0 || in->buffer > GRAPHAGILE_F2)
    return graphagile_execute_fault(b, "post of a weight buffer");
  if ((fault = graphagile_execute_check_rows(b, "the buffer", in->base, in->nfib, in->stride, in->rows))) return fault;
  float *x = b->feature[in->buffer - GRAPHAGILE_F0] + in->base * p;
  for (uint64_t q = 0; q < in->nfib; q++) post_words(x + q * in->stride * p, in->rows * p, in->function, c);
  return NULL;
}

const char *graphagile_execute_init(graphagile_sim_buffers *b, const graphagile_init *in) {
  uint64_t p = (uint64_t)b->device->width;
  const uint32_t unset_bits = GRAPHAGILE_UNSET;
  float word = 0;
  const char *fault = graphagile_execute_check_rows(b, "the buffer", in->base, in->nfib, in->stride, in->rows);
  if (!fault && in->fill == GRAPHAGILE_FILL_row) fault = graphagile_execute_check_weights(b, in->w_base, in->nfib);
  if (!fault && in->fill == GRAPHAGILE_FILL_constant) fault = graphagile_execute_check_constant(b, in->param);
  if (fault) return fault;
  if (in->fill == GRAPHAGILE_FILL_unset) memcpy(&word, &unset_bits, sizeof word);
  if (in->fill == GRAPHAGILE_FILL_constant) word = b->constants[in->param];
  for (uint64_t q = 0; q < in->nfib; q++) {
    float *to = b->feature[in->buffer] + (in->base + q * in->stride) * p;
    if (in->fill == GRAPHAGILE_FILL_row)
      for (uint64_t r = 0; r < in->rows; r++)
        memcpy(to + r * p, b->weight[in->w] + (in->w_base + q) * p, p * sizeof *to);
    else
      for (uint64_t i = 0; i < in->rows * p; i++) to[i] = word;
  }
  return NULL;
}
