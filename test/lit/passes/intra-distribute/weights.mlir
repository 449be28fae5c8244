// A weight with a row for each node is exchanged in each phase of a training, once, before the first kernel that reads it at ghosts: the
// step between two phases changes it. A phase that reads own rows alone exchanges nothing.
// RUN: gnn-opt --pass-pipeline=intra-distribute --split-input-file %s | FileCheck %s
// CHECK-LABEL: @m.bind()
// CHECK-NOT: intra.exchange
// CHECK-LABEL: @m.gradients()
// CHECK: [[W:%.*]] = "intra.buffer"() {name = "emb", space = "weight"}
// CHECK-NOT: intra.exchange
// CHECK: "intra.exchange"([[W]]) {operandSegmentSizes = array<i32: 1, 0, 0, 0>, overlaps}
// CHECK-NEXT: "intra.traverse"
// CHECK: inter.for_incoming
// CHECK: inter.for_incoming
// CHECK-NOT: intra.exchange
// CHECK-LABEL: @m.evaluate()
// CHECK: [[W:%.*]] = "intra.buffer"() {name = "emb", space = "weight"}
// CHECK: "intra.exchange"([[W]])
// CHECK-NOT: intra.exchange
// CHECK: return
!v = !intra.memory<"node:g", f32>
!node = !inter.cursor<"node", "g">
!edge = !inter.cursor<"edge", "g">
module attributes {gnn.training} {
  func.func @m.bind() attributes {gnn.phase = "bind"} {
    return
  }
  func.func @m.gradients() attributes {gnn.phase = "gradients"} {
    %g = "intra.graph"() {set = "g"} : () -> !gnn.graph<"g">
    %w = "intra.buffer"() {name = "emb", space = "weight"} : () -> !v
    %a = "intra.buffer"() {name = "a", space = "workspace"} : () -> !v
    %y = "intra.buffer"() {name = "y", space = "output"} : () -> !v
    "intra.traverse"(%g) ({
    ^bb0(%n: !node):
      %0 = "intra.load"(%w, %n) : (!v, !node) -> f32
      "intra.store"(%0, %a, %n) : (f32, !v, !node) -> ()
      smt.yield
    }) {domain = "node"} : (!gnn.graph<"g">) -> ()
    "intra.traverse"(%g) ({
    ^bb0(%n: !node):
      %0 = "inter.for_incoming"(%g, %n) ({
      ^bb1(%e: !edge):
        %s = "inter.src"(%e) : (!edge) -> !node
        %2 = "intra.load"(%w, %s) : (!v, !node) -> f32
        smt.yield %2 : f32
      }) {reduce = ["sum"]} : (!gnn.graph<"g">, !node) -> !inter.results
      %1 = "inter.result"(%0) {index = 0 : i64} : (!inter.results) -> f32
      "intra.store"(%1, %a, %n) : (f32, !v, !node) -> ()
      smt.yield
    }) {domain = "node"} : (!gnn.graph<"g">) -> ()
    "intra.traverse"(%g) ({
    ^bb0(%n: !node):
      %0 = "inter.for_incoming"(%g, %n) ({
      ^bb1(%e: !edge):
        %s = "inter.src"(%e) : (!edge) -> !node
        %2 = "intra.load"(%w, %s) : (!v, !node) -> f32
        smt.yield %2 : f32
      }) {reduce = ["max"]} : (!gnn.graph<"g">, !node) -> !inter.results
      %1 = "inter.result"(%0) {index = 0 : i64} : (!inter.results) -> f32
      "intra.store"(%1, %y, %n) : (f32, !v, !node) -> ()
      smt.yield
    }) {domain = "node"} : (!gnn.graph<"g">) -> ()
    return
  }
  func.func @m.evaluate() attributes {gnn.phase = "evaluate"} {
    %g = "intra.graph"() {set = "g"} : () -> !gnn.graph<"g">
    %w = "intra.buffer"() {name = "emb", space = "weight"} : () -> !v
    %y = "intra.buffer"() {name = "y", space = "output"} : () -> !v
    "intra.traverse"(%g) ({
    ^bb0(%n: !node):
      %0 = "inter.for_incoming"(%g, %n) ({
      ^bb1(%e: !edge):
        %s = "inter.src"(%e) : (!edge) -> !node
        %2 = "intra.load"(%w, %s) : (!v, !node) -> f32
        smt.yield %2 : f32
      }) {reduce = ["sum"]} : (!gnn.graph<"g">, !node) -> !inter.results
      %1 = "inter.result"(%0) {index = 0 : i64} : (!inter.results) -> f32
      "intra.store"(%1, %y, %n) : (f32, !v, !node) -> ()
      smt.yield
    }) {domain = "node"} : (!gnn.graph<"g">) -> ()
    return
  }
}

// -----

// CHECK-LABEL: @own.gradients()
// CHECK-NOT: intra.exchange
// CHECK: return
!v = !intra.memory<"node:g", f32>
!node = !inter.cursor<"node", "g">
module attributes {gnn.training} {
  func.func @own.gradients() attributes {gnn.phase = "gradients"} {
    %g = "intra.graph"() {set = "g"} : () -> !gnn.graph<"g">
    %w = "intra.buffer"() {name = "emb", space = "weight"} : () -> !v
    %y = "intra.buffer"() {name = "y", space = "output"} : () -> !v
    "intra.traverse"(%g) ({
    ^bb0(%n: !node):
      %0 = "intra.load"(%w, %n) : (!v, !node) -> f32
      "intra.store"(%0, %y, %n) : (f32, !v, !node) -> ()
      smt.yield
    }) {domain = "node"} : (!gnn.graph<"g">) -> ()
    return
  }
}
