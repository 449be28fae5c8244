// A function whose sizes are known stays unchanged.
// RUN: gnn-opt %s > %t.before
// RUN: gnn-opt --pass-pipeline=gnn-infer-shapes %s > %t.after
// RUN: diff %t.before %t.after

func.func @exact(%g: !gnn.graph<"g">, %x: !gnn.node<"g", tensor<8xf32>>) -> !gnn.edge<"g", f32> {
  %0 = "gnn.gather"(%g, %x) {end = "src"} : (!gnn.graph<"g">, !gnn.node<"g", tensor<8xf32>>) -> !gnn.edge<"g", tensor<8xf32>>
  %1 = "gnn.reduce"(%0) {function = "sum"} : (!gnn.edge<"g", tensor<8xf32>>) -> !gnn.edge<"g", f32>
  return %1 : !gnn.edge<"g", f32>
}
