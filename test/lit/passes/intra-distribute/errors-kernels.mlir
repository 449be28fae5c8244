// Kernels that a rank cannot compute, and edges out of nodes of other ranks.
// RUN: gnn-opt --pass-pipeline=intra-distribute --split-input-file --verify-diagnostics %s

// Sums by an index.
!x = !intra.memory<"node:g", tensor<8xf32>>
!z = !intra.memory<"node:g", i32>
!w = !intra.memory<"one", tensor<9x8xf32>>
func.func @m.gradients() attributes {gnn.phase = "gradients"} {
  %g = "intra.graph"() {set = "g"} : () -> !gnn.graph<"g">
  %x = "intra.buffer"() {space = "input", name = "x"} : () -> !x
  %z = "intra.buffer"() {space = "input", name = "z"} : () -> !z
  %w = "intra.buffer"() {space = "output", name = "w"} : () -> !w
  // expected-error@+1 {{--ranks: a rank has no sums by index over the rows of all ranks, and this is one}}
  "intra.sum_by"(%g, %x, %z, %w) : (!gnn.graph<"g">, !x, !z, !w) -> ()
  return
}

// -----

// The edges out of a node of another rank.
!node = !inter.cursor<"node", "g">
!edge = !inter.cursor<"edge", "g">
!values = !intra.memory<"edge:g", f32>
func.func @m.run() attributes {gnn.phase = "run"} {
  %g = "intra.graph"() {set = "g"} : () -> !gnn.graph<"g">
  %y = "intra.buffer"() {name = "y", space = "output"} : () -> !values
  "intra.traverse"(%g) ({
  ^bb0(%e: !edge):
    %s = "inter.src"(%e) : (!edge) -> !node
    // expected-error@+1 {{--ranks: a rank has no edges out of nodes of other ranks, which this reads}}
    %d = "inter.degree"(%g, %s) {direction = "out"} : (!gnn.graph<"g">, !node) -> f32
    "intra.store"(%d, %y, %e) : (f32, !values, !edge) -> ()
    smt.yield
  }) {domain = "edge"} : (!gnn.graph<"g">) -> ()
  return
}

// -----

// What is written back to the edges into each node, as by the derivative of the first values, is not there for the edges out of it, and
// ranks exchange values of edges of the caller's graph alone.
!loops = !gnn.graph<"g.add_remaining">
!node = !inter.cursor<"node", "g">
!edge = !inter.cursor<"edge", "g.add_remaining">
!rows = !intra.memory<"node:g", tensor<2x4xf32>>
!values = !intra.memory<"edge:g.add_remaining", tensor<4xf32>>
!sums = !intra.memory<"node:g", tensor<4xf32>>
func.func @m.gradients() attributes {gnn.phase = "gradients"} {
  %g = "intra.graph"() {set = "g.add_remaining"} : () -> !loops
  %x = "intra.buffer"() {name = "x", space = "input"} : () -> !rows
  %v = "intra.buffer"() {name = "v", space = "workspace"} : () -> !values
  %y = "intra.buffer"() {name = "y", space = "output"} : () -> !sums
  "intra.place_first"(%g, %x, %v) {over = "in"} : (!loops, !rows, !values) -> ()
  "intra.traverse"(%g) ({
  ^bb0(%n: !node):
    %0 = "inter.for_outgoing"(%g, %n) ({
    ^bb1(%e: !edge):
      // expected-error@+1 {{--ranks: a rank has 'v' only for edges into its nodes, and this reads it for edges out of them}}
      %2 = "intra.load"(%v, %e) : (!values, !edge) -> tensor<4xf32>
      smt.yield %2 : tensor<4xf32>
    }) {reduce = ["sum"]} : (!loops, !node) -> !inter.results
    %1 = "inter.result"(%0) {index = 0 : i64} : (!inter.results) -> tensor<4xf32>
    "intra.store"(%1, %y, %n) : (tensor<4xf32>, !sums, !node) -> ()
    smt.yield
  }) {domain = "node"} : (!loops) -> ()
  return
}

// -----

// The number of edges out of a destination is that of another rank.
!node = !inter.cursor<"node", "g">
!edge = !inter.cursor<"edge", "g">
!values = !intra.memory<"edge:g", f32>
!sums = !intra.memory<"node:g", f32>
func.func @m.run() attributes {gnn.phase = "run"} {
  %g = "intra.graph"() {set = "g"} : () -> !gnn.graph<"g">
  %v = "intra.buffer"() {name = "v", space = "workspace"} : () -> !values
  %y = "intra.buffer"() {name = "y", space = "output"} : () -> !sums
  %d = "intra.buffer"() {name = "d", space = "output"} : () -> !sums
  "intra.traverse"(%g) ({
  ^bb0(%e: !edge):
    %n = "inter.dst"(%e) : (!edge) -> !node
    // expected-error@+1 {{--ranks: a rank has no edges out of nodes of other ranks, which this reads}}
    %0 = "inter.degree"(%g, %n) {direction = "out"} : (!gnn.graph<"g">, !node) -> f32
    "intra.store"(%0, %v, %e) : (f32, !values, !edge) -> ()
    smt.yield
  }) {domain = "edge"} : (!gnn.graph<"g">) -> ()
  return
}

// -----

// A loop over edges out of nodes does not count edges into their destinations: a kernel over all edges does, and its values are exchanged.
!node = !inter.cursor<"node", "g">
!edge = !inter.cursor<"edge", "g">
!sums = !intra.memory<"node:g", f32>
func.func @m.run() attributes {gnn.phase = "run"} {
  %g = "intra.graph"() {set = "g"} : () -> !gnn.graph<"g">
  %y = "intra.buffer"() {name = "y", space = "output"} : () -> !sums
  "intra.traverse"(%g) ({
  ^bb0(%n: !node):
    %0 = "inter.for_outgoing"(%g, %n) ({
    ^bb1(%e: !edge):
      %d = "inter.dst"(%e) : (!edge) -> !node
      // expected-error@+1 {{--ranks: a rank has no edges into nodes of other ranks, and this counts them}}
      %2 = "inter.degree"(%g, %d) {direction = "in"} : (!gnn.graph<"g">, !node) -> f32
      smt.yield %2 : f32
    }) {reduce = ["sum"]} : (!gnn.graph<"g">, !node) -> !inter.results
    %1 = "inter.result"(%0) {index = 0 : i64} : (!inter.results) -> f32
    "intra.store"(%1, %y, %n) : (f32, !sums, !node) -> ()
    smt.yield
  }) {domain = "node"} : (!gnn.graph<"g">) -> ()
  return
}

// -----

// Neither does one over pairs of edge type and destination.
!node = !inter.cursor<"node", "g">
!edge = !inter.cursor<"edge", "g">
!pair = !inter.cursor<"edge", "g.unique_dst">
!sums = !intra.memory<"node:g", f32>
func.func @m.run() attributes {gnn.phase = "run"} {
  %g = "intra.graph"() {set = "g"} : () -> !gnn.graph<"g">
  %y = "intra.buffer"() {name = "y", space = "output"} : () -> !sums
  "intra.traverse"(%g) ({
  ^bb0(%n: !node):
    %0 = "inter.for_outgoing"(%g, %n) ({
    ^bb1(%e: !edge):
      %p = "inter.group"(%e) {end = "dst"} : (!edge) -> !pair
      // expected-error@+1 {{--ranks: a rank has no edges into nodes of other ranks, and this reads them by type}}
      %2 = "inter.group_size"(%p) : (!pair) -> f32
      smt.yield %2 : f32
    }) {reduce = ["sum"]} : (!gnn.graph<"g">, !node) -> !inter.results
    %1 = "inter.result"(%0) {index = 0 : i64} : (!inter.results) -> f32
    "intra.store"(%1, %y, %n) : (f32, !sums, !node) -> ()
    smt.yield
  }) {domain = "node"} : (!gnn.graph<"g">) -> ()
  return
}

// -----

// A value per pair lacks the pairs at ghosts, and no value of edges that ranks could exchange stands between.
!node = !inter.cursor<"node", "g">
!edge = !inter.cursor<"edge", "g">
!pair = !inter.cursor<"edge", "g.unique_dst">
!pairs = !intra.memory<"edge:g.unique_dst", f32>
!sums = !intra.memory<"node:g", f32>
func.func @m.run() attributes {gnn.phase = "run"} {
  %g = "intra.graph"() {set = "g"} : () -> !gnn.graph<"g">
  %u = "intra.graph"() {set = "g.unique_dst"} : () -> !gnn.graph<"g.unique_dst">
  %v = "intra.buffer"() {name = "v", space = "workspace"} : () -> !pairs
  %y = "intra.buffer"() {name = "y", space = "output"} : () -> !sums
  "intra.traverse"(%u) ({
  ^bb0(%p: !pair):
    %0 = "inter.group_size"(%p) : (!pair) -> f32
    "intra.store"(%0, %v, %p) : (f32, !pairs, !pair) -> ()
    smt.yield
  }) {domain = "edge"} : (!gnn.graph<"g.unique_dst">) -> ()
  "intra.traverse"(%g) ({
  ^bb0(%n: !node):
    %0 = "inter.for_outgoing"(%g, %n) ({
    ^bb1(%e: !edge):
      %p = "inter.group"(%e) {end = "dst"} : (!edge) -> !pair
      // expected-error@+1 {{--ranks: a rank has 'v' only for edges into its nodes, and this reads it for edges out of them}}
      %2 = "intra.load"(%v, %p) : (!pairs, !pair) -> f32
      smt.yield %2 : f32
    }) {reduce = ["sum"]} : (!gnn.graph<"g">, !node) -> !inter.results
    %1 = "inter.result"(%0) {index = 0 : i64} : (!inter.results) -> f32
    "intra.store"(%1, %y, %n) : (f32, !sums, !node) -> ()
    smt.yield
  }) {domain = "node"} : (!gnn.graph<"g">) -> ()
  return
}

// -----

// In training, weights whose rows no rank could give to the others.
module attributes {gnn.training} {
  func.func @m.gradients() attributes {gnn.phase = "gradients"} {
    // expected-error@+1 {{--ranks: a rank has no weights with a row for each edge, graph or node of one type in training, and this is one}}
    %w = "intra.buffer"() {name = "w", space = "weight"} : () -> !intra.memory<"edge:g", f32>
    return
  }
}

// -----

module attributes {gnn.training} {
  func.func @m.gradients() attributes {gnn.phase = "gradients"} {
    // expected-error@+1 {{--ranks: a rank has no weights with a row for each edge, graph or node of one type in training, and this is one}}
    %w = "intra.buffer"() {name = "w", space = "weight"} : () -> !intra.memory<"graph", f32>
    return
  }
}

// -----

module attributes {gnn.training} {
  func.func @m.gradients() attributes {gnn.phase = "gradients"} {
    // expected-error@+1 {{--ranks: a rank has no weights with a row for each edge, graph or node of one type in training, and this is one}}
    %w = "intra.buffer"() {name = "w", space = "weight"} : () -> !intra.memory<"node:g:1", f32>
    return
  }
}
