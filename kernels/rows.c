/* Kernels that move rows and columns: see rows.h. */
#include "kernels/rows.h"

#include <stdbool.h>
#include <string.h>

void kernel_copy_columns(int64_t rows, int64_t count, const float *from, int64_t from_width, int64_t from_begin,
                         float *to, int64_t to_width, int64_t to_begin) {
  for (int64_t r = 0; r < rows; r++)
    memcpy(to + r * to_width + to_begin, from + r * from_width + from_begin, (size_t)count * sizeof *to);
}

void kernel_transpose(int64_t blocks, int64_t m, int64_t n, const float *from, float *to) {
  for (int64_t b = 0; b < blocks; b++, from += m * n)
    for (int64_t j = 0; j < n; j++)
      for (int64_t i = 0; i < m; i++) *to++ = from[i * n + j];
}

void kernel_view(unsigned rank, const int64_t *shape, const int64_t *strides, int64_t begin, const float *from,
                 float *to) {
  int64_t digits[16] = {0};
  while (true) {
    *to++ = from[begin];
    unsigned d = rank;
    for (; d > 0 && ++digits[d - 1] == shape[d - 1]; d--) { /* carry */
      begin -= strides[d - 1] * (shape[d - 1] - 1);
      digits[d - 1] = 0;
    }
    if (d == 0) return;
    begin += strides[d - 1];
  }
}

void kernel_gather(int64_t rows, int64_t width, const float *from, const int32_t *index, int64_t first, float *to) {
  if (!index)
    memcpy(to, from + first * width, (size_t)(rows * width) * sizeof *to);
  else if (width == 1)
    for (int64_t r = 0; r < rows; r++) to[r] = from[index[r]];
  else
    for (int64_t r = 0; r < rows; r++) memcpy(to + r * width, from + index[r] * width, (size_t)width * sizeof *to);
}

void kernel_scatter(int64_t rows, int64_t width, const float *from, const int32_t *index, float *to) {
  for (int64_t r = 0; r < rows; r++) memcpy(to + index[r] * width, from + r * width, (size_t)width * sizeof *to);
}

void kernel_fold(int64_t rows, int64_t width, const float *from, const int32_t *index, int64_t to_rows, float *to) {
  memset(to, 0, (size_t)(to_rows * width) * sizeof *to);
  for (int64_t r = 0; r < rows; r++)
    for (int64_t i = 0; i < width; i++) to[index[r] * width + i] += from[r * width + i];
}

int64_t kernel_lookup_run(const kernel_lookup *k, float *to) {
  for (int64_t r = 0; r < k->rows; r++) {
    double index = (double)k->index[r * k->index_width];
    if (index < k->low) index = k->low;
    if (index > k->high) index = k->high;
    if (!(index >= 0 && index < (double)k->count)) return r;
    memcpy(to + r * k->width, k->table + r * k->stride + (int64_t)index * k->width, (size_t)k->width * sizeof *to);
  }
  return -1;
}

void kernel_put_values(int64_t edges, int64_t heads, int64_t head, const float *values, const int32_t *place,
                       float *to) {
  for (int64_t e = 0; e < edges; e++) to[place ? place[e] : e] = values[e * heads + head];
}

void kernel_get_values(int64_t edges, int64_t heads, int64_t head, const float *from, const int32_t *place,
                       float *values) {
  for (int64_t e = 0; e < edges; e++) values[e * heads + head] = from[place ? place[e] : e];
}
