/* Makes S: edge lists become CSR matrices with ascending columns in each row, as the published
 * design reads them. */
#include "codegen/fusedgcn/program.h"

#include <inttypes.h>

static status no_memory(int64_t count) {
  return status_error(STATUS_CODE_memory, "no memory for a matrix of %" PRId64 " non-zeros", count);
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
static status sort_entries(arena *a, const matrix_entries *m, fusedgcn_sparse *out) {
  int64_t most = m->rows > m->cols ? m->rows : m->cols;
  int32_t *begin = arena_try_alloc_array(a, (size_t)most + 2, sizeof *begin);
  int32_t *by_col = arena_try_alloc_array(a, (size_t)m->count + 1, sizeof *by_col);
  int32_t *by_row = arena_try_alloc_array(a, (size_t)m->count + 1, sizeof *by_row);
  int32_t *pos = arena_try_alloc_array(a, (size_t)m->rows + 1, sizeof *pos);
  int32_t *col = arena_try_alloc_array(a, (size_t)m->count + 1, sizeof *col);
  if (!begin || !by_col || !by_row || !pos || !col) return no_memory(m->count);
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

static status sort_values(arena *a, const matrix_entries *m, fusedgcn_sparse *out) {
  float *value = arena_try_alloc_array(a, (size_t)m->count + 1, sizeof *value);
  if (!value) return no_memory(m->count);
  for (int64_t i = 0; i < m->count; i++) value[i] = m->value[out->entry_of[i]];
  out->value = value;
  return STATUS_OK;
}

/* Reserves room for a matrix. */
static void keep(fusedgcn_program *p, const char *key, fusedgcn_sparse *s) {
  s->pos_at = fusedgcn_store_reserve(p, IMAGE_EDGES, (s->rows + 1) * (int64_t)sizeof *s->pos);
  s->col_at = fusedgcn_store_reserve(p, IMAGE_EDGES, s->count * (int64_t)sizeof *s->col);
  if (!s->has_values) s->value_at = fusedgcn_store_reserve(p, IMAGE_EDGES, s->count * (int64_t)sizeof(uint16_t));
  VEC_PUSH(p->arena, &p->sparse, s);
  map_set_pointer(&p->sparse_of, key, s);
}

status fusedgcn_sparse_of_edges(fusedgcn_program *p, MlirOperation edges, bool has_values, fusedgcn_sparse **out) {
  const char *key = arena_printf(p->arena, "%s %p", has_values ? "values" : "edges", edges.ptr);
  const program_edge_list *list;
  matrix_entries m;
  *out = map_get_pointer(&p->sparse_of, key);
  if (*out) return STATUS_OK;
  RETURN_IF_ERROR(program_host_edge_list(p->host, edges, &list));
  RETURN_IF_ERROR(matrix_read_entries(p->arena, p->host, list, !has_values && !p->no_data, &m));
  fusedgcn_sparse *s = arena_alloc(p->arena, sizeof *s);
  *s = (fusedgcn_sparse){.rows = m.rows, .cols = m.cols, .count = m.count, .has_values = has_values};
  RETURN_IF_ERROR(sort_entries(p->arena, &m, s));
  if (m.value) RETURN_IF_ERROR(sort_values(p->arena, &m, s));
  keep(p, key, s);
  *out = s;
  return STATUS_OK;
}

status fusedgcn_sparse_identity(fusedgcn_program *p, int64_t rows, fusedgcn_sparse **out) {
  const char *key = arena_printf(p->arena, "identity %" PRId64, rows);
  *out = map_get_pointer(&p->sparse_of, key);
  if (*out) return STATUS_OK;
  fusedgcn_sparse *s = arena_alloc(p->arena, sizeof *s);
  int32_t *pos = arena_try_alloc_array(p->arena, (size_t)rows + 1, sizeof *pos);
  float *value = arena_try_alloc_array(p->arena, (size_t)rows + 1, sizeof *value);
  if (!pos || !value) return no_memory(rows);
  for (int64_t i = 0; i <= rows; i++) {
    pos[i] = (int32_t)i;
    value[i] = 1;
  }
  *s = (fusedgcn_sparse){
      .rows = rows, .cols = rows, .count = rows, .pos = pos, .col = pos, .value = value, .entry_of = pos};
  keep(p, key, s);
  *out = s;
  return STATUS_OK;
}
