// Values that stay per edge.
// RUN: gnn-opt --pass-pipeline=gnn-compact --remarks=gnn-compact %s 2>%t.remarks | FileCheck %s --implicit-check-not=unique
// RUN: FileCheck %s --check-prefix=REMARK --implicit-check-not=remark: < %t.remarks

// The value depends on both ends.
// REMARK: remark: gnn-compact: the value here stays per edge: it depends on both ends
// CHECK-LABEL: @both_ends
func.func @both_ends(%g: !gnn.graph<"g">, %x: !gnn.node<"g", tensor<6xf32>>, %w: !gnn.per<"etype", tensor<6x4xf32>>) -> (!gnn.edge<"g", tensor<4xf32>>) {
  %s = "gnn.gather"(%g, %x) {end = "src"} : (!gnn.graph<"g">, !gnn.node<"g", tensor<6xf32>>) -> !gnn.edge<"g", tensor<6xf32>>
  %d = "gnn.gather"(%g, %x) {end = "dst"} : (!gnn.graph<"g">, !gnn.node<"g", tensor<6xf32>>) -> !gnn.edge<"g", tensor<6xf32>>
  %a = "gnn.vector_add"(%s, %d) : (!gnn.edge<"g", tensor<6xf32>>, !gnn.edge<"g", tensor<6xf32>>) -> !gnn.edge<"g", tensor<6xf32>>
  %ws = "gnn.slice"(%g, %w) {by = "edge"} : (!gnn.graph<"g">, !gnn.per<"etype", tensor<6x4xf32>>) -> !gnn.edge<"g", tensor<6x4xf32>>
  %z = "gnn.linear"(%a, %ws) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!gnn.edge<"g", tensor<6xf32>>, !gnn.edge<"g", tensor<6x4xf32>>) -> !gnn.edge<"g", tensor<4xf32>>
  return %z : !gnn.edge<"g", tensor<4xf32>>
}

// The value is given for each edge.
// REMARK: remark: gnn-compact: the value here stays per edge: it depends on values given for each edge
// CHECK-LABEL: @given
func.func @given(%g: !gnn.graph<"g">, %x: !gnn.edge<"g", tensor<6xf32>>, %w: !gnn.per<"etype", tensor<6x4xf32>>) -> (!gnn.edge<"g", tensor<4xf32>>) {
  %ws = "gnn.slice"(%g, %w) {by = "edge"} : (!gnn.graph<"g">, !gnn.per<"etype", tensor<6x4xf32>>) -> !gnn.edge<"g", tensor<6x4xf32>>
  %z = "gnn.linear"(%x, %ws) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!gnn.edge<"g", tensor<6xf32>>, !gnn.edge<"g", tensor<6x4xf32>>) -> !gnn.edge<"g", tensor<4xf32>>
  return %z : !gnn.edge<"g", tensor<4xf32>>
}

// One number per edge takes no longer to read than its index.
// CHECK-LABEL: @numbers
func.func @numbers(%g: !gnn.graph<"g">, %x: !gnn.node<"g", f32>, %w: !gnn.per<"etype", f32>) -> (!gnn.edge<"g", f32>) {
  %h = "gnn.gather"(%g, %x) {end = "src"} : (!gnn.graph<"g">, !gnn.node<"g", f32>) -> !gnn.edge<"g", f32>
  %ws = "gnn.slice"(%g, %w) {by = "edge"} : (!gnn.graph<"g">, !gnn.per<"etype", f32>) -> !gnn.edge<"g", f32>
  %z = "gnn.multiply"(%h, %ws) : (!gnn.edge<"g", f32>, !gnn.edge<"g", f32>) -> !gnn.edge<"g", f32>
  return %z : !gnn.edge<"g", f32>
}

// There is no product, and the graph is not known.
// REMARK: remark: gnn-compact: the value here is not computed once per pair of edge type and source; how many there are is not known
// CHECK-LABEL: @no_product
func.func @no_product(%g: !gnn.graph<"g">, %x: !gnn.node<"g", tensor<6xf32>>, %w: !gnn.per<"etype", tensor<6xf32>>) -> (!gnn.edge<"g", tensor<6xf32>>) {
  %h = "gnn.gather"(%g, %x) {end = "src"} : (!gnn.graph<"g">, !gnn.node<"g", tensor<6xf32>>) -> !gnn.edge<"g", tensor<6xf32>>
  %ws = "gnn.slice"(%g, %w) {by = "edge"} : (!gnn.graph<"g">, !gnn.per<"etype", tensor<6xf32>>) -> !gnn.edge<"g", tensor<6xf32>>
  %z = "gnn.multiply"(%h, %ws) : (!gnn.edge<"g", tensor<6xf32>>, !gnn.edge<"g", tensor<6xf32>>) -> !gnn.edge<"g", tensor<6xf32>>
  return %z : !gnn.edge<"g", tensor<6xf32>>
}

// The value depends on no type, so canonicalisation computes it per node.
// CHECK-LABEL: @untyped
func.func @untyped(%g: !gnn.graph<"g">, %x: !gnn.node<"g", tensor<6xf32>>, %w: tensor<6x4xf32>) -> (!gnn.edge<"g", tensor<4xf32>>) {
  %h = "gnn.gather"(%g, %x) {end = "src"} : (!gnn.graph<"g">, !gnn.node<"g", tensor<6xf32>>) -> !gnn.edge<"g", tensor<6xf32>>
  %z = "gnn.linear"(%h, %w) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!gnn.edge<"g", tensor<6xf32>>, tensor<6x4xf32>) -> !gnn.edge<"g", tensor<4xf32>>
  return %z : !gnn.edge<"g", tensor<4xf32>>
}
