/* The layouts of the GraphAGILE overlay: rows as fibers, whose width is that of the device, and
 * values of edges, or rows of one number, as one array per head. */
#include "runtime/layout.h"

#include "isa/graphagile/fp16.h"

#include <inttypes.h>
#include <string.h>

/* ---- fibers: columns q * p .. q * p + p - 1 of all rows; a row of a fiber has p words; fiber q
 * begins q * stride rows after fiber 0. fibers16: the same of fp16 numbers ---- */

static int64_t one_part(const layout_tensor *t) {
  (void)t;
  return 1;
}

/* Computes the bytes from the first row of the first fiber to the last row of the last fiber, of
 * numbers of so many bytes. */
static status bytes_of(const layout_tensor *t, int64_t number, uint64_t *bytes) {
  int64_t p = t->device->graphagile.width, fibers = (t->width + p - 1) / p, row = number * p;
  int64_t rows = t->rows ? (fibers - 1) * t->stride + t->rows : 0;
  *bytes = 0;
  if (rows > t->device->common.ddr_bytes / row)
    return status_error(STATUS_CODE_format, "%" PRId64 " rows of %" PRId64 " bytes are more than the device's memory",
                        rows, row);
  *bytes = (uint64_t)(rows * row);
  return STATUS_OK;
}

static status fiber_bytes(const layout_tensor *t, uint64_t *bytes) {
  return bytes_of(t, sizeof(float), bytes);
}

static status half_fiber_bytes(const layout_tensor *t, uint64_t *bytes) {
  return bytes_of(t, sizeof(uint16_t), bytes);
}

/* Moves `count` numbers between memory and the user. */
typedef void move_numbers(unsigned char *memory, float *user, int64_t count, bool to_device);

static void copy(unsigned char *memory, float *user, int64_t count, bool to_device) {
  memcpy(to_device ? (void *)memory : user, to_device ? (void *)user : memory, (size_t)count * sizeof *user);
}

static void convert(unsigned char *memory, float *user, int64_t count, bool to_device) {
  if (to_device)
    graphagile_fp16_store_all(memory, user, (size_t)count);
  else
    graphagile_fp16_load_all(user, memory, (size_t)count);
}

static void move_rows(const layout_tensor *t, unsigned char *memory, float *user, bool to_device, int64_t number,
                      move_numbers *move) {
  int64_t p = t->device->graphagile.width;
  for (int64_t r = 0; r < t->rows; r++) {
    float *row = user + (t->order ? t->order[r] : r) * t->width;
    for (int64_t begin = 0, q = 0; begin < t->width; begin += p, q++)
      move(memory + (q * t->stride + r) * p * number, row + begin, t->width - begin < p ? t->width - begin : p,
           to_device);
  }
}

static void move_fibers(const layout_tensor *t, int64_t part, void *memory, float *user, bool to_device) {
  (void)part;
  move_rows(t, memory, user, to_device, sizeof(float), copy);
}

static void move_half_fibers(const layout_tensor *t, int64_t part, void *memory, float *user, bool to_device) {
  (void)part;
  move_rows(t, memory, user, to_device, sizeof(uint16_t), convert);
}

const layout layout_fibers = {.name = "fibers",
                              .machine = &graphagile_machine,
                              .has_stride = true,
                              .count_parts = one_part,
                              .part_bytes = fiber_bytes,
                              .move = move_fibers};

const layout layout_fibers16 = {.name = "fibers16",
                                .machine = &graphagile_machine,
                                .has_stride = true,
                                .number_bytes = sizeof(uint16_t),
                                .count_parts = one_part,
                                .part_bytes = half_fiber_bytes,
                                .move = move_half_fibers};

/* ---- values: one number per edge and head, or per row of one column; one array per head ---- */

static int64_t part_per_head(const layout_tensor *t) {
  return t->width;
}

static status head_bytes(const layout_tensor *t, uint64_t *bytes) {
  *bytes = 4 * (uint64_t)t->rows;
  return STATUS_OK;
}

static void move_values(const layout_tensor *t, int64_t part, void *memory, float *user, bool to_device) {
  float *head = memory;
  for (int64_t e = 0; e < t->rows; e++) {
    float *number = &user[(t->order ? t->order[e] : e) * t->width + part];
    *(to_device ? &head[e] : number) = *(to_device ? number : &head[e]);
  }
}

const layout layout_values = {.name = "values",
                              .machine = &graphagile_machine,
                              .has_stride = false,
                              .count_parts = part_per_head,
                              .part_bytes = head_bytes,
                              .move = move_values};
