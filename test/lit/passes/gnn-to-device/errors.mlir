// Operations that the device level cannot express are reported at their lines.
// RUN: gnn-opt --pass-pipeline=gnn-to-device --split-input-file --verify-diagnostics %s

// A table per pair of types that depends on an input.
func.func @pair(%g: !gnn.graph<"g">, %k: f32) -> !gnn.per<"etype_src", f32> {
  %w = ml_program.global_load_const @w : !gnn.per<"etype", f32>
  %t = "gnn.multiply"(%w, %k) : (!gnn.per<"etype", f32>, f32) -> !gnn.per<"etype", f32>
  // expected-error@+1 {{pair of values that inputs take part in has no form on devices; the C target can compute it}}
  %p = "gnn.pair"(%g, %t) {end = "src", count = 3 : i64} : (!gnn.graph<"g">, !gnn.per<"etype", f32>) -> !gnn.per<"etype_src", f32>
  return %p : !gnn.per<"etype_src", f32>
}
ml_program.global private @w(#ml_program.extern) : !gnn.per<"etype", f32> {gnn.count = 3 : i64}

// -----
// expected-error@+1 {{a model without a graph has nothing to run on a device}}
func.func @no_graph(%x: f32) -> f32 {
  %y = "gnn.activation"(%x) {function = "relu"} : (f32) -> f32
  return %y : f32
}

// -----
// Edge lists are made when a model is compiled.
func.func @run_graph(%g: !gnn.graph<"g">, %x: !gnn.node<"g", tensor<3xf32>>) -> !gnn.node<"g", f32> {
  // expected-error@+1 {{'radius_graph' makes a graph while the model runs, and no machine does; --target=c compiles the model to C, which does}}
  %k = "gnn.near_edges"(%g, %x) {most = 8 : i64, name = "radius_0", radius = 1.0 : f64} : (!gnn.graph<"g">, !gnn.node<"g", tensor<3xf32>>) -> !gnn.graph<"g.radius_0">
  %d = "gnn.degree"(%k) {direction = "in"} : (!gnn.graph<"g.radius_0">) -> !gnn.node<"g", f32>
  // expected-error@+1 {{'top_k' makes a graph while the model runs}}
  %m = "gnn.top_nodes"(%g, %d) {ratio = 5.0e-01 : f64} : (!gnn.graph<"g">, !gnn.node<"g", f32>) -> !gnn.node<"g", f32>
  return %m : !gnn.node<"g", f32>
}
