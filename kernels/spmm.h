/* Sparse-dense products (SpMM) in fp32: sums, means, maxima and minima over edges. Entries are
 * processed in their order. */
#ifndef GNNC_KERNELS_SPMM_H
#define GNNC_KERNELS_SPMM_H

#include <stdint.h>

typedef enum kernel_reduction { KERNEL_SUM, KERNEL_MEAN, KERNEL_MAX, KERNEL_MIN } kernel_reduction;

/* The reduction of a name ("sum", "mean", "max", "min"). */
kernel_reduction kernel_reduction_of(const char *name);

/* out[to[i]] reduces value[from[i]] * weight[i] over entries i. */
typedef struct kernel_spmm {
  kernel_reduction reduction;
  int64_t entries, rows, width; /* rows and columns of the result */
  const int32_t *from, *to;     /* [entries]; from NULL: row i; to NULL: row 0 */
  const float *value;           /* [.., width] */
  const float *weight; /* [entries, weight_width]; NULL: 1. Column c of a row is multiplied by weight c / (width /
                        * weight_width) */
  int64_t weight_width;
} kernel_spmm;

/* out is [rows, width]; `counts` is scratch for `rows` numbers. Rows without entries become 0. A
 * maximum or minimum over a NaN is NaN. */
void kernel_spmm_run(const kernel_spmm *s, int32_t *counts, float *out);

#endif
