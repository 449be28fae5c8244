/* The reader of numpy archives, which the test makes byte by byte: stored and compressed
 * members, every byte order, and broken files. */
#include "data/convert.h"
#include "data/formats/npy.h"
#include "data/formats/zip.h"
#include "data/graph.h"
#include "data/import/import.h"
#include "support/text.h"
#include "unit.h"

#include <math.h>
#include <zlib.h>

static void append_number(text *t, uint64_t value, int bytes) {
  for (int i = 0; i < bytes; i++) {
    char c = i < 8 ? (char)(value >> (8 * i)) : 0;
    text_append_bytes(t, &c, 1);
  }
}

/* An array in .npy format with this dictionary; version 2 has a wider length field. */
static text make_npy(const char *dictionary, int version, const void *data, size_t size) {
  text t = {0};
  text_append_bytes(&t, "\x93NUMPY", 6);
  append_number(&t, (uint64_t)version, 2);
  append_number(&t, strlen(dictionary), version == 1 ? 2 : 4);
  text_append(&t, dictionary);
  text_append_bytes(&t, data, size);
  return t;
}

/* An archive under construction: members in `bytes`, and their directory beside them. */
typedef struct archive {
  text bytes, directory;
  unsigned count;
} archive;

static void add_member(archive *z, const char *name, const text *content, bool is_packed) {
  unsigned char packed[4096];
  size_t size = content->size;
  const void *data = content->data;
  if (is_packed) {
    z_stream s = {.next_in = (unsigned char *)content->data,
                  .avail_in = (uInt)content->size,
                  .next_out = packed,
                  .avail_out = sizeof packed};
    CHECK_INT(deflateInit2(&s, 9, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY), Z_OK);
    CHECK_INT(deflate(&s, Z_FINISH), Z_STREAM_END);
    size = s.total_out;
    data = packed;
    deflateEnd(&s);
  }
  uint64_t crc = crc32_z(0, (const unsigned char *)content->data, content->size);
  size_t offset = z->bytes.size;
  append_number(&z->bytes, 0x04034b50, 4);
  append_number(&z->bytes, 0, 22);
  append_number(&z->bytes, strlen(name), 2);
  append_number(&z->bytes, 4, 2);
  text_append(&z->bytes, name);
  append_number(&z->bytes, 0, 4); /* an extra field, which the directory lacks */
  text_append_bytes(&z->bytes, data, size);
  append_number(&z->directory, 0x02014b50, 4);
  append_number(&z->directory, 0, 6);
  append_number(&z->directory, is_packed ? 8 : 0, 2);
  append_number(&z->directory, 0, 4);
  append_number(&z->directory, crc, 4);
  append_number(&z->directory, size, 4);
  append_number(&z->directory, content->size, 4);
  append_number(&z->directory, strlen(name), 2);
  append_number(&z->directory, 0, 12);
  append_number(&z->directory, offset, 4);
  text_append(&z->directory, name);
  z->count++;
}

static void add_array(archive *z, const char *name, const char *descr, const char *shape, const void *data,
                      size_t size) {
  char dictionary[200];
  snprintf(dictionary, sizeof dictionary, "{'descr': '%s', 'fortran_order': False, 'shape': %s, }\n", descr, shape);
  text npy = make_npy(dictionary, 1 + (int)z->count % 3, data, size);
  add_member(z, name, &npy, z->count % 2);
  text_free(&npy);
}

static void finish(archive *z) {
  size_t begin = z->bytes.size;
  text_append_bytes(&z->bytes, text_str(&z->directory), z->directory.size);
  append_number(&z->bytes, 0x06054b50, 4);
  append_number(&z->bytes, 0, 4);
  append_number(&z->bytes, z->count, 2);
  append_number(&z->bytes, z->count, 2);
  append_number(&z->bytes, z->directory.size, 4);
  append_number(&z->bytes, begin, 4);
  append_number(&z->bytes, 0, 2);
  text_free(&z->directory);
}

static archive make_benchmark(void) {
  archive z = {0};
  add_array(&z, "adj_data.npy", "<f4", "(3,)", (float[]){1, 1, 1}, 12);
  add_array(&z, "adj_indices.npy", "<i4", "(3,)", (int32_t[]){2, 1, 0}, 12);
  add_array(&z, "adj_indptr.npy", "<i4", "(4,)", (int32_t[]){0, 2, 2, 3}, 16);
  add_array(&z, "adj_shape.npy", "<i8", "(2,)", (int64_t[]){3, 3}, 16);
  add_array(&z, "attr_data.npy", "<f8", "(4,)", (double[]){5, 1, 2, 4}, 32);
  add_array(&z, "attr_indices.npy", "<i8", "(4,)", (int64_t[]){3, 0, 3, 1}, 32);
  add_array(&z, "attr_indptr.npy", "<u2", "(4,)", (uint16_t[]){0, 3, 3, 4}, 8);
  add_array(&z, "attr_shape.npy", "<i8", "(2L, )", (int64_t[]){3, 5}, 16);
  add_array(&z, "labels.npy", "|u1", "(3,)", (uint8_t[]){1, 0, 2}, 3);
  add_array(&z, "class_names.npy", "|O", "(3,)", "pickle", 6);
  add_array(&z, "node_names.npy", "<U20", "(3,)", "names", 5);
  finish(&z);
  return z;
}

TEST(a_benchmark_archive_becomes_a_graph_with_features_and_labels) {
  archive z = make_benchmark();
  arena *a = arena_create();
  tensor_set *set = NULL;
  graph *g = NULL;
  graph_csr x;
  CHECK_OK(import_npz("f", z.bytes.data, z.bytes.size, &(import_options){0}, &set));
  CHECK_OK(graph_create(set, &g));
  CHECK_INT(g->num_nodes, 3);
  CHECK_INT(g->num_edges, 3);
  const int32_t src[] = {0, 0, 2}, dst[] = {1, 2, 0};
  CHECK(memcmp(g->src, src, sizeof src) == 0 && memcmp(g->dst, dst, sizeof dst) == 0);
  CHECK(g->edge_weight == NULL);
  CHECK_OK(graph_read_csr(g, a, "x", &x));
  CHECK_INT(x.columns, 5);
  CHECK_INT(x.nonzeros, 3);
  CHECK_INT(x.indices[1], 3);
  CHECK_NEAR(x.data[1], 7, 0);
  CHECK_INT(convert_element_i64(tensor_set_find(set, "y"), 2), 2);
  CHECK_STR(tensor_set_get_metadata(set, "skipped"), "class_names, node_names");
  graph_close(g);
  tensor_set_destroy(set);
  arena_destroy(a);
  text_free(&z.bytes);
}

/* An archive as scipy.sparse.save_npz writes it, in this format, with the entries (0, 2) and (1, 0)
 * and NaN in one of them for matrices. A matrix is 3 x 4, or 4 x 3 by columns. */
static status import_scipy_as(const char *format, const char *descr, size_t size, bool is_matrix, tensor_set **set) {
  bool is_wide = is_matrix && strncmp(format, "csc", 3);
  archive z = {0};
  bool is_coo = !strncmp(format, "coo", 3);
  add_array(&z, is_coo ? "row.npy" : "indices.npy", "<i4", "(2,)", (int32_t[]){is_coo ? 0 : 2, is_coo ? 1 : 0}, 8);
  if (is_coo)
    add_array(&z, "col.npy", "<i4", "(2,)", (int32_t[]){2, 0}, 8);
  else
    add_array(&z, "indptr.npy", "<i4", "(4,)", (int32_t[]){0, 1, 2, 2}, 16);
  add_array(&z, "format.npy", descr, "()", format, size);
  add_array(&z, "shape.npy", "<i8", "(2,)", (int64_t[]){3 + (is_matrix && !is_wide), 3 + is_wide}, 16);
  add_array(&z, "data.npy", "<f8", "(2,)", (double[]){1, is_matrix ? NAN : 0.5}, 16);
  finish(&z);
  *set = NULL;
  status s = import_npz("f", z.bytes.data, z.bytes.size, &(import_options){.is_matrix = is_matrix}, set);
  text_free(&z.bytes);
  return s;
}

static status import_scipy(const char *format, const char *descr, size_t size, tensor_set **set) {
  return import_scipy_as(format, descr, size, false, set);
}

TEST(a_matrix_of_scipy_becomes_the_edges_from_its_rows_to_its_columns) {
  static const struct {
    const char *format, *descr;
    size_t size;
    int32_t src[2], dst[2];
  } cases[] = {{"csr", "|S3", 3, {0, 1}, {2, 0}},
               {"coo", "|S3", 3, {0, 1}, {2, 0}},
               {"c\0\0\0s\0\0\0r\0\0\0", "<U3", 12, {0, 1}, {2, 0}},
               {"csc", "|S3", 3, {0, 2}, {1, 0}}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    tensor_set *set = NULL;
    graph *g = NULL;
    CHECK_OK(import_scipy(cases[i].format, cases[i].descr, cases[i].size, &set));
    if (!set) continue;
    CHECK_OK(graph_create(set, &g));
    CHECK_INT(set->count, 2); /* An archive with edge_index and edge_weight alone. */
    CHECK(memcmp(g->src, cases[i].src, sizeof cases[i].src) == 0);
    CHECK(memcmp(g->dst, cases[i].dst, sizeof cases[i].dst) == 0);
    CHECK(g->edge_weight != NULL);
    graph_close(g);
    tensor_set_destroy(set);
  }
  tensor_set *set = NULL;
  CHECK_FAILS(import_scipy("bsr", "|S3", 3, &set), "f: is a matrix of scipy in format 'bsr', only csr, csc and coo");
}

TEST(a_matrix_of_scipy_stays_as_it_is_where_a_matrix_is_wanted) {
  static const struct {
    const char *format;
    int64_t rows, columns;
    int32_t row[2], column[2];
  } cases[] = {{"csr", 3, 4, {0, 1}, {2, 0}}, {"coo", 3, 4, {0, 1}, {2, 0}}, {"csc", 4, 3, {2, 0}, {0, 1}}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    tensor_set *set = NULL;
    int64_t rows = 0, columns = 0;
    CHECK_OK(import_scipy_as(cases[i].format, "|S3", 3, true, &set));
    if (!set) continue;
    CHECK(tensor_set_get_metadata_int(set, "rows", &rows) && tensor_set_get_metadata_int(set, "cols", &columns));
    CHECK_INT(rows, cases[i].rows);
    CHECK_INT(columns, cases[i].columns);
    CHECK(memcmp(tensor_set_find(set, "entry_row")->data, cases[i].row, sizeof cases[i].row) == 0);
    CHECK(memcmp(tensor_set_find(set, "entry_column")->data, cases[i].column, sizeof cases[i].column) == 0);
    CHECK(isnan(convert_element_f64(tensor_set_find(set, "entry_value"), 1)));
    tensor_set_destroy(set);
  }
}

TEST(an_archive_of_a_benchmark_as_a_matrix_has_a_row_for_each_target) {
  archive z = make_benchmark();
  tensor_set *set = NULL;
  CHECK_OK(import_npz("f", z.bytes.data, z.bytes.size, &(import_options){.is_matrix = true}, &set));
  const int32_t row[] = {2, 1, 0}, column[] = {0, 0, 2};
  CHECK(set && memcmp(tensor_set_find(set, "entry_row")->data, row, sizeof row) == 0);
  CHECK(set && memcmp(tensor_set_find(set, "entry_column")->data, column, sizeof column) == 0);
  tensor_set_destroy(set);
  text_free(&z.bytes);
}

/* Fails to import the archive, which is taken apart. */
static void check_refused(archive *z, const char *message) {
  tensor_set *set = NULL;
  finish(z);
  CHECK_FAILS(import_npz("f", z->bytes.data, z->bytes.size, &(import_options){0}, &set), message);
  text_free(&z->bytes);
}

/* A matrix of two entries in format csr or csc, or with the prefix of the benchmarks. */
static archive make_matrix(const char *prefix, const char *format, const int32_t indptr[3], const int32_t indices[2],
                           const int64_t shape[2], const double data[2]) {
  archive z = {0};
  char name[40];
  const struct {
    const char *name, *descr, *shape;
    const void *data;
    size_t size;
  } parts[] = {{"indptr", "<i4", "(3,)", indptr, 12},
               {"indices", "<i4", "(2,)", indices, 8},
               {"shape", "<i8", "(2,)", shape, 16},
               {"data", "<f8", "(2,)", data, 16}};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
    snprintf(name, sizeof name, "%s%s.npy", prefix, parts[i].name);
    if (parts[i].data) add_array(&z, name, parts[i].descr, parts[i].shape, parts[i].data, parts[i].size);
  }
  if (format) add_array(&z, "format.npy", "|S3", "()", format, 3);
  return z;
}

TEST(messages_about_a_matrix_name_the_arrays_of_the_archive) {
  static const struct {
    int32_t indptr[3], indices[2];
    int64_t shape[2];
    double data[2];
    const char *message; /* with @ in front of the names */
  } cases[] = {
      {{0, 2, 1}, {0, 1}, {2, 2}, {1, 1}, "'@indptr' does not rise from 0 to the 2 entries"},
      {{0, 1, 2}, {0, 9}, {2, 2}, {1, 1}, "'@indices' holds 9, the matrix has 2 columns"},
      {{0, 1, 2}, {0, 1}, {3, 3}, {1, 1}, "the shapes of '@indptr', '@indices' and '@data' do not fit together"},
      {{0, 1, 2}, {0, 1}, {2, 2}, {1, NAN}, "'@data' is nan at 1"},
      {{0, 1, 2}, {0, 1}, {3, 2}, {1, 1}, "'@shape' has 3 rows and 2 columns, a graph has as many of both"},
      {{0, 1, 2}, {0, 1}, {2, 3}, {1, 1}, "'@shape' has 2 rows and 3 columns, a graph has as many of both"},
  };
  static const struct {
    const char *prefix, *format;
  } kinds[] = {{"", "csr"}, {"", "csc"}, {"adj_", NULL}, {"adj_matrix.", NULL}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
      text message = {0};
      for (const char *c = cases[i].message; *c; c++)
        if (*c == '@')
          text_append(&message, kinds[k].prefix);
        else
          text_append_bytes(&message, c, 1);
      archive z = make_matrix(kinds[k].prefix, kinds[k].format, cases[i].indptr, cases[i].indices, cases[i].shape,
                              cases[i].data);
      check_refused(&z, text_str(&message));
      text_free(&message);
    }
  archive z = make_matrix("", "csr", (int32_t[]){0, 1, 2}, NULL, (int64_t[]){2, 2}, (double[]){1, 1});
  check_refused(&z, "has some of data, indices, indptr, shape, but not all");
  z = make_matrix("adj_", NULL, (int32_t[]){0, 1, 2}, NULL, (int64_t[]){2, 2}, (double[]){1, 1});
  check_refused(&z, "has some of adj_data, adj_indices, adj_indptr, adj_shape, but not all");
}

TEST(an_array_called_format_is_listed_where_the_archive_is_no_matrix) {
  archive z = {0};
  add_array(&z, "format.npy", "|O", "(1,)", "pickle", 6);
  add_array(&z, "x.npy", "<f4", "(1,)", (float[]){1}, 4);
  finish(&z);
  tensor_set *set = NULL;
  CHECK_OK(import_npz("f", z.bytes.data, z.bytes.size, &(import_options){0}, &set));
  CHECK_STR(tensor_set_get_metadata(set, "skipped"), "format");
  CHECK_INT(set->count, 1);
  tensor_set_destroy(set);
  text_free(&z.bytes);
}

TEST(other_archives_keep_the_names_of_their_arrays) {
  archive z = {0};
  add_array(&z, "edge_index.npy", "<i8", "(2, 1)", (int64_t[]){0, 1}, 16);
  add_array(&z, "labels.npy", "<i8", "()", (int64_t[]){4}, 8);
  finish(&z);
  tensor_set *set = NULL;
  CHECK_OK(import_npz("f", z.bytes.data, z.bytes.size, &(import_options){0}, &set));
  CHECK_INT(tensor_set_find(set, "edge_index")->dims[0], 2);
  CHECK_INT(tensor_set_find(set, "labels")->rank, 0);
  tensor_set_destroy(set);
  text_free(&z.bytes);
}

TEST(no_truncation_or_flipped_byte_of_an_archive_crashes) {
  archive z = make_benchmark();
  for (size_t size = 0; size < z.bytes.size; size++) {
    tensor_set *set = NULL;
    status_free(import_npz("f", z.bytes.data, size, &(import_options){0}, &set));
    CHECK(set == NULL);
  }
  for (size_t i = 0; i < z.bytes.size; i++) {
    tensor_set *set = NULL;
    z.bytes.data[i] = (char)~z.bytes.data[i];
    status_free(import_npz("f", z.bytes.data, z.bytes.size, &(import_options){0}, &set));
    tensor_set_destroy(set);
    z.bytes.data[i] = (char)~z.bytes.data[i];
  }
  text_free(&z.bytes);
}

TEST(a_member_with_a_wrong_checksum_is_refused) {
  archive z = {0};
  add_array(&z, "a.npy", "|u1", "(4,)", "abcd", 4);
  finish(&z);
  *strstr(z.bytes.data + 60, "abcd") = 'x';
  tensor_set *set = NULL;
  CHECK_FAILS(import_npz("f", z.bytes.data, z.bytes.size, &(import_options){0}, &set),
              "f: member 'a.npy' has a wrong checksum");
  CHECK_FAILS(import_npz("f", "PK", 2, &(import_options){0}, &set), "f: is no zip archive");
  text_free(&z.bytes);
}

/* Reads elements 0 to 5 of the array; returns false where it is refused. */
static status parse_npy(arena *a, const char *dictionary, const void *data, size_t size, double out[6]) {
  tensor t;
  text npy = make_npy(dictionary, 1, data, size);
  char *copy = arena_alloc(a, npy.size);
  memcpy(copy, npy.data, npy.size);
  status s = npy_parse(a, (unsigned char *)copy, npy.size, &t);
  for (int64_t i = 0; !s && i < t.count && i < 6; i++) out[i] = convert_element_f64(&t, i);
  text_free(&npy);
  return s;
}

TEST(column_major_and_big_endian_arrays_are_turned) {
  arena *a = arena_create();
  double v[6] = {0};
  const uint8_t columns[] = {1, 2, 3, 4, 5, 6};
  CHECK_OK(parse_npy(a, "{'descr': '|u1', 'fortran_order': True, 'shape': (2, 3)}", columns, 6, v));
  const double turned[6] = {1, 3, 5, 2, 4, 6};
  CHECK(memcmp(v, turned, sizeof turned) == 0);
  const uint8_t big[] = {0x3F, 0x80, 0, 0, 0xC0, 0, 0, 0};
  CHECK_OK(parse_npy(a, "{\"shape\":(2,),'descr':'>f4','fortran_order':False,}", big, 8, v));
  CHECK_NEAR(v[0], 1, 0);
  CHECK_NEAR(v[1], -2, 0);
  arena_destroy(a);
}

TEST(broken_array_headers_are_refused) {
  arena *a = arena_create();
  double v[6];
  static const char *const headers[] = {"",
                                        "{",
                                        "{}",
                                        "{'descr': '<f4'}",
                                        "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 'x')}",
                                        "{'descr': '<f4', 'fortran_order': Maybe, 'shape': (2,)}",
                                        "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), 'x': 1}",
                                        "{'descr': '<f4', 'fortran_order': False, 'shape': 2}",
                                        "{'descr': '<', 'fortran_order': False, 'shape': (2,)}"};
  for (size_t i = 0; i < sizeof headers / sizeof *headers; i++)
    CHECK_FAILS(parse_npy(a, headers[i], "12345678", 8, v), "has a header that is not one of a numpy array");
  CHECK_FAILS(parse_npy(a, "{'descr': '<f16', 'fortran_order': False, 'shape': (1,)}", "1", 1, v),
              "something else than numbers");
  CHECK_FAILS(parse_npy(a, "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,)}", "1", 1, v),
              "something else");
  CHECK_FAILS(parse_npy(a, "{'descr': '<f4', 'fortran_order': False, 'shape': (3,)}", "12345678", 8, v),
              "its shape takes 12 bytes, 8 are there");
  CHECK_FAILS(parse_npy(a, "{'descr': '<f4', 'fortran_order': False, 'shape': (4294967296, 4294967296)}", "", 0, v),
              "too large");
  tensor t;
  CHECK_FAILS(npy_parse(a, (const unsigned char *)"hello world", 11, &t), "is no numpy array");
  CHECK_FAILS(npy_parse(a, (const unsigned char *)"\x93NUMPY\x09\0\0\0", 10, &t), "format version 9");
  arena_destroy(a);
}
