// Products with the same operand become one, each from a whole fiber on; a sum over edges starts from its window.
// RUN: gnn-opt -O 2 --pass-pipeline='gnn-to-device{width=4}' %s | FileCheck %s
// RUN: gnn-opt -O 2 --pass-pipeline='gnn-to-device{merge=false}' %s | FileCheck %s --check-prefix=APART

!g = !gnn.graph<"g">
!x = !gnn.node<"g", tensor<8xf32>>
!y = !gnn.node<"g", tensor<3xf32>>
ml_program.global private @l(#ml_program.extern) : tensor<3x8xf32>
ml_program.global private @r(#ml_program.extern) : tensor<3x8xf32>
ml_program.global private @b(#ml_program.extern) : tensor<3xf32>

// GraphSAGE has two matrices, the first of which is followed by a column of zeros.
// CHECK-LABEL: @sage
// CHECK: [[P:%.*]] = "gnn.linear"({{.*}}) {{.*}} -> tensor<8x4xf32>
// CHECK: [[W:%.*]] = "gnn.concat"([[P]], {{.*}}) : (tensor<8x4xf32>, tensor<8x3xf32>) -> tensor<8x7xf32>
// CHECK: [[Z:%.*]] = "device.gemm"({{.*}}, [[W]]) {{.*}} -> !device.rows<"g", 7 : i64>
// CHECK: [[L:%.*]] = "device.columns"([[Z]]) {begin = 0 : i64, width = 3 : i64}
// CHECK: [[R:%.*]] = "device.columns"([[Z]]) {begin = 4 : i64, width = 3 : i64}
// CHECK: "device.spdmm"({{.*}}, [[L]], %b, [[R]]) {functions = ["relu"], operandSegmentSizes = array<i32: 1, 1, 0, 1, 1>, reduce = "sum"}
// APART-LABEL: @sage
// APART-NOT: device.columns
func.func @sage(%g: !g, %x: !x) -> !y {
  %l = ml_program.global_load_const @l : tensor<3x8xf32>
  %z = "gnn.linear"(%x, %l) {operandSegmentSizes = array<i32: 1, 1, 0, 0>, transposed} : (!x, tensor<3x8xf32>) -> !y
  %m = "gnn.aggregate"(%g, %z) {direction = "in", reduce = "mean"} : (!g, !y) -> !y
  %r = ml_program.global_load_const @r : tensor<3x8xf32>
  %b = ml_program.global_load_const @b : tensor<3xf32>
  %h = "gnn.linear"(%x, %r, %b, %m) {activation = "relu", operandSegmentSizes = array<i32: 1, 1, 1, 1>, transposed} : (!x, tensor<3x8xf32>, tensor<3xf32>, !y) -> !y
  return %h : !y
}

// An activation follows a whole product, not a window of one; an output is not a window.
// CHECK-LABEL: @apart
// CHECK-NOT: device.columns
// CHECK: return
func.func @apart(%g: !g, %x: !x) -> (!y, !y) {
  %l = ml_program.global_load_const @l : tensor<3x8xf32>
  %r = ml_program.global_load_const @r : tensor<3x8xf32>
  %a = "gnn.linear"(%x, %l) {activation = "relu", operandSegmentSizes = array<i32: 1, 1, 0, 0>, transposed} : (!x, tensor<3x8xf32>) -> !y
  %b = "gnn.linear"(%x, %r) {operandSegmentSizes = array<i32: 1, 1, 0, 0>, transposed} : (!x, tensor<3x8xf32>) -> !y
  return %a, %b : !y, !y
}
