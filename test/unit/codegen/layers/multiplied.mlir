// Sums that a Linear alone reads: with functions, epilogues, a bias and rows that are added, of one and of several fibers.
!graph = !gnn.graph<"g">
!in = !device.edge_list<"g", "g">
!wide = !device.rows<"g", WIDTH>
!small = !device.rows<"g", OTHER>
!values2 = !device.values<"g", "g", 2>
!node_wide = !gnn.node<"g", tensor<WIDTHxf32>>
!node_small = !gnn.node<"g", tensor<OTHERxf32>>
!edge2 = !gnn.edge<"g", tensor<2xf32>>
!weight = !gnn.edge<"g", f32>

func.func @multiplied(%g: !graph, %x: !node_wide, %y: !node_small, %k: !weight, %v: !edge2, %w: tensor<WIDTHxOTHERxf32>, %u: tensor<OTHERxWIDTHxf32>, %b: tensor<WIDTHxf32>, %c: tensor<OTHERxf32>) -> (!node_small, !node_wide) {
  %x0 = "device.input"(%x) : (!node_wide) -> !wide
  %y0 = "device.input"(%y) : (!node_small) -> !small
  %r = "device.edges"(%g, %k) {kind = "in", operandSegmentSizes = array<i32: 1, 0, 1>} : (!graph, !weight) -> !in
  %q = "device.edges"(%g) {kind = "in", operandSegmentSizes = array<i32: 1, 0, 0>} : (!graph) -> !in
  %a = "device.constant_values"(%q, %v) : (!in, !edge2) -> !values2
  %s = "device.spdmm"(%r, %x0, %b) {reduce = "sum", functions = ["relu"], operandSegmentSizes = array<i32: 1, 1, 0, 1, 0>} : (!in, !wide, tensor<WIDTHxf32>) -> !wide
  %d = "device.gemm"(%s, %w) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!wide, tensor<WIDTHxOTHERxf32>) -> !small
  %m = "device.spdmm"(%q, %d) {reduce = "max", operandSegmentSizes = array<i32: 1, 1, 0, 0, 0>} : (!in, !small) -> !small
  %e = "device.vadd"(%m, %y0) {function = "mul", functions = ["relu"]} : (!small, !small) -> !small
  %h = "device.spdmm"(%q, %x0) {reduce = "sum", operandSegmentSizes = array<i32: 1, 1, 0, 0, 0>} : (!in, !wide) -> !wide
  %f = "device.gemm"(%e, %u, %b, %h) {functions = ["elu 1"], operandSegmentSizes = array<i32: 1, 1, 1, 1>} : (!small, tensor<OTHERxWIDTHxf32>, tensor<WIDTHxf32>, !wide) -> !wide
  %i = "device.vadd"(%f, %x0) {function = "sub", functions = ["relu"]} : (!wide, !wide) -> !wide
  %t = "device.spdmm"(%r, %i, %a, %x0) {reduce = "sum", operandSegmentSizes = array<i32: 1, 1, 1, 0, 1>} : (!in, !wide, !values2, !wide) -> !wide
  %l = "device.gemm"(%t, %w, %c) {functions = ["relu"], operandSegmentSizes = array<i32: 1, 1, 1, 0>} : (!wide, tensor<WIDTHxOTHERxf32>, tensor<OTHERxf32>) -> !small
  %o = "device.output"(%l) : (!small) -> !node_small
  %p = "device.output"(%i) : (!wide) -> !node_wide
  return %o, %p : !node_small, !node_wide
}
