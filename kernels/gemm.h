/* Products of dense rows with matrices, in fp32. Each number is a sum over the inner dimension, in
 * its order, beginning with 0. */
#ifndef GNNC_KERNELS_GEMM_H
#define GNNC_KERNELS_GEMM_H

#include <stdbool.h>
#include <stdint.h>

typedef struct kernel_matrix {
  const float *data; /* [k, n], or [n, k] where transposed */
  int64_t k, n;
  bool is_transposed;
  /* a product with a 0 of the matrix is 0, also for infinity and NaN; for matrices that move or sum
   * some columns, where the other columns must have no influence */
  bool skips_zeros;
} kernel_matrix;

/* out[m, n] = x[m, k] @ w */
void kernel_gemm(int64_t m, const float *x, const kernel_matrix *w, float *restrict out);

/* Multiplies rows offsets[t] .. offsets[t + 1] - 1 by matrix t. w->data has `types` matrices, one
 * after the other; bias (NULL: none) has a row of n numbers for each. */
void kernel_gemm_segments(int64_t types, const int64_t *offsets, const float *x, const kernel_matrix *w,
                          const float *bias, float *out);

/* out[m, n] = the sum over `rows` of a[m] b[n]: transposed(a) @ b, each number in the order of the rows. */
void kernel_outer_sum(int64_t rows, int64_t m, const float *a, int64_t n, const float *b, float *restrict out);

/* The inner product of two rows of k numbers. */
float kernel_dot(int64_t k, const float *a, const float *b);

#endif
