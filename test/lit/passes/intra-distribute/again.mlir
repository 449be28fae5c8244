// A buffer that is written again has old rows of ghosts, so it is exchanged again.
// RUN: gnn-opt --pass-pipeline=intra-distribute %s | FileCheck %s
// CHECK-LABEL: @m.run()
// CHECK: [[A:%.*]] = "intra.buffer"() {name = "a"
// CHECK: "intra.copy"({{.*}}, [[A]])
// CHECK-NEXT: "intra.exchange"([[A]]) {operandSegmentSizes = array<i32: 1, 0, 0, 0>}
// CHECK-NEXT: "intra.gemm"({{.*}}, [[A]],
// CHECK-NOT: intra.exchange
// CHECK: "intra.gemm"({{.*}}, [[A]],
// CHECK: "intra.copy"({{.*}}, [[A]])
// CHECK-NEXT: "intra.exchange"([[A]]) {operandSegmentSizes = array<i32: 1, 0, 0, 0>}
// CHECK-NEXT: "intra.gemm"({{.*}}, [[A]],
// CHECK-NOT: intra.exchange
// CHECK: return

!rows = !intra.memory<"node:g", tensor<4xf32>>
!edges = !intra.memory<"edge:g", tensor<2xf32>>
!w = !intra.memory<"one", tensor<4x2xf32>>
!e = !inter.cursor<"edge", "g">
module {
  func.func @m.run() attributes {gnn.phase = "run"} {
    %g = "intra.graph"() {set = "g"} : () -> !gnn.graph<"g">
    %w = "intra.buffer"() {name = "w", space = "bound"} : () -> !w
    %x = "intra.buffer"() {name = "x", space = "input"} : () -> !rows
    %a = "intra.buffer"() {name = "a", space = "workspace"} : () -> !rows
    %y = "intra.buffer"() {name = "y", space = "output"} : () -> !edges
    "intra.copy"(%x, %a) : (!rows, !rows) -> ()
    "intra.gemm"(%g, %a, %w) ({
    ^bb0(%e: !e, %p: tensor<2xf32>):
      "intra.store"(%p, %y, %e) : (tensor<2xf32>, !edges, !e) -> ()
      smt.yield
    }) {gather = "src"} : (!gnn.graph<"g">, !rows, !w) -> ()
    "intra.gemm"(%g, %a, %w) ({
    ^bb0(%e: !e, %p: tensor<2xf32>):
      "intra.store"(%p, %y, %e) : (tensor<2xf32>, !edges, !e) -> ()
      smt.yield
    }) {gather = "src"} : (!gnn.graph<"g">, !rows, !w) -> ()
    "intra.copy"(%x, %a) : (!rows, !rows) -> ()
    "intra.gemm"(%g, %a, %w) ({
    ^bb0(%e: !e, %p: tensor<2xf32>):
      "intra.store"(%p, %y, %e) : (tensor<2xf32>, !edges, !e) -> ()
      smt.yield
    }) {gather = "src"} : (!gnn.graph<"g">, !rows, !w) -> ()
    return
  }
}
