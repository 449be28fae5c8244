// A failing pass leaves a file that reproduces the failure: the IR before the pass, and the rest of the pipeline.
// RUN: rm -f %t.mlir && not gnn-opt %s --pass-pipeline=gnn-dce,gnn-infer-shapes,gnn-order{max-iterations=3} --num-nodes=34 -O3 --reproducer=%t.mlir 2>&1 | FileCheck %s
// RUN: FileCheck %s --check-prefix=FILE < %t.mlir
// RUN: not gnn-opt --run-reproducer %t.mlir 2>&1 | FileCheck %s --check-prefix=AGAIN
// RUN: not gnn-opt --run-reproducer %s 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not gnn-opt %s --gnn-infer-shapes --reproducer=%t.mlir/x 2>&1 | FileCheck %s --check-prefix=UNWRITTEN

// CHECK: error: 'x' has 16 columns here, but 'w' takes 32
// CHECK: note: 'gnn-opt --run-reproducer {{.*}}.mlir' runs pass 'gnn-infer-shapes' again
// FILE: // {{R}}UN: gnn-opt %s --pass-pipeline='gnn-infer-shapes,gnn-order{max-iterations=3}' --opt-level=3 --verify-each --num-nodes=34
// FILE-NEXT: // Made by gnn-opt {{[0-9.]+}}.
// FILE: func.func @f
// FILE-NOT: gnn.degree
// AGAIN: error: 'x' has 16 columns here, but 'w' takes 32
// NONE: is no reproducer: its first line names no pipeline
// UNWRITTEN: error: no reproducer: {{.*}}
func.func @f(%g: !gnn.graph<"g">, %x: tensor<?xf32>, %w: tensor<8x16xf32>, %v: tensor<32x4xf32>) -> tensor<4xf32> {
  %d = "gnn.degree"(%g) {direction = "in"} : (!gnn.graph<"g">) -> !gnn.node<"g", f32>
  %0 = "gnn.linear"(%x, %w) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (tensor<?xf32>, tensor<8x16xf32>) -> tensor<?xf32>
  %1 = "gnn.linear"(%0, %v) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (tensor<?xf32>, tensor<32x4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
