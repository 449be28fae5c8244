// Sizes that contradict each other only when they are inferred.
// RUN: gnn-opt --pass-pipeline=gnn-infer-shapes --verify-diagnostics %s

func.func @meets_too_late(%x: !gnn.node<"g", tensor<?xf32>>, %w: tensor<8x16xf32>, %v: tensor<32x4xf32>) -> !gnn.node<"g", tensor<4xf32>> {
  %0 = "gnn.linear"(%x, %w) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!gnn.node<"g", tensor<?xf32>>, tensor<8x16xf32>) -> !gnn.node<"g", tensor<?xf32>>
  // expected-error@+1 {{has 16 columns here, but}}
  %1 = "gnn.linear"(%0, %v) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!gnn.node<"g", tensor<?xf32>>, tensor<32x4xf32>) -> !gnn.node<"g", tensor<4xf32>>
  return %1 : !gnn.node<"g", tensor<4xf32>>
}
