// Rows that cost little are computed again where the backward pass keeps what they are made of.
// RUN: gnn-opt --pass-pipeline=gnn-recompute %s | FileCheck %s
// The loop of the copy stays apart from that of the forward pass.
// RUN: gnn-opt --pass-pipeline=gnn-split-total,gnn-recompute,gnn-to-inter,inter-canonicalize,gnn-cse,inter-fuse %s | FileCheck %s --check-prefix=FUSED

!g = !gnn.graph<"g">
!x = !gnn.node<"g", tensor<4xf32>>

// CHECK-LABEL: func.func @m.gradients(
// CHECK:     [[Y:%.*]] = "gnn.aggregate"
// CHECK:     [[H:%.*]] = "gnn.activation"([[Y]]) {function = "relu"}
// CHECK:     "gnn.reduce"([[H]])
// CHECK:     [[D:%.*]] = "gnn.multiply"([[Y]], %arg1)
// CHECK:     [[AGAIN:%.*]] = "gnn.activation"([[Y]]) {function = "relu", gnn.again}
// CHECK:     "gnn.contract"(%arg0, [[AGAIN]], [[D]])
// FUSED-LABEL: func.func @m.gradients(
// FUSED:     "gnn.activation"
// FUSED:     smt.yield {{.*}} : tensor<4xf32>, f32, tensor<4xf32>
// FUSED:     [[LOOP:%.*]] = "inter.for_nodes"
// FUSED:     "gnn.activation"
// FUSED:     }) {gnn.again}
// FUSED:     [[AGAIN:%.*]] = "inter.result"([[LOOP]])
// FUSED:     "gnn.contract"(%arg0, [[AGAIN]],
// A value of which nothing is read in the backward pass but itself is kept.
// CHECK-LABEL: func.func @kept.gradients(
// CHECK-NOT: gnn.again
module attributes {gnn.training} {
  func.func @m.gradients(%g: !g, %x: !x) -> (f32 {gnn.loss, gnn.name = "l", gnn.of = "gradients"}, tensor<4x4xf32> {gnn.gradient, gnn.name = "w", gnn.of = "gradients"})
      attributes {gnn.phase = "gradients"} {
    %y = "gnn.aggregate"(%g, %x) {direction = "in", reduce = "sum"} : (!g, !x) -> !x
    %h = "gnn.activation"(%y) {function = "relu"} : (!x) -> !x
    %r = "gnn.reduce"(%h) {function = "sum"} : (!x) -> !gnn.node<"g", f32>
    %t = "gnn.total"(%g, %r) {reduce = "sum"} : (!g, !gnn.node<"g", f32>) -> f32
    %d = "gnn.multiply"(%y, %x) : (!x, !x) -> !x
    %w = "gnn.contract"(%g, %h, %d) : (!g, !x, !x) -> tensor<4x4xf32>
    return %t, %w : f32, tensor<4x4xf32>
  }
  func.func @kept.gradients(%g: !g, %x: !x) -> (f32 {gnn.loss, gnn.name = "l", gnn.of = "gradients"}, tensor<4x4xf32> {gnn.gradient, gnn.name = "w", gnn.of = "gradients"})
      attributes {gnn.phase = "gradients"} {
    %y = "gnn.aggregate"(%g, %x) {direction = "in", reduce = "sum"} : (!g, !x) -> !x
    %h = "gnn.activation"(%y) {function = "relu"} : (!x) -> !x
    %r = "gnn.reduce"(%h) {function = "sum"} : (!x) -> !gnn.node<"g", f32>
    %t = "gnn.total"(%g, %r) {reduce = "sum"} : (!g, !gnn.node<"g", f32>) -> f32
    %w = "gnn.contract"(%g, %h, %x) : (!g, !x, !x) -> tensor<4x4xf32>
    return %t, %w : f32, tensor<4x4xf32>
  }
}
