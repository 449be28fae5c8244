/* Matrices from files of every format: all entries but +0.0 stay, empty rows and columns too. */
#include "data/sparse_matrix.h"
#include "support/file.h"
#include "support/text.h"
#include "unit.h"

#include <math.h>
#include <unistd.h>

/* The matrix in a file with this content as text, "3x4 -1 zeros: 0,1=2 ...". */
static const char *read_as(arena *a, const char *name, const char *content, size_t size, status *s) {
  const char *path = arena_printf(a, "sparse_matrix_%d_%s", (int)getpid(), name);
  sparse_matrix m = {0};
  text out = {0};
  CHECK_OK(file_write(path, content, size));
  *s = sparse_matrix_read(a, path, LOAD_FORMAT_unknown, NULL, &m);
  unlink(path);
  if (*s) return "";
  text_printf(&out, "%lldx%lld, %lld zeros:", (long long)m.rows, (long long)m.columns, (long long)m.num_zeros);
  for (int64_t i = 0; i < m.count; i++) text_printf(&out, " %d,%d=%g", m.row[i], m.column[i], (double)m.value[i]);
  return text_keep(&out, a);
}

static void check_reads(const char *name, const char *content, const char *expected) {
  arena *a = arena_create();
  status s;
  CHECK_STR(read_as(a, name, content, strlen(content), &s), expected);
  CHECK_OK(s);
  arena_destroy(a);
}

static void check_refuses(const char *name, const char *content, const char *message) {
  arena *a = arena_create();
  status s;
  read_as(a, name, content, strlen(content), &s);
  CHECK_HAS(status_message(s), message);
  CHECK_HAS(status_message(s), name);
  status_free(s);
  arena_destroy(a);
}

#define MTX(field, symmetry) "%%MatrixMarket matrix coordinate " field " " symmetry "\n"

TEST(a_matrix_keeps_empty_rows_duplicates_and_the_order_of_the_file) {
  check_reads("a.mtx", MTX("real", "general") "5 4 3\n4 2 1.5\n1 1 2\n4 2 0.25\n",
              "5x4, 0 zeros: 3,1=1.5 0,0=2 3,1=0.25");
  check_reads("a.mtx", MTX("pattern", "general") "3 3 1\n1 3\n", "3x3, 0 zeros: 0,2=1");
  check_reads("a.mtx", MTX("integer", "general") "1 2 1\n1 2 -7\n", "1x2, 0 zeros: 0,1=-7");
  check_reads("a.mtx", MTX("real", "general") "4 2 0\n", "4x2, 0 zeros:");
}

TEST(only_positive_zeros_are_left_out) {
  check_reads("a.mtx", MTX("real", "general") "2 2 5\n1 1 0\n1 2 -0.0\n2 1 nan\n2 2 -inf\n2 2 0.0\n",
              "2x2, 2 zeros: 0,1=-0 1,0=nan 1,1=-inf");
}

TEST(symmetric_matrices_are_mirrored_and_skew_symmetric_ones_with_the_sign) {
  check_reads("a.mtx", MTX("real", "symmetric") "3 3 2\n2 1 4\n3 3 5\n", "3x3, 0 zeros: 1,0=4 0,1=4 2,2=5");
  check_reads("a.mtx", MTX("real", "skew-symmetric") "3 3 1\n2 1 4\n", "3x3, 0 zeros: 1,0=4 0,1=-4");
  check_reads("a.mtx", MTX("real", "skew-symmetric") "3 3 2\n2 1 0\n3 1 -0.0\n", "3x3, 2 zeros: 2,0=-0 0,2=-0");
}

TEST(an_edge_is_the_entry_of_its_target_and_source) {
  check_reads("a.edges", "0 1\n5 2\n", "6x6, 0 zeros: 1,0=1 2,5=1");
  check_reads("a.csv", "src,dst,weight\n0,1,2.5\n3,1,0\n", "4x4, 1 zeros: 1,0=2.5");
  check_reads("a.txt", "metadata num_nodes 4\ntensor edge_index i32 2 2\n0 1\n2 2\ntensor edge_weight f32 2\n3 4\n",
              "4x4, 0 zeros: 2,0=3 2,1=4");
}

TEST(the_CSR_form_needs_no_order_within_rows) {
  check_reads("a.txt",
              "metadata rows 3\nmetadata cols 9\ntensor adj_indptr i64 4\n0 2 2 3\ntensor adj_indices i32 3\n4 1 4\n"
              "tensor adj_data f32 3\n1 2 nan\n",
              "3x9, 0 zeros: 0,4=1 0,1=2 2,4=nan");
  check_reads("a.txt", "tensor adj_indptr i64 2\n0 2\ntensor adj_indices i32 2\n1 1\n", "1x2, 0 zeros: 0,1=1 0,1=1");
}

TEST(files_that_hold_no_matrix_are_refused) {
  check_refuses("a.txt", "tensor x f32 1 1\n1\n",
                "has no matrix: neither 'edge_index' nor 'adj_indptr' and 'adj_indices'");
  check_refuses("a.txt", "tensor adj_indptr i64 2\n0 3\ntensor adj_indices i32 2\n1 1\n",
                "'adj_indptr' goes from 0 to 3, expected 0 to 2");
  check_refuses("a.txt", "tensor adj_indptr i64 4\n0 3 1 2\ntensor adj_indices i32 2\n1 1\n",
                "'adj_indptr' goes from 0 to 3 at row 0, expected numbers that rise to the 2 entries");
  check_refuses("a.txt", "metadata rows 2\ntensor adj_indptr i64 2\n0 1\ntensor adj_indices i32 1\n1\n",
                "metadata rows is 2, 'adj_indptr' has 1 rows");
  check_refuses("a.txt", "metadata cols 1\ntensor adj_indptr i64 2\n0 1\ntensor adj_indices i32 1\n1\n",
                "'adj_indices' holds 1 at 0, expected 0 to 0");
  check_refuses("a.txt", "metadata cols x\ntensor adj_indptr i64 2\n0 1\ntensor adj_indices i32 1\n1\n",
                "metadata cols is 'x', expected 0 to 2147483647");
  check_refuses("a.txt", "tensor adj_indptr i64 2\n0 1\ntensor adj_indices i32 1\n1\ntensor adj_data f32 2\n1 1\n",
                "the shapes of 'adj_indptr', 'adj_indices' and 'adj_data' do not fit together");
  check_refuses("a.txt", "tensor entry_row i32 1\n0\n",
                "the shapes of 'entry_row', 'entry_column' and 'entry_value' do not fit together");
  check_refuses("a.txt",
                "metadata rows 1\nmetadata cols 1\ntensor entry_row i32 1\n1\ntensor entry_column i32 1\n0\n"
                "tensor entry_value f32 1\n1\n",
                "'entry_row' holds 1 at 0, expected 0 to 0");
  check_refuses("a.mtx", MTX("real", "general") "2 2 1\n1 3 1\n", "line 3: column 3, the matrix has 2");
}
