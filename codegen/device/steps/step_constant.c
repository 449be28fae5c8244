/* Evaluates constants, reorders them to the device's order of rows, and repeats a number or row
 * that stands for many. */
#include "codegen/device/steps/step_constant.h"

#include "codegen/device/operand.h"
#include "codegen/device/steps/step_private.h"

#include <string.h>

static bool is_per_type(MlirValue v) {
  return !ir_value_is_null(v) && ir_type_of(v).kind == IR_KIND_per;
}

step_segments step_constant_segments(step_writer *w, const char *set, MlirValue a, MlirValue b) {
  step_segments s = {.count = 1};
  MlirValue per = is_per_type(a) ? a : b;
  if (is_per_type(per))
    step_check(w, program_host_set_segments(w->host, set, ir_type_of(per).set, &s.count, &s.offsets));
  return s;
}

/* Returns the numbers of a constant and sets *have to their count; NULL and 0 with w->no_data or
 * w->error. */
static const float *numbers_of(step_writer *w, MlirValue value, int64_t *have) {
  program_array array = {0};
  *have = 0;
  if (w->no_data || w->error) return NULL;
  if (!step_check(w, program_host_evaluate(w->host, value, &array))) return NULL;
  *have = array.rows * array.width;
  return array.data;
}

static const char *name_of(MlirValue value, const char *fallback) {
  return mlirValueIsABlockArgument(value) ? fallback : step_name_of(mlirOpResultGetOwner(value), fallback);
}

static float *room_for(step_writer *w, int64_t count) {
  return arena_alloc(w->arena, (size_t)count * sizeof(float) + 1);
}

static bool fail_count(step_writer *w, const char *name, int64_t have, int64_t wanted) {
  return step_check(w, status_error(STATUS_CODE_mismatch, "'%s' has %lld numbers, its step takes %lld", name,
                                    (long long)have, (long long)wanted));
}

/* Returns the numbers of a constant per row of its type, for a matrix or a row; 1 where one number
 * stands for all columns. */
static int64_t elements_of(MlirValue value) {
  return ir_type_elements(ir_type_payload(ir_type_of(value)));
}

/* Adds an array of `blocks` blocks with `block` numbers each. A constant that is not per type is
 * repeated for all blocks; a single number fills a block. */
static int32_t add_repeated(step_writer *w, MlirValue value, const char *name, int64_t blocks, int64_t block,
                            int64_t rows, int64_t width) {
  int64_t have, elements = elements_of(value), own = is_per_type(value) ? blocks : 1;
  const float *from = numbers_of(w, value, &have);
  if (from && (have != own * elements || (elements != 1 && elements != block))) {
    fail_count(w, name, have, own * block);
    return -1;
  }
  if (!from || have == blocks * block) return step_add_constant(w, name, rows, width, from);
  float *made = room_for(w, blocks * block);
  for (int64_t b = 0; b < blocks; b++)
    for (int64_t i = 0; i < block; i++)
      made[b * block + i] = from[(own == 1 ? 0 : b * elements) + (elements == 1 ? 0 : i)];
  return step_add_constant(w, name, rows, width, made);
}

int32_t step_constant_matrices(step_writer *w, MlirValue value, int64_t count, int64_t rows, int64_t width) {
  return add_repeated(w, value, name_of(value, "weights"), count, rows * width, count * rows, width);
}

int32_t step_constant_bias(step_writer *w, MlirValue value, int64_t count, int64_t width) {
  return add_repeated(w, value, name_of(value, "bias"), count, width, count, width);
}

int32_t step_constant_spread(step_writer *w, MlirValue value, step_segments segments, int64_t width) {
  const char *name = name_of(value, "rows");
  int64_t rows = segments.offsets[segments.count], have, elements = elements_of(value);
  const float *from = numbers_of(w, value, &have);
  if (!from) return step_add_constant(w, name, rows, width, NULL);
  if (have != segments.count * elements || (elements != 1 && elements != width)) {
    fail_count(w, name, have, segments.count * width);
    return -1;
  }
  float *made = room_for(w, rows * width), *to = made;
  for (int64_t t = 0; t < segments.count; t++)
    for (int64_t r = segments.offsets[t]; r < segments.offsets[t + 1]; r++)
      for (int64_t c = 0; c < width; c++) *to++ = from[t * elements + (elements == 1 ? 0 : c)];
  return step_add_constant(w, name, rows, width, made);
}

int32_t step_constant_rows(step_writer *w, MlirOperation constant) {
  ir_type type = ir_type_of(ir_result(constant));
  const char *name = step_name_of(constant, "constant");
  MlirValue x = mlirOperationGetOperand(constant, 0);
  const int32_t *order = NULL;
  int64_t rows, have, width = type.dims[0];
  if (!step_check(w, program_host_set_rows(w->host, type.set, &rows)) ||
      !step_check(w, program_host_set_order(w->host, type.set, &order)))
    return -1;
  const float *from = numbers_of(w, x, &have);
  if (!from) return step_add_constant(w, name, rows, width, NULL);
  if (have != rows * width) {
    fail_count(w, name, have, rows * width);
    return -1;
  }
  if (!order) return step_add_constant(w, name, rows, width, from);
  float *made = room_for(w, have);
  for (int64_t r = 0; r < rows; r++) memcpy(made + r * width, from + order[r] * width, (size_t)width * sizeof *made);
  return step_add_constant(w, name, rows, width, made);
}

int32_t step_constant_values(step_writer *w, MlirOperation constant) {
  const program_edge_list *list;
  const char *name = step_name_of(constant, "values");
  int64_t heads = ir_type_of(ir_result(constant)).dims[0];
  program_array array = {0};
  if (!step_check(w, program_host_edge_list(w->host, operand_edges(ir_result(constant)), &list))) return -1;
  if (w->no_data) return step_add_constant(w, name, list->edges, heads, NULL);
  MlirValue x = ir_operand(constant, IR_IN(device, constant_values, x));
  if (!step_check(w, program_host_evaluate(w->host, x, &array))) return -1;
  float *made = room_for(w, list->edges * heads);
  for (int64_t i = 0; i < list->edges; i++) {
    int64_t edge = array.rows == 1 ? 0 : list->edge ? list->edge[i] : i;
    for (int64_t h = 0; h < heads; h++)
      made[i * heads + h] = array.data[edge * array.width + (array.width > 1 ? h : 0)];
  }
  return step_add_constant(w, name, list->edges, heads, made);
}
