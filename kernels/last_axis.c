/* Kernels along the last dimension: see last_axis.h. */
#include "kernels/last_axis.h"

#include "support/elementwise_f32.h"

#include <math.h>

void kernel_reduce_last(kernel_reduction r, int64_t stretches, int64_t k, const float *x, float *out) {
  for (int64_t s = 0; s < stretches; s++, x += k) {
    float sum = 0, most = -INFINITY, least = INFINITY;
    for (int64_t i = 0; i < k; i++) {
      sum += x[i];
      most = binary_max(most, x[i]);
      least = binary_min(least, x[i]);
    }
    out[s] = r == KERNEL_SUM ? sum : r == KERNEL_MEAN ? sum / (float)k : r == KERNEL_MAX ? most : least;
  }
}

void kernel_argmax(int64_t stretches, int64_t k, const float *x, float *out) {
  for (int64_t s = 0; s < stretches; s++, x += k) {
    float top = -INFINITY;
    out[s] = 0;
    for (int64_t i = 0; i < k; i++) {
      if (!(x[i] > top)) continue;
      top = x[i];
      out[s] = (float)i;
    }
  }
}

void kernel_softmax(bool is_log, int64_t stretches, int64_t k, const float *x, float *out) {
  for (int64_t s = 0; s < stretches; s++, x += k, out += k) {
    float top = -INFINITY, sum = 0;
    for (int64_t i = 0; i < k; i++) top = binary_max(top, x[i]);
    for (int64_t i = 0; i < k; i++) sum += expf(x[i] - top);
    for (int64_t i = 0; i < k; i++) out[i] = is_log ? x[i] - top - logf(sum) : expf(x[i] - top) / sum;
  }
}

void kernel_normalize(int64_t stretches, int64_t k, const float *x, float *out) {
  for (int64_t s = 0; s < stretches; s++, x += k, out += k) {
    float sum = 0;
    for (int64_t i = 0; i < k; i++) sum += x[i];
    if (sum == 0) sum = 1;
    for (int64_t i = 0; i < k; i++) out[i] = x[i] / sum;
  }
}
