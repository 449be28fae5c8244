// IR without a simpler form stays unchanged.
// RUN: gnn-opt %s > %t.before
// RUN: gnn-opt -O3 --pass-pipeline=gnn-canonicalize %s > %t.after
// RUN: diff %t.before %t.after

// 0/0 is not finite, so it stays a division.
func.func @not_finite() -> f32 {
  %0 = "gnn.constant"() {value = 0.0 : f64} : () -> f32
  %1 = "gnn.divide"(%0, %0) : (f32, f32) -> f32
  return %1 : f32
}

// 1 * x has the type of x, which a broadcast changes; x * 0 is not 0 for every x.
func.func @broadcasts(%s: f32, %x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %zero = "gnn.constant"() {value = 0.0 : f64} : () -> f32
  %0 = "gnn.multiply"(%x, %zero) : (tensor<4xf32>, f32) -> tensor<4xf32>
  %1 = "gnn.vector_add"(%s, %x) : (f32, tensor<4xf32>) -> tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// The weight has more dimensions than the value; the values are those of the node itself; the ends differ.
func.func @not_a_layer(%g: !gnn.graph<"g">, %s: !gnn.node<"g", f32>, %a: !gnn.edge<"g", tensor<4xf32>>) -> (!gnn.node<"g", tensor<4xf32>>, !gnn.node<"g", f32>, !gnn.edge<"g", f32>) {
  %0 = "gnn.gather"(%g, %s) {end = "src"} : (!gnn.graph<"g">, !gnn.node<"g", f32>) -> !gnn.edge<"g", f32>
  %1 = "gnn.multiply"(%a, %0) : (!gnn.edge<"g", tensor<4xf32>>, !gnn.edge<"g", f32>) -> !gnn.edge<"g", tensor<4xf32>>
  %2 = "gnn.aggregate"(%g, %1) {reduce = "sum", direction = "in"} : (!gnn.graph<"g">, !gnn.edge<"g", tensor<4xf32>>) -> !gnn.node<"g", tensor<4xf32>>
  %3 = "gnn.gather"(%g, %s) {end = "dst"} : (!gnn.graph<"g">, !gnn.node<"g", f32>) -> !gnn.edge<"g", f32>
  %4 = "gnn.aggregate"(%g, %3) {reduce = "sum", direction = "in"} : (!gnn.graph<"g">, !gnn.edge<"g", f32>) -> !gnn.node<"g", f32>
  %5 = "gnn.subtract"(%0, %3) : (!gnn.edge<"g", f32>, !gnn.edge<"g", f32>) -> !gnn.edge<"g", f32>
  return %2, %4, %5 : !gnn.node<"g", tensor<4xf32>>, !gnn.node<"g", f32>, !gnn.edge<"g", f32>
}

// Activations after an aggregate stay; sigmoid of sigmoid has no simpler form.
func.func @activations(%g: !gnn.graph<"g">, %x: !gnn.node<"g", f32>) -> !gnn.node<"g", f32> {
  %0 = "gnn.aggregate"(%g, %x) {reduce = "max", direction = "in"} : (!gnn.graph<"g">, !gnn.node<"g", f32>) -> !gnn.node<"g", f32>
  %1 = "gnn.activation"(%0) {function = "relu"} : (!gnn.node<"g", f32>) -> !gnn.node<"g", f32>
  %2 = "gnn.activation"(%1) {function = "sigmoid"} : (!gnn.node<"g", f32>) -> !gnn.node<"g", f32>
  %3 = "gnn.activation"(%2) {function = "sigmoid"} : (!gnn.node<"g", f32>) -> !gnn.node<"g", f32>
  return %3 : !gnn.node<"g", f32>
}
