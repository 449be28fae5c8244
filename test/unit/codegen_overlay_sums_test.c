/* What sums take in besides the edges of their list: multiples of the row itself. */
#include "codegen_overlay_variants.h"

#define TYPES_OF_MODULES                                                                                               \
  "!graph = !gnn.graph<\"g\">\n"                                                                                       \
  "!in = !graphagile.edge_list<\"g\", \"g\">\n"                                                                        \
  "!rows = !graphagile.rows<\"g\", 40>\n"                                                                              \
  "!node = !gnn.node<\"g\", tensor<40xf32>>\n"                                                                         \
  "!weight = !gnn.edge<\"g\", f32>\n"

/* Three sums over one graph, of which two add half of the row itself and one, over weighted edges, all of it. */
static const char loops[] = TYPES_OF_MODULES
    "func.func @loops(%g: !graph, %x: !node, %k: !weight) -> (!node) {\n"
    "  %x0 = \"graphagile.input\"(%x) : (!node) -> !rows\n"
    "  %r = \"graphagile.relation\"(%g) {kind = \"in\", operandSegmentSizes = array<i32: 1, 0, 0>}"
    " : (!graph) -> !in\n"
    "  %q = \"graphagile.relation\"(%g, %k) {kind = \"in\", operandSegmentSizes = array<i32: 1, 0, 1>}"
    " : (!graph, !weight) -> !in\n"
    "  %a = \"graphagile.spdmm\"(%r, %x0) {reduce = \"sum\", operandSegmentSizes = array<i32: 1, 1, 0, 0, 0>}"
    " : (!in, !rows) -> !rows\n"
    "  %b = \"graphagile.vadd\"(%a, %x0) {function = \"add\", scale = 0.5 : f64, functions = [\"relu\"]}"
    " : (!rows, !rows) -> !rows\n"
    "  %c = \"graphagile.spdmm\"(%q, %b) {reduce = \"sum\", operandSegmentSizes = array<i32: 1, 1, 0, 0, 0>}"
    " : (!in, !rows) -> !rows\n"
    "  %d = \"graphagile.vadd\"(%c, %b) {function = \"add\"} : (!rows, !rows) -> !rows\n"
    "  %e = \"graphagile.spdmm\"(%r, %d) {reduce = \"sum\", operandSegmentSizes = array<i32: 1, 1, 0, 0, 0>}"
    " : (!in, !rows) -> !rows\n"
    "  %f = \"graphagile.vadd\"(%e, %d) {function = \"add\", scale = 0.5 : f64} : (!rows, !rows) -> !rows\n"
    "  %h = \"graphagile.vadd\"(%f, %d) {function = \"sub\"} : (!rows, !rows) -> !rows\n"
    "  %o = \"graphagile.output\"(%h) : (!rows) -> !node\n"
    "  return %o : !node\n}\n";

TEST(sums_add_multiples_of_the_row_itself) {
  run_everywhere(loops, 90, 400);
  run_everywhere(loops, 500, 700);
}
