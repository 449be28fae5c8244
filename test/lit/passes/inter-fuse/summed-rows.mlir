// A product reads rows through their sources although a sum over all edges reads them, too: the sum does so itself, so that no copy
// per edge is stored (inter-to-intra/contract.mlir). A value that is computed for the sum is stored, and the product reads it.
// RUN: gnn-opt --pass-pipeline=gnn-to-inter,inter-fuse %s | FileCheck %s

!g = !gnn.graph<"g">
!n = !gnn.node<"g", tensor<4xf32>>
!e = !gnn.edge<"g", tensor<4xf32>>
!w = !gnn.per<"etype", tensor<4x4xf32>>

// CHECK-LABEL: @moved
// CHECK: inter.for_edges
// CHECK: inter.for_edges
// CHECK-NEXT: bb0
// CHECK-NEXT: inter.src
// CHECK-NEXT: [[X:%.*]] = "inter.at"(%arg1,
// CHECK-NEXT: inter.at
// CHECK-NEXT: "gnn.linear"([[X]],
// CHECK: "gnn.contract"
func.func @moved(%g: !g, %x: !n, %w: !w) -> (!e, !w) {
  %0 = "gnn.gather"(%g, %x) {end = "src"} : (!g, !n) -> !e
  %1 = "gnn.slice"(%g, %w) {by = "edge"} : (!g, !w) -> !gnn.edge<"g", tensor<4x4xf32>>
  %2 = "gnn.linear"(%0, %1) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!e, !gnn.edge<"g", tensor<4x4xf32>>) -> !e
  %3 = "gnn.contract"(%g, %0, %2) {count = 2 : i64, per = "etype"} : (!g, !e, !e) -> !w
  return %2, %3 : !e, !w
}

// CHECK-LABEL: @computed
// CHECK: "gnn.activation"
// CHECK-NEXT: smt.yield
// CHECK: "gnn.linear"
// CHECK: "gnn.contract"
func.func @computed(%g: !g, %x: !n, %w: !w) -> (!e, !w) {
  %0 = "gnn.gather"(%g, %x) {end = "src"} : (!g, !n) -> !e
  %4 = "gnn.activation"(%0) {function = "exp"} : (!e) -> !e
  %1 = "gnn.slice"(%g, %w) {by = "edge"} : (!g, !w) -> !gnn.edge<"g", tensor<4x4xf32>>
  %2 = "gnn.linear"(%4, %1) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!e, !gnn.edge<"g", tensor<4x4xf32>>) -> !e
  %3 = "gnn.contract"(%g, %4, %2) {count = 2 : i64, per = "etype"} : (!g, !e, !e) -> !w
  return %2, %3 : !e, !w
}

// CHECK-LABEL: @by_index
// CHECK: inter.for_edges
// CHECK: inter.for_edges
// CHECK-NEXT: bb0
// CHECK-NEXT: inter.src
// CHECK-NEXT: "inter.at"(%arg1,
// CHECK: "gnn.sum_by"
func.func @by_index(%g: !g, %x: !n, %w: !w, %i: !gnn.edge<"g", i32>) -> (!e, tensor<3x4xf32>) {
  %0 = "gnn.gather"(%g, %x) {end = "src"} : (!g, !n) -> !e
  %1 = "gnn.slice"(%g, %w) {by = "edge"} : (!g, !w) -> !gnn.edge<"g", tensor<4x4xf32>>
  %2 = "gnn.linear"(%0, %1) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!e, !gnn.edge<"g", tensor<4x4xf32>>) -> !e
  %3 = "gnn.sum_by"(%g, %0, %i) {rows = 3 : i64} : (!g, !e, !gnn.edge<"g", i32>) -> tensor<3x4xf32>
  return %2, %3 : !e, tensor<3x4xf32>
}
