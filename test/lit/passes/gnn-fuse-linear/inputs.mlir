// Weights that depend on inputs change between runs, so a target that multiplies weights in advance does not fuse them.
// RUN: gnn-opt --pass-pipeline=gnn-fuse-linear %s | FileCheck %s
// RUN: gnn-opt --pass-pipeline="gnn-fuse-linear{inputs=false}" --remarks=gnn-fuse-linear %s 2>%t.remarks | FileCheck %s --check-prefix=ADVANCE
// RUN: FileCheck %s --check-prefix=REMARK < %t.remarks
// REMARK: remark: gnn-fuse-linear: {{.*}} are not fused: {{.*}}inputs take part in their weights, whose product this target does not make in every run

// CHECK-LABEL: @from_an_input
// CHECK: %[[W:.*]] = "gnn.linear"({{.*}}) {{.*}} -> tensor<8x4xf32>
// CHECK: "gnn.linear"(%arg1, %[[W]])
// ADVANCE-LABEL: @from_an_input
// ADVANCE-COUNT-2: "gnn.linear"{{.*}} -> !gnn.node
func.func @from_an_input(%g: !gnn.graph<"g">, %x: !gnn.node<"g", tensor<8xf32>>, %k: tensor<8x4xf32>) -> !gnn.node<"g", tensor<4xf32>> {
  %w = ml_program.global_load_const @w : tensor<8x8xf32>
  %y = "gnn.linear"(%x, %w) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!gnn.node<"g", tensor<8xf32>>, tensor<8x8xf32>) -> !gnn.node<"g", tensor<8xf32>>
  %t = "gnn.multiply"(%k, %k) : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
  %z = "gnn.linear"(%y, %t) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!gnn.node<"g", tensor<8xf32>>, tensor<8x4xf32>) -> !gnn.node<"g", tensor<4xf32>>
  return %z : !gnn.node<"g", tensor<4xf32>>
}
ml_program.global private @w(#ml_program.extern) : tensor<8x8xf32>

// All other weights are fused for every target.
// ADVANCE-LABEL: @from_weights
// ADVANCE: %[[W:.*]] = "gnn.linear"({{.*}}) {{.*}} -> tensor<8x4xf32>
// ADVANCE: "gnn.linear"(%arg1, %[[W]])
func.func @from_weights(%g: !gnn.graph<"g">, %x: !gnn.node<"g", tensor<8xf32>>) -> !gnn.node<"g", tensor<4xf32>> {
  %w = ml_program.global_load_const @w : tensor<8x8xf32>
  %u = ml_program.global_load_const @u : tensor<8x4xf32>
  %y = "gnn.linear"(%x, %w) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!gnn.node<"g", tensor<8xf32>>, tensor<8x8xf32>) -> !gnn.node<"g", tensor<8xf32>>
  %z = "gnn.linear"(%y, %u) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!gnn.node<"g", tensor<8xf32>>, tensor<8x4xf32>) -> !gnn.node<"g", tensor<4xf32>>
  return %z : !gnn.node<"g", tensor<4xf32>>
}
ml_program.global private @u(#ml_program.extern) : tensor<8x4xf32>
