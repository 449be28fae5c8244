!node8 = !gnn.node<"g", tensor<8xf32>>
!heads = !gnn.node<"g", tensor<2x8xf32>>
!edge = !gnn.edge<"g", f32>
!edge8 = !gnn.edge<"g", tensor<8xf32>>
!sparse = !gnn.sparse<"g", tensor<8xf32>>
func.func @elements(%x: !node8, %s: !sparse, %h: !heads, %k: tensor<2xf32>, %c: tensor<8xf32>, %a: !edge8, %b: !edge) -> (!heads, !node8, !edge8) {
  %0 = "gnn.vector_add"(%h, %k) : (!heads, tensor<2xf32>) -> !heads
  %1 = "gnn.subtract"(%k, %0) : (tensor<2xf32>, !heads) -> !heads
  %2 = "gnn.multiply"(%1, %1) : (!heads, !heads) -> !heads
  %3 = "gnn.divide"(%2, %k) : (!heads, tensor<2xf32>) -> !heads
  %4 = "gnn.maximum"(%3, %0) : (!heads, !heads) -> !heads
  %5 = "gnn.minimum"(%4, %0) : (!heads, !heads) -> !heads
  %6 = "gnn.compare"(%5, %k) {predicate = "lt"} : (!heads, tensor<2xf32>) -> !heads
  %7 = "gnn.select"(%k, %6, %5) : (tensor<2xf32>, !heads, !heads) -> !heads
  %8 = "gnn.activation"(%x) {function = "elu", alpha = 1.0 : f64} : (!node8) -> !node8
  %9 = "gnn.batch_norm"(%8, %c, %c, %c, %c) {epsilon = 1.0e-5 : f64} : (!node8, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> !node8
  %10 = "gnn.row_normalize"(%s) : (!sparse) -> !sparse
  %11 = "gnn.densify"(%10) : (!sparse) -> !node8
  %12 = "gnn.vector_add"(%9, %11) {activation = "relu"} : (!node8, !node8) -> !node8
  %13 = "gnn.multiply"(%b, %a) : (!edge, !edge8) -> !edge8
  return %7, %12, %13 : !heads, !node8, !edge8
}
