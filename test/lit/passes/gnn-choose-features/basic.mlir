// gnn-choose-features makes an input sparse where that pays or is forced.
// RUN: gnn-opt --density=0.01 --pass-pipeline='gnn-choose-features' %s | FileCheck %s --check-prefix=AUTO
// RUN: gnn-opt --pass-pipeline='gnn-choose-features{features=sparse}' %s | FileCheck %s --check-prefix=FORCED

!x = !gnn.node<"g", tensor<64xf32>>
!y = !gnn.node<"g", tensor<8xf32>>
!narrow = !gnn.node<"g", tensor<8xf32>>

// Normalisation and product of rows both work over stored entries.
// AUTO-LABEL: @rows
// AUTO-SAME: %arg0: !gnn.sparse<"g", tensor<64xf32>>
// AUTO: [[N:%.*]] = "gnn.row_normalize"(%arg0) : (!gnn.sparse<"g", tensor<64xf32>>) -> !gnn.sparse<"g", tensor<64xf32>>
// AUTO: "gnn.linear"([[N]], %arg1) {{.*}} : (!gnn.sparse<"g", tensor<64xf32>>, tensor<64x8xf32>) -> !gnn.node<"g", tensor<8xf32>>
// FORCED-LABEL: @rows
// FORCED-SAME: %arg0: !gnn.sparse<"g", tensor<64xf32>>
// FORCED-NOT: densify
func.func @rows(%x: !x {gnn.name = "x"}, %w: tensor<64x8xf32>) -> !y {
  %0 = "gnn.row_normalize"(%x) : (!x) -> !x
  %1 = "gnn.linear"(%0, %w) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!x, tensor<64x8xf32>) -> !y
  return %1 : !y
}

// An activation needs whole rows: auto leaves the input dense, sparse makes dense rows before the activation.
// AUTO-LABEL: @other_use
// AUTO-SAME: %arg0: !gnn.node<"g", tensor<64xf32>>
// FORCED-LABEL: @other_use
// FORCED-SAME: %arg0: !gnn.sparse<"g", tensor<64xf32>>
// FORCED: [[D:%.*]] = "gnn.densify"(%arg0) : (!gnn.sparse<"g", tensor<64xf32>>) -> !gnn.node<"g", tensor<64xf32>>
// FORCED: [[N:%.*]] = "gnn.row_normalize"(%arg0)
// FORCED: [[E:%.*]] = "gnn.densify"([[N]])
// FORCED: "gnn.linear"(%arg0, %arg1)
// FORCED: "gnn.activation"([[D]])
// FORCED: return {{.*}}, [[E]] :
func.func @other_use(%x: !x {gnn.name = "x"}, %w: tensor<64x8xf32>) -> (!y, !x, !x) {
  %0 = "gnn.row_normalize"(%x) : (!x) -> !x
  %1 = "gnn.linear"(%x, %w) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!x, tensor<64x8xf32>) -> !y
  %2 = "gnn.activation"(%x) {function = "relu"} : (!x) -> !x
  return %1, %2, %0 : !y, !x, !x
}

// Few columns do not pay; other inputs are no features.
// AUTO-LABEL: @narrow
// AUTO-SAME: %arg0: !gnn.node<"g", tensor<8xf32>>
// AUTO-SAME: %arg1: !gnn.node<"g", tensor<64xf32>>
// FORCED-LABEL: @narrow
// FORCED-SAME: %arg0: !gnn.sparse<"g", tensor<8xf32>>
// FORCED-SAME: %arg1: !gnn.node<"g", tensor<64xf32>>
func.func @narrow(%x: !narrow {gnn.from = "x"}, %z: !x {gnn.from = "z"}, %w: tensor<8x8xf32>, %v: tensor<64x8xf32>) -> (!y, !y) {
  %0 = "gnn.linear"(%x, %w) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!narrow, tensor<8x8xf32>) -> !y
  %1 = "gnn.linear"(%z, %v) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!x, tensor<64x8xf32>) -> !y
  return %0, %1 : !y, !y
}
