/* Kernels along the last dimension: `stretches` of k numbers one after the other. fp32, sums in
 * order. */
#ifndef GNNC_KERNELS_LAST_AXIS_H
#define GNNC_KERNELS_LAST_AXIS_H

#include "kernels/spmm.h"

#include <stdbool.h>
#include <stdint.h>

/* out[s] = the sum, mean, maximum or minimum of x[s][..]. */
void kernel_reduce_last(kernel_reduction r, int64_t stretches, int64_t k, const float *x, float *out);

/* out[s] = the first index of the largest number. */
void kernel_argmax(int64_t stretches, int64_t k, const float *x, float *out);

/* out[s][i] = exp(x[s][i]) / sum of exp(x[s][..]), or its logarithm; the maximum is subtracted
 * first. */
void kernel_softmax(bool is_log, int64_t stretches, int64_t k, const float *x, float *out);

/* out[s][i] = x[s][i] / sum of x[s][..]; a stretch whose sum is 0 stays. */
void kernel_normalize(int64_t stretches, int64_t k, const float *x, float *out);

#endif
