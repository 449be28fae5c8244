// A loop does not keep a row of more than 16384 elements between two operations; the row goes through memory, as the C target needs it.
// RUN: gnn-opt --pass-pipeline=gnn-to-inter,inter-fuse %s | FileCheck %s
// CHECK-LABEL: func.func @small
// CHECK-COUNT-1: "inter.for_nodes"
// CHECK-NOT: "inter.for_nodes"
// CHECK-LABEL: func.func @large
// CHECK-COUNT-2: "inter.for_nodes"
func.func @small(%g: !gnn.graph<"g">, %w: !gnn.node<"g", tensor<64x32xf32>>) -> !gnn.node<"g", tensor<64xf32>> {
  %t = "gnn.transpose"(%w) : (!gnn.node<"g", tensor<64x32xf32>>) -> !gnn.node<"g", tensor<32x64xf32>>
  %s = "gnn.transpose"(%t) : (!gnn.node<"g", tensor<32x64xf32>>) -> !gnn.node<"g", tensor<64x32xf32>>
  %r = "gnn.reduce"(%s) {function = "sum"} : (!gnn.node<"g", tensor<64x32xf32>>) -> !gnn.node<"g", tensor<64xf32>>
  return %r : !gnn.node<"g", tensor<64xf32>>
}
func.func @large(%g: !gnn.graph<"g">, %w: !gnn.node<"g", tensor<640x32xf32>>) -> !gnn.node<"g", tensor<32xf32>> {
  %t = "gnn.transpose"(%w) : (!gnn.node<"g", tensor<640x32xf32>>) -> !gnn.node<"g", tensor<32x640xf32>>
  %r = "gnn.reduce"(%t) {function = "sum"} : (!gnn.node<"g", tensor<32x640xf32>>) -> !gnn.node<"g", tensor<32xf32>>
  return %r : !gnn.node<"g", tensor<32xf32>>
}
