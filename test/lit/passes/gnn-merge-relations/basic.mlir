// gnn-merge-relations makes one product with a weight per edge type of those that each type has.
// RUN: gnn-opt --pass-pipeline='gnn-merge-relations,gnn-dce' %s | FileCheck %s
// RUN: gnn-opt --pass-pipeline='gnn-merge-relations' --remarks='*' --num-nodes=10 --num-edges=50 --unique-src=12 --unique-dst=15 %s 2>&1 | FileCheck %s --check-prefix=KNOWN
// RUN: gnn-opt --pass-pipeline='gnn-merge-relations{when=never}' --remarks='*' %s 2>&1 | FileCheck %s --check-prefix=OFF

// Weights that nothing loads any more are deleted; the new one lists their names, and has what these share as its own.
// Both functions have products with the same weights, which have one list.
// CHECK: @"{lin.a.w|lin.b.w}"(#extern) : !gnn.per<"etype", tensor<4x2xf32>> {gnn.count = 2 : i64, gnn.from = "{lin.a.w|lin.b.w}", gnn.name = "lin.type.w"}
// CHECK-NOT: ml_program.global private
// KNOWN: the product with 'wa' and those of the other relations become one product with a weight per edge type: 0.000 -> 0.000 MFLOP
// OFF: the product with 'wa' and those of the other relations would become one product with a weight per edge type
#extern = #ml_program.extern
ml_program.global private @wa(#extern) : tensor<4x2xf32> {gnn.from = "lin.a.w", gnn.name = "wa"}
ml_program.global private @wb(#extern) : tensor<4x2xf32> {gnn.from = "lin.b.w", gnn.name = "wb"}

// The factor of a mean is 1 / the number of edges of a type into a node. What is added beside stays.
// CHECK-LABEL: @mean
// OFF-LABEL: @mean
// OFF-NOT: "gnn.slice"
// CHECK-NOT: edge_set
// CHECK: %[[U:.*]] = "gnn.unique_edges"(%arg0) {end = "dst"}
// CHECK-NEXT: %[[N:.*]] = "gnn.group_size"(%[[U]])
// CHECK-NEXT: %[[E:.*]] = "gnn.expand"(%arg0, %[[N]])
// CHECK-NEXT: %[[ONE:.*]] = "gnn.constant"() {value = 1.000000e+00 : f64}
// CHECK-NEXT: %[[C:.*]] = "gnn.divide"(%[[ONE]], %[[E]])
// CHECK-NEXT: %[[X:.*]] = "gnn.gather"(%arg0, %arg1) {end = "src"}
// CHECK-NEXT: %[[W:.*]] = "gnn.slice"(%arg0, %{{.*}}) {by = "edge"}
// CHECK-NEXT: %[[Z:.*]] = "gnn.linear"(%[[X]], %[[W]])
// CHECK-NEXT: %[[M:.*]] = "gnn.multiply"(%[[C]], %[[Z]])
// CHECK-NEXT: %[[S:.*]] = "gnn.aggregate"(%arg0, %[[M]]) {direction = "in", reduce = "sum"}
// CHECK-NEXT: %[[Y:.*]] = "gnn.vector_add"(%arg2, %[[S]])
// CHECK-NEXT: return %[[Y]]
func.func @mean(%g: !gnn.graph<"g"> {gnn.edge_types = 2 : i64}, %x: !gnn.node<"g", tensor<4xf32>>, %h: !gnn.node<"g", tensor<2xf32>>) -> (!gnn.node<"g", tensor<2xf32>>) {
  %g0 = "gnn.edge_set"(%g) {mode = "relation0"} : (!gnn.graph<"g">) -> !gnn.graph<"g.relation0">
  %g1 = "gnn.edge_set"(%g) {mode = "relation1"} : (!gnn.graph<"g">) -> !gnn.graph<"g.relation1">
  %wa = ml_program.global_load_const @wa : tensor<4x2xf32>
  %z0 = "gnn.linear"(%x, %wa) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!gnn.node<"g", tensor<4xf32>>, tensor<4x2xf32>) -> !gnn.node<"g", tensor<2xf32>>
  %s0 = "gnn.aggregate"(%g0, %z0) {direction = "in", reduce = "mean"} : (!gnn.graph<"g.relation0">, !gnn.node<"g", tensor<2xf32>>) -> !gnn.node<"g", tensor<2xf32>>
  %t = "gnn.vector_add"(%h, %s0) : (!gnn.node<"g", tensor<2xf32>>, !gnn.node<"g", tensor<2xf32>>) -> !gnn.node<"g", tensor<2xf32>>
  %wb = ml_program.global_load_const @wb : tensor<4x2xf32>
  %z1 = "gnn.linear"(%x, %wb) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!gnn.node<"g", tensor<4xf32>>, tensor<4x2xf32>) -> !gnn.node<"g", tensor<2xf32>>
  %s1 = "gnn.aggregate"(%g1, %z1) {direction = "in", reduce = "mean"} : (!gnn.graph<"g.relation1">, !gnn.node<"g", tensor<2xf32>>) -> !gnn.node<"g", tensor<2xf32>>
  %y = "gnn.vector_add"(%t, %s1) : (!gnn.node<"g", tensor<2xf32>>, !gnn.node<"g", tensor<2xf32>>) -> !gnn.node<"g", tensor<2xf32>>
  return %y : !gnn.node<"g", tensor<2xf32>>
}

// Sums over outgoing edges, before the product; nothing else is added, and the types come in any order.
// CHECK-LABEL: @sum_first
// CHECK: %[[X:.*]] = "gnn.gather"(%arg0, %arg1) {end = "dst"}
// CHECK-NEXT: %[[W:.*]] = "gnn.slice"
// CHECK-NEXT: %[[Z:.*]] = "gnn.linear"(%[[X]], %[[W]])
// CHECK-NEXT: %[[S:.*]] = "gnn.aggregate"(%arg0, %[[Z]]) {direction = "out", reduce = "sum"}
// CHECK-NEXT: return %[[S]]
func.func @sum_first(%g: !gnn.graph<"g"> {gnn.edge_types = 2 : i64}, %x: !gnn.node<"g", tensor<4xf32>>) -> (!gnn.node<"g", tensor<2xf32>>) {
  %g0 = "gnn.edge_set"(%g) {mode = "relation0"} : (!gnn.graph<"g">) -> !gnn.graph<"g.relation0">
  %g1 = "gnn.edge_set"(%g) {mode = "relation1"} : (!gnn.graph<"g">) -> !gnn.graph<"g.relation1">
  %wb = ml_program.global_load_const @wb : tensor<4x2xf32>
  %a1 = "gnn.aggregate"(%g1, %x) {direction = "out", reduce = "sum"} : (!gnn.graph<"g.relation1">, !gnn.node<"g", tensor<4xf32>>) -> !gnn.node<"g", tensor<4xf32>>
  %p1 = "gnn.linear"(%a1, %wb) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!gnn.node<"g", tensor<4xf32>>, tensor<4x2xf32>) -> !gnn.node<"g", tensor<2xf32>>
  %wa = ml_program.global_load_const @wa : tensor<4x2xf32>
  %a0 = "gnn.aggregate"(%g0, %x) {direction = "out", reduce = "sum"} : (!gnn.graph<"g.relation0">, !gnn.node<"g", tensor<4xf32>>) -> !gnn.node<"g", tensor<4xf32>>
  %p0 = "gnn.linear"(%a0, %wa) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!gnn.node<"g", tensor<4xf32>>, tensor<4x2xf32>) -> !gnn.node<"g", tensor<2xf32>>
  %y = "gnn.vector_add"(%p1, %p0) : (!gnn.node<"g", tensor<2xf32>>, !gnn.node<"g", tensor<2xf32>>) -> !gnn.node<"g", tensor<2xf32>>
  return %y : !gnn.node<"g", tensor<2xf32>>
}
