// The adjoint of the first values of each group goes back to the members, in the same order; where each edge carries the value of its
// other end, those of the edges of a node are added.
// RUN: gnn-opt --split-input-file --pass-pipeline=gnn-differentiate,gnn-canonicalize,gnn-cse,gnn-dce %s | FileCheck %s

!x = !gnn.node<"g", tensor<4xf32>>
!y = !gnn.node<"g", tensor<3x4xf32>>
!k = !gnn.edge<"g", f32>

// CHECK-LABEL: func.func @neighbours(
// CHECK:         [[O:%.*]] = "gnn.order"(%arg0, %arg1) {over = "in"}
// CHECK:         "gnn.first"(%arg0, {{%.*}}, [[O]]) {count = 3 : i64, over = "in"}
// CHECK:         [[D:%.*]] = "gnn.derivative"
// CHECK:         [[E:%.*]] = "gnn.place_first"(%arg0, [[D]], [[O]]) {over = "in"} : (!gnn.graph<"g">, !gnn.node<"g", tensor<3x4xf32>>, !gnn.edge<"g", f32>) -> !gnn.edge<"g", tensor<4xf32>>
// CHECK:         [[X:%.*]] = "gnn.aggregate"(%arg0, [[E]]) {direction = "out", reduce = "sum"}
// CHECK:         "gnn.contract"(%arg0, %arg2, [[X]])
module attributes {gnn.training} {
  func.func @neighbours(%g: !gnn.graph<"g">, %k: !k, %z: !gnn.node<"g", tensor<2xf32>>, %w: tensor<2x4xf32> {gnn.name = "W", gnn.weight})
      -> (f32 {gnn.name = "l", gnn.loss, gnn.of = "gradients"}) {
    %x = "gnn.linear"(%z, %w) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!gnn.node<"g", tensor<2xf32>>, tensor<2x4xf32>) -> !x
    %o = "gnn.order"(%g, %k) {over = "in"} : (!gnn.graph<"g">, !k) -> !k
    %y = "gnn.first"(%g, %x, %o) {count = 3 : i64, over = "in"} : (!gnn.graph<"g">, !x, !k) -> !y
    %t = "gnn.activation"(%y) {function = "tanh"} : (!y) -> !y
    %f = "gnn.reshape"(%t) {shape = array<i64: 12>} : (!y) -> !gnn.node<"g", tensor<12xf32>>
    %r = "gnn.reduce"(%f) {function = "sum"} : (!gnn.node<"g", tensor<12xf32>>) -> !gnn.node<"g", f32>
    %l = "gnn.total"(%g, %r) {reduce = "sum"} : (!gnn.graph<"g">, !gnn.node<"g", f32>) -> f32
    return %l : f32
  }
}

// -----

!x = !gnn.node<"g", tensor<4xf32>>
!y = !gnn.per<"graph", tensor<3x4xf32>>

// CHECK-LABEL: func.func @graphs(
// CHECK:         [[D:%.*]] = "gnn.derivative"
// CHECK:         [[N:%.*]] = "gnn.place_first"(%arg0, [[D]]) {over = "graph"} : (!gnn.graph<"g">, !gnn.per<"graph", tensor<3x4xf32>>) -> !gnn.node<"g", tensor<4xf32>>
// CHECK:         "gnn.contract"(%arg0, [[N]]) {{.*}} -> tensor<4xf32>
module attributes {gnn.training} {
  func.func @graphs(%g: !gnn.graph<"g">, %z: !x, %b: tensor<4xf32> {gnn.name = "b", gnn.weight})
      -> (f32 {gnn.name = "l", gnn.loss, gnn.of = "gradients"}) {
    %x = "gnn.vector_add"(%z, %b) : (!x, tensor<4xf32>) -> !x
    %y = "gnn.first"(%g, %x) {count = 3 : i64, over = "graph"} : (!gnn.graph<"g">, !x) -> !y
    %t = "gnn.activation"(%y) {function = "tanh"} : (!y) -> !y
    %f = "gnn.reshape"(%t) {shape = array<i64: 12>} : (!y) -> !gnn.per<"graph", tensor<12xf32>>
    %r = "gnn.reduce"(%f) {function = "sum"} : (!gnn.per<"graph", tensor<12xf32>>) -> !gnn.per<"graph", f32>
    %l = "gnn.contract"(%g, %r) : (!gnn.graph<"g">, !gnn.per<"graph", f32>) -> f32
    return %l : f32
  }
}
