// By which costs relations are merged: on a small graph, where almost each node has edges of each type, a machine whose
// layers read rows from memory and write them back takes longer for one product than for the sum of each relation.
// RUN: gnn-opt --pass-pipeline='gnn-merge-relations' --remarks='*' --num-nodes=200 --num-edges=1500 --unique-src=551 --unique-dst=550 %s 2>&1 | FileCheck %s --check-prefix=PRODUCTS
// RUN: gnn-opt --pass-pipeline='gnn-merge-relations{cost=rows}' --remarks='*' --num-nodes=200 --num-edges=1500 --unique-src=551 --unique-dst=550 %s 2>&1 | FileCheck %s --check-prefix=ROWS
// RUN: gnn-opt --pass-pipeline='gnn-merge-relations{cost=tiles}' --remarks='*' --num-nodes=200 --num-edges=1500 --unique-src=551 --unique-dst=550 %s 2>&1 | FileCheck %s --check-prefix=TILES
// RUN: gnn-opt --pass-pipeline='gnn-merge-relations{cost=tiles tile=8}' --remarks='*' --num-nodes=200 --num-edges=1500 --unique-src=551 --unique-dst=550 %s 2>&1 | FileCheck %s --check-prefix=NARROW
// RUN: gnn-opt --pass-pipeline='gnn-merge-relations{cost=rows when=always}' --remarks='*' --num-nodes=200 --num-edges=1500 --unique-src=551 --unique-dst=550 %s 2>&1 | FileCheck %s --check-prefix=ALWAYS

// Sums of products, which gnn-order leaves as they are: the products of one x are one operation on machines.
// PRODUCTS: 'a' and those of the other relations become one product with a weight per edge type: 0.307 -> 0.282 MFLOP
// ROWS: 'a' and those of the other relations do not become one product with a weight per edge type: 0.307 -> 0.282 MFLOP
// TILES: 'a' and those of the other relations become one product with a weight per edge type
// NARROW: 'a' and those of the other relations become one product with a weight per edge type

// Products of sums: without a merge each relation has two operations, but an array of multipliers takes both in one.
// PRODUCTS: 'd' and those of the other relations become one product with a weight per edge type
// ROWS: 'd' and those of the other relations become one product with a weight per edge type
// TILES: 'd' and those of the other relations do not become one product with a weight per edge type
// NARROW: 'd' and those of the other relations become one product with a weight per edge type
// ALWAYS-COUNT-2: relations become one product
#extern = #ml_program.extern
ml_program.global private @a(#extern) : tensor<16x16xf32> {gnn.from = "a", gnn.name = "a"}
ml_program.global private @b(#extern) : tensor<16x16xf32> {gnn.from = "b", gnn.name = "b"}
ml_program.global private @c(#extern) : tensor<16x16xf32> {gnn.from = "c", gnn.name = "c"}
ml_program.global private @d(#extern) : tensor<16x16xf32> {gnn.from = "d", gnn.name = "d"}
ml_program.global private @e(#extern) : tensor<16x16xf32> {gnn.from = "e", gnn.name = "e"}
ml_program.global private @f(#extern) : tensor<16x16xf32> {gnn.from = "f", gnn.name = "f"}
func.func @rgcn(%g: !gnn.graph<"g"> {gnn.edge_types = 3 : i64}, %x: !gnn.node<"g", tensor<16xf32>>) -> (!gnn.node<"g", tensor<16xf32>>, !gnn.node<"g", tensor<16xf32>>) {
  %g0 = "gnn.edge_set"(%g) {mode = "relation0"} : (!gnn.graph<"g">) -> !gnn.graph<"g.relation0">
  %g1 = "gnn.edge_set"(%g) {mode = "relation1"} : (!gnn.graph<"g">) -> !gnn.graph<"g.relation1">
  %g2 = "gnn.edge_set"(%g) {mode = "relation2"} : (!gnn.graph<"g">) -> !gnn.graph<"g.relation2">
  %a = ml_program.global_load_const @a : tensor<16x16xf32>
  %za = "gnn.linear"(%x, %a) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!gnn.node<"g", tensor<16xf32>>, tensor<16x16xf32>) -> !gnn.node<"g", tensor<16xf32>>
  %sa = "gnn.aggregate"(%g0, %za) {direction = "in", reduce = "sum"} : (!gnn.graph<"g.relation0">, !gnn.node<"g", tensor<16xf32>>) -> !gnn.node<"g", tensor<16xf32>>
  %b = ml_program.global_load_const @b : tensor<16x16xf32>
  %zb = "gnn.linear"(%x, %b) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!gnn.node<"g", tensor<16xf32>>, tensor<16x16xf32>) -> !gnn.node<"g", tensor<16xf32>>
  %sb = "gnn.aggregate"(%g1, %zb) {direction = "in", reduce = "sum"} : (!gnn.graph<"g.relation1">, !gnn.node<"g", tensor<16xf32>>) -> !gnn.node<"g", tensor<16xf32>>
  %c = ml_program.global_load_const @c : tensor<16x16xf32>
  %zc = "gnn.linear"(%x, %c) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!gnn.node<"g", tensor<16xf32>>, tensor<16x16xf32>) -> !gnn.node<"g", tensor<16xf32>>
  %sc = "gnn.aggregate"(%g2, %zc) {direction = "in", reduce = "sum"} : (!gnn.graph<"g.relation2">, !gnn.node<"g", tensor<16xf32>>) -> !gnn.node<"g", tensor<16xf32>>
  %d = ml_program.global_load_const @d : tensor<16x16xf32>
  %zd = "gnn.aggregate"(%g0, %x) {direction = "in", reduce = "sum"} : (!gnn.graph<"g.relation0">, !gnn.node<"g", tensor<16xf32>>) -> !gnn.node<"g", tensor<16xf32>>
  %sd = "gnn.linear"(%zd, %d) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!gnn.node<"g", tensor<16xf32>>, tensor<16x16xf32>) -> !gnn.node<"g", tensor<16xf32>>
  %e = ml_program.global_load_const @e : tensor<16x16xf32>
  %ze = "gnn.aggregate"(%g1, %x) {direction = "in", reduce = "sum"} : (!gnn.graph<"g.relation1">, !gnn.node<"g", tensor<16xf32>>) -> !gnn.node<"g", tensor<16xf32>>
  %se = "gnn.linear"(%ze, %e) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!gnn.node<"g", tensor<16xf32>>, tensor<16x16xf32>) -> !gnn.node<"g", tensor<16xf32>>
  %f = ml_program.global_load_const @f : tensor<16x16xf32>
  %zf = "gnn.aggregate"(%g2, %x) {direction = "in", reduce = "sum"} : (!gnn.graph<"g.relation2">, !gnn.node<"g", tensor<16xf32>>) -> !gnn.node<"g", tensor<16xf32>>
  %sf = "gnn.linear"(%zf, %f) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!gnn.node<"g", tensor<16xf32>>, tensor<16x16xf32>) -> !gnn.node<"g", tensor<16xf32>>
  %v = "gnn.vector_add"(%sa, %sb) : (!gnn.node<"g", tensor<16xf32>>, !gnn.node<"g", tensor<16xf32>>) -> !gnn.node<"g", tensor<16xf32>>
  %y = "gnn.vector_add"(%v, %sc) : (!gnn.node<"g", tensor<16xf32>>, !gnn.node<"g", tensor<16xf32>>) -> !gnn.node<"g", tensor<16xf32>>
  %u = "gnn.vector_add"(%sd, %se) : (!gnn.node<"g", tensor<16xf32>>, !gnn.node<"g", tensor<16xf32>>) -> !gnn.node<"g", tensor<16xf32>>
  %w = "gnn.vector_add"(%u, %sf) : (!gnn.node<"g", tensor<16xf32>>, !gnn.node<"g", tensor<16xf32>>) -> !gnn.node<"g", tensor<16xf32>>
  return %y, %w : !gnn.node<"g", tensor<16xf32>>, !gnn.node<"g", tensor<16xf32>>
}
