// A sum over rows of graphs, as the gradient of a layer behind a pooling, is by the cells of their nodes, and each graph is of one rank.
// RUN: gnn-opt --pass-pipeline=intra-distribute %s | FileCheck %s
// CHECK: module attributes {gnn.cells, gnn.ranks, gnn.training, gnn.whole_graphs}
// CHECK: "intra.contract"
!a = !intra.memory<"graph", tensor<3xf32>>
!d = !intra.memory<"graph", tensor<2xf32>>
!w = !intra.memory<"one", tensor<3x2xf32>>
module attributes {gnn.training} {
  func.func @m.gradients() attributes {gnn.phase = "gradients"} {
    %g = "intra.graph"() {set = "g"} : () -> !gnn.graph<"g">
    %a = "intra.buffer"() {name = "a", space = "workspace"} : () -> !a
    %d = "intra.buffer"() {name = "d", space = "workspace"} : () -> !d
    %w = "intra.buffer"() {name = "w", space = "output"} : () -> !w
    "intra.contract"(%g, %a, %d, %w) : (!gnn.graph<"g">, !a, !d, !w) -> ()
    return
  }
}
