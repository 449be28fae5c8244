// A kernel may write in the place of an operand.
// RUN: gnn-opt --pass-pipeline=gnn-to-inter,inter-to-intra,intra-plan-memory --split-input-file %s | FileCheck %s

!g = !gnn.graph<"g">
!n = !gnn.node<"g", tensor<4xf32>>
!e = !gnn.edge<"g", tensor<4xf32>>

// The operand must be read for the last time, and each row for the result's row alone: %c takes the place of %b.
// %b does not take that of %a, whose rows its inner loop reads in any order; nor %e that of %d, whose rows a product gathers
// in blocks; nor %f that of %e, which is read again.
// CHECK-LABEL: @m.run()
// CHECK-SAME: gnn.workspace_slots = ["node:g x 4", "node:g x 4"], gnn.workspace_values = "node:g x 8"
// CHECK-DAG: {name = "a", slot = 0 : i64, space = "workspace"}
// CHECK-DAG: {name = "b", slot = 1 : i64, space = "workspace"}
// CHECK-DAG: {name = "c", slot = 1 : i64, space = "workspace"}
// CHECK-DAG: {name = "d", slot = 1 : i64, space = "workspace"}
// CHECK-DAG: {name = "e", slot = 0 : i64, space = "workspace"}
// CHECK-DAG: {name = "f", slot = 1 : i64, space = "workspace"}
module {
  func.func @m.run(%g: !g, %x: !n {gnn.name = "x"}, %w: tensor<4x4xf32> {gnn.name = "w"}) -> (!n {gnn.name = "y"}) attributes {gnn.phase = "run"} {
    %a = "gnn.activation"(%x) {function = "relu"} : (!n) -> !n loc("a"("a.gnn":1:1))
    %b = "gnn.aggregate"(%g, %a) {reduce = "sum", direction = "in"} : (!g, !n) -> !n loc("b"("a.gnn":2:1))
    %c = "gnn.activation"(%b) {function = "exp"} : (!n) -> !n loc("c"("a.gnn":3:1))
    %d = "gnn.softmax"(%c) : (!n) -> !n loc("d"("a.gnn":4:1))
    %e = "gnn.linear"(%d, %w) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!n, tensor<4x4xf32>) -> !n loc("e"("a.gnn":5:1))
    %f = "gnn.activation"(%e) {function = "exp"} : (!n) -> !n loc("f"("a.gnn":6:1))
    %y = "gnn.vector_add"(%e, %f) : (!n, !n) -> !n loc("y"("a.gnn":7:1))
    return %y : !n
  }
}

// -----

!g = !gnn.graph<"g">
!e = !gnn.edge<"g", f32>
!r = !gnn.edge<"g", tensor<2000xf32>>

// Rows at one end of an edge are also those of other edges; a long row has a place of its own.
// CHECK-LABEL: @rows.run()
// CHECK-SAME: gnn.workspace_slots = ["node:g x 1", "edge:g x 2000", "edge:g x 2000"]
module {
  func.func @rows.run(%g: !g, %x: !gnn.node<"g", f32> {gnn.name = "x"}, %v: !r {gnn.name = "v"}) -> (!e {gnn.name = "y"}, !r {gnn.name = "z"}) attributes {gnn.phase = "run"} {
    %0 = "gnn.activation"(%x) {function = "relu"} : (!gnn.node<"g", f32>) -> !gnn.node<"g", f32>
    %1 = "gnn.gather"(%g, %0) {end = "src"} : (!g, !gnn.node<"g", f32>) -> !e
    %2 = "gnn.activation"(%1) {function = "exp"} : (!e) -> !e
    %3 = "gnn.activation"(%2) {function = "tanh"} : (!e) -> !e
    %4 = "gnn.activation"(%v) {function = "exp"} : (!r) -> !r
    %5 = "gnn.activation"(%4) {function = "exp"} : (!r) -> !r
    %6 = "gnn.activation"(%5) {function = "tanh"} : (!r) -> !r
    return %3, %6 : !e, !r
  }
}
