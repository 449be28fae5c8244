/* Sampled products of rows: see sddmm.h. */
#include "kernels/sddmm.h"

#include "kernels/elementwise.h"
#include "kernels/gemm.h"

static float sum(int64_t count, const float *x) {
  float total = 0;
  for (int64_t i = 0; i < count; i++) total += x[i];
  return total;
}

static float sum_both(int64_t count, const float *a, const float *b) {
  float total = 0;
  for (int64_t i = 0; i < count; i++) total += a[i] + b[i];
  return total;
}

void kernel_sddmm_run(const kernel_sddmm *s, float *out) {
  int64_t columns = s->heads ? s->width / s->heads : 0;
  for (int64_t e = 0; e < s->edges; e++) {
    const float *src = s->src_rows ? s->src_rows + s->src[e] * s->width : NULL;
    const float *dst = s->dst_rows ? s->dst_rows + s->dst[e] * s->width : NULL;
    for (int64_t h = 0, at = 0; h < s->heads; h++, at += columns) {
      float r = s->inner == KERNEL_INNER_dot   ? kernel_dot(columns, src + at, dst + at)
                : s->inner == KERNEL_INNER_add ? sum_both(columns, src + at, dst + at)
                : s->inner == KERNEL_INNER_src ? sum(columns, src + at)
                                               : sum(columns, dst + at);
      float *to = &out[e * s->heads + h];
      if (s->combine == BINARY_none)
        *to = r;
      else
        kernel_binary(s->combine, 1, &s->values[e * s->heads + h], &r, to);
    }
  }
}
