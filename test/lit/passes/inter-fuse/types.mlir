// Loops over types and pairs: values that are computed where they are read, and values that are stored.
// RUN: gnn-opt --pass-pipeline=gnn-to-inter,inter-fuse %s | FileCheck %s
// RUN: gnn-opt --pass-pipeline=gnn-to-inter,inter-fuse --verify-roundtrip %s -o %t
// RUN: gnn-opt --pass-pipeline=gnn-to-inter,inter-fuse{exchange=false} %s | FileCheck %s --check-prefix=APART
// RUN: gnn-opt --pass-pipeline=gnn-to-inter,inter-fuse --remarks=inter-fuse --num-edges=10 --unique-src=5 %s -o %t 2>&1 | FileCheck %s --check-prefix=REMARK

ml_program.global private @s(#ml_program.extern) : !gnn.per<"ntype", f32> {gnn.count = 2 : i64}
ml_program.global private @w(#ml_program.extern) : !gnn.per<"etype", tensor<8x4xf32>> {gnn.count = 3 : i64}
ml_program.global private @v(#ml_program.extern) : !gnn.per<"etype", tensor<4xf32>> {gnn.count = 3 : i64}

!g = !gnn.graph<"g">
!x = !gnn.node<"g", tensor<8xf32>>
!y = !gnn.node<"g", tensor<4xf32>>
!e = !gnn.edge<"g", tensor<4xf32>>
!u = !gnn.edge<"g.unique_src", tensor<4xf32>>

// Equal loops over types become one; loops over other types do not.
// REMARK: inter-fuse: 2 loops run as one
// CHECK-LABEL: @types
// CHECK: "inter.for_types"
// CHECK: sigmoid
// CHECK: "gnn.subtract"
// CHECK: {count = 2 : i64, per = "ntype"}
// CHECK-NOT: per = "ntype"
// CHECK: {count = 3 : i64, per = "etype"}
// CHECK: return
func.func @types(%g: !g) -> (!gnn.per<"ntype", f32>, !gnn.per<"etype", tensor<4xf32>>) {
  %s = ml_program.global_load_const @s : !gnn.per<"ntype", f32>
  %v = ml_program.global_load_const @v : !gnn.per<"etype", tensor<4xf32>>
  %1 = "gnn.activation"(%s) {function = "sigmoid"} : (!gnn.per<"ntype", f32>) -> !gnn.per<"ntype", f32>
  %one = "gnn.constant"() {value = 1.0 : f64} : () -> f32
  %2 = "gnn.subtract"(%one, %1) : (f32, !gnn.per<"ntype", f32>) -> !gnn.per<"ntype", f32>
  %3 = "gnn.activation"(%v) {function = "relu"} : (!gnn.per<"etype", tensor<4xf32>>) -> !gnn.per<"etype", tensor<4xf32>>
  return %2, %3 : !gnn.per<"ntype", f32>, !gnn.per<"etype", tensor<4xf32>>
}

// A product per pair stays a loop of its own, with other computations on its rows; edges read it through their pair.
// REMARK: 4 numbers per edge of 'g.unique_src', 20 in all are stored: a product with a matrix or a loop makes them
// CHECK-LABEL: @compact
// CHECK: "inter.for_edges"(%{{.*}}) ({
// CHECK-NEXT: ^bb0([[U:%.*]]: !inter.cursor<"edge", "g.unique_src">):
// CHECK: "gnn.linear"
// CHECK: "gnn.vector_inner"
// CHECK: !gnn.graph<"g.unique_src">
// CHECK-NOT: "inter.for_edges"
// CHECK: "inter.for_incoming"
// CHECK-NEXT: ^bb0([[E:%.*]]: !inter.cursor<"edge", "g">):
// CHECK-NEXT: [[P:%.*]] = "inter.group"([[E]]) {end = "src"}
// CHECK-NEXT: "inter.at"({{.*}}, [[P]])
// CHECK: return
// Without the exchange, edges have loops of their own.
// APART-LABEL: @compact
// APART: "inter.for_edges"(%arg0)
// APART: "inter.for_incoming"
func.func @compact(%g: !g, %x: !x) -> !y {
  %w = ml_program.global_load_const @w : !gnn.per<"etype", tensor<8x4xf32>>
  %v = ml_program.global_load_const @v : !gnn.per<"etype", tensor<4xf32>>
  %us = "gnn.unique_edges"(%g) {end = "src"} : (!g) -> !gnn.graph<"g.unique_src">
  %xs = "gnn.gather"(%us, %x) {end = "src"} : (!gnn.graph<"g.unique_src">, !x) -> !gnn.edge<"g.unique_src", tensor<8xf32>>
  %ws = "gnn.slice"(%us, %w) {by = "edge"} : (!gnn.graph<"g.unique_src">, !gnn.per<"etype", tensor<8x4xf32>>) -> !gnn.edge<"g.unique_src", tensor<8x4xf32>>
  %m = "gnn.linear"(%xs, %ws) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!gnn.edge<"g.unique_src", tensor<8xf32>>, !gnn.edge<"g.unique_src", tensor<8x4xf32>>) -> !u
  %vs = "gnn.slice"(%us, %v) {by = "edge"} : (!gnn.graph<"g.unique_src">, !gnn.per<"etype", tensor<4xf32>>) -> !u
  %a = "gnn.vector_inner"(%m, %vs) : (!u, !u) -> !gnn.edge<"g.unique_src", f32>
  %me = "gnn.expand"(%g, %m) : (!g, !u) -> !e
  %ae = "gnn.expand"(%g, %a) : (!g, !gnn.edge<"g.unique_src", f32>) -> !gnn.edge<"g", f32>
  %y = "gnn.aggregate"(%g, %me, %ae) {reduce = "sum", direction = "in"} : (!g, !e, !gnn.edge<"g", f32>) -> !y
  return %y : !y
}

// Without compaction, the product runs once over all edges, and is stored.
// CHECK-LABEL: @wide
// CHECK: "inter.for_edges"(%arg0)
// CHECK-NEXT: ^bb0([[E:%.*]]: !inter.cursor<"edge", "g">):
// CHECK-NEXT: [[S:%.*]] = "inter.src"([[E]])
// CHECK-NEXT: [[X:%.*]] = "inter.at"(%arg1, [[S]])
// CHECK: "gnn.linear"([[X]],
// CHECK: "inter.for_nodes"
// CHECK-NOT: "gnn.linear"
// CHECK: return
func.func @wide(%g: !g, %x: !x) -> !y {
  %w = ml_program.global_load_const @w : !gnn.per<"etype", tensor<8x4xf32>>
  %xs = "gnn.gather"(%g, %x) {end = "src"} : (!g, !x) -> !gnn.edge<"g", tensor<8xf32>>
  %ws = "gnn.slice"(%g, %w) {by = "edge"} : (!g, !gnn.per<"etype", tensor<8x4xf32>>) -> !gnn.edge<"g", tensor<8x4xf32>>
  %m = "gnn.linear"(%xs, %ws) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!gnn.edge<"g", tensor<8xf32>>, !gnn.edge<"g", tensor<8x4xf32>>) -> !e
  %y = "gnn.aggregate"(%g, %m) {reduce = "sum", direction = "in"} : (!g, !e) -> !y
  return %y : !y
}

// Loops over the edges of a pair compute values of edges like loops over those of a node; the pair of such an edge is known.
// CHECK-LABEL: @members
// CHECK: "inter.for_edges"(%{{.*}}) ({
// CHECK-NEXT: ^bb0([[U:%.*]]: !inter.cursor<"edge", "g.unique_dst">):
// CHECK-NEXT: [[C:%.*]] = "inter.at"(%arg2, [[U]])
// CHECK-NEXT: "inter.for_members"(%arg0, [[U]])
// CHECK: "gnn.multiply"({{.*}}, [[C]])
// CHECK: return
func.func @members(%g: !g, %a: !gnn.edge<"g", f32>, %c: !gnn.edge<"g.unique_dst", f32>) -> !gnn.edge<"g.unique_dst", f32> {
  %ud = "gnn.unique_edges"(%g) {end = "dst"} : (!g) -> !gnn.graph<"g.unique_dst">
  %ce = "gnn.expand"(%g, %c) : (!g, !gnn.edge<"g.unique_dst", f32>) -> !gnn.edge<"g", f32>
  %m = "gnn.multiply"(%a, %ce) : (!gnn.edge<"g", f32>, !gnn.edge<"g", f32>) -> !gnn.edge<"g", f32>
  %s = "gnn.collapse"(%ud, %m) {reduce = "sum"} : (!gnn.graph<"g.unique_dst">, !gnn.edge<"g", f32>) -> !gnn.edge<"g.unique_dst", f32>
  return %s : !gnn.edge<"g.unique_dst", f32>
}
