func.func @per_type_with_node(%x: !gnn.per<"etype", f32>, %e: !gnn.node<"g", f32>) {
  %0 = "gnn.multiply"(%x, %e) : (!gnn.per<"etype", f32>, !gnn.node<"g", f32>) -> !gnn.node<"g", f32>
  return
}

