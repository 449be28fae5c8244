/* Element-wise kernels: a loop for each row of support/elementwise.def; see elementwise.h. */
#include "kernels/elementwise.h"

#include "kernels/wide.h"
#include "support/elementwise_f32.h"
#include "support/unreachable.h"

KERNEL_WIDE void kernel_unary(elementwise_unary f, float p, float q, int64_t count, float *x) {
  switch (f) {
#define UNARY(name, kind, p_name, p_default, q_name, q_default, flops, formula, derivative, reference, doc)            \
  case UNARY_##name:                                                                                                   \
    for (int64_t i = 0; i < count; i++) x[i] = unary_##name(x[i], p, q);                                               \
    break;
#include "support/elementwise.def"
  case UNARY_none:
  case UNARY_COUNT: UNREACHABLE("the function is no row of support/elementwise.def");
  }
}

KERNEL_WIDE void kernel_binary(elementwise_binary f, int64_t count, const float *a, const float *b, float *out) {
  switch (f) {
#define BINARY(name, operation, flops, formula, derivative_a, derivative_b, reference, doc)                            \
  case BINARY_##name:                                                                                                  \
    for (int64_t i = 0; i < count; i++) out[i] = binary_##name(a[i], b[i]);                                            \
    break;
#include "support/elementwise.def"
  case BINARY_none:
  case BINARY_COUNT: UNREACHABLE("the function is no row of support/elementwise.def");
  }
}

void kernel_select(int64_t count, const float *condition, const float *a, const float *b, float *out) {
  for (int64_t i = 0; i < count; i++) out[i] = condition[i] != 0 ? a[i] : b[i];
}

void kernel_add_row(int64_t rows, int64_t width, const float *row, float *out) {
  for (int64_t r = 0; r < rows; r++, out += width)
    for (int64_t i = 0; i < width; i++) out[i] += row[i];
}
