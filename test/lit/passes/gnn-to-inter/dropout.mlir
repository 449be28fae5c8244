// Dropout of a row becomes an operation that knows the row; edges that the model adds are numbered by their destinations.
// RUN: gnn-opt %s --pass-pipeline=gnn-to-inter | FileCheck %s

// CHECK-LABEL: func.func @rows
func.func @rows(%g: !gnn.graph<"g">, %x: !gnn.node<"g", tensor<8xf32>>, %w: !gnn.edge<"g", f32>, %u: tensor<3xf32>) -> (!gnn.node<"g", tensor<8xf32>>, !gnn.edge<"g", f32>, tensor<3xf32>) {
  // CHECK: inter.for_nodes
  // CHECK: %[[X:[0-9]+]] = "inter.at"(%arg1, %[[N:[a-z0-9]+]])
  // CHECK: "inter.dropout"(%[[X]], %[[N]]) {operandSegmentSizes = array<i32: 1, 1, 0>, p = 5.000000e-01 : f64, site = 0 : i64}
  %0 = "gnn.dropout"(%x) {p = 5.0e-01 : f64, site = 0 : i64} : (!gnn.node<"g", tensor<8xf32>>) -> !gnn.node<"g", tensor<8xf32>>
  // CHECK: inter.for_edges
  // CHECK: "inter.dropout"(%{{.*}}, %{{.*}}) {operandSegmentSizes = array<i32: 1, 1, 0>, p = 5.000000e-01 : f64, site = 1 : i64}
  %1 = "gnn.dropout"(%w) {p = 5.0e-01 : f64, site = 1 : i64} : (!gnn.edge<"g", f32>) -> !gnn.edge<"g", f32>
  // CHECK: inter.once
  // CHECK: "inter.dropout"(%arg3) {operandSegmentSizes = array<i32: 1, 0, 0>, p = 5.000000e-01 : f64, site = 2 : i64}
  %2 = "gnn.dropout"(%u) {p = 5.0e-01 : f64, site = 2 : i64} : (tensor<3xf32>) -> tensor<3xf32>
  return %0, %1, %2 : !gnn.node<"g", tensor<8xf32>>, !gnn.edge<"g", f32>, tensor<3xf32>
}

// CHECK-LABEL: func.func @new_edges
func.func @new_edges(%g: !gnn.graph<"g">, %x: !gnn.node<"g", f32>) -> !gnn.node<"g", f32> {
  %0 = "gnn.edge_set"(%g) {mode = "replace"} : (!gnn.graph<"g">) -> !gnn.graph<"g.replace">
  %1 = "gnn.gather"(%0, %x) {end = "src"} : (!gnn.graph<"g.replace">, !gnn.node<"g", f32>) -> !gnn.edge<"g.replace", f32>
  // CHECK: %[[D:[0-9]+]] = "inter.dst"(%[[E:[a-z0-9]+]])
  // CHECK: "inter.dropout"(%{{.*}}, %[[E]], %[[D]]) {{.*}} site = 4 : i64
  %2 = "gnn.dropout"(%1) {p = 5.0e-01 : f64, site = 4 : i64} : (!gnn.edge<"g.replace", f32>) -> !gnn.edge<"g.replace", f32>
  %3 = "gnn.aggregate"(%0, %2) {reduce = "sum", direction = "in"} : (!gnn.graph<"g.replace">, !gnn.edge<"g.replace", f32>) -> !gnn.node<"g", f32>
  return %3 : !gnn.node<"g", f32>
}
