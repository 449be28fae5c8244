// A function that already consists of rows stays unchanged.
// RUN: gnn-opt %s > %t.before
// RUN: gnn-opt --pass-pipeline=gnn-to-device %s > %t.after
// RUN: diff %t.before %t.after

func.func @done(%g: !gnn.graph<"g">, %x: !gnn.node<"g", f32>) -> !gnn.node<"g", f32> {
  %0 = "device.input"(%x) : (!gnn.node<"g", f32>) -> !device.rows<"g", 1>
  %1 = "device.map"(%0) {functions = ["relu"]} : (!device.rows<"g", 1>) -> !device.rows<"g", 1>
  %2 = "device.output"(%1) : (!device.rows<"g", 1>) -> !gnn.node<"g", f32>
  return %2 : !gnn.node<"g", f32>
}
