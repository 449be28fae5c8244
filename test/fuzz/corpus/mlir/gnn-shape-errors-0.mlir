func.func @named(%x: !gnn.node<"g", tensor<16xf32>> loc("h"), %w: tensor<32x8xf32> loc("conv1.lin.weight")) {
  %0 = "gnn.linear"(%x, %w) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!gnn.node<"g", tensor<16xf32>>, tensor<32x8xf32>) -> !gnn.node<"g", tensor<8xf32>>
  return
}

