func.func @wrong_set(%g: !gnn.graph<"g">) {
  %0 = "gnn.degree"(%g) {direction = "in"} : (!gnn.graph<"g">) -> !gnn.node<"h", f32>
  return
}

