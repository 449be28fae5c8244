/* The runtime checks steps before a run: shapes of arrays fit together, results may be written,
 * and operands were computed before. */
#include "runtime_steps_fixture.h"

/* Constants x 3 x 2, w 2 x 2, b 1 x 2, v 4 x 1, and results of four shapes; the list has 3 rows,
 * 2 rows and 4 edges. */
#define STEPS(words)                                                                                                   \
  "{'arrays': ["                                                                                                       \
  "{'name': 'x', 'rows': 3, 'width': 2, 'data': 48}, {'name': 'w', 'rows': 2, 'width': 2, 'data': 48},"                \
  "{'name': 'b', 'rows': 1, 'width': 2, 'data': 48}, {'name': 'v', 'rows': 4, 'width': 1, 'data': 48},"                \
  "{'name': 'r32', 'rows': 3, 'width': 2}, {'name': 'r22', 'rows': 2, 'width': 2},"                                    \
  "{'name': 'r41', 'rows': 4, 'width': 1}, {'name': 'r34', 'rows': 3, 'width': 4}],"                                   \
  "'edge_lists': [" LIST "], 'steps': [" words "]}"
#define STEP(words) STEPS("{" words "}")

TEST(gemm_fits) {
#define GEMM(more) STEP("'op': 'gemm', " more)
  CHECK_REFUSED(GEMM("'weights': 1, 'out': 4"), "step 0: it has no operand");
  CHECK_REFUSED(GEMM("'in': 0, 'out': 4"), "step 0: it has no weights");
  CHECK_REFUSED(GEMM("'in': 0, 'weights': 1"), "step 0: it has no result");
  CHECK_REFUSED(GEMM("'in': 0, 'weights': 0, 'out': 4"), "array 'x' is 3 x 2, expected 2 x 2 as weights");
  CHECK_REFUSED(GEMM("'in': 0, 'weights': 1, 'out': 7, 'transposed': true"),
                "array 'w' is 2 x 2, expected 4 x 2 as weights");
  CHECK_REFUSED(GEMM("'in': 0, 'weights': 1, 'out': 5"), "array 'r22' is 2 x 2, expected 3 x 2 as result");
  CHECK_REFUSED(GEMM("'in': 0, 'weights': 1, 'out': 4, 'bias': 1"), "array 'w' is 2 x 2, expected 1 x 2 as bias");
  CHECK_REFUSED(GEMM("'in': 0, 'weights': 1, 'out': 4, 'addend': 1"), "array 'w' is 2 x 2, expected 3 x 2 as addend");
}

TEST(outer_sum_fits) {
#define OUTER(more) STEP("'op': 'outer_sum', " more)
  CHECK_REFUSED(OUTER("'a': 0, 'out': 4"), "step 0: it has no operand");
  CHECK_REFUSED(OUTER("'a': 0, 'b': 1, 'out': 4"), "array 'w' is 2 x 2, expected 3 x 2 as second operand");
  CHECK_REFUSED(OUTER("'a': 0, 'b': 0, 'out': 4"), "array 'r32' is 3 x 2, expected 1 x 4 as result");
}

TEST(segments_of_gemm_cover_its_rows_in_order) {
#define SEGMENTS(weights, list)                                                                                        \
  "{'arrays': [{'name': 'x', 'rows': 3, 'width': 1, 'data': 48}, {'name': 'w', 'rows': " #weights ", 'width': 1, "     \
  "'data': 48}, {'name': 'y', 'rows': 3, 'width': 1}], 'steps': [{'op': 'gemm', 'in': 0, 'weights': 1, 'out': 2, "     \
  "'segments': " list "}]}"
  CHECK_REFUSED(SEGMENTS(2, "[0, 2, 4]"), "step 0: segments are rows 0 to 4, expected 0 to 3");
  CHECK_REFUSED(SEGMENTS(2, "[1, 2, 3]"), "step 0: segments are rows 1 to 3, expected 0 to 3");
  CHECK_REFUSED(SEGMENTS(2, "[0, 2, 2]"), "step 0: segments are rows 0 to 2, expected 0 to 3");
  CHECK_REFUSED(SEGMENTS(3, "[0, 9, 1, 3]"), "step 0: segment 1 ends before it begins");
  CHECK_REFUSED(SEGMENTS(2, "[0, 1, 2, 3]"), "array 'w' is 2 x 1, expected 3 x 1 as weights");
  CHECK_REFUSED(SEGMENTS(0, "[0]"), "step 0: segments are rows 0 to 0, expected 0 to 3");
}

TEST(spmm_fits) {
#define SPMM(more) STEP("'op': 'spmm', 'list': 0, 'reduce': 'sum', " more)
  CHECK_REFUSED(SPMM("'out': 5"), "step 0: it has no operand");
  CHECK_REFUSED(SPMM("'in': 1, 'out': 5"), "array 'w' is 2 x 2, expected 3 x 2 as operand");
  CHECK_REFUSED(SPMM("'in': 0, 'out': 4"), "array 'r32' is 3 x 2, expected 2 x 2 as result");
  CHECK_REFUSED(SPMM("'values': 3, 'out': 5"), "array 'v' is 4 x 1, expected 4 x 2 as values");
  CHECK_REFUSED(SPMM("'in': 0, 'values': 1, 'out': 5"), "array 'w' is 2 x 2, expected 4 x 2 as values");
  CHECK_REFUSED(SPMM("'in': 0, 'values': 7, 'out': 5"), "step 0: 2 columns cannot be shared by 4 heads");
  CHECK_REFUSED(SPMM("'in': 0, 'out': 5, 'bias': 3"), "array 'v' is 4 x 1, expected 1 x 2 as bias");
  CHECK_REFUSED(SPMM("'in': 0, 'out': 5, 'addend': 0"), "array 'x' is 3 x 2, expected 2 x 2 as addend");
}

TEST(sddmm_fits) {
#define SDDMM(inner, combine, heads, more)                                                                             \
  STEP("'op': 'sddmm', 'list': 0, 'inner': '" inner "', 'combine': '" combine "', 'heads': " #heads ", " more)
  CHECK_REFUSED(SDDMM("dot", "replace", 1, "'src': 0, 'out': 6"), "step 0: it has no operand");
  CHECK_REFUSED(SDDMM("add", "replace", 1, "'dst': 1, 'out': 6"), "step 0: it has no operand");
  CHECK_REFUSED(SDDMM("src", "replace", 1, "'dst': 1, 'out': 6"), "step 0: it has no operand");
  CHECK_REFUSED(SDDMM("dst", "replace", 1, "'src': 0, 'out': 6"), "step 0: it has no operand");
  CHECK_REFUSED(SDDMM("dot", "mul", 1, "'src': 0, 'dst': 1, 'out': 6"), "step 0: it has no values");
  CHECK_REFUSED(SDDMM("dot", "replace", 3, "'src': 0, 'dst': 1, 'out': 6"),
                "step 0: 2 columns cannot be shared by 3 heads");
  CHECK_REFUSED(SDDMM("dot", "replace", 1, "'src': 1, 'dst': 1, 'out': 6"),
                "array 'w' is 2 x 2, expected 3 x 2 as rows of sources");
  CHECK_REFUSED(SDDMM("dot", "replace", 1, "'src': 0, 'dst': 0, 'out': 6"),
                "array 'x' is 3 x 2, expected 2 x 2 as rows of destinations");
  CHECK_REFUSED(SDDMM("dot", "mul", 1, "'src': 0, 'dst': 1, 'values': 1, 'out': 6"),
                "array 'w' is 2 x 2, expected 4 x 1 as values");
  CHECK_REFUSED(SDDMM("dot", "replace", 2, "'src': 0, 'dst': 1, 'out': 6"),
                "array 'r41' is 4 x 1, expected 4 x 2 as result");
}

TEST(vadd_fits) {
#define VADD(function, more) STEP("'op': 'vadd', 'function': '" function "', " more)
  CHECK_REFUSED(VADD("add", "'a': 0, 'out': 4"), "step 0: it has no operand");
  CHECK_REFUSED(VADD("select", "'a': 0, 'b': 0, 'out': 4"), "step 0: it has no condition");
  CHECK_REFUSED(VADD("add", "'a': 0, 'b': 1, 'out': 4"), "array 'w' is 2 x 2, expected 3 x 2 as second operand");
  CHECK_REFUSED(VADD("add", "'a': 0, 'b': 3, 'out': 4"), "array 'v' is 4 x 1, expected 3 x 1 as second operand");
  CHECK_REFUSED(VADD("select", "'a': 0, 'b': 0, 'condition': 1, 'out': 4"),
                "array 'w' is 2 x 2, expected 3 x 2 as condition");
  CHECK_REFUSED(VADD("add", "'a': 0, 'b': 2, 'out': 5"), "array 'r22' is 2 x 2, expected 3 x 2 as result");
}

TEST(map_columns_and_concat_fit) {
  CHECK_REFUSED(STEP("'op': 'map', 'out': 4"), "step 0: it has no operand");
  CHECK_REFUSED(STEP("'op': 'map', 'in': 0, 'out': 5"), "array 'r22' is 2 x 2, expected 3 x 2 as result");
  CHECK_REFUSED(STEP("'op': 'columns', 'out': 4, 'begin': 0"), "step 0: it has no operand");
  CHECK_REFUSED(STEP("'op': 'columns', 'in': 0, 'out': 4, 'begin': 1"), "step 0: columns 1 to 3 of 'x', which has 2");
  CHECK_REFUSED(STEP("'op': 'columns', 'in': 0, 'out': 4, 'begin': 2147483647"), "of 'x', which has 2");
  CHECK_REFUSED(STEP("'op': 'columns', 'in': 0, 'out': 5, 'begin': 0"),
                "array 'r22' is 2 x 2, expected 3 x 2 as result");
  CHECK_REFUSED(STEP("'op': 'concat', 'a': 0, 'out': 7"), "step 0: it has no operand");
  CHECK_REFUSED(STEP("'op': 'concat', 'a': 0, 'b': 1, 'out': 7"),
                "array 'w' is 2 x 2, expected 3 x 2 as second operand");
  CHECK_REFUSED(STEP("'op': 'concat', 'a': 0, 'b': 0, 'out': 4"), "array 'r32' is 3 x 2, expected 3 x 4 as result");
}

TEST(lookup_fits) {
#define LOOKUP(more) STEP("'op': 'lookup', 'rows': 4, " more)
  CHECK_REFUSED(LOOKUP("'column': 0, 'in': 3, 'out': 6"), "step 0: it has no operand");
  CHECK_REFUSED(LOOKUP("'column': 0, 'table': 3, 'out': 6"), "step 0: it has no operand");
  CHECK_REFUSED(LOOKUP("'column': 1, 'table': 3, 'in': 3, 'out': 6"), "step 0: column 1 of 'v', which has 1");
  CHECK_REFUSED(LOOKUP("'column': 0, 'table': 0, 'in': 3, 'out': 6"),
                "step 0: table 'x' has 6 numbers, expected 1 times 4 rows of 1");
  CHECK_REFUSED(LOOKUP("'column': 0, 'table': 3, 'in': 3, 'out': 6, 'each': true"),
                "step 0: table 'v' has 4 numbers, expected 4 times 4 rows of 1");
  CHECK_REFUSED(STEP("'op': 'lookup', 'rows': 2147483647, 'column': 0, 'table': 1, 'in': 3, 'out': 5"),
                "step 0: table 'w' has 4 numbers, expected 1 times 2147483647 rows of 2");
  CHECK_REFUSED(STEP("'op': 'lookup', 'rows': 2, 'column': 0, 'table': 1, 'in': 3, 'out': 5"),
                "array 'r22' is 2 x 2, expected 4 x 2 as result");
}

TEST(results_are_no_constants_and_seldom_operands) {
  CHECK_REFUSED(STEP("'op': 'map', 'in': 4, 'out': 0"), "step 0: its result 'x' is a constant");
  CHECK_REFUSED(STEP("'op': 'gemm', 'in': 4, 'weights': 1, 'out': 4"), "step 0: its result 'r32' is its operand, too");
  CHECK_REFUSED(STEP("'op': 'gemm', 'in': 0, 'weights': 1, 'addend': 4, 'out': 4"),
                "step 0: its result 'r32' is its operand, too");
  CHECK_REFUSED(STEP("'op': 'columns', 'in': 4, 'out': 4, 'begin': 0"), "step 0: its result 'r32' is its operand, too");
}

/* A manifest of these steps is read; the arrays that they read have no data. */
static void expect_unmade(const char *words, int32_t output, const char *part) {
  steps_fixture f;
  steps_fixture_begin(&f);
  CHECK_OK(steps_fixture_read(&f, words));
  if (output >= 0) f.steps.arrays[output].is_kept = true;
  CHECK_FAILS(steps_check_made(f.memory, &f.steps), part);
  steps_fixture_end(&f);
}

TEST(what_a_step_reads_was_made_before) {
#define COPY(from, to) "{'op': 'map', 'in': " #from ", 'out': " #to "}"
  expect_unmade(STEPS(COPY(4, 4)), -1, "step 0 reads array 'r32', which nothing has made before it");
  expect_unmade(STEPS(COPY(0, 4) ", " COPY(5, 5) ", " COPY(1, 5)), -1,
                "step 1 reads array 'r22', which nothing has made before it");
  expect_unmade(STEPS(COPY(0, 4)), 5, "array 'r22' is an output, but no step makes it");
  steps_fixture f;
  steps_fixture_begin(&f);
  CHECK_OK(steps_fixture_read(&f, STEPS(COPY(4, 4))));
  f.steps.arrays[4].is_input = true;
  CHECK_OK(steps_check_made(f.memory, &f.steps));
  steps_fixture_end(&f);
}
