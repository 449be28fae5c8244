// Element-wise layers, concatenated rows, windows, a constant row, a column for all rows.
!graph = !gnn.graph<"g">
!rows16 = !device.rows<"g", 16>
!rows9 = !device.rows<"g", 9>
!rows1 = !device.rows<"g", 1>
!rows25 = !device.rows<"g", 25>
!node16 = !gnn.node<"g", tensor<16xf32>>
!node9 = !gnn.node<"g", tensor<9xf32>>
!node25 = !gnn.node<"g", tensor<25xf32>>

func.func @vectors(%g: !graph, %x: !node16, %z: !node9, %k: tensor<16xf32>, %w: tensor<16x1xf32>) -> (!node9, !node25) {
  %x0 = "device.input"(%x) : (!node16) -> !rows16
  %z0 = "device.input"(%z) : (!node9) -> !rows9
  %a = "device.vadd"(%x0, %k) {function = "mul"} : (!rows16, tensor<16xf32>) -> !rows16
  %c = "device.gemm"(%x0, %w) {functions = ["sigmoid", "add_constant 1"], operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!rows16, tensor<16x1xf32>) -> !rows1
  %b = "device.vadd"(%a, %c) {function = "div", bcast, functions = ["leaky_relu 0.1"]} : (!rows16, !rows1) -> !rows16
  %l = "device.vadd"(%b, %x0) {function = "lt", scale = 0.5 : f64} : (!rows16, !rows16) -> !rows16
  %m = "device.vadd"(%b, %x0, %l) {function = "select"} : (!rows16, !rows16, !rows16) -> !rows16
  %s = "device.concat"(%m, %z0) : (!rows16, !rows9) -> !rows25
  %t = "device.columns"(%s) {begin = 16 : i64, width = 9 : i64} : (!rows25) -> !rows9
  %y = "device.map"(%t) {functions = ["exp", "relu"]} : (!rows9) -> !rows9
  %o = "device.output"(%y) : (!rows9) -> !node9
  %q = "device.output"(%s) : (!rows25) -> !node25
  return %o, %q : !node9, !node25
}
