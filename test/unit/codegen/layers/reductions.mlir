// Values times the weights of the edge list, and maximum and minimum with bias and addend.
!graph = !gnn.graph<"g">
!in = !device.edge_list<"g", "g">
!rows20 = !device.rows<"g", 20>
!values2 = !device.values<"g", "g", 2>
!node20 = !gnn.node<"g", tensor<20xf32>>
!edge2 = !gnn.edge<"g", tensor<2xf32>>
!weight = !gnn.edge<"g", f32>

func.func @reductions(%g: !graph, %x: !node20, %k: !weight, %v: !edge2, %b: tensor<20xf32>) -> (!node20) {
  %x0 = "device.input"(%x) : (!node20) -> !rows20
  %r = "device.edges"(%g, %k) {kind = "in", operandSegmentSizes = array<i32: 1, 0, 1>} : (!graph, !weight) -> !in
  %q = "device.edges"(%g) {kind = "in", operandSegmentSizes = array<i32: 1, 0, 0>} : (!graph) -> !in
  %a = "device.constant_values"(%q, %v) : (!in, !edge2) -> !values2
  %s = "device.spdmm"(%r, %x0, %a) {reduce = "sum", operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>} : (!in, !rows20, !values2) -> !rows20
  %m = "device.spdmm"(%r, %s, %b, %x0) {reduce = "max", functions = ["relu"], operandSegmentSizes = array<i32: 1, 1, 0, 1, 1>} : (!in, !rows20, tensor<20xf32>, !rows20) -> !rows20
  %n = "device.spdmm"(%q, %m) {reduce = "min", functions = ["elu 1"], operandSegmentSizes = array<i32: 1, 1, 0, 0, 0>} : (!in, !rows20) -> !rows20
  %y = "device.spdmm"(%q, %n, %b, %m) {reduce = "sum", operandSegmentSizes = array<i32: 1, 1, 0, 1, 1>} : (!in, !rows20, tensor<20xf32>, !rows20) -> !rows20
  %o = "device.output"(%y) : (!rows20) -> !node20
  return %o : !node20
}
