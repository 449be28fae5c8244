// device-fuse-layers makes one layer of a product and a sum over edges.
// RUN: gnn-opt --pass-pipeline=device-fuse-layers %s | FileCheck %s

!list = !device.edge_list<"g", "g">
!x = !device.rows<"g", 8 : i64>
!y = !device.rows<"g", 4 : i64>

// The sum may follow the product; its bias and function are those of the layer.
// CHECK-LABEL: @product_first
// CHECK-NEXT: %[[LIST:.*]] = "device.edges"
// CHECK-NEXT: "device.layer"(%[[LIST]], %arg1, %arg2, %arg3) {functions = ["relu"], operandSegmentSizes = array<i32: 1, 1, 1, 1, 0>}
// CHECK-NEXT: return
func.func @product_first(%g: !gnn.graph<"g">, %x: !x, %w: tensor<8x4xf32>, %b: tensor<4xf32>) -> !y {
  %e = "device.edges"(%g) {kind = "in", operandSegmentSizes = array<i32: 1, 0, 0>} : (!gnn.graph<"g">) -> !list
  %0 = "device.gemm"(%x, %w) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!x, tensor<8x4xf32>) -> !y
  %1 = "device.spdmm"(%e, %0, %b) {functions = ["relu"], reduce = "sum", operandSegmentSizes = array<i32: 1, 1, 0, 1, 0>} : (!list, !y, tensor<4xf32>) -> !y
  return %1 : !y
}

// The product may follow the sum, and may have a matrix and a bias per type.
// CHECK-LABEL: @sum_first
// CHECK-NEXT: %[[LIST:.*]] = "device.edges"
// CHECK-NEXT: "device.layer"(%[[LIST]], %arg1, %arg2, %arg3, %arg4) {operandSegmentSizes = array<i32: 1, 1, 1, 1, 1>, transposed}
// CHECK-NEXT: return
func.func @sum_first(%g: !gnn.graph<"g">, %x: !x, %w: !gnn.per<"ntype", tensor<4x8xf32>>, %b: !gnn.per<"ntype", tensor<4xf32>>, %y: !y) -> !y {
  %e = "device.edges"(%g) {kind = "in", operandSegmentSizes = array<i32: 1, 0, 0>} : (!gnn.graph<"g">) -> !list
  %0 = "device.spdmm"(%e, %x) {reduce = "sum", operandSegmentSizes = array<i32: 1, 1, 0, 0, 0>} : (!list, !x) -> !x
  %1 = "device.gemm"(%0, %w, %b, %y) {transposed, operandSegmentSizes = array<i32: 1, 1, 1, 1>} : (!x, !gnn.per<"ntype", tensor<4x8xf32>>, !gnn.per<"ntype", tensor<4xf32>>, !y) -> !y
  return %1 : !y
}

// A copy of rows is computed again for each product that reads it.
// CHECK-LABEL: @copy
// CHECK-NEXT: %[[LIST:.*]] = "device.edges"
// CHECK-NEXT: "device.layer"(%[[LIST]], %arg1, %arg2)
// CHECK-NEXT: "device.layer"(%[[LIST]], %arg1, %arg2)
// CHECK-NEXT: return
func.func @copy(%g: !gnn.graph<"g">, %x: !x, %w: !gnn.per<"etype", tensor<8x4xf32>>) -> (!device.rows<"g.edges", 4 : i64>, !device.rows<"g.edges", 4 : i64>) {
  %e = "device.edges"(%g) {kind = "gather_src", operandSegmentSizes = array<i32: 1, 0, 0>} : (!gnn.graph<"g">) -> !device.edge_list<"g", "g.edges">
  %0 = "device.spdmm"(%e, %x) {reduce = "sum", operandSegmentSizes = array<i32: 1, 1, 0, 0, 0>} : (!device.edge_list<"g", "g.edges">, !x) -> !device.rows<"g.edges", 8 : i64>
  %1 = "device.gemm"(%0, %w) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!device.rows<"g.edges", 8 : i64>, !gnn.per<"etype", tensor<8x4xf32>>) -> !device.rows<"g.edges", 4 : i64>
  %2 = "device.gemm"(%0, %w) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!device.rows<"g.edges", 8 : i64>, !gnn.per<"etype", tensor<8x4xf32>>) -> !device.rows<"g.edges", 4 : i64>
  return %1, %2 : !device.rows<"g.edges", 4 : i64>, !device.rows<"g.edges", 4 : i64>
}
