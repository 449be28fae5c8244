func.func @unknown_sizes(%x: !gnn.node<"g", tensor<?xf32>>, %w: tensor<8x?xf32>) -> !gnn.node<"g", tensor<?xf32>> {
  %0 = "gnn.linear"(%x, %w) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!gnn.node<"g", tensor<?xf32>>, tensor<8x?xf32>) -> !gnn.node<"g", tensor<?xf32>>
  %1 = "gnn.concat"(%0, %x) : (!gnn.node<"g", tensor<?xf32>>, !gnn.node<"g", tensor<?xf32>>) -> !gnn.node<"g", tensor<?xf32>>
  return %1 : !gnn.node<"g", tensor<?xf32>>
}
