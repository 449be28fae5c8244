// A product that reads the sums as its rows needs them in memory; a large matrix would leave the cache between two blocks, and short
// sums are stored, unless the switch asks for it; and sums that another loop reads, too, are stored anyway.
// RUN: gnn-opt --pass-pipeline=gnn-to-inter,inter-fuse %s > %t.before
// RUN: gnn-opt --pass-pipeline=gnn-to-inter,inter-fuse,inter-fuse-sums %s > %t.after
// RUN: diff %t.before %t.after
// RUN: gnn-opt --pass-pipeline='gnn-to-inter,inter-fuse,inter-fuse-sums{when=always}' %s | FileCheck %s

!g = !gnn.graph<"g">
!n = !gnn.node<"g", tensor<32xf32>>
!wide = !gnn.node<"g", tensor<1024xf32>>
!short = !gnn.node<"g", tensor<8xf32>>

// CHECK-LABEL: @rows
// CHECK: inter.for_nodes
// CHECK: inter.for_nodes
// CHECK: return
func.func @rows(%g: !g, %x: !n, %w: tensor<32x32xf32>) -> !n {
  %0 = "gnn.aggregate"(%g, %x) {reduce = "sum", direction = "in"} : (!g, !n) -> !n
  %1 = "gnn.linear"(%0, %w) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!n, tensor<32x32xf32>) -> !n
  return %1 : !n
}

// CHECK-LABEL: @large
// CHECK: inter.for_nodes
// CHECK: inter.for_incoming
// CHECK-NOT: inter.for_nodes
// CHECK: return
func.func @large(%g: !g, %x: !wide, %z: !n, %w: tensor<1024x32xf32>) -> !n {
  %0 = "gnn.aggregate"(%g, %z) {reduce = "sum", direction = "in"} : (!g, !n) -> !n
  %1 = "gnn.linear"(%x, %w, %0) {operandSegmentSizes = array<i32: 1, 1, 0, 1>} : (!wide, tensor<1024x32xf32>, !n) -> !n
  return %1 : !n
}

// CHECK-LABEL: @short
// CHECK: inter.for_nodes
// CHECK: inter.for_incoming
// CHECK-NOT: inter.for_nodes
// CHECK: return
func.func @short(%g: !g, %x: !wide, %z: !short, %w: tensor<1024x8xf32>) -> !short {
  %0 = "gnn.aggregate"(%g, %z) {reduce = "sum", direction = "in"} : (!g, !short) -> !short
  %1 = "gnn.linear"(%x, %w, %0) {operandSegmentSizes = array<i32: 1, 1, 0, 1>} : (!wide, tensor<1024x8xf32>, !short) -> !short
  return %1 : !short
}

// CHECK-LABEL: @returned
// CHECK: inter.for_nodes
// CHECK: inter.for_nodes
// CHECK: return
func.func @returned(%g: !g, %x: !n, %z: !n, %w: tensor<32x32xf32>) -> (!n, !n) {
  %0 = "gnn.aggregate"(%g, %z) {reduce = "sum", direction = "in"} : (!g, !n) -> !n
  %1 = "gnn.linear"(%x, %w, %0) {operandSegmentSizes = array<i32: 1, 1, 0, 1>} : (!n, tensor<32x32xf32>, !n) -> !n
  return %1, %0 : !n, !n
}
