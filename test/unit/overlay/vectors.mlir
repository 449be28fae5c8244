// Element-wise layers, rows side by side, windows, a plain row, a column for all.
!graph = !gnn.graph<"g">
!rows16 = !graphagile.rows<"g", 16>
!rows9 = !graphagile.rows<"g", 9>
!rows1 = !graphagile.rows<"g", 1>
!rows25 = !graphagile.rows<"g", 25>
!node16 = !gnn.node<"g", tensor<16xf32>>
!node9 = !gnn.node<"g", tensor<9xf32>>
!node25 = !gnn.node<"g", tensor<25xf32>>

func.func @vectors(%g: !graph, %x: !node16, %z: !node9, %k: tensor<16xf32>, %w: tensor<16x1xf32>) -> (!node9, !node25) {
  %x0 = "graphagile.input"(%x) : (!node16) -> !rows16
  %z0 = "graphagile.input"(%z) : (!node9) -> !rows9
  %a = "graphagile.vadd"(%x0, %k) {function = "mul"} : (!rows16, tensor<16xf32>) -> !rows16
  %c = "graphagile.gemm"(%x0, %w) {functions = ["sigmoid", "add_constant 1"], operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!rows16, tensor<16x1xf32>) -> !rows1
  %b = "graphagile.vadd"(%a, %c) {function = "div", bcast, functions = ["leaky_relu 0.1"]} : (!rows16, !rows1) -> !rows16
  %l = "graphagile.vadd"(%b, %x0) {function = "lt", scale = 0.5 : f64} : (!rows16, !rows16) -> !rows16
  %m = "graphagile.vadd"(%b, %x0, %l) {function = "select"} : (!rows16, !rows16, !rows16) -> !rows16
  %s = "graphagile.concat"(%m, %z0) : (!rows16, !rows9) -> !rows25
  %t = "graphagile.columns"(%s) {begin = 16 : i64, width = 9 : i64} : (!rows25) -> !rows9
  %y = "graphagile.map"(%t) {functions = ["exp", "relu"]} : (!rows9) -> !rows9
  %o = "graphagile.output"(%y) : (!rows9) -> !node9
  %q = "graphagile.output"(%s) : (!rows25) -> !node25
  return %o, %q : !node9, !node25
}
