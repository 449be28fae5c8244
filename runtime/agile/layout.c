/* The layouts of AGILE: rows of fp32 numbers in parts, and scale factors. Both fold. */
#include "runtime/layout.h"

#include "isa/agile/format.h"

#include <inttypes.h>
#include <string.h>

/* ---- rows: part i has columns i * stride .. of all rows, each row in as many beats as its columns need ---- */

static int64_t count_parts(const layout_tensor *t) {
  int64_t parts = t->stride ? (t->width + t->stride - 1) / t->stride : 1;
  return parts ? parts : 1;
}

static status row_bytes(const layout_tensor *t, uint64_t *bytes) {
  int64_t pitch = (int64_t)agile_row_bytes((uint64_t)t->stride);
  *bytes = 0;
  if (!t->stride) return status_error(STATUS_CODE_format, "'stride' is 0, expected the columns of a part");
  if (t->memory_rows > t->device->common.ddr_bytes / pitch)
    return status_error(STATUS_CODE_format, "%" PRId64 " rows of %" PRId64 " bytes are more than the device's memory",
                        t->memory_rows, pitch);
  *bytes = (uint64_t)(t->memory_rows * pitch);
  return STATUS_OK;
}

static void move_row(float *memory, float *user, int64_t columns, bool adds, bool to_device) {
  for (int64_t c = 0; c < columns; c++) {
    if (to_device)
      memory[c] = user[c];
    else
      user[c] = adds ? user[c] + memory[c] : memory[c];
  }
}

static void move_rows(const layout_tensor *t, int64_t part, void *memory, float *user, bool to_device) {
  int64_t first = part * t->stride, columns = t->width - first < t->stride ? t->width - first : t->stride;
  int64_t has = first ? columns : t->stride; /* a first part alone may have more columns than the tensor */
  int64_t words = (int64_t)agile_row_bytes((uint64_t)has) / (int64_t)sizeof(float);
  for (int64_t r = 0; r < t->memory_rows; r++) {
    float *row = (float *)memory + r * words;
    int64_t at = t->order ? t->order[r] : r;
    if (to_device) memset(row, 0, (size_t)words * sizeof *row);
    if (at >= 0) move_row(row, user + at * t->width + first, columns, t->is_repeat && t->is_repeat[r], to_device);
  }
}

const layout layout_agile_rows = {.name = "agile_rows",
                                  .machine = &agile_machine,
                                  .has_stride = true,
                                  .folds = true,
                                  .axis = LAYOUT_ROWS,
                                  .alignment = AGILE_BEAT_BYTES,
                                  .count_parts = count_parts,
                                  .part_bytes = row_bytes,
                                  .move = move_rows};

/* ---- scale factors: word r of the memory is one of the numbers, or 0 ---- */

static int64_t one_part(const layout_tensor *t) {
  (void)t;
  return 1;
}

static status scale_bytes(const layout_tensor *t, uint64_t *bytes) {
  *bytes = (uint64_t)t->memory_rows * sizeof(float);
  return STATUS_OK;
}

static void move_scales(const layout_tensor *t, int64_t part, void *memory, float *user, bool to_device) {
  float *scales = memory;
  (void)part;
  for (int64_t r = 0; r < t->memory_rows; r++) {
    int64_t at = t->order ? t->order[r] : r;
    if (at < 0) {
      if (to_device) scales[r] = 0;
      continue;
    }
    move_row(scales + r, user + at, 1, t->is_repeat && t->is_repeat[r], to_device);
  }
}

const layout layout_agile_scales = {.name = "agile_scales",
                                    .machine = &agile_machine,
                                    .folds = true,
                                    .axis = LAYOUT_NUMBERS,
                                    .alignment = AGILE_BEAT_BYTES,
                                    .count_parts = one_part,
                                    .part_bytes = scale_bytes,
                                    .move = move_scales};
