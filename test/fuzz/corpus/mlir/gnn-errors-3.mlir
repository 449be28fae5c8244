func.func @extend_edges_of_another_graph(%g: !gnn.graph<"h.replace">, %x: !gnn.edge<"g", f32>) {
  %0 = "gnn.extend_edges"(%g, %x) {fill = 1.0 : f64} : (!gnn.graph<"h.replace">, !gnn.edge<"g", f32>) -> !gnn.edge<"h.replace", f32>
  return
}

