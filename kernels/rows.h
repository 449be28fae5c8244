/* Kernels that copy rows and columns. Rows are dense, one after the other. */
#ifndef GNNC_KERNELS_ROWS_H
#define GNNC_KERNELS_ROWS_H

#include <stdint.h>

/* Copies columns from_begin .. from_begin + count - 1 of each row of `from` to columns to_begin and
 * on of `to`, for windows and concatenations. */
void kernel_copy_columns(int64_t rows, int64_t count, const float *from, int64_t from_width, int64_t from_begin,
                         float *to, int64_t to_width, int64_t to_begin);

/* Transposes `blocks` matrices [m, n] to [n, m]. */
void kernel_transpose(int64_t blocks, int64_t m, int64_t n, const float *from, float *to);

/* Element d[0], d[1], ... of `to` [shape] is element begin + d[0] * strides[0] + ... of `from`. `rank`
 * is at most 16. */
void kernel_view(unsigned rank, const int64_t *shape, const int64_t *strides, int64_t begin, const float *from,
                 float *to);

/* to[r] = from[index[r]], rows of `width` numbers; index NULL: row first + r. */
void kernel_gather(int64_t rows, int64_t width, const float *from, const int32_t *index, int64_t first, float *to);

/* to[index[r]] = from[r], rows of `width` numbers. */
void kernel_scatter(int64_t rows, int64_t width, const float *from, const int32_t *index, float *to);

/* to[index[r]] += from[r] for r in order, for rows that a machine has summed up in pieces. `to` has
 * `to_rows` rows, which are set to 0 first. */
void kernel_fold(int64_t rows, int64_t width, const float *from, const int32_t *index, int64_t to_rows, float *to);

/* Picks rows of a table: to[r] = table[i], i the whole number index[r * index_width], but at least
 * `low` and at most `high`. The table has `count` rows of `width` numbers; that of row r begins at
 * table + r * stride. Returns the first row whose index is none of 0 .. count - 1, at which it stops;
 * -1 where there is none. */
typedef struct kernel_lookup {
  int64_t rows, width, count;
  const float *index;
  int64_t index_width;
  double low, high;
  const float *table;
  int64_t stride;
} kernel_lookup;
int64_t kernel_lookup_run(const kernel_lookup *k, float *to);

/* Copies the numbers of one head to the places of a list: to[place[e]] = values[e * heads + head];
 * place NULL: e. */
void kernel_put_values(int64_t edges, int64_t heads, int64_t head, const float *values, const int32_t *place,
                       float *to);
/* The reverse: values[e * heads + head] = from[place[e]]. */
void kernel_get_values(int64_t edges, int64_t heads, int64_t head, const float *from, const int32_t *place,
                       float *values);

#endif
