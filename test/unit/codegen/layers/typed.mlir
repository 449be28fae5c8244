// Rows of edges, weights and biases per type, a large inner dimension, transposed weights, addends.
!graph = !gnn.graph<"g">
!gather = !device.edge_list<"g", "g.edges">
!scatter = !device.edge_list<"g.edges", "g">
!rows150 = !device.rows<"g", 150>
!rows20 = !device.rows<"g", 20>
!rows12 = !device.rows<"g", 12>
!edges150 = !device.rows<"g.edges", 150>
!edges20 = !device.rows<"g.edges", 20>
!node150 = !gnn.node<"g", tensor<150xf32>>
!node12 = !gnn.node<"g", tensor<12xf32>>
!etype150x20 = !gnn.per<"etype", tensor<150x20xf32>>
!etype20 = !gnn.per<"etype", tensor<20xf32>>

func.func @typed(%g: !graph, %x: !node150, %w: !etype150x20, %b: !etype20, %v: tensor<12x20xf32>) -> (!node12) {
  %x0 = "device.input"(%x) : (!node150) -> !rows150
  %s = "device.edges"(%g) {kind = "gather_src", operandSegmentSizes = array<i32: 1, 0, 0>} : (!graph) -> !gather
  %d = "device.edges"(%g) {kind = "scatter_dst", operandSegmentSizes = array<i32: 1, 0, 0>} : (!graph) -> !scatter
  %e = "device.spdmm"(%s, %x0) {reduce = "sum", operandSegmentSizes = array<i32: 1, 1, 0, 0, 0>} : (!gather, !rows150) -> !edges150
  %f = "device.gemm"(%e, %w, %b) {functions = ["relu"], operandSegmentSizes = array<i32: 1, 1, 1, 0>} : (!edges150, !etype150x20, !etype20) -> !edges20
  %h = "device.spdmm"(%d, %f) {reduce = "sum", operandSegmentSizes = array<i32: 1, 1, 0, 0, 0>} : (!scatter, !edges20) -> !rows20
  %p = "device.gemm"(%h, %v) {transposed, operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!rows20, tensor<12x20xf32>) -> !rows12
  %y = "device.gemm"(%h, %v, %p) {transposed, functions = ["add_constant 1"], operandSegmentSizes = array<i32: 1, 1, 0, 1>} : (!rows20, tensor<12x20xf32>, !rows12) -> !rows12
  %o = "device.output"(%y) : (!rows12) -> !node12
  return %o : !node12
}
