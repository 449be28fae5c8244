/* The layout of the toy: rows of fp32, one after another without gaps. */
#include "runtime/layout.h"
#include "toy/isa/toy.h"

#include <inttypes.h>
#include <string.h>

static int64_t one_part(const layout_tensor *t) {
  (void)t;
  return 1;
}

static status part_bytes(const layout_tensor *t, uint64_t *bytes) {
  if (t->rows > t->device->common.ddr_bytes / 4 / t->width)
    return status_error(STATUS_CODE_format, "%" PRId64 " rows of %" PRId64 " words are more than the device's memory",
                        t->rows, t->width);
  *bytes = (uint64_t)(t->rows * t->width) * sizeof(float);
  return STATUS_OK;
}

static void move(const layout_tensor *t, int64_t part, void *memory, float *user, bool to_device) {
  (void)part;
  for (int64_t r = 0; r < t->rows; r++) {
    float *row = (float *)memory + r * t->width, *other = user + (t->order ? t->order[r] : r) * t->width;
    memcpy(to_device ? row : other, to_device ? other : row, (size_t)t->width * sizeof *row);
  }
}

extern const layout layout_toy_rows;
const layout layout_toy_rows = {
    .name = "toy_rows", .machine = &toy_machine, .count_parts = one_part, .part_bytes = part_bytes, .move = move};
