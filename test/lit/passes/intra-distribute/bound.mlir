// What bind keeps and run reads at sources is exchanged once, at the end of bind; what run reads at nodes is not.
// RUN: gnn-opt --pass-pipeline=gnn-to-inter,inter-to-intra,intra-distribute %s | FileCheck %s
// CHECK-LABEL: @m.bind()
// CHECK-NOT: intra.exchange
// CHECK: "intra.store"({{.*}}, %u,
// CHECK: "intra.store"({{.*}}, %v,
// CHECK: "intra.exchange"(%u) {operandSegmentSizes = array<i32: 1, 0, 0, 0>}
// CHECK-NEXT: return
// CHECK-LABEL: @m.run()
// CHECK-NOT: intra.exchange
// CHECK: return

!g = !gnn.graph<"g">
!n = !gnn.node<"g", f32>
module {
  func.func @m.bind(%g: !g) -> (!n {gnn.name = "u"}, !n {gnn.name = "v"}) attributes {gnn.phase = "bind"} {
    %d = "gnn.degree"(%g) {direction = "in"} : (!g) -> !n
    %u = "gnn.activation"(%d) {function = "rsqrt"} : (!n) -> !n loc("u"("a.gnn":1:1))
    %v = "gnn.activation"(%d) {function = "exp"} : (!n) -> !n loc("v"("a.gnn":2:1))
    return %u, %v : !n, !n
  }
  func.func @m.run(%g: !g, %x: !n {gnn.name = "x"}, %u: !n {gnn.bound, gnn.name = "u"}, %v: !n {gnn.bound, gnn.name = "v"}) -> (!n {gnn.name = "y"}) attributes {gnn.phase = "run"} {
    %b = "gnn.aggregate"(%g, %u) {reduce = "sum", direction = "in"} : (!g, !n) -> !n
    %c = "gnn.aggregate"(%g, %u) {reduce = "max", direction = "in"} : (!g, !n) -> !n
    %d = "gnn.vector_add"(%b, %c) : (!n, !n) -> !n
    %y = "gnn.vector_add"(%d, %v) : (!n, !n) -> !n
    return %y : !n
  }
}
