// device-fuse-layers leaves products and sums alone whose exchange is not allowed.
// RUN: gnn-opt --pass-pipeline=device-fuse-layers %s | FileCheck %s
// CHECK-NOT: device.layer

!list = !device.edge_list<"g", "g">
!x = !device.rows<"g", 8 : i64>
!y = !device.rows<"g", 4 : i64>

// The product has a bias of its own, which the sum would add once for each edge.
func.func @bias(%g: !gnn.graph<"g">, %x: !x, %w: tensor<8x4xf32>, %b: tensor<4xf32>) -> !y {
  %e = "device.edges"(%g) {kind = "in", operandSegmentSizes = array<i32: 1, 0, 0>} : (!gnn.graph<"g">) -> !list
  %0 = "device.gemm"(%x, %w, %b) {operandSegmentSizes = array<i32: 1, 1, 1, 0>} : (!x, tensor<8x4xf32>, tensor<4xf32>) -> !y
  %1 = "device.spdmm"(%e, %0) {reduce = "sum", operandSegmentSizes = array<i32: 1, 1, 0, 0, 0>} : (!list, !y) -> !y
  return %1 : !y
}

// The product has a matrix per type of the rows that it reads.
func.func @types(%g: !gnn.graph<"g">, %x: !x, %w: !gnn.per<"ntype", tensor<8x4xf32>>) -> !y {
  %e = "device.edges"(%g) {kind = "in", operandSegmentSizes = array<i32: 1, 0, 0>} : (!gnn.graph<"g">) -> !list
  %0 = "device.gemm"(%x, %w) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!x, !gnn.per<"ntype", tensor<8x4xf32>>) -> !y
  %1 = "device.spdmm"(%e, %0) {reduce = "sum", operandSegmentSizes = array<i32: 1, 1, 0, 0, 0>} : (!list, !y) -> !y
  return %1 : !y
}

// A maximum is not linear, values of edges belong to heads, and sums with another user stay sums.
func.func @others(%g: !gnn.graph<"g">, %x: !x, %w: tensor<8x4xf32>, %v: !device.values<"g", "g", 2 : i64>) -> (!y, !y, !x, !y) {
  %e = "device.edges"(%g) {kind = "in", operandSegmentSizes = array<i32: 1, 0, 0>} : (!gnn.graph<"g">) -> !list
  %0 = "device.gemm"(%x, %w) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!x, tensor<8x4xf32>) -> !y
  %1 = "device.spdmm"(%e, %0) {reduce = "max", operandSegmentSizes = array<i32: 1, 1, 0, 0, 0>} : (!list, !y) -> !y
  %2 = "device.gemm"(%x, %w) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!x, tensor<8x4xf32>) -> !y
  %3 = "device.spdmm"(%e, %2, %v) {reduce = "sum", operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>} : (!list, !y, !device.values<"g", "g", 2 : i64>) -> !y
  %4 = "device.spdmm"(%e, %x) {reduce = "sum", operandSegmentSizes = array<i32: 1, 1, 0, 0, 0>} : (!list, !x) -> !x
  %5 = "device.gemm"(%4, %w) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!x, tensor<8x4xf32>) -> !y
  return %1, %3, %4, %5 : !y, !y, !x, !y
}

// Sums of values of edges have no rows.
func.func @values(%g: !gnn.graph<"g">, %v: !device.values<"g", "g", 2 : i64>) -> !device.rows<"g", 2 : i64> {
  %e = "device.edges"(%g) {kind = "in", operandSegmentSizes = array<i32: 1, 0, 0>} : (!gnn.graph<"g">) -> !list
  %0 = "device.spdmm"(%e, %v) {reduce = "sum", operandSegmentSizes = array<i32: 1, 0, 1, 0, 0>} : (!list, !device.values<"g", "g", 2 : i64>) -> !device.rows<"g", 2 : i64>
  return %0 : !device.rows<"g", 2 : i64>
}
