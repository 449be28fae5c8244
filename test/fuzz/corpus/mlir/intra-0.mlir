!graph = !gnn.graph<"g.replace">
!at_edge = !inter.cursor<"edge", "g.replace">
!w = !intra.memory<"one", tensor<8x4xf32>>
!a = !intra.memory<"edge:g.replace", f32>
func.func @gcn.bind() attributes {gnn.phase = "bind"} {
  %g = "intra.graph"() {set = "g.replace"} : () -> !graph
  %in = "intra.buffer"() {space = "input", name = "weight", from = "edge_weight", file = "graph"} : () -> !intra.memory<"edge:g", f32>
  %a = "intra.buffer"() {space = "bound", name = "a", slot = 0 : i64} : () -> !a
  %t = "intra.buffer"() {space = "weight", name = "t", count = 3 : i64} : () -> !intra.memory<"etype", f32>
  %w = "intra.buffer"() {space = "weight", name = "w"} : () -> !w
  %wb = "intra.buffer"() {space = "bound", name = "w", slot = 1 : i64} : () -> !w
  "intra.call"() {callee = "edge_set", set = "g.replace", base = "g", mode = "replace", used_by = "run"} : () -> ()
  "intra.call"() {callee = "adjacency", set = "g.replace", form = "csc"} : () -> ()
  "intra.call"() {callee = "types", set = "g.replace", form = "edge"} : () -> ()
  "intra.extend_edges"(%in, %a) {fill = 1.0 : f64} : (!intra.memory<"edge:g", f32>, !a) -> ()
  "intra.copy"(%w, %wb) : (!w, !w) -> ()
  "intra.traverse"(%g) ({
  ^bb0(%e: !at_edge):
    %1 = "intra.load"(%a, %e) : (!a, !at_edge) -> f32
    %2 = "intra.load"(%t, %e) : (!intra.memory<"etype", f32>, !at_edge) -> f32
    %3 = "gnn.multiply"(%1, %2) : (f32, f32) -> f32
    "intra.store"(%3, %a, %e) : (f32, !a, !at_edge) -> ()
    smt.yield
  }) {domain = "edge"} : (!graph) -> ()
  return
}
