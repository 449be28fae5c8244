/* Sums of the rows with each index. See real.h for how parts are used.
 *
 * A task owns some rows of the result and some of their columns, and walks all indices in the order of the rows that are added up: how
 * many tasks there are changes no bit, and no task needs memory. */
#include "codegen/c/prelude/contract.h"

//@ index_sums
typedef struct index_sums {
  const gnnc_context *context;
  contract_side value, times;  /* without times, a row is added as it is, and depth is 1 */
  contract_side index;         /* of whole, or a whole number as `real` or float */
  const int32_t *whole;        /* indices, or NULL */
  int64_t rows;                /* that are added up */
  int64_t low, high;           /* rows of the result to which other indices are moved */
  int64_t count, depth, width; /* rows of the result, and numbers of each: depth x width */
  real *to;
  int64_t ranges, slices, slice; /* made by sum_rows_by: ranges of rows, slices of columns, columns of a slice */
} index_sums;

//@ index_of_row
/* The row of the result to which a row is added. */
static inline int64_t index_of_row(const index_sums *s, int64_t row) {
  const int64_t at = side_row(&s->index, row);
  if (s->whole) return index_between(s->whole[at], (int32_t)s->low, (int32_t)s->high);
  return whole_between(s->index.given ? (real)s->index.given[at] : s->index.made[at], s->low, s->high);
}

//@ sum_by_add
/* Adds some columns of one row, or of its products with the numbers of times, to a row of the result. */
static inline void sum_by_add(const index_sums *s, int64_t row, int64_t from, int64_t columns, real *to) {
  const int64_t at = side_row(&s->value, row) * s->value.stride + from;
  const int64_t factors = side_row(&s->times, row) * s->times.stride;
  for (int64_t k = 0; k < s->depth; k++, to += s->width) {
    real factor = 1;
    if (s->times.made) factor = s->times.made[factors + k];
    if (s->times.given) factor = (real)s->times.given[factors + k];
    real *restrict const sum = to;
    if (s->value.given) {
      for (int64_t j = 0; j < columns; j++) sum[j] += factor * (real)s->value.given[at + j];
    } else {
      const real *const value = s->value.made + at;
      FEATURE_LOOP
      for (int64_t j = 0; j < columns; j++) sum[j] += factor * value[j];
    }
  }
}

//@ sum_by_task
static void sum_by_task(void *data, int64_t task) {
  const index_sums *const s = (const index_sums *)data;
  const int64_t range = task / s->slices, from = task % s->slices * s->slice, size = s->depth * s->width, ahead = 8;
  const int64_t first = s->count * range / s->ranges, end = s->count * (range + 1) / s->ranges;
  const int64_t columns = s->width - from < s->slice ? s->width - from : s->slice;
  real *const to = s->to + from;
  for (int64_t i = first * s->depth; i < end * s->depth; i++)
    for (int64_t j = 0; j < columns; j++) to[i * s->width + j] = 0;
  for (int64_t row = 0; row < s->rows; row++) {
    if (s->depth == 1 && row + ahead < s->rows) {
      const int64_t next = index_of_row(s, row + ahead);
      if (next >= first && next < end) prefetch_row(to + next * size, columns * (int64_t)sizeof(real));
    }
    const int64_t i = index_of_row(s, row);
    if (i >= first && i < end) sum_by_add(s, row, from, columns, to + i * size);
  }
}

//@ sum_rows_by
/* Adds up all rows. Threads share columns, 16 at least, and then rows of the result; with little work one thread does all. */
static void sum_rows_by(index_sums *s) {
  const gnnc_executor *const executor = s->context ? s->context->executor : NULL;
  const int64_t work = (s->rows + s->count) * s->depth * s->width;
  const int64_t threads = executor && work >= 1 << 16 ? executor->width : 1;
  s->slices = threads < s->width / 16 ? threads : s->width / 16;
  if (s->slices < 1) s->slices = 1;
  s->slice = ((s->width + s->slices - 1) / s->slices + 15) / 16 * 16;
  s->slices = (s->width + s->slice - 1) / s->slice;
  s->ranges = (threads + s->slices - 1) / s->slices;
  if (s->ranges > s->count) s->ranges = s->count;
  for_parts(s->context, s->ranges * s->slices, sum_by_task, s);
}
