// Pure operations without users are removed, with the operands that only they used, and so are loops, reads of memory, and weights without a load.
// RUN: gnn-opt %s --gnn-dce | FileCheck %s

!at = !inter.cursor<"node", "g">
!buffer = !intra.memory<"node:g", f32>

// CHECK-NOT: @unused
// CHECK: ml_program.global private @used
// CHECK-NOT: @unused
// CHECK: ml_program.global public @shared
ml_program.global private @unused(#ml_program.extern) : tensor<8xf32>
ml_program.global private @used(#ml_program.extern) : tensor<8xf32>
ml_program.global private @unused.but.loaded(#ml_program.extern) : tensor<8xf32>
ml_program.global public @shared(#ml_program.extern) : tensor<8xf32>

// CHECK-LABEL: func.func @chain
// CHECK-NEXT: %[[W:.*]] = ml_program.global_load_const @used
// CHECK-NEXT: return %[[W]]
func.func @chain(%g: !gnn.graph<"g">) -> tensor<8xf32> {
  %w = ml_program.global_load_const @used : tensor<8xf32>
  %v = ml_program.global_load_const @unused.but.loaded : tensor<8xf32>
  %0 = "gnn.multiply"(%w, %v) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %1 = "gnn.reduce"(%0) {function = "sum"} : (tensor<8xf32>) -> f32
  %2 = "inter.for_nodes"(%g) ({
  ^bb0(%n: !at):
    smt.yield %1 : f32
  }) : (!gnn.graph<"g">) -> !inter.results
  %3 = "inter.result"(%2) {index = 0 : i64} : (!inter.results) -> !gnn.node<"g", f32>
  return %w : tensor<8xf32>
}

// A body that stays is cleaned inside.
// CHECK-LABEL: func.func @inside
// CHECK: intra.traverse
// CHECK-NEXT: ^bb0
// CHECK-NEXT: %[[V:.*]] = "intra.load"
// CHECK-NEXT: "intra.store"(%[[V]]
// CHECK-NEXT: smt.yield
func.func @inside(%g: !gnn.graph<"g">) {
  %b = "intra.buffer"() {space = "bound", name = "b"} : () -> !buffer
  "intra.traverse"(%g) ({
  ^bb0(%n: !at):
    %0 = "intra.load"(%b, %n) : (!buffer, !at) -> f32
    %1 = "intra.load"(%b, %n) : (!buffer, !at) -> f32
    %2 = "gnn.activation"(%1) {function = "relu"} : (f32) -> f32
    "intra.store"(%0, %b, %n) : (f32, !buffer, !at) -> ()
    smt.yield
  }) {domain = "node"} : (!gnn.graph<"g">) -> ()
  return
}
