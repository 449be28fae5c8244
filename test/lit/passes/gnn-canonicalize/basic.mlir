// gnn-canonicalize simplifies arithmetic without a change of rounding.
// RUN: gnn-opt --pass-pipeline=gnn-canonicalize %s | FileCheck %s

// Arithmetic on constants is done by the compiler.
// CHECK-LABEL: @constants
// CHECK-DAG: [[A:%.*]] = "gnn.constant"() {value = 3.000000e+00 : f64}
// CHECK-DAG: [[B:%.*]] = "gnn.constant"() {value = 1.000000e+00 : f64}
// CHECK-DAG: [[C:%.*]] = "gnn.constant"() {value = -2.000000e-01 : f64}
// CHECK: return [[A]], [[B]], [[C]]
func.func @constants() -> (f32, f32, f32) {
  %0 = "gnn.constant"() {value = 9.0 : f64} : () -> f32
  %1 = "gnn.constant"() {value = 2.0 : f64} : () -> f32
  %2 = "gnn.activation"(%0) {function = "sqrt"} : (f32) -> f32
  %3 = "gnn.compare"(%1, %0) {predicate = "lt"} : (f32, f32) -> f32
  %4 = "gnn.constant"() {value = -1.0 : f64} : () -> f32
  %5 = "gnn.activation"(%4) {function = "leaky_relu", slope = 0.2 : f64} : (f32) -> f32
  return %2, %3, %5 : f32, f32, f32
}

// Constants follow the formulas of support/elementwise.def. The program computes results that are
// not finite, and functions that jump where fp32 arithmetic may be on the other side of the jump.
// CHECK-LABEL: @functions
// CHECK-DAG: [[A:%.*]] = "gnn.constant"() {value = 8.000000e+00 : f64}
// CHECK-DAG: [[B:%.*]] = "gnn.constant"() {value = 7.500000e-01 : f64}
// CHECK-DAG: [[C:%.*]] = "gnn.activation"({{.*}}) {function = "round"}
// CHECK-DAG: [[D:%.*]] = "gnn.constant"() {value = 1.5707963267948966 : f64}
// CHECK-DAG: [[E:%.*]] = "gnn.constant"() {value = -1.000000e+00 : f64}
// CHECK: [[F:%.*]] = "gnn.activation"({{.*}}) {function = "log"}
// CHECK: return [[A]], [[B]], [[C]], [[D]], [[E]], [[F]]
func.func @functions() -> (f32, f32, f32, f32, f32, f32) {
  %two = "gnn.constant"() {value = 2.0 : f64} : () -> f32
  %three = "gnn.constant"() {value = 3.0 : f64} : () -> f32
  %half = "gnn.constant"() {value = 2.5 : f64} : () -> f32
  %below = "gnn.constant"() {value = -7.0 : f64} : () -> f32
  %zero = "gnn.constant"() {value = 0.0 : f64} : () -> f32
  %0 = "gnn.binary"(%two, %three) {function = "pow"} : (f32, f32) -> f32
  %1 = "gnn.activation"(%two) {function = "clamp", low = -1.0 : f64, high = 0.75 : f64} : (f32) -> f32
  %2 = "gnn.activation"(%half) {function = "round"} : (f32) -> f32
  %3 = "gnn.binary"(%two, %zero) {function = "atan2"} : (f32, f32) -> f32
  %4 = "gnn.vector_add"(%below, %two) {activation = "sign"} : (f32, f32) -> f32
  %5 = "gnn.activation"(%zero) {function = "log"} : (f32) -> f32
  return %0, %1, %2, %3, %4, %5 : f32, f32, f32, f32, f32, f32
}

// CHECK-LABEL: @identities
// CHECK-SAME: %arg0
// CHECK-NEXT: return %arg0
func.func @identities(%x: !gnn.node<"g", tensor<4xf32>>) -> !gnn.node<"g", tensor<4xf32>> {
  %one = "gnn.constant"() {value = 1.0 : f64} : () -> f32
  %zero = "gnn.constant"() {value = 0.0 : f64} : () -> f32
  %0 = "gnn.multiply"(%x, %one) : (!gnn.node<"g", tensor<4xf32>>, f32) -> !gnn.node<"g", tensor<4xf32>>
  %1 = "gnn.multiply"(%one, %0) : (f32, !gnn.node<"g", tensor<4xf32>>) -> !gnn.node<"g", tensor<4xf32>>
  %2 = "gnn.vector_add"(%1, %zero) : (!gnn.node<"g", tensor<4xf32>>, f32) -> !gnn.node<"g", tensor<4xf32>>
  %3 = "gnn.subtract"(%2, %zero) : (!gnn.node<"g", tensor<4xf32>>, f32) -> !gnn.node<"g", tensor<4xf32>>
  %4 = "gnn.divide"(%3, %one) : (!gnn.node<"g", tensor<4xf32>>, f32) -> !gnn.node<"g", tensor<4xf32>>
  %5 = "gnn.activation"(%4) {function = "negate"} : (!gnn.node<"g", tensor<4xf32>>) -> !gnn.node<"g", tensor<4xf32>>
  %6 = "gnn.activation"(%5) {function = "negate"} : (!gnn.node<"g", tensor<4xf32>>) -> !gnn.node<"g", tensor<4xf32>>
  %7 = "gnn.maximum"(%6, %6) : (!gnn.node<"g", tensor<4xf32>>, !gnn.node<"g", tensor<4xf32>>) -> !gnn.node<"g", tensor<4xf32>>
  %8 = "gnn.select"(%one, %7, %5) : (f32, !gnn.node<"g", tensor<4xf32>>, !gnn.node<"g", tensor<4xf32>>) -> !gnn.node<"g", tensor<4xf32>>
  %9 = "gnn.reshape"(%8) {shape = array<i64: 2, 2>} : (!gnn.node<"g", tensor<4xf32>>) -> !gnn.node<"g", tensor<2x2xf32>>
  %10 = "gnn.transpose"(%9) : (!gnn.node<"g", tensor<2x2xf32>>) -> !gnn.node<"g", tensor<2x2xf32>>
  %11 = "gnn.transpose"(%10) : (!gnn.node<"g", tensor<2x2xf32>>) -> !gnn.node<"g", tensor<2x2xf32>>
  %12 = "gnn.reshape"(%11) {shape = array<i64: 4>} : (!gnn.node<"g", tensor<2x2xf32>>) -> !gnn.node<"g", tensor<4xf32>>
  return %12 : !gnn.node<"g", tensor<4xf32>>
}

// CHECK-LABEL: @negations
// CHECK: [[A:%.*]] = "gnn.subtract"(%arg0, %arg1)
// CHECK: [[B:%.*]] = "gnn.vector_add"(%arg0, %arg1)
// CHECK: [[C:%.*]] = "gnn.activation"([[A]]) {function = "relu"}
// CHECK: return [[A]], [[B]], [[C]]
func.func @negations(%x: tensor<4xf32>, %y: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %n = "gnn.activation"(%y) {function = "negate"} : (tensor<4xf32>) -> tensor<4xf32>
  %0 = "gnn.vector_add"(%n, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %1 = "gnn.subtract"(%x, %n) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %2 = "gnn.activation"(%0) {function = "relu"} : (tensor<4xf32>) -> tensor<4xf32>
  %3 = "gnn.activation"(%2) {function = "relu"} : (tensor<4xf32>) -> tensor<4xf32>
  return %0, %1, %3 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// The front end transposed a weight after its load; two transpositions cancel.
// CHECK-LABEL: @transposed_weights
// CHECK-NEXT: "gnn.linear"(%arg0, %arg1) {{.*}}transposed}
// CHECK-NEXT: "gnn.linear"(%arg0, %arg2) {operandSegmentSizes = array<i32: 1, 1, 0, 0>}
// CHECK-NEXT: return
func.func @transposed_weights(%x: !gnn.node<"g", tensor<8xf32>>, %w: tensor<4x8xf32>, %v: tensor<8x4xf32>)
    -> (!gnn.node<"g", tensor<4xf32>>, !gnn.node<"g", tensor<4xf32>>) {
  %0 = "gnn.transpose"(%w) : (tensor<4x8xf32>) -> tensor<8x4xf32>
  %1 = "gnn.linear"(%x, %0) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!gnn.node<"g", tensor<8xf32>>, tensor<8x4xf32>) -> !gnn.node<"g", tensor<4xf32>>
  %2 = "gnn.transpose"(%v) : (tensor<8x4xf32>) -> tensor<4x8xf32>
  %3 = "gnn.linear"(%x, %2) {operandSegmentSizes = array<i32: 1, 1, 0, 0>, transposed} : (!gnn.node<"g", tensor<8xf32>>, tensor<4x8xf32>) -> !gnn.node<"g", tensor<4xf32>>
  return %1, %3 : !gnn.node<"g", tensor<4xf32>>, !gnn.node<"g", tensor<4xf32>>
}
