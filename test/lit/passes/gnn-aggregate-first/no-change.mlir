// gnn-aggregate-first leaves sums after products where the exchange is not legal.
// RUN: gnn-opt --pass-pipeline='gnn-aggregate-first{when=always}' %s | FileCheck %s --implicit-check-not=unique

// Another operation reads the product.
// CHECK-LABEL: @shared
func.func @shared(%g: !gnn.graph<"g">, %x: !gnn.node<"g", tensor<6xf32>>, %w: !gnn.per<"etype", tensor<6x4xf32>>) -> (!gnn.edge<"g", tensor<4xf32>>, !gnn.node<"g", tensor<4xf32>>) {
  %hz = "gnn.gather"(%g, %x) {end = "src"} : (!gnn.graph<"g">, !gnn.node<"g", tensor<6xf32>>) -> !gnn.edge<"g", tensor<6xf32>>
  %wz = "gnn.slice"(%g, %w) {by = "edge"} : (!gnn.graph<"g">, !gnn.per<"etype", tensor<6x4xf32>>) -> !gnn.edge<"g", tensor<6x4xf32>>
  %z = "gnn.linear"(%hz, %wz) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!gnn.edge<"g", tensor<6xf32>>, !gnn.edge<"g", tensor<6x4xf32>>) -> !gnn.edge<"g", tensor<4xf32>>
  %o = "gnn.aggregate"(%g, %z) {direction = "in", reduce = "sum"} : (!gnn.graph<"g">, !gnn.edge<"g", tensor<4xf32>>) -> !gnn.node<"g", tensor<4xf32>>
  return %z, %o : !gnn.edge<"g", tensor<4xf32>>, !gnn.node<"g", tensor<4xf32>>
}

// A mean over all incoming edges is not the sum of means by type.
// CHECK-LABEL: @mean
func.func @mean(%g: !gnn.graph<"g">, %x: !gnn.node<"g", tensor<6xf32>>, %w: !gnn.per<"etype", tensor<6x4xf32>>) -> (!gnn.node<"g", tensor<4xf32>>) {
  %hz = "gnn.gather"(%g, %x) {end = "src"} : (!gnn.graph<"g">, !gnn.node<"g", tensor<6xf32>>) -> !gnn.edge<"g", tensor<6xf32>>
  %wz = "gnn.slice"(%g, %w) {by = "edge"} : (!gnn.graph<"g">, !gnn.per<"etype", tensor<6x4xf32>>) -> !gnn.edge<"g", tensor<6x4xf32>>
  %z = "gnn.linear"(%hz, %wz) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!gnn.edge<"g", tensor<6xf32>>, !gnn.edge<"g", tensor<6x4xf32>>) -> !gnn.edge<"g", tensor<4xf32>>
  %o = "gnn.aggregate"(%g, %z) {direction = "in", reduce = "mean"} : (!gnn.graph<"g">, !gnn.edge<"g", tensor<4xf32>>) -> !gnn.node<"g", tensor<4xf32>>
  return %o : !gnn.node<"g", tensor<4xf32>>
}

// x of the node that sums is the same for all its edges, so gnn-compact handles it.
// CHECK-LABEL: @own_end
func.func @own_end(%g: !gnn.graph<"g">, %x: !gnn.node<"g", tensor<6xf32>>, %w: !gnn.per<"etype", tensor<6x4xf32>>) -> (!gnn.node<"g", tensor<4xf32>>) {
  %hz = "gnn.gather"(%g, %x) {end = "dst"} : (!gnn.graph<"g">, !gnn.node<"g", tensor<6xf32>>) -> !gnn.edge<"g", tensor<6xf32>>
  %wz = "gnn.slice"(%g, %w) {by = "edge"} : (!gnn.graph<"g">, !gnn.per<"etype", tensor<6x4xf32>>) -> !gnn.edge<"g", tensor<6x4xf32>>
  %z = "gnn.linear"(%hz, %wz) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!gnn.edge<"g", tensor<6xf32>>, !gnn.edge<"g", tensor<6x4xf32>>) -> !gnn.edge<"g", tensor<4xf32>>
  %o = "gnn.aggregate"(%g, %z) {direction = "in", reduce = "sum"} : (!gnn.graph<"g">, !gnn.edge<"g", tensor<4xf32>>) -> !gnn.node<"g", tensor<4xf32>>
  return %o : !gnn.node<"g", tensor<4xf32>>
}

// The factor is per head, but the product is not.
// CHECK-LABEL: @factor_per_head
func.func @factor_per_head(%g: !gnn.graph<"g">, %x: !gnn.node<"g", tensor<6xf32>>, %w: !gnn.per<"etype", tensor<6x4xf32>>, %c: !gnn.edge<"g", tensor<2xf32>>) -> (!gnn.node<"g", tensor<2x2xf32>>) {
  %hz = "gnn.gather"(%g, %x) {end = "src"} : (!gnn.graph<"g">, !gnn.node<"g", tensor<6xf32>>) -> !gnn.edge<"g", tensor<6xf32>>
  %wz = "gnn.slice"(%g, %w) {by = "edge"} : (!gnn.graph<"g">, !gnn.per<"etype", tensor<6x4xf32>>) -> !gnn.edge<"g", tensor<6x4xf32>>
  %z = "gnn.linear"(%hz, %wz) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!gnn.edge<"g", tensor<6xf32>>, !gnn.edge<"g", tensor<6x4xf32>>) -> !gnn.edge<"g", tensor<4xf32>>
  %r = "gnn.reshape"(%z) {shape = array<i64: 2, 2>} : (!gnn.edge<"g", tensor<4xf32>>) -> !gnn.edge<"g", tensor<2x2xf32>>
  %o = "gnn.aggregate"(%g, %r, %c) {direction = "in", reduce = "sum"} : (!gnn.graph<"g">, !gnn.edge<"g", tensor<2x2xf32>>, !gnn.edge<"g", tensor<2xf32>>) -> !gnn.node<"g", tensor<2x2xf32>>
  return %o : !gnn.node<"g", tensor<2x2xf32>>
}

// The bias is added once for each edge, so edges would have to be counted.
// CHECK-LABEL: @bias
func.func @bias(%g: !gnn.graph<"g">, %x: !gnn.node<"g", tensor<6xf32>>, %w: !gnn.per<"etype", tensor<6x4xf32>>, %b: tensor<4xf32>) -> (!gnn.node<"g", tensor<4xf32>>) {
  %h = "gnn.gather"(%g, %x) {end = "src"} : (!gnn.graph<"g">, !gnn.node<"g", tensor<6xf32>>) -> !gnn.edge<"g", tensor<6xf32>>
  %ws = "gnn.slice"(%g, %w) {by = "edge"} : (!gnn.graph<"g">, !gnn.per<"etype", tensor<6x4xf32>>) -> !gnn.edge<"g", tensor<6x4xf32>>
  %z = "gnn.linear"(%h, %ws, %b) {operandSegmentSizes = array<i32: 1, 1, 1, 0>} : (!gnn.edge<"g", tensor<6xf32>>, !gnn.edge<"g", tensor<6x4xf32>>, tensor<4xf32>) -> !gnn.edge<"g", tensor<4xf32>>
  %o = "gnn.aggregate"(%g, %z) {direction = "in", reduce = "sum"} : (!gnn.graph<"g">, !gnn.edge<"g", tensor<4xf32>>) -> !gnn.node<"g", tensor<4xf32>>
  return %o : !gnn.node<"g", tensor<4xf32>>
}

// The matrix depends on the type of the source, so the edges of one type into a node have several matrices.
// CHECK-LABEL: @by_source
func.func @by_source(%g: !gnn.graph<"g">, %x: !gnn.node<"g", tensor<6xf32>>, %w: !gnn.per<"ntype", tensor<6x4xf32>>) -> (!gnn.node<"g", tensor<4xf32>>) {
  %wn = "gnn.slice"(%g, %w) {by = "node"} : (!gnn.graph<"g">, !gnn.per<"ntype", tensor<6x4xf32>>) -> !gnn.node<"g", tensor<6x4xf32>>
  %ws = "gnn.gather"(%g, %wn) {end = "src"} : (!gnn.graph<"g">, !gnn.node<"g", tensor<6x4xf32>>) -> !gnn.edge<"g", tensor<6x4xf32>>
  %h = "gnn.gather"(%g, %x) {end = "src"} : (!gnn.graph<"g">, !gnn.node<"g", tensor<6xf32>>) -> !gnn.edge<"g", tensor<6xf32>>
  %z = "gnn.linear"(%h, %ws) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!gnn.edge<"g", tensor<6xf32>>, !gnn.edge<"g", tensor<6x4xf32>>) -> !gnn.edge<"g", tensor<4xf32>>
  %o = "gnn.aggregate"(%g, %z) {direction = "in", reduce = "sum"} : (!gnn.graph<"g">, !gnn.edge<"g", tensor<4xf32>>) -> !gnn.node<"g", tensor<4xf32>>
  return %o : !gnn.node<"g", tensor<4xf32>>
}
