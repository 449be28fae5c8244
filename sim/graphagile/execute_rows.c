/* VADD, POST and INIT: element-wise computations over rows, or over the weights of edges. */
#include "sim/graphagile/execute_parts.h"

#include "support/unreachable.h"

/* The number of values of some kinds. */
enum {
#define VALUES(kind, class, unit, count, doc) COUNT_##kind = (count),
#include "isa/graphagile/graphagile.def"
};

/* The functions of the machine that are rows of support/elementwise.def; the compiler checks the
 * names. */
#define FUNCTIONS(DO)                                                                                                  \
  DO(relu)                                                                                                             \
  DO(leaky_relu)                                                                                                       \
  DO(elu)                                                                                                              \
  DO(sigmoid)                                                                                                          \
  DO(swish)                                                                                                            \
  DO(gelu)                                                                                                             \
  DO(tanh)                                                                                                             \
  DO(exp)                                                                                                              \
  DO(log)                                                                                                              \
  DO(sqrt)                                                                                                             \
  DO(rsqrt)                                                                                                            \
  DO(negate)                                                                                                           \
  DO(reciprocal)                                                                                                       \
  DO(abs)                                                                                                              \
  DO(add_constant)                                                                                                     \
  DO(mul_constant)
#define VECTORS(DO) DO(add) DO(sub) DO(mul) DO(div) DO(max) DO(min) DO(lt) DO(le) DO(gt) DO(ge) DO(eq) DO(ne)
#define ONE(name) +1
_Static_assert(FUNCTIONS(ONE) == COUNT_FUNCTION - 2, "all functions of a word but none and settle");
_Static_assert(VECTORS(ONE) == COUNT_VECTOR - 1, "all functions of two words but select");

/* out[i] = function(a[i], scale * b[i]); b advances by b_step (0: one word for all i). */
static void vector_words(float *out, const float *a, const float *b, uint64_t b_step, float scale, uint64_t n,
                         uint64_t function) {
  switch (function) {
#define CASE(name, value)                                                                                              \
  case GRAPHAGILE_VECTOR_##name:                                                                                       \
    if (b_step)                                                                                                        \
      for (uint64_t i = 0; i < n; i++) {                                                                               \
        const float other = scale * b[i];                                                                              \
        out[i] = (value);                                                                                              \
      }                                                                                                                \
    else                                                                                                               \
      for (uint64_t i = 0; i < n; i++) {                                                                               \
        const float other = scale * *b;                                                                                \
        out[i] = (value);                                                                                              \
      }                                                                                                                \
    break;
#define CASE_OF_ROW(name) CASE(name, binary_##name(a[i], other))
    VECTORS(CASE_OF_ROW)
    CASE(select, out[i] != 0 ? a[i] : other)
#undef CASE
  default: UNREACHABLE("a decoded instruction has a function that the machine does not have");
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
    float word = right[r * p + in->lane]; /* read before the loop, because out may be b */
    for (uint64_t q = 0, at = r * p; q < in->nfib; q++, at += in->stride * p)
      vector_words(out + at, left + at, &word, 0, scale, p, in->function);
  }
  return NULL;
}

static void post_words(float *x, uint64_t n, uint64_t function, float c) {
  switch (function) {
#define CASE(name, value)                                                                                              \
  case GRAPHAGILE_FUNCTION_##name:                                                                                     \
    for (uint64_t i = 0; i < n; i++) x[i] = (value);                                                                   \
    break;
#define CASE_OF_FUNCTION(name) CASE(name, unary_##name(x[i], c, 0))
    FUNCTIONS(CASE_OF_FUNCTION)
    CASE(settle, is_unset(x[i]) ? 0 : x[i])
#undef CASE
  case GRAPHAGILE_FUNCTION_none: break;
  default: UNREACHABLE("a decoded instruction has a function that the machine does not have");
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
