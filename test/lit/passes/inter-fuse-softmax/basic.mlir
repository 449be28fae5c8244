// A softmax over incoming edges and the sums that it weighs become one loop, which computes the logit once.
// RUN: gnn-opt --pass-pipeline=gnn-to-inter,inter-fuse,inter-fuse-softmax %s | FileCheck %s
// RUN: gnn-opt --pass-pipeline=gnn-to-inter,inter-fuse,inter-fuse-softmax --verify-roundtrip %s -o %t
// Remarks state the gain.
// RUN: gnn-opt --pass-pipeline=gnn-to-inter,inter-fuse,inter-fuse-softmax --remarks=inter-fuse-softmax %s 2>&1 | FileCheck %s --check-prefix=REMARK
// REMARK: a softmax over incoming edges and the 1 sum it weighs run in 1 pass instead of 3; its logit is computed 1 time for each edge instead of 3
// RUN: gnn-opt --pass-pipeline="gnn-to-inter,inter-fuse,inter-fuse-softmax{when=never}" --remarks=inter-fuse-softmax %s 2>&1 | FileCheck %s --check-prefix=NEVER
// NEVER: would run in 1 pass instead of 3; its logit would be computed 1 time for each edge instead of 3: switched off
// NEVER-NOT: inter.softmax_incoming

!g = !gnn.graph<"g">
!z = !gnn.node<"g", tensor<2x4xf32>>
!s = !gnn.node<"g", tensor<2xf32>>
!a = !gnn.edge<"g", tensor<2xf32>>
!gr = !gnn.graph<"g.replace">
!ar = !gnn.edge<"g.replace", tensor<2xf32>>
!m = !gnn.edge<"g", tensor<2x4xf32>>

// The loops of the library's edge_softmax and of the sum after it.
// CHECK-LABEL: @attention
// CHECK: "inter.for_nodes"
// CHECK-NOT: "inter.for_incoming"
// CHECK: [[L:%.*]] = "inter.softmax_incoming"(%arg0, {{.*}}) ({
// CHECK-NEXT: ^bb0([[E:%.*]]: !inter.cursor<"edge", "g">):
// CHECK-NEXT: [[N:%.*]] = "inter.src"([[E]])
// CHECK-NEXT: [[A:%.*]] = "inter.at"(%arg2, [[N]])
// CHECK-NEXT: [[B:%.*]] = "gnn.activation"([[A]]) {function = "leaky_relu"
// CHECK-NEXT: [[V:%.*]] = "inter.at"(%arg1, [[N]])
// CHECK-NEXT: smt.yield [[B]], [[V]]
// CHECK-NEXT: }) : (!gnn.graph<"g">, !inter.cursor<"node", "g">) -> !inter.results
// CHECK-NEXT: [[Y:%.*]] = "inter.result"([[L]]) {index = 0 : i64}
// CHECK-NEXT: smt.yield [[Y]] : tensor<2x4xf32>
func.func @attention(%g: !g, %z: !z, %s: !s) -> !z {
  %0 = "gnn.gather"(%g, %s) {end = "src"} : (!g, !s) -> !a
  %1 = "gnn.activation"(%0) {function = "leaky_relu", slope = 0.2 : f64} : (!a) -> !a
  %2 = "gnn.aggregate"(%g, %1) {reduce = "max", direction = "in"} : (!g, !a) -> !s
  %3 = "gnn.gather"(%g, %2) {end = "dst"} : (!g, !s) -> !a
  %4 = "gnn.subtract"(%1, %3) : (!a, !a) -> !a
  %5 = "gnn.activation"(%4) {function = "exp"} : (!a) -> !a
  %6 = "gnn.aggregate"(%g, %5) {reduce = "sum", direction = "in"} : (!g, !a) -> !s
  %7 = "gnn.gather"(%g, %6) {end = "dst"} : (!g, !s) -> !a
  %8 = "gnn.divide"(%5, %7) : (!a, !a) -> !a
  %9 = "gnn.aggregate"(%g, %z, %8) {reduce = "sum", direction = "in"} : (!g, !z, !a) -> !z
  return %9 : !z
}

// Listing 1 of Pigeon has no maximum; further factors are part of the value; two sums share the logit.
// CHECK-LABEL: @listing
// CHECK: "inter.softmax_incoming"
// CHECK-NOT: "exp"
// CHECK: [[V:%.*]] = "gnn.multiply"({{.*}}) : (tensor<2xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
// CHECK: smt.yield {{.*}}, {{.*}}, {{.*}} : tensor<2xf32>, tensor<2x4xf32>, tensor<2x4xf32>
// CHECK-NOT: "inter.for_incoming"
// CHECK: return
func.func @listing(%g: !g, %z: !z, %a: !a, %c: !a) -> (!z, !z) {
  %0 = "gnn.activation"(%a) {function = "exp"} : (!a) -> !a
  %1 = "gnn.aggregate"(%g, %0) {reduce = "sum", direction = "in"} : (!g, !a) -> !s
  %2 = "gnn.gather"(%g, %1) {end = "dst"} : (!g, !s) -> !a
  %3 = "gnn.divide"(%0, %2) : (!a, !a) -> !a
  %4 = "gnn.multiply"(%3, %c) : (!a, !a) -> !a
  %5 = "gnn.aggregate"(%g, %z, %4) {reduce = "sum", direction = "in"} : (!g, !z, !a) -> !z
  %6 = "gnn.aggregate"(%g, %z, %3) {reduce = "sum", direction = "in"} : (!g, !z, !a) -> !z
  return %5, %6 : !z, !z
}

// A division after the loop gives the same result where every node has an edge.
// CHECK-LABEL: @behind
// CHECK: [[L:%.*]] = "inter.softmax_incoming"
// CHECK-NOT: "inter.for_incoming"
// CHECK-NOT: "gnn.divide"
// CHECK: return
func.func @behind(%g0: !g, %z: !z, %a0: !gnn.node<"g", tensor<2xf32>>) -> !z {
  %g = "gnn.edge_set"(%g0) {mode = "replace"} : (!g) -> !gr
  %a = "gnn.gather"(%g, %a0) {end = "src"} : (!gr, !s) -> !ar
  %0 = "gnn.activation"(%a) {function = "exp"} : (!ar) -> !ar
  %1 = "gnn.aggregate"(%g, %0) {reduce = "sum", direction = "in"} : (!gr, !ar) -> !s
  %2 = "gnn.aggregate"(%g, %z, %0) {reduce = "sum", direction = "in"} : (!gr, !z, !ar) -> !z
  %3 = "gnn.divide"(%2, %1) : (!z, !s) -> !z
  return %3 : !z
}

// A logit that is too expensive to be computed three times is computed in the only loop that is left.
// CHECK-LABEL: @dear
// CHECK-NOT: "inter.for_edges"
// CHECK: "inter.softmax_incoming"
// CHECK: "gnn.vector_inner"
// CHECK: return
func.func @dear(%g: !g, %k: !gnn.node<"g", tensor<2x64xf32>>, %z: !z) -> !z {
  %p = "gnn.gather"(%g, %k) {end = "src"} : (!g, !gnn.node<"g", tensor<2x64xf32>>) -> !gnn.edge<"g", tensor<2x64xf32>>
  %q = "gnn.gather"(%g, %k) {end = "dst"} : (!g, !gnn.node<"g", tensor<2x64xf32>>) -> !gnn.edge<"g", tensor<2x64xf32>>
  %1 = "gnn.vector_inner"(%q, %p) : (!gnn.edge<"g", tensor<2x64xf32>>, !gnn.edge<"g", tensor<2x64xf32>>) -> !a
  %2 = "gnn.aggregate"(%g, %1) {reduce = "max", direction = "in"} : (!g, !a) -> !s
  %3 = "gnn.gather"(%g, %2) {end = "dst"} : (!g, !s) -> !a
  %4 = "gnn.subtract"(%1, %3) : (!a, !a) -> !a
  %5 = "gnn.activation"(%4) {function = "exp"} : (!a) -> !a
  %6 = "gnn.aggregate"(%g, %5) {reduce = "sum", direction = "in"} : (!g, !a) -> !s
  %7 = "gnn.gather"(%g, %6) {end = "dst"} : (!g, !s) -> !a
  %8 = "gnn.divide"(%5, %7) : (!a, !a) -> !a
  %9 = "gnn.aggregate"(%g, %z, %8) {reduce = "sum", direction = "in"} : (!g, !z, !a) -> !z
  return %9 : !z
}

// One loop over the nodes has two softmaxes.
// CHECK-LABEL: @two
// CHECK-COUNT-2: "inter.softmax_incoming"
// CHECK-NOT: "inter.for_incoming"
// CHECK: return
func.func @two(%g: !g, %z: !z, %a: !a, %b: !a) -> (!z, !z) {
  %0 = "gnn.activation"(%a) {function = "exp"} : (!a) -> !a
  %1 = "gnn.activation"(%b) {function = "exp"} : (!a) -> !a
  %2 = "gnn.aggregate"(%g, %0) {reduce = "sum", direction = "in"} : (!g, !a) -> !s
  %3 = "gnn.aggregate"(%g, %1) {reduce = "sum", direction = "in"} : (!g, !a) -> !s
  %4 = "gnn.gather"(%g, %2) {end = "dst"} : (!g, !s) -> !a
  %5 = "gnn.gather"(%g, %3) {end = "dst"} : (!g, !s) -> !a
  %6 = "gnn.divide"(%0, %4) : (!a, !a) -> !a
  %7 = "gnn.divide"(%1, %5) : (!a, !a) -> !a
  %8 = "gnn.aggregate"(%g, %z, %6) {reduce = "sum", direction = "in"} : (!g, !z, !a) -> !z
  %9 = "gnn.aggregate"(%g, %z, %7) {reduce = "sum", direction = "in"} : (!g, !z, !a) -> !z
  return %8, %9 : !z, !z
}
