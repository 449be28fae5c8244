// All results have users and nothing is repeated: a value is read at another element, is a number of a matrix, or is a result.
// RUN: gnn-opt %s > %t.before
// RUN: gnn-opt --pass-pipeline=inter-canonicalize %s > %t.after
// RUN: diff %t.before %t.after

!g = !gnn.graph<"g">
!n = !gnn.node<"g", f32>
!e = !gnn.edge<"g", f32>
!cn = !inter.cursor<"node", "g">
!ce = !inter.cursor<"edge", "g">

func.func @gather(%g: !g, %x: !n) -> !e {
  %0 = "inter.for_edges"(%g) ({
  ^bb0(%e: !ce):
    %s = "inter.src"(%e) : (!ce) -> !cn
    %x0 = "inter.at"(%x, %s) : (!n, !cn) -> f32
    smt.yield %x0 : f32
  }) : (!g) -> !inter.results
  %1 = "inter.result"(%0) {index = 0 : i64} : (!inter.results) -> !e
  return %1 : !e
}

func.func @sum_of_weights(%g: !g, %x: !n, %w: tensor<64xf32>) -> (!n, f32) {
  %0 = "inter.once"() ({
    %n = "gnn.reduce"(%w) {function = "sum"} : (tensor<64xf32>) -> f32
    smt.yield %n : f32
  }) : () -> !inter.results
  %1 = "inter.result"(%0) {index = 0 : i64} : (!inter.results) -> f32
  %2 = "inter.once"() ({
    %n = "gnn.activation"(%1) {function = "exp"} : (f32) -> f32
    smt.yield %n : f32
  }) : () -> !inter.results
  %3 = "inter.result"(%2) {index = 0 : i64} : (!inter.results) -> f32
  %4 = "inter.for_nodes"(%g) ({
  ^bb0(%i: !cn):
    %x0 = "inter.at"(%x, %i) : (!n, !cn) -> f32
    %y = "gnn.multiply"(%x0, %3) : (f32, f32) -> f32
    smt.yield %y : f32
  }) : (!g) -> !inter.results
  %5 = "inter.result"(%4) {index = 0 : i64} : (!inter.results) -> !n
  return %5, %3 : !n, f32
}
