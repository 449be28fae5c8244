// A sum over rows that are read in another shape further on sums them in that shape, before the first reader of the sum.
// RUN: gnn-opt --pass-pipeline=gnn-recompute %s | FileCheck %s

!g = !gnn.graph<"g">
!x = !gnn.node<"g", tensor<4xf32>>
!h = !gnn.node<"g", tensor<2x2xf32>>

// CHECK-LABEL: func.func @m.gradients(
// CHECK:     [[D:%.*]] = "gnn.multiply"
// CHECK:     [[R:%.*]] = "gnn.reshape"([[D]])
// CHECK:     "gnn.contract"(%arg0, [[R]], [[R]])
// CHECK:     [[S:%.*]] = "gnn.contract"(%arg0, [[R]])
// CHECK:     [[B:%.*]] = "gnn.reshape"([[S]])
// CHECK:     "gnn.multiply"([[B]], %arg2)
module attributes {gnn.training} {
  func.func @m.gradients(%g: !g, %x: !x, %w: tensor<4xf32>) -> (f32 {gnn.loss, gnn.name = "l", gnn.of = "gradients"}, tensor<4xf32> {gnn.gradient, gnn.name = "w", gnn.of = "gradients"}, tensor<2x2x2xf32> {gnn.gradient, gnn.name = "v", gnn.of = "gradients"})
      attributes {gnn.phase = "gradients"} {
    %r = "gnn.reduce"(%x) {function = "sum"} : (!x) -> !gnn.node<"g", f32>
    %t = "gnn.total"(%g, %r) {reduce = "sum"} : (!g, !gnn.node<"g", f32>) -> f32
    %d = "gnn.multiply"(%x, %x) : (!x, !x) -> !x
    %s = "gnn.contract"(%g, %d) : (!g, !x) -> tensor<4xf32>
    %p = "gnn.multiply"(%s, %w) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %h = "gnn.reshape"(%d) {shape = array<i64: 2, 2>} : (!x) -> !h
    %v = "gnn.contract"(%g, %h, %h) {batch} : (!g, !h, !h) -> tensor<2x2x2xf32>
    return %t, %p, %v : f32, tensor<4xf32>, tensor<2x2x2xf32>
  }
}
