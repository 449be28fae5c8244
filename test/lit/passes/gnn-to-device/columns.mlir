// Products with selections move columns; whole fibers need no move. Products of many heads use block-diagonal matrices.
// RUN: gnn-opt --pass-pipeline='gnn-to-device{width=4}' %s | FileCheck %s

!g = !gnn.graph<"g">
!x = !gnn.node<"g", tensor<8xf32>>
!z = !gnn.node<"g", tensor<2x4xf32>>
!p = !gnn.node<"g", tensor<2xf32>>
ml_program.global private @u(#ml_program.extern) : tensor<2x4xf32>
ml_program.global private @w(#ml_program.extern) : tensor<2x4x3xf32>

// CHECK-LABEL: @heads
// CHECK: [[S:%.*]] = "gnn.selection"() {rows = 2 : i64, shape = array<i64: 2, 4>, strides = array<i64: 1, 0>} : () -> tensor<2x8xf32>
// CHECK: [[T:%.*]] = "gnn.transpose"([[S]])
// CHECK: [[M:%.*]] = "gnn.multiply"({{.*}}, [[T]]) : (tensor<8xf32>, tensor<8x2xf32>) -> tensor<8x2xf32>
// CHECK: [[P:%.*]] = "device.gemm"([[X:%.*]], [[M]])
// CHECK: [[E:%.*]] = "device.gemm"([[P]], {{.*}}) {{.*}} -> !device.rows<"g", 8 : i64>
// CHECK: [[Y:%.*]] = "device.vadd"([[E]], {{.*}}) {function = "mul"}
// CHECK: [[B:%.*]] = "gnn.multiply"({{.*}}) : (tensor<8x6xf32>, tensor<8x6xf32>) -> tensor<8x6xf32>
// CHECK: "device.gemm"([[Y]], [[B]])
func.func @heads(%g: !g, %z: !z) -> !gnn.node<"g", tensor<2x3xf32>> {
  %u = ml_program.global_load_const @u : tensor<2x4xf32>
  %w = ml_program.global_load_const @w : tensor<2x4x3xf32>
  %p = "gnn.vector_inner"(%z, %u) : (!z, tensor<2x4xf32>) -> !p
  %y = "gnn.multiply"(%p, %z) : (!p, !z) -> !z
  %r = "gnn.linear"(%y, %w) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!z, tensor<2x4x3xf32>) -> !gnn.node<"g", tensor<2x3xf32>>
  return %r : !gnn.node<"g", tensor<2x3xf32>>
}

// CHECK-LABEL: @windows
// CHECK: [[C:%.*]] = "device.concat"({{.*}}) : {{.*}} -> !device.rows<"g", 10 : i64>
// CHECK: "device.columns"([[C]]) {begin = 4 : i64, width = 3 : i64}
// CHECK: "gnn.selection"() {begin = 3 : i64, rows = 10 : i64, shape = array<i64: 3>, strides = array<i64: 1>}
// CHECK: "device.gemm"([[C]]
func.func @windows(%g: !g, %x: !x, %p: !p) -> (!gnn.node<"g", tensor<3xf32>>, !gnn.node<"g", tensor<3xf32>>) {
  %c = "gnn.concat"(%x, %p) : (!x, !p) -> !gnn.node<"g", tensor<10xf32>>
  %a = "gnn.columns"(%c) {begin = 4 : i64, width = 3 : i64} : (!gnn.node<"g", tensor<10xf32>>) -> !gnn.node<"g", tensor<3xf32>>
  %b = "gnn.columns"(%c) {begin = 3 : i64, width = 3 : i64} : (!gnn.node<"g", tensor<10xf32>>) -> !gnn.node<"g", tensor<3xf32>>
  return %a, %b : !gnn.node<"g", tensor<3xf32>>, !gnn.node<"g", tensor<3xf32>>
}

// Maxima over columns by halves, sums by a product, the argument of the maximum by its number from the end.
// CHECK-LABEL: @reductions
// CHECK: "device.vadd"({{.*}}) {function = "max"}
// CHECK: "device.vadd"({{.*}}) {bcast, function = "sub", functions = ["exp"]}
// CHECK: [[I:%.*]] = "gnn.iota"() {size = 5 : i64}
// CHECK: "device.vadd"({{.*}}) {function = "max", functions = ["negate", "add_constant 5"]}
func.func @reductions(%g: !g, %x: !gnn.node<"g", tensor<5xf32>>) -> (!gnn.node<"g", tensor<5xf32>>, !gnn.node<"g", f32>) {
  %s = "gnn.softmax"(%x) : (!gnn.node<"g", tensor<5xf32>>) -> !gnn.node<"g", tensor<5xf32>>
  %a = "gnn.argmax"(%x) : (!gnn.node<"g", tensor<5xf32>>) -> !gnn.node<"g", f32>
  return %s, %a : !gnn.node<"g", tensor<5xf32>>, !gnn.node<"g", f32>
}

// A value with other users gets no function; a plain input is repeated for each node.
// CHECK-LABEL: @shared
// CHECK: [[Y:%.*]] = "device.vadd"([[X:%.*]], [[B:%.*]]) {bcast, function = "mul"} : (!device.rows<"g", 8 : i64>
// CHECK: "device.map"([[Y]]) {functions = ["relu"]}
func.func @shared(%g: !g, %x: !x, %k: f32) -> (!x, !x) {
  %y = "gnn.multiply"(%x, %k) : (!x, f32) -> !x
  %r = "gnn.activation"(%y) {function = "relu"} : (!x) -> !x
  return %y, %r : !x, !x
}
