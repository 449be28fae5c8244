/* Reads fields of a graph file, dense or sparse: their shapes, and their values on request.
 *
 * "x" may be stored as a tensor x, as the three tensors x_indptr, x_indices and x_data, or as both.
 * With both, graph_find_field describes the sparse form, and graph_check_forms compares the two. */
#include "data/convert.h"
#include "data/graph.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

typedef struct sparse_tensors {
  const tensor *indptr, *indices, *data;
} sparse_tensors;

/* Finds NAME_indptr, NAME_indices and NAME_data; false when one is missing. */
static bool find_sparse(const graph *g, const char *name, sparse_tensors *out) {
  char full[256];
  const tensor **slots[3] = {&out->indptr, &out->indices, &out->data};
  static const char *const suffixes[3] = {"indptr", "indices", "data"};
  for (int i = 0; i < 3; i++) {
    int length = snprintf(full, sizeof full, "%s_%s", name, suffixes[i]);
    if (length < 0 || (size_t)length >= sizeof full) return false;
    *slots[i] = tensor_set_find(g->tensors, full);
    if (!*slots[i]) return false;
  }
  return true;
}

/* Returns the number of columns of a sparse field. Reads the indices only if neither a dense form
 * nor metadata has the number. */
static int64_t count_columns(const graph *g, const char *name, const sparse_tensors *s) {
  const tensor *dense = tensor_set_find(g->tensors, name);
  if (dense && dense->rank == 2) return dense->dims[1];
  int64_t claimed;
  if (strcmp(name, "x") == 0 && tensor_set_get_metadata_int(g->tensors, "num_features", &claimed) && claimed > 0)
    return claimed;
  int64_t most = -1;
  for (int64_t i = 0; i < s->indices->count; i++) {
    int64_t column = convert_element_i64(s->indices, i);
    if (column > most) most = column;
  }
  return most >= INT32_MAX ? INT32_MAX : most + 1;
}

bool graph_find_field(const graph *g, const char *name, graph_field *out) {
  sparse_tensors s;
  *out = (graph_field){0};
  if (find_sparse(g, name, &s)) {
    int64_t rows = s.indptr->count ? s.indptr->count - 1 : 0;
    *out = (graph_field){.is_sparse = true, .dtype = s.data->dtype, .rank = 2, .nonzeros = s.data->count};
    out->dims[0] = rows;
    out->dims[1] = count_columns(g, name, &s);
    return true;
  }
  const tensor *t = tensor_set_find(g->tensors, name);
  if (!t) return false;
  out->dtype = t->dtype;
  out->rank = t->rank;
  out->nonzeros = -1;
  memcpy(out->dims, t->dims, sizeof out->dims);
  return true;
}

static status check_csr(const graph_csr *m, const char *name) {
  if (m->indptr[0] != 0 || m->indptr[m->rows] != m->nonzeros)
    return status_error(STATUS_CODE_mismatch,
                        "'%s_indptr' goes from %" PRId64 " to %" PRId64 ", expected 0 to %" PRId64, name, m->indptr[0],
                        m->indptr[m->rows], m->nonzeros);
  for (int64_t r = 0; r < m->rows; r++)
    if (m->indptr[r + 1] < m->indptr[r] || m->indptr[r + 1] > m->nonzeros)
      return status_error(STATUS_CODE_mismatch, "'%s_indptr' falls from %" PRId64 " to %" PRId64 " at row %" PRId64,
                          name, m->indptr[r], m->indptr[r + 1], r);
  for (int64_t r = 0; r < m->rows; r++) {
    int64_t before = -1;
    for (int64_t i = m->indptr[r]; i < m->indptr[r + 1]; i++) {
      if (m->indices[i] < 0 || m->indices[i] >= m->columns)
        return status_error(STATUS_CODE_mismatch,
                            "'%s_indices' holds column %d in row %" PRId64 ", expected 0 to %" PRId64, name,
                            m->indices[i], r, m->columns - 1);
      if (m->indices[i] <= before)
        return status_error(STATUS_CODE_mismatch, "'%s_indices' does not rise in row %" PRId64 " (entry %" PRId64 ")",
                            name, r, i);
      before = m->indices[i];
    }
  }
  return STATUS_OK;
}

static status read_csr(const graph *g, arena *a, const char *name, graph_csr *out) {
  sparse_tensors s;
  if (!find_sparse(g, name, &s)) return status_error(STATUS_CODE_mismatch, "has no sparse field '%s'", name);
  if (s.indptr->rank != 1 || s.indptr->count < 1)
    return status_error(STATUS_CODE_mismatch, "'%s_indptr' has shape %s, expected [rows + 1]", name,
                        tensor_shape_text(a, s.indptr));
  if (s.indices->rank != 1 || s.data->rank != 1 || s.indices->count != s.data->count)
    return status_error(STATUS_CODE_mismatch, "'%s_indices' has shape %s and '%s_data' %s, expected equal lists", name,
                        tensor_shape_text(a, s.indices), name, tensor_shape_text(a, s.data));
  *out = (graph_csr){.rows = s.indptr->count - 1, .nonzeros = s.data->count, .columns = count_columns(g, name, &s)};
  RETURN_IF_ERROR(convert_check_is_index(s.indptr));
  RETURN_IF_ERROR(convert_check_is_index(s.indices));
  RETURN_IF_ERROR(convert_to_i64(a, s.indptr, &out->indptr));
  RETURN_IF_ERROR(convert_to_i32(a, s.indices, &out->indices));
  RETURN_IF_ERROR(convert_to_f32(a, s.data, &out->data));
  return check_csr(out, name);
}

status graph_read_csr(const graph *g, arena *a, const char *name, graph_csr *out) {
  return status_context(read_csr(g, a, name, out), "%s", g->name);
}

/* Expands the sparse form to dense rows. */
static status expand_csr(const graph *g, arena *a, const char *name, const float **out) {
  graph_csr m;
  RETURN_IF_ERROR(read_csr(g, a, name, &m));
  int64_t dims[2] = {m.rows, m.columns}, count;
  size_t bytes;
  status s = tensor_measure(DTYPE_F32, 2, dims, &count, &bytes);
  if (s) return status_context(s, "'%s'", name);
  float *dense = arena_try_alloc(a, bytes);
  if (!dense)
    return status_error(STATUS_CODE_memory, "dense '%s' takes %zu bytes, too many for the memory", name, bytes);
  for (int64_t r = 0; r < m.rows; r++)
    for (int64_t i = m.indptr[r]; i < m.indptr[r + 1]; i++) dense[r * m.columns + m.indices[i]] = m.data[i];
  *out = dense;
  return STATUS_OK;
}

status graph_read_dense(const graph *g, arena *a, const char *name, graph_field *field, const float **out) {
  const tensor *t = tensor_set_find(g->tensors, name);
  graph_field found;
  if (!graph_find_field(g, name, &found))
    return status_error(STATUS_CODE_mismatch, "%s: has no field '%s'", g->name, name);
  status s = t ? convert_to_f32(a, t, out) : expand_csr(g, a, name, out);
  if (s) return status_context(s, "%s", g->name);
  if (t) {
    found = (graph_field){.dtype = t->dtype, .rank = t->rank, .nonzeros = -1};
    memcpy(found.dims, t->dims, sizeof found.dims);
  }
  if (field) *field = found;
  return STATUS_OK;
}

/* Whether two values are equal, where a NaN equals a NaN. */
static bool is_same(float a, float b) {
  return a == b || (a != a && b != b);
}

static status compare_forms(const graph *g, arena *a, const char *name) {
  graph_csr m;
  const float *dense;
  const tensor *t = tensor_set_find(g->tensors, name);
  RETURN_IF_ERROR(read_csr(g, a, name, &m));
  if (t->rank != 2 || t->dims[0] != m.rows)
    return status_error(STATUS_CODE_mismatch, "'%s' has shape %s, its sparse form %" PRId64 " rows", name,
                        tensor_shape_text(a, t), m.rows);
  RETURN_IF_ERROR(convert_to_f32(a, t, &dense));
  for (int64_t r = 0; r < m.rows; r++) {
    int64_t i = m.indptr[r];
    for (int64_t c = 0; c < m.columns; c++) {
      float sparse = i < m.indptr[r + 1] && m.indices[i] == c ? m.data[i++] : 0.0f;
      if (!is_same(dense[r * m.columns + c], sparse))
        return status_error(STATUS_CODE_mismatch,
                            "'%s' at [%" PRId64 ", %" PRId64 "] is %g in its dense form and %g in its sparse form",
                            name, r, c, (double)dense[r * m.columns + c], (double)sparse);
    }
  }
  return STATUS_OK;
}

status graph_check_forms(const graph *g, const char *name) {
  sparse_tensors s;
  if (!tensor_set_find(g->tensors, name) || !find_sparse(g, name, &s)) return STATUS_OK;
  arena *a = arena_create();
  status result = status_context(compare_forms(g, a, name), "%s", g->name);
  arena_destroy(a);
  return result;
}
