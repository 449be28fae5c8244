/* Kernels that move rows and columns. Rows are dense, one after the other. */
#ifndef GNNC_KERNELS_ROWS_H
#define GNNC_KERNELS_ROWS_H

#include <stdint.h>

/* Columns from_begin .. from_begin + count - 1 of each row of `from` become columns to_begin .. of
 * `to`: windows, and rows side by side. */
void kernel_copy_columns(int64_t rows, int64_t count, const float *from, int64_t from_width, int64_t from_begin,
                         float *to, int64_t to_width, int64_t to_begin);

/* [m, n] becomes [n, m], `blocks` times. */
void kernel_transpose(int64_t blocks, int64_t m, int64_t n, const float *from, float *to);

/* to[r] = from[index[r]], rows of `width`; index NULL: first + r. */
void kernel_gather(int64_t rows, int64_t width, const float *from, const int32_t *index, int64_t first, float *to);

/* to[index[r]] = from[r]. */
void kernel_scatter(int64_t rows, int64_t width, const float *from, const int32_t *index, float *to);

/* to[index[r]] += from[r] for r in order: pieces of rows that a machine summed up apart. `to` has
 * `to_rows` rows and becomes 0 first. */
void kernel_fold(int64_t rows, int64_t width, const float *from, const int32_t *index, int64_t to_rows, float *to);

/* Numbers of one head into the places of a list: to[place[e]] = values[e * heads + head]; place
 * NULL: e. */
void kernel_put_values(int64_t edges, int64_t heads, int64_t head, const float *values, const int32_t *place,
                       float *to);
/* The other way. */
void kernel_get_values(int64_t edges, int64_t heads, int64_t head, const float *from, const int32_t *place,
                       float *values);

#endif
