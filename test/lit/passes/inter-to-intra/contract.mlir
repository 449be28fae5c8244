// A sum over rows is a kernel of its own. Operands that a loop only moves to edges are read where they are stored, and the loop is
// gone; bind prepares what leads to them and to the rows of each type.
// RUN: gnn-opt --pass-pipeline=inter-to-intra,intra-plan-memory %s | FileCheck %s

!g = !gnn.graph<"g">
!u = !gnn.graph<"g.unique_src">
!x = !gnn.node<"g", tensor<8xf32>>
!d = !gnn.edge<"g", tensor<4xf32>>
!p = !gnn.edge<"g.unique_src", tensor<8xf32>>
!per = !gnn.per<"etype", tensor<8x4xf32>>
!at_edge = !inter.cursor<"edge", "g">
!at_pair = !inter.cursor<"edge", "g.unique_src">

// CHECK-LABEL: func.func @m.bind()
// CHECK: {callee = "adjacency", form = "coo", set = "g", used_by = "run"}
// CHECK: {base = "g", callee = "groups", form = "pair", set = "g.unique_src", used_by = "run"}
// CHECK: {callee = "segments", form = "edge", set = "g", used_by = "run"}
// CHECK-LABEL: func.func @m.run()
// CHECK-SAME: gnn.workspace_slots = ["edge:g.unique_src x 8", "one x 128"]
// CHECK: [[X:%.*]] = "intra.buffer"() {name = "x", space = "input"}
// CHECK: [[D:%.*]] = "intra.buffer"() {name = "d", space = "input"}
// CHECK: [[W:%.*]] = "intra.buffer"() {name = "w", space = "output"}
// CHECK: "intra.buffer"() {count = 4 : i64, name = "r", space = "output"}
// CHECK: [[P:%.*]] = "intra.buffer"() {name = "p", slot = 0 : i64, space = "workspace"}
// CHECK: [[T:%.*]] = "intra.buffer"() {count = 4 : i64, name = "t", slot = 1 : i64, space = "workspace"}
// CHECK: "intra.contract"({{%.*}}, [[X]], [[D]], [[W]]) {gather_a = "src"}
// CHECK: "intra.traverse"
// CHECK: "intra.contract"({{%.*}}, [[P]], [[D]], [[T]]) {gather_a = "group_src"}
// CHECK-NOT: domain = "edge"
// CHECK: {count = 4 : i64, domain = "etype"}
func.func @m.run(%g: !g, %x: !x {gnn.name = "x"}, %d: !d {gnn.name = "d"}) -> (tensor<8x4xf32> {gnn.name = "w"}, !per {gnn.name = "r"}) attributes {gnn.phase = "run"} {
  %u = "gnn.unique_edges"(%g) {end = "src"} : (!g) -> !u
  %0 = "inter.for_edges"(%g) ({
  ^bb0(%e: !at_edge):
    %n = "inter.src"(%e) : (!at_edge) -> !inter.cursor<"node", "g">
    %1 = "inter.at"(%x, %n) : (!x, !inter.cursor<"node", "g">) -> tensor<8xf32>
    smt.yield %1 : tensor<8xf32>
  }) : (!g) -> !inter.results
  %xs = "inter.result"(%0) {index = 0 : i64} : (!inter.results) -> !gnn.edge<"g", tensor<8xf32>>
  %w = "gnn.contract"(%g, %xs, %d) : (!g, !gnn.edge<"g", tensor<8xf32>>, !d) -> tensor<8x4xf32>
  %2 = "inter.for_edges"(%u) ({
  ^bb0(%e: !at_pair):
    %n = "inter.src"(%e) : (!at_pair) -> !inter.cursor<"node", "g">
    %3 = "inter.at"(%x, %n) : (!x, !inter.cursor<"node", "g">) -> tensor<8xf32>
    %4 = "gnn.activation"(%3) {function = "relu"} : (tensor<8xf32>) -> tensor<8xf32>
    smt.yield %4 : tensor<8xf32>
  }) : (!u) -> !inter.results
  %p = "inter.result"(%2) {index = 0 : i64} : (!inter.results) -> !p loc("p")
  %5 = "inter.for_edges"(%g) ({
  ^bb0(%e: !at_edge):
    %n = "inter.group"(%e) {end = "src"} : (!at_edge) -> !at_pair
    %6 = "inter.at"(%p, %n) : (!p, !at_pair) -> tensor<8xf32>
    smt.yield %6 : tensor<8xf32>
  }) : (!g) -> !inter.results
  %ps = "inter.result"(%5) {index = 0 : i64} : (!inter.results) -> !gnn.edge<"g", tensor<8xf32>>
  %t = "gnn.contract"(%g, %ps, %d) {per = "etype", count = 4 : i64} : (!g, !gnn.edge<"g", tensor<8xf32>>, !d) -> !per loc("t")
  %7 = "inter.for_types"(%g) ({
  ^bb0(%c: !inter.cursor<"etype", "g">):
    %8 = "inter.at"(%t, %c) : (!per, !inter.cursor<"etype", "g">) -> tensor<8x4xf32>
    %9 = "gnn.activation"(%8) {function = "relu"} : (tensor<8x4xf32>) -> tensor<8x4xf32>
    smt.yield %9 : tensor<8x4xf32>
  }) {per = "etype", count = 4 : i64} : (!g) -> !inter.results
  %r = "inter.result"(%7) {index = 0 : i64} : (!inter.results) -> !per
  return %w, %r : tensor<8x4xf32>, !per
}
