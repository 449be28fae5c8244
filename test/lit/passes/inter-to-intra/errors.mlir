// inter-to-intra refuses functions that are not separated or not lowered, and values that it cannot store.
// RUN: gnn-opt --pass-pipeline=inter-to-intra --split-input-file --verify-diagnostics %s

!n = !gnn.node<"g", f32>
// expected-error@+1 {{the function is neither bind nor run; gnn-separate-bind comes first}}
func.func @m(%g: !gnn.graph<"g">, %x: !n) -> !n {
  return %x : !n
}

// -----

!n = !gnn.node<"g", f32>
func.func @m.run(%g: !gnn.graph<"g">, %x: !n) -> !n attributes {gnn.phase = "run"} {
  // expected-error@+1 {{gnn.activation has not been lowered to a loop}}
  %0 = "gnn.activation"(%x) {function = "relu"} : (!n) -> !n
  return %0 : !n
}

// -----

module {
  ml_program.global private @w(#ml_program.extern<f32>) : f32
  func.func @m.run(%g: !gnn.graph<"g">) -> f32 attributes {gnn.phase = "run"} {
    // expected-error@+1 {{run reads a weight; gnn-separate-bind gives weights to bind alone}}
    %0 = ml_program.global_load_const @w : f32
    return %0 : f32
  }
}

// -----

// expected-error@+1 {{bind gives no value 'b' to run}}
func.func @m.run(%g: !gnn.graph<"g">, %b: f32 {gnn.bound, gnn.name = "b"}) -> f32 attributes {gnn.phase = "run"} {
  return %b : f32
}

// -----

!s = !gnn.sparse<"g", tensor<4xf32>>
func.func @m.run(%g: !gnn.graph<"g">, %x: !s {gnn.name = "x"}) -> !s attributes {gnn.phase = "run"} {
  // expected-error@+1 {{sparse features cannot be returned; use them in a linear layer}}
  return %x : !s
}

// -----

!gl = !gnn.graph<"g.replace">
!e = !gnn.edge<"g.replace", f32>
!ce = !inter.cursor<"edge", "g.replace">
func.func @m.run(%g: !gnn.graph<"g">, %w: !gnn.per<"etype", f32> {gnn.name = "w"}) -> !e attributes {gnn.phase = "run"} {
  %0 = "gnn.edge_set"(%g) {mode = "replace"} : (!gnn.graph<"g">) -> !gl
  %1 = "inter.for_edges"(%0) ({
  ^bb0(%e: !ce):
    // expected-error@+1 {{edge types are not known on a graph with added self loops}}
    %3 = "inter.at"(%w, %e) : (!gnn.per<"etype", f32>, !ce) -> f32
    smt.yield %3 : f32
  }) : (!gl) -> !inter.results
  %2 = "inter.result"(%1) {index = 0 : i64} : (!inter.results) -> !e
  return %2 : !e
}
