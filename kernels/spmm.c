/* Sums, maxima and minima over edges: see spmm.h. */
#include "kernels/spmm.h"

#include "support/elementwise_f32.h"
#include "support/unreachable.h"

#include <math.h>
#include <string.h>

kernel_reduction kernel_reduction_of(const char *name) {
  static const char *const names[] = {"sum", "mean", "max", "min"};
  for (int i = 0; i < 4; i++)
    if (!strcmp(names[i], name)) return (kernel_reduction)i;
  UNREACHABLE("there is no such reduction");
}

static float identity_of(kernel_reduction r) {
  return r == KERNEL_MAX ? -INFINITY : r == KERNEL_MIN ? INFINITY : 0;
}

static void reduce_entry(const kernel_spmm *s, int64_t i, float *to) {
  int64_t inner = s->weight ? s->width / s->weight_width : 1;
  const float *from = s->value + (s->from ? s->from[i] : i) * s->width;
  const float *weight = s->weight ? s->weight + i * s->weight_width : NULL;
  for (int64_t k = 0; k < s->width; k++) {
    float v = weight ? weight[k / inner] * from[k] : from[k];
    if (s->reduction == KERNEL_MAX)
      to[k] = binary_max(to[k], v);
    else if (s->reduction == KERNEL_MIN)
      to[k] = binary_min(to[k], v);
    else
      to[k] += v;
  }
}

void kernel_spmm_run(const kernel_spmm *s, int32_t *counts, float *out) {
  float start = identity_of(s->reduction);
  memset(counts, 0, (size_t)s->rows * sizeof *counts);
  for (int64_t i = 0; i < s->rows * s->width; i++) out[i] = start;
  for (int64_t i = 0; i < s->entries; i++) {
    int64_t row = s->to ? s->to[i] : 0;
    counts[row]++;
    reduce_entry(s, i, out + row * s->width);
  }
  for (int64_t row = 0; row < s->rows; row++)
    for (int64_t k = 0; k < s->width; k++) {
      if (!counts[row]) out[row * s->width + k] = 0;
      if (counts[row] && s->reduction == KERNEL_MEAN) out[row * s->width + k] /= (float)counts[row];
    }
}
