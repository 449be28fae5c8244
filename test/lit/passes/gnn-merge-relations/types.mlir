// gnn-merge-relations merges relations between nodes of several types, where the graph declares the ends of edges.
// RUN: gnn-opt --pass-pipeline='gnn-merge-relations,gnn-dce' %s | FileCheck %s

// Papers have the sums of two relations, authors that of one. Sums of x come before the products.
#extern = #ml_program.extern
ml_program.global private @a(#extern) : tensor<4x2xf32> {gnn.from = "a", gnn.name = "a"}
ml_program.global private @b(#extern) : tensor<4x2xf32> {gnn.from = "b", gnn.name = "b"}
ml_program.global private @c(#extern) : tensor<4x2xf32> {gnn.from = "c", gnn.name = "c"}

// CHECK-LABEL: @types
// CHECK-NOT: edge_set
// CHECK: %[[P:.*]] = "gnn.unite"(%arg0, %arg1) {type = 0 : i64}
// CHECK-NEXT: %[[X:.*]] = "gnn.unite"(%arg0, %arg2, %[[P]]) {type = 1 : i64}
// CHECK-NEXT: %[[E:.*]] = "gnn.gather"(%arg0, %[[X]]) {end = "src"}
// CHECK-NEXT: %[[W:.*]] = "gnn.slice"(%arg0, %{{.*}}) {by = "edge"}
// CHECK-NEXT: %[[Z:.*]] = "gnn.linear"(%[[E]], %[[W]])
// CHECK-NEXT: %[[M:.*]] = "gnn.multiply"(%{{.*}}, %[[Z]])
// CHECK-NEXT: %[[S:.*]] = "gnn.aggregate"(%arg0, %[[M]]) {direction = "in", reduce = "sum"}
// CHECK-NEXT: %[[S0:.*]] = "gnn.part"(%arg0, %[[S]]) {type = 0 : i64}
// CHECK-NEXT: %[[S1:.*]] = "gnn.part"(%arg0, %[[S]]) {type = 1 : i64}
// CHECK-NEXT: %[[Y0:.*]] = "gnn.vector_add"(%arg3, %[[S0]])
// CHECK-NEXT: %[[Y1:.*]] = "gnn.vector_add"(%arg4, %[[S1]])
// CHECK-NEXT: return %[[Y0]], %[[Y1]]
func.func @types(%g: !gnn.graph<"g"> {gnn.edge_types = 3 : i64, gnn.node_types = 2 : i64, gnn.edge_ends = array<i64: 0, 0, 1, 0, 0, 1>}, %p: !gnn.node<"g:0", tensor<4xf32>>, %q: !gnn.node<"g:1", tensor<4xf32>>, %h: !gnn.node<"g:0", tensor<2xf32>>, %k: !gnn.node<"g:1", tensor<2xf32>>) -> (!gnn.node<"g:0", tensor<2xf32>>, !gnn.node<"g:1", tensor<2xf32>>) {
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
  %y0 = "gnn.vector_add"(%h, %s0) : (!gnn.node<"g:0", tensor<2xf32>>, !gnn.node<"g:0", tensor<2xf32>>) -> !gnn.node<"g:0", tensor<2xf32>>
  %m1 = "gnn.aggregate"(%g1, %ua) {direction = "in", reduce = "mean"} : (!gnn.graph<"g.relation1">, !gnn.node<"g", tensor<4xf32>>) -> !gnn.node<"g", tensor<4xf32>>
  %p1 = "gnn.part"(%g, %m1) {type = 0 : i64} : (!gnn.graph<"g">, !gnn.node<"g", tensor<4xf32>>) -> !gnn.node<"g:0", tensor<4xf32>>
  %s1 = "gnn.linear"(%p1, %b) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!gnn.node<"g:0", tensor<4xf32>>, tensor<4x2xf32>) -> !gnn.node<"g:0", tensor<2xf32>>
  %y1 = "gnn.vector_add"(%y0, %s1) : (!gnn.node<"g:0", tensor<2xf32>>, !gnn.node<"g:0", tensor<2xf32>>) -> !gnn.node<"g:0", tensor<2xf32>>
  %m2 = "gnn.aggregate"(%g2, %up) {direction = "in", reduce = "mean"} : (!gnn.graph<"g.relation2">, !gnn.node<"g", tensor<4xf32>>) -> !gnn.node<"g", tensor<4xf32>>
  %p2 = "gnn.part"(%g, %m2) {type = 1 : i64} : (!gnn.graph<"g">, !gnn.node<"g", tensor<4xf32>>) -> !gnn.node<"g:1", tensor<4xf32>>
  %s2 = "gnn.linear"(%p2, %c) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!gnn.node<"g:1", tensor<4xf32>>, tensor<4x2xf32>) -> !gnn.node<"g:1", tensor<2xf32>>
  %y2 = "gnn.vector_add"(%k, %s2) : (!gnn.node<"g:1", tensor<2xf32>>, !gnn.node<"g:1", tensor<2xf32>>) -> !gnn.node<"g:1", tensor<2xf32>>
  return %y1, %y2 : !gnn.node<"g:0", tensor<2xf32>>, !gnn.node<"g:1", tensor<2xf32>>
}

// Products come before the sums, x is a value of all nodes, and nothing is added to the one product of authors.
// CHECK-LABEL: @alone
// CHECK-NOT: edge_set
// CHECK: %[[E:.*]] = "gnn.gather"(%arg0, %arg1) {end = "src"}
// CHECK: %[[S:.*]] = "gnn.aggregate"(%arg0, %{{.*}}) {direction = "in", reduce = "sum"}
// CHECK-NEXT: %[[S0:.*]] = "gnn.part"(%arg0, %[[S]]) {type = 0 : i64}
// CHECK-NEXT: %[[S1:.*]] = "gnn.part"(%arg0, %[[S]]) {type = 1 : i64}
// CHECK-NEXT: return %[[S0]], %[[S1]], %[[S1]]
func.func @alone(%g: !gnn.graph<"g"> {gnn.edge_types = 3 : i64, gnn.node_types = 2 : i64, gnn.edge_ends = array<i64: 0, 0, 1, 0, 0, 1>}, %x: !gnn.node<"g", tensor<4xf32>>) -> (!gnn.node<"g:0", tensor<2xf32>>, !gnn.node<"g:1", tensor<2xf32>>, !gnn.node<"g:1", tensor<2xf32>>) {
  %g0 = "gnn.edge_set"(%g) {mode = "relation0"} : (!gnn.graph<"g">) -> !gnn.graph<"g.relation0">
  %g1 = "gnn.edge_set"(%g) {mode = "relation1"} : (!gnn.graph<"g">) -> !gnn.graph<"g.relation1">
  %g2 = "gnn.edge_set"(%g) {mode = "relation2"} : (!gnn.graph<"g">) -> !gnn.graph<"g.relation2">
  %a = ml_program.global_load_const @a : tensor<4x2xf32>
  %b = ml_program.global_load_const @b : tensor<4x2xf32>
  %c = ml_program.global_load_const @c : tensor<4x2xf32>
  %z2 = "gnn.linear"(%x, %c) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!gnn.node<"g", tensor<4xf32>>, tensor<4x2xf32>) -> !gnn.node<"g", tensor<2xf32>>
  %m2 = "gnn.aggregate"(%g2, %z2) {direction = "in", reduce = "mean"} : (!gnn.graph<"g.relation2">, !gnn.node<"g", tensor<2xf32>>) -> !gnn.node<"g", tensor<2xf32>>
  %s2 = "gnn.part"(%g, %m2) {type = 1 : i64} : (!gnn.graph<"g">, !gnn.node<"g", tensor<2xf32>>) -> !gnn.node<"g:1", tensor<2xf32>>
  %z0 = "gnn.linear"(%x, %a) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!gnn.node<"g", tensor<4xf32>>, tensor<4x2xf32>) -> !gnn.node<"g", tensor<2xf32>>
  %m0 = "gnn.aggregate"(%g0, %z0) {direction = "in", reduce = "mean"} : (!gnn.graph<"g.relation0">, !gnn.node<"g", tensor<2xf32>>) -> !gnn.node<"g", tensor<2xf32>>
  %s0 = "gnn.part"(%g, %m0) {type = 0 : i64} : (!gnn.graph<"g">, !gnn.node<"g", tensor<2xf32>>) -> !gnn.node<"g:0", tensor<2xf32>>
  %z1 = "gnn.linear"(%x, %b) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!gnn.node<"g", tensor<4xf32>>, tensor<4x2xf32>) -> !gnn.node<"g", tensor<2xf32>>
  %m1 = "gnn.aggregate"(%g1, %z1) {direction = "in", reduce = "mean"} : (!gnn.graph<"g.relation1">, !gnn.node<"g", tensor<2xf32>>) -> !gnn.node<"g", tensor<2xf32>>
  %s1 = "gnn.part"(%g, %m1) {type = 0 : i64} : (!gnn.graph<"g">, !gnn.node<"g", tensor<2xf32>>) -> !gnn.node<"g:0", tensor<2xf32>>
  %y = "gnn.vector_add"(%s0, %s1) : (!gnn.node<"g:0", tensor<2xf32>>, !gnn.node<"g:0", tensor<2xf32>>) -> !gnn.node<"g:0", tensor<2xf32>>
  return %y, %s2, %s2 : !gnn.node<"g:0", tensor<2xf32>>, !gnn.node<"g:1", tensor<2xf32>>, !gnn.node<"g:1", tensor<2xf32>>
}

// Sums over outgoing edges are at the nodes where the edges begin.
// CHECK-LABEL: @outgoing
// CHECK-NOT: edge_set
// CHECK: "gnn.gather"(%arg0, %{{.*}}) {end = "dst"}
// CHECK: "gnn.aggregate"(%arg0, %{{.*}}) {direction = "out", reduce = "sum"}
func.func @outgoing(%g: !gnn.graph<"g"> {gnn.edge_types = 3 : i64, gnn.node_types = 2 : i64, gnn.edge_ends = array<i64: 0, 0, 1, 0, 0, 1>}, %p: !gnn.node<"g:0", tensor<4xf32>>, %q: !gnn.node<"g:1", tensor<4xf32>>) -> (!gnn.node<"g:0", tensor<2xf32>>, !gnn.node<"g:1", tensor<2xf32>>) {
  %g0 = "gnn.edge_set"(%g) {mode = "relation0"} : (!gnn.graph<"g">) -> !gnn.graph<"g.relation0">
  %g1 = "gnn.edge_set"(%g) {mode = "relation1"} : (!gnn.graph<"g">) -> !gnn.graph<"g.relation1">
  %g2 = "gnn.edge_set"(%g) {mode = "relation2"} : (!gnn.graph<"g">) -> !gnn.graph<"g.relation2">
  %a = ml_program.global_load_const @a : tensor<4x2xf32>
  %b = ml_program.global_load_const @b : tensor<4x2xf32>
  %c = ml_program.global_load_const @c : tensor<4x2xf32>
  %up = "gnn.unite"(%g, %p) {type = 0 : i64} : (!gnn.graph<"g">, !gnn.node<"g:0", tensor<4xf32>>) -> !gnn.node<"g", tensor<4xf32>>
  %ua = "gnn.unite"(%g, %q) {type = 1 : i64} : (!gnn.graph<"g">, !gnn.node<"g:1", tensor<4xf32>>) -> !gnn.node<"g", tensor<4xf32>>
  %m0 = "gnn.aggregate"(%g0, %up) {direction = "out", reduce = "mean"} : (!gnn.graph<"g.relation0">, !gnn.node<"g", tensor<4xf32>>) -> !gnn.node<"g", tensor<4xf32>>
  %p0 = "gnn.part"(%g, %m0) {type = 0 : i64} : (!gnn.graph<"g">, !gnn.node<"g", tensor<4xf32>>) -> !gnn.node<"g:0", tensor<4xf32>>
  %s0 = "gnn.linear"(%p0, %a) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!gnn.node<"g:0", tensor<4xf32>>, tensor<4x2xf32>) -> !gnn.node<"g:0", tensor<2xf32>>
  %m2 = "gnn.aggregate"(%g2, %ua) {direction = "out", reduce = "mean"} : (!gnn.graph<"g.relation2">, !gnn.node<"g", tensor<4xf32>>) -> !gnn.node<"g", tensor<4xf32>>
  %p2 = "gnn.part"(%g, %m2) {type = 0 : i64} : (!gnn.graph<"g">, !gnn.node<"g", tensor<4xf32>>) -> !gnn.node<"g:0", tensor<4xf32>>
  %s2 = "gnn.linear"(%p2, %c) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!gnn.node<"g:0", tensor<4xf32>>, tensor<4x2xf32>) -> !gnn.node<"g:0", tensor<2xf32>>
  %y = "gnn.vector_add"(%s0, %s2) : (!gnn.node<"g:0", tensor<2xf32>>, !gnn.node<"g:0", tensor<2xf32>>) -> !gnn.node<"g:0", tensor<2xf32>>
  %m1 = "gnn.aggregate"(%g1, %up) {direction = "out", reduce = "mean"} : (!gnn.graph<"g.relation1">, !gnn.node<"g", tensor<4xf32>>) -> !gnn.node<"g", tensor<4xf32>>
  %p1 = "gnn.part"(%g, %m1) {type = 1 : i64} : (!gnn.graph<"g">, !gnn.node<"g", tensor<4xf32>>) -> !gnn.node<"g:1", tensor<4xf32>>
  %s1 = "gnn.linear"(%p1, %b) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!gnn.node<"g:1", tensor<4xf32>>, tensor<4x2xf32>) -> !gnn.node<"g:1", tensor<2xf32>>
  return %y, %s1 : !gnn.node<"g:0", tensor<2xf32>>, !gnn.node<"g:1", tensor<2xf32>>
}

// At all nodes, each relation has the x of the type where it begins.
// CHECK-LABEL: @all_nodes
// CHECK-NOT: edge_set
// CHECK: "gnn.unite"(%arg0, %arg2, %{{.*}}) {type = 1 : i64}
// CHECK-NOT: gnn.part
func.func @all_nodes(%g: !gnn.graph<"g"> {gnn.edge_types = 3 : i64, gnn.node_types = 2 : i64, gnn.edge_ends = array<i64: 0, 0, 1, 0, 0, 1>}, %p: !gnn.node<"g:0", tensor<4xf32>>, %q: !gnn.node<"g:1", tensor<4xf32>>) -> (!gnn.node<"g", tensor<2xf32>>) {
  %g0 = "gnn.edge_set"(%g) {mode = "relation0"} : (!gnn.graph<"g">) -> !gnn.graph<"g.relation0">
  %g1 = "gnn.edge_set"(%g) {mode = "relation1"} : (!gnn.graph<"g">) -> !gnn.graph<"g.relation1">
  %g2 = "gnn.edge_set"(%g) {mode = "relation2"} : (!gnn.graph<"g">) -> !gnn.graph<"g.relation2">
  %a = ml_program.global_load_const @a : tensor<4x2xf32>
  %b = ml_program.global_load_const @b : tensor<4x2xf32>
  %c = ml_program.global_load_const @c : tensor<4x2xf32>
  %up = "gnn.unite"(%g, %p) {type = 0 : i64} : (!gnn.graph<"g">, !gnn.node<"g:0", tensor<4xf32>>) -> !gnn.node<"g", tensor<4xf32>>
  %ua = "gnn.unite"(%g, %q) {type = 1 : i64} : (!gnn.graph<"g">, !gnn.node<"g:1", tensor<4xf32>>) -> !gnn.node<"g", tensor<4xf32>>
  %m0 = "gnn.aggregate"(%g0, %up) {direction = "in", reduce = "mean"} : (!gnn.graph<"g.relation0">, !gnn.node<"g", tensor<4xf32>>) -> !gnn.node<"g", tensor<4xf32>>
  %s0 = "gnn.linear"(%m0, %a) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!gnn.node<"g", tensor<4xf32>>, tensor<4x2xf32>) -> !gnn.node<"g", tensor<2xf32>>
  %m1 = "gnn.aggregate"(%g1, %ua) {direction = "in", reduce = "mean"} : (!gnn.graph<"g.relation1">, !gnn.node<"g", tensor<4xf32>>) -> !gnn.node<"g", tensor<4xf32>>
  %s1 = "gnn.linear"(%m1, %b) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!gnn.node<"g", tensor<4xf32>>, tensor<4x2xf32>) -> !gnn.node<"g", tensor<2xf32>>
  %y = "gnn.vector_add"(%s0, %s1) : (!gnn.node<"g", tensor<2xf32>>, !gnn.node<"g", tensor<2xf32>>) -> !gnn.node<"g", tensor<2xf32>>
  %m2 = "gnn.aggregate"(%g2, %up) {direction = "in", reduce = "mean"} : (!gnn.graph<"g.relation2">, !gnn.node<"g", tensor<4xf32>>) -> !gnn.node<"g", tensor<4xf32>>
  %s2 = "gnn.linear"(%m2, %c) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!gnn.node<"g", tensor<4xf32>>, tensor<4x2xf32>) -> !gnn.node<"g", tensor<2xf32>>
  %v = "gnn.vector_add"(%y, %s2) : (!gnn.node<"g", tensor<2xf32>>, !gnn.node<"g", tensor<2xf32>>) -> !gnn.node<"g", tensor<2xf32>>
  return %v : !gnn.node<"g", tensor<2xf32>>
}

// The first of two layers lacks a product of authors; the second one has all.
// CHECK-LABEL: @second
// CHECK: "gnn.aggregate"(%{{.*}}) {direction = "in", reduce = "mean"}
// CHECK: "gnn.aggregate"(%{{.*}}) {direction = "in", reduce = "mean"}
// CHECK: "gnn.aggregate"(%arg0, %{{.*}}) {direction = "in", reduce = "sum"}
// CHECK-NOT: gnn.aggregate
func.func @second(%g: !gnn.graph<"g"> {gnn.edge_types = 3 : i64, gnn.node_types = 2 : i64, gnn.edge_ends = array<i64: 0, 0, 1, 0, 0, 1>}, %p: !gnn.node<"g:0", tensor<4xf32>>, %q: !gnn.node<"g:1", tensor<4xf32>>) -> (!gnn.node<"g:0", tensor<2xf32>>, !gnn.node<"g:1", tensor<2xf32>>) {
  %g0 = "gnn.edge_set"(%g) {mode = "relation0"} : (!gnn.graph<"g">) -> !gnn.graph<"g.relation0">
  %g1 = "gnn.edge_set"(%g) {mode = "relation1"} : (!gnn.graph<"g">) -> !gnn.graph<"g.relation1">
  %g2 = "gnn.edge_set"(%g) {mode = "relation2"} : (!gnn.graph<"g">) -> !gnn.graph<"g.relation2">
  %a = ml_program.global_load_const @a : tensor<4x2xf32>
  %b = ml_program.global_load_const @b : tensor<4x2xf32>
  %c = ml_program.global_load_const @c : tensor<4x2xf32>
  %up = "gnn.unite"(%g, %p) {type = 0 : i64} : (!gnn.graph<"g">, !gnn.node<"g:0", tensor<4xf32>>) -> !gnn.node<"g", tensor<4xf32>>
  %ua = "gnn.unite"(%g, %q) {type = 1 : i64} : (!gnn.graph<"g">, !gnn.node<"g:1", tensor<4xf32>>) -> !gnn.node<"g", tensor<4xf32>>
  %mA0 = "gnn.aggregate"(%g0, %up) {direction = "in", reduce = "mean"} : (!gnn.graph<"g.relation0">, !gnn.node<"g", tensor<4xf32>>) -> !gnn.node<"g", tensor<4xf32>>
  %pA0 = "gnn.part"(%g, %mA0) {type = 0 : i64} : (!gnn.graph<"g">, !gnn.node<"g", tensor<4xf32>>) -> !gnn.node<"g:0", tensor<4xf32>>
  %sA0 = "gnn.linear"(%pA0, %a) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!gnn.node<"g:0", tensor<4xf32>>, tensor<4x2xf32>) -> !gnn.node<"g:0", tensor<2xf32>>
  %mA1 = "gnn.aggregate"(%g1, %ua) {direction = "in", reduce = "mean"} : (!gnn.graph<"g.relation1">, !gnn.node<"g", tensor<4xf32>>) -> !gnn.node<"g", tensor<4xf32>>
  %pA1 = "gnn.part"(%g, %mA1) {type = 0 : i64} : (!gnn.graph<"g">, !gnn.node<"g", tensor<4xf32>>) -> !gnn.node<"g:0", tensor<4xf32>>
  %sA1 = "gnn.linear"(%pA1, %b) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!gnn.node<"g:0", tensor<4xf32>>, tensor<4x2xf32>) -> !gnn.node<"g:0", tensor<2xf32>>
  %yA = "gnn.vector_add"(%sA0, %sA1) : (!gnn.node<"g:0", tensor<2xf32>>, !gnn.node<"g:0", tensor<2xf32>>) -> !gnn.node<"g:0", tensor<2xf32>>
  %t = "gnn.concat"(%yA, %yA) : (!gnn.node<"g:0", tensor<2xf32>>, !gnn.node<"g:0", tensor<2xf32>>) -> !gnn.node<"g:0", tensor<4xf32>>
  %ut = "gnn.unite"(%g, %t) {type = 0 : i64} : (!gnn.graph<"g">, !gnn.node<"g:0", tensor<4xf32>>) -> !gnn.node<"g", tensor<4xf32>>
  %mB0 = "gnn.aggregate"(%g0, %ut) {direction = "in", reduce = "mean"} : (!gnn.graph<"g.relation0">, !gnn.node<"g", tensor<4xf32>>) -> !gnn.node<"g", tensor<4xf32>>
  %pB0 = "gnn.part"(%g, %mB0) {type = 0 : i64} : (!gnn.graph<"g">, !gnn.node<"g", tensor<4xf32>>) -> !gnn.node<"g:0", tensor<4xf32>>
  %sB0 = "gnn.linear"(%pB0, %a) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!gnn.node<"g:0", tensor<4xf32>>, tensor<4x2xf32>) -> !gnn.node<"g:0", tensor<2xf32>>
  %mB1 = "gnn.aggregate"(%g1, %ua) {direction = "in", reduce = "mean"} : (!gnn.graph<"g.relation1">, !gnn.node<"g", tensor<4xf32>>) -> !gnn.node<"g", tensor<4xf32>>
  %pB1 = "gnn.part"(%g, %mB1) {type = 0 : i64} : (!gnn.graph<"g">, !gnn.node<"g", tensor<4xf32>>) -> !gnn.node<"g:0", tensor<4xf32>>
  %sB1 = "gnn.linear"(%pB1, %b) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!gnn.node<"g:0", tensor<4xf32>>, tensor<4x2xf32>) -> !gnn.node<"g:0", tensor<2xf32>>
  %yB = "gnn.vector_add"(%sB0, %sB1) : (!gnn.node<"g:0", tensor<2xf32>>, !gnn.node<"g:0", tensor<2xf32>>) -> !gnn.node<"g:0", tensor<2xf32>>
  %m2 = "gnn.aggregate"(%g2, %ut) {direction = "in", reduce = "mean"} : (!gnn.graph<"g.relation2">, !gnn.node<"g", tensor<4xf32>>) -> !gnn.node<"g", tensor<4xf32>>
  %p2 = "gnn.part"(%g, %m2) {type = 1 : i64} : (!gnn.graph<"g">, !gnn.node<"g", tensor<4xf32>>) -> !gnn.node<"g:1", tensor<4xf32>>
  %s2 = "gnn.linear"(%p2, %c) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!gnn.node<"g:1", tensor<4xf32>>, tensor<4x2xf32>) -> !gnn.node<"g:1", tensor<2xf32>>
  return %yB, %s2 : !gnn.node<"g:0", tensor<2xf32>>, !gnn.node<"g:1", tensor<2xf32>>
}
