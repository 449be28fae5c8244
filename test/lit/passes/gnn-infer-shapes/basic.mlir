// gnn-infer-shapes finds open sizes and keeps known ones.
// RUN: gnn-opt --pass-pipeline=gnn-infer-shapes %s | FileCheck %s

// Open sizes follow from the operands, through the function and into its type.
// CHECK-LABEL: @open_sizes
// CHECK-SAME: -> !gnn.node<"g", tensor<16xf32>>
// CHECK: "gnn.linear"{{.*}} -> !gnn.node<"g", tensor<16xf32>>
// CHECK: "gnn.activation"{{.*}} -> !gnn.node<"g", tensor<16xf32>>
// CHECK: return %{{.*}} : !gnn.node<"g", tensor<16xf32>>
func.func @open_sizes(%x: !gnn.node<"g", tensor<?xf32>>, %w: tensor<1433x16xf32>) -> !gnn.node<"g", tensor<?xf32>> {
  %0 = "gnn.linear"(%x, %w) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!gnn.node<"g", tensor<?xf32>>, tensor<1433x16xf32>) -> !gnn.node<"g", tensor<?xf32>>
  %1 = "gnn.activation"(%0) {function = "relu"} : (!gnn.node<"g", tensor<?xf32>>) -> !gnn.node<"g", tensor<?xf32>>
  return %1 : !gnn.node<"g", tensor<?xf32>>
}

// Known sizes stay.
// CHECK-LABEL: @known_stays
// CHECK: "gnn.activation"{{.*}} -> tensor<16xf32>
func.func @known_stays(%x: tensor<?xf32>) -> tensor<16xf32> {
  %0 = "gnn.activation"(%x) {function = "relu"} : (tensor<?xf32>) -> tensor<16xf32>
  return %0 : tensor<16xf32>
}
