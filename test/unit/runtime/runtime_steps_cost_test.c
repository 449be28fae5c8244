/* The costs of host steps are those counted by hand: FLOPs, bytes of arrays and lists, and times
 * by the nominal rates of the device. */
#include "runtime_steps_fixture.h"

#define STEP(words)                                                                                                    \
  "{'arrays': ["                                                                                                       \
  "{'name': 'x', 'rows': 3, 'width': 2, 'data': 48}, {'name': 'w', 'rows': 2, 'width': 2, 'data': 48},"                \
  "{'name': 'v', 'rows': 4, 'width': 2, 'data': 48}, {'name': 'r32', 'rows': 3, 'width': 2},"                          \
  "{'name': 'r22', 'rows': 2, 'width': 2}, {'name': 'r42', 'rows': 4, 'width': 2},"                                    \
  "{'name': 'r31', 'rows': 3, 'width': 1}],"                                                                           \
  "'edge_lists': [" LIST ", " PLAIN_LIST "], 'steps': [{" words "}]}"

static void expect_cost(const char *words, double flops, double bytes) {
  steps_fixture f;
  steps_fixture_begin(&f);
  CHECK_OK(steps_fixture_read(&f, words));
  step_cost found = f.steps.num_steps ? steps_cost(&f.steps, &f.steps.steps[0]) : (step_cost){-1, -1, -1};
  if (found.flops != flops || found.bytes != bytes)
    unit_fail(__FILE__, __LINE__, "%s costs %g FLOPs and %g bytes, expected %g and %g", words, found.flops, found.bytes,
              flops, bytes);
  steps_fixture_end(&f);
}

TEST(products_cost_two_flops_per_multiply_add) {
  expect_cost(STEP("'op': 'gemm', 'in': 0, 'weights': 1, 'out': 3"), 2 * 6 * 2, 4 * (6 + 4 + 6));
  expect_cost(STEP("'op': 'gemm', 'in': 0, 'weights': 1, 'out': 3, 'functions': ['relu', 'exp']"), 2 * 6 * 2 + 6,
              4 * (6 + 4 + 6));
}

TEST(sums_of_outer_products_cost_two_flops_per_multiply_add) {
  expect_cost("{'arrays': [{'name': 'x', 'rows': 3, 'width': 2, 'data': 48}, {'name': 's', 'rows': 1, 'width': 4}],"
              "'steps': [{'op': 'outer_sum', 'a': 0, 'b': 0, 'out': 1}]}",
              2 * 3 * 4, 4 * (6 + 6 + 4));
}

TEST(sums_over_edges_cost_an_addition_and_a_product_where_weighted) {
#define SPMM(list, reduce, more) STEP("'op': 'spmm', 'list': " #list ", 'in': 0, 'out': 4, 'reduce': '" reduce "'" more)
  expect_cost(SPMM(0, "sum", ""), 4 * 2 * 2, 4 * (6 + 4) + 4 * 12);
  expect_cost(SPMM(1, "sum", ""), 4 * 2, 4 * (6 + 4) + 4 * 8);
  expect_cost(SPMM(1, "sum", ", 'values': 2"), 4 * 2 * 2, 4 * (6 + 8 + 4) + 4 * 8);
  expect_cost(SPMM(1, "max", ""), 0, 4 * (6 + 4) + 4 * 8);
  expect_cost(SPMM(0, "max", ""), 4 * 2, 4 * (6 + 4) + 4 * 12);
}

TEST(inner_products_cost_what_their_columns_and_combination_do) {
#define SDDMM(inner, combine, more)                                                                                    \
  STEP("'op': 'sddmm', 'list': 1, 'heads': 2, 'src': 0, 'dst': 1, 'out': 5, 'inner': '" inner                          \
       "', 'combine': '" combine "'" more)
  expect_cost(SDDMM("dot", "replace", ""), 4 * 2 * 2, 4 * (6 + 4 + 8) + 4 * 8);
  expect_cost(SDDMM("src", "replace", ""), 4 * 2, 4 * (6 + 4 + 8) + 4 * 8);
  expect_cost(SDDMM("dot", "mul", ", 'values': 2"), 4 * 2 * 2 + 4 * 2, 4 * (6 + 4 + 8 + 8) + 4 * 8);
}

TEST(elements_cost_what_the_table_of_functions_says) {
  expect_cost(STEP("'op': 'vadd', 'a': 0, 'b': 0, 'out': 3, 'function': 'add'"), 6, 4 * (6 + 6 + 6));
  expect_cost(STEP("'op': 'vadd', 'a': 0, 'b': 0, 'out': 3, 'function': 'add', 'scale': 2"), 12, 4 * (6 + 6 + 6));
  expect_cost(STEP("'op': 'vadd', 'a': 0, 'b': 0, 'out': 3, 'function': 'max'"), 0, 4 * (6 + 6 + 6));
  expect_cost(STEP("'op': 'vadd', 'a': 0, 'b': 0, 'condition': 0, 'out': 3, 'function': 'select'"), 0,
              4 * (6 + 6 + 6 + 6));
  expect_cost(STEP("'op': 'map', 'in': 0, 'out': 3, 'functions': ['tanh', 'negate', 'sigmoid']"), 12, 4 * (6 + 6));
  expect_cost(STEP("'op': 'columns', 'in': 0, 'out': 6, 'begin': 1"), 0, 4 * (6 + 3));
}

TEST(a_lookup_reads_an_index_and_a_row_of_the_table_for_each_row) {
  expect_cost(STEP("'op': 'lookup', 'table': 2, 'in': 0, 'rows': 4, 'column': 1, 'out': 3"), 0, 4 * (3 + 6 + 6));
  expect_cost(STEP("'op': 'lookup', 'table': 1, 'in': 0, 'rows': 2, 'column': 0, 'out': 3, 'functions': ['relu', "
                   "'exp']"),
              6, 4 * (3 + 6 + 6));
}

TEST(statistics_are_sums_over_steps_and_their_times_the_larger_of_compute_and_memory) {
  steps_fixture f;
  steps_fixture_begin(&f);
  f.image.device.common.host_gflop_s = 1e-3; /* 1 FLOP per us */
  f.image.device.common.host_gb_s = 8e-3;    /* 8 bytes per us */
  CHECK_OK(
      steps_fixture_read(&f, STEP("'op': 'gemm', 'in': 0, 'weights': 1, 'out': 3}, {'op': 'map', 'in': 3, 'out': 3")));
  steps_fixture_run(&f, 3);
  CHECK_INT(f.stats.steps, 2);
  CHECK_INT(f.stats.flops, 24);
  CHECK_INT(f.stats.bytes, 64 + 48);
  CHECK_NEAR(f.stats.ms, (24 + 6) * 1e-3, 1e-9);
  CHECK_INT(f.stats.link_bytes, 0);
  CHECK_INT(f.stats.launches, 0);
  steps_fixture_end(&f);
}

/* A run of timing alone allocates nothing, and counts that are too large stay at a limit. */
TEST(counts_beyond_64_bits_are_bounded) {
  steps_fixture f;
  steps_fixture_begin(&f);
  f.image.sections[IMAGE_LISTS] = (image_section){.size = UINT64_C(1) << 60};
  CHECK_OK(steps_fixture_read(&f, "{'arrays': [{'name': 'x', 'rows': 131072, 'width': 2147483647, 'data': 0},"
                                  "{'name': 'w', 'rows': 2147483647, 'width': 131072, 'data': 0},"
                                  "{'name': 'y', 'rows': 131072, 'width': 131072}],"
                                  "'steps': [{'op': 'gemm', 'in': 0, 'weights': 1, 'out': 2}]}"));
  CHECK_OK(sim_create(&f.image, &f.image.device, &(sim_options){.is_timing_only = true}, &f.sim));
  CHECK_OK(steps_create(&f.steps, &f.state));
  CHECK_OK(steps_run(f.state, f.sim, true, &f.stats));
  CHECK(f.stats.flops == UINT64_C(1) << 63);
  steps_fixture_end(&f);
}
