/* Compiled programs compute what their modules say, for all devices, partitions and options. */
#include "codegen_graphagile_variants.h"

#define TYPES_OF_MODULES                                                                                               \
  "!graph = !gnn.graph<\"g\">\n"                                                                                       \
  "!in = !device.edge_list<\"g\", \"g\">\n"                                                                            \
  "!x = !device.rows<\"g\", 37>\n"                                                                                     \
  "!h = !device.rows<\"g\", 24>\n"                                                                                     \
  "!c = !device.rows<\"g\", 7>\n"                                                                                      \
  "!node37 = !gnn.node<\"g\", tensor<37xf32>>\n"                                                                       \
  "!node24 = !gnn.node<\"g\", tensor<24xf32>>\n"                                                                       \
  "!node7 = !gnn.node<\"g\", tensor<7xf32>>\n"

/* Two GCN layers: sums with the weights of the edge list, bias, activation. */
static const char gcn[] =
    TYPES_OF_MODULES "func.func @gcn(%g: !graph, %x: !node37, %w: tensor<37x24xf32>, %b: tensor<24xf32>, %v: "
                     "tensor<24x7xf32>, %k: !gnn.edge<\"g\", f32>) -> (!node7) {\n"
                     "  %x0 = \"device.input\"(%x) : (!node37) -> !x\n"
                     "  %r = \"device.edges\"(%g, %k) {kind = \"in\", operandSegmentSizes = array<i32: 1, 0, "
                     "1>} : (!graph, !gnn.edge<\"g\", f32>) -> !in\n"
                     "  %z = \"device.gemm\"(%x0, %w) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!x, "
                     "tensor<37x24xf32>) -> !h\n"
                     "  %y = \"device.spdmm\"(%r, %z, %b) {reduce = \"sum\", functions = [\"relu\"], "
                     "operandSegmentSizes = array<i32: 1, 1, 0, 1, 0>} : (!in, !h, tensor<24xf32>) -> !h\n"
                     "  %u = \"device.spdmm\"(%r, %y) {reduce = \"sum\", operandSegmentSizes = array<i32: 1, 1, 0, "
                     "0, 0>} : (!in, !h) -> !h\n"
                     "  %t = \"device.gemm\"(%u, %v) {functions = [\"add_constant 0.5\", \"leaky_relu 0.2\"], "
                     "operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!h, tensor<24x7xf32>) -> !c\n"
                     "  %o = \"device.output\"(%t) : (!c) -> !node7\n"
                     "  return %o : !node7\n"
                     "}\n";

TEST(two_gcn_layers_are_what_the_loops_say) {
  run_everywhere(gcn, 150, 700);
  run_everywhere(gcn, 1, 1);
  run_everywhere(gcn, 3000, 20000);
}
