// Attention: a logit from both ends, softmax by maximum and sum, a weighted sum. WIDTH columns in HEADS heads.
!graph = !gnn.graph<"g">
!in = !graphagile.edge_list<"g", "g">
!rowsWIDTH = !graphagile.rows<"g", WIDTH>
!rowsHEADS = !graphagile.rows<"g", HEADS>
!valuesHEADS = !graphagile.values<"g", "g", HEADS>
!nodeWIDTH = !gnn.node<"g", tensor<WIDTHxf32>>

func.func @attention(%g: !graph, %x: !nodeWIDTH, %w: tensor<WIDTHxHEADSxf32>) -> (!nodeWIDTH) {
  %x0 = "graphagile.input"(%x) : (!nodeWIDTH) -> !rowsWIDTH
  %r = "graphagile.relation"(%g) {kind = "in", operandSegmentSizes = array<i32: 1, 0, 0>} : (!graph) -> !in
  %s = "graphagile.gemm"(%x0, %w) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!rowsWIDTH, tensor<WIDTHxHEADSxf32>) -> !rowsHEADS
  %a = "graphagile.sddmm"(%r, %s, %s) {heads = HEADS : i64, inner = "add", combine = "replace", functions = ["leaky_relu 0.2"], operandSegmentSizes = array<i32: 1, 1, 1, 0>} : (!in, !rowsHEADS, !rowsHEADS) -> !valuesHEADS
  %m = "graphagile.spdmm"(%r, %a) {reduce = "max", operandSegmentSizes = array<i32: 1, 0, 1, 0, 0>} : (!in, !valuesHEADS) -> !rowsHEADS
  %b = "graphagile.sddmm"(%r, %m, %a) {heads = HEADS : i64, inner = "dst", combine = "sub", functions = ["exp"], operandSegmentSizes = array<i32: 1, 0, 1, 1>} : (!in, !rowsHEADS, !valuesHEADS) -> !valuesHEADS
  %t = "graphagile.spdmm"(%r, %b) {reduce = "sum", functions = ["add_constant 1"], operandSegmentSizes = array<i32: 1, 0, 1, 0, 0>} : (!in, !valuesHEADS) -> !rowsHEADS
  %c = "graphagile.sddmm"(%r, %t, %b) {heads = HEADS : i64, inner = "dst", combine = "div", operandSegmentSizes = array<i32: 1, 0, 1, 1>} : (!in, !rowsHEADS, !valuesHEADS) -> !valuesHEADS
  %y = "graphagile.spdmm"(%r, %x0, %c) {reduce = "sum", operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>} : (!in, !rowsWIDTH, !valuesHEADS) -> !rowsWIDTH
  %o = "graphagile.output"(%y) : (!rowsWIDTH) -> !nodeWIDTH
  return %o : !nodeWIDTH
}
