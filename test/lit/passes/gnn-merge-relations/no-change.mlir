// gnn-merge-relations leaves products that are not one for each edge type.
// RUN: gnn-opt --pass-pipeline='gnn-merge-relations{when=always}' %s | FileCheck %s --implicit-check-not=etype

#extern = #ml_program.extern
ml_program.global private @a(#extern) : tensor<4x2xf32> {gnn.from = "a", gnn.name = "a"}
ml_program.global private @b(#extern) : tensor<4x2xf32> {gnn.from = "b", gnn.name = "b"}
ml_program.global private @c(#extern) : tensor<4x2xf32> {gnn.from = "c", gnn.name = "c"}
ml_program.global private @t(#extern) : tensor<2x4xf32> {gnn.from = "t", gnn.name = "t"}
ml_program.global private @list(#extern) : tensor<4x2xf32> {gnn.from = "{u|v}", gnn.name = "list"}

// The graph has a third type, whose edges would have no weight.
// CHECK-LABEL: @missing_type
func.func @missing_type(%g: !gnn.graph<"g"> {gnn.edge_types = 3 : i64}, %x: !gnn.node<"g", tensor<4xf32>>, %h: !gnn.node<"g", tensor<2xf32>>) -> (!gnn.node<"g", tensor<2xf32>>) {
  %g0 = "gnn.edge_set"(%g) {mode = "relation0"} : (!gnn.graph<"g">) -> !gnn.graph<"g.relation0">
  %g1 = "gnn.edge_set"(%g) {mode = "relation1"} : (!gnn.graph<"g">) -> !gnn.graph<"g.relation1">
  %a = ml_program.global_load_const @a : tensor<4x2xf32>
  %z0 = "gnn.linear"(%x, %a) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!gnn.node<"g", tensor<4xf32>>, tensor<4x2xf32>) -> !gnn.node<"g", tensor<2xf32>>
  %s0 = "gnn.aggregate"(%g0, %z0) {direction = "in", reduce = "mean"} : (!gnn.graph<"g.relation0">, !gnn.node<"g", tensor<2xf32>>) -> !gnn.node<"g", tensor<2xf32>>
  %q = "gnn.vector_add"(%h, %s0) : (!gnn.node<"g", tensor<2xf32>>, !gnn.node<"g", tensor<2xf32>>) -> !gnn.node<"g", tensor<2xf32>>
  %b = ml_program.global_load_const @b : tensor<4x2xf32>
  %z1 = "gnn.linear"(%x, %b) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!gnn.node<"g", tensor<4xf32>>, tensor<4x2xf32>) -> !gnn.node<"g", tensor<2xf32>>
  %s1 = "gnn.aggregate"(%g1, %z1) {direction = "in", reduce = "mean"} : (!gnn.graph<"g.relation1">, !gnn.node<"g", tensor<2xf32>>) -> !gnn.node<"g", tensor<2xf32>>
  %y = "gnn.vector_add"(%q, %s1) : (!gnn.node<"g", tensor<2xf32>>, !gnn.node<"g", tensor<2xf32>>) -> !gnn.node<"g", tensor<2xf32>>
  return %y : !gnn.node<"g", tensor<2xf32>>
}

// How many types the graph has is not known.
// CHECK-LABEL: @undeclared
func.func @undeclared(%g: !gnn.graph<"g">, %x: !gnn.node<"g", tensor<4xf32>>, %h: !gnn.node<"g", tensor<2xf32>>) -> (!gnn.node<"g", tensor<2xf32>>) {
  %g0 = "gnn.edge_set"(%g) {mode = "relation0"} : (!gnn.graph<"g">) -> !gnn.graph<"g.relation0">
  %g1 = "gnn.edge_set"(%g) {mode = "relation1"} : (!gnn.graph<"g">) -> !gnn.graph<"g.relation1">
  %a = ml_program.global_load_const @a : tensor<4x2xf32>
  %z0 = "gnn.linear"(%x, %a) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!gnn.node<"g", tensor<4xf32>>, tensor<4x2xf32>) -> !gnn.node<"g", tensor<2xf32>>
  %s0 = "gnn.aggregate"(%g0, %z0) {direction = "in", reduce = "mean"} : (!gnn.graph<"g.relation0">, !gnn.node<"g", tensor<2xf32>>) -> !gnn.node<"g", tensor<2xf32>>
  %q = "gnn.vector_add"(%h, %s0) : (!gnn.node<"g", tensor<2xf32>>, !gnn.node<"g", tensor<2xf32>>) -> !gnn.node<"g", tensor<2xf32>>
  %b = ml_program.global_load_const @b : tensor<4x2xf32>
  %z1 = "gnn.linear"(%x, %b) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!gnn.node<"g", tensor<4xf32>>, tensor<4x2xf32>) -> !gnn.node<"g", tensor<2xf32>>
  %s1 = "gnn.aggregate"(%g1, %z1) {direction = "in", reduce = "mean"} : (!gnn.graph<"g.relation1">, !gnn.node<"g", tensor<2xf32>>) -> !gnn.node<"g", tensor<2xf32>>
  %y = "gnn.vector_add"(%q, %s1) : (!gnn.node<"g", tensor<2xf32>>, !gnn.node<"g", tensor<2xf32>>) -> !gnn.node<"g", tensor<2xf32>>
  return %y : !gnn.node<"g", tensor<2xf32>>
}

// One type has two products.
// CHECK-LABEL: @twice
func.func @twice(%g: !gnn.graph<"g"> {gnn.edge_types = 2 : i64}, %x: !gnn.node<"g", tensor<4xf32>>, %h: !gnn.node<"g", tensor<2xf32>>) -> (!gnn.node<"g", tensor<2xf32>>) {
  %g0 = "gnn.edge_set"(%g) {mode = "relation0"} : (!gnn.graph<"g">) -> !gnn.graph<"g.relation0">
  %g1 = "gnn.edge_set"(%g) {mode = "relation1"} : (!gnn.graph<"g">) -> !gnn.graph<"g.relation1">
  %a = ml_program.global_load_const @a : tensor<4x2xf32>
  %z0 = "gnn.linear"(%x, %a) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!gnn.node<"g", tensor<4xf32>>, tensor<4x2xf32>) -> !gnn.node<"g", tensor<2xf32>>
  %s0 = "gnn.aggregate"(%g0, %z0) {direction = "in", reduce = "mean"} : (!gnn.graph<"g.relation0">, !gnn.node<"g", tensor<2xf32>>) -> !gnn.node<"g", tensor<2xf32>>
  %c = ml_program.global_load_const @c : tensor<4x2xf32>
  %z2 = "gnn.linear"(%x, %c) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!gnn.node<"g", tensor<4xf32>>, tensor<4x2xf32>) -> !gnn.node<"g", tensor<2xf32>>
  %s2 = "gnn.aggregate"(%g0, %z2) {direction = "in", reduce = "mean"} : (!gnn.graph<"g.relation0">, !gnn.node<"g", tensor<2xf32>>) -> !gnn.node<"g", tensor<2xf32>>
  %b = ml_program.global_load_const @b : tensor<4x2xf32>
  %z1 = "gnn.linear"(%x, %b) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!gnn.node<"g", tensor<4xf32>>, tensor<4x2xf32>) -> !gnn.node<"g", tensor<2xf32>>
  %s1 = "gnn.aggregate"(%g1, %z1) {direction = "in", reduce = "mean"} : (!gnn.graph<"g.relation1">, !gnn.node<"g", tensor<2xf32>>) -> !gnn.node<"g", tensor<2xf32>>
  %q = "gnn.vector_add"(%s0, %s2) : (!gnn.node<"g", tensor<2xf32>>, !gnn.node<"g", tensor<2xf32>>) -> !gnn.node<"g", tensor<2xf32>>
  %y = "gnn.vector_add"(%q, %s1) : (!gnn.node<"g", tensor<2xf32>>, !gnn.node<"g", tensor<2xf32>>) -> !gnn.node<"g", tensor<2xf32>>
  return %y : !gnn.node<"g", tensor<2xf32>>
}

// The products have different operands.
// CHECK-LABEL: @other_x
func.func @other_x(%g: !gnn.graph<"g"> {gnn.edge_types = 2 : i64}, %x: !gnn.node<"g", tensor<4xf32>>, %k: !gnn.node<"g", tensor<4xf32>>) -> (!gnn.node<"g", tensor<2xf32>>) {
  %g0 = "gnn.edge_set"(%g) {mode = "relation0"} : (!gnn.graph<"g">) -> !gnn.graph<"g.relation0">
  %g1 = "gnn.edge_set"(%g) {mode = "relation1"} : (!gnn.graph<"g">) -> !gnn.graph<"g.relation1">
  %a = ml_program.global_load_const @a : tensor<4x2xf32>
  %z0 = "gnn.linear"(%x, %a) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!gnn.node<"g", tensor<4xf32>>, tensor<4x2xf32>) -> !gnn.node<"g", tensor<2xf32>>
  %s0 = "gnn.aggregate"(%g0, %z0) {direction = "in", reduce = "mean"} : (!gnn.graph<"g.relation0">, !gnn.node<"g", tensor<2xf32>>) -> !gnn.node<"g", tensor<2xf32>>
  %b = ml_program.global_load_const @b : tensor<4x2xf32>
  %z1 = "gnn.linear"(%k, %b) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!gnn.node<"g", tensor<4xf32>>, tensor<4x2xf32>) -> !gnn.node<"g", tensor<2xf32>>
  %s1 = "gnn.aggregate"(%g1, %z1) {direction = "in", reduce = "mean"} : (!gnn.graph<"g.relation1">, !gnn.node<"g", tensor<2xf32>>) -> !gnn.node<"g", tensor<2xf32>>
  %y = "gnn.vector_add"(%s0, %s1) : (!gnn.node<"g", tensor<2xf32>>, !gnn.node<"g", tensor<2xf32>>) -> !gnn.node<"g", tensor<2xf32>>
  return %y : !gnn.node<"g", tensor<2xf32>>
}

// A mean and a sum.
// CHECK-LABEL: @other_reduce
func.func @other_reduce(%g: !gnn.graph<"g"> {gnn.edge_types = 2 : i64}, %x: !gnn.node<"g", tensor<4xf32>>, %h: !gnn.node<"g", tensor<2xf32>>) -> (!gnn.node<"g", tensor<2xf32>>) {
  %g0 = "gnn.edge_set"(%g) {mode = "relation0"} : (!gnn.graph<"g">) -> !gnn.graph<"g.relation0">
  %g1 = "gnn.edge_set"(%g) {mode = "relation1"} : (!gnn.graph<"g">) -> !gnn.graph<"g.relation1">
  %a = ml_program.global_load_const @a : tensor<4x2xf32>
  %z0 = "gnn.linear"(%x, %a) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!gnn.node<"g", tensor<4xf32>>, tensor<4x2xf32>) -> !gnn.node<"g", tensor<2xf32>>
  %s0 = "gnn.aggregate"(%g0, %z0) {direction = "in", reduce = "mean"} : (!gnn.graph<"g.relation0">, !gnn.node<"g", tensor<2xf32>>) -> !gnn.node<"g", tensor<2xf32>>
  %b = ml_program.global_load_const @b : tensor<4x2xf32>
  %z1 = "gnn.linear"(%x, %b) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!gnn.node<"g", tensor<4xf32>>, tensor<4x2xf32>) -> !gnn.node<"g", tensor<2xf32>>
  %s1 = "gnn.aggregate"(%g1, %z1) {direction = "in", reduce = "sum"} : (!gnn.graph<"g.relation1">, !gnn.node<"g", tensor<2xf32>>) -> !gnn.node<"g", tensor<2xf32>>
  %y = "gnn.vector_add"(%s0, %s1) : (!gnn.node<"g", tensor<2xf32>>, !gnn.node<"g", tensor<2xf32>>) -> !gnn.node<"g", tensor<2xf32>>
  return %y : !gnn.node<"g", tensor<2xf32>>
}

// Incoming and outgoing edges.
// CHECK-LABEL: @other_direction
func.func @other_direction(%g: !gnn.graph<"g"> {gnn.edge_types = 2 : i64}, %x: !gnn.node<"g", tensor<4xf32>>, %h: !gnn.node<"g", tensor<2xf32>>) -> (!gnn.node<"g", tensor<2xf32>>) {
  %g0 = "gnn.edge_set"(%g) {mode = "relation0"} : (!gnn.graph<"g">) -> !gnn.graph<"g.relation0">
  %g1 = "gnn.edge_set"(%g) {mode = "relation1"} : (!gnn.graph<"g">) -> !gnn.graph<"g.relation1">
  %a = ml_program.global_load_const @a : tensor<4x2xf32>
  %z0 = "gnn.linear"(%x, %a) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!gnn.node<"g", tensor<4xf32>>, tensor<4x2xf32>) -> !gnn.node<"g", tensor<2xf32>>
  %s0 = "gnn.aggregate"(%g0, %z0) {direction = "in", reduce = "mean"} : (!gnn.graph<"g.relation0">, !gnn.node<"g", tensor<2xf32>>) -> !gnn.node<"g", tensor<2xf32>>
  %b = ml_program.global_load_const @b : tensor<4x2xf32>
  %z1 = "gnn.linear"(%x, %b) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!gnn.node<"g", tensor<4xf32>>, tensor<4x2xf32>) -> !gnn.node<"g", tensor<2xf32>>
  %s1 = "gnn.aggregate"(%g1, %z1) {direction = "out", reduce = "mean"} : (!gnn.graph<"g.relation1">, !gnn.node<"g", tensor<2xf32>>) -> !gnn.node<"g", tensor<2xf32>>
  %y = "gnn.vector_add"(%s0, %s1) : (!gnn.node<"g", tensor<2xf32>>, !gnn.node<"g", tensor<2xf32>>) -> !gnn.node<"g", tensor<2xf32>>
  return %y : !gnn.node<"g", tensor<2xf32>>
}

// A maximum is no sum.
// CHECK-LABEL: @max
func.func @max(%g: !gnn.graph<"g"> {gnn.edge_types = 2 : i64}, %x: !gnn.node<"g", tensor<4xf32>>, %h: !gnn.node<"g", tensor<2xf32>>) -> (!gnn.node<"g", tensor<2xf32>>) {
  %g0 = "gnn.edge_set"(%g) {mode = "relation0"} : (!gnn.graph<"g">) -> !gnn.graph<"g.relation0">
  %g1 = "gnn.edge_set"(%g) {mode = "relation1"} : (!gnn.graph<"g">) -> !gnn.graph<"g.relation1">
  %a = ml_program.global_load_const @a : tensor<4x2xf32>
  %z0 = "gnn.linear"(%x, %a) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!gnn.node<"g", tensor<4xf32>>, tensor<4x2xf32>) -> !gnn.node<"g", tensor<2xf32>>
  %s0 = "gnn.aggregate"(%g0, %z0) {direction = "in", reduce = "max"} : (!gnn.graph<"g.relation0">, !gnn.node<"g", tensor<2xf32>>) -> !gnn.node<"g", tensor<2xf32>>
  %b = ml_program.global_load_const @b : tensor<4x2xf32>
  %z1 = "gnn.linear"(%x, %b) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!gnn.node<"g", tensor<4xf32>>, tensor<4x2xf32>) -> !gnn.node<"g", tensor<2xf32>>
  %s1 = "gnn.aggregate"(%g1, %z1) {direction = "in", reduce = "max"} : (!gnn.graph<"g.relation1">, !gnn.node<"g", tensor<2xf32>>) -> !gnn.node<"g", tensor<2xf32>>
  %y = "gnn.vector_add"(%s0, %s1) : (!gnn.node<"g", tensor<2xf32>>, !gnn.node<"g", tensor<2xf32>>) -> !gnn.node<"g", tensor<2xf32>>
  return %y : !gnn.node<"g", tensor<2xf32>>
}

// The file has the second weight in another layout.
// CHECK-LABEL: @other_layout
func.func @other_layout(%g: !gnn.graph<"g"> {gnn.edge_types = 2 : i64}, %x: !gnn.node<"g", tensor<4xf32>>, %h: !gnn.node<"g", tensor<2xf32>>) -> (!gnn.node<"g", tensor<2xf32>>) {
  %g0 = "gnn.edge_set"(%g) {mode = "relation0"} : (!gnn.graph<"g">) -> !gnn.graph<"g.relation0">
  %g1 = "gnn.edge_set"(%g) {mode = "relation1"} : (!gnn.graph<"g">) -> !gnn.graph<"g.relation1">
  %a = ml_program.global_load_const @a : tensor<4x2xf32>
  %z0 = "gnn.linear"(%x, %a) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!gnn.node<"g", tensor<4xf32>>, tensor<4x2xf32>) -> !gnn.node<"g", tensor<2xf32>>
  %s0 = "gnn.aggregate"(%g0, %z0) {direction = "in", reduce = "mean"} : (!gnn.graph<"g.relation0">, !gnn.node<"g", tensor<2xf32>>) -> !gnn.node<"g", tensor<2xf32>>
  %t = ml_program.global_load_const @t : tensor<2x4xf32>
  %z1 = "gnn.linear"(%x, %t) {operandSegmentSizes = array<i32: 1, 1, 0, 0>, transposed} : (!gnn.node<"g", tensor<4xf32>>, tensor<2x4xf32>) -> !gnn.node<"g", tensor<2xf32>>
  %s1 = "gnn.aggregate"(%g1, %z1) {direction = "in", reduce = "mean"} : (!gnn.graph<"g.relation1">, !gnn.node<"g", tensor<2xf32>>) -> !gnn.node<"g", tensor<2xf32>>
  %y = "gnn.vector_add"(%s0, %s1) : (!gnn.node<"g", tensor<2xf32>>, !gnn.node<"g", tensor<2xf32>>) -> !gnn.node<"g", tensor<2xf32>>
  return %y : !gnn.node<"g", tensor<2xf32>>
}

// Something else reads a sum over a relation.
// CHECK-LABEL: @other_use
func.func @other_use(%g: !gnn.graph<"g"> {gnn.edge_types = 2 : i64}, %x: !gnn.node<"g", tensor<4xf32>>, %h: !gnn.node<"g", tensor<2xf32>>) -> (!gnn.node<"g", tensor<2xf32>>, !gnn.node<"g", tensor<2xf32>>) {
  %g0 = "gnn.edge_set"(%g) {mode = "relation0"} : (!gnn.graph<"g">) -> !gnn.graph<"g.relation0">
  %g1 = "gnn.edge_set"(%g) {mode = "relation1"} : (!gnn.graph<"g">) -> !gnn.graph<"g.relation1">
  %a = ml_program.global_load_const @a : tensor<4x2xf32>
  %z0 = "gnn.linear"(%x, %a) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!gnn.node<"g", tensor<4xf32>>, tensor<4x2xf32>) -> !gnn.node<"g", tensor<2xf32>>
  %s0 = "gnn.aggregate"(%g0, %z0) {direction = "in", reduce = "mean"} : (!gnn.graph<"g.relation0">, !gnn.node<"g", tensor<2xf32>>) -> !gnn.node<"g", tensor<2xf32>>
  %b = ml_program.global_load_const @b : tensor<4x2xf32>
  %z1 = "gnn.linear"(%x, %b) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!gnn.node<"g", tensor<4xf32>>, tensor<4x2xf32>) -> !gnn.node<"g", tensor<2xf32>>
  %s1 = "gnn.aggregate"(%g1, %z1) {direction = "in", reduce = "mean"} : (!gnn.graph<"g.relation1">, !gnn.node<"g", tensor<2xf32>>) -> !gnn.node<"g", tensor<2xf32>>
  %y = "gnn.vector_add"(%s0, %s1) : (!gnn.node<"g", tensor<2xf32>>, !gnn.node<"g", tensor<2xf32>>) -> !gnn.node<"g", tensor<2xf32>>
  return %y, %s0 : !gnn.node<"g", tensor<2xf32>>, !gnn.node<"g", tensor<2xf32>>
}

// Something else reads the sum of two types.
// CHECK-LABEL: @inner_use
func.func @inner_use(%g: !gnn.graph<"g"> {gnn.edge_types = 3 : i64}, %x: !gnn.node<"g", tensor<4xf32>>, %h: !gnn.node<"g", tensor<2xf32>>) -> (!gnn.node<"g", tensor<2xf32>>, !gnn.node<"g", tensor<2xf32>>) {
  %g0 = "gnn.edge_set"(%g) {mode = "relation0"} : (!gnn.graph<"g">) -> !gnn.graph<"g.relation0">
  %g1 = "gnn.edge_set"(%g) {mode = "relation1"} : (!gnn.graph<"g">) -> !gnn.graph<"g.relation1">
  %g2 = "gnn.edge_set"(%g) {mode = "relation2"} : (!gnn.graph<"g">) -> !gnn.graph<"g.relation2">
  %a = ml_program.global_load_const @a : tensor<4x2xf32>
  %z0 = "gnn.linear"(%x, %a) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!gnn.node<"g", tensor<4xf32>>, tensor<4x2xf32>) -> !gnn.node<"g", tensor<2xf32>>
  %s0 = "gnn.aggregate"(%g0, %z0) {direction = "in", reduce = "mean"} : (!gnn.graph<"g.relation0">, !gnn.node<"g", tensor<2xf32>>) -> !gnn.node<"g", tensor<2xf32>>
  %b = ml_program.global_load_const @b : tensor<4x2xf32>
  %z1 = "gnn.linear"(%x, %b) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!gnn.node<"g", tensor<4xf32>>, tensor<4x2xf32>) -> !gnn.node<"g", tensor<2xf32>>
  %s1 = "gnn.aggregate"(%g1, %z1) {direction = "in", reduce = "mean"} : (!gnn.graph<"g.relation1">, !gnn.node<"g", tensor<2xf32>>) -> !gnn.node<"g", tensor<2xf32>>
  %q = "gnn.vector_add"(%s0, %s1) : (!gnn.node<"g", tensor<2xf32>>, !gnn.node<"g", tensor<2xf32>>) -> !gnn.node<"g", tensor<2xf32>>
  %c = ml_program.global_load_const @c : tensor<4x2xf32>
  %z2 = "gnn.linear"(%x, %c) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!gnn.node<"g", tensor<4xf32>>, tensor<4x2xf32>) -> !gnn.node<"g", tensor<2xf32>>
  %s2 = "gnn.aggregate"(%g2, %z2) {direction = "in", reduce = "mean"} : (!gnn.graph<"g.relation2">, !gnn.node<"g", tensor<2xf32>>) -> !gnn.node<"g", tensor<2xf32>>
  %y = "gnn.vector_add"(%q, %s2) : (!gnn.node<"g", tensor<2xf32>>, !gnn.node<"g", tensor<2xf32>>) -> !gnn.node<"g", tensor<2xf32>>
  return %y, %q : !gnn.node<"g", tensor<2xf32>>, !gnn.node<"g", tensor<2xf32>>
}

// The name of one weight is a list already.
// CHECK-LABEL: @listed
func.func @listed(%g: !gnn.graph<"g"> {gnn.edge_types = 2 : i64}, %x: !gnn.node<"g", tensor<4xf32>>, %h: !gnn.node<"g", tensor<2xf32>>) -> (!gnn.node<"g", tensor<2xf32>>) {
  %g0 = "gnn.edge_set"(%g) {mode = "relation0"} : (!gnn.graph<"g">) -> !gnn.graph<"g.relation0">
  %g1 = "gnn.edge_set"(%g) {mode = "relation1"} : (!gnn.graph<"g">) -> !gnn.graph<"g.relation1">
  %a = ml_program.global_load_const @a : tensor<4x2xf32>
  %z0 = "gnn.linear"(%x, %a) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!gnn.node<"g", tensor<4xf32>>, tensor<4x2xf32>) -> !gnn.node<"g", tensor<2xf32>>
  %s0 = "gnn.aggregate"(%g0, %z0) {direction = "in", reduce = "mean"} : (!gnn.graph<"g.relation0">, !gnn.node<"g", tensor<2xf32>>) -> !gnn.node<"g", tensor<2xf32>>
  %list = ml_program.global_load_const @list : tensor<4x2xf32>
  %z1 = "gnn.linear"(%x, %list) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!gnn.node<"g", tensor<4xf32>>, tensor<4x2xf32>) -> !gnn.node<"g", tensor<2xf32>>
  %s1 = "gnn.aggregate"(%g1, %z1) {direction = "in", reduce = "mean"} : (!gnn.graph<"g.relation1">, !gnn.node<"g", tensor<2xf32>>) -> !gnn.node<"g", tensor<2xf32>>
  %y = "gnn.vector_add"(%s0, %s1) : (!gnn.node<"g", tensor<2xf32>>, !gnn.node<"g", tensor<2xf32>>) -> !gnn.node<"g", tensor<2xf32>>
  return %y : !gnn.node<"g", tensor<2xf32>>
}

// The weight is no tensor of the file.
// CHECK-LABEL: @computed
func.func @computed(%g: !gnn.graph<"g"> {gnn.edge_types = 2 : i64}, %x: !gnn.node<"g", tensor<4xf32>>, %w: tensor<4x2xf32>) -> (!gnn.node<"g", tensor<2xf32>>) {
  %g0 = "gnn.edge_set"(%g) {mode = "relation0"} : (!gnn.graph<"g">) -> !gnn.graph<"g.relation0">
  %g1 = "gnn.edge_set"(%g) {mode = "relation1"} : (!gnn.graph<"g">) -> !gnn.graph<"g.relation1">
  %a = ml_program.global_load_const @a : tensor<4x2xf32>
  %z0 = "gnn.linear"(%x, %a) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!gnn.node<"g", tensor<4xf32>>, tensor<4x2xf32>) -> !gnn.node<"g", tensor<2xf32>>
  %s0 = "gnn.aggregate"(%g0, %z0) {direction = "in", reduce = "mean"} : (!gnn.graph<"g.relation0">, !gnn.node<"g", tensor<2xf32>>) -> !gnn.node<"g", tensor<2xf32>>
  %z1 = "gnn.linear"(%x, %w) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!gnn.node<"g", tensor<4xf32>>, tensor<4x2xf32>) -> !gnn.node<"g", tensor<2xf32>>
  %s1 = "gnn.aggregate"(%g1, %z1) {direction = "in", reduce = "mean"} : (!gnn.graph<"g.relation1">, !gnn.node<"g", tensor<2xf32>>) -> !gnn.node<"g", tensor<2xf32>>
  %y = "gnn.vector_add"(%s0, %s1) : (!gnn.node<"g", tensor<2xf32>>, !gnn.node<"g", tensor<2xf32>>) -> !gnn.node<"g", tensor<2xf32>>
  return %y : !gnn.node<"g", tensor<2xf32>>
}

// One sum has factors of edges.
// CHECK-LABEL: @weighted
func.func @weighted(%g: !gnn.graph<"g"> {gnn.edge_types = 2 : i64}, %x: !gnn.node<"g", tensor<4xf32>>, %v: !gnn.node<"g", f32>) -> (!gnn.node<"g", tensor<2xf32>>) {
  %g0 = "gnn.edge_set"(%g) {mode = "relation0"} : (!gnn.graph<"g">) -> !gnn.graph<"g.relation0">
  %g1 = "gnn.edge_set"(%g) {mode = "relation1"} : (!gnn.graph<"g">) -> !gnn.graph<"g.relation1">
  %a = ml_program.global_load_const @a : tensor<4x2xf32>
  %z0 = "gnn.linear"(%x, %a) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!gnn.node<"g", tensor<4xf32>>, tensor<4x2xf32>) -> !gnn.node<"g", tensor<2xf32>>
  %s0 = "gnn.aggregate"(%g0, %z0) {direction = "in", reduce = "mean"} : (!gnn.graph<"g.relation0">, !gnn.node<"g", tensor<2xf32>>) -> !gnn.node<"g", tensor<2xf32>>
  %b = ml_program.global_load_const @b : tensor<4x2xf32>
  %z1 = "gnn.linear"(%x, %b) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!gnn.node<"g", tensor<4xf32>>, tensor<4x2xf32>) -> !gnn.node<"g", tensor<2xf32>>
  %f = "gnn.gather"(%g1, %v) {end = "src"} : (!gnn.graph<"g.relation1">, !gnn.node<"g", f32>) -> !gnn.edge<"g.relation1", f32>
  %s1 = "gnn.aggregate"(%g1, %z1, %f) {direction = "in", reduce = "mean"} : (!gnn.graph<"g.relation1">, !gnn.node<"g", tensor<2xf32>>, !gnn.edge<"g.relation1", f32>) -> !gnn.node<"g", tensor<2xf32>>
  %y = "gnn.vector_add"(%s0, %s1) : (!gnn.node<"g", tensor<2xf32>>, !gnn.node<"g", tensor<2xf32>>) -> !gnn.node<"g", tensor<2xf32>>
  return %y : !gnn.node<"g", tensor<2xf32>>
}

// There is one type: nothing is merged.
// CHECK-LABEL: @one_type
func.func @one_type(%g: !gnn.graph<"g"> {gnn.edge_types = 1 : i64}, %x: !gnn.node<"g", tensor<4xf32>>, %h: !gnn.node<"g", tensor<2xf32>>) -> (!gnn.node<"g", tensor<2xf32>>) {
  %g0 = "gnn.edge_set"(%g) {mode = "relation0"} : (!gnn.graph<"g">) -> !gnn.graph<"g.relation0">
  %a = ml_program.global_load_const @a : tensor<4x2xf32>
  %z0 = "gnn.linear"(%x, %a) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!gnn.node<"g", tensor<4xf32>>, tensor<4x2xf32>) -> !gnn.node<"g", tensor<2xf32>>
  %s0 = "gnn.aggregate"(%g0, %z0) {direction = "in", reduce = "mean"} : (!gnn.graph<"g.relation0">, !gnn.node<"g", tensor<2xf32>>) -> !gnn.node<"g", tensor<2xf32>>
  %y = "gnn.vector_add"(%h, %s0) : (!gnn.node<"g", tensor<2xf32>>, !gnn.node<"g", tensor<2xf32>>) -> !gnn.node<"g", tensor<2xf32>>
  return %y : !gnn.node<"g", tensor<2xf32>>
}
