// gnn-train-mode makes the function of training: weights are arguments, and the body is there in training and in evaluation.
// RUN: gnn-opt --split-input-file --pass-pipeline=gnn-train-mode,gnn-cse,gnn-dce %s | FileCheck %s

!x = !gnn.node<"g", tensor<4xf32>>
!y = !gnn.node<"g", tensor<2xf32>>

// Dropout is live in training alone. The weight is an argument with the attributes that it had.
// CHECK-LABEL: module attributes {gnn.training} {
// CHECK-NEXT:  func.func @drop(%arg0: {{[^,]*}}, %arg1: {{[^{]*}}{gnn.name = "x"}, %arg2: tensor<4x2xf32> {gnn.from = "lin.weight", gnn.init = "glorot", gnn.name = "W", gnn.weight})
// CHECK-SAME:    -> (!gnn.node<"g", tensor<2xf32>> {gnn.name = "y", gnn.of = "evaluate"}, f32 {gnn.loss, gnn.name = "l", gnn.of = "evaluate"}, f32 {gnn.loss, gnn.name = "l", gnn.of = "gradients"})
// CHECK:         [[D:%.*]] = "gnn.dropout"(%arg1) {p = 5.000000e-01 : f64, site = 0 : i64}
// CHECK:         [[T:%.*]] = "gnn.linear"([[D]], %arg2)
// CHECK:         [[LT:%.*]] = "gnn.total"(%arg0, {{%.*}}) {reduce = "sum"}
// CHECK:         [[E:%.*]] = "gnn.linear"(%arg1, %arg2)
// CHECK:         [[LE:%.*]] = "gnn.total"(%arg0, {{%.*}}) {reduce = "sum"}
// CHECK:         return [[E]], [[LE]], [[LT]]
module attributes {gnn.training} {
  ml_program.global private @W(#ml_program.extern) : tensor<4x2xf32> {gnn.from = "lin.weight", gnn.init = "glorot", gnn.name = "W"}
  func.func @drop(%g: !gnn.graph<"g">, %x: !x {gnn.name = "x"}) -> (!y {gnn.name = "y"}, f32 {gnn.name = "l", gnn.loss}) {
    %w = ml_program.global_load_const @W : tensor<4x2xf32>
    %d = "gnn.dropout"(%x) {p = 0.5 : f64, site = 0 : i64} : (!x) -> !x
    %y = "gnn.linear"(%d, %w) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!x, tensor<4x2xf32>) -> !y
    %s = "gnn.reduce"(%y) {function = "sum"} : (!y) -> !gnn.node<"g", f32>
    %l = "gnn.total"(%g, %s) {reduce = "sum"} : (!gnn.graph<"g">, !gnn.node<"g", f32>) -> f32
    return %y, %l : !y, f32
  }
}

// -----

!x = !gnn.node<"g", tensor<4xf32>>

// A batch norm has the statistics of all rows in training, and running ones in evaluation; results move the running ones.
// CHECK-LABEL: func.func @norm(
// CHECK-SAME:    tensor<4xf32> {gnn.name = "running_mean", gnn.of = "gradients", gnn.update}, tensor<4xf32> {gnn.name = "running_var", gnn.of = "gradients", gnn.update})
// CHECK:         [[N:%.*]] = "gnn.contract"(%arg0, {{%.*}}) : (!gnn.graph<"g">, !gnn.node<"g", f32>) -> f32
// CHECK:         [[S:%.*]] = "gnn.contract"(%arg0, %arg1) : (!gnn.graph<"g">, !gnn.node<"g", tensor<4xf32>>) -> tensor<4xf32>
// CHECK:         [[M:%.*]] = "gnn.divide"([[S]], {{%.*}})
// CHECK:         [[V:%.*]] = "gnn.divide"({{%.*}}, {{%.*}}) : (tensor<4xf32>, f32) -> tensor<4xf32>
// CHECK:         "gnn.batch_norm"(%arg1, [[M]], [[V]], %arg4, %arg5)
// CHECK:         "gnn.batch_norm"(%arg1, %arg2, %arg3, %arg4, %arg5)
module attributes {gnn.training} {
  ml_program.global private @m(#ml_program.extern) : tensor<4xf32> {gnn.from = "running_mean", gnn.name = "running_mean", gnn.frozen}
  ml_program.global private @v(#ml_program.extern) : tensor<4xf32> {gnn.from = "running_var", gnn.name = "running_var", gnn.frozen}
  ml_program.global private @a(#ml_program.extern) : tensor<4xf32> {gnn.from = "weight", gnn.name = "weight"}
  ml_program.global private @b(#ml_program.extern) : tensor<4xf32> {gnn.from = "bias", gnn.name = "bias"}
  func.func @norm(%g: !gnn.graph<"g">, %x: !x {gnn.name = "x"}) -> (f32 {gnn.name = "l", gnn.loss}) {
    %m = ml_program.global_load_const @m : tensor<4xf32>
    %v = ml_program.global_load_const @v : tensor<4xf32>
    %a = ml_program.global_load_const @a : tensor<4xf32>
    %b = ml_program.global_load_const @b : tensor<4xf32>
    %y = "gnn.batch_norm"(%x, %m, %v, %a, %b) {epsilon = 1.0e-5 : f64} : (!x, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> !x
    %s = "gnn.reduce"(%y) {function = "sum"} : (!x) -> !gnn.node<"g", f32>
    %l = "gnn.total"(%g, %s) {reduce = "sum"} : (!gnn.graph<"g">, !gnn.node<"g", f32>) -> f32
    return %l : f32
  }
}

// -----

!x = !gnn.node<"g", tensor<4xf32>>
!y = !gnn.node<"g", tensor<2xf32>>

// A weight that a module may lack is left out where no result depends on it, with what reads it; another one stays.
// CHECK-LABEL: module attributes {gnn.training} {
// CHECK-NEXT:  func.func @optional(%arg0: {{[^,]*}}, %arg1: {{[^{]*}}{gnn.name = "x"}, %arg2: tensor<4x2xf32> {gnn.from = "W", gnn.name = "W", gnn.weight}, %arg3: tensor<2xf32> {gnn.from = "kept", gnn.name = "kept", gnn.weight})
// CHECK-SAME:    -> (
module attributes {gnn.training} {
  ml_program.global private @W(#ml_program.extern) : tensor<4x2xf32> {gnn.from = "W", gnn.name = "W", gnn.optional}
  ml_program.global private @P(#ml_program.extern) : tensor<4x2xf32> {gnn.from = "P", gnn.name = "P", gnn.optional}
  ml_program.global private @kept(#ml_program.extern) : tensor<2xf32> {gnn.from = "kept", gnn.name = "kept"}
  func.func @optional(%g: !gnn.graph<"g">, %x: !x {gnn.name = "x"}) -> (!y {gnn.name = "y"}, f32 {gnn.name = "l", gnn.loss}) {
    %w = ml_program.global_load_const @W : tensor<4x2xf32>
    %p = ml_program.global_load_const @P : tensor<4x2xf32>
    %k = ml_program.global_load_const @kept : tensor<2xf32>
    %t = "gnn.transpose"(%p) : (tensor<4x2xf32>) -> tensor<2x4xf32>
    %y = "gnn.linear"(%x, %w) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!x, tensor<4x2xf32>) -> !y
    %u = "gnn.transpose"(%t) : (tensor<2x4xf32>) -> tensor<4x2xf32>
    %s = "gnn.reduce"(%y) {function = "sum"} : (!y) -> !gnn.node<"g", f32>
    %l = "gnn.total"(%g, %s) {reduce = "sum"} : (!gnn.graph<"g">, !gnn.node<"g", f32>) -> f32
    return %y, %l : !y, f32
  }
}
