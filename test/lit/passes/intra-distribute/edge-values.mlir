// Values that a rank has only of edges into its nodes are exchanged before they are read at edges out of nodes, once after each time that they
// are written.
// RUN: gnn-opt --pass-pipeline=intra-distribute --split-input-file %s | FileCheck %s

// What depends on the number of edges into a destination is one of edges into own nodes; a value that is computed from it is, too. Reading
// it at edges into nodes asks for nothing.
// CHECK-LABEL: @a.run()
// CHECK: [[V:%[0-9]+]] = "intra.buffer"() {name = "v"
// CHECK-NOT: intra.exchange_edges
// CHECK: "inter.degree"
// CHECK: inter.for_incoming
// CHECK: "intra.exchange_edges"([[V]]) : (!intra.memory<"edge:g", f32>) -> ()
// CHECK-NEXT: "intra.traverse"
// CHECK: inter.for_outgoing
// CHECK-NOT: intra.exchange_edges
// CHECK: inter.for_outgoing
// CHECK: "intra.exchange_edges"([[V]])
// CHECK: inter.for_outgoing
!node = !inter.cursor<"node", "g">
!edge = !inter.cursor<"edge", "g">
!values = !intra.memory<"edge:g", f32>
!sums = !intra.memory<"node:g", f32>
func.func @a.run() attributes {gnn.phase = "run"} {
  %g = "intra.graph"() {set = "g"} : () -> !gnn.graph<"g">
  %u = "intra.buffer"() {name = "u", space = "workspace"} : () -> !values
  %v = "intra.buffer"() {name = "v", space = "workspace"} : () -> !values
  %x = "intra.buffer"() {name = "x", space = "output"} : () -> !sums
  %y = "intra.buffer"() {name = "y", space = "output"} : () -> !sums
  %z = "intra.buffer"() {name = "z", space = "output"} : () -> !sums
  "intra.traverse"(%g) ({
  ^bb0(%e: !edge):
    %n = "inter.dst"(%e) : (!edge) -> !node
    %0 = "inter.degree"(%g, %n) {direction = "in"} : (!gnn.graph<"g">, !node) -> f32
    "intra.store"(%0, %u, %e) : (f32, !values, !edge) -> ()
    smt.yield
  }) {domain = "edge"} : (!gnn.graph<"g">) -> ()
  "intra.traverse"(%g) ({
  ^bb0(%e: !edge):
    %0 = "intra.load"(%u, %e) : (!values, !edge) -> f32
    %1 = "gnn.activation"(%0) {function = "rsqrt"} : (f32) -> f32
    "intra.store"(%1, %v, %e) : (f32, !values, !edge) -> ()
    smt.yield
  }) {domain = "edge"} : (!gnn.graph<"g">) -> ()
  "intra.traverse"(%g) ({
  ^bb0(%n: !node):
    %0 = "inter.for_incoming"(%g, %n) ({
    ^bb1(%e: !edge):
      %2 = "intra.load"(%v, %e) : (!values, !edge) -> f32
      smt.yield %2 : f32
    }) {reduce = ["sum"]} : (!gnn.graph<"g">, !node) -> !inter.results
    %1 = "inter.result"(%0) {index = 0 : i64} : (!inter.results) -> f32
    "intra.store"(%1, %x, %n) : (f32, !sums, !node) -> ()
    smt.yield
  }) {domain = "node"} : (!gnn.graph<"g">) -> ()
  "intra.traverse"(%g) ({
  ^bb0(%n: !node):
    %0 = "inter.for_outgoing"(%g, %n) ({
    ^bb1(%e: !edge):
      %2 = "intra.load"(%v, %e) : (!values, !edge) -> f32
      smt.yield %2 : f32
    }) {reduce = ["sum"]} : (!gnn.graph<"g">, !node) -> !inter.results
    %1 = "inter.result"(%0) {index = 0 : i64} : (!inter.results) -> f32
    "intra.store"(%1, %y, %n) : (f32, !sums, !node) -> ()
    smt.yield
  }) {domain = "node"} : (!gnn.graph<"g">) -> ()
  "intra.traverse"(%g) ({
  ^bb0(%n: !node):
    %0 = "inter.for_outgoing"(%g, %n) ({
    ^bb1(%e: !edge):
      %2 = "intra.load"(%v, %e) : (!values, !edge) -> f32
      smt.yield %2 : f32
    }) {reduce = ["max"]} : (!gnn.graph<"g">, !node) -> !inter.results
    %1 = "inter.result"(%0) {index = 0 : i64} : (!inter.results) -> f32
    "intra.store"(%1, %z, %n) : (f32, !sums, !node) -> ()
    smt.yield
  }) {domain = "node"} : (!gnn.graph<"g">) -> ()
  "intra.traverse"(%g) ({
  ^bb0(%e: !edge):
    %0 = "intra.load"(%u, %e) : (!values, !edge) -> f32
    %1 = "gnn.activation"(%0) {function = "exp"} : (f32) -> f32
    "intra.store"(%1, %v, %e) : (f32, !values, !edge) -> ()
    smt.yield
  }) {domain = "edge"} : (!gnn.graph<"g">) -> ()
  "intra.traverse"(%g) ({
  ^bb0(%n: !node):
    %0 = "inter.for_outgoing"(%g, %n) ({
    ^bb1(%e: !edge):
      %2 = "intra.load"(%v, %e) : (!values, !edge) -> f32
      smt.yield %2 : f32
    }) {reduce = ["sum"]} : (!gnn.graph<"g">, !node) -> !inter.results
    %1 = "inter.result"(%0) {index = 0 : i64} : (!inter.results) -> f32
    "intra.store"(%1, %y, %n) : (f32, !sums, !node) -> ()
    smt.yield
  }) {domain = "node"} : (!gnn.graph<"g">) -> ()
  return
}

// -----

// What is written back to the edges into each node is exchanged where it is read at edges out of nodes.
// CHECK-LABEL: @b.gradients()
// CHECK: [[V:%[0-9]+]] = "intra.buffer"() {name = "v"
// CHECK: "intra.place_first"
// CHECK-NEXT: "intra.exchange_edges"([[V]]) : (!intra.memory<"edge:g", tensor<4xf32>>) -> ()
// CHECK-NEXT: "intra.traverse"
!node = !inter.cursor<"node", "g">
!edge = !inter.cursor<"edge", "g">
!rows = !intra.memory<"node:g", tensor<2x4xf32>>
!values = !intra.memory<"edge:g", tensor<4xf32>>
!sums = !intra.memory<"node:g", tensor<4xf32>>
func.func @b.gradients() attributes {gnn.phase = "gradients"} {
  %g = "intra.graph"() {set = "g"} : () -> !gnn.graph<"g">
  %x = "intra.buffer"() {name = "x", space = "input"} : () -> !rows
  %v = "intra.buffer"() {name = "v", space = "workspace"} : () -> !values
  %y = "intra.buffer"() {name = "y", space = "output"} : () -> !sums
  "intra.place_first"(%g, %x, %v) {over = "in"} : (!gnn.graph<"g">, !rows, !values) -> ()
  "intra.traverse"(%g) ({
  ^bb0(%n: !node):
    %0 = "inter.for_outgoing"(%g, %n) ({
    ^bb1(%e: !edge):
      %2 = "intra.load"(%v, %e) : (!values, !edge) -> tensor<4xf32>
      smt.yield %2 : tensor<4xf32>
    }) {reduce = ["sum"]} : (!gnn.graph<"g">, !node) -> !inter.results
    %1 = "inter.result"(%0) {index = 0 : i64} : (!inter.results) -> tensor<4xf32>
    "intra.store"(%1, %y, %n) : (tensor<4xf32>, !sums, !node) -> ()
    smt.yield
  }) {domain = "node"} : (!gnn.graph<"g">) -> ()
  return
}

// -----

// The size of a group of edges of one type into a node, as of the means of R-GCN: bind has it of own nodes, and at its end ranks exchange
// what other phases read at edges out of nodes or at all edges. What they read at edges into nodes stays.
// CHECK-LABEL: @m.bind()
// CHECK: [[C:%[0-9]+]] = "intra.buffer"() {name = "c"
// CHECK: [[D:%[0-9]+]] = "intra.buffer"() {name = "d"
// CHECK-NOT: intra.exchange_edges
// CHECK: inter.group_size
// CHECK: "intra.store"({{.*}}, [[C]],
// CHECK: "intra.store"({{.*}}, [[D]],
// CHECK-NOT: intra.exchange_edges
// CHECK: "intra.exchange_edges"([[C]])
// CHECK-NEXT: return
// CHECK-LABEL: @m.gradients()
// CHECK-NOT: intra.exchange
!node = !inter.cursor<"node", "g">
!edge = !inter.cursor<"edge", "g">
!pair = !inter.cursor<"edge", "g.unique_dst">
!pairs = !intra.memory<"edge:g.unique_dst", f32>
!values = !intra.memory<"edge:g", f32>
!sums = !intra.memory<"node:g", f32>
module {
  func.func @m.bind() attributes {gnn.phase = "bind"} {
    %g = "intra.graph"() {set = "g"} : () -> !gnn.graph<"g">
    %u = "intra.graph"() {set = "g.unique_dst"} : () -> !gnn.graph<"g.unique_dst">
    %s = "intra.buffer"() {name = "s", space = "workspace"} : () -> !pairs
    %c = "intra.buffer"() {name = "c", space = "bound"} : () -> !values
    %d = "intra.buffer"() {name = "d", space = "bound"} : () -> !values
    "intra.traverse"(%u) ({
    ^bb0(%p: !pair):
      %0 = "inter.group_size"(%p) : (!pair) -> f32
      "intra.store"(%0, %s, %p) : (f32, !pairs, !pair) -> ()
      smt.yield
    }) {domain = "edge"} : (!gnn.graph<"g.unique_dst">) -> ()
    "intra.traverse"(%g) ({
    ^bb0(%e: !edge):
      %p = "inter.group"(%e) {end = "dst"} : (!edge) -> !pair
      %0 = "intra.load"(%s, %p) : (!pairs, !pair) -> f32
      "intra.store"(%0, %c, %e) : (f32, !values, !edge) -> ()
      "intra.store"(%0, %d, %e) : (f32, !values, !edge) -> ()
      smt.yield
    }) {domain = "edge"} : (!gnn.graph<"g">) -> ()
    return
  }
  func.func @m.gradients() attributes {gnn.phase = "gradients"} {
    %g = "intra.graph"() {set = "g"} : () -> !gnn.graph<"g">
    %c = "intra.buffer"() {name = "c", space = "bound"} : () -> !values
    %d = "intra.buffer"() {name = "d", space = "bound"} : () -> !values
    %y = "intra.buffer"() {name = "y", space = "output"} : () -> !sums
    "intra.traverse"(%g) ({
    ^bb0(%n: !node):
      %0 = "inter.for_outgoing"(%g, %n) ({
      ^bb1(%e: !edge):
        %4 = "intra.load"(%c, %e) : (!values, !edge) -> f32
        smt.yield %4 : f32
      }) {reduce = ["sum"]} : (!gnn.graph<"g">, !node) -> !inter.results
      %1 = "inter.result"(%0) {index = 0 : i64} : (!inter.results) -> f32
      %2 = "inter.for_incoming"(%g, %n) ({
      ^bb1(%e: !edge):
        %4 = "intra.load"(%d, %e) : (!values, !edge) -> f32
        smt.yield %4 : f32
      }) {reduce = ["sum"]} : (!gnn.graph<"g">, !node) -> !inter.results
      %3 = "inter.result"(%2) {index = 0 : i64} : (!inter.results) -> f32
      %5 = "gnn.vector_add"(%1, %3) : (f32, f32) -> f32
      "intra.store"(%5, %y, %n) : (f32, !sums, !node) -> ()
      smt.yield
    }) {domain = "node"} : (!gnn.graph<"g">) -> ()
    return
  }
}
