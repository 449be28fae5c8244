// gnn-fuse-activation moves activations and biases into the layers before them.
// RUN: gnn-opt --pass-pipeline=gnn-fuse-activation %s | FileCheck %s

!x = !gnn.node<"g", tensor<8xf32>>

// CHECK-LABEL: @activations
// CHECK-NEXT: "gnn.aggregate"(%arg0, %arg1) {activation = "relu", direction = "in", reduce = "max"}
// CHECK-NEXT: "gnn.linear"(%arg1, %arg2) {activation = "leaky_relu"{{.*}}slope = 2.000000e-01 : f64}
// CHECK-NEXT: "gnn.vector_inner"(%arg1, %arg1) {activation = "sigmoid"}
// CHECK-NEXT: "gnn.vector_add"(%arg1, %arg1) {activation = "tanh"}
// CHECK-NEXT: return
func.func @activations(%g: !gnn.graph<"g">, %x: !x, %w: tensor<8x8xf32>) -> (!x, !x, !gnn.node<"g", f32>, !x) {
  %0 = "gnn.aggregate"(%g, %x) {reduce = "max", direction = "in"} : (!gnn.graph<"g">, !x) -> !x
  %1 = "gnn.activation"(%0) {function = "relu"} : (!x) -> !x
  %2 = "gnn.linear"(%x, %w) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!x, tensor<8x8xf32>) -> !x
  %3 = "gnn.activation"(%2) {function = "leaky_relu", slope = 0.2 : f64} : (!x) -> !x
  %4 = "gnn.vector_inner"(%x, %x) : (!x, !x) -> !gnn.node<"g", f32>
  %5 = "gnn.activation"(%4) {function = "sigmoid"} : (!gnn.node<"g", f32>) -> !gnn.node<"g", f32>
  %6 = "gnn.vector_add"(%x, %x) : (!x, !x) -> !x
  %7 = "gnn.activation"(%6) {function = "tanh"} : (!x) -> !x
  return %1, %3, %5, %7 : !x, !x, !gnn.node<"g", f32>, !x
}

// The layer takes all numbers of a function.
// CHECK-LABEL: @numbers
// CHECK-NEXT: "gnn.linear"(%arg0, %arg1, %arg2) {activation = "clamp", high = 2.000000e+00 : f64, low = -1.000000e+00 : f64, operandSegmentSizes
// CHECK-NEXT: "gnn.binary"(%arg0, %arg0) {function = "atan2"}
// CHECK-NEXT: "gnn.activation"({{.*}}) {alpha = 5.000000e-01 : f64, function = "elu"}
// CHECK-NEXT: return
func.func @numbers(%x: !x, %w: tensor<8x8xf32>, %b: tensor<8xf32>) -> (!x, !x) {
  %0 = "gnn.linear"(%x, %w) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!x, tensor<8x8xf32>) -> !x
  %1 = "gnn.vector_add"(%0, %b) {activation = "clamp", low = -1.0 : f64, high = 2.0 : f64} : (!x, tensor<8xf32>) -> !x
  %2 = "gnn.binary"(%x, %x) {function = "atan2"} : (!x, !x) -> !x
  %3 = "gnn.activation"(%2) {function = "elu", alpha = 0.5 : f64} : (!x) -> !x
  return %1, %3 : !x, !x
}

// The layer takes a bias and then an activation; a second bias is added to the first, once for all rows.
// CHECK-LABEL: @biases
// CHECK-NEXT: [[B:%.*]] = "gnn.vector_add"(%arg2, %arg3) : (tensor<8xf32>, tensor<8xf32>)
// CHECK-NEXT: [[Y:%.*]] = "gnn.linear"(%arg0, %arg1, [[B]]) {activation = "relu", operandSegmentSizes = array<i32: 1, 1, 1, 0>}
// CHECK-NEXT: return [[Y]]
func.func @biases(%x: !x, %w: tensor<8x8xf32>, %b: tensor<8xf32>, %c: tensor<8xf32>) -> !x {
  %0 = "gnn.linear"(%x, %w) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!x, tensor<8x8xf32>) -> !x
  %1 = "gnn.vector_add"(%b, %0) : (tensor<8xf32>, !x) -> !x
  %2 = "gnn.vector_add"(%1, %c) : (!x, tensor<8xf32>) -> !x
  %3 = "gnn.activation"(%2) {function = "relu"} : (!x) -> !x
  return %3 : !x
}

// SAGE: of two linear layers the later takes the earlier, bias and activation too.
// CHECK-LABEL: @addends
// CHECK-NEXT: [[A:%.*]] = "gnn.linear"(%arg0, %arg1, %arg2) {operandSegmentSizes = array<i32: 1, 1, 1, 0>}
// CHECK-NEXT: [[Y:%.*]] = "gnn.linear"(%arg0, %arg1, [[A]]) {activation = "relu", operandSegmentSizes = array<i32: 1, 1, 0, 1>}
// CHECK-NEXT: return [[Y]]
func.func @addends(%x: !x, %w: tensor<8x8xf32>, %b: tensor<8xf32>) -> !x {
  %0 = "gnn.linear"(%x, %w) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!x, tensor<8x8xf32>) -> !x
  %1 = "gnn.vector_add"(%0, %b) : (!x, tensor<8xf32>) -> !x
  %2 = "gnn.linear"(%x, %w) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!x, tensor<8x8xf32>) -> !x
  %3 = "gnn.vector_add"(%2, %1) : (!x, !x) -> !x
  %4 = "gnn.activation"(%3) {function = "relu"} : (!x) -> !x
  return %4 : !x
}

// The bias of an addend becomes the layer's bias.
// CHECK-LABEL: @addend_with_bias
// CHECK-NEXT: [[A:%.*]] = "gnn.aggregate"
// CHECK-NEXT: [[Y:%.*]] = "gnn.linear"(%arg1, %arg2, %arg3, [[A]])
// CHECK-NEXT: return [[Y]]
func.func @addend_with_bias(%g: !gnn.graph<"g">, %x: !x, %w: tensor<8x8xf32>, %b: tensor<8xf32>) -> !x {
  %0 = "gnn.aggregate"(%g, %x) {reduce = "mean", direction = "in"} : (!gnn.graph<"g">, !x) -> !x
  %1 = "gnn.vector_add"(%0, %b) : (!x, tensor<8xf32>) -> !x
  %2 = "gnn.linear"(%x, %w) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!x, tensor<8x8xf32>) -> !x
  %3 = "gnn.vector_add"(%1, %2) : (!x, !x) -> !x
  return %3 : !x
}
