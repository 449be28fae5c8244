/* The layouts of Sextans (isa/sextans/format.h): dense matrices in the channels of B and of C, also
 * transposed, and numbers in the elements of A. All fold. */
#include "runtime/layout.h"

#include "isa/sextans/format.h"

#include <inttypes.h>

static int64_t one_part(const layout_tensor *t) {
  (void)t;
  return 1;
}

/* ---- B and C ---- */

/* A matrix in channels. */
typedef struct matrix {
  int64_t rows, columns;
  int64_t tile, channel; /* numbers of a tile in a channel, and of a channel */
  bool is_b;
} matrix;

static matrix matrix_of(const layout_tensor *t, bool is_b, bool is_transposed) {
  matrix m = {.rows = t->memory_rows, .columns = is_transposed ? t->rows : t->width, .is_b = is_b};
  m.tile = is_b ? sextans_b_tile(m.rows) : sextans_c_tile(m.rows);
  m.channel = m.tile * sextans_ceil(m.columns, SEXTANS_TILE);
  return m;
}

static inline int64_t index_of(const matrix *m, int64_t row, int64_t column) {
  if (m->is_b) return sextans_b_channel(column) * m->channel + sextans_b_index(row, column, m->tile);
  return sextans_c_channel(row) * m->channel + sextans_c_index(row, column, m->tile);
}

static status matrix_bytes(const layout_tensor *t, bool is_b, bool is_transposed, uint64_t *bytes) {
  int64_t rows = t->memory_rows, columns = is_transposed ? t->rows : t->width;
  *bytes = 0;
  if (columns && rows > t->device->common.ddr_bytes / (int64_t)sizeof(float) / columns)
    return status_error(STATUS_CODE_format, "%" PRId64 " rows of %" PRId64 " words are more than the device's memory",
                        rows, columns);
  *bytes = (uint64_t)(is_b ? SEXTANS_B_CHANNELS * sextans_b_bytes(rows, columns)
                           : SEXTANS_C_CHANNELS * sextans_c_bytes(rows, columns));
  return STATUS_OK;
}

/* Copies a row of memory, which is row or column `at` of the user. */
static void move_row(const layout_tensor *t, const matrix *m, int64_t row, float *memory, float *user, int64_t step,
                     bool to_device) {
  bool adds = t->is_repeat && t->is_repeat[row];
  for (int64_t c = 0; c < m->columns; c++) {
    float *number = memory + index_of(m, row, c), *other = user + c * step;
    if (to_device)
      *number = *other;
    else
      *other = adds ? *other + *number : *number;
  }
}

static void move_matrix(const layout_tensor *t, bool is_b, bool is_transposed, float *memory, float *user,
                        bool to_device) {
  matrix m = matrix_of(t, is_b, is_transposed);
  int64_t channels = is_b ? SEXTANS_B_CHANNELS : SEXTANS_C_CHANNELS;
  if (to_device) memset(memory, 0, (size_t)(channels * m.channel) * sizeof *memory);
  for (int64_t r = 0; r < m.rows; r++) {
    int64_t at = t->order ? t->order[r] : r;
    if (at < 0) continue;
    if (is_transposed)
      move_row(t, &m, r, memory, user + at, t->width, to_device);
    else
      move_row(t, &m, r, memory, user + at * t->width, 1, to_device);
  }
}

#define MATRIX_LAYOUT(suffix, is_b, is_transposed)                                                                     \
  static status bytes_##suffix(const layout_tensor *t, uint64_t *bytes) {                                              \
    return matrix_bytes(t, is_b, is_transposed, bytes);                                                                \
  }                                                                                                                    \
  static void move_##suffix(const layout_tensor *t, int64_t part, void *memory, float *user, bool to_device) {         \
    (void)part;                                                                                                        \
    move_matrix(t, is_b, is_transposed, memory, user, to_device);                                                      \
  }                                                                                                                    \
  const layout layout_sextans_##suffix = {.name = "sextans_" #suffix,                                                  \
                                          .machine = &sextans_machine,                                                 \
                                          .folds = true,                                                               \
                                          .axis = (is_transposed) ? LAYOUT_COLUMNS : LAYOUT_ROWS,                      \
                                          .alignment = SEXTANS_BEAT_BYTES,                                             \
                                          .count_parts = one_part,                                                     \
                                          .part_bytes = bytes_##suffix,                                                \
                                          .move = move_##suffix};

MATRIX_LAYOUT(b, true, false)
MATRIX_LAYOUT(bt, true, true)
MATRIX_LAYOUT(c, false, false)
MATRIX_LAYOUT(ct, false, true)

/* ---- A: row r of the memory is the value of the r-th element that is no bubble ---- */

/* Returns the elements of all channels, which follow one another; stride is the slots of each. */
static int64_t elements_of(const layout_tensor *t) {
  return SEXTANS_A_CHANNELS * SEXTANS_LANES * t->stride;
}

static status element_bytes(const layout_tensor *t, uint64_t *bytes) {
  *bytes = (uint64_t)(SEXTANS_A_CHANNELS * sextans_a_bytes(t->stride));
  if (t->memory_rows <= elements_of(t)) return STATUS_OK;
  return status_error(STATUS_CODE_format, "'rows' is %" PRId64 ", but %" PRId64 " slots have %" PRId64 " elements",
                      t->memory_rows, t->stride, elements_of(t));
}

static status check_elements(const layout_tensor *t, const void *memory) {
  const uint64_t *elements = memory;
  int64_t count = 0;
  for (int64_t i = 0; i < elements_of(t); i++) count += !sextans_is_bubble(elements[i]);
  if (count == t->memory_rows) return STATUS_OK;
  return status_error(STATUS_CODE_format, "A has %" PRId64 " non-zeros, its place has %" PRId64 " rows", count,
                      t->memory_rows);
}

static uint64_t with_value(uint64_t element, float value) {
  return sextans_element(sextans_element_row(element), sextans_element_column(element), value);
}

static void move_elements(const layout_tensor *t, int64_t part, void *memory, float *user, bool to_device) {
  uint64_t *elements = memory;
  (void)part;
  for (int64_t i = 0, r = 0; i < elements_of(t); i++) {
    if (sextans_is_bubble(elements[i])) continue;
    int64_t at = t->order ? t->order[r] : r;
    bool adds = t->is_repeat && t->is_repeat[r];
    float old = sextans_element_value(elements[i]);
    if (to_device)
      elements[i] = with_value(elements[i], at < 0 ? 0 : user[at]);
    else if (at >= 0)
      user[at] = adds ? user[at] + old : old;
    r++;
  }
}

const layout layout_sextans_a = {.name = "sextans_a",
                                 .machine = &sextans_machine,
                                 .has_stride = true,
                                 .folds = true,
                                 .axis = LAYOUT_NUMBERS,
                                 .fills_weights = true,
                                 .alignment = SEXTANS_BEAT_BYTES,
                                 .count_parts = one_part,
                                 .part_bytes = element_bytes,
                                 .check_memory = check_elements,
                                 .move = move_elements};
