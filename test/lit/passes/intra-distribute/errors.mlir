// What a rank has not got: nodes of other ranks, all nodes at once, and edges out of its nodes in another order. The message stands at the operation that reads it.
// RUN: gnn-opt --pass-pipeline=gnn-to-inter,inter-fuse,inter-to-intra,intra-distribute --split-input-file --verify-diagnostics %s

!g = !gnn.graph<"g">
!n = !gnn.node<"g", f32>
!f = !gnn.node<"g", tensor<2xf32>>
func.func @m.run(%g: !g, %x: !n {gnn.name = "x"}) -> (!f {gnn.name = "y"}) attributes {gnn.phase = "run"} {
  // expected-error@+1 {{--ranks: a rank has no edges out of its nodes in this order, and this reads them}}
  %y = "gnn.first"(%g, %x) {count = 2 : i64, over = "out"} : (!g, !n) -> !f
  return %y : !f
}

// -----

!g = !gnn.graph<"g">
!n = !gnn.node<"g", f32>
func.func @m.run(%g: !g, %x: !n {gnn.name = "x"}) -> (!n {gnn.name = "y"}) attributes {gnn.phase = "run"} {
  // expected-error@+1 {{--ranks: a rank has no nodes but its own, and this reads all at once}}
  %y = "gnn.top_nodes"(%g, %x) {ratio = 5.0e-01 : f64} : (!g, !n) -> !n
  return %y : !n
}

// -----

!g = !gnn.graph<"g">
!e = !gnn.edge<"g", f32>
func.func @m.run(%g: !g, %x: !e {gnn.name = "x"}) -> (!e {gnn.name = "y"}) attributes {gnn.phase = "run"} {
  // expected-error@+1 {{--ranks: a rank has no edges out of its nodes in this order, and this reads them}}
  %y = "gnn.opposite_edges"(%g, %x) : (!g, !e) -> !e
  return %y : !e
}

// -----

!g = !gnn.graph<"g">
!n = !gnn.node<"g", tensor<3xf32>>
func.func @m.run(%g: !g, %x: !n {gnn.name = "x"}) -> (!n {gnn.name = "y"}) attributes {gnn.phase = "run"} {
  // expected-error@+1 {{--ranks: a rank has no nodes but its own, and this reads all at once}}
  %k = "gnn.near_edges"(%g, %x) {most = 8 : i64, name = "knn_0"} : (!g, !n) -> !gnn.graph<"g.knn_0">
  %y = "gnn.aggregate"(%k, %x) {reduce = "sum", direction = "in"} : (!gnn.graph<"g.knn_0">, !n) -> !n
  return %y : !n
}

// -----

// Edges in the other direction.
!g = !gnn.graph<"g">
!n = !gnn.node<"g", f32>
func.func @m.run(%g: !g, %x: !n {gnn.name = "x"}) -> (!n {gnn.name = "y"}) attributes {gnn.phase = "run"} {
  // expected-error@+1 {{--ranks: a rank has no edges out of its nodes in this order, and this reads them}}
  %u = "gnn.edge_set"(%g) {mode = "union_allr"} : (!g) -> !gnn.graph<"g.union_allr">
  %y = "gnn.aggregate"(%u, %x) {reduce = "sum", direction = "in"} : (!gnn.graph<"g.union_allr">, !n) -> !n
  return %y : !n
}

// -----

// Paths, which are found while the model runs.
!g = !gnn.graph<"g">
!n = !gnn.node<"g", f32>
func.func @m.run(%g: !g, %x: !n {gnn.name = "x"}) -> (!n {gnn.name = "y"}) attributes {gnn.phase = "run"} {
  // expected-error@+1 {{--ranks: a rank has no nodes but its own, and this reads all at once}}
  %u = "gnn.edge_set"(%g) {mode = "power2"} : (!g) -> !gnn.graph<"g.power2">
  %y = "gnn.aggregate"(%u, %x) {reduce = "sum", direction = "in"} : (!gnn.graph<"g.power2">, !n) -> !n
  return %y : !n
}
