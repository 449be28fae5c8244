// gnn-split-total cuts reductions over all nodes into 64 pieces, and combines the pieces in a tree.
// RUN: gnn-opt --pass-pipeline=gnn-split-total %s | FileCheck %s

!x = !gnn.node<"g", tensor<8xf32>>
!k = !gnn.node<"g", tensor<4xf32>>

// A sum of outer products is multiplied as it is added up.
// CHECK-LABEL: func.func @sum(
// CHECK-NEXT: [[P:%.*]] = "gnn.pieces"(%arg0, %arg1, %arg2) {reduce = "sum"} : {{.*}} -> !gnn.per<"piece", tensor<4x8xf32>>
// CHECK-NEXT: [[S:%.*]] = "gnn.combine"([[P]]) {reduce = "sum"}
// CHECK-NEXT: return [[S]]
func.func @sum(%g: !gnn.graph<"g">, %k: !k, %x: !x) -> tensor<4x8xf32> {
  %0 = "gnn.total"(%g, %k, %x) {reduce = "sum"} : (!gnn.graph<"g">, !k, !x) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// A mean divides by the number of nodes, at least 1.
// CHECK-LABEL: func.func @mean(
// CHECK: [[S:%.*]] = "gnn.combine"({{.*}}) {reduce = "sum"} : (!gnn.per<"piece", tensor<8xf32>>) -> tensor<8xf32>
// CHECK: [[N:%.*]] = "gnn.combine"({{.*}}) {reduce = "sum"} : (!gnn.per<"piece", f32>) -> f32
// CHECK: [[ONE:%.*]] = "gnn.constant"() {value = 1.000000e+00 : f64}
// CHECK: [[M:%.*]] = "gnn.maximum"([[N]], [[ONE]])
// CHECK: [[Y:%.*]] = "gnn.divide"([[S]], [[M]])
// CHECK: return [[Y]]
func.func @mean(%g: !gnn.graph<"g">, %x: !x) -> tensor<8xf32> {
  %0 = "gnn.total"(%g, %x) {reduce = "mean"} : (!gnn.graph<"g">, !x) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// A maximum over no nodes is 0.
// CHECK-LABEL: func.func @max(
// CHECK: [[P:%.*]] = "gnn.pieces"(%arg0, %arg1) {reduce = "max"}
// CHECK: [[M:%.*]] = "gnn.combine"([[P]]) {reduce = "max"}
// CHECK: [[N:%.*]] = "gnn.combine"({{.*}}) {reduce = "sum"}
// CHECK: [[Y:%.*]] = "gnn.select"([[N]], [[M]], {{%.*}})
// CHECK: return [[Y]]
func.func @max(%g: !gnn.graph<"g">, %x: !x) -> tensor<8xf32> {
  %0 = "gnn.total"(%g, %x) {reduce = "max"} : (!gnn.graph<"g">, !x) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
