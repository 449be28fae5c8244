// gnn-find-ranges bounds integer inputs by the rows of the tables that they pick from.
// RUN: gnn-opt --pass-pipeline=gnn-find-ranges %s | FileCheck %s

!z = !gnn.node<"g", i32>
!q = !gnn.node<"g", tensor<2x3xi32>>
!qe = !gnn.edge<"g", tensor<2x3xi32>>
!h = !gnn.node<"g", tensor<4xf32>>

// The smaller table decides; a bound of the lookup takes the place of the check.
// CHECK-LABEL: func.func @tables(
// CHECK-SAME: %arg0: !gnn.node<"g", i32> {gnn.range = array<i64: 0, 4>}
// CHECK-SAME: %arg1: !gnn.node<"g", i32> {gnn.range = array<i64: -2147483648, 6>}
// CHECK-SAME: %arg2: !gnn.node<"g", i32> {gnn.range = array<i64: 0, 2147483647>}
func.func @tables(%z: !z, %at_least: !z, %at_most: !z, %e: tensor<7x4xf32>, %b: tensor<5x4xf32>) -> (!h, !h, !h, !h, !h) {
  %0 = "gnn.lookup"(%e, %z) : (tensor<7x4xf32>, !z) -> !h
  %1 = "gnn.lookup"(%b, %z) : (tensor<5x4xf32>, !z) -> !h
  %2 = "gnn.lookup"(%e, %at_least) {low = 1 : i64} : (tensor<7x4xf32>, !z) -> !h
  %3 = "gnn.lookup"(%e, %at_most) {high = 6 : i64} : (tensor<7x4xf32>, !z) -> !h
  %4 = "gnn.lookup"(%b, %z) {high = 9 : i64, low = -3 : i64} : (tensor<5x4xf32>, !z) -> !h
  return %0, %1, %2, %3, %4 : !h, !h, !h, !h, !h
}

// Elements have ranges of their own, wherever they were moved: element 5 of q by view and gather, element 1 by columns, transpose and view.
// CHECK-LABEL: func.func @elements(
// CHECK-SAME: %arg1: !gnn.node<"g", tensor<2x3xi32>> {gnn.range = array<i64: -2147483648, 2147483647, 0, 6, -2147483648, 2147483647, -2147483648, 2147483647, -2147483648, 2147483647, 0, 4>}
func.func @elements(%g: !gnn.graph<"g">, %q: !q, %e: tensor<7x4xf32>, %b: tensor<5x4xf32>) -> (!gnn.edge<"g", tensor<4xf32>>, !h) {
  %0 = "gnn.gather"(%g, %q) {end = "src"} : (!gnn.graph<"g">, !q) -> !qe
  %1 = "gnn.view"(%0) {begin = 5 : i64, shape = array<i64>, strides = array<i64>} : (!qe) -> !gnn.edge<"g", i32>
  %2 = "gnn.lookup"(%b, %1) : (tensor<5x4xf32>, !gnn.edge<"g", i32>) -> !gnn.edge<"g", tensor<4xf32>>
  %3 = "gnn.columns"(%q) {begin = 1 : i64, width = 2 : i64} : (!q) -> !gnn.node<"g", tensor<2x2xi32>>
  %4 = "gnn.transpose"(%3) : (!gnn.node<"g", tensor<2x2xi32>>) -> !gnn.node<"g", tensor<2x2xi32>>
  %5 = "gnn.view"(%4) {begin = 0 : i64, shape = array<i64: 1>, strides = array<i64: 2>} : (!gnn.node<"g", tensor<2x2xi32>>) -> !gnn.node<"g", tensor<1xi32>>
  %6 = "gnn.reshape"(%5) {shape = array<i64>} : (!gnn.node<"g", tensor<1xi32>>) -> !z
  %7 = "gnn.lookup"(%e, %6) : (tensor<7x4xf32>, !z) -> !h
  return %2, %7 : !gnn.edge<"g", tensor<4xf32>>, !h
}

// A sum of the rows with each index bounds it as a lookup in the table does.
// CHECK-LABEL: func.func @sums(
// CHECK-SAME: %arg1: !gnn.node<"g", i32> {gnn.range = array<i64: 0, 6>}
// CHECK-SAME: %arg2: !gnn.node<"g", i32> {gnn.range = array<i64: 0, 2147483647>}
func.func @sums(%g: !gnn.graph<"g">, %z: !z, %at_most: !z, %d: !h) -> (tensor<7x4xf32>, tensor<7x4xf32>) {
  %0 = "gnn.sum_by"(%g, %d, %z) {rows = 7 : i64} : (!gnn.graph<"g">, !h, !z) -> tensor<7x4xf32>
  %1 = "gnn.sum_by"(%g, %d, %at_most) {rows = 7 : i64, high = 6 : i64} : (!gnn.graph<"g">, !h, !z) -> tensor<7x4xf32>
  return %0, %1 : tensor<7x4xf32>, tensor<7x4xf32>
}
