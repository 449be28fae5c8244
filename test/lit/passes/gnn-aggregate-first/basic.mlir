// gnn-aggregate-first sums rows by type before it multiplies them, wherever that is legal.
// RUN: gnn-opt --pass-pipeline='gnn-aggregate-first{when=always}' %s | FileCheck %s

// R-GCN: c (x[src] W[type]), variant A.
// CHECK-LABEL: @rgcn
// CHECK: [[U:%.*]] = "gnn.unique_edges"(%arg0) {end = "dst"}
// CHECK: [[S:%.*]] = "gnn.collapse"([[U]], %arg1, %arg3) {reduce = "sum"}
// CHECK: [[W:%.*]] = "gnn.slice"([[U]], %arg2) {by = "edge"}
// CHECK: [[M:%.*]] = "gnn.linear"([[S]], [[W]])
// CHECK: [[O:%.*]] = "gnn.aggregate"([[U]], [[M]]) {activation = "relu", direction = "in", reduce = "sum"}
// CHECK: return [[O]]
func.func @rgcn(%g: !gnn.graph<"g">, %x: !gnn.node<"g", tensor<6xf32>>, %w: !gnn.per<"etype", tensor<6x4xf32>>, %c: !gnn.edge<"g", f32>) -> (!gnn.node<"g", tensor<4xf32>>) {
  %hz = "gnn.gather"(%g, %x) {end = "src"} : (!gnn.graph<"g">, !gnn.node<"g", tensor<6xf32>>) -> !gnn.edge<"g", tensor<6xf32>>
  %wz = "gnn.slice"(%g, %w) {by = "edge"} : (!gnn.graph<"g">, !gnn.per<"etype", tensor<6x4xf32>>) -> !gnn.edge<"g", tensor<6x4xf32>>
  %z = "gnn.linear"(%hz, %wz) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!gnn.edge<"g", tensor<6xf32>>, !gnn.edge<"g", tensor<6x4xf32>>) -> !gnn.edge<"g", tensor<4xf32>>
  %m = "gnn.multiply"(%c, %z) : (!gnn.edge<"g", f32>, !gnn.edge<"g", tensor<4xf32>>) -> !gnn.edge<"g", tensor<4xf32>>
  %o = "gnn.aggregate"(%g, %m) {direction = "in", reduce = "sum", activation = "relu"} : (!gnn.graph<"g">, !gnn.edge<"g", tensor<4xf32>>) -> !gnn.node<"g", tensor<4xf32>>
  return %o : !gnn.node<"g", tensor<4xf32>>
}

// A factor and a matrix per head; over outgoing edges the pairs are those of the source.
// CHECK-LABEL: @heads
// CHECK: [[U:%.*]] = "gnn.unique_edges"(%arg0) {end = "src"}
// CHECK: "gnn.collapse"([[U]], %arg1, %arg3)
// CHECK: "gnn.aggregate"([[U]], {{.*}}) {direction = "out", reduce = "sum"}
func.func @heads(%g: !gnn.graph<"g">, %x: !gnn.node<"g", tensor<2x3xf32>>, %w: !gnn.per<"etype", tensor<2x3x4xf32>>, %c: !gnn.edge<"g", tensor<2xf32>>) -> (!gnn.node<"g", tensor<2x4xf32>>) {
  %hz = "gnn.gather"(%g, %x) {end = "dst"} : (!gnn.graph<"g">, !gnn.node<"g", tensor<2x3xf32>>) -> !gnn.edge<"g", tensor<2x3xf32>>
  %wz = "gnn.slice"(%g, %w) {by = "edge"} : (!gnn.graph<"g">, !gnn.per<"etype", tensor<2x3x4xf32>>) -> !gnn.edge<"g", tensor<2x3x4xf32>>
  %z = "gnn.linear"(%hz, %wz) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!gnn.edge<"g", tensor<2x3xf32>>, !gnn.edge<"g", tensor<2x3x4xf32>>) -> !gnn.edge<"g", tensor<2x4xf32>>
  %o = "gnn.aggregate"(%g, %z, %c) {direction = "out", reduce = "sum"} : (!gnn.graph<"g">, !gnn.edge<"g", tensor<2x4xf32>>, !gnn.edge<"g", tensor<2xf32>>) -> !gnn.node<"g", tensor<2x4xf32>>
  return %o : !gnn.node<"g", tensor<2x4xf32>>
}

// x is given per edge; the result of the product is reshaped to heads.
// CHECK-LABEL: @edge_values
// CHECK: [[S:%.*]] = "gnn.collapse"({{.*}}, %arg1) {reduce = "sum"}
// CHECK: [[M:%.*]] = "gnn.linear"([[S]],
// CHECK: [[R:%.*]] = "gnn.reshape"([[M]]) {shape = array<i64: 2, 2>}
// CHECK: "gnn.aggregate"({{.*}}, [[R]])
func.func @edge_values(%g: !gnn.graph<"g">, %x: !gnn.edge<"g", tensor<6xf32>>, %w: !gnn.per<"etype", tensor<6x4xf32>>) -> (!gnn.node<"g", tensor<2x2xf32>>) {
  %ws = "gnn.slice"(%g, %w) {by = "edge"} : (!gnn.graph<"g">, !gnn.per<"etype", tensor<6x4xf32>>) -> !gnn.edge<"g", tensor<6x4xf32>>
  %z = "gnn.linear"(%x, %ws) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!gnn.edge<"g", tensor<6xf32>>, !gnn.edge<"g", tensor<6x4xf32>>) -> !gnn.edge<"g", tensor<4xf32>>
  %r = "gnn.reshape"(%z) {shape = array<i64: 2, 2>} : (!gnn.edge<"g", tensor<4xf32>>) -> !gnn.edge<"g", tensor<2x2xf32>>
  %o = "gnn.aggregate"(%g, %r) {direction = "in", reduce = "sum"} : (!gnn.graph<"g">, !gnn.edge<"g", tensor<2x2xf32>>) -> !gnn.node<"g", tensor<2x2xf32>>
  return %o : !gnn.node<"g", tensor<2x2xf32>>
}
