// Plans for graphs of a batch, values per type, members of pairs, and nodes of one type.
// RUN: gnn-opt --pass-pipeline=inter-to-intra,intra-plan-memory --split-input-file %s | FileCheck %s

!g = !gnn.graph<"g">
!cn = !inter.cursor<"node", "g">
!cg = !inter.cursor<"graph", "g">
!x = !gnn.node<"g", tensor<6xf32>>
!p = !gnn.per<"graph", tensor<6xf32>>
!y = !gnn.per<"graph", tensor<4xf32>>

// Pooling is a loop over graphs with a loop over their nodes; the layer after it has rows of graphs; a node reads the row of its graph.
// CHECK-LABEL: func.func @pool.bind()
// CHECK-NEXT: {callee = "batch", form = "members", set = "g", used_by = "run"}
// CHECK-NEXT: {callee = "batch", form = "graph", set = "g", used_by = "run"}
// CHECK-NEXT: return
// CHECK-LABEL: func.func @pool.run()
// CHECK-SAME: gnn.workspace_slots = ["graph x 6"]
// CHECK: [[G:%.*]] = "intra.graph"
// CHECK: [[Y:%.*]] = "intra.buffer"() {name = "y", space = "output"} : () -> !intra.memory<"graph", tensor<4xf32>>
// CHECK: [[P:%.*]] = "intra.buffer"() {name = "p", slot = 0 : i64, space = "workspace"} : () -> !intra.memory<"graph", tensor<6xf32>>
// CHECK: "intra.traverse"([[G]]) ({
// CHECK-NEXT: ^bb0([[C:%.*]]: !inter.cursor<"graph", "g">):
// CHECK-NEXT: "inter.for_members"([[G]], [[C]]) ({
// CHECK: {count = -1 : i64, domain = "graph"}
// CHECK: "intra.gemm"([[G]], [[P]],
// CHECK-NEXT: ^bb0({{%.*}}: !inter.cursor<"graph", "g">, {{%.*}}: tensor<4xf32>):
// CHECK: "intra.traverse"
// CHECK: "intra.load"([[P]], {{%.*}}) : (!intra.memory<"graph", tensor<6xf32>>, !inter.cursor<"node", "g">)
// CHECK: {domain = "node"}
module {
  func.func @pool.run(%g: !g, %w: tensor<6x4xf32> {gnn.name = "w"}, %x: !x {gnn.name = "x"}) -> (!y {gnn.name = "y"}, !x {gnn.name = "d"}) attributes {gnn.phase = "run"} {
    %0 = "inter.for_types"(%g) ({
    ^bb0(%b: !cg):
      %1 = "inter.for_members"(%g, %b) ({
      ^bb1(%n: !cn):
        %2 = "inter.at"(%x, %n) : (!x, !cn) -> tensor<6xf32>
        smt.yield %2 : tensor<6xf32>
      }) {reduce = ["mean"]} : (!g, !cg) -> !inter.results
      %3 = "inter.result"(%1) {index = 0 : i64} : (!inter.results) -> tensor<6xf32>
      smt.yield %3 : tensor<6xf32>
    }) {per = "graph", count = -1 : i64} : (!g) -> !inter.results
    %p = "inter.result"(%0) {index = 0 : i64} : (!inter.results) -> !p loc("p"("a.gnn":1:1))
    %4 = "inter.for_types"(%g) ({
    ^bb0(%b: !cg):
      %5 = "inter.at"(%p, %b) : (!p, !cg) -> tensor<6xf32>
      %6 = "gnn.linear"(%5, %w) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (tensor<6xf32>, tensor<6x4xf32>) -> tensor<4xf32>
      smt.yield %6 : tensor<4xf32>
    }) {per = "graph", count = -1 : i64} : (!g) -> !inter.results
    %y = "inter.result"(%4) {index = 0 : i64} : (!inter.results) -> !y
    %7 = "inter.for_nodes"(%g) ({
    ^bb0(%n: !cn):
      %8 = "inter.at"(%x, %n) : (!x, !cn) -> tensor<6xf32>
      %9 = "inter.at"(%p, %n) : (!p, !cn) -> tensor<6xf32>
      %10 = "gnn.subtract"(%8, %9) : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xf32>
      smt.yield %10 : tensor<6xf32>
    }) : (!g) -> !inter.results
    %d = "inter.result"(%7) {index = 0 : i64} : (!inter.results) -> !x
    return %y, %d : !y, !x
  }
}

// -----

!g = !gnn.graph<"g">
!u = !gnn.graph<"g.unique_dst">
!ce = !inter.cursor<"edge", "g">
!cu = !inter.cursor<"edge", "g.unique_dst">
!cn = !inter.cursor<"node", "g">
!ct = !inter.cursor<"etype", "g">
!cp = !inter.cursor<"etype_src", "g">
!x = !gnn.node<"g", tensor<6xf32>>
!m = !gnn.edge<"g.unique_dst", tensor<6xf32>>
!wn = !gnn.per<"ntype", tensor<6xf32>>
!we = !gnn.per<"etype", tensor<6xf32>>
!wp = !gnn.per<"etype_src", tensor<6xf32>>

// Loops over the types, whose number is in the plan, make values per type. Members of a pair are read with the ends of edges and with their number.
// CHECK-LABEL: func.func @types.bind()
// CHECK-SAME: gnn.workspace_slots = ["one x 30"]
// CHECK: [[T:%.*]] = "intra.buffer"() {count = 5 : i64, name = "t", slot = 0 : i64, space = "workspace"} : () -> !intra.memory<"etype", tensor<6xf32>>
// CHECK: {base = "g", callee = "unique", set = "g.unique_dst"}
// CHECK-DAG: {callee = "types", form = "etype_src", set = "g", used_by = "run"}
// CHECK-DAG: {base = "g", callee = "groups", form = "members", set = "g.unique_dst", used_by = "run"}
// CHECK-DAG: {callee = "adjacency", form = "coo", set = "g", used_by = "run"}
// CHECK: "intra.traverse"
// CHECK: {count = 5 : i64, domain = "etype"}
// CHECK: "intra.traverse"
// CHECK: "intra.load"([[T]], {{%.*}}) : (!intra.memory<"etype", tensor<6xf32>>, !inter.cursor<"etype_src", "g">)
// CHECK: {count = 9 : i64, domain = "etype_src"}
// CHECK-LABEL: func.func @types.run()
// CHECK: "intra.buffer"() {count = 9 : i64, name = "w", slot = 0 : i64, space = "bound"}
module {
  ml_program.global private @n(#ml_program.extern<!gnn.per<"ntype", tensor<6xf32>>>) : !gnn.per<"ntype", tensor<6xf32>> {gnn.count = 2 : i64}
  ml_program.global private @e(#ml_program.extern<!gnn.per<"etype", tensor<6xf32>>>) : !gnn.per<"etype", tensor<6xf32>> {gnn.count = 5 : i64}
  func.func @types.bind(%g: !g) -> (!wp {gnn.name = "w"}) attributes {gnn.phase = "bind"} {
    %n = ml_program.global_load_const @n : !wn
    %e = ml_program.global_load_const @e : !we
    %0 = "inter.for_types"(%g) ({
    ^bb0(%t: !ct):
      %1 = "inter.at"(%e, %t) : (!we, !ct) -> tensor<6xf32>
      %2 = "gnn.activation"(%1) {function = "exp"} : (tensor<6xf32>) -> tensor<6xf32>
      smt.yield %2 : tensor<6xf32>
    }) {per = "etype", count = 5 : i64} : (!g) -> !inter.results
    %3 = "inter.result"(%0) {index = 0 : i64} : (!inter.results) -> !we
    %4 = "inter.for_types"(%g) ({
    ^bb0(%t: !cp):
      %5 = "inter.at"(%3, %t) : (!we, !cp) -> tensor<6xf32>
      %6 = "inter.at"(%n, %t) : (!wn, !cp) -> tensor<6xf32>
      %7 = "gnn.multiply"(%5, %6) : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xf32>
      smt.yield %7 : tensor<6xf32>
    }) {per = "etype_src", count = 9 : i64} : (!g) -> !inter.results
    %w = "inter.result"(%4) {index = 0 : i64} : (!inter.results) -> !wp
    return %w : !wp
  }
  func.func @types.run(%g: !g, %w: !wp {gnn.bound, gnn.name = "w"}, %x: !x {gnn.name = "x"}) -> (!m {gnn.name = "y"}) attributes {gnn.phase = "run"} {
    %u = "gnn.unique_edges"(%g) {end = "dst"} : (!g) -> !u
    %0 = "inter.for_edges"(%u) ({
    ^bb0(%c: !cu):
      %1 = "inter.for_members"(%g, %c) ({
      ^bb1(%e: !ce):
        %s = "inter.src"(%e) : (!ce) -> !cn
        %2 = "inter.at"(%x, %s) : (!x, !cn) -> tensor<6xf32>
        %3 = "inter.at"(%w, %e) : (!wp, !ce) -> tensor<6xf32>
        %4 = "gnn.multiply"(%2, %3) : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xf32>
        smt.yield %4 : tensor<6xf32>
      }) {reduce = ["sum"]} : (!g, !cu) -> !inter.results
      %5 = "inter.result"(%1) {index = 0 : i64} : (!inter.results) -> tensor<6xf32>
      %6 = "inter.group_size"(%c) : (!cu) -> f32
      %7 = "gnn.divide"(%5, %6) : (tensor<6xf32>, f32) -> tensor<6xf32>
      smt.yield %7 : tensor<6xf32>
    }) : (!u) -> !inter.results
    %y = "inter.result"(%0) {index = 0 : i64} : (!inter.results) -> !m
    return %y : !m
  }
}

// -----

!g = !gnn.graph<"g">
!cn = !inter.cursor<"node", "g">
!cp = !inter.cursor<"node", "g:2">
!x = !gnn.node<"g", tensor<6xf32>>
!p = !gnn.node<"g:2", tensor<6xf32>>

// Rows of one node type: kernels look up their place among all nodes where they read them, and the other way round; likewise their type.
// CHECK-LABEL: func.func @part.bind()
// CHECK-DAG: {callee = "parts", form = "nodes", mode = "2", set = "g", used_by = "run"}
// CHECK-DAG: {callee = "parts", form = "place", mode = "2", set = "g", used_by = "run"}
// CHECK: return
// CHECK-LABEL: func.func @part.run()
// CHECK-SAME: gnn.workspace_slots = ["node:g:2 x 6"]
// CHECK: [[X:%.*]] = "intra.buffer"() {name = "x", space = "input"} : () -> !intra.memory<"node:g:2", tensor<6xf32>>
// CHECK: [[R:%.*]] = "intra.buffer"() {name = "rest", space = "input"}
// CHECK: [[T:%.*]] = "intra.buffer"() {name = "s", space = "input"} : () -> !intra.memory<"ntype", f32>
// CHECK: ^bb0([[P:%.*]]: !inter.cursor<"node", "g:2">):
// CHECK: [[W:%.*]] = "inter.whole_row"([[P]])
// CHECK-NEXT: "intra.load"([[R]], [[W]])
// CHECK: [[V:%.*]] = "inter.whole_row"([[P]])
// CHECK-NEXT: "intra.load"([[T]], [[V]])
// CHECK: {domain = "node"}
// CHECK: ^bb0([[N:%.*]]: !inter.cursor<"node", "g">):
// CHECK-NEXT: [[L:%.*]] = "intra.load"([[R]], [[N]])
// CHECK-NEXT: "intra.unite"({{%.*}}, [[N]], [[L]])
module {
  func.func @part.run(%g: !g, %x: !p {gnn.name = "x"}, %r: !x {gnn.name = "rest"}, %t: !gnn.per<"ntype", f32> {gnn.name = "s"}) -> (!x {gnn.name = "y"}) attributes {gnn.phase = "run"} {
    %0 = "inter.for_nodes"(%g) ({
    ^bb0(%c: !cp):
      %1 = "inter.at"(%x, %c) : (!p, !cp) -> tensor<6xf32>
      %w = "inter.whole_row"(%c) : (!cp) -> !cn
      %2 = "inter.at"(%r, %w) : (!x, !cn) -> tensor<6xf32>
      %s = "inter.at"(%t, %c) : (!gnn.per<"ntype", f32>, !cp) -> f32
      %3 = "gnn.multiply"(%1, %2) : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xf32>
      %7 = "gnn.multiply"(%3, %s) : (tensor<6xf32>, f32) -> tensor<6xf32>
      smt.yield %7 : tensor<6xf32>
    }) : (!g) -> !inter.results
    %h = "inter.result"(%0) {index = 0 : i64} : (!inter.results) -> !p
    %4 = "inter.for_nodes"(%g) ({
    ^bb0(%c: !cn):
      %5 = "inter.at"(%r, %c) : (!x, !cn) -> tensor<6xf32>
      %6 = "inter.unite"(%h, %c, %5) : (!p, !cn, tensor<6xf32>) -> tensor<6xf32>
      smt.yield %6 : tensor<6xf32>
    }) : (!g) -> !inter.results
    %y = "inter.result"(%4) {index = 0 : i64} : (!inter.results) -> !x
    return %y : !x
  }
}
