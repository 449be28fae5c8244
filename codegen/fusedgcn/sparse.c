/* Makes S: edge lists become CSR matrices with ascending columns in each row, as the published
 * design reads them. */
#include "codegen/fusedgcn/program.h"

#include <inttypes.h>

/* Reserves room for a matrix. */
static fusedgcn_sparse *keep(fusedgcn_program *p, const char *key, const matrix_csr *m, bool has_values) {
  fusedgcn_sparse *s = arena_alloc(p->arena, sizeof *s);
  *s = (fusedgcn_sparse){.m = *m, .has_values = has_values};
  s->pos_at = sections_reserve(&p->sections, IMAGE_EDGES, (m->rows + 1) * (int64_t)sizeof *m->pos);
  s->col_at = sections_reserve(&p->sections, IMAGE_EDGES, m->count * (int64_t)sizeof *m->col);
  if (!has_values) s->value_at = sections_reserve(&p->sections, IMAGE_EDGES, m->count * (int64_t)sizeof(uint16_t));
  VEC_PUSH(p->arena, &p->sparse, s);
  map_set_pointer(&p->sparse_of, key, s);
  return s;
}

status fusedgcn_sparse_of_edges(fusedgcn_program *p, MlirOperation edges, bool has_values, fusedgcn_sparse **out) {
  const char *key = arena_printf(p->arena, "%s %p", has_values ? "values" : "edges", edges.ptr);
  const program_edge_list *list;
  matrix_entries entries;
  matrix_csr m;
  *out = map_get_pointer(&p->sparse_of, key);
  if (*out) return STATUS_OK;
  RETURN_IF_ERROR(program_host_edge_list(p->host, edges, &list));
  RETURN_IF_ERROR(matrix_read_entries(p->arena, p->host, list, !has_values && !p->no_data, &entries));
  RETURN_IF_ERROR(matrix_sort(p->arena, &entries, &m));
  *out = keep(p, key, &m, has_values);
  return STATUS_OK;
}

status fusedgcn_sparse_identity(fusedgcn_program *p, int64_t rows, fusedgcn_sparse **out) {
  const char *key = arena_printf(p->arena, "identity %" PRId64, rows);
  matrix_csr m;
  *out = map_get_pointer(&p->sparse_of, key);
  if (*out) return STATUS_OK;
  RETURN_IF_ERROR(matrix_identity(p->arena, rows, &m));
  *out = keep(p, key, &m, false);
  return STATUS_OK;
}
