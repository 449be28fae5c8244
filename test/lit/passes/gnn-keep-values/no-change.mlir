// Without named values, or with those alone that are outputs, nothing changes.
// RUN: gnn-opt %s -o %t.before && gnn-opt %s --gnn-keep-values -o %t.after && diff %t.before %t.after

func.func @output_only(%g: !gnn.graph<"g"> {gnn.name = "g"}, %x: !gnn.node<"g", f32> {gnn.name = "x"}) -> (!gnn.node<"g", f32> {gnn.name = "y"}) {
  %0 = "gnn.degree"(%g) {direction = "in"} : (!gnn.graph<"g">) -> !gnn.node<"g", f32>
  %y = "gnn.multiply"(%x, %0) : (!gnn.node<"g", f32>, !gnn.node<"g", f32>) -> !gnn.node<"g", f32> loc("y")
  return %y : !gnn.node<"g", f32>
}
