// Attention: a logit from both ends, a softmax by maximum and sum, and a weighted sum. The test replaces WIDTH columns and HEADS heads.
!graph = !gnn.graph<"g">
!in = !device.edge_list<"g", "g">
!rowsWIDTH = !device.rows<"g", WIDTH>
!rowsHEADS = !device.rows<"g", HEADS>
!valuesHEADS = !device.values<"g", "g", HEADS>
!nodeWIDTH = !gnn.node<"g", tensor<WIDTHxf32>>

func.func @attention(%g: !graph, %x: !nodeWIDTH, %w: tensor<WIDTHxHEADSxf32>) -> (!nodeWIDTH) {
  %x0 = "device.input"(%x) : (!nodeWIDTH) -> !rowsWIDTH
  %r = "device.edges"(%g) {kind = "in", operandSegmentSizes = array<i32: 1, 0, 0>} : (!graph) -> !in
  %s = "device.gemm"(%x0, %w) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!rowsWIDTH, tensor<WIDTHxHEADSxf32>) -> !rowsHEADS
  %a = "device.sddmm"(%r, %s, %s) {heads = HEADS : i64, inner = "add", combine = "replace", functions = ["leaky_relu 0.2"], operandSegmentSizes = array<i32: 1, 1, 1, 0>} : (!in, !rowsHEADS, !rowsHEADS) -> !valuesHEADS
  %m = "device.spdmm"(%r, %a) {reduce = "max", operandSegmentSizes = array<i32: 1, 0, 1, 0, 0>} : (!in, !valuesHEADS) -> !rowsHEADS
  %b = "device.sddmm"(%r, %m, %a) {heads = HEADS : i64, inner = "dst", combine = "sub", functions = ["exp"], operandSegmentSizes = array<i32: 1, 0, 1, 1>} : (!in, !rowsHEADS, !valuesHEADS) -> !valuesHEADS
  %t = "device.spdmm"(%r, %b) {reduce = "sum", functions = ["add_constant 1"], operandSegmentSizes = array<i32: 1, 0, 1, 0, 0>} : (!in, !valuesHEADS) -> !rowsHEADS
  %c = "device.sddmm"(%r, %t, %b) {heads = HEADS : i64, inner = "dst", combine = "div", operandSegmentSizes = array<i32: 1, 0, 1, 1>} : (!in, !rowsHEADS, !valuesHEADS) -> !valuesHEADS
  %y = "device.spdmm"(%r, %x0, %c) {reduce = "sum", operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>} : (!in, !rowsWIDTH, !valuesHEADS) -> !rowsWIDTH
  %o = "device.output"(%y) : (!rowsWIDTH) -> !nodeWIDTH
  return %o : !nodeWIDTH
}
