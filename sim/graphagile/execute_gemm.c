/* GEMM: rows of H times a block of W, fp32, products added in the order of k.
 *
 *   out[o / p][r][o % p] (+)= sum over k < len of in[k / p][r][k % p] * W[k][o]
 *
 * With `skip`, a product with a 0 of W is 0, also for infinity and NaN. Vectors run over the
 * columns o of one fiber, so no sum is reassociated; two rows share each loaded row of W. */
#include "sim/graphagile/execute_parts.h"

/* Where a pair of rows begins. Strides are words from fiber to fiber. */
typedef struct operands {
  const float *in, *weight;
  float *out;
  uint64_t len, in_stride, weight_stride;
  bool adds, skips;
} operands;

/* The product of each column; 0 where it is skipped. */
ALWAYS_INLINE float4 product(float4 x, float4 weights, const bool skips) {
  const float4 zero = {0, 0, 0, 0};
  float4 made = x * weights;
  return skips ? (float4)((int4)made & (weights != zero)) : made;
}

/* Computes `rows` (1 or 2) rows of one fiber of the result. p, rows and skips are constants where
 * this function is inlined. */
ALWAYS_INLINE void multiply_rows(const operands *o, const int rows, const int p, const bool skips) {
  float4 sum[2][4];
  for (int r = 0; r < rows; r++)
    for (int v = 0; v < p / 4; v++) sum[r][v] = o->adds ? load4(o->out + r * p + 4 * v) : (float4){0, 0, 0, 0};
  const float *weight = o->weight;
  for (uint64_t first = 0; first < o->len; first += (uint64_t)p) {
    const float *in = o->in + first / (uint64_t)p * o->in_stride;
    int terms = o->len - first < (uint64_t)p ? (int)(o->len - first) : p;
    for (int k = 0; k < terms; k++, weight += o->weight_stride) {
      for (int r = 0; r < rows; r++) {
        float x = in[r * p + k];
        float4 factor = {x, x, x, x};
        for (int v = 0; v < p / 4; v++) sum[r][v] += product(factor, load4(weight + 4 * v), skips);
      }
    }
  }
  for (int r = 0; r < rows; r++)
    for (int v = 0; v < p / 4; v++) store4(o->out + r * p + 4 * v, sum[r][v]);
}

ALWAYS_INLINE void multiply_all(const operands *block, uint64_t rows, uint64_t gfib, uint64_t out_stride, const int p,
                                const bool skips) {
  for (uint64_t q = 0; q < gfib; q++) {
    operands o = *block;
    o.weight += q * (uint64_t)p;
    o.out += q * out_stride;
    uint64_t r = 0;
    for (; r + 2 <= rows; r += 2, o.in += 2 * p, o.out += 2 * p) multiply_rows(&o, 2, p, skips);
    if (r < rows) multiply_rows(&o, 1, p, skips);
  }
}

ALWAYS_INLINE void multiply(const operands *block, uint64_t rows, uint64_t gfib, uint64_t out_stride, const int p) {
  if (block->skips)
    multiply_all(block, rows, gfib, out_stride, p, true);
  else
    multiply_all(block, rows, gfib, out_stride, p, false);
}

/* The same for devices of other widths. */
static void multiply_any(const operands *o, uint64_t rows, uint64_t gfib, uint64_t out_stride, uint64_t p) {
  for (uint64_t q = 0; q < gfib; q++)
    for (uint64_t r = 0; r < rows; r++)
      for (uint64_t c = 0; c < p; c++) {
        float *out = o->out + q * out_stride + r * p + c, sum = o->adds ? *out : 0;
        for (uint64_t k = 0; k < o->len; k++) {
          float weight = o->weight[k * o->weight_stride + q * p + c];
          sum += o->skips && weight == 0 ? 0 : o->in[k / p * o->in_stride + r * p + k % p] * weight;
        }
        *out = sum;
      }
}

const char *graphagile_execute_gemm(graphagile_sim_buffers *b, const graphagile_gemm *in) {
  uint64_t p = (uint64_t)b->device->width;
  const char *fault =
      graphagile_execute_check_rows(b, "in", in->in_base, (in->len + p - 1) / p, in->in_stride, in->rows);
  if (!fault) fault = graphagile_execute_check_rows(b, "out", in->out_base, in->gfib, in->out_stride, in->rows);
  if (!fault) fault = graphagile_execute_check_weights(b, in->w_base, in->len * in->gfib);
  if (fault) return fault;
  operands o = {.in = b->feature[in->in] + in->in_base * p,
                .weight = b->weight[in->w] + in->w_base * p,
                .out = b->feature[in->out] + in->out_base * p,
                .len = in->len,
                .in_stride = in->in_stride * p,
                .weight_stride = in->gfib * p,
                .adds = in->acc,
                .skips = in->skip};
  switch (p) {
  case 4: multiply(&o, in->rows, in->gfib, in->out_stride * p, 4); break;
  case 8: multiply(&o, in->rows, in->gfib, in->out_stride * p, 8); break;
  case 16: multiply(&o, in->rows, in->gfib, in->out_stride * p, 16); break;
  default: multiply_any(&o, in->rows, in->gfib, in->out_stride * p, p);
  }
  return NULL;
}
