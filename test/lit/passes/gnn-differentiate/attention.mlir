// The backward pass of attention: the sum of a d over the edges at a node is dy . y, so that it needs no loop over edges.
// RUN: gnn-opt -O2 --pass-pipeline=gnn-differentiate,gnn-canonicalize,gnn-cse,gnn-dce %s | FileCheck %s

!g = !gnn.graph<"g">
!z = !gnn.node<"g", tensor<2x4xf32>>
!s = !gnn.node<"g", tensor<2xf32>>
!a = !gnn.edge<"g", tensor<2xf32>>

// CHECK-LABEL: func.func @attention(
// CHECK:     [[A:%.*]] = "gnn.divide"(
// CHECK:     [[Y:%.*]] = "gnn.aggregate"(%arg0, %arg2, [[A]])
// CHECK-NOT: "gnn.aggregate"
// CHECK:     [[T:%.*]] = "gnn.vector_inner"({{%.*}}, {{%.*}}) : (!gnn.edge
// CHECK:     [[DELTA:%.*]] = "gnn.vector_inner"({{%.*}}, [[Y]])
// CHECK:     [[AT:%.*]] = "gnn.gather"(%arg0, [[DELTA]]) {end = "dst"}
// CHECK:     [[REST:%.*]] = "gnn.subtract"([[T]], [[AT]])
// CHECK:     "gnn.multiply"([[A]], [[REST]])
// CHECK-NOT: "gnn.aggregate"
// Where something else reads the weights, a sum over edges makes delta.
// CHECK-LABEL: func.func @read_twice(
// CHECK:     "gnn.total"
// CHECK:     "gnn.vector_inner"({{.*}}) : (!gnn.edge
// CHECK-NOT: "gnn.vector_inner"({{.*}}) : (!gnn.node
// CHECK:     [[W:%.*]] = "gnn.multiply"([[P:%.*]], [[DP:%.*]]) : (!gnn.edge
// CHECK:     "gnn.aggregate"(%arg0, [[W]]) {direction = "in", reduce = "sum"}
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
  func.func @read_twice(%g: !g, %x: !a, %z: !z, %c: !z, %w: f32 {gnn.name = "w", gnn.weight}) -> (f32 {gnn.name = "l", gnn.loss, gnn.of = "gradients"}) {
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
    %k = "gnn.activation"(%p) {function = "tanh"} : (!a) -> !a
    %q = "gnn.aggregate"(%g, %k) {direction = "in", reduce = "sum"} : (!g, !a) -> !s
    %qr = "gnn.reduce"(%q) {function = "sum"} : (!s) -> !gnn.node<"g", f32>
    %both = "gnn.vector_add"(%r, %qr) : (!gnn.node<"g", f32>, !gnn.node<"g", f32>) -> !gnn.node<"g", f32>
    %t = "gnn.total"(%g, %both) {reduce = "sum"} : (!g, !gnn.node<"g", f32>) -> f32
    return %t : f32
  }
}
