/* Products of dense rows with matrices: see gemm.h. */
#include "kernels/gemm.h"

#include "kernels/elementwise.h"

#include <string.h>

float kernel_dot(int64_t k, const float *a, const float *b) {
  float sum = 0;
  for (int64_t j = 0; j < k; j++) sum += a[j] * b[j];
  return sum;
}

/* One row times a matrix that is not transposed: adds multiples of whole rows of the matrix, so
 * that loops run over columns. */
static void add_rows(const float *x, const kernel_matrix *w, float *restrict out) {
  for (int64_t k = 0; k < w->k; k++) {
    const float *row = w->data + k * w->n;
    for (int64_t n = 0; n < w->n; n++) out[n] += x[k] * row[n];
  }
}

static void add_rows_but_zeros(const float *x, const kernel_matrix *w, float *restrict out) {
  int64_t step_k = w->is_transposed ? 1 : w->n, step_n = w->is_transposed ? w->k : 1;
  for (int64_t k = 0; k < w->k; k++)
    for (int64_t n = 0; n < w->n; n++) {
      float weight = w->data[k * step_k + n * step_n];
      if (weight != 0) out[n] += x[k] * weight;
    }
}

void kernel_gemm(int64_t m, const float *x, const kernel_matrix *w, float *restrict out) {
  for (int64_t i = 0; i < m; i++, x += w->k, out += w->n) {
    memset(out, 0, (size_t)w->n * sizeof *out);
    if (w->skips_zeros) {
      add_rows_but_zeros(x, w, out);
    } else if (!w->is_transposed) {
      add_rows(x, w, out);
    } else {
      for (int64_t n = 0; n < w->n; n++) out[n] = kernel_dot(w->k, x, w->data + n * w->k);
    }
  }
}

void kernel_gemm_segments(int64_t types, const int64_t *offsets, const float *x, const kernel_matrix *w,
                          const float *bias, float *out) {
  kernel_matrix one = *w;
  for (int64_t t = 0; t < types; t++) {
    int64_t rows = offsets[t + 1] - offsets[t];
    float *to = out + offsets[t] * w->n;
    one.data = w->data + t * w->k * w->n;
    kernel_gemm(rows, x + offsets[t] * w->k, &one, to);
    if (bias) kernel_add_row(rows, w->n, bias + t * w->n, to);
  }
}

void kernel_outer_sum(int64_t rows, int64_t m, const float *a, int64_t n, const float *b, float *restrict out) {
  memset(out, 0, (size_t)(m * n) * sizeof *out);
  for (int64_t r = 0; r < rows; r++, a += m, b += n)
    for (int64_t i = 0; i < m; i++)
      for (int64_t j = 0; j < n; j++) out[i * n + j] += a[i] * b[j];
}
