/* Element-wise kernels in fp32: the functions of support/elementwise.def over arrays. The result
 * may be one of the operands. No function here fails. */
#ifndef GNNC_KERNELS_ELEMENTWISE_H
#define GNNC_KERNELS_ELEMENTWISE_H

#include "support/elementwise.h"

#include <stdint.h>

/* x[i] = f(x[i], p, q) for i < count, in place. f is a row of the table. */
void kernel_unary(elementwise_unary f, float p, float q, int64_t count, float *x);

/* out[i] = f(a[i], b[i]) for i < count. */
void kernel_binary(elementwise_binary f, int64_t count, const float *a, const float *b, float *out);

/* out[i] = condition[i] != 0 ? a[i] : b[i] for i < count. */
void kernel_select(int64_t count, const float *condition, const float *a, const float *b, float *out);

/* out[r][c] += row[c]: adds `row`, of `width` numbers, to each of `rows` rows. */
void kernel_add_row(int64_t rows, int64_t width, const float *row, float *out);

#endif
