// Operations that make graphs stay for bind; loops stay unchanged.
// RUN: gnn-opt %s > %t.before
// RUN: gnn-opt --pass-pipeline=gnn-to-inter %s > %t.after
// RUN: diff %t.before %t.after

!g = !gnn.graph<"g">
!gl = !gnn.graph<"g.add_remaining">
!e = !gnn.edge<"g", f32>
!el = !gnn.edge<"g.add_remaining", f32>

func.func @graphs(%g: !g, %a: !e) -> !el {
  %0 = "gnn.edge_set"(%g) {mode = "add_remaining"} : (!g) -> !gl
  %1 = "gnn.extend_edges"(%0, %a) {fill = 1.0 : f64} : (!gl, !e) -> !el
  return %1 : !el
}

func.func @loops(%g: !g, %a: !e) -> !e {
  %0 = "inter.for_edges"(%g) ({
  ^bb0(%e: !inter.cursor<"edge", "g">):
    %2 = "inter.at"(%a, %e) : (!e, !inter.cursor<"edge", "g">) -> f32
    %3 = "gnn.activation"(%2) {function = "exp"} : (f32) -> f32
    smt.yield %3 : f32
  }) : (!g) -> !inter.results
  %1 = "inter.result"(%0) {index = 0 : i64} : (!inter.results) -> !e
  return %1 : !e
}
