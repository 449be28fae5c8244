// In training, products of weights are made in each step and have gradients, tables by edge type among them. Those for pairs of edge
// type and node type have none, so that such operations stay apart.
// RUN: gnn-opt --pass-pipeline='gnn-fuse-linear' --remarks='*' --num-edges=48810 --unique-src=24299 --unique-dst=24299 --num-nodes=7262 --num-edge-types=104 %s 2>&1 | FileCheck %s
module attributes {gnn.training} {
// CHECK: become one product, weights multiplied once
// CHECK: "gnn.vector_inner"({{.*}}!gnn.per<"etype"
func.func @typed(%g: !gnn.graph<"g">, %x: !gnn.node<"g", tensor<64xf32>>, %w: !gnn.per<"etype", tensor<64x64xf32>>, %a: !gnn.per<"etype", tensor<64xf32>>) -> (!gnn.edge<"g", f32>) {
  %hz = "gnn.gather"(%g, %x) {end = "src"} : (!gnn.graph<"g">, !gnn.node<"g", tensor<64xf32>>) -> !gnn.edge<"g", tensor<64xf32>>
  %wz = "gnn.slice"(%g, %w) {by = "edge"} : (!gnn.graph<"g">, !gnn.per<"etype", tensor<64x64xf32>>) -> !gnn.edge<"g", tensor<64x64xf32>>
  %z = "gnn.linear"(%hz, %wz) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!gnn.edge<"g", tensor<64xf32>>, !gnn.edge<"g", tensor<64x64xf32>>) -> !gnn.edge<"g", tensor<64xf32>>
  %az = "gnn.slice"(%g, %a) {by = "edge"} : (!gnn.graph<"g">, !gnn.per<"etype", tensor<64xf32>>) -> !gnn.edge<"g", tensor<64xf32>>
  %l = "gnn.vector_inner"(%z, %az) : (!gnn.edge<"g", tensor<64xf32>>, !gnn.edge<"g", tensor<64xf32>>) -> !gnn.edge<"g", f32>
  return %l : !gnn.edge<"g", f32>
}
}
