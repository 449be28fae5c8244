/* Sorts the entries of a matrix by row and column, numbers the columns that have entries, and finds
 * the runs: the non-zeros of a row within a window.
 *
 *   row 3: columns 1, 5, 4097, 4098    =>    runs (window 0, 2 non-zeros), (window 1, 2 non-zeros) */
#include "codegen/sextans/lists_private.h"

#include <inttypes.h>

static bool is_plus_zero(const sextans_matrix *m, int64_t i) {
  uint32_t bits;
  if (!m->value) return false;
  memcpy(&bits, &m->value[i], sizeof bits);
  return !bits;
}

static status check_sizes(const sextans_matrix *m) {
  if (m->rows <= INT32_MAX && m->cols <= INT32_MAX && m->count <= INT32_MAX) return STATUS_OK;
  return status_error(STATUS_CODE_unsupported,
                      "%" PRId64 " rows, %" PRId64 " columns and %" PRId64
                      " non-zeros, expected less than 2^31 of each",
                      m->rows, m->cols, m->count);
}

static status check_indices(const sextans_matrix *m) {
  for (int64_t i = 0; i < m->count; i++)
    if (m->row[i] < 0 || m->row[i] >= m->rows || m->col[i] < 0 || m->col[i] >= m->cols)
      return status_error(STATUS_CODE_mismatch,
                          "entry %" PRId64 " is at row %d, column %d, but the matrix has %" PRId64 " rows and %" PRId64
                          " columns",
                          i, m->row[i], m->col[i], m->rows, m->cols);
  return STATUS_OK;
}

static void *room(arena *a, int64_t count, size_t size) {
  return arena_try_alloc_array(a, (size_t)count + 1, size);
}

/* Sorts entries `from` (NULL: all that are kept) stably by a key into `to`. */
static status sort_by(arena *a, const sextans_matrix *m, const int32_t *key, int64_t keys, const int32_t *from,
                      int64_t count, bool keeps_zeros, int32_t *to) {
  int64_t *at = room(a, keys, sizeof *at);
  if (!at) return status_error(STATUS_CODE_memory, "no memory for %" PRId64 " rows or columns of a matrix", keys);
  for (int64_t i = 0; i < count; i++) {
    int64_t e = from ? from[i] : i;
    if (from || keeps_zeros || !is_plus_zero(m, e)) at[key[e] + 1]++;
  }
  for (int64_t k = 0; k < keys; k++) at[k + 1] += at[k];
  for (int64_t i = 0; i < count; i++) {
    int64_t e = from ? from[i] : i;
    if (from || keeps_zeros || !is_plus_zero(m, e)) to[at[key[e]]++] = (int32_t)e;
  }
  return STATUS_OK;
}

/* Numbers the columns that have entries, in ascending order. */
static status number_columns(arena *a, arena *scratch, const sextans_matrix *m, bool keeps_columns, list_entries *e) {
  int32_t *number = room(scratch, m->cols, sizeof *number);
  if (!number) return status_error(STATUS_CODE_memory, "no memory for %" PRId64 " columns", m->cols);
  for (int64_t i = 0; i < e->count; i++) number[m->col[e->entry[i]]] = 1;
  e->cols = 0;
  for (int64_t k = 0; k < m->cols; k++) e->cols += number[k];
  if (keeps_columns || e->cols == m->cols) {
    e->cols = m->cols;
    for (int64_t i = 0; i < e->count; i++) e->col[i] = m->col[e->entry[i]];
    return STATUS_OK;
  }
  e->column_of = room(a, e->cols, sizeof *e->column_of);
  if (!e->column_of) return status_error(STATUS_CODE_memory, "no memory for %" PRId64 " columns", m->cols);
  int32_t next = 0;
  for (int64_t k = 0; k < m->cols; k++) {
    if (!number[k]) continue;
    e->column_of[next] = (int32_t)k;
    number[k] = next++;
  }
  for (int64_t i = 0; i < e->count; i++) e->col[i] = number[m->col[e->entry[i]]];
  return STATUS_OK;
}

static status find_runs(arena *a, const sextans_matrix *m, list_entries *e) {
  list_runs *r = &e->runs;
  int32_t window = (int32_t)e->window;
  r->ptr = room(a, e->rows + 1, sizeof *r->ptr);
  r->window = room(a, e->count, sizeof *r->window);
  r->count = room(a, e->count, sizeof *r->count);
  r->begin = room(a, e->count, sizeof *r->begin);
  if (!r->ptr || !r->window || !r->count || !r->begin)
    return status_error(STATUS_CODE_memory, "no memory for %" PRId64 " non-zeros", e->count);
  int64_t runs = -1, at = 0;
  for (int64_t row = 0; row < e->rows; row++) {
    r->ptr[row] = runs + 1;
    for (int32_t last = -1; at < e->count && m->row[e->entry[at]] == row; at++) {
      int32_t w = e->col[at] / window;
      if (w != last) {
        r->window[++runs] = w;
        r->begin[runs] = at;
        last = w;
      }
      r->count[runs]++;
    }
  }
  r->ptr[e->rows] = runs + 1;
  return STATUS_OK;
}

status sextans_sort_entries(arena *a, arena *scratch, const sextans_device *d, const sextans_matrix *m,
                            bool keeps_zeros, bool keeps_columns, list_entries *out) {
  RETURN_IF_ERROR(check_sizes(m));
  RETURN_IF_ERROR(check_indices(m));
  *out = (list_entries){.rows = m->rows, .window = sextans_window(d)};
  int32_t *by_column = room(scratch, m->count, sizeof *by_column);
  out->entry = room(scratch, m->count, sizeof *out->entry);
  out->col = room(scratch, m->count, sizeof *out->col);
  if (!by_column || !out->entry || !out->col)
    return status_error(STATUS_CODE_memory, "no memory for %" PRId64 " non-zeros", m->count);
  for (int64_t i = 0; i < m->count; i++) out->count += keeps_zeros || !is_plus_zero(m, i);
  RETURN_IF_ERROR(sort_by(scratch, m, m->col, m->cols, NULL, m->count, keeps_zeros, by_column));
  RETURN_IF_ERROR(sort_by(scratch, m, m->row, m->rows, by_column, out->count, true, out->entry));
  RETURN_IF_ERROR(number_columns(a, scratch, m, keeps_columns, out));
  out->windows = sextans_ceil(out->cols, out->window);
  return find_runs(scratch, m, out);
}
