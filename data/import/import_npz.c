/* Reads numpy archives.
 *
 *   adj_data adj_indices adj_indptr adj_shape     a sparse matrix in CSR form: A[i, j] is the edge i -> j
 *   attr_data attr_indices attr_indptr attr_shape the features: x_indptr, x_indices, x_data
 *   attr_matrix (dense)                           the features: x
 *   labels                                        y
 *
 * These are the names of the GNN benchmark data sets (amazon_photo and others); "adj_matrix.data"
 * and so on are their older names.
 *
 *   data indices indptr shape format="csr"        an archive of scipy.sparse.save_npz: the edges alone; "csc": by columns
 *   data row col shape format="coo"               the edges as a list
 *
 * Other arrays of numbers keep their names. Arrays of objects or strings are left out and listed in
 * metadata "skipped". */
#include "data/convert.h"
#include "data/edge_list.h"
#include "data/feature_rows.h"
#include "data/formats/npy.h"
#include "data/formats/zip.h"
#include "support/text.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

typedef struct npz {
  arena *memory;
  tensor_set *arrays;
  text skipped;
  const char *format; /* the last letters of the array 'format': "csr", "coo", ...; NULL if there is none */
} npz;

/* Returns the last three letters of an array of one string, whose characters have one or four bytes
 * each. */
static const char *read_three_letters(arena *a, const unsigned char *bytes, size_t size) {
  size_t step = size >= 12 && !bytes[size - 1] ? 4 : 1;
  char *letters = arena_alloc(a, 4);
  for (size_t i = 0; i < 3; i++) letters[i] = size >= 3 * step ? (char)bytes[size - (3 - i) * step] : ' ';
  letters[3] = '\0';
  return letters;
}

/* Reads all members into the set of arrays, with their names without ".npy". */
static status read_arrays(npz *n, const zip_archive *archive) {
  for (size_t i = 0; i < archive->count; i++) {
    const zip_member *member = &archive->members[i];
    size_t length = strlen(member->name);
    if (length > 4 && strcmp(member->name + length - 4, ".npy") == 0) length -= 4;
    char *name = arena_strndup(n->memory, member->name, length);
    const unsigned char *bytes;
    tensor t;
    RETURN_IF_ERROR(zip_read(n->memory, member, &bytes));
    status s = npy_parse(n->memory, bytes, member->size, &t);
    if (status_get_code(s) == STATUS_CODE_unsupported) {
      status_free(s);
      if (!strcmp(name, "format")) n->format = read_three_letters(n->memory, bytes, member->size);
      text_printf(&n->skipped, "%s%s", n->skipped.size ? ", " : "", name);
      continue;
    }
    if (s) return status_context(s, "array '%s'", name);
    t.name = name;
    RETURN_IF_ERROR(tensor_set_add_view(n->arrays, &t));
  }
  return STATUS_OK;
}

/* A checked CSR matrix. Its rows need not be sorted. */
typedef struct npz_csr {
  int64_t rows, columns, entries;
  const int64_t *indptr;
  const int32_t *indices;
  const float *data;
  const char *data_name; /* name in the archive, for messages */
} npz_csr;

/* Whether the archive is from scipy.sparse.save_npz, which has the edges alone. */
static bool is_scipy(const npz *n) {
  return n->format && tensor_set_find(n->arrays, "shape") && tensor_set_find(n->arrays, "data");
}

/* Finds PREFIX_part or PREFIX_matrix.part; arrays of scipy have no prefix. */
static const tensor *find_part(const npz *n, const char *prefix, const char *part) {
  if (is_scipy(n)) return tensor_set_find(n->arrays, part);
  const tensor *t = tensor_set_find(n->arrays, arena_printf(n->memory, "%s_%s", prefix, part));
  return t ? t : tensor_set_find(n->arrays, arena_printf(n->memory, "%s_matrix.%s", prefix, part));
}

/* Returns the name of a part for messages about missing ones. */
static const char *name_part(const npz *n, const char *prefix, const char *part) {
  return is_scipy(n) ? part : arena_printf(n->memory, "%s_%s", prefix, part);
}

static status check_csr(const npz_csr *m, const char *shape, const char *indptr, const char *indices) {
  if (m->rows < 0 || m->columns < 0 || m->rows > INT32_MAX || m->columns > INT32_MAX)
    return status_error(STATUS_CODE_mismatch,
                        "'%s' has %" PRId64 " rows and %" PRId64 " columns, at most %d are supported", shape, m->rows,
                        m->columns, INT32_MAX);
  bool is_good = m->indptr[0] == 0 && m->indptr[m->rows] == m->entries;
  for (int64_t r = 0; r < m->rows && is_good; r++) is_good = m->indptr[r] <= m->indptr[r + 1];
  if (!is_good)
    return status_error(STATUS_CODE_mismatch, "'%s' does not rise from 0 to the %" PRId64 " entries", indptr,
                        m->entries);
  for (int64_t i = 0; i < m->entries; i++)
    if (m->indices[i] < 0 || m->indices[i] >= m->columns)
      return status_error(STATUS_CODE_mismatch, "'%s' holds %d, the matrix has %" PRId64 " columns", indices,
                          m->indices[i], m->columns);
  return STATUS_OK;
}

static status check_is_square(const char *shape, const int64_t sizes[2]) {
  if (sizes[0] == sizes[1]) return STATUS_OK;
  return status_error(STATUS_CODE_mismatch,
                      "'%s' has %" PRId64 " rows and %" PRId64 " columns, a graph has as many of both; a matrix of "
                      "features is given as --features=FILE beside a graph",
                      shape, sizes[0], sizes[1]);
}

/* How a matrix is stored. Graphs must be square, which is checked first because in "csc" indptr
 * counts columns. */
typedef enum csr_form { CSR_FORM_by_row, CSR_FORM_by_column, CSR_FORM_graph } csr_form;

/* Reads a CSR matrix; `rows` of one that is stored by columns are its columns. */
static status read_csr(const npz *n, const char *prefix, csr_form form, npz_csr *m) {
  const tensor *indptr = find_part(n, prefix, "indptr"), *indices = find_part(n, prefix, "indices");
  const tensor *data = find_part(n, prefix, "data"), *shape = find_part(n, prefix, "shape");
  if (!indptr || !indices || !data || !shape)
    return status_error(STATUS_CODE_mismatch, "has some of %s, %s, %s, %s, but not all", name_part(n, prefix, "data"),
                        name_part(n, prefix, "indices"), name_part(n, prefix, "indptr"), name_part(n, prefix, "shape"));
  const int64_t *sizes;
  const tensor *const whole[] = {shape, indptr, indices};
  for (size_t i = 0; i < sizeof whole / sizeof *whole; i++) RETURN_IF_ERROR(convert_check_is_index(whole[i]));
  RETURN_IF_ERROR(convert_to_i64(n->memory, shape, &sizes));
  RETURN_IF_ERROR(convert_to_i64(n->memory, indptr, &m->indptr));
  RETURN_IF_ERROR(convert_to_i32(n->memory, indices, &m->indices));
  RETURN_IF_ERROR(convert_to_f32(n->memory, data, &m->data));
  if (shape->count == 2 && form == CSR_FORM_graph) RETURN_IF_ERROR(check_is_square(shape->name, sizes));
  int outer = form == CSR_FORM_by_column;
  if (shape->count != 2 || indptr->count - 1 != sizes[outer] || indices->count != data->count)
    return status_error(STATUS_CODE_mismatch, "the shapes of '%s', '%s' and '%s' do not fit together", indptr->name,
                        indices->name, data->name);
  m->rows = sizes[outer];
  m->columns = sizes[1 - outer];
  m->entries = data->count;
  m->data_name = data->name;
  return check_csr(m, shape->name, indptr->name, indices->name);
}

static status add_edge(const npz_csr *m, int64_t at, int64_t src, int64_t dst, bool has_nan, edge_list *list) {
  float weight = m->data[at];
  if (isnan(weight) && !has_nan) return status_error(STATUS_CODE_mismatch, "'%s' is nan at %" PRId64, m->data_name, at);
  if (weight != 1.0f) list->has_weights = true;
  return edge_list_add(list, (edge_record){.src = src, .dst = dst, .weight = weight});
}

/* Adds the edges of a list to the set: as a graph, or as a matrix of these sizes. */
static status finish_edges(edge_list *list, int64_t rows, int64_t columns, const import_options *options,
                           tensor_set *set) {
  return options->is_matrix ? edge_list_finish_matrix(list, rows, columns, set)
                            : edge_list_finish(list, rows, options, set);
}

/* Adds the edges of a CSR matrix, or of a CSC matrix if `is_by_column`. A row is the source of its
 * entries in a graph, and their target in a matrix of scipy that is to stay as it is. */
static status add_edges(const npz *n, bool is_by_column, const import_options *options, tensor_set *set) {
  bool is_kept = options->is_matrix && is_scipy(n);
  npz_csr m;
  RETURN_IF_ERROR(read_csr(n, "adj",
                           !is_kept       ? CSR_FORM_graph
                           : is_by_column ? CSR_FORM_by_column
                                          : CSR_FORM_by_row,
                           &m));
  bool is_target = is_by_column != is_kept;
  edge_list list = {0};
  status s = STATUS_OK;
  for (int64_t r = 0; r < m.rows && !s; r++)
    for (int64_t i = m.indptr[r]; i < m.indptr[r + 1] && !s; i++) {
      int64_t src = is_target ? m.indices[i] : r, dst = is_target ? r : m.indices[i];
      s = add_edge(&m, i, src, dst, options->is_matrix, &list);
    }
  if (!s) s = finish_edges(&list, is_by_column ? m.columns : m.rows, is_by_column ? m.rows : m.columns, options, set);
  edge_list_free(&list);
  return s;
}

/* Adds the edges of a list of rows and columns. */
static status add_edges_of_coo(const npz *n, const import_options *options, tensor_set *set) {
  const tensor *row = find_part(n, "adj", "row"), *col = find_part(n, "adj", "col");
  const tensor *data = find_part(n, "adj", "data"), *shape = find_part(n, "adj", "shape");
  const int64_t *sizes;
  const int32_t *ends[2];
  npz_csr m = {.data_name = "data"};
  if (!row || !col || row->count != col->count || row->count != data->count || shape->count != 2)
    return status_error(STATUS_CODE_mismatch, "the shapes of 'row', 'col' and 'data' do not fit together");
  const tensor *const whole[] = {shape, row, col};
  for (size_t i = 0; i < sizeof whole / sizeof *whole; i++) RETURN_IF_ERROR(convert_check_is_index(whole[i]));
  RETURN_IF_ERROR(convert_to_i64(n->memory, shape, &sizes));
  if (!options->is_matrix) RETURN_IF_ERROR(check_is_square(shape->name, sizes));
  RETURN_IF_ERROR(convert_to_i32(n->memory, row, &ends[0]));
  RETURN_IF_ERROR(convert_to_i32(n->memory, col, &ends[1]));
  RETURN_IF_ERROR(convert_to_f32(n->memory, data, &m.data));
  edge_list list = {0};
  status s = STATUS_OK;
  for (int end = 0; end < 2 && !s; end++)
    if (sizes[end] < 0 || sizes[end] > INT32_MAX)
      s = status_error(STATUS_CODE_mismatch, "'shape' has %" PRId64 " %s, at most %d are supported", sizes[end],
                       end ? "columns" : "rows", INT32_MAX);
  for (int64_t i = 0; i < row->count && !s; i++) {
    for (int end = 0; end < 2 && !s; end++)
      if (ends[end][i] < 0 || ends[end][i] >= sizes[end])
        s = status_error(STATUS_CODE_mismatch, "'%s' holds %d, the matrix has %" PRId64 " of them", end ? "col" : "row",
                         ends[end][i], sizes[end]);
    int64_t src = ends[options->is_matrix][i], dst = ends[!options->is_matrix][i];
    if (!s) s = add_edge(&m, i, src, dst, options->is_matrix, &list);
  }
  if (!s) s = finish_edges(&list, sizes[0], sizes[1], options, set);
  edge_list_free(&list);
  return s;
}

/* Adds the edges of a matrix of scipy. */
static status add_edges_of_scipy(const npz *n, const import_options *options, tensor_set *set) {
  if (!strcmp(n->format, "coo")) return add_edges_of_coo(n, options, set);
  bool is_by_column = !strcmp(n->format, "csc");
  if (is_by_column || !strcmp(n->format, "csr")) return add_edges(n, is_by_column, options, set);
  return status_error(
      STATUS_CODE_unsupported,
      "is a matrix of scipy in format '%s', only csr, csc and coo can be read: save_npz(file, a.tocsr())", n->format);
}

static status add_sparse_features(const npz *n, tensor_set *set) {
  npz_csr m;
  feature_rows f;
  RETURN_IF_ERROR(read_csr(n, "attr", CSR_FORM_by_row, &m));
  RETURN_IF_ERROR(feature_rows_begin(n->memory, set, m.rows, m.entries, &f));
  for (int64_t r = 0; r < m.rows; r++)
    feature_rows_add(&f, m.indices + m.indptr[r], m.data + m.indptr[r], m.indptr[r + 1] - m.indptr[r]);
  return feature_rows_finish(&f, m.columns);
}

/* Adds a copy of an array to the set under another name. */
static status add_copy(tensor_set *set, const tensor *t, const char *name) {
  void *data;
  RETURN_IF_ERROR(tensor_set_add(set, name, t->dtype, t->rank, t->dims, &data));
  if (t->bytes) memcpy(data, t->data, t->bytes);
  return STATUS_OK;
}

static bool is_part_of(const char *name, const char *prefix) {
  static const char *const parts[] = {"_data",        "_indices",        "_indptr",        "_shape",
                                      "_matrix.data", "_matrix.indices", "_matrix.indptr", "_matrix.shape"};
  size_t length = strlen(prefix);
  if (strncmp(name, prefix, length) != 0) return false;
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
    if (strcmp(name + length, parts[i]) == 0) return true;
  return false;
}

static status build(const npz *n, const import_options *options, tensor_set *set) {
  if (is_scipy(n)) return add_edges_of_scipy(n, options, set);
  bool has_edges = find_part(n, "adj", "indptr") != NULL;
  bool has_features = has_edges && find_part(n, "attr", "indptr") != NULL;
  if (has_edges) RETURN_IF_ERROR(add_edges(n, false, options, set));
  if (has_features) RETURN_IF_ERROR(add_sparse_features(n, set));
  for (size_t i = 0; i < n->arrays->count; i++) {
    const tensor *t = &n->arrays->tensors[i];
    const char *name = t->name;
    if ((has_edges && is_part_of(name, "adj")) || (has_features && is_part_of(name, "attr"))) continue;
    if (has_edges && strcmp(name, "labels") == 0) name = "y";
    if (has_edges && strcmp(name, "attr_matrix") == 0) name = "x";
    RETURN_IF_ERROR(add_copy(set, t, name));
  }
  if (n->skipped.size) tensor_set_put_metadata(set, "skipped", text_str(&n->skipped));
  return STATUS_OK;
}

status import_npz(const char *name, const void *bytes, size_t size, const import_options *options, tensor_set **out) {
  npz n = {.memory = arena_create(), .arrays = tensor_set_create(name)};
  tensor_set *set = tensor_set_create(name);
  zip_archive archive;
  status s = zip_open(n.memory, bytes, size, &archive);
  if (!s) s = read_arrays(&n, &archive);
  if (!s) s = build(&n, options, set);
  text_free(&n.skipped);
  tensor_set_destroy(n.arrays);
  arena_destroy(n.memory);
  *out = s ? NULL : set;
  if (s) tensor_set_destroy(set);
  return status_context(s, "%s", name);
}
