// Orders and first values are kernels of their own; the order is one number per place of an edge. A
// fold reads the order's buffer.
// RUN: gnn-opt --pass-pipeline=inter-to-intra,intra-plan-memory %s | FileCheck %s

!g = !gnn.graph<"g">
!w = !gnn.edge<"g", f32>
!x = !gnn.node<"g", tensor<6xf32>>
!at_node = !inter.cursor<"node", "g">
!at_edge = !inter.cursor<"edge", "g">

// CHECK-LABEL: func.func @m.bind()
// CHECK: {callee = "adjacency", form = "csc", set = "g", used_by = "run"}
// CHECK-LABEL: func.func @m.run()
// CHECK-SAME: gnn.workspace_slots = ["edge:g x 1"]
// CHECK: [[O:%.*]] = "intra.buffer"() {name = "t", slot = 0 : i64, space = "workspace"} : () -> !intra.memory<"edge:g", f32>
// CHECK: "intra.order"({{.*}}, [[O]]) {over = "in"}
// CHECK: "intra.first"({{.*}}, [[O]]) {count = 2 : i64, over = "in"}
// CHECK: "inter.fold"({{.*}}, [[O]]) ({
func.func @m.run(%g: !g, %w: !w {gnn.name = "w"}, %x: !x {gnn.name = "x"}) -> (!gnn.node<"g", tensor<2x6xf32>> {gnn.name = "f"}, !gnn.node<"g", f32> {gnn.name = "s"}) attributes {gnn.phase = "run"} {
  %o = "gnn.order"(%g, %w) {over = "in"} : (!g, !w) -> !w
  %f = "gnn.first"(%g, %x, %o) {count = 2 : i64, over = "in"} : (!g, !x, !w) -> !gnn.node<"g", tensor<2x6xf32>>
  %0 = "inter.for_nodes"(%g) ({
  ^bb0(%n: !at_node):
    %zero = "gnn.constant"() {value = 0.0 : f64} : () -> f32
    %1 = "inter.fold"(%g, %n, %zero, %o) ({
    ^bb0(%e: !at_edge, %s: f32):
      %3 = "inter.at"(%w, %e) : (!w, !at_edge) -> f32
      %4 = "gnn.subtract"(%3, %s) : (f32, f32) -> f32
      smt.yield %4 : f32
    }) {over = "in", operandSegmentSizes = array<i32: 1, 1, 1, 1, 0>} : (!g, !at_node, f32, !w) -> !inter.results
    %2 = "inter.result"(%1) {index = 0 : i64} : (!inter.results) -> f32
    smt.yield %2 : f32
  }) : (!g) -> !inter.results
  %s = "inter.result"(%0) {index = 0 : i64} : (!inter.results) -> !gnn.node<"g", f32>
  return %f, %s : !gnn.node<"g", tensor<2x6xf32>>, !gnn.node<"g", f32>
}
