// The verifier accepts every operation of the intra level, which prints and reads back.
// RUN: gnn-opt %s --verify-roundtrip | FileCheck %s
// RUN: gnn-opt --print-irdl -o %t.irdl.mlir && gnn-opt %s | mlir-opt --irdl-file=%t.irdl.mlir --canonicalize --cse | FileCheck %s

!graph = !gnn.graph<"g.replace">
!at_node = !inter.cursor<"node", "g">
!at_edge = !inter.cursor<"edge", "g.replace">
!at_entry = !inter.cursor<"nonzero", "g">
!x = !intra.memory<"node:g", tensor<8xf32>>
!y = !intra.memory<"node:g", tensor<4xf32>>
!w = !intra.memory<"one", tensor<8x4xf32>>
!a = !intra.memory<"edge:g.replace", f32>
!s = !intra.memory<"nonzero:g", tensor<8xf32>>

// CHECK-LABEL: func.func @gcn.bind
func.func @gcn.bind() attributes {gnn.phase = "bind"} {
  // CHECK: "intra.graph"() {set = "g.replace"}
  %g = "intra.graph"() {set = "g.replace"} : () -> !graph
  // CHECK: "intra.buffer"() {file = "graph", from = "edge_weight", name = "weight", space = "input"}
  %in = "intra.buffer"() {space = "input", name = "weight", from = "edge_weight", file = "graph"} : () -> !intra.memory<"edge:g", f32>
  // CHECK: "intra.buffer"() {name = "a", slot = 0 : i64, space = "bound"}
  %a = "intra.buffer"() {space = "bound", name = "a", slot = 0 : i64} : () -> !a
  %back = "intra.buffer"() {space = "bound", name = "back", slot = 2 : i64} : () -> !intra.memory<"edge:g", f32>
  %t = "intra.buffer"() {space = "weight", name = "t", count = 3 : i64} : () -> !intra.memory<"etype", f32>
  %w = "intra.buffer"() {space = "weight", name = "w"} : () -> !w
  %wb = "intra.buffer"() {space = "bound", name = "w", slot = 1 : i64} : () -> !w
  // CHECK: "intra.call"() {base = "g", callee = "edge_set", mode = "replace", set = "g.replace", used_by = "run"}
  "intra.call"() {callee = "edge_set", set = "g.replace", base = "g", mode = "replace", used_by = "run"} : () -> ()
  "intra.call"() {callee = "adjacency", set = "g.replace", form = "csc"} : () -> ()
  "intra.call"() {callee = "types", set = "g.replace", form = "edge"} : () -> ()
  // CHECK: "intra.extend_edges"({{.*}}) {fill = 1.000000e+00 : f64}
  "intra.extend_edges"(%in, %a) {fill = 1.0 : f64} : (!intra.memory<"edge:g", f32>, !a) -> ()
  // CHECK: "intra.restrict_edges"({{.*}}) : (!intra.memory<"edge:g.replace", f32>, !intra.memory<"edge:g", f32>)
  "intra.restrict_edges"(%a, %back) : (!a, !intra.memory<"edge:g", f32>) -> ()
  // CHECK: "intra.opposite_edges"
  "intra.opposite_edges"(%a, %a) : (!a, !a) -> ()
  // CHECK: "intra.copy"
  "intra.copy"(%w, %wb) : (!w, !w) -> ()
  // CHECK: "intra.traverse"({{.*}}) ({
  "intra.traverse"(%g) ({
  ^bb0(%e: !at_edge):
    // CHECK: "intra.load"
    %1 = "intra.load"(%a, %e) : (!a, !at_edge) -> f32
    %2 = "intra.load"(%t, %e) : (!intra.memory<"etype", f32>, !at_edge) -> f32
    %3 = "gnn.multiply"(%1, %2) : (f32, f32) -> f32
    // CHECK: "intra.store"
    "intra.store"(%3, %a, %e) : (f32, !a, !at_edge) -> ()
    smt.yield
    // CHECK: {domain = "edge"}
  }) {domain = "edge"} : (!graph) -> ()
  return
}

// CHECK-LABEL: func.func @gcn.run
func.func @gcn.run() attributes {gnn.phase = "run", gnn.workspace_slots = ["node:g x 4"]} {
  %g = "intra.graph"() {set = "g.replace"} : () -> !graph
  %x = "intra.buffer"() {space = "input", name = "x"} : () -> !x
  %s = "intra.buffer"() {space = "input", name = "s"} : () -> !s
  %y = "intra.buffer"() {space = "output", name = "y"} : () -> !y
  %z = "intra.buffer"() {space = "workspace", name = "z", slot = 0 : i64} : () -> !y
  %w = "intra.buffer"() {space = "bound", name = "w", slot = 1 : i64} : () -> !w
  %b = "intra.buffer"() {space = "bound", name = "b", slot = -1 : i64} : () -> !intra.memory<"one", tensor<4xf32>>
  // CHECK: "intra.gemm"({{.*}}) ({
  // CHECK-NEXT: ^bb0(%{{.*}}: !inter.cursor<"node", "g">, %{{.*}}: tensor<4xf32>):
  "intra.gemm"(%g, %x, %w) ({
  ^bb0(%n: !at_node, %p: tensor<4xf32>):
    %1 = "gnn.activation"(%p) {function = "relu"} : (tensor<4xf32>) -> tensor<4xf32>
    "intra.store"(%1, %z, %n) : (tensor<4xf32>, !y, !at_node) -> ()
    smt.yield
  }) : (!graph, !x, !w) -> ()
  // CHECK: "intra.traverse"() ({
  "intra.traverse"() ({
    %1 = "intra.load"(%b) : (!intra.memory<"one", tensor<4xf32>>) -> tensor<4xf32>
    %2 = "gnn.activation"(%1) {function = "negate"} : (tensor<4xf32>) -> tensor<4xf32>
    "intra.store"(%2, %b) : (tensor<4xf32>, !intra.memory<"one", tensor<4xf32>>) -> ()
    smt.yield
  }) {domain = "one"} : () -> ()
  "intra.traverse"(%g) ({
  ^bb0(%n: !at_node):
    // CHECK: "intra.nonzeros"
    %1 = "intra.nonzeros"(%s, %n) ({
    ^bb0(%k: !at_entry):
      // CHECK: "intra.load_row"
      %2 = "intra.load_row"(%w, %k) : (!w, !at_entry) -> tensor<4xf32>
      %3 = "intra.load"(%s, %k) : (!s, !at_entry) -> f32
      %4 = "gnn.multiply"(%3, %2) : (f32, tensor<4xf32>) -> tensor<4xf32>
      smt.yield %4 : tensor<4xf32>
    }) {reduce = ["sum"]} : (!s, !at_node) -> !inter.results
    %5 = "inter.result"(%1) {index = 0 : i64} : (!inter.results) -> tensor<4xf32>
    // CHECK: "intra.dense_row"
    %8 = "intra.dense_row"(%s, %n) : (!s, !at_node) -> tensor<8xf32>
    %6 = "intra.load"(%z, %n) : (!y, !at_node) -> tensor<4xf32>
    %7 = "gnn.vector_add"(%5, %6) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    "intra.store"(%7, %y, %n) : (tensor<4xf32>, !y, !at_node) -> ()
    smt.yield
  }) {domain = "node"} : (!graph) -> ()
  return
}

// Rows per type, per pair and per graph; a part as rows of all nodes.
// CHECK-LABEL: func.func @typed
func.func @typed() attributes {gnn.phase = "run"} {
  %g = "intra.graph"() {set = "g"} : () -> !gnn.graph<"g">
  %u = "intra.graph"() {set = "g.unique_src"} : () -> !gnn.graph<"g.unique_src">
  %x = "intra.buffer"() {space = "input", name = "x"} : () -> !x
  %w = "intra.buffer"() {space = "weight", name = "w", count = 3 : i64} : () -> !intra.memory<"etype", tensor<8x4xf32>>
  %b = "intra.buffer"() {space = "weight", name = "b", count = 3 : i64} : () -> !intra.memory<"etype", tensor<2x2x2xf32>>
  %h = "intra.buffer"() {space = "workspace", name = "h"} : () -> !intra.memory<"edge:g.unique_src", tensor<4xf32>>
  %m = "intra.buffer"() {space = "workspace", name = "m"} : () -> !intra.memory<"edge:g", tensor<2x2xf32>>
  %h2 = "intra.buffer"() {space = "workspace", name = "h2"} : () -> !intra.memory<"edge:g.unique_src", tensor<2x2xf32>>
  %part = "intra.buffer"() {space = "input", name = "part"} : () -> !intra.memory<"node:g:2", tensor<8xf32>>
  %all = "intra.buffer"() {space = "workspace", name = "all"} : () -> !x
  %k = "intra.buffer"() {space = "workspace", name = "k", count = 5 : i64} : () -> !intra.memory<"etype_src", tensor<8x4xf32>>
  // CHECK: gather = "src"
  "intra.gemm"(%u, %x, %w) ({
  ^bb0(%e: !inter.cursor<"edge", "g.unique_src">, %p: tensor<4xf32>):
    "intra.store"(%p, %h, %e) : (tensor<4xf32>, !intra.memory<"edge:g.unique_src", tensor<4xf32>>, !inter.cursor<"edge", "g.unique_src">) -> ()
    smt.yield
  }) {gather = "src"} : (!gnn.graph<"g.unique_src">, !x, !intra.memory<"etype", tensor<8x4xf32>>) -> ()
  // CHECK: batch
  "intra.gemm"(%g, %h2, %b) ({
  ^bb0(%e: !inter.cursor<"edge", "g">, %p: tensor<2x2xf32>):
    "intra.store"(%p, %m, %e) : (tensor<2x2xf32>, !intra.memory<"edge:g", tensor<2x2xf32>>, !inter.cursor<"edge", "g">) -> ()
    smt.yield
  }) {gather = "group_src", batch} : (!gnn.graph<"g">, !intra.memory<"edge:g.unique_src", tensor<2x2xf32>>, !intra.memory<"etype", tensor<2x2x2xf32>>) -> ()
  "intra.traverse"(%g) ({
  ^bb0(%n: !at_node):
    // CHECK: "intra.unite"
    %1 = "intra.unite"(%part, %n) : (!intra.memory<"node:g:2", tensor<8xf32>>, !at_node) -> tensor<8xf32>
    "intra.store"(%1, %all, %n) : (tensor<8xf32>, !x, !at_node) -> ()
    smt.yield
  }) {domain = "node"} : (!gnn.graph<"g">) -> ()
  // CHECK: domain = "etype_src"
  "intra.traverse"(%g) ({
  ^bb0(%t: !inter.cursor<"etype_src", "g">):
    %1 = "intra.load"(%w, %t) : (!intra.memory<"etype", tensor<8x4xf32>>, !inter.cursor<"etype_src", "g">) -> tensor<8x4xf32>
    "intra.store"(%1, %k, %t) : (tensor<8x4xf32>, !intra.memory<"etype_src", tensor<8x4xf32>>, !inter.cursor<"etype_src", "g">) -> ()
    smt.yield
  }) {domain = "etype_src", count = 5 : i64} : (!gnn.graph<"g">) -> ()
  return
}
// CHECK-LABEL: func.func @typed_bind
func.func @typed_bind() attributes {gnn.phase = "bind"} {
  "intra.call"() {callee = "unique", set = "g.unique_src", base = "g", used_by = "run"} : () -> ()
  "intra.call"() {callee = "segments", set = "g.unique_src", form = "edge", used_by = "run"} : () -> ()
  "intra.call"() {callee = "groups", set = "g.unique_src", base = "g", form = "pair", used_by = "run"} : () -> ()
  "intra.call"() {callee = "batch", set = "g", form = "members", used_by = "run"} : () -> ()
  // CHECK: callee = "parts"
  "intra.call"() {callee = "parts", set = "g", mode = "2", form = "place", used_by = "run"} : () -> ()
  return
}

// CHECK-LABEL: func.func @pieces
func.func @pieces() attributes {gnn.phase = "run"} {
  %p = "intra.buffer"() {space = "workspace", name = "p", count = 64 : i64} : () -> !intra.memory<"piece", tensor<4xf32>>
  %y = "intra.buffer"() {space = "workspace", name = "y"} : () -> !intra.memory<"one", tensor<4xf32>>
  "intra.traverse"() ({
    // CHECK: "intra.combine"
    %1 = "intra.combine"(%p) {reduce = "sum"} : (!intra.memory<"piece", tensor<4xf32>>) -> tensor<4xf32>
    "intra.store"(%1, %y) : (tensor<4xf32>, !intra.memory<"one", tensor<4xf32>>) -> ()
    smt.yield
  }) {domain = "one"} : () -> ()
  return
}

// CHECK-LABEL: func.func @groups
func.func @groups() attributes {gnn.phase = "run"} {
  %g = "intra.graph"() {set = "g"} : () -> !gnn.graph<"g">
  %x = "intra.buffer"() {space = "input", name = "x"} : () -> !intra.memory<"node:g", tensor<4xf32>>
  %w = "intra.buffer"() {space = "input", name = "w"} : () -> !intra.memory<"edge:g", f32>
  %o = "intra.buffer"() {space = "workspace", name = "o"} : () -> !intra.memory<"edge:g", f32>
  %y = "intra.buffer"() {space = "output", name = "y"} : () -> !intra.memory<"node:g", tensor<2x4xf32>>
  %q = "intra.buffer"() {space = "output", name = "q"} : () -> !intra.memory<"graph", tensor<4xf32>>
  // CHECK: "intra.order"
  "intra.order"(%g, %w, %o) {over = "in"} : (!gnn.graph<"g">, !intra.memory<"edge:g", f32>, !intra.memory<"edge:g", f32>) -> ()
  // CHECK: "intra.first"
  "intra.first"(%g, %x, %y, %o) {count = 2 : i64, over = "in"} : (!gnn.graph<"g">, !intra.memory<"node:g", tensor<4xf32>>, !intra.memory<"node:g", tensor<2x4xf32>>, !intra.memory<"edge:g", f32>) -> ()
  // CHECK: "intra.quantile"
  "intra.quantile"(%g, %x, %q) {q = 0.25 : f64, interpolation = "linear", over = "graph"} : (!gnn.graph<"g">, !intra.memory<"node:g", tensor<4xf32>>, !intra.memory<"graph", tensor<4xf32>>) -> ()
  return
}

// Edges that depend on values are made among the kernels of run.
// CHECK-LABEL: func.func @run_graphs
func.func @run_graphs() attributes {gnn.phase = "run"} {
  %x = "intra.buffer"() {space = "workspace", name = "x"} : () -> !intra.memory<"node:g", tensor<3xf32>>
  %s = "intra.buffer"() {space = "workspace", name = "s"} : () -> !intra.memory<"node:g", f32>
  %m = "intra.buffer"() {space = "workspace", name = "m"} : () -> !intra.memory<"node:g", f32>
  // CHECK: "intra.make_edges"{{.*}}by = "near"
  "intra.make_edges"(%x) {by = "near", set = "g.knn_0", base = "g", most = 8 : i64, operandSegmentSizes = array<i32: 1, 0>} : (!intra.memory<"node:g", tensor<3xf32>>) -> ()
  // CHECK: "intra.make_edges"(%{{.*}}, %{{.*}}) {{.*}}by = "near"
  "intra.make_edges"(%x, %s) {by = "near", set = "g.knn_2", base = "g", most = 8 : i64, operandSegmentSizes = array<i32: 1, 1>} : (!intra.memory<"node:g", tensor<3xf32>>, !intra.memory<"node:g", f32>) -> ()
  // CHECK: "intra.make_edges"(){{.*}}by = "self_loops"
  "intra.make_edges"() {by = "self_loops", set = "g.knn_0.replace", base = "g.knn_0", mode = "replace", operandSegmentSizes = array<i32: 0, 0>} : () -> ()
  // CHECK: "intra.top_nodes"
  "intra.top_nodes"(%s, %m) {ratio = 5.0e-01 : f64} : (!intra.memory<"node:g", f32>, !intra.memory<"node:g", f32>) -> ()
  "intra.make_edges"(%m) {by = "induced", set = "g.induced_1", base = "g", operandSegmentSizes = array<i32: 1, 0>} : (!intra.memory<"node:g", f32>) -> ()
  return
}

// Sums over rows: of nodes, of edges whose operands are read at an end, and for each type.
// CHECK-LABEL: func.func @contract
func.func @contract() attributes {gnn.phase = "run"} {
  %g = "intra.graph"() {set = "g"} : () -> !gnn.graph<"g">
  %x = "intra.buffer"() {space = "input", name = "x"} : () -> !intra.memory<"node:g", tensor<8xf32>>
  %s = "intra.buffer"() {space = "input", name = "s"} : () -> !intra.memory<"nonzero:g", tensor<40xf32>>
  %e = "intra.buffer"() {space = "input", name = "e"} : () -> !intra.memory<"edge:g", tensor<3xf32>>
  %u = "intra.buffer"() {space = "workspace", name = "u"} : () -> !intra.memory<"edge:g.unique_src", tensor<8xf32>>
  %w = "intra.buffer"() {space = "output", name = "w"} : () -> !intra.memory<"one", tensor<40x8xf32>>
  %t = "intra.buffer"() {space = "workspace", name = "t", count = 4 : i64} : () -> !intra.memory<"etype", tensor<8x3xf32>>
  %b = "intra.buffer"() {space = "output", name = "b"} : () -> !intra.memory<"one", tensor<8xf32>>
  // CHECK: "intra.contract"
  "intra.contract"(%g, %s, %x, %w) : (!gnn.graph<"g">, !intra.memory<"nonzero:g", tensor<40xf32>>, !intra.memory<"node:g", tensor<8xf32>>, !intra.memory<"one", tensor<40x8xf32>>) -> ()
  // CHECK: "intra.contract"({{.*}}) {gather_a = "src"}
  "intra.contract"(%g, %x, %e, %t) {gather_a = "src"} : (!gnn.graph<"g">, !intra.memory<"node:g", tensor<8xf32>>, !intra.memory<"edge:g", tensor<3xf32>>, !intra.memory<"etype", tensor<8x3xf32>>) -> ()
  // CHECK: "intra.contract"({{.*}}) {gather_a = "group_src"}
  "intra.contract"(%g, %u, %e, %t) {gather_a = "group_src"} : (!gnn.graph<"g">, !intra.memory<"edge:g.unique_src", tensor<8xf32>>, !intra.memory<"edge:g", tensor<3xf32>>, !intra.memory<"etype", tensor<8x3xf32>>) -> ()
  // CHECK: "intra.contract"({{.*}}) {gather_b = "dst"}
  "intra.contract"(%g, %x, %b) {gather_b = "dst"} : (!gnn.graph<"g">, !intra.memory<"node:g", tensor<8xf32>>, !intra.memory<"one", tensor<8xf32>>) -> ()
  return
}

// Sums of the rows with each index, which are read at an end of the edge or at the edge itself.
// CHECK-LABEL: func.func @sum_by
func.func @sum_by() attributes {gnn.phase = "run"} {
  %g = "intra.graph"() {set = "g"} : () -> !gnn.graph<"g">
  %x = "intra.buffer"() {space = "input", name = "x"} : () -> !intra.memory<"node:g", tensor<8xf32>>
  %z = "intra.buffer"() {space = "input", name = "z"} : () -> !intra.memory<"node:g", i32>
  %d = "intra.buffer"() {space = "workspace", name = "d"} : () -> !intra.memory<"edge:g", f32>
  %w = "intra.buffer"() {space = "output", name = "w"} : () -> !intra.memory<"one", tensor<9x8xf32>>
  // CHECK: "intra.sum_by"({{.*}}) {high = 7 : i64}
  "intra.sum_by"(%g, %x, %z, %w) {high = 7 : i64} : (!gnn.graph<"g">, !intra.memory<"node:g", tensor<8xf32>>, !intra.memory<"node:g", i32>, !intra.memory<"one", tensor<9x8xf32>>) -> ()
  // CHECK: "intra.sum_by"({{.*}}) {gather_value = "dst"}
  "intra.sum_by"(%g, %x, %d, %w) {gather_value = "dst"} : (!gnn.graph<"g">, !intra.memory<"node:g", tensor<8xf32>>, !intra.memory<"edge:g", f32>, !intra.memory<"one", tensor<9x8xf32>>) -> ()
  // CHECK: "intra.sum_by"({{.*}}) {gather_index = "src", gather_value = "dst"}
  "intra.sum_by"(%g, %x, %z, %w) {gather_value = "dst", gather_index = "src"} : (!gnn.graph<"g">, !intra.memory<"node:g", tensor<8xf32>>, !intra.memory<"node:g", i32>, !intra.memory<"one", tensor<9x8xf32>>) -> ()
  return
}

// The first values of each node back at the edges into it.
// CHECK-LABEL: func.func @place_first
func.func @place_first() attributes {gnn.phase = "run"} {
  %g = "intra.graph"() {set = "g"} : () -> !gnn.graph<"g">
  %x = "intra.buffer"() {space = "input", name = "x"} : () -> !intra.memory<"node:g", tensor<3x8xf32>>
  %e = "intra.buffer"() {space = "workspace", name = "e"} : () -> !intra.memory<"edge:g", tensor<8xf32>>
  // CHECK: "intra.place_first"({{.*}}) {over = "in"}
  "intra.place_first"(%g, %x, %e) {over = "in"} : (!gnn.graph<"g">, !intra.memory<"node:g", tensor<3x8xf32>>, !intra.memory<"edge:g", tensor<8xf32>>) -> ()
  return
}

// CHECK-LABEL: func.func @ranks.run
func.func @ranks.run() attributes {gnn.phase = "run"} {
  %z = "intra.buffer"() {space = "workspace", name = "z", slot = 0 : i64} : () -> !x
  %p = "intra.buffer"() {space = "workspace", name = "p", slot = 1 : i64} : () -> !y
  // CHECK: "intra.exchange"({{.*}}, {{.*}}) {operandSegmentSizes = array<i32: 1, 1, 0, 0>, overlaps}
  "intra.exchange"(%z, %p) {operandSegmentSizes = array<i32: 1, 1, 0, 0>, overlaps} : (!x, !y) -> ()
  // CHECK: "intra.exchange"({{.*}}) {operandSegmentSizes = array<i32: 1, 0, 0, 0>}
  "intra.exchange"(%z) {operandSegmentSizes = array<i32: 1, 0, 0, 0>} : (!x) -> ()
  %c = "intra.buffer"() {space = "bound", name = "c", slot = 0 : i64} : () -> !intra.memory<"edge:g", f32>
  // CHECK: "intra.exchange_edges"({{.*}}) : (!intra.memory<"edge:g", f32>) -> ()
  "intra.exchange_edges"(%c) : (!intra.memory<"edge:g", f32>) -> ()
  %q = "intra.buffer"() {space = "workspace", name = "q", strips = 2 : i64} : () -> !intra.memory<"node:g", tensor<4xf32>>
  // CHECK: "intra.transpose"({{.*}}, {{.*}}) {to = "columns"}
  "intra.transpose"(%z, %q) {to = "columns"} : (!x, !intra.memory<"node:g", tensor<4xf32>>) -> ()
  %s = "intra.buffer"() {space = "workspace", name = "s", slot = 2 : i64, count = 64 : i64} : () -> !intra.memory<"piece", f32>
  // CHECK: "intra.share"({{.*}}) : (!intra.memory<"piece", f32>) -> ()
  "intra.share"(%s) : (!intra.memory<"piece", f32>) -> ()
  return
}
