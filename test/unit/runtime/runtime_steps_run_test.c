/* Each operation of host steps computes its definition, on numbers worked out by hand. */
#include "runtime_steps_fixture.h"

/* x is 3 x 2: [1 2] [3 4] [5 6]; w begins with the same numbers. */
#define X "{'name': 'x', 'rows': 3, 'width': 2, 'data': " NUMBERS "}"
#define W(rows, width) "{'name': 'w', 'rows': " #rows ", 'width': " #width ", 'data': " NUMBERS "}"
#define Y(rows, width) "{'name': 'y', 'rows': " #rows ", 'width': " #width "}"
#define ARRAYS(...) "{'arrays': [" __VA_ARGS__ "], "
#define LISTS(list) "'edge_lists': [" list "], "
#define STEP(words) "'steps': [{" words "}]}"

TEST(gemm_multiplies_rows_with_a_matrix) {
  CHECK_STEPS(ARRAYS(X "," W(2, 2) "," Y(3, 2)) STEP("'op': 'gemm', 'in': 0, 'weights': 1, 'out': 2"), 2, 7, 10, 15, 22,
              23, 34);
  CHECK_STEPS(ARRAYS(X "," W(2, 2) "," Y(3, 2))
                  STEP("'op': 'gemm', 'in': 0, 'weights': 1, 'out': 2, 'transposed': true"),
              2, 5, 11, 11, 25, 17, 39);
}

TEST(gemm_takes_a_matrix_that_is_one_row) {
  CHECK_STEPS(ARRAYS(X "," W(1, 4) "," Y(3, 2)) STEP("'op': 'gemm', 'in': 0, 'weights': 1, 'out': 2"), 2, 7, 10, 15, 22,
              23, 34);
  CHECK_STEPS(ARRAYS(X "," W(1, 4) "," Y(3, 2))
                  STEP("'op': 'gemm', 'in': 0, 'weights': 1, 'out': 2, 'transposed': true"),
              2, 5, 11, 11, 25, 17, 39);
}

TEST(outer_sum_multiplies_rows_with_rows) {
  CHECK_STEPS(ARRAYS(X "," W(3, 1) "," Y(1, 2)) STEP("'op': 'outer_sum', 'a': 0, 'b': 1, 'out': 2"), 2, 22, 28);
  CHECK_STEPS(ARRAYS(X "," W(3, 1) "," Y(1, 4))
                  STEP("'op': 'outer_sum', 'a': 0, 'b': 0, 'out': 2, 'functions': ['negate']"),
              2, -35, -44, -44, -56);
}

TEST(gemm_adds_bias_and_addend_before_its_functions) {
  CHECK_STEPS(ARRAYS(X "," W(2, 2) "," Y(3, 2) "," W(1, 2))
                  STEP("'op': 'gemm', 'in': 0, 'weights': 1, 'out': 2, 'bias': 3, 'addend': 0, "
                       "'functions': ['negate', 'add_constant 1']"),
              2, -8, -13, -18, -27, -28, -41);
}

TEST(gemm_has_a_matrix_for_each_segment_of_rows) {
  CHECK_STEPS(ARRAYS(X "," W(4, 2) "," Y(3, 2) "," W(2, 2))
                  STEP("'op': 'gemm', 'in': 0, 'weights': 1, 'out': 2, 'bias': 3, 'segments': [0, 1, 3]"),
              2, 8, 12, 46, 54, 70, 82);
  CHECK_STEPS(ARRAYS(X "," W(6, 2) "," Y(3, 2))
                  STEP("'op': 'gemm', 'in': 0, 'weights': 1, 'out': 2, 'segments': [0, 0, 3, 3]"),
              2, 19, 22, 43, 50, 67, 78);
}

/* x is [-infinity 3], the matrix [0 1]. */
TEST(gemm_that_skips_zeros_takes_no_infinity_times_0) {
  CHECK_STEPS(
      ARRAYS(W(1, 2) "," W(2, 1) ",{'name': 'x', 'rows': 1, 'width': 2}, {'name': 'm', 'rows': 2, 'width': 1}," Y(
          1,
          1)) "'steps': [{'op': 'map', 'in': 0, 'out': 2, 'functions': ['add_constant -1', 'log', 'add_constant 3']},"
              "{'op': 'map', 'in': 1, 'out': 3, 'functions': ['add_constant -1']},"
              "{'op': 'gemm', 'in': 2, 'weights': 3, 'out': 4, 'skips_zeros': true}]}",
      4, 3);
}

TEST(spmm_reduces_the_rows_at_the_other_ends_of_edges) {
#define SPMM(list, more) ARRAYS(X "," Y(2, 2)) LISTS(list) STEP("'op': 'spmm', 'list': 0, 'in': 0, 'out': 1, " more)
  CHECK_STEPS(SPMM(LIST, "'reduce': 'sum'"), 1, 7, 10, 19, 26);
  CHECK_STEPS(SPMM(LIST, "'reduce': 'mean'"), 1, 3.5f, 5, 9.5f, 13);
  CHECK_STEPS(SPMM(LIST, "'reduce': 'max'"), 1, 6, 8, 15, 18);
  CHECK_STEPS(SPMM(LIST, "'reduce': 'min'"), 1, 1, 2, 4, 8);
  CHECK_STEPS(SPMM(PLAIN_LIST, "'reduce': 'sum'"), 1, 4, 6, 6, 8);
}

TEST(spmm_weighs_each_head_with_a_value_of_the_edge) {
  CHECK_STEPS(ARRAYS(X "," Y(2, 2) "," W(4, 2)) LISTS(LIST)
                  STEP("'op': 'spmm', 'list': 0, 'in': 0, 'values': 2, 'out': 1, 'reduce': 'sum'"),
              1, 19, 36, 103, 172);
  CHECK_STEPS(ARRAYS(X "," Y(2, 2) "," W(4, 1)) LISTS(PLAIN_LIST)
                  STEP("'op': 'spmm', 'list': 0, 'in': 0, 'values': 2, 'out': 1, 'reduce': 'sum'"),
              1, 7, 10, 19, 26);
}

TEST(spmm_without_rows_reduces_the_values_of_edges) {
  CHECK_STEPS(ARRAYS(W(4, 2) "," Y(2, 2) "," W(1, 2)) LISTS(LIST)
                  STEP("'op': 'spmm', 'list': 0, 'values': 0, 'out': 1, 'reduce': 'sum', 'bias': 2"),
              1, 8, 12, 44, 52);
}

TEST(rows_without_edges_are_0_and_then_get_bias_and_addend) {
  CHECK_STEPS(ARRAYS(X "," Y(2, 2) "," W(1, 2) "," W(2, 2))
                  LISTS("{'name': 'none', 'from_rows': 3, 'to_rows': 2, 'edges': 0, 'src': 0, 'dst': 0}")
                      STEP("'op': 'spmm', 'list': 0, 'in': 0, 'out': 1, 'reduce': 'max', 'bias': 2, 'addend': 3"),
              1, 2, 4, 4, 6);
}

TEST(sddmm_makes_a_number_per_edge_and_head) {
#define SDDMM(heads, more)                                                                                             \
  ARRAYS(X "," W(2, 2) "," Y(4, heads) "," W(4, heads))                                                                \
  LISTS(LIST) STEP("'op': 'sddmm', 'list': 0, 'src': 0, 'dst': 1, 'values': 3, 'out': 2, 'heads': " #heads ", " more)
  CHECK_STEPS(SDDMM(1, "'inner': 'dot', 'combine': 'replace'"), 2, 5, 11, 39, 11);
  CHECK_STEPS(SDDMM(1, "'inner': 'add', 'combine': 'replace'"), 2, 6, 10, 18, 10);
  CHECK_STEPS(SDDMM(1, "'inner': 'src', 'combine': 'replace'"), 2, 3, 7, 11, 3);
  CHECK_STEPS(SDDMM(1, "'inner': 'dst', 'combine': 'replace'"), 2, 3, 3, 7, 7);
  CHECK_STEPS(SDDMM(1, "'inner': 'dot', 'combine': 'mul'"), 2, 5, 22, 117, 44);
  CHECK_STEPS(SDDMM(2, "'inner': 'dot', 'combine': 'replace'"), 2, 1, 4, 3, 8, 15, 24, 3, 8);
  CHECK_STEPS(SDDMM(2, "'inner': 'dot', 'combine': 'sub', 'functions': ['abs']"), 2, 0, 2, 0, 4, 10, 18, 4, 0);
}

TEST(sddmm_of_one_end_needs_no_rows_of_the_other) {
  CHECK_STEPS(ARRAYS(W(2, 2) "," Y(4, 1)) LISTS(LIST)
                  STEP("'op': 'sddmm', 'list': 0, 'dst': 0, 'out': 1, 'heads': 1, 'inner': 'dst', "
                       "'combine': 'replace'"),
              1, 3, 3, 7, 7);
}

TEST(vadd_takes_rows_or_one_row_or_one_column) {
  CHECK_STEPS(ARRAYS(X "," Y(3, 2)) STEP("'op': 'vadd', 'a': 0, 'b': 0, 'out': 1, 'function': 'add', 'scale': 0.5"), 1,
              1.5f, 3, 4.5f, 6, 7.5f, 9);
  CHECK_STEPS(ARRAYS(X "," Y(3, 2) "," W(1, 2)) STEP("'op': 'vadd', 'a': 0, 'b': 2, 'out': 1, 'function': 'mul'"), 1, 1,
              4, 3, 8, 5, 12);
  CHECK_STEPS(ARRAYS(X "," Y(3, 2) "," W(3, 1)) STEP("'op': 'vadd', 'a': 0, 'b': 2, 'out': 1, 'function': 'sub'"), 1, 0,
              1, 1, 2, 2, 3);
  CHECK_STEPS(ARRAYS(X "," Y(3, 2) "," W(1, 1)) STEP("'op': 'vadd', 'a': 0, 'b': 2, 'out': 1, 'function': 'lt'"), 1, 0,
              0, 0, 0, 0, 0);
}

TEST(select_takes_the_first_where_the_condition_is_not_0) {
  CHECK_STEPS(
      ARRAYS(X "," Y(3, 2) ", {'name': 'c', 'rows': 3, 'width': 2}," W(
          1, 1)) "'steps': [{'op': 'map', 'in': 0, 'out': 2, 'functions': ['add_constant -3', 'relu']},"
                 "{'op': 'vadd', 'a': 0, 'b': 3, 'condition': 2, 'out': 1, 'function': 'select', 'scale': -1}]}",
      1, -1, -1, -1, 4, 5, 6);
}

TEST(map_may_write_over_its_operand) {
  CHECK_STEPS(ARRAYS(X "," Y(3, 2)) "'steps': [{'op': 'map', 'in': 0, 'out': 1}, {'op': 'map', 'in': 1, 'out': 1, "
                                    "'functions': ['add_constant -4', 'leaky_relu 0.5', 'clamp -1 1.5']}]}",
              1, -1, -1, -0.5f, 0, 1, 1.5f);
}

TEST(vadd_may_write_over_its_operands) {
  CHECK_STEPS(
      ARRAYS(X "," Y(
          3,
          2)) "'steps': [{'op': 'map', 'in': 0, 'out': 1}, {'op': 'vadd', 'a': 0, 'b': 1, 'out': 1, 'function': 'sub'},"
              "{'op': 'vadd', 'a': 1, 'b': 0, 'out': 1, 'function': 'add'}]}",
      1, 1, 2, 3, 4, 5, 6);
}

TEST(columns_and_concat_move_parts_of_rows) {
  CHECK_STEPS(ARRAYS(X "," Y(3, 1)) STEP("'op': 'columns', 'in': 0, 'out': 1, 'begin': 1"), 1, 2, 4, 6);
  CHECK_STEPS(ARRAYS(X "," Y(3, 3) "," W(3, 1))
                  STEP("'op': 'concat', 'a': 2, 'b': 0, 'out': 1, 'functions': ['negate']"),
              1, -1, -1, -2, -2, -3, -4, -3, -5, -6);
}

/* The table w is 4 x 2, [1 2] [3 4] [5 6] [7 8]. */
#define INDEX "{'name': 'i', 'rows': 3, 'width': 1, 'data': " NUMBERS "}"
#define LOOKUP(index, more)                                                                                            \
  ARRAYS(index "," W(4, 2) "," Y(3, 2)) STEP("'op': 'lookup', 'table': 1, 'in': 0, 'out': 2, " more)

TEST(a_lookup_takes_the_rows_that_a_column_says) {
  CHECK_STEPS(LOOKUP(INDEX, "'rows': 4, 'column': 0"), 2, 3, 4, 5, 6, 7, 8);
  CHECK_STEPS(LOOKUP(INDEX, "'rows': 4, 'column': 0, 'functions': ['negate']"), 2, -3, -4, -5, -6, -7, -8);
  CHECK_STEPS(LOOKUP(X, "'rows': 4, 'column': 1, 'low': 0, 'high': 3"), 2, 5, 6, 7, 8, 7, 8);
  CHECK_STEPS(LOOKUP(X, "'rows': 4, 'column': 0, 'low': 2, 'high': 3"), 2, 5, 6, 7, 8, 7, 8);
}

/* Row r has the table of rows 4 r .. 4 r + 3. */
TEST(each_row_may_have_its_own_table) {
  CHECK_STEPS(ARRAYS(INDEX "," W(3, 8) "," Y(3, 2))
                  STEP("'op': 'lookup', 'table': 1, 'in': 0, 'out': 2, 'rows': 4, 'column': 0, 'each': true"),
              2, 3, 4, 13, 14, 23, 24);
}

TEST(a_lookup_says_which_index_is_outside) {
  steps_fixture f;
  steps_fixture_begin(&f);
  CHECK_OK(steps_fixture_read(&f, LOOKUP(X, "'name': 'h', 'rows': 4, 'column': 0, 'low': 0")));
  f.steps.arrays[2].is_kept = true;
  CHECK_OK(sim_create(&f.image, &f.image.device, &(sim_options){.level = SIM_L1}, &f.sim));
  CHECK_OK(steps_create(&f.steps, &f.state));
  CHECK_FAILS(steps_run(f.state, f.sim, false, &f.stats), "'x' holds 5 in row 2, expected a row of 'w': 0 to 3");
  steps_fixture_end(&f);
}

/* Only the first step reads y, whose memory is then freed; a later step makes y again. */
TEST(an_array_may_be_made_again_after_it_was_read_last) {
  CHECK_STEPS(
      ARRAYS(X "," Y(
          3,
          2) ",{'name': 'z', 'rows': 3, 'width': 2}") "'steps': [{'op': 'map', 'in': 0, 'out': 1}, {'op': 'map', 'in': "
                                                      "1, 'out': 2},"
                                                      "{'op': 'columns', 'in': 0, 'out': 1, 'begin': 0},"
                                                      "{'op': 'vadd', 'a': 2, 'b': 0, 'out': 2, 'function': 'add'}]}",
      2, 2, 4, 6, 8, 10, 12);
}

TEST(steps_run_again_to_the_same_numbers) {
  steps_fixture f;
  steps_fixture_begin(&f);
  CHECK_OK(
      steps_fixture_read(&f, ARRAYS(X "," W(2, 2) "," Y(3, 2)) STEP("'op': 'gemm', 'in': 0, 'weights': 1, 'out': 2")));
  steps_fixture_run(&f, 2);
  CHECK_OK(steps_run(f.state, f.sim, false, &f.stats));
  steps_fixture_compare(__FILE__, __LINE__, &f, 2, (const float[]){7, 10, 15, 22, 23, 34}, 6);
  steps_fixture_end(&f);
}
