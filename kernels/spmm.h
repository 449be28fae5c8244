/* Sums, maxima and minima over edges, in fp32: Aggregate. Entries are gone through in their
 * order. */
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
  const int32_t *from, *to;     /* [entries]; from NULL: i; to NULL: all to row 0 */
  const float *value;           /* [.., width] */
  const float *weight; /* [entries, weight_width]; NULL: 1. Column c of a row meets weight c / (width / weight_width) */
  int64_t weight_width;
} kernel_spmm;

/* `counts`: room for a number per row of the result. Rows without entries are 0. A NaN among the
 * values wins a maximum or minimum. */
void kernel_spmm_run(const kernel_spmm *s, int32_t *counts, float *out);

#endif
