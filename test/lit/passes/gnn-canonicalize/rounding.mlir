// Rules that change rounding apply from -O2 on.
// RUN: gnn-opt -O2 --pass-pipeline=gnn-canonicalize %s | FileCheck %s
// RUN: gnn-opt -O1 --pass-pipeline=gnn-canonicalize %s | FileCheck %s --check-prefix=O1

// CHECK-LABEL: @two_factors
// CHECK-NEXT: [[W:%.*]] = "gnn.multiply"(%arg2, %arg3) : (!gnn.edge<"g", f32>, !gnn.edge<"g", f32>)
// CHECK-NEXT: "gnn.aggregate"(%arg0, %arg1, [[W]])
// O1-LABEL: @two_factors
// O1: "gnn.aggregate"(%arg0, %{{[0-9]+}}) {
func.func @two_factors(%g: !gnn.graph<"g">, %z: !gnn.node<"g", tensor<4xf32>>, %a: !gnn.edge<"g", f32>, %b: !gnn.edge<"g", f32>) -> !gnn.node<"g", tensor<4xf32>> {
  %0 = "gnn.gather"(%g, %z) {end = "src"} : (!gnn.graph<"g">, !gnn.node<"g", tensor<4xf32>>) -> !gnn.edge<"g", tensor<4xf32>>
  %1 = "gnn.multiply"(%b, %0) : (!gnn.edge<"g", f32>, !gnn.edge<"g", tensor<4xf32>>) -> !gnn.edge<"g", tensor<4xf32>>
  %2 = "gnn.multiply"(%a, %1) : (!gnn.edge<"g", f32>, !gnn.edge<"g", tensor<4xf32>>) -> !gnn.edge<"g", tensor<4xf32>>
  %3 = "gnn.aggregate"(%g, %2) {reduce = "sum", direction = "in"} : (!gnn.graph<"g">, !gnn.edge<"g", tensor<4xf32>>) -> !gnn.node<"g", tensor<4xf32>>
  return %3 : !gnn.node<"g", tensor<4xf32>>
}

// CHECK-LABEL: @quotient
// CHECK-NEXT: [[W:%.*]] = "gnn.activation"(%arg2) {function = "reciprocal"}
// CHECK-NEXT: "gnn.aggregate"(%arg0, %arg1, [[W]])
// O1-LABEL: @quotient
// O1: "gnn.divide"
func.func @quotient(%g: !gnn.graph<"g">, %z: !gnn.node<"g", tensor<4xf32>>, %a: !gnn.edge<"g", f32>) -> !gnn.node<"g", tensor<4xf32>> {
  %0 = "gnn.gather"(%g, %z) {end = "src"} : (!gnn.graph<"g">, !gnn.node<"g", tensor<4xf32>>) -> !gnn.edge<"g", tensor<4xf32>>
  %1 = "gnn.divide"(%0, %a) : (!gnn.edge<"g", tensor<4xf32>>, !gnn.edge<"g", f32>) -> !gnn.edge<"g", tensor<4xf32>>
  %2 = "gnn.aggregate"(%g, %1) {reduce = "sum", direction = "in"} : (!gnn.graph<"g">, !gnn.edge<"g", tensor<4xf32>>) -> !gnn.node<"g", tensor<4xf32>>
  return %2 : !gnn.node<"g", tensor<4xf32>>
}

// A factor of the node that sums moves out of the sum where every node has an edge; otherwise infinity times an empty sum would not be 0.
// CHECK-LABEL: @factor_of_destination
// CHECK-NEXT: [[L:%.*]] = "gnn.edge_set"(%arg0)
// CHECK-NEXT: [[S:%.*]] = "gnn.aggregate"([[L]], %arg1) {
// CHECK-NEXT: [[A:%.*]] = "gnn.multiply"(%arg2, [[S]])
// CHECK-NEXT: [[F:%.*]] = "gnn.gather"(%arg0, %arg2) {end = "dst"}
// CHECK-NEXT: [[B:%.*]] = "gnn.aggregate"(%arg0, %arg1, [[F]]) {
// CHECK-NEXT: return [[A]], [[B]]
// O1-LABEL: @factor_of_destination
// O1: [[F:%.*]] = "gnn.gather"(%{{[0-9]+}}, %arg2) {end = "dst"}
// O1: "gnn.aggregate"(%{{[0-9]+}}, %arg1, [[F]])
func.func @factor_of_destination(%g: !gnn.graph<"g">, %z: !gnn.node<"g", tensor<4xf32>>, %c: !gnn.node<"g", f32>) -> (!gnn.node<"g", tensor<4xf32>>, !gnn.node<"g", tensor<4xf32>>) {
  %l = "gnn.edge_set"(%g) {mode = "replace"} : (!gnn.graph<"g">) -> !gnn.graph<"g.replace">
  %0 = "gnn.gather"(%l, %z) {end = "src"} : (!gnn.graph<"g.replace">, !gnn.node<"g", tensor<4xf32>>) -> !gnn.edge<"g.replace", tensor<4xf32>>
  %1 = "gnn.gather"(%l, %c) {end = "dst"} : (!gnn.graph<"g.replace">, !gnn.node<"g", f32>) -> !gnn.edge<"g.replace", f32>
  %2 = "gnn.multiply"(%1, %0) : (!gnn.edge<"g.replace", f32>, !gnn.edge<"g.replace", tensor<4xf32>>) -> !gnn.edge<"g.replace", tensor<4xf32>>
  %3 = "gnn.aggregate"(%l, %2) {reduce = "sum", direction = "in"} : (!gnn.graph<"g.replace">, !gnn.edge<"g.replace", tensor<4xf32>>) -> !gnn.node<"g", tensor<4xf32>>
  %4 = "gnn.gather"(%g, %z) {end = "src"} : (!gnn.graph<"g">, !gnn.node<"g", tensor<4xf32>>) -> !gnn.edge<"g", tensor<4xf32>>
  %5 = "gnn.gather"(%g, %c) {end = "dst"} : (!gnn.graph<"g">, !gnn.node<"g", f32>) -> !gnn.edge<"g", f32>
  %6 = "gnn.multiply"(%4, %5) : (!gnn.edge<"g", tensor<4xf32>>, !gnn.edge<"g", f32>) -> !gnn.edge<"g", tensor<4xf32>>
  %7 = "gnn.aggregate"(%g, %6) {reduce = "sum", direction = "in"} : (!gnn.graph<"g">, !gnn.edge<"g", tensor<4xf32>>) -> !gnn.node<"g", tensor<4xf32>>
  return %3, %7 : !gnn.node<"g", tensor<4xf32>>, !gnn.node<"g", tensor<4xf32>>
}
