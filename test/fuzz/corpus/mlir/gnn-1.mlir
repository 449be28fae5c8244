!node8 = !gnn.node<"g", tensor<8xf32>>
!node4 = !gnn.node<"g", tensor<4xf32>>
!heads = !gnn.node<"g", tensor<2x8xf32>>
!sparse = !gnn.sparse<"g", tensor<8xf32>>
func.func @products(%x: !node8, %s: !sparse, %h: !heads, %y: !node4, %w: tensor<8x4xf32>, %t: tensor<4x8xf32>,
                    %b: tensor<4xf32>, %wh: tensor<2x8x4xf32>, %a: tensor<2x8xf32>, %p: tensor<3x8xf32>)
    -> (!node4, !node4, !node4, !gnn.node<"g", tensor<2x4xf32>>, !gnn.node<"g", tensor<2x4xf32>>, tensor<3x4xf32>,
        !gnn.node<"g", tensor<2xf32>>, !gnn.node<"g", tensor<8x4xf32>>) {
  %0 = "gnn.linear"(%x, %w, %b, %y) {operandSegmentSizes = array<i32: 1, 1, 1, 1>, activation = "leaky_relu", slope = 0.2 : f64} : (!node8, tensor<8x4xf32>, tensor<4xf32>, !node4) -> !node4
  %1 = "gnn.linear"(%x, %t, %y) {operandSegmentSizes = array<i32: 1, 1, 0, 1>, transposed} : (!node8, tensor<4x8xf32>, !node4) -> !node4
  %2 = "gnn.linear"(%s, %w) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!sparse, tensor<8x4xf32>) -> !node4
  %3 = "gnn.linear"(%h, %w) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!heads, tensor<8x4xf32>) -> !gnn.node<"g", tensor<2x4xf32>>
  %4 = "gnn.linear"(%h, %wh) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!heads, tensor<2x8x4xf32>) -> !gnn.node<"g", tensor<2x4xf32>>
  %5 = "gnn.linear"(%p, %w) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (tensor<3x8xf32>, tensor<8x4xf32>) -> tensor<3x4xf32>
  %6 = "gnn.vector_inner"(%h, %a) : (!heads, tensor<2x8xf32>) -> !gnn.node<"g", tensor<2xf32>>
  %7 = "gnn.outer"(%x, %b) : (!node8, tensor<4xf32>) -> !gnn.node<"g", tensor<8x4xf32>>
  return %0, %1, %2, %3, %4, %5, %6, %7 : !node4, !node4, !node4, !gnn.node<"g", tensor<2x4xf32>>, !gnn.node<"g", tensor<2x4xf32>>,
      tensor<3x4xf32>, !gnn.node<"g", tensor<2xf32>>, !gnn.node<"g", tensor<8x4xf32>>
}
