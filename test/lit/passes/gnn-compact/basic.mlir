// Chains of operations that depend on edge type and one end move to the pairs of both. Without a graph, they move where the chain has a product.
// RUN: gnn-opt --pass-pipeline=gnn-compact %s | FileCheck %s
// RUN: gnn-opt --pass-pipeline='gnn-compact{ends=dst}' %s | FileCheck %s --check-prefix=DST
// DST-NOT: unique_src

// R-GAT: the message and its part of the logit are one chain, expanded where edges read them; the destination side is another.
// CHECK-LABEL: @chain
// CHECK-DAG: [[S:%.*]] = "gnn.unique_edges"(%arg0) {end = "src"}
// CHECK-DAG: [[D:%.*]] = "gnn.unique_edges"(%arg0) {end = "dst"}
// CHECK: [[X:%.*]] = "gnn.gather"([[S]], %arg1) {end = "src"}
// CHECK: [[W:%.*]] = "gnn.slice"([[S]], %arg2) {by = "edge"}
// CHECK: [[Z:%.*]] = "gnn.linear"([[X]], [[W]]){{.*}} -> !gnn.edge<"g.unique_src", tensor<4xf32>>
// CHECK: [[ZE:%.*]] = "gnn.expand"(%arg0, [[Z]])
// CHECK: [[P:%.*]] = "gnn.vector_inner"([[Z]], {{.*}}) {{.*}} -> !gnn.edge<"g.unique_src", f32>
// CHECK: [[PE:%.*]] = "gnn.expand"(%arg0, [[P]])
// CHECK: [[Y:%.*]] = "gnn.gather"([[D]], %arg1) {end = "dst"}
// CHECK: [[Q:%.*]] = "gnn.vector_inner"([[Y]], {{.*}}) {{.*}} -> !gnn.edge<"g.unique_dst", f32>
// CHECK: [[QE:%.*]] = "gnn.expand"(%arg0, [[Q]])
// CHECK: [[A:%.*]] = "gnn.vector_add"([[PE]], [[QE]])
// CHECK: "gnn.multiply"([[A]], [[ZE]])
func.func @chain(%g: !gnn.graph<"g">, %x: !gnn.node<"g", tensor<6xf32>>, %w: !gnn.per<"etype", tensor<6x4xf32>>, %u: !gnn.per<"etype", tensor<4xf32>>, %v: !gnn.per<"etype", tensor<6xf32>>) -> (!gnn.node<"g", tensor<4xf32>>) {
  %hz = "gnn.gather"(%g, %x) {end = "src"} : (!gnn.graph<"g">, !gnn.node<"g", tensor<6xf32>>) -> !gnn.edge<"g", tensor<6xf32>>
  %wz = "gnn.slice"(%g, %w) {by = "edge"} : (!gnn.graph<"g">, !gnn.per<"etype", tensor<6x4xf32>>) -> !gnn.edge<"g", tensor<6x4xf32>>
  %z = "gnn.linear"(%hz, %wz) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!gnn.edge<"g", tensor<6xf32>>, !gnn.edge<"g", tensor<6x4xf32>>) -> !gnn.edge<"g", tensor<4xf32>>
  %us = "gnn.slice"(%g, %u) {by = "edge"} : (!gnn.graph<"g">, !gnn.per<"etype", tensor<4xf32>>) -> !gnn.edge<"g", tensor<4xf32>>
  %p = "gnn.vector_inner"(%z, %us) : (!gnn.edge<"g", tensor<4xf32>>, !gnn.edge<"g", tensor<4xf32>>) -> !gnn.edge<"g", f32>
  %y = "gnn.gather"(%g, %x) {end = "dst"} : (!gnn.graph<"g">, !gnn.node<"g", tensor<6xf32>>) -> !gnn.edge<"g", tensor<6xf32>>
  %vs = "gnn.slice"(%g, %v) {by = "edge"} : (!gnn.graph<"g">, !gnn.per<"etype", tensor<6xf32>>) -> !gnn.edge<"g", tensor<6xf32>>
  %q = "gnn.vector_inner"(%y, %vs) : (!gnn.edge<"g", tensor<6xf32>>, !gnn.edge<"g", tensor<6xf32>>) -> !gnn.edge<"g", f32>
  %a = "gnn.vector_add"(%p, %q) : (!gnn.edge<"g", f32>, !gnn.edge<"g", f32>) -> !gnn.edge<"g", f32>
  %m = "gnn.multiply"(%a, %z) : (!gnn.edge<"g", f32>, !gnn.edge<"g", tensor<4xf32>>) -> !gnn.edge<"g", tensor<4xf32>>
  %o = "gnn.aggregate"(%g, %m) {direction = "in", reduce = "sum"} : (!gnn.graph<"g">, !gnn.edge<"g", tensor<4xf32>>) -> !gnn.node<"g", tensor<4xf32>>
  return %o : !gnn.node<"g", tensor<4xf32>>
}

// The node type of an end depends on that end, and so does the table of pairs. A value that depends on the source alone is gathered as before.
// CHECK-LABEL: @node_types
// CHECK: [[S:%.*]] = "gnn.unique_edges"(%arg0) {end = "src"}
// CHECK: [[K:%.*]] = "gnn.gather"([[S]], {{.*}}) {end = "src"} : (!gnn.graph<"g.unique_src">, !gnn.node<"g", tensor<4xf32>>)
// CHECK: [[A:%.*]] = "gnn.vector_add"({{.*}}, [[K]])
// CHECK: [[E:%.*]] = "gnn.expand"(%arg0, [[A]])
// CHECK-NEXT: return [[E]]
func.func @node_types(%g: !gnn.graph<"g">, %x: !gnn.node<"g", tensor<6xf32>>, %w: !gnn.per<"etype", tensor<6x4xf32>>, %b: !gnn.per<"ntype", tensor<4xf32>>) -> (!gnn.edge<"g", tensor<4xf32>>) {
  %hz = "gnn.gather"(%g, %x) {end = "src"} : (!gnn.graph<"g">, !gnn.node<"g", tensor<6xf32>>) -> !gnn.edge<"g", tensor<6xf32>>
  %wz = "gnn.slice"(%g, %w) {by = "edge"} : (!gnn.graph<"g">, !gnn.per<"etype", tensor<6x4xf32>>) -> !gnn.edge<"g", tensor<6x4xf32>>
  %z = "gnn.linear"(%hz, %wz) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!gnn.edge<"g", tensor<6xf32>>, !gnn.edge<"g", tensor<6x4xf32>>) -> !gnn.edge<"g", tensor<4xf32>>
  %bn = "gnn.slice"(%g, %b) {by = "node"} : (!gnn.graph<"g">, !gnn.per<"ntype", tensor<4xf32>>) -> !gnn.node<"g", tensor<4xf32>>
  %be = "gnn.gather"(%g, %bn) {end = "src"} : (!gnn.graph<"g">, !gnn.node<"g", tensor<4xf32>>) -> !gnn.edge<"g", tensor<4xf32>>
  %r = "gnn.vector_add"(%z, %be) : (!gnn.edge<"g", tensor<4xf32>>, !gnn.edge<"g", tensor<4xf32>>) -> !gnn.edge<"g", tensor<4xf32>>
  return %r : !gnn.edge<"g", tensor<4xf32>>
}

// Operations that were not moved to nodes or types move with the chain.
// CHECK-LABEL: @not_canonical
// CHECK: [[S:%.*]] = "gnn.unique_edges"
// CHECK: [[H:%.*]] = "gnn.gather"([[S]], %arg1)
// CHECK: [[R:%.*]] = "gnn.activation"([[H]]) {function = "relu"} : (!gnn.edge<"g.unique_src", tensor<6xf32>>)
// CHECK: [[Z:%.*]] = "gnn.linear"([[R]],
// CHECK: "gnn.expand"(%arg0, [[Z]])
func.func @not_canonical(%g: !gnn.graph<"g">, %x: !gnn.node<"g", tensor<6xf32>>, %w: !gnn.per<"etype", tensor<6x4xf32>>) -> (!gnn.edge<"g", tensor<4xf32>>) {
  %h = "gnn.gather"(%g, %x) {end = "src"} : (!gnn.graph<"g">, !gnn.node<"g", tensor<6xf32>>) -> !gnn.edge<"g", tensor<6xf32>>
  %r = "gnn.activation"(%h) {function = "relu"} : (!gnn.edge<"g", tensor<6xf32>>) -> !gnn.edge<"g", tensor<6xf32>>
  %ws = "gnn.slice"(%g, %w) {by = "edge"} : (!gnn.graph<"g">, !gnn.per<"etype", tensor<6x4xf32>>) -> !gnn.edge<"g", tensor<6x4xf32>>
  %z = "gnn.linear"(%r, %ws) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!gnn.edge<"g", tensor<6xf32>>, !gnn.edge<"g", tensor<6x4xf32>>) -> !gnn.edge<"g", tensor<4xf32>>
  return %z : !gnn.edge<"g", tensor<4xf32>>
}
