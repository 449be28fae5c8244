// The first values of a group, and quantiles, of values per node are those at the sources of edges. Values per edge are at hand.
// RUN: gnn-opt --pass-pipeline=gnn-to-inter,inter-to-intra,intra-distribute --split-input-file %s | FileCheck %s

!g = !gnn.graph<"g">
!n = !gnn.node<"g", f32>
!e = !gnn.edge<"g", f32>
!f = !gnn.node<"g", tensor<2xf32>>

// CHECK-LABEL: @q.run()
// CHECK: "intra.exchange"(%a) {operandSegmentSizes = array<i32: 1, 0, 0, 0>}
// CHECK-NEXT: "intra.quantile"({{.*}}, %a,
// CHECK-NEXT: "intra.first"({{.*}}, %a,
// CHECK-NEXT: return
module {
  func.func @q.run(%g: !g, %x: !n {gnn.name = "x"}) -> (!n {gnn.name = "y"}, !f {gnn.name = "z"}) attributes {gnn.phase = "run"} {
    %a = "gnn.activation"(%x) {function = "relu"} : (!n) -> !n loc("a"("a.gnn":1:1))
    %y = "gnn.quantile"(%g, %a) {q = 0.5 : f64, interpolation = "lower", over = "in"} : (!g, !n) -> !n
    %z = "gnn.first"(%g, %a) {count = 2 : i64, over = "in"} : (!g, !n) -> !f
    return %y, %z : !n, !f
  }
}

// -----

// CHECK-LABEL: @f.run()
// CHECK-NOT: intra.exchange
// CHECK: "intra.first"({{.*}}, %a,
// CHECK-NOT: intra.exchange
// CHECK: return
!g = !gnn.graph<"g">
!n = !gnn.node<"g", f32>
!e = !gnn.edge<"g", f32>
!f = !gnn.node<"g", tensor<2xf32>>
module {
  func.func @f.run(%g: !g, %x: !e {gnn.name = "x"}, %k: !n {gnn.name = "k"}) -> (!f {gnn.name = "z"}, !n {gnn.name = "q"}) attributes {gnn.phase = "run"} {
    %a = "gnn.activation"(%x) {function = "relu"} : (!e) -> !e loc("a"("a.gnn":1:1))
    %z = "gnn.first"(%g, %a) {count = 2 : i64, over = "in"} : (!g, !e) -> !f
    %q = "gnn.quantile"(%g, %k) {q = 0.5 : f64, interpolation = "lower", over = "in"} : (!g, !n) -> !n
    return %z, %q : !f, !n
  }
}
