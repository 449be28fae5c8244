/* Shared by the files that write host steps. */
#ifndef GNNC_CODEGEN_DEVICE_STEPS_STEP_PRIVATE_H
#define GNNC_CODEGEN_DEVICE_STEPS_STEP_PRIVATE_H

#include "codegen/device/steps/step_writer.h"

/* Keeps the first status as w->error; true where there is none. */
bool step_check(step_writer *w, status s);

/* Room in .gnnc.lists for data, which lives as long as the arena or the host; its byte offset. */
int64_t step_add_data(step_writer *w, const void *data, int64_t bytes);

/* A new array; data < 0: none. */
int32_t step_add_array(step_writer *w, const char *name, int64_t rows, int64_t width, int64_t data);

/* A constant array of so many numbers. */
int32_t step_add_constant(step_writer *w, const char *name, int64_t rows, int64_t width, const float *data);

/* The name of what an operation makes, or `fallback`. */
const char *step_name_of(MlirOperation op, const char *fallback);

#endif
