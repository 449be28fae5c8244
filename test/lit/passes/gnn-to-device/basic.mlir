// Operations that depend on inputs become Layer Blocks over rows; the host computes those that depend on graph and weights alone.
// RUN: gnn-opt --pass-pipeline=gnn-to-device %s | FileCheck %s

// CHECK-LABEL: @gcn
// CHECK: [[S:%.*]] = "gnn.edge_set"
// CHECK: [[X:%.*]] = "device.input"(%arg1) : (!gnn.node<"g", tensor<8xf32>>) -> !device.rows<"g", 8 : i64>
// CHECK: [[Z:%.*]] = "device.gemm"([[X]], %w) {{.*}}transposed} : (!device.rows<"g", 8 : i64>, tensor<4x8xf32>) -> !device.rows<"g", 4 : i64>
// CHECK: [[C:%.*]] = "gnn.activation"({{.*}}) {function = "rsqrt"}
// CHECK: [[R:%.*]] = "device.edges"([[S]], [[C]]) {kind = "in", operandSegmentSizes = array<i32: 1, 0, 1>}
// CHECK: [[H:%.*]] = "device.spdmm"([[R]], [[Z]], %b) {functions = ["relu"], operandSegmentSizes = array<i32: 1, 1, 0, 1, 0>, reduce = "sum"}
// CHECK: [[O:%.*]] = "device.output"([[H]]) : (!device.rows<"g", 4 : i64>) -> !gnn.node<"g", tensor<4xf32>>
// CHECK: return [[O]]
func.func @gcn(%g: !gnn.graph<"g">, %x: !gnn.node<"g", tensor<8xf32>>) -> !gnn.node<"g", tensor<4xf32>> {
  %w = ml_program.global_load_const @w : tensor<4x8xf32>
  %b = ml_program.global_load_const @b : tensor<4xf32>
  %s = "gnn.edge_set"(%g) {mode = "add_remaining"} : (!gnn.graph<"g">) -> !gnn.graph<"g.add_remaining">
  %z = "gnn.linear"(%x, %w) {operandSegmentSizes = array<i32: 1, 1, 0, 0>, transposed} : (!gnn.node<"g", tensor<8xf32>>, tensor<4x8xf32>) -> !gnn.node<"g", tensor<4xf32>>
  %d = "gnn.degree"(%s) {direction = "in"} : (!gnn.graph<"g.add_remaining">) -> !gnn.node<"g", f32>
  %ds = "gnn.gather"(%s, %d) {end = "src"} : (!gnn.graph<"g.add_remaining">, !gnn.node<"g", f32>) -> !gnn.edge<"g.add_remaining", f32>
  %c = "gnn.activation"(%ds) {function = "rsqrt"} : (!gnn.edge<"g.add_remaining", f32>) -> !gnn.edge<"g.add_remaining", f32>
  %y = "gnn.aggregate"(%s, %z, %c) {direction = "in", reduce = "sum"} : (!gnn.graph<"g.add_remaining">, !gnn.node<"g", tensor<4xf32>>, !gnn.edge<"g.add_remaining", f32>) -> !gnn.node<"g", tensor<4xf32>>
  %h = "gnn.vector_add"(%y, %b) {activation = "relu"} : (!gnn.node<"g", tensor<4xf32>>, tensor<4xf32>) -> !gnn.node<"g", tensor<4xf32>>
  return %h : !gnn.node<"g", tensor<4xf32>>
}
ml_program.global private @w(#ml_program.extern) : tensor<4x8xf32>
ml_program.global private @b(#ml_program.extern) : tensor<4xf32>
