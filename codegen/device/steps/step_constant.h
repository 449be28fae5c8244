/* Writes constants of operations in the form that the host's steps take: rows in the order of the
 * device, grouped by type. */
#ifndef GNNC_CODEGEN_DEVICE_STEPS_STEP_CONSTANT_H
#define GNNC_CODEGEN_DEVICE_STEPS_STEP_CONSTANT_H

#include "codegen/device/steps/step_writer.h"

/* Segments of rows by type, for constants per type; count is 1 where no constant is per type. */
typedef struct step_segments {
  int64_t count;
  const int64_t *offsets; /* [count + 1]; NULL: one segment */
} step_segments;

/* Returns the segments of the rows of a set by the type of the constant that is per type; `a` and
 * `b` may be null. */
step_segments step_constant_segments(step_writer *w, const char *set, MlirValue a, MlirValue b);

/* Each of these adds an array and returns its number, -1 with w->error. rows: of device.constant.
 * values: of device.constant_values. matrices: [count * rows, width], of gemm. bias: [count,
 * width]; one number stands for all columns, one row for all types. spread: [set's rows, width],
 * the row of each row's type. */
int32_t step_constant_rows(step_writer *w, MlirOperation constant);
int32_t step_constant_values(step_writer *w, MlirOperation constant);
int32_t step_constant_matrices(step_writer *w, MlirValue value, int64_t count, int64_t rows, int64_t width);
int32_t step_constant_bias(step_writer *w, MlirValue value, int64_t count, int64_t width);
int32_t step_constant_spread(step_writer *w, MlirValue value, step_segments segments, int64_t width);

#endif
