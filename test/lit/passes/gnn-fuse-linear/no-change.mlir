// Linear operations that are not fused.
// RUN: gnn-opt --pass-pipeline=gnn-fuse-linear --remarks=gnn-fuse-linear %s 2>%t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK < %t.remarks
// REMARK-NOT: remark:

// (1) A nonlinear operation is between them, here also inside the first layer.
// REMARK: remark: gnn-fuse-linear: {{.*}} are not fused: {{.*}}relu is between, which is not linear (condition 1)
// REMARK: remark: gnn-fuse-linear: {{.*}} are not fused: {{.*}}tanh is between, which is not linear (condition 1)
// CHECK-LABEL: @not_linear
// CHECK-COUNT-3: "gnn.linear"
// CHECK-NOT: "gnn.linear"
func.func @not_linear(%g: !gnn.graph<"g">, %x: !gnn.node<"g", tensor<8xf32>>, %w: tensor<8x8xf32>) -> (!gnn.node<"g", tensor<8xf32>>) {
  %y = "gnn.linear"(%x, %w) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!gnn.node<"g", tensor<8xf32>>, tensor<8x8xf32>) -> !gnn.node<"g", tensor<8xf32>>
  %a = "gnn.activation"(%y) {function = "relu"} : (!gnn.node<"g", tensor<8xf32>>) -> !gnn.node<"g", tensor<8xf32>>
  %z = "gnn.linear"(%a, %w) {activation = "tanh", operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!gnn.node<"g", tensor<8xf32>>, tensor<8x8xf32>) -> !gnn.node<"g", tensor<8xf32>>
  %r = "gnn.linear"(%z, %w) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!gnn.node<"g", tensor<8xf32>>, tensor<8x8xf32>) -> !gnn.node<"g", tensor<8xf32>>
  return %r : !gnn.node<"g", tensor<8xf32>>
}

// (2) The weights depend on the node types of both ends.
// REMARK: remark: gnn-fuse-linear: {{.*}} are not fused: {{.*}}their weights are chosen by the node types of both ends (condition 2)
// CHECK-LABEL: @both_ends
// CHECK-COUNT-2: "gnn.linear"
// CHECK-NOT: "gnn.linear"
func.func @both_ends(%g: !gnn.graph<"g">, %x: !gnn.node<"g", tensor<4xf32>>, %w: !gnn.per<"ntype", tensor<4x4xf32>>, %u: !gnn.per<"ntype", tensor<4x4xf32>>) -> (!gnn.edge<"g", tensor<4xf32>>) {
  %s1 = "gnn.slice"(%g, %w) {by = "node"} : (!gnn.graph<"g">, !gnn.per<"ntype", tensor<4x4xf32>>) -> !gnn.node<"g", tensor<4x4xf32>>
  %y = "gnn.linear"(%x, %s1) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!gnn.node<"g", tensor<4xf32>>, !gnn.node<"g", tensor<4x4xf32>>) -> !gnn.node<"g", tensor<4xf32>>
  %e = "gnn.gather"(%g, %y) {end = "src"} : (!gnn.graph<"g">, !gnn.node<"g", tensor<4xf32>>) -> !gnn.edge<"g", tensor<4xf32>>
  %s2 = "gnn.slice"(%g, %u) {by = "node"} : (!gnn.graph<"g">, !gnn.per<"ntype", tensor<4x4xf32>>) -> !gnn.node<"g", tensor<4x4xf32>>
  %d = "gnn.gather"(%g, %s2) {end = "dst"} : (!gnn.graph<"g">, !gnn.node<"g", tensor<4x4xf32>>) -> !gnn.edge<"g", tensor<4x4xf32>>
  %z = "gnn.linear"(%e, %d) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!gnn.edge<"g", tensor<4xf32>>, !gnn.edge<"g", tensor<4x4xf32>>) -> !gnn.edge<"g", tensor<4xf32>>
  return %z : !gnn.edge<"g", tensor<4xf32>>
}

// (2) Without a graph the number of pairs of edge type and node type is unknown.
// REMARK: remark: gnn-fuse-linear: {{.*}} are not fused: {{.*}}how many pairs of edge type and node type there are is not known without a graph (condition 2)
// CHECK-LABEL: @unknown_pairs
// CHECK-NOT: "gnn.pair"
func.func @unknown_pairs(%g: !gnn.graph<"g">, %x: !gnn.node<"g", tensor<4xf32>>, %w: !gnn.per<"ntype", tensor<4x4xf32>>, %u: !gnn.per<"etype", tensor<4x4xf32>>) -> (!gnn.edge<"g", tensor<4xf32>>) {
  %s1 = "gnn.slice"(%g, %w) {by = "node"} : (!gnn.graph<"g">, !gnn.per<"ntype", tensor<4x4xf32>>) -> !gnn.node<"g", tensor<4x4xf32>>
  %y = "gnn.linear"(%x, %s1) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!gnn.node<"g", tensor<4xf32>>, !gnn.node<"g", tensor<4x4xf32>>) -> !gnn.node<"g", tensor<4xf32>>
  %e = "gnn.gather"(%g, %y) {end = "src"} : (!gnn.graph<"g">, !gnn.node<"g", tensor<4xf32>>) -> !gnn.edge<"g", tensor<4xf32>>
  %s2 = "gnn.slice"(%g, %u) {by = "edge"} : (!gnn.graph<"g">, !gnn.per<"etype", tensor<4x4xf32>>) -> !gnn.edge<"g", tensor<4x4xf32>>
  %z = "gnn.linear"(%e, %s2) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!gnn.edge<"g", tensor<4xf32>>, !gnn.edge<"g", tensor<4x4xf32>>) -> !gnn.edge<"g", tensor<4xf32>>
  return %z : !gnn.edge<"g", tensor<4xf32>>
}

// (5) The source side of R-GAT: the product is also the message.
// REMARK: remark: gnn-fuse-linear: {{.*}} are not fused: {{.*}}is also used elsewhere (condition 5)
// CHECK-LABEL: @shared
// CHECK: [[Y:%.*]] = "gnn.linear"
// CHECK: [[Z:%.*]] = "gnn.vector_inner"([[Y]]
// CHECK: return [[Y]], [[Z]]
func.func @shared(%g: !gnn.graph<"g">, %x: !gnn.node<"g", tensor<6xf32>>, %w: !gnn.per<"etype", tensor<6x4xf32>>, %a: !gnn.per<"etype", tensor<4xf32>>) -> (!gnn.edge<"g", tensor<4xf32>>, !gnn.edge<"g", f32>) {
  %hy = "gnn.gather"(%g, %x) {end = "src"} : (!gnn.graph<"g">, !gnn.node<"g", tensor<6xf32>>) -> !gnn.edge<"g", tensor<6xf32>>
  %wy = "gnn.slice"(%g, %w) {by = "edge"} : (!gnn.graph<"g">, !gnn.per<"etype", tensor<6x4xf32>>) -> !gnn.edge<"g", tensor<6x4xf32>>
  %y = "gnn.linear"(%hy, %wy) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!gnn.edge<"g", tensor<6xf32>>, !gnn.edge<"g", tensor<6x4xf32>>) -> !gnn.edge<"g", tensor<4xf32>>
  %s = "gnn.slice"(%g, %a) {by = "edge"} : (!gnn.graph<"g">, !gnn.per<"etype", tensor<4xf32>>) -> !gnn.edge<"g", tensor<4xf32>>
  %z = "gnn.vector_inner"(%y, %s) : (!gnn.edge<"g", tensor<4xf32>>, !gnn.edge<"g", tensor<4xf32>>) -> !gnn.edge<"g", f32>
  return %y, %z : !gnn.edge<"g", tensor<4xf32>>, !gnn.edge<"g", f32>
}

// (6) A bottleneck: the fused matrix would be wider than both.
// REMARK: remark: gnn-fuse-linear: {{.*}} are not fused: {{.*}}the graph is not known, judged by widths (condition 6)
// CHECK-LABEL: @wider
// CHECK-COUNT-2: "gnn.linear"
// CHECK-NOT: "gnn.linear"
func.func @wider(%g: !gnn.graph<"g">, %x: !gnn.node<"g", tensor<64xf32>>, %w: tensor<64x4xf32>, %u: tensor<4x64xf32>) -> (!gnn.node<"g", tensor<64xf32>>) {
  %y = "gnn.linear"(%x, %w) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!gnn.node<"g", tensor<64xf32>>, tensor<64x4xf32>) -> !gnn.node<"g", tensor<4xf32>>
  %z = "gnn.linear"(%y, %u) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!gnn.node<"g", tensor<4xf32>>, tensor<4x64xf32>) -> !gnn.node<"g", tensor<64xf32>>
  return %z : !gnn.node<"g", tensor<64xf32>>
}

// A bias along the last dimension of a matrix per node; fused biases are added element by element.
// CHECK-LABEL: @bias_of_rows
// CHECK-COUNT-2: "gnn.linear"
// CHECK-NOT: "gnn.linear"
func.func @bias_of_rows(%g: !gnn.graph<"g">, %x: !gnn.node<"g", tensor<5x8xf32>>, %w: tensor<8x8xf32>, %u: tensor<8x5xf32>, %b: tensor<5xf32>) -> (!gnn.node<"g", tensor<5x5xf32>>) {
  %y = "gnn.linear"(%x, %w) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!gnn.node<"g", tensor<5x8xf32>>, tensor<8x8xf32>) -> !gnn.node<"g", tensor<5x8xf32>>
  %z = "gnn.linear"(%y, %u, %b) {operandSegmentSizes = array<i32: 1, 1, 1, 0>} : (!gnn.node<"g", tensor<5x8xf32>>, tensor<8x5xf32>, tensor<5xf32>) -> !gnn.node<"g", tensor<5x5xf32>>
  return %z : !gnn.node<"g", tensor<5x5xf32>>
}

// Matrices that are computed per edge, or per graph of a batch, are no weights.
// CHECK-LABEL: @not_weights
// CHECK-COUNT-2: "gnn.linear"
// CHECK-NOT: "gnn.linear"
func.func @not_weights(%g: !gnn.graph<"g">, %x: !gnn.edge<"g", tensor<4xf32>>, %w: !gnn.edge<"g", tensor<4x4xf32>>, %u: tensor<4x4xf32>) -> (!gnn.edge<"g", tensor<4xf32>>) {
  %y = "gnn.linear"(%x, %w) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!gnn.edge<"g", tensor<4xf32>>, !gnn.edge<"g", tensor<4x4xf32>>) -> !gnn.edge<"g", tensor<4xf32>>
  %z = "gnn.linear"(%y, %u) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!gnn.edge<"g", tensor<4xf32>>, tensor<4x4xf32>) -> !gnn.edge<"g", tensor<4xf32>>
  return %z : !gnn.edge<"g", tensor<4xf32>>
}
// REMARK-NOT: remark:

// Pairs of the types of edges and nodes are those of the whole graph, not of a relation.
// CHECK-LABEL: @relation
// CHECK-NOT: gnn.pair
// CHECK: return
func.func @relation(%g: !gnn.graph<"g">, %x: !gnn.node<"g", tensor<4xf32>>, %r: !gnn.per<"ntype", tensor<4x4xf32>>, %w: !gnn.per<"etype", tensor<4x4xf32>>) -> (!gnn.node<"g", tensor<4xf32>>) {
  %c = "gnn.edge_set"(%g) {mode = "relation1"} : (!gnn.graph<"g">) -> !gnn.graph<"g.relation1">
  %a = "gnn.slice"(%g, %r) {by = "node"} : (!gnn.graph<"g">, !gnn.per<"ntype", tensor<4x4xf32>>) -> !gnn.node<"g", tensor<4x4xf32>>
  %h = "gnn.linear"(%x, %a) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!gnn.node<"g", tensor<4xf32>>, !gnn.node<"g", tensor<4x4xf32>>) -> !gnn.node<"g", tensor<4xf32>>
  %e = "gnn.gather"(%c, %h) {end = "src"} : (!gnn.graph<"g.relation1">, !gnn.node<"g", tensor<4xf32>>) -> !gnn.edge<"g.relation1", tensor<4xf32>>
  %b = "gnn.slice"(%c, %w) {by = "edge"} : (!gnn.graph<"g.relation1">, !gnn.per<"etype", tensor<4x4xf32>>) -> !gnn.edge<"g.relation1", tensor<4x4xf32>>
  %m = "gnn.linear"(%e, %b) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!gnn.edge<"g.relation1", tensor<4xf32>>, !gnn.edge<"g.relation1", tensor<4x4xf32>>) -> !gnn.edge<"g.relation1", tensor<4xf32>>
  %y = "gnn.aggregate"(%c, %m) {direction = "in", reduce = "sum"} : (!gnn.graph<"g.relation1">, !gnn.edge<"g.relation1", tensor<4xf32>>) -> !gnn.node<"g", tensor<4xf32>>
  return %y : !gnn.node<"g", tensor<4xf32>>
}
