// Values of nodes and edges that have a name in the model become outputs; those of other sets, outputs, and names that occur twice do not.
// RUN: gnn-opt %s --gnn-keep-values | FileCheck %s

// CHECK: func.func @named(
// CHECK-SAME: -> (!gnn.node<"g", f32> {gnn.name = "y"}, !gnn.node<"g", f32> {gnn.name = "d"}, !gnn.edge<"g", f32> {gnn.name = "c"})
// CHECK: return %y, %d, %c : !gnn.node<"g", f32>, !gnn.node<"g", f32>, !gnn.edge<"g", f32>
func.func @named(%g: !gnn.graph<"g"> {gnn.name = "g"}, %x: !gnn.node<"g", f32> {gnn.name = "x"}) -> (!gnn.node<"g", f32> {gnn.name = "y"}) {
  %s = "gnn.edge_set"(%g) {mode = "replace"} : (!gnn.graph<"g">) -> !gnn.graph<"g.replace"> loc("s")
  %d = "gnn.degree"(%g) {direction = "in"} : (!gnn.graph<"g">) -> !gnn.node<"g", f32> loc("d")
  %0 = "gnn.vector_add"(%d, %x) : (!gnn.node<"g", f32>, !gnn.node<"g", f32>) -> !gnn.node<"g", f32>
  %c = "gnn.gather"(%g, %0) {end = "src"} : (!gnn.graph<"g">, !gnn.node<"g", f32>) -> !gnn.edge<"g", f32> loc("c")
  %e = "gnn.gather"(%s, %0) {end = "src"} : (!gnn.graph<"g.replace">, !gnn.node<"g", f32>) -> !gnn.edge<"g.replace", f32> loc("e")
  %t = "gnn.multiply"(%x, %d) : (!gnn.node<"g", f32>, !gnn.node<"g", f32>) -> !gnn.node<"g", f32> loc("t")
  %u = "gnn.multiply"(%t, %d) : (!gnn.node<"g", f32>, !gnn.node<"g", f32>) -> !gnn.node<"g", f32> loc("t")
  %y = "gnn.aggregate"(%s, %u, %e) {direction = "in", reduce = "sum"} : (!gnn.graph<"g.replace">, !gnn.node<"g", f32>, !gnn.edge<"g.replace", f32>) -> !gnn.node<"g", f32> loc("y")
  return %y : !gnn.node<"g", f32>
}
