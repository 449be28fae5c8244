// gnn-merge-relations leaves relations between nodes of several types that no product of all types has.
// RUN: gnn-opt --pass-pipeline='gnn-merge-relations{when=always}' %s | FileCheck %s --implicit-check-not=etype
#extern = #ml_program.extern
ml_program.global private @a(#extern) : tensor<4x2xf32> {gnn.from = "a", gnn.name = "a"}
ml_program.global private @b(#extern) : tensor<4x2xf32> {gnn.from = "b", gnn.name = "b"}
ml_program.global private @c(#extern) : tensor<4x2xf32> {gnn.from = "c", gnn.name = "c"}

// The model does not declare the ends of edges.
// CHECK-LABEL: @undeclared
func.func @undeclared(%g: !gnn.graph<"g"> {gnn.edge_types = 3 : i64, gnn.node_types = 2 : i64}, %p: !gnn.node<"g:0", tensor<4xf32>>, %q: !gnn.node<"g:1", tensor<4xf32>>) -> (!gnn.node<"g:0", tensor<2xf32>>, !gnn.node<"g:1", tensor<2xf32>>) {
  %g0 = "gnn.edge_set"(%g) {mode = "relation0"} : (!gnn.graph<"g">) -> !gnn.graph<"g.relation0">
  %g1 = "gnn.edge_set"(%g) {mode = "relation1"} : (!gnn.graph<"g">) -> !gnn.graph<"g.relation1">
  %g2 = "gnn.edge_set"(%g) {mode = "relation2"} : (!gnn.graph<"g">) -> !gnn.graph<"g.relation2">
  %a = ml_program.global_load_const @a : tensor<4x2xf32>
  %b = ml_program.global_load_const @b : tensor<4x2xf32>
  %c = ml_program.global_load_const @c : tensor<4x2xf32>
  %up = "gnn.unite"(%g, %p) {type = 0 : i64} : (!gnn.graph<"g">, !gnn.node<"g:0", tensor<4xf32>>) -> !gnn.node<"g", tensor<4xf32>>
  %ua = "gnn.unite"(%g, %q) {type = 1 : i64} : (!gnn.graph<"g">, !gnn.node<"g:1", tensor<4xf32>>) -> !gnn.node<"g", tensor<4xf32>>
  %m0 = "gnn.aggregate"(%g0, %up) {direction = "in", reduce = "mean"} : (!gnn.graph<"g.relation0">, !gnn.node<"g", tensor<4xf32>>) -> !gnn.node<"g", tensor<4xf32>>
  %p0 = "gnn.part"(%g, %m0) {type = 0 : i64} : (!gnn.graph<"g">, !gnn.node<"g", tensor<4xf32>>) -> !gnn.node<"g:0", tensor<4xf32>>
  %s0 = "gnn.linear"(%p0, %a) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!gnn.node<"g:0", tensor<4xf32>>, tensor<4x2xf32>) -> !gnn.node<"g:0", tensor<2xf32>>
  %m1 = "gnn.aggregate"(%g1, %ua) {direction = "in", reduce = "mean"} : (!gnn.graph<"g.relation1">, !gnn.node<"g", tensor<4xf32>>) -> !gnn.node<"g", tensor<4xf32>>
  %p1 = "gnn.part"(%g, %m1) {type = 0 : i64} : (!gnn.graph<"g">, !gnn.node<"g", tensor<4xf32>>) -> !gnn.node<"g:0", tensor<4xf32>>
  %s1 = "gnn.linear"(%p1, %b) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!gnn.node<"g:0", tensor<4xf32>>, tensor<4x2xf32>) -> !gnn.node<"g:0", tensor<2xf32>>
  %y = "gnn.vector_add"(%s0, %s1) : (!gnn.node<"g:0", tensor<2xf32>>, !gnn.node<"g:0", tensor<2xf32>>) -> !gnn.node<"g:0", tensor<2xf32>>
  %m2 = "gnn.aggregate"(%g2, %up) {direction = "in", reduce = "mean"} : (!gnn.graph<"g.relation2">, !gnn.node<"g", tensor<4xf32>>) -> !gnn.node<"g", tensor<4xf32>>
  %p2 = "gnn.part"(%g, %m2) {type = 1 : i64} : (!gnn.graph<"g">, !gnn.node<"g", tensor<4xf32>>) -> !gnn.node<"g:1", tensor<4xf32>>
  %s2 = "gnn.linear"(%p2, %c) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!gnn.node<"g:1", tensor<4xf32>>, tensor<4x2xf32>) -> !gnn.node<"g:1", tensor<2xf32>>
  return %y, %s2 : !gnn.node<"g:0", tensor<2xf32>>, !gnn.node<"g:1", tensor<2xf32>>
}

// Edges of type 1 lead to nodes of type 0, so that the sum is 0.
// CHECK-LABEL: @other_end
func.func @other_end(%g: !gnn.graph<"g"> {gnn.edge_types = 3 : i64, gnn.node_types = 2 : i64, gnn.edge_ends = array<i64: 0, 0, 1, 0, 0, 1>}, %p: !gnn.node<"g:0", tensor<4xf32>>, %q: !gnn.node<"g:1", tensor<4xf32>>) -> (!gnn.node<"g:0", tensor<2xf32>>, !gnn.node<"g:1", tensor<2xf32>>) {
  %g0 = "gnn.edge_set"(%g) {mode = "relation0"} : (!gnn.graph<"g">) -> !gnn.graph<"g.relation0">
  %g1 = "gnn.edge_set"(%g) {mode = "relation1"} : (!gnn.graph<"g">) -> !gnn.graph<"g.relation1">
  %g2 = "gnn.edge_set"(%g) {mode = "relation2"} : (!gnn.graph<"g">) -> !gnn.graph<"g.relation2">
  %a = ml_program.global_load_const @a : tensor<4x2xf32>
  %b = ml_program.global_load_const @b : tensor<4x2xf32>
  %c = ml_program.global_load_const @c : tensor<4x2xf32>
  %up = "gnn.unite"(%g, %p) {type = 0 : i64} : (!gnn.graph<"g">, !gnn.node<"g:0", tensor<4xf32>>) -> !gnn.node<"g", tensor<4xf32>>
  %ua = "gnn.unite"(%g, %q) {type = 1 : i64} : (!gnn.graph<"g">, !gnn.node<"g:1", tensor<4xf32>>) -> !gnn.node<"g", tensor<4xf32>>
  %m0 = "gnn.aggregate"(%g0, %up) {direction = "in", reduce = "mean"} : (!gnn.graph<"g.relation0">, !gnn.node<"g", tensor<4xf32>>) -> !gnn.node<"g", tensor<4xf32>>
  %p0 = "gnn.part"(%g, %m0) {type = 0 : i64} : (!gnn.graph<"g">, !gnn.node<"g", tensor<4xf32>>) -> !gnn.node<"g:0", tensor<4xf32>>
  %s0 = "gnn.linear"(%p0, %a) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!gnn.node<"g:0", tensor<4xf32>>, tensor<4x2xf32>) -> !gnn.node<"g:0", tensor<2xf32>>
  %m1 = "gnn.aggregate"(%g1, %ua) {direction = "in", reduce = "mean"} : (!gnn.graph<"g.relation1">, !gnn.node<"g", tensor<4xf32>>) -> !gnn.node<"g", tensor<4xf32>>
  %p1 = "gnn.part"(%g, %m1) {type = 1 : i64} : (!gnn.graph<"g">, !gnn.node<"g", tensor<4xf32>>) -> !gnn.node<"g:1", tensor<4xf32>>
  %s1 = "gnn.linear"(%p1, %b) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!gnn.node<"g:1", tensor<4xf32>>, tensor<4x2xf32>) -> !gnn.node<"g:1", tensor<2xf32>>
  %m2 = "gnn.aggregate"(%g2, %up) {direction = "in", reduce = "mean"} : (!gnn.graph<"g.relation2">, !gnn.node<"g", tensor<4xf32>>) -> !gnn.node<"g", tensor<4xf32>>
  %p2 = "gnn.part"(%g, %m2) {type = 1 : i64} : (!gnn.graph<"g">, !gnn.node<"g", tensor<4xf32>>) -> !gnn.node<"g:1", tensor<4xf32>>
  %s2 = "gnn.linear"(%p2, %c) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!gnn.node<"g:1", tensor<4xf32>>, tensor<4x2xf32>) -> !gnn.node<"g:1", tensor<2xf32>>
  %y = "gnn.vector_add"(%s1, %s2) : (!gnn.node<"g:1", tensor<2xf32>>, !gnn.node<"g:1", tensor<2xf32>>) -> !gnn.node<"g:1", tensor<2xf32>>
  return %s0, %y : !gnn.node<"g:0", tensor<2xf32>>, !gnn.node<"g:1", tensor<2xf32>>
}

// Two relations begin at papers, with different x.
// CHECK-LABEL: @other_x
func.func @other_x(%g: !gnn.graph<"g"> {gnn.edge_types = 3 : i64, gnn.node_types = 2 : i64, gnn.edge_ends = array<i64: 0, 0, 1, 0, 0, 1>}, %p: !gnn.node<"g:0", tensor<4xf32>>, %q: !gnn.node<"g:1", tensor<4xf32>>, %o: !gnn.node<"g:0", tensor<4xf32>>) -> (!gnn.node<"g:0", tensor<2xf32>>, !gnn.node<"g:1", tensor<2xf32>>) {
  %g0 = "gnn.edge_set"(%g) {mode = "relation0"} : (!gnn.graph<"g">) -> !gnn.graph<"g.relation0">
  %g1 = "gnn.edge_set"(%g) {mode = "relation1"} : (!gnn.graph<"g">) -> !gnn.graph<"g.relation1">
  %g2 = "gnn.edge_set"(%g) {mode = "relation2"} : (!gnn.graph<"g">) -> !gnn.graph<"g.relation2">
  %a = ml_program.global_load_const @a : tensor<4x2xf32>
  %b = ml_program.global_load_const @b : tensor<4x2xf32>
  %c = ml_program.global_load_const @c : tensor<4x2xf32>
  %up = "gnn.unite"(%g, %p) {type = 0 : i64} : (!gnn.graph<"g">, !gnn.node<"g:0", tensor<4xf32>>) -> !gnn.node<"g", tensor<4xf32>>
  %ua = "gnn.unite"(%g, %q) {type = 1 : i64} : (!gnn.graph<"g">, !gnn.node<"g:1", tensor<4xf32>>) -> !gnn.node<"g", tensor<4xf32>>
  %uo = "gnn.unite"(%g, %o) {type = 0 : i64} : (!gnn.graph<"g">, !gnn.node<"g:0", tensor<4xf32>>) -> !gnn.node<"g", tensor<4xf32>>
  %m0 = "gnn.aggregate"(%g0, %up) {direction = "in", reduce = "mean"} : (!gnn.graph<"g.relation0">, !gnn.node<"g", tensor<4xf32>>) -> !gnn.node<"g", tensor<4xf32>>
  %p0 = "gnn.part"(%g, %m0) {type = 0 : i64} : (!gnn.graph<"g">, !gnn.node<"g", tensor<4xf32>>) -> !gnn.node<"g:0", tensor<4xf32>>
  %s0 = "gnn.linear"(%p0, %a) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!gnn.node<"g:0", tensor<4xf32>>, tensor<4x2xf32>) -> !gnn.node<"g:0", tensor<2xf32>>
  %m1 = "gnn.aggregate"(%g1, %ua) {direction = "in", reduce = "mean"} : (!gnn.graph<"g.relation1">, !gnn.node<"g", tensor<4xf32>>) -> !gnn.node<"g", tensor<4xf32>>
  %p1 = "gnn.part"(%g, %m1) {type = 0 : i64} : (!gnn.graph<"g">, !gnn.node<"g", tensor<4xf32>>) -> !gnn.node<"g:0", tensor<4xf32>>
  %s1 = "gnn.linear"(%p1, %b) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!gnn.node<"g:0", tensor<4xf32>>, tensor<4x2xf32>) -> !gnn.node<"g:0", tensor<2xf32>>
  %y = "gnn.vector_add"(%s0, %s1) : (!gnn.node<"g:0", tensor<2xf32>>, !gnn.node<"g:0", tensor<2xf32>>) -> !gnn.node<"g:0", tensor<2xf32>>
  %m2 = "gnn.aggregate"(%g2, %uo) {direction = "in", reduce = "mean"} : (!gnn.graph<"g.relation2">, !gnn.node<"g", tensor<4xf32>>) -> !gnn.node<"g", tensor<4xf32>>
  %p2 = "gnn.part"(%g, %m2) {type = 1 : i64} : (!gnn.graph<"g">, !gnn.node<"g", tensor<4xf32>>) -> !gnn.node<"g:1", tensor<4xf32>>
  %s2 = "gnn.linear"(%p2, %c) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!gnn.node<"g:1", tensor<4xf32>>, tensor<4x2xf32>) -> !gnn.node<"g:1", tensor<2xf32>>
  return %y, %s2 : !gnn.node<"g:0", tensor<2xf32>>, !gnn.node<"g:1", tensor<2xf32>>
}

// Papers have two values with products, which are not added up.
// CHECK-LABEL: @two_values
func.func @two_values(%g: !gnn.graph<"g"> {gnn.edge_types = 3 : i64, gnn.node_types = 2 : i64, gnn.edge_ends = array<i64: 0, 0, 1, 0, 0, 1>}, %p: !gnn.node<"g:0", tensor<4xf32>>, %q: !gnn.node<"g:1", tensor<4xf32>>) -> (!gnn.node<"g:0", tensor<2xf32>>, !gnn.node<"g:0", tensor<2xf32>>, !gnn.node<"g:1", tensor<2xf32>>) {
  %g0 = "gnn.edge_set"(%g) {mode = "relation0"} : (!gnn.graph<"g">) -> !gnn.graph<"g.relation0">
  %g1 = "gnn.edge_set"(%g) {mode = "relation1"} : (!gnn.graph<"g">) -> !gnn.graph<"g.relation1">
  %g2 = "gnn.edge_set"(%g) {mode = "relation2"} : (!gnn.graph<"g">) -> !gnn.graph<"g.relation2">
  %a = ml_program.global_load_const @a : tensor<4x2xf32>
  %b = ml_program.global_load_const @b : tensor<4x2xf32>
  %c = ml_program.global_load_const @c : tensor<4x2xf32>
  %up = "gnn.unite"(%g, %p) {type = 0 : i64} : (!gnn.graph<"g">, !gnn.node<"g:0", tensor<4xf32>>) -> !gnn.node<"g", tensor<4xf32>>
  %ua = "gnn.unite"(%g, %q) {type = 1 : i64} : (!gnn.graph<"g">, !gnn.node<"g:1", tensor<4xf32>>) -> !gnn.node<"g", tensor<4xf32>>
  %m0 = "gnn.aggregate"(%g0, %up) {direction = "in", reduce = "mean"} : (!gnn.graph<"g.relation0">, !gnn.node<"g", tensor<4xf32>>) -> !gnn.node<"g", tensor<4xf32>>
  %p0 = "gnn.part"(%g, %m0) {type = 0 : i64} : (!gnn.graph<"g">, !gnn.node<"g", tensor<4xf32>>) -> !gnn.node<"g:0", tensor<4xf32>>
  %s0 = "gnn.linear"(%p0, %a) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!gnn.node<"g:0", tensor<4xf32>>, tensor<4x2xf32>) -> !gnn.node<"g:0", tensor<2xf32>>
  %m1 = "gnn.aggregate"(%g1, %ua) {direction = "in", reduce = "mean"} : (!gnn.graph<"g.relation1">, !gnn.node<"g", tensor<4xf32>>) -> !gnn.node<"g", tensor<4xf32>>
  %p1 = "gnn.part"(%g, %m1) {type = 0 : i64} : (!gnn.graph<"g">, !gnn.node<"g", tensor<4xf32>>) -> !gnn.node<"g:0", tensor<4xf32>>
  %s1 = "gnn.linear"(%p1, %b) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!gnn.node<"g:0", tensor<4xf32>>, tensor<4x2xf32>) -> !gnn.node<"g:0", tensor<2xf32>>
  %m2 = "gnn.aggregate"(%g2, %up) {direction = "in", reduce = "mean"} : (!gnn.graph<"g.relation2">, !gnn.node<"g", tensor<4xf32>>) -> !gnn.node<"g", tensor<4xf32>>
  %p2 = "gnn.part"(%g, %m2) {type = 1 : i64} : (!gnn.graph<"g">, !gnn.node<"g", tensor<4xf32>>) -> !gnn.node<"g:1", tensor<4xf32>>
  %s2 = "gnn.linear"(%p2, %c) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!gnn.node<"g:1", tensor<4xf32>>, tensor<4x2xf32>) -> !gnn.node<"g:1", tensor<2xf32>>
  return %s0, %s1, %s2 : !gnn.node<"g:0", tensor<2xf32>>, !gnn.node<"g:0", tensor<2xf32>>, !gnn.node<"g:1", tensor<2xf32>>
}

// What a relation reads depends on the sum of another one.
// CHECK-LABEL: @in_turn
func.func @in_turn(%g: !gnn.graph<"g"> {gnn.edge_types = 3 : i64, gnn.node_types = 2 : i64, gnn.edge_ends = array<i64: 0, 0, 1, 0, 0, 1>}, %p: !gnn.node<"g:0", tensor<4xf32>>, %q: !gnn.node<"g:1", tensor<4xf32>>) -> (!gnn.node<"g:0", tensor<2xf32>>, !gnn.node<"g:1", tensor<2xf32>>) {
  %g0 = "gnn.edge_set"(%g) {mode = "relation0"} : (!gnn.graph<"g">) -> !gnn.graph<"g.relation0">
  %g1 = "gnn.edge_set"(%g) {mode = "relation1"} : (!gnn.graph<"g">) -> !gnn.graph<"g.relation1">
  %g2 = "gnn.edge_set"(%g) {mode = "relation2"} : (!gnn.graph<"g">) -> !gnn.graph<"g.relation2">
  %a = ml_program.global_load_const @a : tensor<4x2xf32>
  %b = ml_program.global_load_const @b : tensor<4x2xf32>
  %c = ml_program.global_load_const @c : tensor<4x2xf32>
  %up = "gnn.unite"(%g, %p) {type = 0 : i64} : (!gnn.graph<"g">, !gnn.node<"g:0", tensor<4xf32>>) -> !gnn.node<"g", tensor<4xf32>>
  %m2 = "gnn.aggregate"(%g2, %up) {direction = "in", reduce = "mean"} : (!gnn.graph<"g.relation2">, !gnn.node<"g", tensor<4xf32>>) -> !gnn.node<"g", tensor<4xf32>>
  %p2 = "gnn.part"(%g, %m2) {type = 1 : i64} : (!gnn.graph<"g">, !gnn.node<"g", tensor<4xf32>>) -> !gnn.node<"g:1", tensor<4xf32>>
  %s2 = "gnn.linear"(%p2, %c) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!gnn.node<"g:1", tensor<4xf32>>, tensor<4x2xf32>) -> !gnn.node<"g:1", tensor<2xf32>>
  %t = "gnn.concat"(%s2, %s2) : (!gnn.node<"g:1", tensor<2xf32>>, !gnn.node<"g:1", tensor<2xf32>>) -> !gnn.node<"g:1", tensor<4xf32>>
  %ut = "gnn.unite"(%g, %t) {type = 1 : i64} : (!gnn.graph<"g">, !gnn.node<"g:1", tensor<4xf32>>) -> !gnn.node<"g", tensor<4xf32>>
  %m0 = "gnn.aggregate"(%g0, %up) {direction = "in", reduce = "mean"} : (!gnn.graph<"g.relation0">, !gnn.node<"g", tensor<4xf32>>) -> !gnn.node<"g", tensor<4xf32>>
  %p0 = "gnn.part"(%g, %m0) {type = 0 : i64} : (!gnn.graph<"g">, !gnn.node<"g", tensor<4xf32>>) -> !gnn.node<"g:0", tensor<4xf32>>
  %s0 = "gnn.linear"(%p0, %a) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!gnn.node<"g:0", tensor<4xf32>>, tensor<4x2xf32>) -> !gnn.node<"g:0", tensor<2xf32>>
  %m1 = "gnn.aggregate"(%g1, %ut) {direction = "in", reduce = "mean"} : (!gnn.graph<"g.relation1">, !gnn.node<"g", tensor<4xf32>>) -> !gnn.node<"g", tensor<4xf32>>
  %p1 = "gnn.part"(%g, %m1) {type = 0 : i64} : (!gnn.graph<"g">, !gnn.node<"g", tensor<4xf32>>) -> !gnn.node<"g:0", tensor<4xf32>>
  %s1 = "gnn.linear"(%p1, %b) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!gnn.node<"g:0", tensor<4xf32>>, tensor<4x2xf32>) -> !gnn.node<"g:0", tensor<2xf32>>
  %y = "gnn.vector_add"(%s0, %s1) : (!gnn.node<"g:0", tensor<2xf32>>, !gnn.node<"g:0", tensor<2xf32>>) -> !gnn.node<"g:0", tensor<2xf32>>
  return %y, %s2 : !gnn.node<"g:0", tensor<2xf32>>, !gnn.node<"g:1", tensor<2xf32>>
}
