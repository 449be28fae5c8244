// A program of derivatives takes the adjoint of each output, and has gradients of weights and of the inputs that gnn.backward names.
// RUN: gnn-opt --split-input-file --pass-pipeline=gnn-train-mode,gnn-differentiate,gnn-canonicalize,gnn-cse,gnn-dce %s | FileCheck %s
// RUN: gnn-opt --split-input-file --pass-pipeline=gnn-train-mode,gnn-differentiate,gnn-canonicalize,gnn-cse,gnn-dce,gnn-separate-bind,gnn-split-run %s | FileCheck %s --check-prefix=SPLIT

!x = !gnn.node<"g", tensor<4xf32>>
!y = !gnn.node<"g", tensor<2xf32>>

// CHECK-LABEL: func.func @one(
// CHECK-SAME:    %arg1: !gnn.node<"g", tensor<4xf32>> {gnn.name = "x"}, %arg2: !gnn.node<"g", tensor<4xf32>> {gnn.name = "z"}, %arg3: tensor<4x2xf32> {gnn.name = "W", gnn.weight}, %arg4: !gnn.node<"g", tensor<2xf32>> {gnn.adjoint, gnn.name = "d_y"})
// CHECK-SAME:    gnn.name = "y", gnn.of = "evaluate"}, {{.*}} {gnn.name = "y", gnn.of = "forward"}, tensor<4x2xf32> {gnn.gradient, gnn.name = "W", gnn.of = "backward"}, !gnn.node<"g", tensor<4xf32>> {gnn.input_gradient, gnn.name = "x", gnn.of = "backward"})
// CHECK:         [[S:%.*]] = "gnn.vector_add"(%arg1, %arg2)
// CHECK:         [[Y:%.*]] = "gnn.linear"([[S]], %arg3)
// CHECK:         [[X:%.*]] = "gnn.linear"(%arg4, %arg3) {{.*}}transposed
// CHECK:         [[W:%.*]] = "gnn.contract"(%arg0, [[S]], %arg4)
// CHECK:         return [[Y]], [[Y]], [[W]], [[X]]
// SPLIT:       func.func @one.forward({{.*}} -> (!gnn.node<"g", tensor<2xf32>> {gnn.name = "y", gnn.of = "forward"}) attributes {gnn.phase = "forward"}
// SPLIT:       func.func @one.evaluate(
// SPLIT:       func.func @one.backward({{.*}} -> (tensor<4x2xf32> {gnn.gradient, gnn.name = "W", gnn.of = "backward"}, !gnn.node<"g", tensor<4xf32>> {gnn.input_gradient, gnn.name = "x", gnn.of = "backward"}) attributes {gnn.phase = "backward"}
module attributes {gnn.training, gnn.backward = "x"} {
  ml_program.global private @W(#ml_program.extern) : tensor<4x2xf32> {gnn.name = "W"}
  func.func @one(%g: !gnn.graph<"g">, %x: !x {gnn.name = "x"}, %z: !x {gnn.name = "z"}) -> (!y {gnn.name = "y"}) {
    %w = ml_program.global_load_const @W : tensor<4x2xf32>
    %s = "gnn.vector_add"(%x, %z) : (!x, !x) -> !x
    %y = "gnn.linear"(%s, %w) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!x, tensor<4x2xf32>) -> !y
    return %y : !y
  }
}

// -----

!x = !gnn.node<"g", tensor<4xf32>>

// All inputs have gradients, also those that change nothing; of several outputs each has an adjoint. A loss is an output more.
// CHECK-LABEL: func.func @all(
// CHECK-SAME:    %arg3: !gnn.node<"g", tensor<4xf32>> {gnn.adjoint, gnn.name = "d_y"}, %arg4: f32 {gnn.adjoint, gnn.name = "d_l"})
// CHECK-SAME:    gnn.of = "forward"}, f32 {gnn.loss, gnn.name = "l", gnn.of = "forward"}, !gnn.node<"g", tensor<4xf32>> {gnn.input_gradient, gnn.name = "x", gnn.of = "backward"}, !gnn.node<"g", f32> {gnn.input_gradient, gnn.name = "z", gnn.of = "backward"})
// SPLIT:       func.func @all.backward(
module attributes {gnn.training, gnn.backward = "all"} {
  func.func @all(%g: !gnn.graph<"g">, %x: !x {gnn.name = "x"}, %z: !gnn.node<"g", f32> {gnn.name = "z"}) -> (!x {gnn.name = "y"}, f32 {gnn.name = "l", gnn.loss}) {
    %y = "gnn.activation"(%x) {function = "exp"} : (!x) -> !x
    %r = "gnn.reduce"(%y) {function = "sum"} : (!x) -> !gnn.node<"g", f32>
    %l = "gnn.total"(%g, %r) {reduce = "sum"} : (!gnn.graph<"g">, !gnn.node<"g", f32>) -> f32
    return %y, %l : !x, f32
  }
}
