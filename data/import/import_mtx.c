/* Reads the coordinate format of Matrix Market.
 *
 *   %%MatrixMarket matrix coordinate real symmetric
 *   % comments
 *   3 3 2                      rows columns entries
 *   2 1 0.5                    A[2, 1]: the edge 0 -> 1 with weight 0.5, and by symmetry 1 -> 0
 *
 * The sum over the incoming edges of the graph is the product A @ X. A matrix that is not square is
 * not a graph; it becomes the three tensors of its CSR form. */
#include "data/edge_list.h"
#include "data/formats/token.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <strings.h>

typedef enum symmetry { SYMMETRY_general, SYMMETRY_symmetric, SYMMETRY_skew } symmetry;

/* Up to this number of rows a matrix may be mostly empty. Beyond it the CSR form needs at least one
 * entry per 64 rows. */
enum { MANY_EMPTY_ROWS = 1 << 26 };

typedef struct matrix {
  bool is_pattern, is_integer;
  bool has_nan; /* NaN may be a value */
  symmetry symmetry;
  int64_t rows, columns, entries;
  edge_list list; /* src = column, dst = row */
} matrix;

static bool word_is(token t, const char *word) {
  return t.length == strlen(word) && strncasecmp(t.begin, word, t.length) == 0;
}

static status read_banner(token line, matrix *m) {
  token words[5];
  for (int i = 0; i < 5; i++)
    if (!token_next_word(&line, &words[i]))
      return status_error(STATUS_CODE_format, "line 1: expected '%%%%MatrixMarket matrix coordinate FIELD SYMMETRY'");
  if (!word_is(words[0], "%%MatrixMarket") || !word_is(words[1], "matrix"))
    return status_error(STATUS_CODE_format, "line 1: expected '%%%%MatrixMarket matrix', found '%.*s'",
                        token_shown_length(words[0]), words[0].begin);
  if (!word_is(words[2], "coordinate"))
    return status_error(STATUS_CODE_unsupported, "line 1: format '%.*s', only 'coordinate' can be read",
                        token_shown_length(words[2]), words[2].begin);
  m->is_pattern = word_is(words[3], "pattern");
  m->is_integer = word_is(words[3], "integer");
  if (!m->is_pattern && !m->is_integer && !word_is(words[3], "real"))
    return status_error(STATUS_CODE_unsupported, "line 1: field '%.*s', only pattern, real and integer can be read",
                        token_shown_length(words[3]), words[3].begin);
  m->symmetry = word_is(words[4], "symmetric")        ? SYMMETRY_symmetric
                : word_is(words[4], "skew-symmetric") ? SYMMETRY_skew
                                                      : SYMMETRY_general;
  if (m->symmetry == SYMMETRY_general && !word_is(words[4], "general"))
    return status_error(STATUS_CODE_unsupported,
                        "line 1: symmetry '%.*s', only general, symmetric and skew-symmetric can be read",
                        token_shown_length(words[4]), words[4].begin);
  return STATUS_OK;
}

static status read_sizes(token line, int64_t number, matrix *m) {
  int64_t *sizes[3] = {&m->rows, &m->columns, &m->entries};
  for (int i = 0; i < 3; i++) {
    token word;
    if (!token_next_word(&line, &word) || !token_parse_i64(word, sizes[i]) || *sizes[i] < 0)
      return status_error(STATUS_CODE_format, "line %" PRId64 ": expected ROWS COLUMNS ENTRIES", number);
  }
  if (m->rows > INT32_MAX || m->columns > INT32_MAX)
    return status_error(STATUS_CODE_unsupported, "line %" PRId64 ": %" PRId64 " x %" PRId64 " is too large, at most %d",
                        number, m->rows, m->columns, INT32_MAX);
  if (m->symmetry != SYMMETRY_general && m->rows != m->columns)
    return status_error(STATUS_CODE_format,
                        "line %" PRId64 ": a symmetric matrix of %" PRId64 " rows and %" PRId64 " columns", number,
                        m->rows, m->columns);
  return STATUS_OK;
}

static status read_entry(token line, int64_t number, matrix *m) {
  int64_t place[2];
  const int64_t sizes[2] = {m->rows, m->columns};
  token word;
  for (int i = 0; i < 2; i++) {
    if (!token_next_word(&line, &word) || !token_parse_i64(word, &place[i]))
      return status_error(STATUS_CODE_format, "line %" PRId64 ": expected ROW COLUMN%s", number,
                          m->is_pattern ? "" : " VALUE");
    if (place[i] < 1 || place[i] > sizes[i])
      return status_error(STATUS_CODE_format, "line %" PRId64 ": %s %" PRId64 ", the matrix has %" PRId64, number,
                          i ? "column" : "row", place[i], sizes[i]);
  }
  double value = 1;
  if (!m->is_pattern &&
      (!token_next_word(&line, &word) || !token_parse_f64(word, &value) || (isnan(value) && !m->has_nan)))
    return status_error(STATUS_CODE_format, "line %" PRId64 ": expected a value behind row and column", number);
  if (token_next_word(&line, &word))
    return status_error(STATUS_CODE_format, "line %" PRId64 ": '%.*s' is one word too many", number,
                        token_shown_length(word), word.begin);
  edge_record entry = {.src = place[1] - 1, .dst = place[0] - 1, .weight = (float)value};
  RETURN_IF_ERROR(edge_list_add(&m->list, entry));
  if (m->symmetry == SYMMETRY_general || entry.src == entry.dst) return STATUS_OK;
  edge_record mirrored = {.src = entry.dst, .dst = entry.src, .weight = entry.weight};
  if (m->symmetry == SYMMETRY_skew && entry.weight != 0) mirrored.weight = -entry.weight;
  return edge_list_add(&m->list, mirrored);
}

static status read_matrix(const char *text, size_t size, matrix *m) {
  token_reader r = token_reader_create(text, size);
  token line = {0};
  token_next_line(&r, &line);
  RETURN_IF_ERROR(read_banner(line, m));
  bool has_sizes = false;
  int64_t entries = 0;
  while (token_next_line(&r, &line)) {
    token rest = line, word;
    if (!token_next_word(&rest, &word) || *word.begin == '%') continue;
    if (!has_sizes)
      RETURN_IF_ERROR(read_sizes(line, r.line, m));
    else if (entries++ < m->entries)
      RETURN_IF_ERROR(read_entry(line, r.line, m));
    has_sizes = true;
  }
  if (!has_sizes) return status_error(STATUS_CODE_format, "ends before ROWS COLUMNS ENTRIES");
  if (entries != m->entries)
    return status_error(STATUS_CODE_format, "holds %" PRId64 " entries, its header says %" PRId64, entries, m->entries);
  return STATUS_OK;
}

/* Adds the CSR form of a matrix that is not a graph; the entries are sorted by row and column. */
static status add_csr(const matrix *m, tensor_set *set) {
  void *indptr, *indices, *data;
  RETURN_IF_ERROR(tensor_set_add(set, "adj_indptr", DTYPE_I64, 1, (int64_t[]){m->rows + 1}, &indptr));
  RETURN_IF_ERROR(tensor_set_add(set, "adj_indices", DTYPE_I32, 1, &m->list.count, &indices));
  RETURN_IF_ERROR(tensor_set_add(set, "adj_data", DTYPE_F32, 1, &m->list.count, &data));
  int64_t *row_begin = indptr;
  for (int64_t e = 0; e < m->list.count; e++) {
    const edge_record *r = &m->list.edges[e];
    row_begin[r->dst + 1]++;
    ((int32_t *)indices)[e] = (int32_t)r->src;
    ((float *)data)[e] = r->weight;
  }
  for (int64_t r = 0; r < m->rows; r++) row_begin[r + 1] += row_begin[r];
  tensor_set_put_metadata_int(set, "rows", m->rows);
  tensor_set_put_metadata_int(set, "cols", m->columns);
  tensor_set_put_metadata_int(set, "nnz", m->list.count);
  return STATUS_OK;
}

static status finish(matrix *m, const import_options *options, tensor_set *set) {
  m->list.has_weights = !m->is_pattern;
  if (options->is_matrix) return edge_list_finish_matrix(&m->list, m->rows, m->columns, set);
  if (m->rows == m->columns) return edge_list_finish(&m->list, m->rows, options, set);
  if (options->is_undirected || options->drops_loops)
    return status_error(STATUS_CODE_mismatch, "a matrix of %" PRId64 " rows and %" PRId64 " columns is no graph",
                        m->rows, m->columns);
  static const edge_list_key order[2] = {EDGE_LIST_dst, EDGE_LIST_src};
  if (m->rows > MANY_EMPTY_ROWS && m->rows / 64 > m->list.count)
    return status_error(STATUS_CODE_unsupported, "%" PRId64 " rows for %" PRId64 " entries are too many for a CSR form",
                        m->rows, m->list.count);
  RETURN_IF_ERROR(edge_list_sort(&m->list, order, 2, options->pool));
  return add_csr(m, set);
}

status import_mtx(const char *name, const char *text, size_t size, const import_options *options, tensor_set **out) {
  matrix m = {.has_nan = options->is_matrix};
  tensor_set *set = tensor_set_create(name);
  status s = read_matrix(text, size, &m);
  if (!s) s = finish(&m, options, set);
  edge_list_free(&m.list);
  *out = s ? NULL : set;
  if (s) tensor_set_destroy(set);
  return status_context(s, "%s", name);
}
