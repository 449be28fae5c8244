// A concatenation has no layer of its own, so an epilogue may read a part of it that is made after the layer that would take the epilogue.
!graph = !gnn.graph<"g">
!in = !device.edge_list<"g", "g">
!rows32 = !device.rows<"g", 32>
!rows16 = !device.rows<"g", 16>
!node32 = !gnn.node<"g", tensor<32xf32>>

func.func @late(%g: !graph, %x: !node32, %w: tensor<32x16xf32>, %v: tensor<16x16xf32>) -> (!node32, !node32) {
  %x0 = "device.input"(%x) : (!node32) -> !rows32
  %r = "device.edges"(%g) {kind = "in", operandSegmentSizes = array<i32: 1, 0, 0>} : (!graph) -> !in
  %s = "device.spdmm"(%r, %x0) {reduce = "sum", operandSegmentSizes = array<i32: 1, 1, 0, 0, 0>} : (!in, !rows32) -> !rows32
  %a = "device.gemm"(%x0, %w) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!rows32, tensor<32x16xf32>) -> !rows16
  %b = "device.gemm"(%a, %v) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!rows16, tensor<16x16xf32>) -> !rows16
  %c = "device.concat"(%b, %a) : (!rows16, !rows16) -> !rows32
  %y = "device.vadd"(%s, %c) {function = "mul"} : (!rows32, !rows32) -> !rows32
  %o = "device.output"(%y) : (!rows32) -> !node32
  %p = "device.output"(%c) : (!rows32) -> !node32
  return %o, %p : !node32, !node32
}
