/* Lists of neighbours. The list of a row has the non-zeros of its row of a matrix in ascending order,
 * then extra neighbours: the row of an addend, the message that is a bias, the parts of a sum. A row
 * whose list would be empty has one neighbour with scale factor 0, a row of zeros, because the device
 * leaves nodes without neighbours alone. */
#include "codegen/agile/program.h"

#include "support/number.h"

#include <inttypes.h>
#include <string.h>

static status no_memory(int64_t rows) {
  return status_error(STATUS_CODE_memory, "no memory for the lists of %" PRId64 " rows", rows);
}

status agile_list_edges(agile_program *p, MlirOperation edges, bool has_values, matrix_csr **out) {
  const char *key = arena_printf(p->arena, "%s %p", has_values ? "values" : "edges", edges.ptr);
  const program_edge_list *list;
  matrix_entries entries;
  *out = map_get_pointer(&p->matrix_of, key);
  if (*out) return STATUS_OK;
  *out = arena_alloc(p->arena, sizeof **out);
  RETURN_IF_ERROR(program_host_edge_list(p->host, edges, &list));
  RETURN_IF_ERROR(matrix_read_entries(p->arena, p->host, list, !has_values && !p->no_data, &entries));
  RETURN_IF_ERROR(matrix_sort(p->arena, &entries, *out));
  map_set_pointer(&p->matrix_of, key, *out);
  return STATUS_OK;
}

status agile_list_identity(agile_program *p, int64_t rows, matrix_csr **out) {
  const char *key = arena_printf(p->arena, "identity %" PRId64, rows);
  *out = map_get_pointer(&p->matrix_of, key);
  if (*out) return STATUS_OK;
  *out = arena_alloc(p->arena, sizeof **out);
  RETURN_IF_ERROR(matrix_identity(p->arena, rows, *out));
  map_set_pointer(&p->matrix_of, key, *out);
  return STATUS_OK;
}

int64_t agile_list_count(const agile_list *l, int64_t row) {
  int64_t own = l->m ? l->m->pos[row + 1] - l->m->pos[row] : 0;
  return number_max(own + l->num_extras, 1);
}

/* Sets where the list of each row begins, and the rows whose lists are within reach of one base. */
static status place_lists(agile_program *p, agile_list *l) {
  const int64_t most = INT64_C(1) << AGILE_LIST_BITS;
  int64_t begin = 0;
  l->first = arena_try_alloc_array(p->arena, (size_t)l->rows + 2, sizeof *l->first);
  l->chunk = arena_try_alloc_array(p->arena, (size_t)l->rows + 2, sizeof *l->chunk);
  if (!l->first || !l->chunk) return no_memory(l->rows);
  for (int64_t r = 0; r < l->rows; r++) {
    l->first[r + 1] = l->first[r] + number_round_up(agile_list_count(l, r), AGILE_BEAT_WORDS);
    if ((l->first[r] - l->first[begin]) / AGILE_BEAT_WORDS < most) continue;
    l->chunk[++l->num_chunks] = begin = r;
  }
  l->chunk[++l->num_chunks] = l->rows;
  return STATUS_OK;
}

static const char *key_of(agile_program *p, const agile_list *l) {
  text key = {0};
  text_printf(&key, "%p %d %s %" PRId64 " %" PRId64, (const void *)l->m, l->has_values, l->set, l->rows, l->stride);
  if (l->is_fixed) text_printf(&key, " from %" PRIx64, l->messages);
  for (int i = 0; i < l->num_extras; i++)
    text_printf(&key, " %" PRIx64 " %" PRId64 " %p", l->extras[i].address, l->extras[i].stride,
                (const void *)l->extras[i].types.offsets);
  return text_keep(&key, p->arena);
}

static bool has_empty_rows(const agile_list *l) {
  for (int64_t r = 0; r < l->rows && !l->num_extras; r++)
    if (!l->m || l->m->pos[r] == l->m->pos[r + 1]) return true;
  return false;
}

status agile_list_zeros(agile_program *p, agile_constant **out) {
  enum { MOST = 1024 };
  *out = agile_store_find(p, "zeros");
  if (*out) return STATUS_OK;
  return agile_store_constant(p, "zeros", 1, MOST, MOST * (int64_t)sizeof(float),
                              arena_alloc_array(p->arena, MOST, sizeof(float)), out);
}

status agile_list_make(agile_program *p, const agile_list_plan *x, agile_list **out) {
  agile_list *l = arena_alloc(p->arena, sizeof *l);
  agile_constant *zeros;
  *l = (agile_list){.m = x->m, .set = x->set, .rows = x->rows, .stride = x->stride, .num_extras = x->num_extras};
  l->messages = x->messages;
  l->has_values = x->has_values;
  l->extras = arena_alloc_array(p->arena, (size_t)x->num_extras + 1, sizeof *l->extras);
  if (x->num_extras) memcpy(l->extras, x->extras, (size_t)x->num_extras * sizeof *x->extras);
  l->is_fixed = x->num_extras || has_empty_rows(l);
  if (l->is_fixed && !x->num_extras) RETURN_IF_ERROR(agile_list_zeros(p, &zeros));
  const char *key = key_of(p, l);
  agile_list *known = map_get_pointer(&p->list_of, key);
  *out = known ? known : l;
  if (known) return STATUS_OK;
  RETURN_IF_ERROR(place_lists(p, l));
  int64_t bytes = l->first[l->rows] * (int64_t)sizeof(uint32_t);
  l->list_at = sections_reserve(&p->sections, IMAGE_EDGES, bytes);
  if (!l->has_values) l->scale_at = sections_reserve(&p->sections, IMAGE_EDGES, bytes);
  VEC_PUSH(p->arena, &p->lists, l);
  map_set_pointer(&p->list_of, key, l);
  return STATUS_OK;
}

agile_descs *agile_list_descs(agile_program *p, const agile_list *l, int64_t from, int64_t lo, int64_t hi, int64_t f,
                              int64_t o) {
  const char *key =
      arena_printf(p->arena, "%p %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64, (const void *)l, lo, hi, f, o);
  agile_descs *d = map_get_pointer(&p->descs_of, key);
  if (d) return d;
  d = arena_alloc(p->arena, sizeof *d);
  *d = (agile_descs){l, from, lo, hi, f, o, sections_reserve(&p->sections, IMAGE_DESC, (hi - lo) * AGILE_DESC_BYTES)};
  VEC_PUSH(p->arena, &p->descs, d);
  map_set_pointer(&p->descs_of, key, d);
  return d;
}
