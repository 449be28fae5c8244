// Our verifier reports wrong buffers, kernels and calls.
// RUN: gnn-opt %s --split-input-file --verify-diagnostics

func.func @buffers() {
  // expected-error@+1 {{rows 'row' are none of node:SET, edge:SET, nonzero:SET, etype, ntype, etype_src, etype_dst, graph and one}}
  %0 = "intra.buffer"() {space = "bound", name = "a"} : () -> !intra.memory<"row", f32>
  // expected-error@+1 {{rows 'node:' are none of}}
  %1 = "intra.buffer"() {space = "bound", name = "a"} : () -> !intra.memory<"node:", f32>
  // expected-error@+1 {{a slot cannot be -2}}
  %2 = "intra.buffer"() {space = "bound", name = "a", slot = -2 : i64} : () -> !intra.memory<"one", f32>
  // expected-error@+1 {{a buffer of space 'input' is the user's memory: it has no slot}}
  %3 = "intra.buffer"() {space = "input", name = "a", slot = 2 : i64} : () -> !intra.memory<"one", f32>
  // expected-error@+1 {{'count' cannot be -3}}
  %4 = "intra.buffer"() {space = "weight", name = "a", count = -3 : i64} : () -> !intra.memory<"etype", f32>
  // expected-error@+1 {{'file' says where an input comes from, but this is a buffer of space 'output'}}
  %5 = "intra.buffer"() {space = "output", name = "a", file = "graph"} : () -> !intra.memory<"node:g", f32>
  // expected-error@+1 {{'space' cannot be "heap": it is input, weight, output, bound or workspace}}
  %6 = "intra.buffer"() {space = "heap", name = "a"} : () -> !intra.memory<"node:g", f32>
  return
}

// -----
func.func @graph() {
  // expected-error@+1 {{intra.graph gives a value of 'g', but the type written here is of 'h'}}
  %0 = "intra.graph"() {set = "g"} : () -> !gnn.graph<"h">
  return
}

// -----
func.func @calls() {
  // expected-error@+1 {{edge_set needs 'base' and 'mode'}}
  "intra.call"() {callee = "edge_set", set = "g.replace"} : () -> ()
  // expected-error@+1 {{adjacency needs 'form': csc, csr or coo}}
  "intra.call"() {callee = "adjacency", set = "g"} : () -> ()
  // expected-error@+1 {{adjacency needs 'form': csc, csr or coo}}
  "intra.call"() {callee = "adjacency", set = "g", form = "node"} : () -> ()
  // expected-error@+1 {{types needs 'form': edge, node, etype_src or etype_dst}}
  "intra.call"() {callee = "types", set = "g", form = "csr"} : () -> ()
  return
}

// -----
!x = !intra.memory<"node:g", tensor<8xf32>>
!e = !intra.memory<"edge:g", tensor<8xf32>>
!w = !intra.memory<"one", tensor<8x4xf32>>
func.func @gemm(%g: !gnn.graph<"g">, %h: !gnn.graph<"h">, %x: !x, %e: !e, %w: !w, %t: !intra.memory<"etype", tensor<8x4xf32>>) {
  // expected-error@+1 {{buffer 'a' has rows 'one', but a gemm runs over nodes, edges or graphs}}
  "intra.gemm"(%g, %w, %w) ({
    smt.yield
  }) : (!gnn.graph<"g">, !w, !w) -> ()
  // expected-error@+1 {{buffer 'a' has rows 'node:g', but graph 'graph' has the nodes of 'h'}}
  "intra.gemm"(%h, %x, %w) ({
    smt.yield
  }) : (!gnn.graph<"h">, !x, !w) -> ()
  // expected-error@+1 {{buffer 'a' has rows 'edge:g', but graph 'graph' has the edges of 'h'}}
  "intra.gemm"(%h, %e, %w) ({
    smt.yield
  }) : (!gnn.graph<"h">, !e, !w) -> ()
  // expected-error@+1 {{buffer 'b' has rows 'etype', which a node of 'g' does not select}}
  "intra.gemm"(%g, %x, %t) ({
    smt.yield
  }) : (!gnn.graph<"g">, !x, !intra.memory<"etype", tensor<8x4xf32>>) -> ()
  // expected-error@+1 {{'a' is f32[8] and 'b' is f32[8, 4], transposed; a product takes [..., K] @ [K, N]}}
  "intra.gemm"(%g, %x, %w) ({
    smt.yield
  }) {transposed} : (!gnn.graph<"g">, !x, !w) -> ()
  // expected-error@+1 {{the body takes 2 arguments, not 0}}
  "intra.gemm"(%g, %x, %w) ({
    smt.yield
  }) : (!gnn.graph<"g">, !x, !w) -> ()
  // expected-error@+1 {{argument 1 of the body must be tensor<4xf32>}}
  "intra.gemm"(%g, %x, %w) ({
  ^bb0(%n: !inter.cursor<"node", "g">, %p: tensor<8xf32>):
    smt.yield
  }) : (!gnn.graph<"g">, !x, !w) -> ()
  // expected-error@+1 {{the body stores what it computes and yields nothing}}
  "intra.gemm"(%g, %x, %w) ({
  ^bb0(%n: !inter.cursor<"node", "g">, %p: tensor<4xf32>):
    smt.yield %p : tensor<4xf32>
  }) : (!gnn.graph<"g">, !x, !w) -> ()
  return
}

// -----
func.func @traversals(%g: !gnn.graph<"g">) {
  // expected-error@+1 {{a traversal of nodes needs a graph}}
  "intra.traverse"() ({
    smt.yield
  }) {domain = "node"} : () -> ()
  // expected-error@+1 {{a traversal of one runs over no graph}}
  "intra.traverse"(%g) ({
    smt.yield
  }) {domain = "one"} : (!gnn.graph<"g">) -> ()
  // expected-error@+1 {{argument 0 of the body must be !inter.cursor<"edge", "g">}}
  "intra.traverse"(%g) ({
  ^bb0(%n: !inter.cursor<"node", "g">):
    smt.yield
  }) {domain = "edge"} : (!gnn.graph<"g">) -> ()
  return
}

// -----
!one = !intra.memory<"one", f32>
!node = !intra.memory<"node:g", f32>
!csr = !intra.memory<"nonzero:g", tensor<8xf32>>
!at = !inter.cursor<"node", "g">
func.func @bodies(%g: !gnn.graph<"g">, %c: !at, %d: !inter.cursor<"node", "h">) {
  %x = "intra.buffer"() {space = "input", name = "x"} : () -> !node
  %y = "intra.buffer"() {space = "output", name = "y"} : () -> !node
  %z = "intra.buffer"() {space = "workspace", name = "z"} : () -> !node
  %o = "intra.buffer"() {space = "bound", name = "o"} : () -> !one
  %w = "intra.buffer"() {space = "weight", name = "w"} : () -> !one
  %s = "intra.buffer"() {space = "input", name = "s"} : () -> !csr
  %v = "gnn.constant"() {value = 1.0 : f64} : () -> f32
  %t = "gnn.reshape"(%v) {shape = array<i64: 1>} : (f32) -> tensor<1xf32>
  "intra.traverse"(%g) ({
  ^bb0(%n: !at):
    // expected-error@+1 {{buffer 'buffer' has rows 'node:g': a cursor must select one}}
    %1 = "intra.load"(%x) : (!node) -> f32
    // expected-error@+1 {{buffer 'buffer' has one row: no cursor selects it}}
    %2 = "intra.load"(%o, %n) : (!one, !at) -> f32
    // expected-error@+1 {{buffer 'buffer' has rows 'nonzero:g', but the cursor is at a node of 'g'}}
    %3 = "intra.load"(%s, %n) : (!csr, !at) -> f32
    // expected-error@+1 {{buffer 'buffer' is an output: it is never read}}
    %4 = "intra.load"(%y, %n) : (!node, !at) -> f32
    // expected-error@+1 {{buffer 'buffer' has rows 'node:g', but a row is read from rows 'one'}}
    %5 = "intra.load_row"(%x, %n) : (!node, !at) -> f32
    // expected-error@+1 {{'cursor' is a cursor at a node, but this takes a cursor at a nonzero}}
    %6 = "intra.load_row"(%o, %n) : (!one, !at) -> f32
    // expected-error@+1 {{buffer 'buffer' has rows 'node:g', but stored entries are in rows 'nonzero:...'}}
    %7 = "intra.nonzeros"(%x, %n) ({
      smt.yield
    }) {reduce = []} : (!node, !at) -> !inter.results
    // expected-error@+1 {{buffer 'buffer' has rows 'nonzero:g', but the cursor is at a node of 'h'}}
    %8 = "intra.dense_row"(%s, %d) : (!csr, !inter.cursor<"node", "h">) -> tensor<8xf32>
    // expected-error@+1 {{'value' is f32[1], but buffer 'buffer' holds f32}}
    "intra.store"(%t, %z, %n) : (tensor<1xf32>, !node, !at) -> ()
    // expected-error@+1 {{buffer 'buffer' is an input of the user: it is never written}}
    "intra.store"(%v, %x, %n) : (f32, !node, !at) -> ()
    // expected-error@+1 {{buffer 'buffer' is an array of weights of the user: it is never written}}
    "intra.store"(%v, %w) : (f32, !one) -> ()
    // expected-error@+1 {{a kernel stores only at its own cursor}}
    "intra.store"(%v, %o) : (f32, !one) -> ()
    // expected-error@+1 {{a kernel stores only at its own cursor}}
    "intra.store"(%v, %z, %c) : (f32, !node, !at) -> ()
    smt.yield
  }) {domain = "node"} : (!gnn.graph<"g">) -> ()
  // expected-error@+1 {{a store stands directly in the body of intra.gemm or intra.traverse}}
  "intra.store"(%v, %o) : (f32, !one) -> ()
  // expected-error@+1 {{buffers 'from' and 'to' differ in rows or payload}}
  "intra.copy"(%o, %y) : (!one, !node) -> ()
  // expected-error@+1 {{buffer 'from' is an output: it is never read}}
  "intra.copy"(%y, %z) : (!node, !node) -> ()
  return
}

// -----
!base = !intra.memory<"edge:g", f32>
func.func @extend(%a: !base, %b: !intra.memory<"edge:h.replace", f32>, %c: !intra.memory<"edge:g.replace", tensor<2xf32>>) {
  // expected-error@+1 {{rows 'edge:h.replace' do not extend rows 'edge:g'}}
  "intra.extend_edges"(%a, %b) {fill = 1.0 : f64} : (!base, !intra.memory<"edge:h.replace", f32>) -> ()
  // expected-error@+1 {{rows 'edge:h.replace' do not extend rows 'edge:g'}}
  "intra.restrict_edges"(%b, %a) : (!intra.memory<"edge:h.replace", f32>, !base) -> ()
  // expected-error@+1 {{buffers 'from' and 'to' differ in payload}}
  "intra.restrict_edges"(%c, %a) : (!intra.memory<"edge:g.replace", tensor<2xf32>>, !base) -> ()
  // expected-error@+1 {{buffers 'from' and 'to' differ in payload}}
  "intra.extend_edges"(%a, %c) {fill = 1.0 : f64} : (!base, !intra.memory<"edge:g.replace", tensor<2xf32>>) -> ()
  return
}

// -----
func.func @plain_operations(%x: tensor<8xf32>, %w: tensor<8x8xf32>) {
  "intra.traverse"() ({
    // expected-error@+1 {{gnn.row_normalize does not occur in a kernel: it is lowered to what it consists of}}
    %0 = "gnn.row_normalize"(%x) : (tensor<8xf32>) -> tensor<8xf32>
    // expected-error@+1 {{in a kernel gnn.activation alone applies an activation}}
    %1 = "gnn.vector_add"(%x, %x) {activation = "relu"} : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    // expected-error@+1 {{in a kernel a product is not added to: gnn.vector_add does that}}
    %2 = "gnn.linear"(%x, %w, %x) {operandSegmentSizes = array<i32: 1, 1, 0, 1>} : (tensor<8xf32>, tensor<8x8xf32>, tensor<8xf32>) -> tensor<8xf32>
    smt.yield
  }) {domain = "one"} : () -> ()
  return
}

// -----

func.func @typed() {
  %g = "intra.graph"() {set = "g"} : () -> !gnn.graph<"g">
  %u = "intra.graph"() {set = "g.unique_src"} : () -> !gnn.graph<"g.unique_src">
  %x = "intra.buffer"() {space = "input", name = "x"} : () -> !intra.memory<"node:g", tensor<8xf32>>
  %h = "intra.buffer"() {space = "workspace", name = "h"} : () -> !intra.memory<"edge:g.unique_src", tensor<8xf32>>
  %w = "intra.buffer"() {space = "weight", name = "w", count = 3 : i64} : () -> !intra.memory<"etype_dst", tensor<8x4xf32>>
  // expected-error@+1 {{the edges of 'g.unique_src' have no dst}}
  "intra.gemm"(%u, %x, %w) ({
  ^bb0(%e: !inter.cursor<"edge", "g.unique_src">, %p: tensor<4xf32>):
    smt.yield
  }) {gather = "dst"} : (!gnn.graph<"g.unique_src">, !intra.memory<"node:g", tensor<8xf32>>, !intra.memory<"etype_dst", tensor<8x4xf32>>) -> ()
  // expected-error@+1 {{buffer 'b' has rows 'etype_dst', which an edge of 'g.unique_src' does not select}}
  "intra.gemm"(%u, %x, %w) ({
  ^bb0(%e: !inter.cursor<"edge", "g.unique_src">, %p: tensor<4xf32>):
    smt.yield
  }) {gather = "src"} : (!gnn.graph<"g.unique_src">, !intra.memory<"node:g", tensor<8xf32>>, !intra.memory<"etype_dst", tensor<8x4xf32>>) -> ()
  // expected-error@+1 {{but graph 'graph' has the pairs of 'g.unique_dst'}}
  "intra.gemm"(%g, %h, %w) ({
  ^bb0(%e: !inter.cursor<"edge", "g">, %p: tensor<4xf32>):
    smt.yield
  }) {gather = "group_dst"} : (!gnn.graph<"g">, !intra.memory<"edge:g.unique_src", tensor<8xf32>>, !intra.memory<"etype_dst", tensor<8x4xf32>>) -> ()
  // expected-error@+1 {{batch needs 'form': graph or members}}
  "intra.call"() {callee = "batch", set = "g", form = "pair"} : () -> ()
  // expected-error@+1 {{groups needs 'set', a set of unique edges, and 'base', what that is made from}}
  "intra.call"() {callee = "groups", set = "g", base = "g", form = "pair"} : () -> ()
  return
}

// -----
func.func @edges_of_run(%x: !intra.memory<"node:g", f32>) {
  // expected-error@+1 {{'g.replace' is no set that run makes from 'g'}}
  "intra.make_edges"() {by = "self_loops", set = "g.replace", base = "g", mode = "replace", operandSegmentSizes = array<i32: 0, 0>} : () -> ()
  // expected-error@+1 {{edges made by near need a value}}
  "intra.make_edges"() {by = "near", set = "g.knn_0", base = "g", most = 8 : i64, operandSegmentSizes = array<i32: 0, 0>} : () -> ()
  // expected-error@+1 {{edges made by self_loops depend on no value}}
  "intra.make_edges"(%x) {by = "self_loops", set = "g.knn_0.replace", base = "g.knn_0", mode = "replace", operandSegmentSizes = array<i32: 1, 0>} : (!intra.memory<"node:g", f32>) -> ()
  // expected-error@+1 {{near needs 'most'}}
  "intra.make_edges"(%x) {by = "near", set = "g.knn_0", base = "g", operandSegmentSizes = array<i32: 1, 0>} : (!intra.memory<"node:g", f32>) -> ()
  // expected-error@+1 {{edges made by induced are not from some nodes}}
  "intra.make_edges"(%x, %x) {by = "induced", set = "g.induced_0", base = "g", operandSegmentSizes = array<i32: 1, 1>} : (!intra.memory<"node:g", f32>, !intra.memory<"node:g", f32>) -> ()
  // expected-error@+1 {{self_loops needs 'mode'}}
  "intra.make_edges"() {by = "self_loops", set = "g.knn_0.replace", base = "g.knn_0", operandSegmentSizes = array<i32: 0, 0>} : () -> ()
  return
}

// -----
func.func @contract() {
  %g = "intra.graph"() {set = "g"} : () -> !gnn.graph<"g">
  %u = "intra.graph"() {set = "g.unique_src"} : () -> !gnn.graph<"g.unique_src">
  %x = "intra.buffer"() {space = "input", name = "x"} : () -> !intra.memory<"node:g", tensor<8xf32>>
  %e = "intra.buffer"() {space = "input", name = "e"} : () -> !intra.memory<"edge:g", tensor<8xf32>>
  %l = "intra.buffer"() {space = "input", name = "l"} : () -> !intra.memory<"edge:g.replace", tensor<8xf32>>
  %p = "intra.buffer"() {space = "workspace", name = "p"} : () -> !intra.memory<"edge:g.unique_src", tensor<8xf32>>
  %w = "intra.buffer"() {space = "output", name = "w"} : () -> !intra.memory<"one", tensor<8x8xf32>>
  %n = "intra.buffer"() {space = "workspace", name = "n", count = 2 : i64} : () -> !intra.memory<"ntype", tensor<8x8xf32>>
  %k = "intra.buffer"() {space = "workspace", name = "k", count = 2 : i64} : () -> !intra.memory<"etype_dst", tensor<8x8xf32>>
  // expected-error@+1 {{buffer 'a' has rows 'node:g', but 'edge:g' are added up}}
  "intra.contract"(%g, %x, %e, %w) : (!gnn.graph<"g">, !intra.memory<"node:g", tensor<8xf32>>, !intra.memory<"edge:g", tensor<8xf32>>, !intra.memory<"one", tensor<8x8xf32>>) -> ()
  // expected-error@+1 {{buffer 'a' has rows 'edge:g', but 'edge:g.unique_dst' are added up}}
  "intra.contract"(%g, %e, %e, %w) {gather_a = "group_dst"} : (!gnn.graph<"g">, !intra.memory<"edge:g", tensor<8xf32>>, !intra.memory<"edge:g", tensor<8xf32>>, !intra.memory<"one", tensor<8x8xf32>>) -> ()
  // expected-error@+1 {{buffer 'b' has rows 'edge:g.replace', which are not those of graph 'g'}}
  "intra.contract"(%g, %l, %l, %w) : (!gnn.graph<"g">, !intra.memory<"edge:g.replace", tensor<8xf32>>, !intra.memory<"edge:g.replace", tensor<8xf32>>, !intra.memory<"one", tensor<8x8xf32>>) -> ()
  // expected-error@+1 {{the edges of 'g.unique_src' have no dst}}
  "intra.contract"(%u, %x, %p, %w) {gather_a = "dst"} : (!gnn.graph<"g.unique_src">, !intra.memory<"node:g", tensor<8xf32>>, !intra.memory<"edge:g.unique_src", tensor<8xf32>>, !intra.memory<"one", tensor<8x8xf32>>) -> ()
  // expected-error@+1 {{buffer 'to' has rows 'ntype', of which rows 'ntype' have none}}
  "intra.contract"(%g, %n, %n) : (!gnn.graph<"g">, !intra.memory<"ntype", tensor<8x8xf32>>, !intra.memory<"ntype", tensor<8x8xf32>>) -> ()
  // expected-error@+1 {{buffer 'to' has rows 'ntype', of which rows 'edge:g' have none}}
  "intra.contract"(%g, %e, %e, %n) : (!gnn.graph<"g">, !intra.memory<"edge:g", tensor<8xf32>>, !intra.memory<"edge:g", tensor<8xf32>>, !intra.memory<"ntype", tensor<8x8xf32>>) -> ()
  // expected-error@+1 {{buffer 'to' has rows 'etype_dst', of which rows 'edge:g.unique_src' have none}}
  "intra.contract"(%u, %p, %p, %k) : (!gnn.graph<"g.unique_src">, !intra.memory<"edge:g.unique_src", tensor<8xf32>>, !intra.memory<"edge:g.unique_src", tensor<8xf32>>, !intra.memory<"etype_dst", tensor<8x8xf32>>) -> ()
  // expected-error@+1 {{rows of f32[8] do not add up to f32[8, 8]}}
  "intra.contract"(%g, %e, %w) : (!gnn.graph<"g">, !intra.memory<"edge:g", tensor<8xf32>>, !intra.memory<"one", tensor<8x8xf32>>) -> ()
  // expected-error@+1 {{buffer 'b' is an output: it is never read}}
  "intra.contract"(%g, %w, %w) : (!gnn.graph<"g">, !intra.memory<"one", tensor<8x8xf32>>, !intra.memory<"one", tensor<8x8xf32>>) -> ()
  // expected-error@+1 {{buffer 'to' is an input of the user: it is never written}}
  "intra.contract"(%g, %e, %e) : (!gnn.graph<"g">, !intra.memory<"edge:g", tensor<8xf32>>, !intra.memory<"edge:g", tensor<8xf32>>) -> ()
  return
}

// -----
func.func @sum_by() {
  %g = "intra.graph"() {set = "g"} : () -> !gnn.graph<"g">
  %x = "intra.buffer"() {space = "input", name = "x"} : () -> !intra.memory<"node:g", tensor<8xf32>>
  %s = "intra.buffer"() {space = "input", name = "s"} : () -> !intra.memory<"nonzero:g", tensor<8xf32>>
  %e = "intra.buffer"() {space = "input", name = "e"} : () -> !intra.memory<"edge:g", tensor<8xf32>>
  %i = "intra.buffer"() {space = "input", name = "i"} : () -> !intra.memory<"edge:g", i32>
  %z = "intra.buffer"() {space = "input", name = "z"} : () -> !intra.memory<"node:g", i32>
  %w = "intra.buffer"() {space = "output", name = "w"} : () -> !intra.memory<"one", tensor<9x8xf32>>
  %v = "intra.buffer"() {space = "output", name = "v"} : () -> !intra.memory<"one", tensor<9x4xf32>>
  %n = "intra.buffer"() {space = "workspace", name = "n", count = 2 : i64} : () -> !intra.memory<"ntype", tensor<9x8xf32>>
  // expected-error@+1 {{buffer 'value' has rows 'node:g', but 'edge:g' are added up}}
  "intra.sum_by"(%g, %x, %i, %w) : (!gnn.graph<"g">, !intra.memory<"node:g", tensor<8xf32>>, !intra.memory<"edge:g", i32>, !intra.memory<"one", tensor<9x8xf32>>) -> ()
  // expected-error@+1 {{buffer 'value' has rows 'nonzero:g', but 'node:g' are added up}}
  "intra.sum_by"(%g, %s, %z, %w) : (!gnn.graph<"g">, !intra.memory<"nonzero:g", tensor<8xf32>>, !intra.memory<"node:g", i32>, !intra.memory<"one", tensor<9x8xf32>>) -> ()
  // expected-error@+1 {{buffer 'to' has no room for sums of rows of 'value'}}
  "intra.sum_by"(%g, %x, %z, %v) : (!gnn.graph<"g">, !intra.memory<"node:g", tensor<8xf32>>, !intra.memory<"node:g", i32>, !intra.memory<"one", tensor<9x4xf32>>) -> ()
  // expected-error@+1 {{buffer 'to' has no room for sums of rows of 'value'}}
  "intra.sum_by"(%g, %x, %z, %n) : (!gnn.graph<"g">, !intra.memory<"node:g", tensor<8xf32>>, !intra.memory<"node:g", i32>, !intra.memory<"ntype", tensor<9x8xf32>>) -> ()
  // expected-error@+1 {{buffer 'times' has rows 'edge:g', but 'node:g' are added up}}
  "intra.sum_by"(%g, %x, %z, %w, %e) : (!gnn.graph<"g">, !intra.memory<"node:g", tensor<8xf32>>, !intra.memory<"node:g", i32>, !intra.memory<"one", tensor<9x8xf32>>, !intra.memory<"edge:g", tensor<8xf32>>) -> ()
  // expected-error@+1 {{buffer 'to' has no room for sums of rows of 'value'}}
  "intra.sum_by"(%g, %x, %z, %w, %x) : (!gnn.graph<"g">, !intra.memory<"node:g", tensor<8xf32>>, !intra.memory<"node:g", i32>, !intra.memory<"one", tensor<9x8xf32>>, !intra.memory<"node:g", tensor<8xf32>>) -> ()
  // expected-error@+1 {{gnn.convert makes f32 of integers}}
  "intra.sum_by"(%g, %z, %z, %w) : (!gnn.graph<"g">, !intra.memory<"node:g", i32>, !intra.memory<"node:g", i32>, !intra.memory<"one", tensor<9x8xf32>>) -> ()
  return
}

// -----
func.func @place_first() {
  %g = "intra.graph"() {set = "g"} : () -> !gnn.graph<"g">
  %x = "intra.buffer"() {space = "input", name = "x"} : () -> !intra.memory<"node:g", tensor<3x8xf32>>
  %e = "intra.buffer"() {space = "workspace", name = "e"} : () -> !intra.memory<"edge:g", tensor<8xf32>>
  %w = "intra.buffer"() {space = "workspace", name = "w"} : () -> !intra.memory<"edge:g", tensor<4xf32>>
  %n = "intra.buffer"() {space = "workspace", name = "n"} : () -> !intra.memory<"node:g", tensor<8xf32>>
  // expected-error@+1 {{buffer 'to' has rows 'node:g', which are not the members of groups of 'g'}}
  "intra.place_first"(%g, %x, %n) {over = "in"} : (!gnn.graph<"g">, !intra.memory<"node:g", tensor<3x8xf32>>, !intra.memory<"node:g", tensor<8xf32>>) -> ()
  // expected-error@+1 {{buffer 'value' has rows 'node:g', which are not the groups of 'g'}}
  "intra.place_first"(%g, %x, %n) {over = "graph"} : (!gnn.graph<"g">, !intra.memory<"node:g", tensor<3x8xf32>>, !intra.memory<"node:g", tensor<8xf32>>) -> ()
  // expected-error@+1 {{buffers 'value' and 'to' differ in payload}}
  "intra.place_first"(%g, %x, %w) {over = "in"} : (!gnn.graph<"g">, !intra.memory<"node:g", tensor<3x8xf32>>, !intra.memory<"edge:g", tensor<4xf32>>) -> ()
  return
}

// -----
func.func @format() {
  %g = "intra.graph"() {set = "g"} : () -> !gnn.graph<"g">
  // expected-error@+1 {{a buffer of space 'input' has numbers of f32, not of bf16}}
  %x = "intra.buffer"() {space = "input", name = "x", format = "bf16"} : () -> !intra.memory<"node:g", tensor<8xf32>>
  // expected-error@+1 {{integers have no format}}
  %z = "intra.buffer"() {space = "workspace", name = "z", format = "bf16"} : () -> !intra.memory<"node:g", i32>
  // expected-error@+1 {{rows of one number have f32, not bf16}}
  %s = "intra.buffer"() {space = "workspace", name = "s", format = "bf16"} : () -> !intra.memory<"node:g", f32>
  // expected-error@+1 {{numbers of bf16 are for loads, stores, unite, exchanges, and A of products alone}}
  %n = "intra.buffer"() {space = "workspace", name = "n", format = "bf16"} : () -> !intra.memory<"node:g", tensor<8xf32>>
  %m = "intra.buffer"() {space = "workspace", name = "m"} : () -> !intra.memory<"node:g", tensor<8xf32>>
  "intra.copy"(%n, %m) : (!intra.memory<"node:g", tensor<8xf32>>, !intra.memory<"node:g", tensor<8xf32>>) -> ()
  return
}

// -----
func.func @exchange_edges() {
  %n = "intra.buffer"() {space = "workspace", name = "n"} : () -> !intra.memory<"node:g", f32>
  %l = "intra.buffer"() {space = "workspace", name = "l"} : () -> !intra.memory<"edge:g.add_remaining", f32>
  %i = "intra.buffer"() {space = "input", name = "i"} : () -> !intra.memory<"edge:g", f32>
  %o = "intra.buffer"() {space = "output", name = "o"} : () -> !intra.memory<"edge:g", f32>
  // expected-error@+1 {{buffer 'buffer' has rows 'node:g': ranks exchange those of edges of the caller's graph}}
  "intra.exchange_edges"(%n) : (!intra.memory<"node:g", f32>) -> ()
  // expected-error@+1 {{buffer 'buffer' has rows 'edge:g.add_remaining': ranks exchange those of edges of the caller's graph}}
  "intra.exchange_edges"(%l) : (!intra.memory<"edge:g.add_remaining", f32>) -> ()
  // expected-error@+1 {{buffer 'buffer' is an input of the user: it is never written}}
  "intra.exchange_edges"(%i) : (!intra.memory<"edge:g", f32>) -> ()
  // expected-error@+1 {{buffer 'buffer' is an output: it is never read}}
  "intra.exchange_edges"(%o) : (!intra.memory<"edge:g", f32>) -> ()
  return
}
