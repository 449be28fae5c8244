// Operations stay that have users or other effects than their results.
// RUN: gnn-opt %s -o %t.before && gnn-opt %s --gnn-dce -o %t.after && diff %t.before %t.after

!buffer = !intra.memory<"one", f32>

ml_program.global private @w(#ml_program.extern) : tensor<8xf32>

func.func @uses(%x: !gnn.node<"g", tensor<8xf32>>) -> !gnn.node<"g", tensor<8xf32>> {
  %w = ml_program.global_load_const @w : tensor<8xf32>
  %0 = "gnn.multiply"(%x, %w) : (!gnn.node<"g", tensor<8xf32>>, tensor<8xf32>) -> !gnn.node<"g", tensor<8xf32>>
  return %0 : !gnn.node<"g", tensor<8xf32>>
}

func.func @effects() {
  %unused = "intra.buffer"() {space = "input", name = "x"} : () -> !buffer
  %b = "intra.buffer"() {space = "bound", name = "b"} : () -> !buffer
  "intra.call"() {callee = "adjacency", set = "g", form = "csc"} : () -> ()
  "intra.traverse"() ({
    %0 = "gnn.constant"() {value = 1.0 : f64} : () -> f32
    "intra.store"(%0, %b) : (f32, !buffer) -> ()
    smt.yield
  }) {domain = "one"} : () -> ()
  return
}
