// Products with a matrix per type become kernels whose rows are grouped by type.
// RUN: gnn-opt --pass-pipeline=inter-to-intra --split-input-file %s | FileCheck %s

!g = !gnn.graph<"g">
!u = !gnn.graph<"g.unique_src">
!cu = !inter.cursor<"edge", "g.unique_src">
!cn = !inter.cursor<"node", "g">
!x = !gnn.node<"g", tensor<6xf32>>
!w = tensor<6x4xf32>
!we = !gnn.per<"etype", tensor<6x4xf32>>
!z = !gnn.edge<"g.unique_src", tensor<4xf32>>
!s = !gnn.edge<"g.unique_src", f32>

// Rows of pairs, one matrix for each edge type, and a scalar for each row after the product.
// CHECK-LABEL: func.func @pairs.bind()
// CHECK-NEXT: {base = "g", callee = "unique", set = "g.unique_src"}
// CHECK-NEXT: {callee = "adjacency", form = "coo", set = "g.unique_src", used_by = "run"}
// CHECK-NEXT: {callee = "segments", form = "edge", set = "g.unique_src", used_by = "run"}
// CHECK-NEXT: return
// CHECK-LABEL: func.func @pairs.run()
// CHECK: [[U:%.*]] = "intra.graph"() {set = "g.unique_src"}
// CHECK: [[W:%.*]] = "intra.buffer"() {name = "w", space = "input"} : () -> !intra.memory<"etype", tensor<6x4xf32>>
// CHECK: [[X:%.*]] = "intra.buffer"() {name = "x", space = "input"}
// CHECK: [[N:%.*]] = "intra.buffer"() {name = "norm", space = "input"}
// CHECK: [[Z:%.*]] = "intra.buffer"() {name = "z", space = "output"}
// CHECK: "intra.gemm"([[U]], [[X]], [[W]]) ({
// CHECK-NEXT: ^bb0([[C:%.*]]: !inter.cursor<"edge", "g.unique_src">, [[P:%.*]]: tensor<4xf32>):
// CHECK-NEXT: [[L:%.*]] = "intra.load"([[N]], [[C]])
// CHECK-NEXT: [[M:%.*]] = "gnn.multiply"([[L]], [[P]])
// CHECK-NEXT: "intra.store"([[M]], [[Z]], [[C]])
// CHECK-NEXT: smt.yield
// CHECK-NEXT: {gather = "src"}
module {
  func.func @pairs.run(%g: !g, %w: !we {gnn.name = "w"}, %x: !x {gnn.name = "x"}, %n: !s {gnn.name = "norm"}) -> (!z {gnn.name = "z"}) attributes {gnn.phase = "run"} {
    %u = "gnn.unique_edges"(%g) {end = "src"} : (!g) -> !u
    %0 = "inter.for_edges"(%u) ({
    ^bb0(%c: !cu):
      %s = "inter.src"(%c) : (!cu) -> !cn
      %a = "inter.at"(%x, %s) : (!x, !cn) -> tensor<6xf32>
      %b = "inter.at"(%w, %c) : (!we, !cu) -> !w
      %p = "gnn.linear"(%a, %b) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (tensor<6xf32>, !w) -> tensor<4xf32>
      %l = "inter.at"(%n, %c) : (!s, !cu) -> f32
      %m = "gnn.multiply"(%l, %p) : (f32, tensor<4xf32>) -> tensor<4xf32>
      smt.yield %m : tensor<4xf32>
    }) : (!u) -> !inter.results
    %z = "inter.result"(%0) {index = 0 : i64} : (!inter.results) -> !z
    return %z : !z
  }
}

// -----

!g = !gnn.graph<"g">
!u = !gnn.graph<"g.unique_dst">
!cu = !inter.cursor<"edge", "g.unique_dst">
!ce = !inter.cursor<"edge", "g">
!cn = !inter.cursor<"node", "g">
!x = !gnn.node<"g", tensor<2x3xf32>>
!k = !gnn.edge<"g.unique_dst", tensor<2x3xf32>>
!wn = !gnn.per<"ntype", tensor<2x3x4xf32>>
!wp = !gnn.per<"etype_dst", tensor<4x3xf32>>
!w = tensor<2x3x4xf32>
!y = tensor<2x4xf32>

// One matrix per node type: over nodes, over pairs in the order of their end, and in batches [H, K]. One matrix per
// pair of types for edges of the graph, whose rows are those of the edges' pairs.
// CHECK-LABEL: func.func @kinds.bind()
// CHECK-DAG: {callee = "segments", form = "node", set = "g", used_by = "run"}
// CHECK-DAG: {callee = "types", form = "node", set = "g", used_by = "run"}
// CHECK-DAG: {callee = "segments", form = "etype_dst", set = "g", used_by = "run"}
// CHECK-DAG: {base = "g", callee = "groups", form = "pair", set = "g.unique_dst", used_by = "run"}
// CHECK-DAG: {callee = "adjacency", form = "coo", set = "g.unique_dst", used_by = "run"}
// CHECK: return
// CHECK-LABEL: func.func @kinds.run()
// CHECK: [[G:%.*]] = "intra.graph"() {set = "g"}
// CHECK: [[U:%.*]] = "intra.graph"() {set = "g.unique_dst"}
// CHECK: "intra.gemm"([[G]],
// CHECK: {batch} : (!gnn.graph<"g">
// CHECK: "intra.gemm"([[U]],
// CHECK: {batch, gather = "dst"}
// CHECK: "intra.gemm"([[G]],
// CHECK: {gather = "group_dst", transposed}
module {
  func.func @kinds.run(%g: !g, %wn: !wn {gnn.name = "wn"}, %wp: !wp {gnn.name = "wp"}, %x: !x {gnn.name = "x"}, %k: !k {gnn.name = "k"})
      -> (!gnn.node<"g", !y> {gnn.name = "a"}, !gnn.edge<"g.unique_dst", !y> {gnn.name = "b"}, !gnn.edge<"g", !y> {gnn.name = "c"}) attributes {gnn.phase = "run"} {
    %u = "gnn.unique_edges"(%g) {end = "dst"} : (!g) -> !u
    %0 = "inter.for_nodes"(%g) ({
    ^bb0(%c: !cn):
      %a = "inter.at"(%x, %c) : (!x, !cn) -> tensor<2x3xf32>
      %b = "inter.at"(%wn, %c) : (!wn, !cn) -> !w
      %p = "gnn.linear"(%a, %b) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (tensor<2x3xf32>, !w) -> !y
      smt.yield %p : !y
    }) : (!g) -> !inter.results
    %1 = "inter.result"(%0) {index = 0 : i64} : (!inter.results) -> !gnn.node<"g", !y>
    %2 = "inter.for_edges"(%u) ({
    ^bb0(%c: !cu):
      %d = "inter.dst"(%c) : (!cu) -> !cn
      %a = "inter.at"(%x, %d) : (!x, !cn) -> tensor<2x3xf32>
      %b = "inter.at"(%wn, %d) : (!wn, !cn) -> !w
      %p = "gnn.linear"(%a, %b) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (tensor<2x3xf32>, !w) -> !y
      smt.yield %p : !y
    }) : (!u) -> !inter.results
    %3 = "inter.result"(%2) {index = 0 : i64} : (!inter.results) -> !gnn.edge<"g.unique_dst", !y>
    %4 = "inter.for_edges"(%g) ({
    ^bb0(%c: !ce):
      %q = "inter.group"(%c) {end = "dst"} : (!ce) -> !cu
      %a = "inter.at"(%k, %q) : (!k, !cu) -> tensor<2x3xf32>
      %b = "inter.at"(%wp, %c) : (!wp, !ce) -> tensor<4x3xf32>
      %p = "gnn.linear"(%a, %b) {operandSegmentSizes = array<i32: 1, 1, 0, 0>, transposed} : (tensor<2x3xf32>, tensor<4x3xf32>) -> !y
      smt.yield %p : !y
    }) : (!g) -> !inter.results
    %5 = "inter.result"(%4) {index = 0 : i64} : (!inter.results) -> !gnn.edge<"g", !y>
    return %1, %3, %5 : !gnn.node<"g", !y>, !gnn.edge<"g.unique_dst", !y>, !gnn.edge<"g", !y>
  }
}

// -----

!g = !gnn.graph<"g">
!ce = !inter.cursor<"edge", "g">
!cn = !inter.cursor<"node", "g">
!x = !gnn.node<"g", tensor<6xf32>>
!wn = !gnn.per<"ntype", tensor<6x4xf32>>
!e = !gnn.edge<"g", tensor<4xf32>>

// The edges of a graph are not grouped by the type of an end, so this stays a traversal.
// CHECK-LABEL: func.func @ends.bind()
// CHECK-NOT: segments
// CHECK: {callee = "types", form = "node", set = "g", used_by = "run"}
// CHECK-LABEL: func.func @ends.run()
// CHECK-NOT: intra.gemm
// CHECK: "gnn.linear"
module {
  func.func @ends.run(%g: !g, %w: !wn {gnn.name = "w"}, %x: !x {gnn.name = "x"}) -> (!e {gnn.name = "y"}) attributes {gnn.phase = "run"} {
    %0 = "inter.for_edges"(%g) ({
    ^bb0(%c: !ce):
      %s = "inter.src"(%c) : (!ce) -> !cn
      %a = "inter.at"(%x, %s) : (!x, !cn) -> tensor<6xf32>
      %b = "inter.at"(%w, %s) : (!wn, !cn) -> tensor<6x4xf32>
      %p = "gnn.linear"(%a, %b) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (tensor<6xf32>, tensor<6x4xf32>) -> tensor<4xf32>
      smt.yield %p : tensor<4xf32>
    }) : (!g) -> !inter.results
    %y = "inter.result"(%0) {index = 0 : i64} : (!inter.results) -> !e
    return %y : !e
  }
}

// -----

!g = !gnn.graph<"g">
!cp = !inter.cursor<"node", "g:1">
!cn = !inter.cursor<"node", "g">
!x = !gnn.node<"g:1", tensor<6xf32>>
!y = !gnn.node<"g:1", tensor<4xf32>>
!w = !gnn.per<"ntype", tensor<6x4xf32>>

// The nodes of one type use the matrix of that type.
// CHECK-LABEL: func.func @part.bind()
// CHECK-NEXT: {callee = "parts", form = "nodes", mode = "1", set = "g", used_by = "run"}
// CHECK-NEXT: {callee = "types", form = "node", set = "g", used_by = "run"}
// CHECK-NEXT: return
// CHECK: "intra.gemm"({{.*}}) ({
// CHECK-NEXT: ^bb0({{%.*}}: !inter.cursor<"node", "g:1">, {{%.*}}: tensor<4xf32>):
// CHECK-NEXT: "intra.store"
module {
  func.func @part.run(%g: !g, %w: !w {gnn.name = "w"}, %x: !x {gnn.name = "x"}) -> (!y {gnn.name = "y"}) attributes {gnn.phase = "run"} {
    %0 = "inter.for_nodes"(%g) ({
    ^bb0(%c: !cp):
      %n = "inter.whole_row"(%c) : (!cp) -> !cn
      %a = "inter.at"(%x, %c) : (!x, !cp) -> tensor<6xf32>
      %b = "inter.at"(%w, %n) : (!w, !cn) -> tensor<6x4xf32>
      %p = "gnn.linear"(%a, %b) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (tensor<6xf32>, tensor<6x4xf32>) -> tensor<4xf32>
      smt.yield %p : tensor<4xf32>
    }) : (!g) -> !inter.results
    %y = "inter.result"(%0) {index = 0 : i64} : (!inter.results) -> !y
    return %y : !y
  }
}
