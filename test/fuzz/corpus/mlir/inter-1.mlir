!graph = !gnn.graph<"g">
!node4 = !gnn.node<"g", tensor<4xf32>>
!at_node = !inter.cursor<"node", "g">
!at_entry = !inter.cursor<"nonzero", "g">
func.func @sparse(%g: !graph, %x: !gnn.sparse<"g", tensor<8xf32>>, %v: tensor<8x4xf32>) -> !node4 {
  %0 = "inter.once"() ({
    %1 = "gnn.activation"(%v) {function = "exp"} : (tensor<8x4xf32>) -> tensor<8x4xf32>
    smt.yield %1 : tensor<8x4xf32>
  }) : () -> !inter.results
  %w = "inter.result"(%0) {index = 0 : i64} : (!inter.results) -> tensor<8x4xf32>
  %2 = "inter.for_nodes"(%g) ({
  ^bb0(%n: !at_node):
    %3 = "inter.for_nonzeros"(%x, %n) ({
    ^bb0(%k: !at_entry):
      %4 = "inter.at"(%x, %k) : (!gnn.sparse<"g", tensor<8xf32>>, !at_entry) -> f32
      %5 = "inter.row"(%w, %k) : (tensor<8x4xf32>, !at_entry) -> tensor<4xf32>
      %6 = "gnn.multiply"(%4, %5) : (f32, tensor<4xf32>) -> tensor<4xf32>
      smt.yield %6 : tensor<4xf32>
    }) {reduce = ["sum"]} : (!gnn.sparse<"g", tensor<8xf32>>, !at_node) -> !inter.results
    %7 = "inter.result"(%3) {index = 0 : i64} : (!inter.results) -> tensor<4xf32>
    %9 = "inter.dense_row"(%x, %n) : (!gnn.sparse<"g", tensor<8xf32>>, !at_node) -> tensor<8xf32>
    %10 = "gnn.linear"(%9, %w) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (tensor<8xf32>, tensor<8x4xf32>) -> tensor<4xf32>
    %11 = "gnn.vector_add"(%7, %10) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    smt.yield %11 : tensor<4xf32>
  }) : (!graph) -> !inter.results
  %8 = "inter.result"(%2) {index = 0 : i64} : (!inter.results) -> !node4
  return %8 : !node4
}
