func.func @inner_columns(%x: tensor<8xf32>, %y: tensor<4xf32>) {
  %0 = "gnn.vector_inner"(%x, %y) : (tensor<8xf32>, tensor<4xf32>) -> f32
  return
}

