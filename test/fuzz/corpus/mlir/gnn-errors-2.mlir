func.func @gather_from_another_graph(%g: !gnn.graph<"g">, %x: !gnn.node<"h", f32>) {
  %0 = "gnn.gather"(%g, %x) {end = "src"} : (!gnn.graph<"g">, !gnn.node<"h", f32>) -> !gnn.edge<"g", f32>
  return
}

