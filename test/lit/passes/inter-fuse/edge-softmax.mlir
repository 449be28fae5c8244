// Attention over the incoming edges: maximum, sum and weighted sum become three loops over the edges within one loop over the nodes;
// each computes the scores again, and no tensor of edges is stored.
// RUN: gnn-opt --pass-pipeline=gnn-to-inter,inter-fuse %s | FileCheck %s
// With recompute-limit 0, every value of edges with several readers is stored.
// RUN: gnn-opt --pass-pipeline=gnn-to-inter,inter-fuse{recompute-limit=0} %s | FileCheck %s --check-prefix=STORED

!g = !gnn.graph<"g">
!z = !gnn.node<"g", tensor<2x4xf32>>
!s = !gnn.node<"g", tensor<2xf32>>
!a = !gnn.edge<"g", tensor<2xf32>>

// CHECK-LABEL: @attention
// CHECK: [[L:%.*]] = "inter.for_nodes"(%arg0) ({
// CHECK-NEXT: ^bb0([[I:%.*]]: !inter.cursor<"node", "g">):
// CHECK-NEXT: [[T:%.*]] = "inter.at"(%arg3, [[I]])
// CHECK-NEXT: [[L1:%.*]] = "inter.for_incoming"
// CHECK: "gnn.vector_add"({{.*}}, [[T]])
// CHECK: {reduce = ["max"]}
// CHECK-NEXT: [[M:%.*]] = "inter.result"([[L1]])
// CHECK-NEXT: [[L2:%.*]] = "inter.for_incoming"
// CHECK: "gnn.subtract"({{.*}}, [[M]])
// CHECK: {function = "exp"}
// CHECK: {reduce = ["sum"]}
// CHECK-NEXT: [[S:%.*]] = "inter.result"([[L2]])
// CHECK-NEXT: [[L3:%.*]] = "inter.for_incoming"
// CHECK: "gnn.subtract"({{.*}}, [[M]])
// CHECK: [[W:%.*]] = "gnn.divide"({{.*}}, [[S]])
// CHECK: "gnn.multiply"([[W]], {{.*}}) : (tensor<2xf32>, tensor<2x4xf32>)
// CHECK: [[Y:%.*]] = "inter.result"([[L3]])
// CHECK-NEXT: smt.yield [[Y]]
// CHECK: [[R:%.*]] = "inter.result"([[L]])
// CHECK-NEXT: return [[R]]

// STORED: "inter.for_edges"
func.func @attention(%g: !g, %z: !z, %s: !s, %t: !s) -> !z {
  %0 = "gnn.gather"(%g, %s) {end = "src"} : (!g, !s) -> !a
  %1 = "gnn.gather"(%g, %t) {end = "dst"} : (!g, !s) -> !a
  %2 = "gnn.vector_add"(%0, %1) {activation = "leaky_relu", slope = 0.2 : f64} : (!a, !a) -> !a
  %3 = "gnn.aggregate"(%g, %2) {reduce = "max", direction = "in"} : (!g, !a) -> !s
  %4 = "gnn.gather"(%g, %3) {end = "dst"} : (!g, !s) -> !a
  %5 = "gnn.subtract"(%2, %4) : (!a, !a) -> !a
  %6 = "gnn.activation"(%5) {function = "exp"} : (!a) -> !a
  %7 = "gnn.aggregate"(%g, %6) {reduce = "sum", direction = "in"} : (!g, !a) -> !s
  %8 = "gnn.gather"(%g, %7) {end = "dst"} : (!g, !s) -> !a
  %9 = "gnn.divide"(%6, %8) : (!a, !a) -> !a
  %10 = "gnn.aggregate"(%g, %z, %9) {reduce = "sum", direction = "in"} : (!g, !z, !a) -> !z
  return %10 : !z
}

// An inner product of 64 numbers is not repeated for several readers; a single reader computes it.
// CHECK-LABEL: @long_products
// CHECK: "inter.for_edges"
// CHECK-COUNT-1: gnn.vector_inner
// CHECK: "inter.for_nodes"
// CHECK-NOT: gnn.vector_inner
// CHECK: return
// CHECK-LABEL: @one_reader
// CHECK-NOT: inter.for_edges
// CHECK: "inter.for_incoming"
// CHECK: gnn.vector_inner
// CHECK: return
!q = !gnn.node<"g", tensor<64xf32>>
!eq = !gnn.edge<"g", tensor<64xf32>>
!a1 = !gnn.edge<"g", f32>
!n1 = !gnn.node<"g", f32>
func.func @long_products(%g: !g, %q: !q, %k: !q) -> (!n1, !q) {
  %0 = "gnn.gather"(%g, %q) {end = "src"} : (!g, !q) -> !eq
  %1 = "gnn.gather"(%g, %k) {end = "dst"} : (!g, !q) -> !eq
  %2 = "gnn.vector_inner"(%0, %1) : (!eq, !eq) -> !a1
  %3 = "gnn.aggregate"(%g, %2) {reduce = "max", direction = "in"} : (!g, !a1) -> !n1
  %4 = "gnn.aggregate"(%g, %q, %2) {reduce = "sum", direction = "in"} : (!g, !q, !a1) -> !q
  return %3, %4 : !n1, !q
}
func.func @one_reader(%g: !g, %q: !q, %k: !q) -> !q {
  %0 = "gnn.gather"(%g, %q) {end = "src"} : (!g, !q) -> !eq
  %1 = "gnn.gather"(%g, %k) {end = "dst"} : (!g, !q) -> !eq
  %2 = "gnn.vector_inner"(%0, %1) : (!eq, !eq) -> !a1
  %3 = "gnn.aggregate"(%g, %q, %2) {reduce = "sum", direction = "in"} : (!g, !q, !a1) -> !q
  return %3 : !q
}
