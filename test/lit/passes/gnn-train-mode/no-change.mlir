// Models that are not compiled for training stay as they are.
// RUN: gnn-opt %s > %t.before
// RUN: gnn-opt --pass-pipeline=gnn-train-mode,gnn-differentiate,gnn-split-run %s | diff %t.before -

!x = !gnn.node<"g", tensor<4xf32>>

ml_program.global private @W(#ml_program.extern) : tensor<4x2xf32>
func.func @m(%g: !gnn.graph<"g">, %x: !x) -> !gnn.node<"g", tensor<2xf32>> {
  %w = ml_program.global_load_const @W : tensor<4x2xf32>
  %y = "gnn.linear"(%x, %w) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!x, tensor<4x2xf32>) -> !gnn.node<"g", tensor<2xf32>>
  return %y : !gnn.node<"g", tensor<2xf32>>
}
