// A second run of the pass changes nothing, and an index that is no integer needs no range.
// RUN: gnn-opt --pass-pipeline=gnn-find-ranges %S/basic.mlir > %t.once
// RUN: gnn-opt --pass-pipeline=gnn-find-ranges,gnn-find-ranges %S/basic.mlir | diff %t.once -
// RUN: gnn-opt --pass-pipeline=gnn-find-ranges %s | FileCheck %s
// CHECK-NOT: gnn.range
func.func @degrees(%g: !gnn.graph<"g">, %w: tensor<5x4xf32>, %z: !gnn.node<"g", i32>) -> (!gnn.node<"g", tensor<4xf32>>, !gnn.node<"g", f32>) {
  %0 = "gnn.degree"(%g) {direction = "in"} : (!gnn.graph<"g">) -> !gnn.node<"g", f32>
  %1 = "gnn.lookup"(%w, %0) {low = 0 : i64, high = 4 : i64} : (tensor<5x4xf32>, !gnn.node<"g", f32>) -> !gnn.node<"g", tensor<4xf32>>
  %2 = "gnn.convert"(%z) : (!gnn.node<"g", i32>) -> !gnn.node<"g", f32>
  return %1, %2 : !gnn.node<"g", tensor<4xf32>>, !gnn.node<"g", f32>
}
