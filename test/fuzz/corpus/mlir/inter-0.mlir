!loops = !gnn.graph<"g.replace">
!node8 = !gnn.node<"g", tensor<8xf32>>
!at_node = !inter.cursor<"node", "g">
!at_edge = !inter.cursor<"edge", "g.replace">
func.func @loops(%g: !loops, %x: !node8, %a: !gnn.edge<"g.replace", f32>, %w: !gnn.per<"etype", f32>) -> (!node8, !gnn.edge<"g.replace", f32>) {
  %0 = "inter.for_edges"(%g) ({
  ^bb0(%e: !at_edge):
    %s = "inter.src"(%e) : (!at_edge) -> !at_node
    %d = "inter.dst"(%e) : (!at_edge) -> !at_node
    %xs = "inter.at"(%x, %s) : (!node8, !at_node) -> tensor<8xf32>
    %xd = "inter.at"(%x, %d) : (!node8, !at_node) -> tensor<8xf32>
    %p = "gnn.vector_inner"(%xs, %xd) : (tensor<8xf32>, tensor<8xf32>) -> f32
    %t = "inter.at"(%w, %e) : (!gnn.per<"etype", f32>, !at_edge) -> f32
    %y = "gnn.multiply"(%p, %t) : (f32, f32) -> f32
    smt.yield %y : f32
  }) : (!loops) -> !inter.results
  %1 = "inter.result"(%0) {index = 0 : i64} : (!inter.results) -> !gnn.edge<"g.replace", f32>
  %2 = "inter.for_nodes"(%g) ({
  ^bb0(%n: !at_node):
    %3 = "inter.for_incoming"(%g, %n) ({
    ^bb0(%e: !at_edge):
      %4 = "inter.at"(%1, %e) : (!gnn.edge<"g.replace", f32>, !at_edge) -> f32
      %s = "inter.src"(%e) : (!at_edge) -> !at_node
      %5 = "inter.at"(%x, %s) : (!node8, !at_node) -> tensor<8xf32>
      %6 = "gnn.multiply"(%4, %5) : (f32, tensor<8xf32>) -> tensor<8xf32>
      smt.yield %6, %4 : tensor<8xf32>, f32
    }) {reduce = ["sum", "max"]} : (!loops, !at_node) -> !inter.results
    %7 = "inter.result"(%3) {index = 0 : i64} : (!inter.results) -> tensor<8xf32>
    %8 = "inter.result"(%3) {index = 1 : i64} : (!inter.results) -> f32
    %9 = "inter.for_outgoing"(%g, %n) ({
    ^bb0(%e: !at_edge):
      %4 = "inter.at"(%a, %e) : (!gnn.edge<"g.replace", f32>, !at_edge) -> f32
      smt.yield %4 : f32
    }) {reduce = ["mean"]} : (!loops, !at_node) -> !inter.results
    %10 = "inter.result"(%9) {index = 0 : i64} : (!inter.results) -> f32
    %11 = "inter.degree"(%g, %n) {direction = "out"} : (!loops, !at_node) -> f32
    %12 = "gnn.multiply"(%8, %10) : (f32, f32) -> f32
    %13 = "gnn.divide"(%12, %11) : (f32, f32) -> f32
    %14 = "gnn.multiply"(%13, %7) : (f32, tensor<8xf32>) -> tensor<8xf32>
    smt.yield %14 : tensor<8xf32>
  }) : (!loops) -> !inter.results
  %15 = "inter.result"(%2) {index = 0 : i64} : (!inter.results) -> !node8
  return %15, %1 : !node8, !gnn.edge<"g.replace", f32>
}
