// Rows of 3 and of 4 numbers of bf16 take as many bytes in the plan, but they are no rows of one array: %b does not take the place of %a,
// of which each row is read for the same row of %b alone. %c takes that of %b.
// RUN: gnn-opt --pass-pipeline=gnn-to-inter,inter-to-intra,intra-narrow-rows{fewest=1},intra-plan-memory %s | FileCheck %s

!g = !gnn.graph<"g">
!n = !gnn.node<"g", tensor<4xf32>>

// CHECK-LABEL: @m.run()
// CHECK-SAME: gnn.workspace_slots = ["node:g x 2", "node:g x 2"]
// CHECK-DAG: {format = "bf16", name = "a", slot = 0 : i64, space = "workspace"}
// CHECK-DAG: {format = "bf16", name = "b", slot = 1 : i64, space = "workspace"}
// CHECK-DAG: {format = "bf16", name = "c", slot = 1 : i64, space = "workspace"}
module {
  func.func @m.run(%g: !g, %x: !gnn.node<"g", tensor<3xf32>> {gnn.name = "x"}, %s: !gnn.node<"g", tensor<1xf32>> {gnn.name = "s"}) -> (!n {gnn.name = "y"}) attributes {gnn.phase = "run"} {
    %a = "gnn.activation"(%x) {function = "relu"} : (!gnn.node<"g", tensor<3xf32>>) -> !gnn.node<"g", tensor<3xf32>> loc("a"("a.gnn":1:1))
    %b = "gnn.concat"(%a, %s) : (!gnn.node<"g", tensor<3xf32>>, !gnn.node<"g", tensor<1xf32>>) -> !n loc("b"("a.gnn":2:1))
    %c = "gnn.activation"(%b) {function = "exp"} : (!n) -> !n loc("c"("a.gnn":3:1))
    %y = "gnn.aggregate"(%g, %c) {reduce = "sum", direction = "in"} : (!g, !n) -> !n loc("y"("a.gnn":4:1))
    return %y : !n
  }
}
