// The scale of HGT's attention is computed per type, as mu / sqrt(d), before it is read at the edges. Factors that are neither per type nor plain stay.
// RUN: gnn-opt -O2 --pass-pipeline=gnn-canonicalize %s | FileCheck %s
// RUN: gnn-opt -O1 --pass-pipeline=gnn-canonicalize %s | FileCheck %s --check-prefix=SAME

// CHECK-LABEL: @scale
// CHECK: [[C:%.*]] = "gnn.constant"() {value = 8.000000e+00 : f64}
// CHECK: [[D:%.*]] = "gnn.divide"(%arg2, [[C]]) : (!gnn.per<"etype", tensor<4xf32>>, f32)
// CHECK: [[S:%.*]] = "gnn.slice"(%arg0, [[D]]) {by = "edge"}
// CHECK: [[Y:%.*]] = "gnn.multiply"(%arg1, [[S]])
// CHECK-NEXT: return [[Y]]
// SAME-LABEL: @scale
// SAME: [[Y:%.*]] = "gnn.divide"
// SAME-NEXT: return [[Y]]
func.func @scale(%g: !gnn.graph<"g">, %a: !gnn.edge<"g", tensor<4xf32>>, %p: !gnn.per<"etype", tensor<4xf32>>) -> !gnn.edge<"g", tensor<4xf32>> {
  %0 = "gnn.constant"() {value = 8.0} : () -> f32
  %1 = "gnn.slice"(%g, %p) {by = "edge"} : (!gnn.graph<"g">, !gnn.per<"etype", tensor<4xf32>>) -> !gnn.edge<"g", tensor<4xf32>>
  %2 = "gnn.multiply"(%a, %1) : (!gnn.edge<"g", tensor<4xf32>>, !gnn.edge<"g", tensor<4xf32>>) -> !gnn.edge<"g", tensor<4xf32>>
  %3 = "gnn.divide"(%2, %0) : (!gnn.edge<"g", tensor<4xf32>>, f32) -> !gnn.edge<"g", tensor<4xf32>>
  return %3 : !gnn.edge<"g", tensor<4xf32>>
}

// CHECK-LABEL: @edges
// CHECK-NEXT: "gnn.multiply"(%arg1, %arg2)
// CHECK-NEXT: "gnn.divide"
func.func @edges(%g: !gnn.graph<"g">, %a: !gnn.edge<"g", f32>, %b: !gnn.edge<"g", f32>, %c: f32) -> !gnn.edge<"g", f32> {
  %0 = "gnn.multiply"(%a, %b) : (!gnn.edge<"g", f32>, !gnn.edge<"g", f32>) -> !gnn.edge<"g", f32>
  %1 = "gnn.divide"(%0, %c) : (!gnn.edge<"g", f32>, f32) -> !gnn.edge<"g", f32>
  return %1 : !gnn.edge<"g", f32>
}

// An expanded value is read through its pairs.
// CHECK-LABEL: @pairs
// CHECK-NEXT: [[E:%.*]] = "gnn.activation"(%arg1) {function = "exp"} : (!gnn.edge<"g.unique_src", f32>)
// CHECK-NEXT: "gnn.expand"(%arg0, [[E]])
func.func @pairs(%g: !gnn.graph<"g">, %u: !gnn.edge<"g.unique_src", f32>) -> !gnn.edge<"g", f32> {
  %0 = "gnn.expand"(%g, %u) : (!gnn.graph<"g">, !gnn.edge<"g.unique_src", f32>) -> !gnn.edge<"g", f32>
  %1 = "gnn.activation"(%0) {function = "exp"} : (!gnn.edge<"g", f32>) -> !gnn.edge<"g", f32>
  return %1 : !gnn.edge<"g", f32>
}
