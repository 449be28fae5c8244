/* Sparse matrices from tensors: entries of an importer, the CSR form of a matrix, or the edges of a
 * graph. */
#include "data/sparse_matrix.h"

#include "data/convert.h"
#include "data/graph.h"

#include <inttypes.h>
#include <string.h>

/* The entries before zeros are dropped; the columns of a matrix in CSR form are still unchecked. */
typedef struct entries {
  int64_t rows, columns, count;
  const int32_t *row, *column;
  const float *value; /* NULL: all are 1 */
} entries;

/* ---- the CSR form ---- */

static status find_size(const tensor_set *set, const char *key, int64_t fallback, int64_t *out) {
  *out = fallback;
  if (!tensor_set_get_metadata(set, key)) return STATUS_OK;
  if (tensor_set_get_metadata_int(set, key, out) && *out >= 0 && *out <= INT32_MAX) return STATUS_OK;
  return status_error(STATUS_CODE_mismatch, "metadata %s is '%s', expected 0 to %d", key,
                      tensor_set_get_metadata(set, key), INT32_MAX);
}

static status check_range(const tensor *t, const int32_t *places, int64_t size) {
  for (int64_t i = 0; i < t->count; i++)
    if (places[i] < 0 || places[i] >= size)
      return status_error(STATUS_CODE_mismatch, "'%s' holds %d at %" PRId64 ", expected 0 to %" PRId64, t->name,
                          places[i], i, size - 1);
  return STATUS_OK;
}

/* Writes the row of each entry. */
static status expand_rows(arena *a, const int64_t *indptr, entries *e) {
  int32_t *row = arena_try_alloc_array(a, (size_t)e->count + 1, sizeof *row);
  if (!row) return status_error(STATUS_CODE_memory, "%" PRId64 " entries do not fit into memory", e->count);
  for (int64_t r = 0; r < e->rows; r++) {
    if (indptr[r] > indptr[r + 1] || indptr[r + 1] > e->count)
      return status_error(STATUS_CODE_mismatch,
                          "'adj_indptr' goes from %" PRId64 " to %" PRId64 " at row %" PRId64
                          ", expected numbers that rise to the %" PRId64 " entries",
                          indptr[r], indptr[r + 1], r, e->count);
    for (int64_t i = indptr[r]; i < indptr[r + 1]; i++) row[i] = (int32_t)r;
  }
  e->row = row;
  return STATUS_OK;
}

static status read_csr(arena *a, const tensor_set *set, entries *e) {
  const tensor *indptr = tensor_set_find(set, "adj_indptr"), *indices = tensor_set_find(set, "adj_indices");
  const tensor *data = tensor_set_find(set, "adj_data");
  const int64_t *starts;
  int64_t claimed;
  if (!indptr || !indices)
    return status_error(STATUS_CODE_mismatch, "has no matrix: neither 'edge_index' nor 'adj_indptr' and 'adj_indices'");
  RETURN_IF_ERROR(convert_check_is_index(indptr));
  RETURN_IF_ERROR(convert_check_is_index(indices));
  RETURN_IF_ERROR(convert_to_i64(a, indptr, &starts));
  RETURN_IF_ERROR(convert_to_i32(a, indices, &e->column));
  if (data) RETURN_IF_ERROR(convert_to_f32(a, data, &e->value));
  e->count = indices->count;
  e->rows = indptr->count - 1;
  if (e->rows < 0 || e->rows > INT32_MAX || (data && data->count != e->count))
    return status_error(STATUS_CODE_mismatch,
                        "the shapes of 'adj_indptr', 'adj_indices' and 'adj_data' do not fit together");
  if (starts[0] != 0 || starts[e->rows] != e->count)
    return status_error(STATUS_CODE_mismatch,
                        "'adj_indptr' goes from %" PRId64 " to %" PRId64 ", expected 0 to %" PRId64, starts[0],
                        starts[e->rows], e->count);
  RETURN_IF_ERROR(find_size(set, "rows", e->rows, &claimed));
  if (claimed != e->rows)
    return status_error(STATUS_CODE_mismatch, "metadata rows is %" PRId64 ", 'adj_indptr' has %" PRId64 " rows",
                        claimed, e->rows);
  int64_t most = -1;
  for (int64_t i = 0; i < e->count; i++) most = e->column[i] > most ? e->column[i] : most;
  RETURN_IF_ERROR(find_size(set, "cols", most < INT32_MAX ? most + 1 : most, &e->columns));
  RETURN_IF_ERROR(check_range(indices, e->column, e->columns));
  return expand_rows(a, starts, e);
}

/* ---- other tensors ---- */

/* The entries of an importer, or of a file that has the same tensors. */
static status read_entries(arena *a, const tensor_set *set, entries *e) {
  const tensor *row = tensor_set_find(set, "entry_row"), *column = tensor_set_find(set, "entry_column");
  const tensor *value = tensor_set_find(set, "entry_value");
  if (!column || !value || row->count != column->count || row->count != value->count)
    return status_error(STATUS_CODE_mismatch,
                        "the shapes of 'entry_row', 'entry_column' and 'entry_value' do not fit together");
  e->count = row->count;
  RETURN_IF_ERROR(convert_check_is_index(row));
  RETURN_IF_ERROR(convert_check_is_index(column));
  RETURN_IF_ERROR(convert_to_i32(a, row, &e->row));
  RETURN_IF_ERROR(convert_to_i32(a, column, &e->column));
  RETURN_IF_ERROR(convert_to_f32(a, value, &e->value));
  RETURN_IF_ERROR(find_size(set, "rows", 0, &e->rows));
  RETURN_IF_ERROR(find_size(set, "cols", 0, &e->columns));
  RETURN_IF_ERROR(check_range(row, e->row, e->rows));
  return check_range(column, e->column, e->columns);
}

static status read_graph(arena *a, tensor_set *set, entries *e) {
  graph *g;
  RETURN_IF_ERROR(graph_create(set, &g));
  size_t bytes = (size_t)g->num_edges * sizeof *g->src;
  int32_t *ends[2] = {arena_try_alloc(a, bytes + 1), arena_try_alloc(a, bytes + 1)};
  float *value = g->edge_weight ? arena_try_alloc(a, bytes + 1) : NULL;
  bool has_memory = ends[0] && ends[1] && (value || !g->edge_weight);
  if (has_memory && bytes) {
    memcpy(ends[0], g->dst, bytes);
    memcpy(ends[1], g->src, bytes);
    if (value) memcpy(value, g->edge_weight, bytes);
  }
  *e = (entries){g->num_nodes, g->num_nodes, g->num_edges, ends[0], ends[1], value};
  graph_close(g);
  return has_memory ? STATUS_OK : status_error(STATUS_CODE_memory, "the edges do not fit into memory");
}

/* Copies the entries that are not +0.0 to the arena. */
static status keep_entries(arena *a, const entries *e, sparse_matrix *out) {
  if (e->count > INT32_MAX)
    return status_error(STATUS_CODE_unsupported, "%" PRId64 " entries, at most %d are supported", e->count, INT32_MAX);
  size_t room = (size_t)e->count + 1;
  int32_t *row = arena_try_alloc_array(a, room, sizeof *row), *column = arena_try_alloc_array(a, room, sizeof *column);
  float *value = arena_try_alloc_array(a, room, sizeof *value);
  if (!row || !column || !value)
    return status_error(STATUS_CODE_memory, "%" PRId64 " entries do not fit into memory", e->count);
  int64_t kept = 0;
  for (int64_t i = 0; i < e->count; i++) {
    float v = e->value ? e->value[i] : 1;
    uint32_t bits;
    memcpy(&bits, &v, sizeof bits);
    if (!bits) continue;
    row[kept] = e->row[i];
    column[kept] = e->column[i];
    value[kept++] = v;
  }
  *out = (sparse_matrix){e->rows, e->columns, kept, row, column, value, e->count - kept};
  return STATUS_OK;
}

status sparse_matrix_of_tensors(arena *a, tensor_set *set, sparse_matrix *out) {
  bool is_graph = tensor_set_find(set, "edge_index") != NULL;
  arena *scratch = arena_create();
  entries e = {0};
  status s = tensor_set_find(set, "entry_row") ? read_entries(scratch, set, &e)
             : is_graph                        ? read_graph(scratch, set, &e)
                                               : read_csr(scratch, set, &e);
  if (!s) s = keep_entries(a, &e, out);
  arena_destroy(scratch);
  return is_graph ? s : status_context(s, "%s", set->name);
}

status sparse_matrix_read(arena *a, const char *path, load_format format, thread_pool *pool, sparse_matrix *out) {
  load_format likely = format == LOAD_FORMAT_unknown ? load_guess_format(path) : format;
  bool is_named = likely == LOAD_FORMAT_triples; /* nodes of triples have names */
  import_options options = {.is_matrix = true, .keeps_ids = !is_named, .pool = pool};
  arena *scratch = arena_create();
  tensor_set *set = NULL;
  status s = load_tensors(scratch, path, format, &options, &set);
  if (!s) s = sparse_matrix_of_tensors(a, set, out);
  tensor_set_destroy(set);
  arena_destroy(scratch);
  return s;
}
