func.func @linear_addend(%x: tensor<16xf32>, %w: tensor<16x8xf32>, %b: tensor<4xf32>) {
  %0 = "gnn.linear"(%x, %w, %b) {operandSegmentSizes = array<i32: 1, 1, 0, 1>} : (tensor<16xf32>, tensor<16x8xf32>, tensor<4xf32>) -> tensor<8xf32>
  return
}

