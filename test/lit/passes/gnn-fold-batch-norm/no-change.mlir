// IR without a batch norm stays unchanged, and so does a batch norm of several rows of features, because coefficients belong to the last dimension.
// RUN: gnn-opt %s > %t.before
// RUN: gnn-opt --pass-pipeline=gnn-fold-batch-norm %s > %t.after
// RUN: diff %t.before %t.after

!x = !gnn.node<"g", tensor<8xf32>>
!h = !gnn.node<"g", tensor<4x2xf32>>

func.func @layers(%x: !x, %w: tensor<8x8xf32>, %b: tensor<8xf32>) -> !x {
  %0 = "gnn.linear"(%x, %w, %b) {operandSegmentSizes = array<i32: 1, 1, 1, 0>} : (!x, tensor<8x8xf32>, tensor<8xf32>) -> !x
  %1 = "gnn.activation"(%0) {function = "relu"} : (!x) -> !x
  return %1 : !x
}

func.func @heads(%x: !h, %c: tensor<2xf32>) -> !h {
  %0 = "gnn.batch_norm"(%x, %c, %c, %c, %c) {epsilon = 1.0e-05 : f64} : (!h, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> !h
  return %0 : !h
}
