// A function that is rows already stays as it is.
// RUN: gnn-opt %s > %t.before
// RUN: gnn-opt --pass-pipeline=gnn-to-graphagile %s > %t.after
// RUN: diff %t.before %t.after

func.func @done(%g: !gnn.graph<"g">, %x: !gnn.node<"g", f32>) -> !gnn.node<"g", f32> {
  %0 = "graphagile.input"(%x) : (!gnn.node<"g", f32>) -> !graphagile.rows<"g", 1>
  %1 = "graphagile.map"(%0) {functions = ["relu"]} : (!graphagile.rows<"g", 1>) -> !graphagile.rows<"g", 1>
  %2 = "graphagile.output"(%1) : (!graphagile.rows<"g", 1>) -> !gnn.node<"g", f32>
  return %2 : !gnn.node<"g", f32>
}
