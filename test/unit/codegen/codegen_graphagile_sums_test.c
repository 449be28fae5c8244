/* Sums over edges are right where they also add multiples of the row itself, or begin with a sum
 * over another list. */
#include "codegen_graphagile_variants.h"

#define TYPES_OF_MODULES                                                                                               \
  "!graph = !gnn.graph<\"g\">\n"                                                                                       \
  "!in = !device.edge_list<\"g\", \"g\">\n"                                                                            \
  "!rows = !device.rows<\"g\", 40>\n"                                                                                  \
  "!node = !gnn.node<\"g\", tensor<40xf32>>\n"                                                                         \
  "!weight = !gnn.edge<\"g\", f32>\n"

/* Three sums over one graph. Two of them add half of the row itself; the third, over weighted
 * edges, adds the whole row. */
static const char loops[] = TYPES_OF_MODULES
    "func.func @loops(%g: !graph, %x: !node, %k: !weight) -> (!node) {\n"
    "  %x0 = \"device.input\"(%x) : (!node) -> !rows\n"
    "  %r = \"device.edges\"(%g) {kind = \"in\", operandSegmentSizes = array<i32: 1, 0, 0>}"
    " : (!graph) -> !in\n"
    "  %q = \"device.edges\"(%g, %k) {kind = \"in\", operandSegmentSizes = array<i32: 1, 0, 1>}"
    " : (!graph, !weight) -> !in\n"
    "  %a = \"device.spdmm\"(%r, %x0) {reduce = \"sum\", operandSegmentSizes = array<i32: 1, 1, 0, 0, 0>}"
    " : (!in, !rows) -> !rows\n"
    "  %b = \"device.vadd\"(%a, %x0) {function = \"add\", scale = 0.5 : f64, functions = [\"relu\"]}"
    " : (!rows, !rows) -> !rows\n"
    "  %c = \"device.spdmm\"(%q, %b) {reduce = \"sum\", operandSegmentSizes = array<i32: 1, 1, 0, 0, 0>}"
    " : (!in, !rows) -> !rows\n"
    "  %d = \"device.vadd\"(%c, %b) {function = \"add\"} : (!rows, !rows) -> !rows\n"
    "  %e = \"device.spdmm\"(%r, %d) {reduce = \"sum\", operandSegmentSizes = array<i32: 1, 1, 0, 0, 0>}"
    " : (!in, !rows) -> !rows\n"
    "  %f = \"device.vadd\"(%e, %d) {function = \"add\", scale = 0.5 : f64} : (!rows, !rows) -> !rows\n"
    "  %h = \"device.vadd\"(%f, %d) {function = \"sub\"} : (!rows, !rows) -> !rows\n"
    "  %o = \"device.output\"(%h) : (!rows) -> !node\n"
    "  return %o : !node\n}\n";

TEST(sums_add_multiples_of_the_row_itself) {
  run_everywhere(loops, 90, 400);
  run_everywhere(loops, 500, 700);
}

/* GraphSAGE over sparse features: one half of a product is summed up over the graph, and the
 * other half is added to the sum. */
static const char joined[] = TYPES_OF_MODULES
    "!sparse = !gnn.sparse<\"g\", tensor<37xf32>>\n"
    "!entries = !device.edge_list<\"columns\", \"g\">\n"
    "!weights = !device.rows<\"columns\", 88>\n"
    "!both = !device.rows<\"g\", 88>\n"
    "!left = !device.rows<\"g\", 48>\n"
    "func.func @joined(%g: !graph, %s: !sparse, %w: tensor<37x88xf32>, %b: tensor<40xf32>, %u: tensor<48x40xf32>)"
    " -> (!node) {\n"
    "  %c = \"device.constant\"(%w) {set = \"columns\"} : (tensor<37x88xf32>) -> !weights\n"
    "  %n = \"device.edges\"(%s) {kind = \"nonzeros\", operandSegmentSizes = array<i32: 1, 0, 0>}"
    " : (!sparse) -> !entries\n"
    "  %r = \"device.edges\"(%g) {kind = \"in\", operandSegmentSizes = array<i32: 1, 0, 0>}"
    " : (!graph) -> !in\n"
    "  %t = \"device.spdmm\"(%n, %c) {reduce = \"sum\", operandSegmentSizes = array<i32: 1, 1, 0, 0, 0>}"
    " : (!entries, !weights) -> !both\n"
    "  %d = \"device.columns\"(%t) {begin = 0 : i64, width = 48 : i64} : (!both) -> !left\n"
    "  %e = \"device.columns\"(%t) {begin = 48 : i64, width = 40 : i64} : (!both) -> !rows\n"
    "  %p = \"device.gemm\"(%d, %u) {operandSegmentSizes = array<i32: 1, 1, 0, 0>}"
    " : (!left, tensor<48x40xf32>) -> !rows\n"
    "  %h = \"device.spdmm\"(%r, %p, %b, %e) {reduce = \"sum\", functions = [\"relu\"],"
    " operandSegmentSizes = array<i32: 1, 1, 0, 1, 1>} : (!in, !rows, tensor<40xf32>, !rows) -> !rows\n"
    "  %o = \"device.output\"(%h) : (!rows) -> !node\n"
    "  return %o : !node\n}\n";

TEST(sums_begin_with_those_over_another_list) {
  run_everywhere(joined, 90, 300);
  run_everywhere(joined, 700, 300);
}

/* PEs that share rows load them equally often, even where a subshard is one piece for one PE and
 * two for another. */
TEST(joined_sums_share_rows_of_split_subshards) {
  device d = small_device(4);
  d.graphagile.num_pes = 3;
  d.graphagile.feature_rows = 256;
  d.graphagile.weight_rows = 128;
  d.graphagile.has_broadcast = true;
  for (int32_t edges = 40; edges <= 160; edges *= 2) {
    d.graphagile.edges = edges;
    graphagile_case c = {
        .text = joined, .nodes = 700, .edges = 2000, .options = options_of(d), .sim = {.level = SIM_L1}};
    c.options.broadcast = true;
    graphagile_run(&c);
  }
}
