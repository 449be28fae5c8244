func.func @graph() {
  %0 = "intra.graph"() {set = "g"} : () -> !gnn.graph<"h">
  return
}

