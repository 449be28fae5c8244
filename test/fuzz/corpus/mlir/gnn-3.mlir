!node = !gnn.node<"g", f32>
!node8 = !gnn.node<"g", tensor<8xf32>>
!heads = !gnn.node<"g", tensor<2x8xf32>>
func.func @shapes(%x: !node8, %h: !heads, %w: tensor<8x4xf32>) -> (!gnn.node<"g", tensor<2xf32>>, !heads, !gnn.node<"g", tensor<2xf32>>, !gnn.node<"g", tensor<16xf32>>, !node, tensor<4x8xf32>) {
  %0 = "gnn.reduce"(%h) {function = "max"} : (!heads) -> !gnn.node<"g", tensor<2xf32>>
  %1 = "gnn.softmax"(%h) {log} : (!heads) -> !heads
  %2 = "gnn.argmax"(%1) : (!heads) -> !gnn.node<"g", tensor<2xf32>>
  %3 = "gnn.concat"(%x, %x) : (!node8, !node8) -> !gnn.node<"g", tensor<16xf32>>
  %4 = "gnn.reshape"(%3) {shape = array<i64: 2, 8>} : (!gnn.node<"g", tensor<16xf32>>) -> !heads
  %5 = "gnn.reduce"(%x) {function = "sum"} : (!node8) -> !node
  %6 = "gnn.reshape"(%5) {shape = array<i64: 1, 1>} : (!node) -> !gnn.node<"g", tensor<1x1xf32>>
  %7 = "gnn.reshape"(%6) {shape = array<i64>} : (!gnn.node<"g", tensor<1x1xf32>>) -> !node
  %8 = "gnn.transpose"(%w) : (tensor<8x4xf32>) -> tensor<4x8xf32>
  return %2, %4, %0, %3, %7, %8 : !gnn.node<"g", tensor<2xf32>>, !heads, !gnn.node<"g", tensor<2xf32>>, !gnn.node<"g", tensor<16xf32>>, !node, tensor<4x8xf32>
}
