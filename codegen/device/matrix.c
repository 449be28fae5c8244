#include "codegen/device/matrix.h"

#include <inttypes.h>
#include <string.h>

static status no_memory(const char *what, int64_t count) {
  return status_error(STATUS_CODE_memory, "no memory for %" PRId64 " %s", count, what);
}

static status read_values(arena *a, program_host *host, const program_edge_list *l, const float **out) {
  const float *weight = NULL;
  float *made = arena_try_alloc_array(a, (size_t)l->edges + 1, sizeof *made);
  if (!made) return no_memory("weights of edges", l->edges);
  if (l->has_weight) RETURN_IF_ERROR(program_host_weights(host, l, &weight));
  for (int64_t i = 0; i < l->edges; i++) made[i] = weight ? weight[i] : 1;
  *out = made;
  return STATUS_OK;
}

status matrix_read_entries(arena *a, program_host *host, const program_edge_list *l, bool has_values,
                           matrix_entries *out) {
  int32_t *row = arena_try_alloc_array(a, (size_t)l->edges + 1, sizeof *row);
  int32_t *col = arena_try_alloc_array(a, (size_t)l->edges + 1, sizeof *col);
  int64_t others = l->edges - l->loops;
  if (!row || !col) return no_memory("edges", l->edges);
  if (others) memcpy(row, l->dst, (size_t)others * sizeof *row);
  if (others) memcpy(col, l->src, (size_t)others * sizeof *col);
  for (int64_t i = 0; i < l->loops; i++) row[others + i] = col[others + i] = l->loop ? l->loop[i] : (int32_t)i;
  *out = (matrix_entries){.rows = l->to_rows, .cols = l->from_rows, .count = l->edges, .row = row, .col = col};
  return has_values ? read_values(a, host, l, &out->value) : STATUS_OK;
}

/* Sets order[begin[key[i]] ..] to the i-th index, stable; begin has count + 1 numbers. */
static void sort_by(const int32_t *key, const int32_t *from, int64_t entries, int32_t *begin, int64_t keys,
                    int32_t *order) {
  for (int64_t i = 0; i <= keys; i++) begin[i] = 0;
  for (int64_t i = 0; i < entries; i++) begin[key[i] + 1]++;
  for (int64_t i = 0; i < keys; i++) begin[i + 1] += begin[i];
  for (int64_t i = 0; i < entries; i++) {
    int32_t at = from ? from[i] : (int32_t)i;
    order[begin[key[at]]++] = at;
  }
}

/* Sorts entries by column, then by row, stable. */
static status sort_entries(arena *a, const matrix_entries *m, matrix_csr *out) {
  int64_t most = m->rows > m->cols ? m->rows : m->cols;
  int32_t *begin = arena_try_alloc_array(a, (size_t)most + 2, sizeof *begin);
  int32_t *by_col = arena_try_alloc_array(a, (size_t)m->count + 1, sizeof *by_col);
  int32_t *by_row = arena_try_alloc_array(a, (size_t)m->count + 1, sizeof *by_row);
  int32_t *pos = arena_try_alloc_array(a, (size_t)m->rows + 1, sizeof *pos);
  int32_t *col = arena_try_alloc_array(a, (size_t)m->count + 1, sizeof *col);
  if (!begin || !by_col || !by_row || !pos || !col) return no_memory("non-zeros", m->count);
  sort_by(m->col, NULL, m->count, begin, m->cols, by_col);
  sort_by(m->row, by_col, m->count, begin, m->rows, by_row);
  for (int64_t i = 0; i < m->count; i++) {
    pos[m->row[i] + 1]++;
    col[i] = m->col[by_row[i]];
  }
  for (int64_t r = 0; r < m->rows; r++) pos[r + 1] += pos[r];
  out->pos = pos;
  out->col = col;
  out->entry_of = by_row;
  return STATUS_OK;
}

static status sort_values(arena *a, const matrix_entries *m, matrix_csr *out) {
  float *value = arena_try_alloc_array(a, (size_t)m->count + 1, sizeof *value);
  if (!value) return no_memory("non-zeros", m->count);
  for (int64_t i = 0; i < m->count; i++) value[i] = m->value[out->entry_of[i]];
  out->value = value;
  return STATUS_OK;
}

status matrix_sort(arena *a, const matrix_entries *m, matrix_csr *out) {
  *out = (matrix_csr){.rows = m->rows, .cols = m->cols, .count = m->count};
  RETURN_IF_ERROR(sort_entries(a, m, out));
  return m->value ? sort_values(a, m, out) : STATUS_OK;
}

status matrix_identity(arena *a, int64_t rows, matrix_csr *out) {
  int32_t *pos = arena_try_alloc_array(a, (size_t)rows + 1, sizeof *pos);
  float *value = arena_try_alloc_array(a, (size_t)rows + 1, sizeof *value);
  if (!pos || !value) return no_memory("rows", rows);
  for (int64_t i = 0; i <= rows; i++) {
    pos[i] = (int32_t)i;
    value[i] = 1;
  }
  *out = (matrix_csr){rows, rows, rows, pos, pos, value, pos};
  return STATUS_OK;
}

/* Reads a constant whose types have `each` numbers, or one number, each. */
static status read_constant(program_host *host, MlirValue value, int64_t types, int64_t each, program_array *array,
                            bool *is_single) {
  int64_t own = ir_type_of(value).kind == IR_KIND_per ? types : 1;
  RETURN_IF_ERROR(program_host_evaluate(host, value, array));
  int64_t have = array->rows * array->width;
  *is_single = own && have == own && each != 1;
  if (!own || have == own * each || *is_single) return STATUS_OK;
  return status_error(STATUS_CODE_mismatch, "a constant has %" PRId64 " numbers, its product takes %" PRId64, have,
                      own * each);
}

status matrix_read_weights(arena *a, program_host *host, MlirValue w, bool is_transposed, int64_t types, int64_t k,
                           int64_t n, const float **out) {
  int64_t each = k * n, own = ir_type_of(w).kind == IR_KIND_per;
  program_array array;
  bool is_single;
  *out = NULL;
  RETURN_IF_ERROR(read_constant(host, w, types, each, &array, &is_single));
  if (!types) return STATUS_OK;
  float *made = arena_try_alloc_array(a, (size_t)(types * each) + 1, sizeof *made);
  if (!made) return no_memory("weights", types * each);
  for (int64_t t = 0; t < types; t++)
    for (int64_t i = 0; i < k; i++)
      for (int64_t j = 0; j < n; j++) {
        int64_t at = is_single ? 0 : is_transposed ? j * k + i : i * n + j;
        made[(t * k + i) * n + j] = array.data[own * t * (is_single ? 1 : each) + at];
      }
  *out = made;
  return STATUS_OK;
}

status matrix_read_bias(arena *a, program_host *host, MlirValue bias, int64_t types, int64_t n, const float **out) {
  return matrix_read_weights(a, host, bias, false, types, 1, n, out);
}

status matrix_read_rows(program_host *host, MlirValue rows, bool has_data, const float **out, bool *is_found) {
  MlirOperation op = ir_defining_op(rows);
  const int32_t *order = NULL;
  program_array array = {0};
  int64_t count;
  *out = NULL;
  *is_found = false;
  if (ir_op_kind(op) != IR_OP(device, constant)) return STATUS_OK;
  RETURN_IF_ERROR(program_host_set_order(host, ir_type_of(rows).set, &order));
  if (order) return STATUS_OK;
  RETURN_IF_ERROR(program_host_set_rows(host, ir_type_of(rows).set, &count));
  if (has_data) RETURN_IF_ERROR(program_host_evaluate(host, mlirOperationGetOperand(op, 0), &array));
  *is_found = !has_data || array.rows * array.width == count * ir_type_of(rows).dims[0];
  *out = array.data;
  return STATUS_OK;
}
