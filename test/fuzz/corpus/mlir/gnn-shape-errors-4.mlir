func.func @reshape_negative(%x: tensor<2x8xf32>) {
  %0 = "gnn.reshape"(%x) {shape = array<i64: -1, 8>} : (tensor<2x8xf32>) -> tensor<2x8xf32>
  return
}

