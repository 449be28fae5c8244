// Sums over edges that are added to a product become part of its loop, and then of the epilogue of its kernel.
// RUN: gnn-opt --pass-pipeline=inter-fuse-sums %s | FileCheck %s
// RUN: gnn-opt --pass-pipeline=gnn-to-inter,inter-fuse,inter-fuse-softmax,inter-fuse-sums,inter-to-intra %S/Inputs/kernels.mlir | FileCheck %s --check-prefix=KERNEL

!g = !gnn.graph<"g">
!n = !gnn.node<"g", tensor<32xf32>>
!cn = !inter.cursor<"node", "g">
!ce = !inter.cursor<"edge", "g">

// CHECK-LABEL: @sum
// CHECK: [[L:%.*]] = "inter.for_nodes"(%arg0)
// CHECK-NEXT: ^bb0([[I:%.*]]: !inter.cursor<"node", "g">):
// CHECK-NEXT: "inter.for_incoming"(%arg0, [[I]])
// CHECK: [[S:%.*]] = "inter.result"({{.*}}) -> tensor<32xf32>
// CHECK: [[Y:%.*]] = "gnn.linear"
// CHECK-NEXT: [[H:%.*]] = "gnn.vector_add"([[Y]], [[S]])
// CHECK-NEXT: smt.yield [[H]]
// CHECK-NOT: inter.for_nodes
// CHECK: return
func.func @sum(%g: !g, %x: !n, %z: !n, %w: tensor<32x32xf32>) -> !n {
  %0 = "inter.for_nodes"(%g) ({
  ^bb0(%i: !cn):
    %4 = "inter.for_incoming"(%g, %i) ({
    ^bb1(%e: !ce):
      %6 = "inter.src"(%e) : (!ce) -> !cn
      %7 = "inter.at"(%z, %6) : (!n, !cn) -> tensor<32xf32>
      smt.yield %7 : tensor<32xf32>
    }) {reduce = ["sum"]} : (!g, !cn) -> !inter.results
    %5 = "inter.result"(%4) {index = 0 : i64} : (!inter.results) -> tensor<32xf32>
    smt.yield %5 : tensor<32xf32>
  }) : (!g) -> !inter.results
  %1 = "inter.result"(%0) {index = 0 : i64} : (!inter.results) -> !n
  %2 = "inter.for_nodes"(%g) ({
  ^bb0(%i: !cn):
    %4 = "inter.at"(%x, %i) : (!n, !cn) -> tensor<32xf32>
    %5 = "inter.at"(%1, %i) : (!n, !cn) -> tensor<32xf32>
    %6 = "gnn.linear"(%4, %w) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (tensor<32xf32>, tensor<32x32xf32>) -> tensor<32xf32>
    %7 = "gnn.vector_add"(%6, %5) : (tensor<32xf32>, tensor<32xf32>) -> tensor<32xf32>
    smt.yield %7 : tensor<32xf32>
  }) : (!g) -> !inter.results
  %3 = "inter.result"(%2) {index = 0 : i64} : (!inter.results) -> !n
  return %3 : !n
}

// The kernel: one GEMM instance, whose epilogue has the loop over edges.
// KERNEL-LABEL: @m.run
// KERNEL: "intra.gemm"
// KERNEL: "inter.for_incoming"
// KERNEL: "intra.store"
// KERNEL-NOT: intra.traverse
// KERNEL: return
