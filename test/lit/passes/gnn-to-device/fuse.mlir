// An activation is part of the layer that makes its operand, or a layer of its own.
// RUN: gnn-opt --pass-pipeline=gnn-to-device %s | FileCheck %s
// RUN: gnn-opt --pass-pipeline="gnn-to-device{fuse=false}" %s | FileCheck %s --check-prefix=APART

// CHECK-LABEL: @relu
// CHECK: "device.gemm"{{.*}} {functions = ["relu"]
// CHECK-NOT: device.map
// APART-LABEL: @relu
// APART: [[Y:%.*]] = "device.gemm"
// APART-NOT: functions
// APART: [[Z:%.*]] = "device.map"([[Y]]) {functions = ["relu"]}
// APART: "device.vadd"
func.func @relu(%g: !gnn.graph<"g">, %x: !gnn.node<"g", tensor<8xf32>>) -> !gnn.node<"g", tensor<8xf32>> {
  %w = ml_program.global_load_const @w : tensor<8x8xf32>
  %y = "gnn.linear"(%x, %w) {activation = "relu", operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!gnn.node<"g", tensor<8xf32>>, tensor<8x8xf32>) -> !gnn.node<"g", tensor<8xf32>>
  %z = "gnn.vector_add"(%y, %x) : (!gnn.node<"g", tensor<8xf32>>, !gnn.node<"g", tensor<8xf32>>) -> !gnn.node<"g", tensor<8xf32>>
  return %z : !gnn.node<"g", tensor<8xf32>>
}
ml_program.global private @w(#ml_program.extern) : tensor<8x8xf32>
