// intra-distribute exchanges a value once, before the first kernel that reads it at the sources of edges; inputs have rows of ghosts.
// RUN: gnn-opt --pass-pipeline=gnn-to-inter,inter-to-intra,intra-distribute --remarks='*' --split-input-file %s 2> %t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK --match-full-lines < %t.remarks

!g = !gnn.graph<"g">
!n = !gnn.node<"g", tensor<4xf32>>

// %x is an input, %y is read at the nodes themselves. %a is read at sources twice: the second time, its rows are there.
// CHECK: module attributes {gnn.ranks}
// CHECK-LABEL: @once.run()
// CHECK-NOT: intra.exchange
// CHECK: "intra.traverse"
// CHECK: "intra.store"({{.*}}, %a,
// CHECK: "intra.exchange"(%a) {operandSegmentSizes = array<i32: 1, 0, 0, 0>, overlaps} : (!intra.memory<"node:g", tensor<4xf32>>) -> ()
// CHECK-NEXT: "intra.traverse"
// CHECK: "intra.load"(%a,
// CHECK-NOT: intra.exchange
// CHECK: return
// REMARK: a.gnn:3:1: remark: intra-distribute: ghosts get 4 numbers of 'a'{{ +}}[optimization]
module {
  func.func @once.run(%g: !g, %x: !n {gnn.name = "x"}) -> (!n {gnn.name = "y"}) attributes {gnn.phase = "run"} {
    %i = "gnn.aggregate"(%g, %x) {reduce = "sum", direction = "in"} : (!g, !n) -> !n loc("i"("a.gnn":1:1))
    %a = "gnn.activation"(%i) {function = "relu"} : (!n) -> !n loc("a"("a.gnn":2:1))
    %b = "gnn.aggregate"(%g, %a) {reduce = "sum", direction = "in"} : (!g, !n) -> !n loc("b"("a.gnn":3:1))
    %c = "gnn.aggregate"(%g, %a) {reduce = "max", direction = "in"} : (!g, !n) -> !n loc("c"("a.gnn":4:1))
    %y = "gnn.vector_add"(%b, %c) : (!n, !n) -> !n loc("y"("a.gnn":5:1))
    return %y : !n
  }
}

// -----

// Kernels over edges cannot begin with interior nodes. At destinations, rows are own ones.
// CHECK-LABEL: @edges.run()
// CHECK: "intra.exchange"(%a) {operandSegmentSizes = array<i32: 1, 0, 0, 0>}
// CHECK-NEXT: "intra.traverse"
// CHECK: domain = "edge"
// CHECK-NOT: intra.exchange
// CHECK: return
// REMARK-NEXT: b.gnn:2:1: remark: intra-distribute: ghosts get 1 numbers of 'a'{{ +}}[optimization]
// REMARK-NOT: {{.*}}remark{{.*}}
!g = !gnn.graph<"g">
!n = !gnn.node<"g", f32>
!e = !gnn.edge<"g", f32>
module {
  func.func @edges.run(%g: !g, %x: !n {gnn.name = "x"}) -> (!e {gnn.name = "y"}, !e {gnn.name = "z"}) attributes {gnn.phase = "run"} {
    %a = "gnn.activation"(%x) {function = "relu"} : (!n) -> !n loc("a"("b.gnn":1:1))
    %y = "gnn.gather"(%g, %a) {end = "src"} : (!g, !n) -> !e loc("y"("b.gnn":2:1))
    %b = "gnn.activation"(%x) {function = "exp"} : (!n) -> !n loc("b"("b.gnn":3:1))
    %z = "gnn.gather"(%g, %b) {end = "dst"} : (!g, !n) -> !e loc("z"("b.gnn":4:1))
    return %y, %z : !e, !e
  }
}
