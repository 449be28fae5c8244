/* Reads tensors from files in the form that the tables of a model require: see inputs.h. */
#include "runtime/inputs.h"

#include "data/convert.h"
#include "data/tensor_stack.h"
#include "support/text.h"

#include <string.h>

static int64_t count_nodes(const graph *g, int64_t type) {
  int64_t count = 0;
  for (int64_t n = 0; g->node_type && n < g->num_nodes; n++) count += g->node_type[n] == type;
  return count;
}

int64_t inputs_rows(const gnnc_tensor_info *info, const graph *g) {
  switch (info->rows) {
  case GNNC_ROWS_NODE: return g->num_nodes;
  case GNNC_ROWS_EDGE: return g->num_edges;
  case GNNC_ROWS_GRAPH: return g->batch || g->num_graphs ? g->num_graphs : 1;
  case GNNC_ROWS_ETYPE:
  case GNNC_ROWS_NTYPE: return info->count;
  case GNNC_ROWS_PART: return count_nodes(g, info->count);
  default: return 1;
  }
}

int64_t inputs_row_elements(const gnnc_tensor_info *info) {
  int64_t count = 1;
  for (int32_t i = 0; i < info->rank; i++) count *= info->dims[i];
  return count;
}

/* Computes the shape that the model requires: the rows (except for GNNC_ROWS_ONE), then the
 * dimensions of a row. */
static int32_t expected_shape(const gnnc_tensor_info *info, const graph *g, int64_t *dims) {
  int32_t rank = 0;
  if (info->rows != GNNC_ROWS_ONE) dims[rank++] = inputs_rows(info, g);
  for (int32_t i = 0; i < info->rank; i++) dims[rank++] = info->dims[i];
  return rank;
}

static const char *shape_text(arena *a, int32_t rank, const int64_t *dims) {
  text made = {0};
  text_append(&made, "[");
  for (int32_t i = 0; i < rank; i++) text_printf(&made, "%s%lld", i ? ", " : "", (long long)dims[i]);
  text_append(&made, "]");
  const char *kept = arena_strdup(a, text_str(&made));
  text_free(&made);
  return kept;
}

/* Whether two shapes are equal. A matrix with one column also fits a list. */
static bool shapes_fit(int32_t found_rank, const int64_t *found, int32_t rank, const int64_t *dims) {
  if (found_rank == rank + 1 && found[rank] == 1) found_rank = rank;
  if (found_rank != rank) return false;
  for (int32_t i = 0; i < rank; i++)
    if (found[i] != dims[i]) return false;
  return true;
}

static status check_shape(arena *a, const gnnc_tensor_info *info, const graph *g, int32_t rank, const int64_t *dims) {
  int64_t expected[8];
  int32_t expected_rank = expected_shape(info, g, expected);
  if (shapes_fit(rank, dims, expected_rank, expected)) return STATUS_OK;
  return status_error(STATUS_CODE_mismatch, "'%s' has shape %s, the model takes %s for '%s'", info->from,
                      shape_text(a, rank, dims), shape_text(a, expected_rank, expected), info->name);
}

/* Checks that the type is a floating-point type that gnnc can read, or one of whole numbers, which a dense field of the
 * graph may have for both. */
static status check_dtype(const gnnc_tensor_info *info, dtype found, bool takes_whole) {
  dtype_class class = dtype_get_class(found);
  bool is_whole = class == DTYPE_CLASS_signed || class == DTYPE_CLASS_unsigned;
  if (info->is_integer ? is_whole : class == DTYPE_CLASS_float || (is_whole && takes_whole)) return STATUS_OK;
  if (info->is_integer)
    return status_error(STATUS_CODE_mismatch,
                        "'%s' holds %s, the model takes whole numbers for '%s': I64, I32, I16, U8 or BOOL", info->from,
                        dtype_name(found), info->name);
  return status_error(STATUS_CODE_mismatch, "'%s' holds %s, the model takes F32, F16, BF16 or F64 for '%s'", info->from,
                      dtype_name(found), info->name);
}

/* ---- rows of a part of the graph ---- */

enum { ELEMENT_BYTES = 4 };
_Static_assert(sizeof(float) == ELEMENT_BYTES && sizeof(int32_t) == ELEMENT_BYTES, "elements are taken by their size");

const graph *inputs_graph(const inputs_source *from) {
  return from->field ? &from->field->part : from->graph;
}

/* Lists the rows of a part of the graph by their numbers in the whole; NULL where a tensor has no
 * rows of the graph, or no graphs are numbered. */
static const int64_t *list_rows(arena *a, const receptive_field *field, const gnnc_tensor_info *info) {
  switch (info->rows) {
  case GNNC_ROWS_NODE: return field->nodes;
  case GNNC_ROWS_EDGE: return field->edges;
  case GNNC_ROWS_GRAPH: return field->graphs;
  case GNNC_ROWS_PART: break;
  default: return NULL;
  }
  const graph *whole = field->whole;
  int64_t *rows = arena_alloc_array(a, (size_t)field->part.num_nodes + 1, sizeof *rows), count = 0, row = 0;
  int64_t *place = arena_alloc_array(a, (size_t)whole->num_nodes + 1, sizeof *place); /* among the nodes of the type */
  for (int64_t n = 0; n < whole->num_nodes; n++)
    place[n] = whole->node_type && whole->node_type[n] == info->count ? row++ : -1;
  for (int64_t n = 0; n < field->part.num_nodes; n++)
    if (place[field->nodes[n]] >= 0) rows[count++] = place[field->nodes[n]];
  return rows;
}

/* Returns the rows of the part, in the arena. Elements have 4 bytes, of f32 and of i32. */
static const void *take_rows(arena *a, const inputs_source *from, const gnnc_tensor_info *info, const void *whole) {
  const int64_t *rows = from->field ? list_rows(a, from->field, info) : NULL;
  if (!rows) return whole;
  int64_t count = inputs_rows(info, inputs_graph(from)), elements = inputs_row_elements(info);
  size_t bytes = (size_t)elements * ELEMENT_BYTES;
  char *made = arena_alloc_array(a, (size_t)count + 1, bytes);
  if (info->rows == GNNC_ROWS_NODE) count -= from->field->num_without_inputs;
  for (int64_t i = 0; i < count; i++)
    memcpy(made + (size_t)i * bytes, (const char *)whole + (size_t)rows[i] * bytes, bytes);
  return made;
}

/* The same for compressed rows, which are those of nodes. */
static void take_sparse_rows(arena *a, const receptive_field *field, gnnc_csr *csr) {
  int64_t count = field->part.num_nodes, entries = 0;
  int64_t *indptr = arena_alloc_array(a, (size_t)count + 1, sizeof *indptr);
  const int64_t with_inputs = count - field->num_without_inputs;
  for (int64_t i = 0; i < count; i++) {
    const int64_t length = csr->indptr[field->nodes[i] + 1] - csr->indptr[field->nodes[i]];
    indptr[i + 1] = indptr[i] + (i < with_inputs ? length : 0);
  }
  int32_t *indices = arena_alloc_array(a, (size_t)indptr[count] + 1, sizeof *indices);
  float *data = arena_alloc_array(a, (size_t)indptr[count] + 1, sizeof *data);
  for (int64_t i = 0; i < with_inputs; i++)
    for (int64_t e = csr->indptr[field->nodes[i]]; e < csr->indptr[field->nodes[i] + 1]; e++, entries++) {
      indices[entries] = csr->indices[e];
      data[entries] = csr->data[e];
    }
  *csr = (gnnc_csr){indptr, indices, data};
}

/* ---- reading ---- */

status inputs_check_ranges(arena *a, const char *field, const int32_t *values, int64_t rows, int64_t elements,
                           const int32_t *ranges) {
  for (int64_t r = 0; ranges && r < rows; r++)
    for (int64_t i = 0; i < elements; i++) {
      int32_t found = values[r * elements + i], low = ranges[2 * i], high = ranges[2 * i + 1];
      if (found >= low && found <= high) continue;
      const char *element = elements > 1 ? arena_printf(a, ", element %lld", (long long)i) : "";
      const char *expected = high == INT32_MAX  ? arena_printf(a, "at least %d", low)
                             : low == INT32_MIN ? arena_printf(a, "at most %d", high)
                                                : arena_printf(a, "%d to %d", low, high);
      return status_error(STATUS_CODE_mismatch, "'%s' holds %d in row %lld%s, expected %s: it picks a row of a table",
                          field, found, (long long)r, element, expected);
    }
  return STATUS_OK;
}

/* Converts integers of any size and checks their ranges, in all rows. */
static status read_integers(arena *a, const inputs_source *from, const gnnc_tensor_info *info, const tensor *t,
                            const void **out) {
  const int32_t *values = NULL;
  RETURN_IF_ERROR(convert_to_i32(a, t, &values));
  int64_t elements = inputs_row_elements(info);
  RETURN_IF_ERROR(
      inputs_check_ranges(a, info->from, values, elements ? t->count / elements : 0, elements, info->ranges));
  *out = take_rows(a, from, info, values);
  return STATUS_OK;
}

static status read_from_weights(arena *a, const inputs_source *from, const gnnc_tensor_info *info, const void **out) {
  if (!from->weights)
    return status_error(STATUS_CODE_mismatch, "the model needs '%s' from a weights file; none was given", info->from);
  tensor t;
  status s = tensor_stack_find(from->weights, info->from, a, &t);
  if (!s) s = check_dtype(info, t.dtype, false);
  if (!s) s = check_shape(a, info, from->graph, t.rank, t.dims);
  const float *data = NULL;
  if (!s && info->is_integer) return status_context(read_integers(a, from, info, &t, out), "%s", from->weights_path);
  if (!s) s = convert_to_f32(a, &t, &data);
  *out = s ? NULL : take_rows(a, from, info, data);
  return status_context(s, "%s", from->weights_path);
}

/* Converts dense rows to CSR without the zeros. */
static status make_sparse(arena *a, const float *dense, int64_t rows, int64_t columns, gnnc_csr *out) {
  int64_t *indptr = arena_alloc_array(a, (size_t)rows + 1, sizeof *indptr), count = 0;
  for (int64_t i = 0; i < rows * columns; i++) count += dense[i] != 0;
  int32_t *indices = arena_alloc_array(a, (size_t)count + 1, sizeof *indices);
  float *data = arena_alloc_array(a, (size_t)count + 1, sizeof *data);
  count = 0;
  for (int64_t r = 0; r < rows; r++) {
    for (int64_t c = 0; c < columns; c++) {
      if (dense[r * columns + c] == 0) continue;
      indices[count] = (int32_t)c;
      data[count++] = dense[r * columns + c];
    }
    indptr[r + 1] = count;
  }
  *out = (gnnc_csr){indptr, indices, data};
  return STATUS_OK;
}

static status read_sparse(arena *a, const inputs_source *from, const gnnc_tensor_info *info, const graph_field *field,
                          const void **out) {
  const graph *g = from->graph;
  gnnc_csr *made = arena_alloc(a, sizeof *made);
  *out = made;
  if (field->is_sparse) {
    graph_csr stored;
    RETURN_IF_ERROR(graph_read_csr(g, a, info->from, &stored));
    *made = (gnnc_csr){stored.indptr, stored.indices, stored.data};
    if (from->field) take_sparse_rows(a, from->field, made);
    return STATUS_OK;
  }
  const float *dense = NULL;
  RETURN_IF_ERROR(graph_read_dense(g, a, info->from, NULL, &dense));
  return make_sparse(a, take_rows(a, from, info, dense), inputs_rows(info, inputs_graph(from)), field->dims[1], made);
}

status inputs_read(arena *a, const inputs_source *from, const gnnc_tensor_info *info, const void **out) {
  if (!strcmp(info->file, "weights")) return read_from_weights(a, from, info, out);
  const graph *g = from->graph;
  graph_field field;
  if (!graph_find_field(g, info->from, &field)) {
    if (from->weights && tensor_set_find(from->weights, info->from)) return read_from_weights(a, from, info, out);
    return status_error(STATUS_CODE_mismatch, "%s: no field '%s' for input '%s' of the model", g->name, info->from,
                        info->name);
  }
  status s = check_dtype(info, field.dtype, !field.is_sparse);
  if (!s) s = check_shape(a, info, g, field.rank, field.dims);
  if (!s && info->is_integer && field.is_sparse)
    s = status_error(STATUS_CODE_mismatch, "'%s' is sparse, the model takes a dense field of integers for '%s'",
                     info->from, info->name);
  if (s) return status_context(s, "%s", g->name);
  if (info->is_integer)
    return status_context(read_integers(a, from, info, tensor_set_find(g->tensors, info->from), out), "%s", g->name);
  RETURN_IF_ERROR(graph_check_forms(g, info->from));
  if (info->is_sparse) return status_context(read_sparse(a, from, info, &field, out), "%s", g->name);
  const float *dense = NULL;
  s = graph_read_dense(g, a, info->from, NULL, &dense);
  *out = s ? NULL : take_rows(a, from, info, dense);
  return s;
}
