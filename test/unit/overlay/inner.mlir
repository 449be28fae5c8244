// Inner products of wide rows with what was there; the values are an output.
!graph = !gnn.graph<"g">
!in = !graphagile.edge_list<"g", "g">
!rowsWIDTH = !graphagile.rows<"g", WIDTH>
!valuesHEADS = !graphagile.values<"g", "g", HEADS>
!nodeWIDTH = !gnn.node<"g", tensor<WIDTHxf32>>
!edgeHEADS = !gnn.edge<"g", tensor<HEADSxf32>>

func.func @inner(%g: !graph, %x: !nodeWIDTH, %z: !nodeWIDTH, %k: !edgeHEADS) -> (!edgeHEADS) {
  %x0 = "graphagile.input"(%x) : (!nodeWIDTH) -> !rowsWIDTH
  %z0 = "graphagile.input"(%z) : (!nodeWIDTH) -> !rowsWIDTH
  %r = "graphagile.relation"(%g) {kind = "in", operandSegmentSizes = array<i32: 1, 0, 0>} : (!graph) -> !in
  %v = "graphagile.constant_values"(%r, %k) : (!in, !edgeHEADS) -> !valuesHEADS
  %a = "graphagile.sddmm"(%r, %x0, %z0, %v) {heads = HEADS : i64, inner = "dot", combine = "COMBINE", functions = ["mul_constant 0.25"], operandSegmentSizes = array<i32: 1, 1, 1, 1>} : (!in, !rowsWIDTH, !rowsWIDTH, !valuesHEADS) -> !valuesHEADS
  %b = "graphagile.values_vadd"(%a, %v) {function = "sub", functions = ["relu"]} : (!valuesHEADS, !valuesHEADS) -> !valuesHEADS
  %c = "graphagile.map"(%b) {functions = ["add_constant 1", "sigmoid"]} : (!valuesHEADS) -> !valuesHEADS
  %o = "graphagile.output"(%c) : (!valuesHEADS) -> !edgeHEADS
  return %o : !edgeHEADS
}
