/* Products of dense rows with matrices, in fp32. Products are summed in the order of the inner
 * dimension, from 0 on. */
#ifndef GNNC_KERNELS_GEMM_H
#define GNNC_KERNELS_GEMM_H

#include <stdbool.h>
#include <stdint.h>

typedef struct kernel_matrix {
  const float *data; /* [k, n], or [n, k] where transposed */
  int64_t k, n;
  bool is_transposed;
  bool
      skips_zeros; /* a product with a 0 of the matrix is 0, also of infinity and NaN: the matrix moves or sums some columns, and the others must not take part */
} kernel_matrix;

/* out[m, n] = x[m, k] @ w */
void kernel_gemm(int64_t m, const float *x, const kernel_matrix *w, float *restrict out);

/* Rows offsets[t] .. offsets[t + 1] - 1 meet matrix t: w->data holds `types` matrices one after the
 * other, bias (NULL: none) as many rows of n. */
void kernel_gemm_segments(int64_t types, const int64_t *offsets, const float *x, const kernel_matrix *w,
                          const float *bias, float *out);

/* The inner product of two rows. */
float kernel_dot(int64_t k, const float *a, const float *b);

#endif
