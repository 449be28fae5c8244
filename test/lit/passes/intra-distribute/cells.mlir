// Sums over all nodes are made by cells: all ranks get the numbers of all pieces before these are combined, once after each time they
// are written. The module says that it needs cells.
// RUN: gnn-opt --pass-pipeline=intra-distribute --remarks='*' --split-input-file %s 2> %t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK --match-full-lines < %t.remarks
// CHECK: module attributes {gnn.cells, gnn.ranks}
// CHECK: [[S:%.*]] = "intra.buffer"() {count = 64 : i64, name = "s"
// CHECK-NOT: intra.share
// CHECK: "intra.share"([[S]]) : (!intra.memory<"piece", f32>) -> ()
// CHECK-NEXT: "intra.traverse"
// CHECK: "intra.combine"([[S]])
// CHECK: "intra.combine"([[S]])
// CHECK: {count = 64 : i64, domain = "piece"}
// CHECK-NEXT: "intra.share"([[S]]) : (!intra.memory<"piece", f32>) -> ()
// CHECK-NEXT: "intra.traverse"
// CHECK-NOT: intra.share
// CHECK: return
// REMARK: a.gnn:2:1: remark: intra-distribute: all ranks get 1 numbers of 's' per cell{{ +}}[optimization]
// REMARK-NEXT: a.gnn:5:1: remark: intra-distribute: all ranks get 1 numbers of 's' per cell{{ +}}[optimization]
// REMARK-NOT: {{.*}}remark{{.*}}

!v = !intra.memory<"node:g", f32>
!p = !intra.memory<"piece", f32>
!one = !intra.memory<"one", f32>
!node = !inter.cursor<"node", "g">
!piece = !inter.cursor<"piece", "g">
module {
  func.func @m.run() attributes {gnn.phase = "run"} {
    %g = "intra.graph"() {set = "g"} : () -> !gnn.graph<"g">
    %x = "intra.buffer"() {name = "x", space = "input"} : () -> !v
    %y = "intra.buffer"() {name = "y", space = "output"} : () -> !one
    %s = "intra.buffer"() {count = 64 : i64, name = "s", space = "workspace"} : () -> !p
    "intra.traverse"(%g) ({
    ^bb0(%k: !piece):
      %0 = "inter.for_members"(%g, %k) ({
      ^bb0(%n: !node):
        %2 = "intra.load"(%x, %n) : (!v, !node) -> f32
        smt.yield %2 : f32
      }) {reduce = ["sum"]} : (!gnn.graph<"g">, !piece) -> !inter.results
      %1 = "inter.result"(%0) {index = 0 : i64} : (!inter.results) -> f32
      "intra.store"(%1, %s, %k) : (f32, !p, !piece) -> ()
      smt.yield
    }) {count = 64 : i64, domain = "piece"} : (!gnn.graph<"g">) -> () loc("k"("a.gnn":1:1))
    "intra.traverse"() ({
      %0 = "intra.combine"(%s) {reduce = "sum"} : (!p) -> f32
      "intra.store"(%0, %y) : (f32, !one) -> ()
      smt.yield
    }) {domain = "one"} : () -> () loc("k"("a.gnn":2:1))
    "intra.traverse"() ({
      %0 = "intra.combine"(%s) {reduce = "sum"} : (!p) -> f32
      "intra.store"(%0, %y) : (f32, !one) -> ()
      smt.yield
    }) {domain = "one"} : () -> () loc("k"("a.gnn":3:1))
    "intra.traverse"(%g) ({
    ^bb0(%k: !piece):
      %0 = "inter.for_members"(%g, %k) ({
      ^bb0(%n: !node):
        %2 = "intra.load"(%x, %n) : (!v, !node) -> f32
        smt.yield %2 : f32
      }) {reduce = ["max"]} : (!gnn.graph<"g">, !piece) -> !inter.results
      %1 = "inter.result"(%0) {index = 0 : i64} : (!inter.results) -> f32
      "intra.store"(%1, %s, %k) : (f32, !p, !piece) -> ()
      smt.yield
    }) {count = 64 : i64, domain = "piece"} : (!gnn.graph<"g">) -> () loc("k"("a.gnn":4:1))
    "intra.traverse"() ({
      %0 = "intra.combine"(%s) {reduce = "max"} : (!p) -> f32
      "intra.store"(%0, %y) : (f32, !one) -> ()
      smt.yield
    }) {domain = "one"} : () -> () loc("k"("a.gnn":5:1))
    return
  }
}

// -----

// A sum of outer products over all nodes is by cells, too; it has no pieces of its own to share.
// CHECK: module attributes {gnn.cells, gnn.ranks}
// CHECK-NOT: {{intra.share|intra.exchange}}
// CHECK: "intra.contract"
// CHECK-NOT: {{intra.share|intra.exchange}}
// CHECK: return
!a = !intra.memory<"node:g", tensor<4xf32>>
!b = !intra.memory<"node:g", tensor<2xf32>>
!w = !intra.memory<"one", tensor<4x2xf32>>
module {
  func.func @m.gradients() attributes {gnn.phase = "gradients"} {
    %g = "intra.graph"() {set = "g"} : () -> !gnn.graph<"g">
    %a = "intra.buffer"() {name = "a", space = "input"} : () -> !a
    %b = "intra.buffer"() {name = "b", space = "input"} : () -> !b
    %w = "intra.buffer"() {name = "w", space = "output"} : () -> !w
    "intra.contract"(%g, %a, %b, %w) : (!gnn.graph<"g">, !a, !b, !w) -> ()
    return
  }
}
