!graph = !gnn.graph<"g">
!loops = !gnn.graph<"g.replace">
!node = !gnn.node<"g", f32>
!node8 = !gnn.node<"g", tensor<8xf32>>
!edge = !gnn.edge<"g", f32>
!edge8 = !gnn.edge<"g", tensor<8xf32>>
func.func @graphs(%g: !graph, %x: !node8, %e: !edge8, %w: !edge, %per: !gnn.per<"etype", tensor<8x4xf32>>,
                  %per_node: !gnn.per<"ntype", f32>)
    -> (!gnn.edge<"g.replace", f32>, !node, !edge8, !gnn.edge<"g", tensor<8x4xf32>>, !node, !node8, !node8, !node8,
        !gnn.per<"graph", tensor<8xf32>>, f32) {
  %c = "gnn.constant"() {value = 0.2 : f64} : () -> f32
  %l = "gnn.edge_set"(%g) {mode = "replace"} : (!graph) -> !loops
  %f = "gnn.extend_edges"(%l, %w) {fill = 1.0 : f64} : (!loops, !edge) -> !gnn.edge<"g.replace", f32>
  %d = "gnn.degree"(%l) {direction = "in"} : (!loops) -> !node
  %s = "gnn.gather"(%g, %x) {end = "src"} : (!graph, !node8) -> !edge8
  %m = "gnn.slice"(%g, %per) {by = "edge"} : (!graph, !gnn.per<"etype", tensor<8x4xf32>>) -> !gnn.edge<"g", tensor<8x4xf32>>
  %n = "gnn.slice"(%g, %per_node) {by = "node"} : (!graph, !gnn.per<"ntype", f32>) -> !node
  %a = "gnn.aggregate"(%g, %x) {reduce = "sum", direction = "in"} : (!graph, !node8) -> !node8
  %b = "gnn.aggregate"(%g, %e, %w) {reduce = "max", direction = "out", activation = "relu"} : (!graph, !edge8, !edge) -> !node8
  %o = "gnn.aggregate"(%l, %x) {reduce = "mean", direction = "in"} : (!loops, !node8) -> !node8
  %p = "gnn.pool"(%g, %x) {reduce = "mean"} : (!graph, !node8) -> !gnn.per<"graph", tensor<8xf32>>
  return %f, %d, %s, %m, %n, %a, %b, %o, %p, %c : !gnn.edge<"g.replace", f32>, !node, !edge8, !gnn.edge<"g", tensor<8x4xf32>>,
      !node, !node8, !node8, !node8, !gnn.per<"graph", tensor<8xf32>>, f32
}
