// Inner products alone, and the sums of the columns of one end.
!graph = !gnn.graph<"g">
!in = !device.edge_list<"g", "g">
!rows100 = !device.rows<"g", 100>
!values4 = !device.values<"g", "g", 4>
!node100 = !gnn.node<"g", tensor<100xf32>>
!edge4 = !gnn.edge<"g", tensor<4xf32>>

func.func @products(%g: !graph, %x: !node100) -> (!edge4) {
  %x0 = "device.input"(%x) : (!node100) -> !rows100
  %r = "device.edges"(%g) {kind = "in", operandSegmentSizes = array<i32: 1, 0, 0>} : (!graph) -> !in
  %a = "device.sddmm"(%r, %x0, %x0) {heads = 4 : i64, inner = "dot", combine = "replace", operandSegmentSizes = array<i32: 1, 1, 1, 0>} : (!in, !rows100, !rows100) -> !values4
  %b = "device.sddmm"(%r, %x0) {heads = 4 : i64, inner = "src", combine = "replace", operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!in, !rows100) -> !values4
  %c = "device.values_vadd"(%a, %b) {function = "max"} : (!values4, !values4) -> !values4
  %o = "device.output"(%c) : (!values4) -> !edge4
  return %o : !edge4
}
