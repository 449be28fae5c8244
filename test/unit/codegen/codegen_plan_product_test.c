/* Blocks divide the rows of sums that they multiply so that products fit and stores overlap them. */
#include "codegen/graphagile/cost/cost_blocks.h"
#include "codegen/graphagile/plan/plan_product.h"
#include "unit.h"

static const graphagile_device small = {.num_pes = 8, .width = 16, .feature_rows = 16384, .weight_rows = 8192};

/* Rows at a time for sums of `rows` rows, with a product of so many fibers. */
static int64_t rows_of(int64_t rows, int64_t fibers, graphagile_plan_tile tile, bool has_operands) {
  const program_edge_list list = {.to_rows = rows};
  graphagile_plan_edge_list edges = {.list = &list};
  graphagile_plan_tensor result = {.fibers = fibers};
  graphagile_plan_layer product = {
      .kind = GRAPHAGILE_PLAN_gemm, .result = &result, .num_epilogues = has_operands ? 1 : 0};
  const graphagile_plan_layer sum = {.kind = GRAPHAGILE_PLAN_spdmm, .spdmm = {.edges = &edges, .product = &product}};
  return graphagile_plan_product_rows(&small, &sum, tile);
}

TEST(blocks_that_run_at_the_same_time_store_in_parts) {
  CHECK_INT(rows_of(3327, 8, (graphagile_plan_tile){.rows = 416, .targets = 1}, false), 112); /* 4 parts */
  CHECK_INT(rows_of(300, 8, (graphagile_plan_tile){.rows = 48, .targets = 1}, false), 48);    /* too few rows */
}

TEST(other_blocks_divide_only_what_does_not_fit) {
  CHECK_INT(rows_of(89250, 8, (graphagile_plan_tile){.rows = 2048, .targets = 1}, false), 2048);
  CHECK_INT(rows_of(716847, 7, (graphagile_plan_tile){.rows = 16384, .targets = 2}, false), 2048);
}

TEST(operands_of_products_need_a_buffer) {
  CHECK_INT(rows_of(89250, 8, (graphagile_plan_tile){.rows = 2048, .targets = 2}, true), 2048);
  CHECK_INT(rows_of(89250, 16, (graphagile_plan_tile){.rows = 2048, .targets = 2}, true), 0);
  CHECK_INT(rows_of(89250, 16, (graphagile_plan_tile){.rows = 2048, .targets = 1}, true), 1024);
}

TEST(only_the_last_part_is_stored_behind_the_product) {
  const graphagile_cost_product none = {0}, long_one = {.cycles = 4000, .parts = 4},
                                short_one = {.cycles = 400, .parts = 4};
  CHECK(graphagile_cost_tail(&none, 1000) == 1000);
  CHECK(graphagile_cost_tail(&long_one, 1000) == 250);
  CHECK(graphagile_cost_tail(&short_one, 1000) == 700); /* the store takes longer than the product */
}
