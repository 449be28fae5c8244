// Rows of features that run writes and reads become bf16, and the plan counts 2 bytes for a number of them.
// RUN: gnn-opt --pass-pipeline=gnn-to-inter,inter-to-intra,intra-narrow-rows,intra-plan-memory %s | FileCheck %s
// RUN: gnn-opt --pass-pipeline=gnn-to-inter,inter-to-intra,intra-narrow-rows{fewest=1},intra-plan-memory %s | FileCheck %s --check-prefix=SHORT

!g = !gnn.graph<"g">
!n = !gnn.node<"g", tensor<33xf32>>
!l = !gnn.node<"g", tensor<15xf32>>

// Logits are shorter than a row of features. An output is the caller's. %c takes the place of %b row by row, as rows of f32 would.
// CHECK-LABEL: @m.run()
// CHECK-SAME: gnn.workspace_slots = ["node:g x 17", "node:g x 17"], gnn.workspace_values = "node:g x 34"
// CHECK: {name = "x", space = "input"}
// CHECK: {name = "y", space = "output"}
// CHECK-DAG: {format = "bf16", name = "a", slot = 0 : i64, space = "workspace"}
// CHECK-DAG: {format = "bf16", name = "b", slot = 1 : i64, space = "workspace"}
// CHECK-DAG: {format = "bf16", name = "c", slot = 1 : i64, space = "workspace"}
// CHECK-DAG: {name = "l", slot = 0 : i64, space = "workspace"}
// SHORT: {format = "bf16", name = "l"
module {
  func.func @m.run(%g: !g, %x: !n {gnn.name = "x"}, %w: tensor<33x15xf32> {gnn.name = "w"}) -> (!l {gnn.name = "y"}) attributes {gnn.phase = "run"} {
    %a = "gnn.activation"(%x) {function = "relu"} : (!n) -> !n loc("a"("a.gnn":1:1))
    %b = "gnn.aggregate"(%g, %a) {reduce = "sum", direction = "in"} : (!g, !n) -> !n loc("b"("a.gnn":2:1))
    %c = "gnn.softmax"(%b) : (!n) -> !n loc("c"("a.gnn":3:1))
    %l = "gnn.linear"(%c, %w) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!n, tensor<33x15xf32>) -> !l loc("l"("a.gnn":4:1))
    %y = "gnn.aggregate"(%g, %l) {reduce = "sum", direction = "in"} : (!g, !l) -> !l loc("y"("a.gnn":5:1))
    return %y : !l
  }
}
