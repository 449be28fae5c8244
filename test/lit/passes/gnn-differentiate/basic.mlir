// gnn-differentiate adds the gradients of the loss by the trained weights.
// RUN: gnn-opt --split-input-file --pass-pipeline=gnn-differentiate,gnn-canonicalize,gnn-cse,gnn-dce %s | FileCheck %s

!x = !gnn.node<"g", tensor<4xf32>>
!y = !gnn.node<"g", tensor<2xf32>>

// The gradient of a weight is a sum of outer products over nodes; the adjoint of a sum over incoming edges is one over outgoing edges.
// CHECK-LABEL: func.func @layer(
// CHECK-SAME:    tensor<4x2xf32> {gnn.gradient, gnn.name = "W", gnn.of = "gradients"}, tensor<2xf32> {gnn.gradient, gnn.name = "b", gnn.of = "gradients"})
// CHECK:         [[Z:%.*]] = "gnn.linear"(%arg1, %arg2)
// CHECK:         [[H:%.*]] = "gnn.activation"({{%.*}}) {function = "relu"}
// CHECK:         [[D:%.*]] = "gnn.derivative"({{%.*}}, [[H]]) {function = "relu", operandSegmentSizes = array<i32: 1, 0, 1>}
// CHECK:         [[B:%.*]] = "gnn.contract"(%arg0, [[D]]) {{.*}} -> tensor<2xf32>
// CHECK:         [[A:%.*]] = "gnn.aggregate"(%arg0, [[D]]) {direction = "out", reduce = "sum"}
// CHECK:         [[W:%.*]] = "gnn.contract"(%arg0, %arg1, [[A]]) {{.*}} -> tensor<4x2xf32>
// CHECK:         return {{%.*}}, [[W]], [[B]]
module attributes {gnn.training} {
  func.func @layer(%g: !gnn.graph<"g">, %x: !x, %w: tensor<4x2xf32> {gnn.name = "W", gnn.weight}, %b: tensor<2xf32> {gnn.name = "b", gnn.weight})
      -> (f32 {gnn.name = "l", gnn.loss, gnn.of = "gradients"}) {
    %z = "gnn.linear"(%x, %w) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!x, tensor<4x2xf32>) -> !y
    %a = "gnn.aggregate"(%g, %z) {direction = "in", reduce = "sum"} : (!gnn.graph<"g">, !y) -> !y
    %s = "gnn.vector_add"(%a, %b) : (!y, tensor<2xf32>) -> !y
    %h = "gnn.activation"(%s) {function = "relu"} : (!y) -> !y
    %r = "gnn.reduce"(%h) {function = "sum"} : (!y) -> !gnn.node<"g", f32>
    %l = "gnn.total"(%g, %r) {reduce = "sum"} : (!gnn.graph<"g">, !gnn.node<"g", f32>) -> f32
    return %l : f32
  }
}

// -----

!x = !gnn.edge<"g", tensor<4xf32>>
!y = !gnn.edge<"g", tensor<2xf32>>

// A weight per edge type gets a sum per type: no edge has a matrix. Frozen weights have no gradient.
// CHECK-LABEL: func.func @typed(
// CHECK-NOT:     gnn.name = "s", gnn.of
// CHECK:         "gnn.contract"(%arg0, %arg1, {{%.*}}) {count = 3 : i64, per = "etype"} : {{.*}} -> !gnn.per<"etype", tensor<4x2xf32>>
// CHECK-NOT:     gnn.outer
module attributes {gnn.training} {
  func.func @typed(%g: !gnn.graph<"g">, %x: !x, %w: !gnn.per<"etype", tensor<4x2xf32>> {gnn.name = "W", gnn.weight, gnn.count = 3 : i64}, %s: f32 {gnn.name = "s", gnn.weight, gnn.frozen})
      -> (f32 {gnn.name = "l", gnn.loss, gnn.of = "gradients"}) {
    %m = "gnn.slice"(%g, %w) {by = "edge"} : (!gnn.graph<"g">, !gnn.per<"etype", tensor<4x2xf32>>) -> !gnn.edge<"g", tensor<4x2xf32>>
    %y = "gnn.linear"(%x, %m) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!x, !gnn.edge<"g", tensor<4x2xf32>>) -> !y
    %a = "gnn.aggregate"(%g, %y) {direction = "in", reduce = "sum"} : (!gnn.graph<"g">, !y) -> !gnn.node<"g", tensor<2xf32>>
    %r = "gnn.reduce"(%a) {function = "sum"} : (!gnn.node<"g", tensor<2xf32>>) -> !gnn.node<"g", f32>
    %t = "gnn.total"(%g, %r) {reduce = "sum"} : (!gnn.graph<"g">, !gnn.node<"g", f32>) -> f32
    %l = "gnn.multiply"(%t, %s) : (f32, f32) -> f32
    return %l : f32
  }
}

// -----

!e = !gnn.edge<"g", f32>

// An edge softmax has one rule: a (d - sum of a d). The maximum, which only guards exp, has no part in it. The sum is dy y, because y is
// what the softmax weighs: no pass over edges computes it.
// CHECK-LABEL: func.func @softmax(
// CHECK:         [[A:%.*]] = "gnn.divide"
// CHECK:         [[Y:%.*]] = "gnn.aggregate"(%arg0, {{%.*}}) {direction = "in", reduce = "sum"}
// CHECK-NOT:     "gnn.aggregate"
// CHECK:         [[S:%.*]] = "gnn.multiply"({{%.*}}, [[Y]])
// CHECK:         [[G:%.*]] = "gnn.gather"(%arg0, [[S]]) {end = "dst"}
// CHECK:         [[R:%.*]] = "gnn.subtract"({{%.*}}, [[G]])
// CHECK:         [[L:%.*]] = "gnn.multiply"([[A]], [[R]])
module attributes {gnn.training} {
  func.func @softmax(%g: !gnn.graph<"g">, %x: !gnn.edge<"g", f32>, %c: !gnn.node<"g", f32>, %w: f32 {gnn.name = "w", gnn.weight})
      -> (f32 {gnn.name = "l", gnn.loss, gnn.of = "gradients"}) {
    %a = "gnn.multiply"(%x, %w) : (!e, f32) -> !e
    %m = "gnn.aggregate"(%g, %a) {direction = "in", reduce = "max"} : (!gnn.graph<"g">, !e) -> !gnn.node<"g", f32>
    %mg = "gnn.gather"(%g, %m) {end = "dst"} : (!gnn.graph<"g">, !gnn.node<"g", f32>) -> !e
    %d = "gnn.subtract"(%a, %mg) : (!e, !e) -> !e
    %e = "gnn.activation"(%d) {function = "exp"} : (!e) -> !e
    %s = "gnn.aggregate"(%g, %e) {direction = "in", reduce = "sum"} : (!gnn.graph<"g">, !e) -> !gnn.node<"g", f32>
    %sg = "gnn.gather"(%g, %s) {end = "dst"} : (!gnn.graph<"g">, !gnn.node<"g", f32>) -> !e
    %p = "gnn.divide"(%e, %sg) : (!e, !e) -> !e
    %q = "gnn.multiply"(%p, %x) : (!e, !e) -> !e
    %y = "gnn.aggregate"(%g, %q) {direction = "in", reduce = "sum"} : (!gnn.graph<"g">, !e) -> !gnn.node<"g", f32>
    %z = "gnn.multiply"(%y, %c) : (!gnn.node<"g", f32>, !gnn.node<"g", f32>) -> !gnn.node<"g", f32>
    %l = "gnn.total"(%g, %z) {reduce = "sum"} : (!gnn.graph<"g">, !gnn.node<"g", f32>) -> f32
    return %l : f32
  }
}

// -----

!l = !gnn.graph<"g.replace">

// Values of edges that a larger set has go back to the edges of its base. A value per graph of a batch leads to sums over graphs.
// CHECK-LABEL: func.func @restricted(
// CHECK:         [[P:%.*]] = "gnn.pool"
// CHECK:         "gnn.contract"(%arg0, [[P]], {{%.*}}) : (!gnn.graph<"g">, !gnn.per<"graph", tensor<2xf32>>, !gnn.per<"graph", tensor<3xf32>>) -> tensor<2x3xf32>
// CHECK:         [[R:%.*]] = "gnn.restrict_edges"({{%.*}}, {{%.*}}) : (!gnn.graph<"g.replace">, !gnn.edge<"g.replace", f32>) -> !gnn.edge<"g", f32>
module attributes {gnn.training} {
  func.func @restricted(%g: !gnn.graph<"g">, %e: !gnn.edge<"g", f32>, %x: !gnn.node<"g", tensor<2xf32>>, %v: f32 {gnn.name = "v", gnn.weight}, %w: tensor<2x3xf32> {gnn.name = "w", gnn.weight})
      -> (f32 {gnn.name = "l", gnn.loss, gnn.of = "gradients"}) {
    %s = "gnn.edge_set"(%g) {mode = "replace"} : (!gnn.graph<"g">) -> !l
    %f = "gnn.multiply"(%e, %v) : (!gnn.edge<"g", f32>, f32) -> !gnn.edge<"g", f32>
    %m = "gnn.extend_edges"(%s, %f) {fill = 1.0 : f64} : (!l, !gnn.edge<"g", f32>) -> !gnn.edge<"g.replace", f32>
    %y = "gnn.aggregate"(%s, %x, %m) {direction = "in", reduce = "sum"} : (!l, !gnn.node<"g", tensor<2xf32>>, !gnn.edge<"g.replace", f32>) -> !gnn.node<"g", tensor<2xf32>>
    %p = "gnn.pool"(%g, %y) {reduce = "mean"} : (!gnn.graph<"g">, !gnn.node<"g", tensor<2xf32>>) -> !gnn.per<"graph", tensor<2xf32>>
    %q = "gnn.linear"(%p, %w) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!gnn.per<"graph", tensor<2xf32>>, tensor<2x3xf32>) -> !gnn.per<"graph", tensor<3xf32>>
    %r = "gnn.reduce"(%q) {function = "sum"} : (!gnn.per<"graph", tensor<3xf32>>) -> !gnn.per<"graph", f32>
    %a = "gnn.slice"(%g, %r) {by = "node"} : (!gnn.graph<"g">, !gnn.per<"graph", f32>) -> !gnn.node<"g", f32>
    %l = "gnn.total"(%g, %a) {reduce = "sum"} : (!gnn.graph<"g">, !gnn.node<"g", f32>) -> f32
    return %l : f32
  }
}

// -----

!n = !gnn.node<"g", f32>

// A factor of a product gets the product of the others, also where one is 0; a median is a choice, to whose members the adjoint goes.
// CHECK-LABEL: func.func @choices(
// CHECK:         [[M:%.*]] = "gnn.quantile"(%arg0, %arg1)
// CHECK:         [[P:%.*]] = "gnn.aggregate"(%arg0, [[V:%.*]]) {direction = "in", reduce = "prod"}
// CHECK:         [[Z:%.*]] = "gnn.compare"([[V]], {{%.*}}) {predicate = "eq"}
// CHECK:         "gnn.aggregate"(%arg0, [[Z]]) {direction = "in", reduce = "sum"}
// CHECK:         "gnn.aggregate"(%arg0, {{%.*}}) {direction = "in", reduce = "prod"}
// CHECK:         [[L:%.*]] = "gnn.gather"(%arg0, [[M]]) {end = "dst"}
// CHECK:         "gnn.compare"({{%.*}}, [[L]]) {predicate = "eq"}
module attributes {gnn.training} {
  func.func @choices(%g: !gnn.graph<"g">, %x: !gnn.edge<"g", f32> {gnn.name = "x", gnn.weight}, %w: f32 {gnn.name = "w", gnn.weight})
      -> (f32 {gnn.name = "l", gnn.loss, gnn.of = "gradients"}) {
    %m = "gnn.quantile"(%g, %x) {q = 0.5 : f64, interpolation = "lower", over = "in"} : (!gnn.graph<"g">, !gnn.edge<"g", f32>) -> !n
    %v = "gnn.multiply"(%x, %w) : (!gnn.edge<"g", f32>, f32) -> !gnn.edge<"g", f32>
    %p = "gnn.aggregate"(%g, %v) {direction = "in", reduce = "prod"} : (!gnn.graph<"g">, !gnn.edge<"g", f32>) -> !n
    %s = "gnn.vector_add"(%m, %p) : (!n, !n) -> !n
    %l = "gnn.total"(%g, %s) {reduce = "sum"} : (!gnn.graph<"g">, !n) -> f32
    return %l : f32
  }
}
