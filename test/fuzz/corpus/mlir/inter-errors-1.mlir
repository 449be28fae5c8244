func.func @inner_loop_at_an_edge(%g: !gnn.graph<"g">) {
  %0 = "inter.for_edges"(%g) ({
  ^bb0(%e: !inter.cursor<"edge", "g">):
    %1 = "inter.for_outgoing"(%g, %e) ({
    ^bb1(%f: !inter.cursor<"edge", "g">):
      smt.yield
    }) {reduce = []} : (!gnn.graph<"g">, !inter.cursor<"edge", "g">) -> !inter.results
    smt.yield
  }) : (!gnn.graph<"g">) -> !inter.results
  return
}

