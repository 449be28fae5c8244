/* Shared by the files that write host steps, and by machines that add arrays of their own to
 * them. */
#ifndef GNNC_CODEGEN_DEVICE_STEPS_STEP_PRIVATE_H
#define GNNC_CODEGEN_DEVICE_STEPS_STEP_PRIVATE_H

#include "codegen/device/steps/step_writer.h"

/* Keeps the first error as w->error; returns true where there is no error so far. */
bool step_check(step_writer *w, status s);

/* Adds data to .gnnc.lists and returns its byte offset. The data must live as long as the arena or
 * the host. */
int64_t step_add_data(step_writer *w, const void *data, int64_t bytes);

/* Adds an array and returns its number; `data` is the byte offset of its numbers, < 0: none. */
int32_t step_add_array(step_writer *w, const char *name, int64_t rows, int64_t width, int64_t data);

/* Adds a constant array with its numbers and returns its number. The numbers must live as long as
 * the arena or the host; NULL with w->no_data. */
int32_t step_add_constant(step_writer *w, const char *name, int64_t rows, int64_t width, const float *data);

/* Returns the name of the operation's result, or `fallback`. */
const char *step_name_of(MlirOperation op, const char *fallback);
/* The same; the fallback says what kind of operation it is: "a product". */
const char *step_operation_name(MlirOperation op);

#endif
