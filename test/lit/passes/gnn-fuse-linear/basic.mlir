// All pairs of linear operations that can be fused; statistics.mlir shows which pairs pay. The number of pairs must be known.
// RUN: gnn-opt --pairs-src=7 --pass-pipeline='gnn-fuse-linear{when=always}' %s | FileCheck %s

// The destination side of R-GAT with one head: W a is a vector per type.
// CHECK-LABEL: @inner
// CHECK: [[W:%.*]] = "gnn.vector_inner"(%arg2, %arg3) : (!gnn.per<"etype", tensor<6x4xf32>>, !gnn.per<"etype", tensor<4xf32>>) -> !gnn.per<"etype", tensor<6xf32>>
// CHECK: [[S:%.*]] = "gnn.slice"(%arg0, [[W]]) {by = "edge"}
// CHECK: [[Z:%.*]] = "gnn.vector_inner"({{.*}}, [[S]])
// CHECK-NEXT: return [[Z]]
func.func @inner(%g: !gnn.graph<"g">, %x: !gnn.node<"g", tensor<6xf32>>, %w: !gnn.per<"etype", tensor<6x4xf32>>, %a: !gnn.per<"etype", tensor<4xf32>>) -> (!gnn.edge<"g", f32>) {
  %hy = "gnn.gather"(%g, %x) {end = "dst"} : (!gnn.graph<"g">, !gnn.node<"g", tensor<6xf32>>) -> !gnn.edge<"g", tensor<6xf32>>
  %wy = "gnn.slice"(%g, %w) {by = "edge"} : (!gnn.graph<"g">, !gnn.per<"etype", tensor<6x4xf32>>) -> !gnn.edge<"g", tensor<6x4xf32>>
  %y = "gnn.linear"(%hy, %wy) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!gnn.edge<"g", tensor<6xf32>>, !gnn.edge<"g", tensor<6x4xf32>>) -> !gnn.edge<"g", tensor<4xf32>>
  %s = "gnn.slice"(%g, %a) {by = "edge"} : (!gnn.graph<"g">, !gnn.per<"etype", tensor<4xf32>>) -> !gnn.edge<"g", tensor<4xf32>>
  %z = "gnn.vector_inner"(%y, %s) : (!gnn.edge<"g", tensor<4xf32>>, !gnn.edge<"g", tensor<4xf32>>) -> !gnn.edge<"g", f32>
  return %z : !gnn.edge<"g", f32>
}

// With two heads W a is a matrix [K, H]; the weights may be the first operand.
// CHECK-LABEL: @inner_heads
// CHECK: [[T:%.*]] = "gnn.transpose"(%arg2)
// CHECK: [[R:%.*]] = "gnn.reshape"([[T]]) {shape = array<i64: 2, 3, 5>}
// CHECK: [[P:%.*]] = "gnn.linear"(%arg3, [[R]])
// CHECK: [[W:%.*]] = "gnn.transpose"([[P]]) : (!gnn.per<"etype", tensor<2x5xf32>>) -> !gnn.per<"etype", tensor<5x2xf32>>
// CHECK: [[S:%.*]] = "gnn.slice"(%arg0, [[W]])
// CHECK: "gnn.linear"({{.*}}, [[S]])
func.func @inner_heads(%g: !gnn.graph<"g">, %x: !gnn.node<"g", tensor<5xf32>>, %w: !gnn.per<"etype", tensor<5x6xf32>>, %a: !gnn.per<"etype", tensor<2x3xf32>>) -> (!gnn.edge<"g", tensor<2xf32>>) {
  %hy = "gnn.gather"(%g, %x) {end = "dst"} : (!gnn.graph<"g">, !gnn.node<"g", tensor<5xf32>>) -> !gnn.edge<"g", tensor<5xf32>>
  %wy = "gnn.slice"(%g, %w) {by = "edge"} : (!gnn.graph<"g">, !gnn.per<"etype", tensor<5x6xf32>>) -> !gnn.edge<"g", tensor<5x6xf32>>
  %y = "gnn.linear"(%hy, %wy) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!gnn.edge<"g", tensor<5xf32>>, !gnn.edge<"g", tensor<5x6xf32>>) -> !gnn.edge<"g", tensor<6xf32>>
  %v = "gnn.reshape"(%y) {shape = array<i64: 2, 3>} : (!gnn.edge<"g", tensor<6xf32>>) -> !gnn.edge<"g", tensor<2x3xf32>>
  %s = "gnn.slice"(%g, %a) {by = "edge"} : (!gnn.graph<"g">, !gnn.per<"etype", tensor<2x3xf32>>) -> !gnn.edge<"g", tensor<2x3xf32>>
  %z = "gnn.vector_inner"(%s, %v) : (!gnn.edge<"g", tensor<2x3xf32>>, !gnn.edge<"g", tensor<2x3xf32>>) -> !gnn.edge<"g", tensor<2xf32>>
  return %z : !gnn.edge<"g", tensor<2xf32>>
}

// Keys per head by node type are gathered and multiplied by a matrix per head and edge type: the index set is the pairs
// of both types. The bias is multiplied by the second weight; activation and bias of the second operation stay after it.
// CHECK-LABEL: @heads
// CHECK-DAG: [[W2:%.*]] = "gnn.transpose"(%arg4)
// CHECK-DAG: [[P2:%.*]] = "gnn.pair"(%arg0, [[W2]]) {count = 7 : i64, end = "src"}
// CHECK-DAG: [[W1:%.*]] = "gnn.transpose"(%arg2)
// CHECK-DAG: [[P1:%.*]] = "gnn.pair"(%arg0, [[W1]]) {count = 7 : i64, end = "src"} {{.*}} -> !gnn.per<"etype_src", tensor<6x6xf32>>
// CHECK-DAG: [[H1:%.*]] = "gnn.reshape"([[P1]]) {shape = array<i64: 2, 3, 6>}
// CHECK: [[W:%.*]] = "gnn.linear"([[P2]], [[H1]])
// CHECK: [[J:%.*]] = "gnn.reshape"([[W]]) {shape = array<i64: 6, 6>}
// CHECK: [[T:%.*]] = "gnn.transpose"([[J]])
// CHECK: [[X:%.*]] = "gnn.gather"(%arg0, %arg1) {end = "src"}
// CHECK: [[S:%.*]] = "gnn.slice"(%arg0, [[T]]) {by = "edge"}
// CHECK: [[Z:%.*]] = "gnn.linear"([[X]], [[S]])
// CHECK: [[V:%.*]] = "gnn.reshape"([[Z]]) {shape = array<i64: 2, 3>}
// CHECK: [[B:%.*]] = "gnn.slice"(%arg0, {{.*}}) {by = "edge"} {{.*}} -> !gnn.edge<"g", tensor<2x3xf32>>
// CHECK: [[Y:%.*]] = "gnn.vector_add"([[V]], [[B]])
// CHECK: [[A:%.*]] = "gnn.activation"([[Y]]) {function = "relu"}
// CHECK: return [[A]]
func.func @heads(%g: !gnn.graph<"g">, %x: !gnn.node<"g", tensor<6xf32>>, %w: !gnn.per<"ntype", tensor<6x6xf32>>, %b: !gnn.per<"ntype", tensor<6xf32>>, %a: !gnn.per<"etype", tensor<2x3x3xf32>>) -> (!gnn.edge<"g", tensor<2x3xf32>>) {
  %s1 = "gnn.slice"(%g, %w) {by = "node"} : (!gnn.graph<"g">, !gnn.per<"ntype", tensor<6x6xf32>>) -> !gnn.node<"g", tensor<6x6xf32>>
  %y0 = "gnn.linear"(%x, %s1) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!gnn.node<"g", tensor<6xf32>>, !gnn.node<"g", tensor<6x6xf32>>) -> !gnn.node<"g", tensor<6xf32>>
  %sb = "gnn.slice"(%g, %b) {by = "node"} : (!gnn.graph<"g">, !gnn.per<"ntype", tensor<6xf32>>) -> !gnn.node<"g", tensor<6xf32>>
  %y1 = "gnn.vector_add"(%y0, %sb) : (!gnn.node<"g", tensor<6xf32>>, !gnn.node<"g", tensor<6xf32>>) -> !gnn.node<"g", tensor<6xf32>>
  %y2 = "gnn.reshape"(%y1) {shape = array<i64: 2, 3>} : (!gnn.node<"g", tensor<6xf32>>) -> !gnn.node<"g", tensor<2x3xf32>>
  %y3 = "gnn.gather"(%g, %y2) {end = "src"} : (!gnn.graph<"g">, !gnn.node<"g", tensor<2x3xf32>>) -> !gnn.edge<"g", tensor<2x3xf32>>
  %s2 = "gnn.slice"(%g, %a) {by = "edge"} : (!gnn.graph<"g">, !gnn.per<"etype", tensor<2x3x3xf32>>) -> !gnn.edge<"g", tensor<2x3x3xf32>>
  %z = "gnn.linear"(%y3, %s2) {activation = "relu", operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!gnn.edge<"g", tensor<2x3xf32>>, !gnn.edge<"g", tensor<2x3x3xf32>>) -> !gnn.edge<"g", tensor<2x3xf32>>
  return %z : !gnn.edge<"g", tensor<2x3xf32>>
}

// Two consecutive layers over nodes: one weight for all nodes; addend and bias of the second layer stay.
// CHECK-LABEL: @plain
// CHECK-NEXT: [[T:%.*]] = "gnn.transpose"(%arg2)
// CHECK-NEXT: [[W:%.*]] = "gnn.linear"([[T]], %arg4)
// CHECK-NEXT: [[Z:%.*]] = "gnn.linear"(%arg1, [[W]])
// CHECK-NEXT: [[B1:%.*]] = "gnn.linear"(%arg3, %arg4)
// CHECK-NEXT: [[A:%.*]] = "gnn.vector_add"([[Z]], [[B1]])
// CHECK-NEXT: [[B:%.*]] = "gnn.vector_add"([[A]], %arg5)
// CHECK-NEXT: [[C:%.*]] = "gnn.vector_add"([[B]], %arg6)
// CHECK-NEXT: return [[C]]
func.func @plain(%g: !gnn.graph<"g">, %x: !gnn.node<"g", tensor<8xf32>>, %w: tensor<16x8xf32>, %b: tensor<16xf32>, %u: tensor<16x4xf32>, %c: tensor<4xf32>, %d: !gnn.node<"g", tensor<4xf32>>) -> (!gnn.node<"g", tensor<4xf32>>) {
  %y = "gnn.linear"(%x, %w, %b) {transposed, operandSegmentSizes = array<i32: 1, 1, 1, 0>} : (!gnn.node<"g", tensor<8xf32>>, tensor<16x8xf32>, tensor<16xf32>) -> !gnn.node<"g", tensor<16xf32>>
  %z = "gnn.linear"(%y, %u, %c, %d) {operandSegmentSizes = array<i32: 1, 1, 1, 1>} : (!gnn.node<"g", tensor<16xf32>>, tensor<16x4xf32>, tensor<4xf32>, !gnn.node<"g", tensor<4xf32>>) -> !gnn.node<"g", tensor<4xf32>>
  return %z : !gnn.node<"g", tensor<4xf32>>
}

// Both layers depend on the type of the node: a table of node types. Three layers in a row become one.
// CHECK-LABEL: @node_types
// CHECK: [[A:%.*]] = "gnn.linear"(%arg2, %arg3){{.*}} -> !gnn.per<"ntype", tensor<4x4xf32>>
// CHECK: [[B:%.*]] = "gnn.linear"([[A]], %arg4)
// CHECK: [[S:%.*]] = "gnn.slice"(%arg0, [[B]]) {by = "node"}
// CHECK: [[Z:%.*]] = "gnn.linear"(%arg1, [[S]])
// CHECK-NEXT: return [[Z]]
func.func @node_types(%g: !gnn.graph<"g">, %x: !gnn.node<"g", tensor<4xf32>>, %w: !gnn.per<"ntype", tensor<4x4xf32>>, %u: !gnn.per<"ntype", tensor<4x4xf32>>, %v: !gnn.per<"ntype", tensor<4x4xf32>>) -> (!gnn.node<"g", tensor<4xf32>>) {
  %s0 = "gnn.slice"(%g, %w) {by = "node"} : (!gnn.graph<"g">, !gnn.per<"ntype", tensor<4x4xf32>>) -> !gnn.node<"g", tensor<4x4xf32>>
  %y = "gnn.linear"(%x, %s0) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!gnn.node<"g", tensor<4xf32>>, !gnn.node<"g", tensor<4x4xf32>>) -> !gnn.node<"g", tensor<4xf32>>
  %s1 = "gnn.slice"(%g, %u) {by = "node"} : (!gnn.graph<"g">, !gnn.per<"ntype", tensor<4x4xf32>>) -> !gnn.node<"g", tensor<4x4xf32>>
  %z = "gnn.linear"(%y, %s1) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!gnn.node<"g", tensor<4xf32>>, !gnn.node<"g", tensor<4x4xf32>>) -> !gnn.node<"g", tensor<4xf32>>
  %s2 = "gnn.slice"(%g, %v) {by = "node"} : (!gnn.graph<"g">, !gnn.per<"ntype", tensor<4x4xf32>>) -> !gnn.node<"g", tensor<4x4xf32>>
  %r = "gnn.linear"(%z, %s2) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!gnn.node<"g", tensor<4xf32>>, !gnn.node<"g", tensor<4x4xf32>>) -> !gnn.node<"g", tensor<4xf32>>
  return %r : !gnn.node<"g", tensor<4xf32>>
}

// Both operations have a matrix per head, or the heads are concatenated before the second.
// CHECK-LABEL: @batches
// CHECK: [[W:%.*]] = "gnn.linear"(%arg2, %arg3) {{.*}} -> !gnn.per<"etype", tensor<2x3x3xf32>>
// CHECK: [[R:%.*]] = "gnn.reshape"(%arg4) {shape = array<i64: 2, 3, 4>}
// CHECK: [[V:%.*]] = "gnn.linear"([[W]], [[R]])
// CHECK: [[J:%.*]] = "gnn.reshape"([[V]]) {shape = array<i64: 6, 4>}
// CHECK: [[S:%.*]] = "gnn.slice"(%arg0, [[J]])
// CHECK: [[X:%.*]] = "gnn.reshape"({{.*}}) {shape = array<i64: 6>}
// CHECK: "gnn.linear"([[X]], [[S]])
func.func @batches(%g: !gnn.graph<"g">, %x: !gnn.node<"g", tensor<2x3xf32>>, %w: !gnn.per<"etype", tensor<2x3x3xf32>>, %u: !gnn.per<"etype", tensor<2x3x3xf32>>, %v: !gnn.per<"etype", tensor<6x4xf32>>) -> (!gnn.edge<"g", tensor<4xf32>>) {
  %hy = "gnn.gather"(%g, %x) {end = "src"} : (!gnn.graph<"g">, !gnn.node<"g", tensor<2x3xf32>>) -> !gnn.edge<"g", tensor<2x3xf32>>
  %wy = "gnn.slice"(%g, %w) {by = "edge"} : (!gnn.graph<"g">, !gnn.per<"etype", tensor<2x3x3xf32>>) -> !gnn.edge<"g", tensor<2x3x3xf32>>
  %y = "gnn.linear"(%hy, %wy) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!gnn.edge<"g", tensor<2x3xf32>>, !gnn.edge<"g", tensor<2x3x3xf32>>) -> !gnn.edge<"g", tensor<2x3xf32>>
  %s1 = "gnn.slice"(%g, %u) {by = "edge"} : (!gnn.graph<"g">, !gnn.per<"etype", tensor<2x3x3xf32>>) -> !gnn.edge<"g", tensor<2x3x3xf32>>
  %z = "gnn.linear"(%y, %s1) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!gnn.edge<"g", tensor<2x3xf32>>, !gnn.edge<"g", tensor<2x3x3xf32>>) -> !gnn.edge<"g", tensor<2x3xf32>>
  %j = "gnn.reshape"(%z) {shape = array<i64: 6>} : (!gnn.edge<"g", tensor<2x3xf32>>) -> !gnn.edge<"g", tensor<6xf32>>
  %s2 = "gnn.slice"(%g, %v) {by = "edge"} : (!gnn.graph<"g">, !gnn.per<"etype", tensor<6x4xf32>>) -> !gnn.edge<"g", tensor<6x4xf32>>
  %r = "gnn.linear"(%j, %s2) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!gnn.edge<"g", tensor<6xf32>>, !gnn.edge<"g", tensor<6x4xf32>>) -> !gnn.edge<"g", tensor<4xf32>>
  return %r : !gnn.edge<"g", tensor<4xf32>>
}

// An inner product after a batched product: a vector per head.
// CHECK-LABEL: @inner_of_batches
// CHECK: [[W:%.*]] = "gnn.vector_inner"(%arg2, %arg3) {{.*}} -> !gnn.per<"etype", tensor<2x3xf32>>
// CHECK: [[S:%.*]] = "gnn.slice"(%arg0, [[W]])
// CHECK: "gnn.vector_inner"({{.*}}, [[S]]) {{.*}} -> !gnn.edge<"g", tensor<2xf32>>
func.func @inner_of_batches(%g: !gnn.graph<"g">, %x: !gnn.node<"g", tensor<2x3xf32>>, %w: !gnn.per<"etype", tensor<2x3x4xf32>>, %a: !gnn.per<"etype", tensor<2x4xf32>>) -> (!gnn.edge<"g", tensor<2xf32>>) {
  %hy = "gnn.gather"(%g, %x) {end = "src"} : (!gnn.graph<"g">, !gnn.node<"g", tensor<2x3xf32>>) -> !gnn.edge<"g", tensor<2x3xf32>>
  %wy = "gnn.slice"(%g, %w) {by = "edge"} : (!gnn.graph<"g">, !gnn.per<"etype", tensor<2x3x4xf32>>) -> !gnn.edge<"g", tensor<2x3x4xf32>>
  %y = "gnn.linear"(%hy, %wy) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!gnn.edge<"g", tensor<2x3xf32>>, !gnn.edge<"g", tensor<2x3x4xf32>>) -> !gnn.edge<"g", tensor<2x4xf32>>
  %s = "gnn.slice"(%g, %a) {by = "edge"} : (!gnn.graph<"g">, !gnn.per<"etype", tensor<2x4xf32>>) -> !gnn.edge<"g", tensor<2x4xf32>>
  %z = "gnn.vector_inner"(%y, %s) : (!gnn.edge<"g", tensor<2x4xf32>>, !gnn.edge<"g", tensor<2x4xf32>>) -> !gnn.edge<"g", tensor<2xf32>>
  return %z : !gnn.edge<"g", tensor<2xf32>>
}
