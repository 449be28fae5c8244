// The backward pass of attention: the sum of a d is dy . y, and the weights are exp(l - L) with L = max + log(sum) per node,
// so that no value per edge lives from the forward pass to here.
// RUN: gnn-opt -O2 --pass-pipeline=gnn-differentiate,gnn-canonicalize,gnn-cse,gnn-dce %s | FileCheck %s
// Below -O2 the weights are read.
// RUN: gnn-opt -O0 --pass-pipeline=gnn-differentiate %s | FileCheck %s --check-prefix=O0

!g = !gnn.graph<"g">
!z = !gnn.node<"g", tensor<2x4xf32>>
!s = !gnn.node<"g", tensor<2xf32>>
!a = !gnn.edge<"g", tensor<2xf32>>

// CHECK-LABEL: func.func @attention(
// CHECK:     [[L:%.*]] = "gnn.multiply"(%arg1,
// CHECK:     [[M:%.*]] = "gnn.aggregate"(%arg0, [[L]]) {direction = "in", reduce = "max"}
// CHECK:     [[SUM:%.*]] = "gnn.aggregate"(%arg0, {{%.*}}) {direction = "in", reduce = "sum"}
// CHECK:     [[LOG:%.*]] = "gnn.activation"([[SUM]]) {function = "log"}
// CHECK:     [[LS:%.*]] = "gnn.vector_add"([[M]], [[LOG]])
// CHECK:     [[G:%.*]] = "gnn.gather"(%arg0, [[LS]]) {end = "dst"}
// CHECK:     [[D:%.*]] = "gnn.subtract"([[L]], [[G]])
// CHECK:     [[W:%.*]] = "gnn.activation"([[D]]) {function = "exp"}
// CHECK:     [[Y:%.*]] = "gnn.aggregate"(%arg0, %arg2,
// CHECK:     [[DELTA:%.*]] = "gnn.vector_inner"({{%.*}}, [[Y]])
// CHECK-NOT: "gnn.aggregate"
// CHECK:     [[AT:%.*]] = "gnn.gather"(%arg0, [[DELTA]]) {end = "dst"}
// CHECK:     [[REST:%.*]] = "gnn.subtract"({{%.*}}, [[AT]])
// CHECK:     "gnn.multiply"([[W]], [[REST]])
// O0-NOT:    function = "log"
module attributes {gnn.training} {
  func.func @attention(%g: !g, %x: !a, %z: !z, %c: !z, %w: f32 {gnn.name = "w", gnn.weight}) -> (f32 {gnn.name = "l", gnn.loss, gnn.of = "gradients"}) {
    %l = "gnn.multiply"(%x, %w) : (!a, f32) -> !a
    %m = "gnn.aggregate"(%g, %l) {direction = "in", reduce = "max"} : (!g, !a) -> !s
    %mg = "gnn.gather"(%g, %m) {end = "dst"} : (!g, !s) -> !a
    %d = "gnn.subtract"(%l, %mg) : (!a, !a) -> !a
    %e = "gnn.activation"(%d) {function = "exp"} : (!a) -> !a
    %s = "gnn.aggregate"(%g, %e) {direction = "in", reduce = "sum"} : (!g, !a) -> !s
    %sg = "gnn.gather"(%g, %s) {end = "dst"} : (!g, !s) -> !a
    %p = "gnn.divide"(%e, %sg) : (!a, !a) -> !a
    %y = "gnn.aggregate"(%g, %z, %p) {direction = "in", reduce = "sum"} : (!g, !z, !a) -> !z
    %i = "gnn.vector_inner"(%y, %c) : (!z, !z) -> !s
    %r = "gnn.reduce"(%i) {function = "sum"} : (!s) -> !gnn.node<"g", f32>
    %t = "gnn.total"(%g, %r) {reduce = "sum"} : (!g, !gnn.node<"g", f32>) -> f32
    return %t : f32
  }
}
