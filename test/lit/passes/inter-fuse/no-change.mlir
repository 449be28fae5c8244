// Loops stay apart where one reads values at other elements, over other sets, or at edges and not nodes.
// RUN: gnn-opt %s > %t.before
// RUN: gnn-opt --pass-pipeline=inter-fuse %s > %t.after
// RUN: diff %t.before %t.after

!g = !gnn.graph<"g">
!h = !gnn.graph<"h">
!n = !gnn.node<"g", f32>
!e = !gnn.edge<"g", f32>
!cn = !inter.cursor<"node", "g">
!ce = !inter.cursor<"edge", "g">

func.func @sources(%g: !g, %x: !n) -> (!n, !n) {
  %0 = "inter.for_nodes"(%g) ({
  ^bb0(%i: !cn):
    %4 = "inter.at"(%x, %i) : (!n, !cn) -> f32
    %5 = "gnn.activation"(%4) {function = "exp"} : (f32) -> f32
    smt.yield %5 : f32
  }) : (!g) -> !inter.results
  %1 = "inter.result"(%0) {index = 0 : i64} : (!inter.results) -> !n
  %2 = "inter.for_nodes"(%g) ({
  ^bb0(%i: !cn):
    %4 = "inter.for_incoming"(%g, %i) ({
    ^bb1(%e: !ce):
      %6 = "inter.src"(%e) : (!ce) -> !cn
      %7 = "inter.at"(%1, %6) : (!n, !cn) -> f32
      smt.yield %7 : f32
    }) {reduce = ["sum"]} : (!g, !cn) -> !inter.results
    %5 = "inter.result"(%4) {index = 0 : i64} : (!inter.results) -> f32
    smt.yield %5 : f32
  }) : (!g) -> !inter.results
  %3 = "inter.result"(%2) {index = 0 : i64} : (!inter.results) -> !n
  return %1, %3 : !n, !n
}

func.func @two_graphs(%g: !g, %h: !h, %x: !n, %y: !gnn.node<"h", f32>) -> (!n, !gnn.node<"h", f32>) {
  %0 = "inter.for_nodes"(%g) ({
  ^bb0(%i: !cn):
    %4 = "inter.at"(%x, %i) : (!n, !cn) -> f32
    %5 = "gnn.activation"(%4) {function = "exp"} : (f32) -> f32
    smt.yield %5 : f32
  }) : (!g) -> !inter.results
  %1 = "inter.result"(%0) {index = 0 : i64} : (!inter.results) -> !n
  %2 = "inter.for_nodes"(%h) ({
  ^bb0(%i: !inter.cursor<"node", "h">):
    %4 = "inter.at"(%y, %i) : (!gnn.node<"h", f32>, !inter.cursor<"node", "h">) -> f32
    %5 = "gnn.activation"(%4) {function = "exp"} : (f32) -> f32
    smt.yield %5 : f32
  }) : (!h) -> !inter.results
  %3 = "inter.result"(%2) {index = 0 : i64} : (!inter.results) -> !gnn.node<"h", f32>
  return %1, %3 : !n, !gnn.node<"h", f32>
}
