/* Makes the lists of a matrix whose entries are all non-zeros. Row r belongs to PE r mod 64, and a
 * PE goes through its rows column by column, so that the non-zeros of a row are as many slots apart
 * as the PE has rows:
 *
 *   slot c * rows + l of a window    column c of the window, row l of the PE
 *
 * No schedule is shorter where a PE has at least D rows, and none needs to be searched for. */
#include "codegen/sextans/lists_private.h"

#include "isa/sextans/timing.h"
#include "support/number.h"

#include <inttypes.h>

typedef struct dense_block {
  int64_t first, rows, cols; /* rows first .. of the matrix */
  int64_t each, window;      /* rows of a PE, columns of a window */
  sextans_lists *out;
  int32_t *entry_of, *begin; /* begin: [channels] first non-zero of each channel */
} dense_block;

/* PEs of a channel in the order of their lanes. */
static int pe_of(int64_t channel, int lane) {
  return (int)channel + SEXTANS_A_CHANNELS * sextans_lane(lane);
}

static int64_t rows_of_pe(const dense_block *b, int pe) {
  return b->rows > pe ? sextans_ceil(b->rows - pe, SEXTANS_PES) : 0;
}

static void fill_channel(void *data, int64_t channel) {
  const dense_block *b = data;
  int64_t at = b->begin[channel], elements = b->out->slots * SEXTANS_LANES;
  uint64_t *a = b->out->a + channel * elements;
  for (int64_t c = 0; c < b->cols; c++)
    for (int64_t l = 0; l < b->each; l++)
      for (int lane = 0; lane < SEXTANS_LANES; lane++, a++) {
        int64_t row = pe_of(channel, lane) + SEXTANS_PES * l;
        *a = SEXTANS_BUBBLE;
        if (row >= b->rows) continue;
        *a = sextans_element((uint32_t)l, (uint32_t)(c % b->window), 0);
        b->entry_of[at++] = (int32_t)((b->first + row) * b->cols + c);
      }
}

static status make_block(arena *a, const sextans_device *d, const sextans_lists_options *o, dense_block *b) {
  sextans_lists *out = b->out;
  size_t count = (size_t)(b->rows * b->cols), elements;
  *out = (sextans_lists){.rows = b->rows, .cols = b->cols, .count = b->rows * b->cols};
  out->windows = sextans_ceil(b->cols, b->window);
  out->slots = b->each * b->cols;
  elements = (size_t)(out->slots * SEXTANS_LANES * SEXTANS_A_CHANNELS);
  int32_t *q = arena_try_alloc_array(a, (size_t)out->windows + 1, sizeof *q);
  int32_t *row_of = arena_try_alloc_array(a, (size_t)b->rows + 1, sizeof *row_of);
  b->entry_of = arena_try_alloc_array(a, count + 1, sizeof *b->entry_of);
  out->a = arena_try_alloc_array(a, elements + 1, sizeof *out->a);
  if (!q || !row_of || !b->entry_of || !out->a)
    return status_error(STATUS_CODE_memory, "no memory for the lists of %zu numbers", count);
  for (int64_t w = 0; w < out->windows; w++) {
    int64_t columns = number_min(b->window, b->cols - w * b->window);
    q[w + 1] = q[w] + (int32_t)(b->each * columns);
    out->ideal += number_ceil_div(b->rows * columns, SEXTANS_PES);
  }
  for (int64_t r = 0; r < b->rows; r++) row_of[r] = (int32_t)(b->first + r);
  int32_t begin[SEXTANS_A_CHANNELS + 1] = {0};
  for (int c = 0; c < SEXTANS_A_CHANNELS; c++) {
    begin[c + 1] = begin[c];
    for (int lane = 0; lane < SEXTANS_LANES; lane++) begin[c + 1] += (int32_t)(rows_of_pe(b, pe_of(c, lane)) * b->cols);
  }
  b->begin = begin;
  if (o->pool)
    thread_pool_for_parts(o->pool, SEXTANS_A_CHANNELS, fill_channel, b);
  else
    for (int64_t c = 0; c < SEXTANS_A_CHANNELS; c++) fill_channel(b, c);
  out->q = q;
  out->row_of = row_of;
  out->entry_of = b->entry_of;
  out->cycles = sextans_launch_cycles(d, out->rows, out->cols, number_max(o->n, 1), out->windows, q);
  return STATUS_OK;
}

static int64_t count_blocks(const sextans_device *d, int64_t rows) {
  return number_ceil_div(rows, SEXTANS_PES * (int64_t)d->depth);
}

bool sextans_lists_suits_dense(const sextans_device *d, int64_t rows) {
  int64_t least = rows / number_max(count_blocks(d, rows), 1); /* rows of the smallest block */
  return sextans_ceil(least, SEXTANS_PES) >= d->distance;
}

status sextans_lists_build_dense(arena *a, const sextans_device *d, int64_t rows, int64_t cols,
                                 const sextans_lists_options *o, sextans_lists **out, int64_t *num_blocks) {
  int64_t blocks = count_blocks(d, rows);
  *num_blocks = blocks;
  *out = arena_alloc_array(a, (size_t)blocks + 1, sizeof **out);
  if (cols && rows > INT32_MAX / cols)
    return status_error(STATUS_CODE_unsupported, "a matrix of %" PRId64 " x %" PRId64 " numbers, expected at most 2^31",
                        rows, cols);
  for (int64_t i = 0; i < blocks; i++) {
    dense_block b = {.cols = cols, .window = sextans_window(d), .out = *out + i};
    int64_t end;
    thread_pool_cut(rows, (int)i, (int)blocks, &b.first, &end);
    b.rows = end - b.first;
    b.each = sextans_ceil(b.rows, SEXTANS_PES);
    RETURN_IF_ERROR(make_block(a, d, o, &b));
  }
  return STATUS_OK;
}
