// With `typed` sparse rows may be gathered at pairs of edge type and node, for products with the weight of the type; the product is a
// loop over the stored entries of the pair's node, which select rows of the matrix of the pair's type.
// RUN: gnn-opt '--pass-pipeline=gnn-choose-features{features=sparse typed=true}' %s | FileCheck %s --check-prefix=TYPED
// RUN: gnn-opt '--pass-pipeline=gnn-choose-features{features=sparse}' %s | FileCheck %s --check-prefix=DENSE
// RUN: gnn-opt '--pass-pipeline=gnn-choose-features{features=sparse typed=true},gnn-to-inter' %s | FileCheck %s --check-prefix=LOOP

!g = !gnn.graph<"g">
!u = !gnn.graph<"g.unique_src">
!x = !gnn.node<"g", tensor<1433xf32>>
!xu = !gnn.edge<"g.unique_src", tensor<1433xf32>>
!w = !gnn.per<"etype", tensor<1433x8xf32>>
!wu = !gnn.edge<"g.unique_src", tensor<1433x8xf32>>
!m = !gnn.edge<"g.unique_src", tensor<8xf32>>

// TYPED-LABEL: @pairs
// TYPED: "gnn.gather"({{.*}}) {end = "src"} : ({{.*}}, !gnn.sparse<"g", tensor<1433xf32>>) -> !gnn.sparse<"g.unique_src", tensor<1433xf32>>
// TYPED: "gnn.linear"({{.*}}) {{.*}} -> !gnn.edge<"g.unique_src", tensor<8xf32>>
// TYPED-NOT: gnn.densify
// TYPED: return
// DENSE-LABEL: @pairs
// DENSE: "gnn.densify"
// DENSE: return
// LOOP-LABEL: @pairs
// LOOP: "inter.for_edges"
// LOOP-NEXT: ^bb0([[P:%.*]]: !inter.cursor<"edge", "g.unique_src">):
// LOOP-NEXT: [[S:%.*]] = "inter.src"([[P]])
// LOOP-NEXT: [[W:%.*]] = "inter.at"({{.*}}, [[P]])
// LOOP-NEXT: "inter.for_nonzeros"({{.*}}, [[S]])
// LOOP: "inter.row"([[W]], {{.*}}) : (tensor<1433x8xf32>, !inter.cursor<"nonzero", "g">) -> tensor<8xf32>
func.func @pairs(%g: !g, %x: !x {gnn.from = "x", gnn.name = "x"}, %w: !w {gnn.name = "w", gnn.count = 3 : i64}) -> !m {
  %u = "gnn.unique_edges"(%g) {end = "src"} : (!g) -> !u
  %0 = "gnn.gather"(%u, %x) {end = "src"} : (!u, !x) -> !xu
  %1 = "gnn.slice"(%u, %w) {by = "edge"} : (!u, !w) -> !wu
  %2 = "gnn.linear"(%0, %1) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!xu, !wu) -> !m
  return %2 : !m
}

// A row that is also read as a whole stays dense at the pairs.
// TYPED-LABEL: @whole
// TYPED: "gnn.densify"
// TYPED: "gnn.gather"({{.*}}) {end = "src"} : ({{.*}}, !gnn.node<"g", tensor<1433xf32>>) -> !gnn.edge<"g.unique_src", tensor<1433xf32>>
// TYPED: return
func.func @whole(%g: !g, %x: !x {gnn.from = "x", gnn.name = "x"}) -> !xu {
  %u = "gnn.unique_edges"(%g) {end = "src"} : (!g) -> !u
  %0 = "gnn.gather"(%u, %x) {end = "src"} : (!u, !x) -> !xu
  return %0 : !xu
}
