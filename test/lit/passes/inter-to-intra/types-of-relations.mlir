// Edges of a relation and of a union have the types of the stored edges: by edge, and as segments of a product.
// RUN: gnn-opt --pass-pipeline=gnn-to-inter,inter-canonicalize,inter-to-intra %s | FileCheck %s

// CHECK-DAG: "intra.call"() {callee = "types", form = "edge", set = "g.relation1", used_by = "run"}
// CHECK-DAG: "intra.call"() {callee = "segments", form = "edge", set = "g.union_0_2r", used_by = "run"}
// CHECK-DAG: "intra.load"(%{{.*}}, %{{.*}}) : (!intra.memory<"etype", f32>, !inter.cursor<"edge", "g.relation1">) -> f32
// CHECK-DAG: "intra.gemm"(%{{.*}}, %{{.*}}, %{{.*}}) ({
!g = !gnn.graph<"g">
!x = !gnn.node<"g", tensor<4xf32>>
func.func @m.run(%g: !g, %x: !x {gnn.name = "x"}, %s: !gnn.per<"etype", f32> {gnn.name = "s"}, %w: !gnn.per<"etype", tensor<4x4xf32>> {gnn.name = "w"}) -> (!x, !x) attributes {gnn.phase = "run"} {
  %r = "gnn.edge_set"(%g) {mode = "relation1"} : (!g) -> !gnn.graph<"g.relation1">
  %u = "gnn.edge_set"(%g) {mode = "union_0_2r"} : (!g) -> !gnn.graph<"g.union_0_2r">
  %a = "gnn.slice"(%r, %s) {by = "edge"} : (!gnn.graph<"g.relation1">, !gnn.per<"etype", f32>) -> !gnn.edge<"g.relation1", f32>
  %y = "gnn.aggregate"(%r, %x, %a) {direction = "in", reduce = "sum"} : (!gnn.graph<"g.relation1">, !x, !gnn.edge<"g.relation1", f32>) -> !x
  %m = "gnn.slice"(%u, %w) {by = "edge"} : (!gnn.graph<"g.union_0_2r">, !gnn.per<"etype", tensor<4x4xf32>>) -> !gnn.edge<"g.union_0_2r", tensor<4x4xf32>>
  %e = "gnn.gather"(%u, %x) {end = "src"} : (!gnn.graph<"g.union_0_2r">, !x) -> !gnn.edge<"g.union_0_2r", tensor<4xf32>>
  %p = "gnn.linear"(%e, %m) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!gnn.edge<"g.union_0_2r", tensor<4xf32>>, !gnn.edge<"g.union_0_2r", tensor<4x4xf32>>) -> !gnn.edge<"g.union_0_2r", tensor<4xf32>>
  %z = "gnn.aggregate"(%u, %p) {direction = "in", reduce = "sum"} : (!gnn.graph<"g.union_0_2r">, !gnn.edge<"g.union_0_2r", tensor<4xf32>>) -> !x
  return %y, %z : !x, !x
}
