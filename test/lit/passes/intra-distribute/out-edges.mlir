// Where a program reads edges out of nodes, a rank has those of its own nodes, and the module says so. Rows at their destinations are
// those of ghosts; rows at their sources are own ones. Over all edges, both ends may be ghosts.
// RUN: gnn-opt --pass-pipeline=gnn-to-inter,inter-to-intra,intra-distribute --split-input-file %s | FileCheck %s
// CHECK: module attributes {gnn.out_edges, gnn.ranks}
// CHECK-LABEL: @out.run()
// CHECK-NOT: intra.exchange
// CHECK: "intra.exchange"(%a) {operandSegmentSizes = array<i32: 1, 0, 0, 0>, overlaps}
// CHECK-NEXT: "intra.traverse"
// CHECK: inter.for_outgoing
// CHECK-NOT: intra.exchange
// CHECK: return
!g = !gnn.graph<"g">
!n = !gnn.node<"g", f32>
module {
  func.func @out.run(%g: !g, %x: !n {gnn.name = "x"}) -> (!n {gnn.name = "y"}, !n {gnn.name = "z"}) attributes {gnn.phase = "run"} {
    %a = "gnn.activation"(%x) {function = "relu"} : (!n) -> !n loc("a"("a.gnn":1:1))
    %y = "gnn.aggregate"(%g, %a) {reduce = "sum", direction = "out"} : (!g, !n) -> !n
    %z = "gnn.degree"(%g) {direction = "out"} : (!g) -> !n
    return %y, %z : !n, !n
  }
}

// -----

// CHECK: module attributes {gnn.out_edges, gnn.ranks}
// CHECK-LABEL: @ends.run()
// CHECK: "intra.exchange"(%b) {operandSegmentSizes = array<i32: 1, 0, 0, 0>}
// CHECK-NEXT: "intra.traverse"
// CHECK: domain = "edge"
// CHECK: return
!g = !gnn.graph<"g">
!n = !gnn.node<"g", f32>
!e = !gnn.edge<"g", f32>
module {
  func.func @ends.run(%g: !g, %x: !n {gnn.name = "x"}) -> (!e {gnn.name = "z"}, !n {gnn.name = "d"}) attributes {gnn.phase = "run"} {
    %b = "gnn.activation"(%x) {function = "exp"} : (!n) -> !n loc("b"("b.gnn":1:1))
    %z = "gnn.gather"(%g, %b) {end = "dst"} : (!g, !n) -> !e
    %d = "gnn.degree"(%g) {direction = "out"} : (!g) -> !n
    return %z, %d : !e, !n
  }
}

// -----

// What bind keeps and the gradients read at destinations is exchanged at the end of bind.
// CHECK: module attributes {gnn.out_edges, gnn.ranks}
// CHECK-LABEL: @m.bind()
// CHECK: "intra.exchange"(%u) {operandSegmentSizes = array<i32: 1, 0, 0, 0>}
// CHECK-NEXT: return
// CHECK-LABEL: @m.gradients()
// CHECK-NOT: intra.exchange
// CHECK: return
!g = !gnn.graph<"g">
!n = !gnn.node<"g", f32>
module {
  func.func @m.bind(%g: !g) -> (!n {gnn.name = "u"}) attributes {gnn.phase = "bind"} {
    %d = "gnn.degree"(%g) {direction = "in"} : (!g) -> !n
    %u = "gnn.activation"(%d) {function = "rsqrt"} : (!n) -> !n loc("u"("a.gnn":1:1))
    return %u : !n
  }
  func.func @m.gradients(%g: !g, %u: !n {gnn.bound, gnn.name = "u"}) -> (!n {gnn.name = "y"}) attributes {gnn.phase = "gradients"} {
    %y = "gnn.aggregate"(%g, %u) {reduce = "sum", direction = "out"} : (!g, !n) -> !n
    return %y : !n
  }
}
