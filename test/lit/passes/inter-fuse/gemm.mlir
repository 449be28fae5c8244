// A product with a weight is a loop of its own, which takes the element-wise operations after it.
// RUN: gnn-opt --pass-pipeline=gnn-to-inter,inter-fuse %s | FileCheck %s

!g = !gnn.graph<"g">
!n = !gnn.node<"g", tensor<4xf32>>
!n1 = !gnn.node<"g", f32>

// The epilogue contains bias, activation, a residual and two inner products.
// CHECK-LABEL: @epilogue
// CHECK: "inter.for_nodes"
// CHECK: [[P:%.*]] = "gnn.linear"
// CHECK-NEXT: [[Q:%.*]] = "gnn.vector_add"([[P]], %arg3)
// CHECK: [[R:%.*]] = "gnn.activation"([[Q]])
// CHECK: [[S:%.*]] = "gnn.vector_add"([[R]],
// CHECK: "gnn.vector_inner"([[S]], %arg3)
// CHECK-NOT: inter.for_nodes
// CHECK: return
func.func @epilogue(%g: !g, %x: !n, %w: tensor<4x4xf32>, %b: tensor<4xf32>) -> (!n, !n1) {
  %0 = "gnn.linear"(%x, %w, %b) {activation = "relu", operandSegmentSizes = array<i32: 1, 1, 1, 0>} : (!n, tensor<4x4xf32>, tensor<4xf32>) -> !n
  %1 = "gnn.vector_add"(%0, %x) : (!n, !n) -> !n
  %2 = "gnn.vector_inner"(%1, %b) : (!n, tensor<4xf32>) -> !n1
  return %1, %2 : !n, !n1
}

// Neither a second product nor a loop over edges joins a product, and a product joins no other loop.
// CHECK-LABEL: @precedence
// CHECK: "inter.for_nodes"
// CHECK: function = "relu"
// CHECK-NEXT: smt.yield
// CHECK: "inter.for_nodes"
// CHECK: "gnn.linear"
// CHECK-NEXT: smt.yield
// CHECK: "inter.for_nodes"
// CHECK: "gnn.linear"
// CHECK-NEXT: smt.yield
// CHECK: "inter.for_nodes"
// CHECK: "inter.for_incoming"
// CHECK: return
func.func @precedence(%g: !g, %x: !n, %w: tensor<4x4xf32>, %a: !gnn.edge<"g", f32>) -> !n {
  %0 = "gnn.activation"(%x) {function = "relu"} : (!n) -> !n
  %1 = "gnn.linear"(%0, %w) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!n, tensor<4x4xf32>) -> !n
  %2 = "gnn.linear"(%1, %w) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!n, tensor<4x4xf32>) -> !n
  %3 = "gnn.aggregate"(%g, %a) {reduce = "sum", direction = "in"} : (!g, !gnn.edge<"g", f32>) -> !n1
  %4 = "gnn.multiply"(%2, %3) : (!n, !n1) -> !n
  return %4 : !n
}
