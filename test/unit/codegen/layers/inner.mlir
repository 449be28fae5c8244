// Inner products of wide rows are added to values that exist; the values are an output.
!graph = !gnn.graph<"g">
!in = !device.edge_list<"g", "g">
!rowsWIDTH = !device.rows<"g", WIDTH>
!valuesHEADS = !device.values<"g", "g", HEADS>
!nodeWIDTH = !gnn.node<"g", tensor<WIDTHxf32>>
!edgeHEADS = !gnn.edge<"g", tensor<HEADSxf32>>

func.func @inner(%g: !graph, %x: !nodeWIDTH, %z: !nodeWIDTH, %k: !edgeHEADS) -> (!edgeHEADS) {
  %x0 = "device.input"(%x) : (!nodeWIDTH) -> !rowsWIDTH
  %z0 = "device.input"(%z) : (!nodeWIDTH) -> !rowsWIDTH
  %r = "device.edges"(%g) {kind = "in", operandSegmentSizes = array<i32: 1, 0, 0>} : (!graph) -> !in
  %v = "device.constant_values"(%r, %k) : (!in, !edgeHEADS) -> !valuesHEADS
  %a = "device.sddmm"(%r, %x0, %z0, %v) {heads = HEADS : i64, inner = "dot", combine = "COMBINE", functions = ["mul_constant 0.25"], operandSegmentSizes = array<i32: 1, 1, 1, 1>} : (!in, !rowsWIDTH, !rowsWIDTH, !valuesHEADS) -> !valuesHEADS
  %b = "device.values_vadd"(%a, %v) {function = "sub", functions = ["relu"]} : (!valuesHEADS, !valuesHEADS) -> !valuesHEADS
  %c = "device.map"(%b) {functions = ["add_constant 1", "sigmoid"]} : (!valuesHEADS) -> !valuesHEADS
  %o = "device.output"(%c) : (!valuesHEADS) -> !edgeHEADS
  return %o : !edgeHEADS
}
