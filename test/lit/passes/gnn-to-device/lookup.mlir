// Rows of tables are picked by the host. Integers are inputs of one column for each element; bounds stay with the step.
// RUN: gnn-opt --pass-pipeline='gnn-to-device{width=4}' %s | FileCheck %s

!g = !gnn.graph<"g">
!n = !gnn.node<"g", tensor<4xf32>>
ml_program.global private @E(#ml_program.extern) : tensor<9x4xf32>

// CHECK-LABEL: @rows
// CHECK: [[E:%.*]] = "device.constant"({{.*}}) : (tensor<9x4xf32>) -> !device.rows<"one", 36 : i64>
// CHECK: [[Z:%.*]] = "device.input"(%arg1) : (!gnn.node<"g", i32>) -> !device.rows<"g", 1 : i64>
// CHECK: [[X:%.*]] = "device.lookup"([[E]], [[Z]]) {column = 0 : i64, rows = 9 : i64, unit = "host"} : {{.*}} -> !device.rows<"g", 4 : i64>
// CHECK: [[K:%.*]] = "device.input"(%arg2) : (!gnn.edge<"g", i32>) -> !device.rows<"g.edges", 1 : i64>
// CHECK: "device.lookup"([[E]], [[K]]) {column = 0 : i64, high = 8 : i64, low = 1 : i64, rows = 9 : i64, unit = "host"}
func.func @rows(%g: !g, %z: !gnn.node<"g", i32>, %k: !gnn.edge<"g", i32>) -> !n {
  %E = ml_program.global_load_const @E : tensor<9x4xf32>
  %0 = "gnn.lookup"(%E, %z) : (tensor<9x4xf32>, !gnn.node<"g", i32>) -> !n
  %1 = "gnn.lookup"(%E, %k) {low = 1 : i64, high = 8 : i64} : (tensor<9x4xf32>, !gnn.edge<"g", i32>) -> !gnn.edge<"g", tensor<4xf32>>
  %2 = "gnn.aggregate"(%g, %1) {reduce = "sum", direction = "in"} : (!g, !gnn.edge<"g", tensor<4xf32>>) -> !n
  %3 = "gnn.vector_add"(%0, %2) : (!n, !n) -> !n
  return %3 : !n
}

// An element of a vector of integers is a column of the input.
// CHECK-LABEL: @elements
// CHECK: [[Q:%.*]] = "device.input"(%arg1) : (!gnn.node<"g", tensor<3xi32>>) -> !device.rows<"g", 3 : i64>
// CHECK: "device.lookup"({{.*}}, [[Q]]) {column = 2 : i64, rows = 9 : i64, unit = "host"}
func.func @elements(%g: !g, %q: !gnn.node<"g", tensor<3xi32>>) -> !n {
  %E = ml_program.global_load_const @E : tensor<9x4xf32>
  %0 = "gnn.view"(%q) {begin = 2 : i64, shape = array<i64>, strides = array<i64>} : (!gnn.node<"g", tensor<3xi32>>) -> !gnn.node<"g", i32>
  %1 = "gnn.lookup"(%E, %0) : (tensor<9x4xf32>, !gnn.node<"g", i32>) -> !n
  return %1 : !n
}
