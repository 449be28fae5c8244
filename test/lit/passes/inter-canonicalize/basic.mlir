// inter-canonicalize removes unused results and loops, and simplifies values of loops.
// RUN: gnn-opt --pass-pipeline=inter-canonicalize %s | FileCheck %s

!g = !gnn.graph<"g">
!n = !gnn.node<"g", f32>
!e = !gnn.edge<"g", f32>
!cn = !inter.cursor<"node", "g">
!ce = !inter.cursor<"edge", "g">

// The second result and the operations that only it used are removed; the third becomes the second.
// CHECK-LABEL: @unused_results
// CHECK: [[L:%.*]] = "inter.for_nodes"
// CHECK: [[X:%.*]] = "inter.at"
// CHECK-NEXT: [[A:%.*]] = "gnn.activation"([[X]]) {function = "relu"}
// CHECK-NEXT: [[C:%.*]] = "gnn.activation"([[X]]) {function = "tanh"}
// CHECK-NEXT: smt.yield [[A]], [[C]]
// CHECK: [[R0:%.*]] = "inter.result"([[L]]) {index = 0 : i64}
// CHECK-NEXT: [[R1:%.*]] = "inter.result"([[L]]) {index = 1 : i64}
// CHECK-NEXT: return [[R0]], [[R1]]
func.func @unused_results(%g: !g, %x: !n) -> (!n, !n) {
  %0 = "inter.for_nodes"(%g) ({
  ^bb0(%i: !cn):
    %x0 = "inter.at"(%x, %i) : (!n, !cn) -> f32
    %a = "gnn.activation"(%x0) {function = "relu"} : (f32) -> f32
    %b = "gnn.activation"(%x0) {function = "exp"} : (f32) -> f32
    %c = "gnn.activation"(%x0) {function = "tanh"} : (f32) -> f32
    smt.yield %a, %b, %c : f32, f32, f32
  }) : (!g) -> !inter.results
  %1 = "inter.result"(%0) {index = 0 : i64} : (!inter.results) -> !n
  %2 = "inter.result"(%0) {index = 1 : i64} : (!inter.results) -> !n
  %3 = "inter.result"(%0) {index = 2 : i64} : (!inter.results) -> !n
  return %1, %3 : !n, !n
}

// Loops without users are removed, the last one first.
// CHECK-LABEL: @unused_loops
// CHECK-NEXT: return %arg1
func.func @unused_loops(%g: !g, %x: !n) -> !n {
  %0 = "inter.for_nodes"(%g) ({
  ^bb0(%i: !cn):
    %x0 = "inter.at"(%x, %i) : (!n, !cn) -> f32
    %a = "gnn.activation"(%x0) {function = "relu"} : (f32) -> f32
    smt.yield %a : f32
  }) : (!g) -> !inter.results
  %1 = "inter.result"(%0) {index = 0 : i64} : (!inter.results) -> !n
  %2 = "inter.for_edges"(%g) ({
  ^bb0(%e: !ce):
    %s = "inter.src"(%e) : (!ce) -> !cn
    %x0 = "inter.at"(%1, %s) : (!n, !cn) -> f32
    smt.yield %x0 : f32
  }) : (!g) -> !inter.results
  %3 = "inter.result"(%2) {index = 0 : i64} : (!inter.results) -> !e
  return %x : !n
}

// Inner loops lose results, too; the destination of an incoming edge is the node itself.
// CHECK-LABEL: @inner
// CHECK: ^bb0([[I:%.*]]: !inter.cursor<"node", "g">):
// CHECK-NEXT: "inter.for_incoming"(%arg0, [[I]]) ({
// CHECK-NEXT: ^bb0([[E:%.*]]: !inter.cursor<"edge", "g">):
// CHECK-NEXT: [[D:%.*]] = "inter.at"(%arg1, [[I]])
// CHECK-NEXT: smt.yield [[D]] : f32
// CHECK-NEXT: }) {reduce = ["max"]}
// CHECK: "inter.for_outgoing"
// CHECK-NEXT: ^bb0([[E2:%.*]]: !inter.cursor<"edge", "g">):
// CHECK-NEXT: [[T:%.*]] = "inter.dst"([[E2]])
// CHECK-NEXT: "inter.at"(%arg1, [[T]])
func.func @inner(%g: !g, %x: !n) -> !n {
  %0 = "inter.for_nodes"(%g) ({
  ^bb0(%i: !cn):
    %l = "inter.for_incoming"(%g, %i) ({
    ^bb1(%e: !ce):
      %s = "inter.src"(%e) : (!ce) -> !cn
      %xs = "inter.at"(%x, %s) : (!n, !cn) -> f32
      %d = "inter.dst"(%e) : (!ce) -> !cn
      %xd = "inter.at"(%x, %d) : (!n, !cn) -> f32
      smt.yield %xs, %xd : f32, f32
    }) {reduce = ["sum", "max"]} : (!g, !cn) -> !inter.results
    %a = "inter.result"(%l) {index = 0 : i64} : (!inter.results) -> f32
    %b = "inter.result"(%l) {index = 1 : i64} : (!inter.results) -> f32
    %k = "inter.for_outgoing"(%g, %i) ({
    ^bb1(%e: !ce):
      %d = "inter.dst"(%e) : (!ce) -> !cn
      %xd = "inter.at"(%x, %d) : (!n, !cn) -> f32
      smt.yield %xd : f32
    }) {reduce = ["sum"]} : (!g, !cn) -> !inter.results
    %c = "inter.result"(%k) {index = 0 : i64} : (!inter.results) -> f32
    %r = "gnn.multiply"(%b, %c) : (f32, f32) -> f32
    smt.yield %r : f32
  }) : (!g) -> !inter.results
  %1 = "inter.result"(%0) {index = 0 : i64} : (!inter.results) -> !n
  return %1 : !n
}

// A loop that only repeats a value is replaced by the value.
// CHECK-LABEL: @copies
// CHECK-NEXT: return %arg1, %arg2
func.func @copies(%g: !g, %x: !n, %w: tensor<2xf32>) -> (!n, tensor<2xf32>) {
  %0 = "inter.for_nodes"(%g) ({
  ^bb0(%i: !cn):
    %x0 = "inter.at"(%x, %i) : (!n, !cn) -> f32
    smt.yield %x0 : f32
  }) : (!g) -> !inter.results
  %1 = "inter.result"(%0) {index = 0 : i64} : (!inter.results) -> !n
  %2 = "inter.once"() ({
    smt.yield %w : tensor<2xf32>
  }) : () -> !inter.results
  %3 = "inter.result"(%2) {index = 0 : i64} : (!inter.results) -> tensor<2xf32>
  return %1, %3 : !n, tensor<2xf32>
}

// A number computed from numbers is computed where it is used.
// CHECK-LABEL: @numbers
// CHECK-NOT: inter.once
// CHECK: "inter.for_nodes"
// CHECK: [[N:%.*]] = "gnn.reshape"(%arg2)
// CHECK: [[M:%.*]] = "gnn.vector_add"([[N]]
// CHECK: "gnn.multiply"({{.*}}, [[M]])
func.func @numbers(%g: !g, %x: !n, %eps: tensor<1xf32>) -> !n {
  %0 = "inter.once"() ({
    %n = "gnn.reshape"(%eps) {shape = array<i64>} : (tensor<1xf32>) -> f32
    %one = "gnn.constant"() {value = 1.0 : f64} : () -> f32
    %m = "gnn.vector_add"(%n, %one) : (f32, f32) -> f32
    smt.yield %m : f32
  }) : () -> !inter.results
  %1 = "inter.result"(%0) {index = 0 : i64} : (!inter.results) -> f32
  %2 = "inter.for_nodes"(%g) ({
  ^bb0(%i: !cn):
    %x0 = "inter.at"(%x, %i) : (!n, !cn) -> f32
    %y = "gnn.multiply"(%x0, %1) : (f32, f32) -> f32
    smt.yield %y : f32
  }) : (!g) -> !inter.results
  %3 = "inter.result"(%2) {index = 0 : i64} : (!inter.results) -> !n
  return %3 : !n
}
