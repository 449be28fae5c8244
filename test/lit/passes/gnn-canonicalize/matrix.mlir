// A matrix per edge that a linear layer makes is never made: the products h[k] x[f] are summed up at the nodes.
// RUN: gnn-opt --pass-pipeline='gnn-canonicalize' -O2 %s | FileCheck %s
// RUN: gnn-opt --pass-pipeline='gnn-canonicalize' -O1 %s | FileCheck --check-prefix=O1 %s

!g = !gnn.graph<"g">

// CHECK-LABEL: func.func @message
// CHECK: [[O:%.*]] = "gnn.outer"(%arg2, %arg1) : {{.*}} -> !gnn.edge<"g", tensor<3x2xf32>>
// CHECK: [[T:%.*]] = "gnn.reshape"([[O]]) {shape = array<i64: 6>}
// CHECK: [[S:%.*]] = "gnn.aggregate"(%arg0, [[T]]) {direction = "in", reduce = "sum"} : {{.*}} -> !gnn.node<"g", tensor<6xf32>>
// CHECK: [[X:%.*]] = "gnn.aggregate"(%arg0, %arg1) {direction = "in", reduce = "sum"}
// CHECK: [[B:%.*]] = "gnn.reshape"(%arg4) {shape = array<i64: 2, 4>}
// CHECK: [[A:%.*]] = "gnn.linear"([[X]], [[B]])
// CHECK: [[W:%.*]] = "gnn.reshape"(%arg3) {shape = array<i64: 6, 4>}
// CHECK: "gnn.linear"([[S]], [[W]], [[A]])
// O1-NOT: gnn.outer
func.func @message(%g: !g, %x: !gnn.edge<"g", tensor<2xf32>>, %h: !gnn.edge<"g", tensor<3xf32>>, %w: tensor<3x8xf32>, %b: tensor<8xf32>) -> !gnn.node<"g", tensor<4xf32>> {
  %0 = "gnn.linear"(%h, %w, %b) {operandSegmentSizes = array<i32: 1, 1, 1, 0>} : (!gnn.edge<"g", tensor<3xf32>>, tensor<3x8xf32>, tensor<8xf32>) -> !gnn.edge<"g", tensor<8xf32>>
  %1 = "gnn.reshape"(%0) {shape = array<i64: 2, 4>} : (!gnn.edge<"g", tensor<8xf32>>) -> !gnn.edge<"g", tensor<2x4xf32>>
  %2 = "gnn.linear"(%x, %1) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!gnn.edge<"g", tensor<2xf32>>, !gnn.edge<"g", tensor<2x4xf32>>) -> !gnn.edge<"g", tensor<4xf32>>
  %3 = "gnn.aggregate"(%g, %2) {reduce = "sum", direction = "in"} : (!g, !gnn.edge<"g", tensor<4xf32>>) -> !gnn.node<"g", tensor<4xf32>>
  return %3 : !gnn.node<"g", tensor<4xf32>>
}

// A maximum needs each message.
// CHECK-LABEL: func.func @largest
// CHECK-NOT: gnn.outer
func.func @largest(%g: !g, %x: !gnn.edge<"g", tensor<2xf32>>, %h: !gnn.edge<"g", tensor<3xf32>>, %w: tensor<3x8xf32>) -> !gnn.node<"g", tensor<4xf32>> {
  %0 = "gnn.linear"(%h, %w) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!gnn.edge<"g", tensor<3xf32>>, tensor<3x8xf32>) -> !gnn.edge<"g", tensor<8xf32>>
  %1 = "gnn.reshape"(%0) {shape = array<i64: 2, 4>} : (!gnn.edge<"g", tensor<8xf32>>) -> !gnn.edge<"g", tensor<2x4xf32>>
  %2 = "gnn.linear"(%x, %1) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!gnn.edge<"g", tensor<2xf32>>, !gnn.edge<"g", tensor<2x4xf32>>) -> !gnn.edge<"g", tensor<4xf32>>
  %3 = "gnn.aggregate"(%g, %2) {reduce = "max", direction = "in"} : (!g, !gnn.edge<"g", tensor<4xf32>>) -> !gnn.node<"g", tensor<4xf32>>
  return %3 : !gnn.node<"g", tensor<4xf32>>
}
