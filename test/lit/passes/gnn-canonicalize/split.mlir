// Attention written as a . [z_src, z_dst]: each side takes its columns of a, and is computed once per node or per type.
// RUN: gnn-opt -O2 --pass-pipeline=gnn-canonicalize %s | FileCheck %s
// RUN: gnn-opt -O1 --pass-pipeline=gnn-canonicalize %s | FileCheck %s --check-prefix=SAME
// RUN: gnn-opt -O2 --pass-pipeline="gnn-canonicalize{split=false}" %s | FileCheck %s --check-prefix=SAME
// SAME-NOT: gnn.columns

!x = !gnn.node<"g", tensor<4xf32>>
!e = !gnn.edge<"g", tensor<4xf32>>

// CHECK-LABEL: @gat
// CHECK-DAG: [[L:%.*]] = "gnn.columns"(%arg2) {begin = 0 : i64, width = 4 : i64}
// CHECK-DAG: [[R:%.*]] = "gnn.columns"(%arg2) {begin = 4 : i64, width = 4 : i64}
// CHECK-DAG: [[S:%.*]] = "gnn.vector_inner"([[L]], %arg1) : (tensor<4xf32>, !gnn.node<"g", tensor<4xf32>>) -> !gnn.node<"g", f32>
// CHECK-DAG: [[D:%.*]] = "gnn.vector_inner"([[R]], %arg1)
// CHECK-DAG: [[SE:%.*]] = "gnn.gather"(%arg0, [[S]]) {end = "src"}
// CHECK-DAG: [[DE:%.*]] = "gnn.gather"(%arg0, [[D]]) {end = "dst"}
// CHECK: [[Y:%.*]] = "gnn.vector_add"([[SE]], [[DE]]) {activation = "relu"}
// CHECK: return [[Y]]
func.func @gat(%g: !gnn.graph<"g">, %x: !x, %a: tensor<8xf32>) -> !gnn.edge<"g", f32> {
  %0 = "gnn.gather"(%g, %x) {end = "src"} : (!gnn.graph<"g">, !x) -> !e
  %1 = "gnn.gather"(%g, %x) {end = "dst"} : (!gnn.graph<"g">, !x) -> !e
  %2 = "gnn.concat"(%0, %1) : (!e, !e) -> !gnn.edge<"g", tensor<8xf32>>
  %3 = "gnn.vector_inner"(%a, %2) {activation = "relu"} : (tensor<8xf32>, !gnn.edge<"g", tensor<8xf32>>) -> !gnn.edge<"g", f32>
  return %3 : !gnn.edge<"g", f32>
}

// The columns of a table are a table; a concatenation with other users stays one product.
// CHECK-LABEL: @types
// CHECK: [[L:%.*]] = "gnn.columns"(%arg3) {begin = 0 : i64, width = 4 : i64} : (!gnn.per<"etype", tensor<8xf32>>)
// CHECK: "gnn.slice"(%arg0, [[L]]) {by = "edge"}
// CHECK-LABEL: @kept
// CHECK-NOT: gnn.columns
func.func @types(%g: !gnn.graph<"g">, %z: !e, %q: !e, %a: !gnn.per<"etype", tensor<8xf32>>) -> !gnn.edge<"g", f32> {
  %0 = "gnn.concat"(%z, %q) : (!e, !e) -> !gnn.edge<"g", tensor<8xf32>>
  %1 = "gnn.slice"(%g, %a) {by = "edge"} : (!gnn.graph<"g">, !gnn.per<"etype", tensor<8xf32>>) -> !gnn.edge<"g", tensor<8xf32>>
  %2 = "gnn.vector_inner"(%0, %1) : (!gnn.edge<"g", tensor<8xf32>>, !gnn.edge<"g", tensor<8xf32>>) -> !gnn.edge<"g", f32>
  return %2 : !gnn.edge<"g", f32>
}
func.func @kept(%z: !e, %q: !e, %a: tensor<8xf32>) -> (!gnn.edge<"g", tensor<8xf32>>, !gnn.edge<"g", f32>) {
  %0 = "gnn.concat"(%z, %q) : (!e, !e) -> !gnn.edge<"g", tensor<8xf32>>
  %1 = "gnn.vector_inner"(%0, %a) : (!gnn.edge<"g", tensor<8xf32>>, tensor<8xf32>) -> !gnn.edge<"g", f32>
  return %0, %1 : !gnn.edge<"g", tensor<8xf32>>, !gnn.edge<"g", f32>
}
