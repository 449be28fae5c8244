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
