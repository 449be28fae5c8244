// gnn-fuse-activation leaves activations and biases that no layer can take.
// RUN: gnn-opt %s > %t.before
// RUN: gnn-opt --pass-pipeline=gnn-fuse-activation %s > %t.after
// RUN: diff %t.before %t.after

!x = !gnn.node<"g", tensor<8xf32>>
!h = !gnn.node<"g", tensor<4x4xf32>>

// The layer before the activation has another user; a layer takes only one activation; the exponential of a quotient has no layer.
func.func @activations(%x: !x, %w: tensor<8x8xf32>) -> (!x, !x, !x, !x) {
  %0 = "gnn.linear"(%x, %w) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!x, tensor<8x8xf32>) -> !x
  %1 = "gnn.activation"(%0) {function = "relu"} : (!x) -> !x
  %2 = "gnn.linear"(%x, %w) {operandSegmentSizes = array<i32: 1, 1, 0, 0>, activation = "relu"} : (!x, tensor<8x8xf32>) -> !x
  %3 = "gnn.activation"(%2) {function = "tanh"} : (!x) -> !x
  %4 = "gnn.divide"(%x, %x) : (!x, !x) -> !x
  %5 = "gnn.activation"(%4) {function = "exp"} : (!x) -> !x
  return %0, %1, %3, %5 : !x, !x, !x, !x
}

// An addend to several rows of features aligns with the first dimension, a bias with the last; an activation precedes the sum.
func.func @sums(%x: !h, %y: !x, %w: tensor<4x4xf32>, %v: tensor<8x8xf32>, %b: tensor<4xf32>, %c: tensor<8xf32>) -> (!h, !x) {
  %0 = "gnn.linear"(%x, %w) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!h, tensor<4x4xf32>) -> !h
  %1 = "gnn.vector_add"(%0, %b) : (!h, tensor<4xf32>) -> !h
  %2 = "gnn.linear"(%y, %v) {operandSegmentSizes = array<i32: 1, 1, 0, 0>, activation = "relu"} : (!x, tensor<8x8xf32>) -> !x
  %3 = "gnn.vector_add"(%2, %c) : (!x, tensor<8xf32>) -> !x
  return %1, %3 : !h, !x
}
