/* The cost model ranks tiles as the simulator does. The cycles in the comments are those of the
 * simulator, with random edges. */
#include "codegen/graphagile/cost/cost_cut.h"
#include "codegen/graphagile/cost/cost_edges.h"
#include "codegen/graphagile/cost/cost_gemm.h"
#include "isa/machine.h"
#include "support/number.h"
#include "unit.h"

static graphagile_cost_machine default_machine(void) {
  static graphagile_options o = {.overlap = true, .skip_empty = true, .balance = true, .threads = 1};
  device_default(&o.device, machine_default());
  return graphagile_cost_machine_of(&o);
}

/* A tensor of this many rows and columns. */
static graphagile_plan_tensor rows_of(int64_t rows, int64_t width) {
  return (graphagile_plan_tensor){
      .rows = rows, .width = width, .fibers = number_ceil_div(width, 16), .place = GRAPHAGILE_PLAN_HIDDEN};
}

static double sum_of(int64_t from, int64_t to, int64_t edges, int64_t width, int32_t src_rows, int32_t dst_rows,
                     int64_t fibers, int targets) {
  const graphagile_cost_machine m = default_machine();
  const program_edge_list list = {.from_rows = from, .to_rows = to, .edges = edges, .has_weight = true};
  graphagile_plan_edge_list e = {.list = &list, .record_bytes = GRAPHAGILE_RECORD_BYTES};
  graphagile_plan_tensor in = rows_of(from, width), result = rows_of(to, width);
  const graphagile_plan_layer l = {.kind = GRAPHAGILE_PLAN_spdmm,
                                   .result = &result,
                                   .tile.fibers = fibers,
                                   .spdmm = {.edges = &e, .in = &in, .reduce = GRAPHAGILE_REDUCE_sum}};
  const graphagile_plan_tile tile = {.rows = dst_rows, .fibers = fibers, .targets = targets};
  const graphagile_partition_shape shape = {.src_rows = src_rows, .dst_rows = dst_rows, .max_edges = m.device->edges};
  const graphagile_cost_cut cut = graphagile_cost_cut_of(&m, &list, shape);
  const graphagile_cost_layer described = graphagile_cost_layer_of(&m, &l, &cut, tile);
  return graphagile_cost_edges(&m, &described, tile);
}

/* Sparse features of Citeseer times a matrix of 16 columns take 10666 cycles with shards of 2048
 * and 1279 rows, 9283 with two equal ones. */
TEST(equal_shards_take_less_than_unequal_ones) {
  CHECK(sum_of(3703, 3327, 105154, 16, 512, 1664, 1, 1) < sum_of(3703, 3327, 105154, 16, 512, 2048, 1, 1));
}

/* With 256 columns they take 63324 cycles with shards of 2340 and 987 rows, each of which loads
 * the whole matrix, and about 59500 with three shards of 1120 rows. */
TEST(a_small_shard_loads_as_many_sources_as_a_large_one) {
  double uneven = sum_of(3703, 3327, 105154, 256, 128, 2340, 4, 1), flow = 16.05e6 * 300 / 77e3;
  CHECK(uneven >= flow * 0.97);
  CHECK(uneven < flow * 1.1);
}

/* Flickr's second layer over pairs of shards takes 1356901 cycles with source tiles of 96 rows,
 * 1137381 with 512, because the buffer of the sources is empty between two tiles. */
TEST(pairs_of_shards_wait_for_each_source_tile) {
  CHECK(sum_of(89250, 89250, 989006, 128, 512, 16384, 1, 2) < sum_of(89250, 89250, 989006, 128, 96, 16384, 1, 2));
}

static double product_of(int64_t rows, int64_t fibers, int64_t inner) {
  const graphagile_cost_machine m = default_machine();
  graphagile_plan_tensor in = rows_of(3327, 128), result = rows_of(3327, 128);
  const graphagile_plan_layer l = {
      .kind = GRAPHAGILE_PLAN_gemm, .result = &result, .gemm = {.in = &in, .matrix = {.depth = 128, .width = 128}}};
  return graphagile_cost_gemm(&m, &l, (graphagile_plan_tile){.rows = rows, .fibers = fibers, .inner = inner});
}

/* The product takes 33414 cycles with two blocks for each PE, 32763 with three: all PEs store
 * their last block at the same time. */
TEST(stores_at_the_end_meet) {
  CHECK(product_of(144, 8, 3) < product_of(208, 8, 3));
}

/* Where a block begins with another list, the source tile of that list fits the buffer for any
 * number of fibers. */
TEST(joined_lists_have_source_tiles_that_fit) {
  const graphagile_cost_machine m = default_machine();
  const program_edge_list list = {.from_rows = 500000, .to_rows = 1000, .edges = 1000};
  graphagile_plan_edge_list e = {.list = &list, .record_bytes = GRAPHAGILE_RECORD_BYTES};
  const graphagile_plan_spdmm before = {.edges = &e};
  for (int64_t fibers = 1; fibers <= 64; fibers *= 4) {
    graphagile_partition_shape s = graphagile_cost_shape_before(
        &m, &before, (graphagile_partition_shape){.src_rows = 64, .dst_rows = 1000, .max_edges = 65536},
        (graphagile_plan_tile){.fibers = fibers});
    CHECK(s.src_rows * fibers <= m.device->feature_rows);
    CHECK_INT(s.dst_rows, 1000);
  }
}
