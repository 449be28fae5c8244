// A sum of the rows with each index is a kernel of its own. Rows and indices that a loop only moves to edges are read where they are
// stored, and the loops are gone.
// RUN: gnn-opt --pass-pipeline=gnn-to-inter,inter-to-intra,intra-plan-memory %s | FileCheck %s

!g = !gnn.graph<"g">
!x = !gnn.node<"g", tensor<8xf32>>
!e = !gnn.edge<"g", tensor<8xf32>>

// CHECK-LABEL: func.func @m.bind()
// CHECK: {callee = "adjacency", form = "coo", set = "g", used_by = "run"}
// CHECK-LABEL: func.func @m.run()
// CHECK: [[X:%.*]] = "intra.buffer"() {name = "x", space = "input"}
// CHECK: [[Z:%.*]] = "intra.buffer"() {name = "z", space = "input"}
// CHECK: [[K:%.*]] = "intra.buffer"() {name = "k", space = "input"}
// CHECK: [[T:%.*]] = "intra.buffer"() {name = "t", space = "output"}
// CHECK: [[R:%.*]] = "intra.buffer"() {name = "r", space = "output"}
// CHECK-NOT: intra.traverse
// CHECK: "intra.sum_by"({{%.*}}, [[X]], [[K]], [[T]]) {gather_value = "dst"}
// CHECK: "intra.sum_by"({{%.*}}, [[X]], [[Z]], [[R]]) {gather_index = "src", gather_value = "dst", low = 1 : i64}
func.func @m.run(%g: !g, %x: !x {gnn.name = "x"}, %z: !gnn.node<"g", i32> {gnn.name = "z"}, %k: !gnn.edge<"g", i32> {gnn.name = "k"}) -> (tensor<9x8xf32> {gnn.name = "t"}, tensor<5x8xf32> {gnn.name = "r"}) attributes {gnn.phase = "run"} {
  %d = "gnn.gather"(%g, %x) {end = "dst"} : (!g, !x) -> !e
  %t = "gnn.sum_by"(%g, %d, %k) {rows = 9 : i64} : (!g, !e, !gnn.edge<"g", i32>) -> tensor<9x8xf32>
  %s = "gnn.gather"(%g, %z) {end = "src"} : (!g, !gnn.node<"g", i32>) -> !gnn.edge<"g", i32>
  %r = "gnn.sum_by"(%g, %d, %s) {rows = 5 : i64, low = 1 : i64} : (!g, !e, !gnn.edge<"g", i32>) -> tensor<5x8xf32>
  return %t, %r : tensor<9x8xf32>, tensor<5x8xf32>
}
