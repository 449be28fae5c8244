/* Makes sparse features: sorts each row and adds up the entries of a column, which numpy and Matrix
 * Market allow. */
#include "data/feature_rows.h"

#include <assert.h>
#include <stdlib.h>

static status no_memory(void) {
  return status_error(STATUS_CODE_memory, "the features do not fit into memory");
}

status feature_rows_begin(arena *a, tensor_set *set, int64_t rows, int64_t most, feature_rows *out) {
  void *indptr;
  *out = (feature_rows){.set = set, .entries = arena_try_alloc_array(a, (size_t)most + 1, sizeof *out->entries)};
  if (!out->entries) return no_memory();
  RETURN_IF_ERROR(tensor_set_add(set, "x_indptr", DTYPE_I64, 1, (int64_t[]){rows + 1}, &indptr));
  out->indptr = indptr;
  return STATUS_OK;
}

static int compare_entries(const void *a, const void *b) {
  int32_t x = ((const feature_entry *)a)->column, y = ((const feature_entry *)b)->column;
  return (x > y) - (x < y);
}

void feature_rows_add(feature_rows *f, const int32_t *columns, const float *values, int64_t count) {
  feature_entry *row = f->entries + f->kept;
  int64_t kept = 0;
  for (int64_t i = 0; i < count; i++) row[i] = (feature_entry){columns[i], values[i]};
  qsort(row, (size_t)count, sizeof *row, compare_entries);
  for (int64_t i = 0; i < count; i++) {
    if (kept && row[kept - 1].column == row[i].column)
      row[kept - 1].value += row[i].value;
    else
      row[kept++] = row[i];
  }
  f->kept += kept;
  f->indptr[++f->rows] = f->kept;
}

status feature_rows_finish(feature_rows *f, int64_t columns) {
  void *indices, *data;
  RETURN_IF_ERROR(tensor_set_add(f->set, "x_indices", DTYPE_I32, 1, &f->kept, &indices));
  RETURN_IF_ERROR(tensor_set_add(f->set, "x_data", DTYPE_F32, 1, &f->kept, &data));
  for (int64_t i = 0; i < f->kept; i++) {
    ((int32_t *)indices)[i] = f->entries[i].column;
    ((float *)data)[i] = f->entries[i].value;
  }
  tensor_set_put_metadata_int(f->set, "num_features", columns);
  return STATUS_OK;
}

status feature_rows_add_matrix(arena *a, const sparse_matrix *m, tensor_set *set) {
  int64_t *begin = arena_try_alloc_array(a, (size_t)m->rows + 2, sizeof *begin);
  int32_t *columns = arena_try_alloc_array(a, (size_t)m->count + 1, sizeof *columns);
  float *values = arena_try_alloc_array(a, (size_t)m->count + 1, sizeof *values);
  feature_rows f;
  if (!begin || !columns || !values) return no_memory();
  RETURN_IF_ERROR(feature_rows_begin(a, set, m->rows, m->count, &f));
  for (int64_t i = 0; i < m->count; i++) begin[m->row[i] + 2]++;
  for (int64_t r = 0; r < m->rows; r++) begin[r + 2] += begin[r + 1];
  for (int64_t i = 0; i < m->count; i++) {
    int64_t at = begin[m->row[i] + 1]++;
    columns[at] = m->column[i];
    values[at] = m->value[i];
  }
  for (int64_t r = 0; r < m->rows; r++)
    feature_rows_add(&f, columns + begin[r], values + begin[r], begin[r + 1] - begin[r]);
  assert(f.rows == m->rows);
  return feature_rows_finish(&f, m->columns);
}
