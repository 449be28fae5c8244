/* The layouts of FusedGCN: rows of bf16 numbers, and values of S. Both fold. */
#include "runtime/layout.h"

#include "isa/fusedgcn/bf16.h"

#include <inttypes.h>
#include <string.h>

static int64_t one_part(const layout_tensor *t) {
  (void)t;
  return 1;
}

static fusedgcn_conversion conversion_of(const layout_tensor *t) {
  return (fusedgcn_conversion)t->device->fusedgcn.conversion;
}

static status check_bytes(const layout_tensor *t, int64_t words, uint64_t *bytes) {
  *bytes = 0;
  if (words && t->memory_rows > t->device->common.ddr_bytes / (int64_t)sizeof(uint16_t) / words)
    return status_error(STATUS_CODE_format, "%" PRId64 " rows of %" PRId64 " words are more than the device's memory",
                        t->memory_rows, words);
  *bytes = (uint64_t)(t->memory_rows * words) * sizeof(uint16_t);
  return STATUS_OK;
}

/* ---- rows: row r of the memory begins at word r * stride ---- */

static status row_bytes(const layout_tensor *t, uint64_t *bytes) {
  if (t->stride < t->width)
    return status_error(STATUS_CODE_format, "'stride' is %" PRId64 ", expected at least the %" PRId64 " columns",
                        t->stride, t->width);
  return check_bytes(t, t->stride, bytes);
}

static void move_row(const layout_tensor *t, uint16_t *memory, float *user, bool adds, bool to_device) {
  fusedgcn_conversion how = conversion_of(t);
  for (int64_t c = 0; c < t->width; c++) {
    if (to_device)
      memory[c] = bf16_convert(how, user[c]);
    else
      user[c] = adds ? user[c] + bf16_load(memory[c]) : bf16_load(memory[c]);
  }
}

static void move_rows(const layout_tensor *t, int64_t part, void *memory, float *user, bool to_device) {
  (void)part;
  for (int64_t r = 0; r < t->memory_rows; r++) {
    uint16_t *row = (uint16_t *)memory + r * t->stride;
    int64_t at = t->order ? t->order[r] : r;
    if (to_device) memset(row, 0, (size_t)t->stride * sizeof *row);
    if (at >= 0) move_row(t, row, user + at * t->width, t->is_repeat && t->is_repeat[r], to_device);
  }
}

const layout layout_fusedgcn_rows = {.name = "fusedgcn_rows",
                                     .machine = &fusedgcn_machine,
                                     .has_stride = true,
                                     .folds = true,
                                     .axis = LAYOUT_ROWS,
                                     .alignment = sizeof(uint16_t),
                                     .count_parts = one_part,
                                     .part_bytes = row_bytes,
                                     .move = move_rows};

/* ---- values: row r of the memory is the value of the r-th non-zero ---- */

static status value_bytes(const layout_tensor *t, uint64_t *bytes) {
  return check_bytes(t, 1, bytes);
}

static void move_values(const layout_tensor *t, int64_t part, void *memory, float *user, bool to_device) {
  layout_tensor one = *t;
  (void)part;
  one.width = one.stride = 1;
  move_rows(&one, 0, memory, user, to_device);
}

const layout layout_fusedgcn_values = {.name = "fusedgcn_values",
                                       .machine = &fusedgcn_machine,
                                       .folds = true,
                                       .axis = LAYOUT_NUMBERS,
                                       .alignment = sizeof(uint16_t),
                                       .count_parts = one_part,
                                       .part_bytes = value_bytes,
                                       .move = move_values};
