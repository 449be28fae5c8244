// Equal pure operations become one at every level; loops with equal bodies are equal.
// RUN: gnn-opt %s --gnn-cse | FileCheck %s

!node8 = !gnn.node<"g", tensor<8xf32>>
!at = !inter.cursor<"node", "g">
!edge = !inter.cursor<"edge", "g">

ml_program.global private @w(#ml_program.extern) : tensor<8x8xf32>

// Loads of a weight become one, and then so do operations that use them.
// CHECK-LABEL: func.func @weights
// CHECK-COUNT-1: ml_program.global_load_const
// CHECK-NOT: global_load_const
// CHECK: %[[Y:.*]] = "gnn.linear"
// CHECK-NOT: gnn.linear
// CHECK: return %[[Y]], %[[Y]]
func.func @weights(%x: !node8) -> (!node8, !node8) {
  %w0 = ml_program.global_load_const @w : tensor<8x8xf32>
  %w1 = ml_program.global_load_const @w : tensor<8x8xf32>
  %0 = "gnn.linear"(%x, %w0) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!node8, tensor<8x8xf32>) -> !node8
  %1 = "gnn.linear"(%x, %w1) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!node8, tensor<8x8xf32>) -> !node8
  return %0, %1 : !node8, !node8
}

// Loops with equal bodies become one, and then so do their results; values inside are compared by position, values from outside by identity.
// CHECK-LABEL: func.func @loops
// CHECK: %[[L:.*]] = "inter.for_nodes"
// CHECK: %[[M:.*]] = "inter.for_nodes"
// CHECK: "inter.at"(%arg2
// CHECK-NOT: inter.for_nodes
// CHECK: %[[A:.*]] = "inter.result"(%[[L]])
// CHECK-NEXT: %[[B:.*]] = "inter.result"(%[[M]])
// CHECK-NEXT: return %[[A]], %[[A]], %[[B]]
func.func @loops(%g: !gnn.graph<"g">, %x: !node8, %y: !node8) -> (!node8, !node8, !node8) {
  %0 = "inter.for_nodes"(%g) ({
  ^bb0(%n: !at):
    %5 = "inter.at"(%x, %n) : (!node8, !at) -> tensor<8xf32>
    %6 = "gnn.multiply"(%5, %5) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    smt.yield %6 : tensor<8xf32>
  }) : (!gnn.graph<"g">) -> !inter.results
  // When the inner duplicate is removed, this body is equal, too.
  %1 = "inter.for_nodes"(%g) ({
  ^bb0(%n: !at):
    %5 = "inter.at"(%x, %n) : (!node8, !at) -> tensor<8xf32>
    %6 = "inter.at"(%x, %n) : (!node8, !at) -> tensor<8xf32>
    %7 = "gnn.multiply"(%5, %6) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    smt.yield %7 : tensor<8xf32>
  }) : (!gnn.graph<"g">) -> !inter.results
  %2 = "inter.for_nodes"(%g) ({
  ^bb0(%n: !at):
    %5 = "inter.at"(%y, %n) : (!node8, !at) -> tensor<8xf32>
    %6 = "gnn.multiply"(%5, %5) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    smt.yield %6 : tensor<8xf32>
  }) : (!gnn.graph<"g">) -> !inter.results
  %a = "inter.result"(%0) {index = 0 : i64} : (!inter.results) -> !node8
  %b = "inter.result"(%1) {index = 0 : i64} : (!inter.results) -> !node8
  %c = "inter.result"(%2) {index = 0 : i64} : (!inter.results) -> !node8
  return %a, %b, %c : !node8, !node8, !node8
}

// An inner block uses a value of the block around it.
// CHECK-LABEL: func.func @captured
// CHECK: %[[D:.*]] = "gnn.constant"() {value = 2.0
// CHECK-NOT: gnn.constant
// CHECK: smt.yield %[[D]]
func.func @captured(%g: !gnn.graph<"g">) -> (!gnn.node<"g", f32>, f32) {
  %0 = "gnn.constant"() {value = 2.0 : f64} : () -> f32
  %1 = "inter.for_nodes"(%g) ({
  ^bb0(%n: !at):
    %2 = "gnn.constant"() {value = 2.0 : f64} : () -> f32
    smt.yield %2 : f32
  }) : (!gnn.graph<"g">) -> !inter.results
  %3 = "inter.result"(%1) {index = 0 : i64} : (!inter.results) -> !gnn.node<"g", f32>
  return %3, %0 : !gnn.node<"g", f32>, f32
}

// Inner loops within one body are compared, too.
// CHECK-LABEL: func.func @inner_loops
// CHECK-COUNT-1: inter.for_incoming
// CHECK-NOT: inter.for_incoming
func.func @inner_loops(%g: !gnn.graph<"g">, %a: !gnn.edge<"g", f32>) -> !gnn.node<"g", f32> {
  %0 = "inter.for_nodes"(%g) ({
  ^bb0(%n: !at):
    %1 = "inter.for_incoming"(%g, %n) ({
    ^bb0(%e: !edge):
      %5 = "inter.at"(%a, %e) : (!gnn.edge<"g", f32>, !edge) -> f32
      smt.yield %5 : f32
    }) {reduce = ["sum"]} : (!gnn.graph<"g">, !at) -> !inter.results
    %2 = "inter.for_incoming"(%g, %n) ({
    ^bb0(%e: !edge):
      %5 = "inter.at"(%a, %e) : (!gnn.edge<"g", f32>, !edge) -> f32
      smt.yield %5 : f32
    }) {reduce = ["sum"]} : (!gnn.graph<"g">, !at) -> !inter.results
    %3 = "inter.result"(%1) {index = 0 : i64} : (!inter.results) -> f32
    %4 = "inter.result"(%2) {index = 0 : i64} : (!inter.results) -> f32
    %6 = "gnn.divide"(%3, %4) : (f32, f32) -> f32
    smt.yield %6 : f32
  }) : (!gnn.graph<"g">) -> !inter.results
  %7 = "inter.result"(%0) {index = 0 : i64} : (!inter.results) -> !gnn.node<"g", f32>
  return %7 : !gnn.node<"g", f32>
}
