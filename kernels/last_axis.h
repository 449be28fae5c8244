/* Kernels along the last dimension: x has `stretches` rows of k numbers, one after the other. fp32;
 * sums are in order. */
#ifndef GNNC_KERNELS_LAST_AXIS_H
#define GNNC_KERNELS_LAST_AXIS_H

#include "kernels/spmm.h"

#include <stdbool.h>
#include <stdint.h>

/* out[s] = the sum, mean, maximum or minimum of x[s][..]. */
void kernel_reduce_last(kernel_reduction r, int64_t stretches, int64_t k, const float *x, float *out);

/* out[s] = the first index of the largest number of x[s], as a float. */
void kernel_argmax(int64_t stretches, int64_t k, const float *x, float *out);

/* out[s][i] = exp(x[s][i]) / sum of exp(x[s][..]), or with is_log its logarithm. The maximum of
 * each row is subtracted before exp. */
void kernel_softmax(bool is_log, int64_t stretches, int64_t k, const float *x, float *out);

/* out[s][i] = x[s][i] / sum of x[s][..]; a row whose sum is 0 stays as it is. */
void kernel_normalize(int64_t stretches, int64_t k, const float *x, float *out);

#endif
