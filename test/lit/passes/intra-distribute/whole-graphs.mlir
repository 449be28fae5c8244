// RUN: gnn-opt --pass-pipeline=gnn-to-inter,inter-to-intra,intra-distribute --remarks='*' --split-input-file %s 2> %t.remarks | FileCheck %s

// What reads all nodes of a graph of a batch is computed where each graph is of one rank: the module says so. It is no
// reading at sources.
// CHECK: module attributes {{.*}}gnn.ranks, {{.*}}gnn.whole_graphs
// CHECK-NOT: "intra.exchange"
!g = !gnn.graph<"g">
!n = !gnn.node<"g", f32>
!b = !gnn.per<"graph", f32>
func.func @m.run(%g: !g, %x: !n {gnn.name = "x"}) -> (!b {gnn.name = "y"}, !b {gnn.name = "z"}) attributes {gnn.phase = "run"} {
  %r = "gnn.activation"(%x) {function = "relu"} : (!n) -> !n
  %y = "gnn.pool"(%g, %r) {reduce = "sum"} : (!g, !n) -> !b
  %z = "gnn.quantile"(%g, %r) {q = 0.5 : f64, interpolation = "lower", over = "graph"} : (!g, !n) -> !b
  return %y, %z : !b, !b
}
