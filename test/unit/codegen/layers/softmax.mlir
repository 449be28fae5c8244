// Attention with one head that divides the sums at the end: guard, exponentials, denominator and weighted sum may be one layer. Each row has an edge (see random_ends).
!graph = !gnn.graph<"g">
!in = !device.edge_list<"g", "g">
!rowsWIDTH = !device.rows<"g", WIDTH>
!rows1 = !device.rows<"g", 1>
!values1 = !device.values<"g", "g", 1>
!nodeWIDTH = !gnn.node<"g", tensor<WIDTHxf32>>

func.func @softmax(%g: !graph, %x: !nodeWIDTH, %w: tensor<WIDTHx1xf32>, %v: tensor<WIDTHx1xf32>, %c: tensor<WIDTHxf32>) -> (!nodeWIDTH) {
  %x0 = "device.input"(%x) : (!nodeWIDTH) -> !rowsWIDTH
  %r = "device.edges"(%g) {kind = "out", operandSegmentSizes = array<i32: 1, 0, 0>} : (!graph) -> !in
  %s = "device.gemm"(%x0, %w) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!rowsWIDTH, tensor<WIDTHx1xf32>) -> !rows1
  %d = "device.gemm"(%x0, %v) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!rowsWIDTH, tensor<WIDTHx1xf32>) -> !rows1
  %a = "device.sddmm"(%r, %s, %d) {heads = 1 : i64, inner = "add", combine = "replace", functions = ["leaky_relu 0.2", "mul_constant 0.5"], operandSegmentSizes = array<i32: 1, 1, 1, 0>} : (!in, !rows1, !rows1) -> !values1
  %m = "device.spdmm"(%r, %a) {reduce = "max", operandSegmentSizes = array<i32: 1, 0, 1, 0, 0>} : (!in, !values1) -> !rows1
  %b = "device.sddmm"(%r, %m, %a) {heads = 1 : i64, inner = "dst", combine = "sub", functions = ["exp"], operandSegmentSizes = array<i32: 1, 0, 1, 1>} : (!in, !rows1, !values1) -> !values1
  %t = "device.spdmm"(%r, %b) {reduce = "sum", operandSegmentSizes = array<i32: 1, 0, 1, 0, 0>} : (!in, !values1) -> !rows1
  %u = "device.spdmm"(%r, %x0, %b) {reduce = "sum", operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>} : (!in, !rowsWIDTH, !values1) -> !rowsWIDTH
  %z = "device.vadd"(%u, %t) {function = "div", bcast} : (!rowsWIDTH, !rows1) -> !rowsWIDTH
  %y = "device.vadd"(%z, %c) {function = "add", functions = ["relu"]} : (!rowsWIDTH, tensor<WIDTHxf32>) -> !rowsWIDTH
  %o = "device.output"(%y) : (!rowsWIDTH) -> !nodeWIDTH
  return %o : !nodeWIDTH
}
