// A concatenation has no layer of its own: what a tail reads of it may be made behind the layer that would take the tail.
!graph = !gnn.graph<"g">
!in = !graphagile.edge_list<"g", "g">
!rows32 = !graphagile.rows<"g", 32>
!rows16 = !graphagile.rows<"g", 16>
!node32 = !gnn.node<"g", tensor<32xf32>>

func.func @late(%g: !graph, %x: !node32, %w: tensor<32x16xf32>, %v: tensor<16x16xf32>) -> (!node32, !node32) {
  %x0 = "graphagile.input"(%x) : (!node32) -> !rows32
  %r = "graphagile.relation"(%g) {kind = "in", operandSegmentSizes = array<i32: 1, 0, 0>} : (!graph) -> !in
  %s = "graphagile.spdmm"(%r, %x0) {reduce = "sum", operandSegmentSizes = array<i32: 1, 1, 0, 0, 0>} : (!in, !rows32) -> !rows32
  %a = "graphagile.gemm"(%x0, %w) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!rows32, tensor<32x16xf32>) -> !rows16
  %b = "graphagile.gemm"(%a, %v) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!rows16, tensor<16x16xf32>) -> !rows16
  %c = "graphagile.concat"(%b, %a) : (!rows16, !rows16) -> !rows32
  %y = "graphagile.vadd"(%s, %c) {function = "mul"} : (!rows32, !rows32) -> !rows32
  %o = "graphagile.output"(%y) : (!rows32) -> !node32
  %p = "graphagile.output"(%c) : (!rows32) -> !node32
  return %o, %p : !node32, !node32
}
