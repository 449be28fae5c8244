// The order of the backward pass: values of edges are made before their first use, sums over rows where their operands are complete; a row
// that a sum reads in another shape is stored in that shape.
// RUN: gnn-opt --pass-pipeline=gnn-recompute %s | FileCheck %s

!g = !gnn.graph<"g">
!x = !gnn.node<"g", tensor<4xf32>>
!e = !gnn.edge<"g", tensor<4xf32>>
!h = !gnn.node<"g", tensor<2x2xf32>>

// CHECK-LABEL: func.func @sunk.gradients(
// CHECK:     [[D:%.*]] = "gnn.multiply"
// CHECK-NEXT: "gnn.contract"(%arg0, %arg1, [[D]])
// CHECK:     "gnn.aggregate"
// CHECK-NEXT: [[E:%.*]] = "gnn.gather"(%arg0, [[D]])
// CHECK-NEXT: "gnn.contract"(%arg0, [[E]], [[E]])
// CHECK-LABEL: func.func @shape.gradients(
// CHECK:     [[ROW:%.*]] = "gnn.multiply"
// CHECK-NEXT: [[H:%.*]] = "gnn.reshape"([[ROW]])
// CHECK-NEXT: "gnn.contract"(%arg0, [[H]], [[H]])
// CHECK-NEXT: [[BACK:%.*]] = "gnn.reshape"([[H]])
// CHECK-NEXT: "gnn.aggregate"(%arg0, [[BACK]])
module attributes {gnn.training} {
  func.func @sunk.gradients(%g: !g, %x: !x) -> (f32 {gnn.loss, gnn.name = "l", gnn.of = "gradients"}, tensor<4x4xf32> {gnn.gradient, gnn.name = "w", gnn.of = "gradients"}, tensor<4x4xf32> {gnn.gradient, gnn.name = "v", gnn.of = "gradients"}, !x {gnn.gradient, gnn.name = "x", gnn.of = "gradients"})
      attributes {gnn.phase = "gradients"} {
    %r = "gnn.reduce"(%x) {function = "sum"} : (!x) -> !gnn.node<"g", f32>
    %t = "gnn.total"(%g, %r) {reduce = "sum"} : (!g, !gnn.node<"g", f32>) -> f32
    %d = "gnn.multiply"(%x, %x) : (!x, !x) -> !x
    %e = "gnn.gather"(%g, %d) {end = "src"} : (!g, !x) -> !e
    %y = "gnn.aggregate"(%g, %d) {direction = "out", reduce = "sum"} : (!g, !x) -> !x
    %w = "gnn.contract"(%g, %x, %d) : (!g, !x, !x) -> tensor<4x4xf32>
    %v = "gnn.contract"(%g, %e, %e) : (!g, !e, !e) -> tensor<4x4xf32>
    return %t, %w, %v, %y : f32, tensor<4x4xf32>, tensor<4x4xf32>, !x
  }
  func.func @shape.gradients(%g: !g, %x: !x) -> (f32 {gnn.loss, gnn.name = "l", gnn.of = "gradients"}, !x {gnn.gradient, gnn.name = "x", gnn.of = "gradients"}, tensor<2x2x2xf32> {gnn.gradient, gnn.name = "v", gnn.of = "gradients"})
      attributes {gnn.phase = "gradients"} {
    %r = "gnn.reduce"(%x) {function = "sum"} : (!x) -> !gnn.node<"g", f32>
    %t = "gnn.total"(%g, %r) {reduce = "sum"} : (!g, !gnn.node<"g", f32>) -> f32
    %d = "gnn.multiply"(%x, %x) : (!x, !x) -> !x
    %y = "gnn.aggregate"(%g, %d) {direction = "out", reduce = "sum"} : (!g, !x) -> !x
    %h = "gnn.reshape"(%d) {shape = array<i64: 2, 2>} : (!x) -> !h
    %v = "gnn.contract"(%g, %h, %h) {batch} : (!g, !h, !h) -> tensor<2x2x2xf32>
    return %t, %y, %v : f32, !x, tensor<2x2x2xf32>
  }
}
