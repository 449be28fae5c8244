// Weights per type multiply rows that are ordered by type; edge lists connect rows of pairs and parts with nodes, in both directions.
// RUN: gnn-opt --pass-pipeline=gnn-to-device %s | FileCheck %s

!g = !gnn.graph<"g">
!u = !gnn.graph<"g.unique_src">
!x = !gnn.node<"g", tensor<8xf32>>
!y = !gnn.node<"g", tensor<4xf32>>
!part = !gnn.node<"g:2", tensor<8xf32>>
ml_program.global private @w(#ml_program.extern) : !gnn.per<"etype", tensor<8x4xf32>> {gnn.count = 3 : i64}
ml_program.global private @n(#ml_program.extern) : !gnn.per<"ntype", tensor<8x4xf32>> {gnn.count = 3 : i64}
ml_program.global private @b(#ml_program.extern) : !gnn.per<"ntype", tensor<4xf32>> {gnn.count = 3 : i64}
ml_program.global private @s(#ml_program.extern) : !gnn.per<"ntype", f32> {gnn.count = 3 : i64}

// R-GCN: one row per pair, one matrix per type, and no rows of edges.
// CHECK-LABEL: @pairs
// CHECK: [[G:%.*]] = "device.edges"({{.*}}) {kind = "gather_src"{{.*}} -> !device.edge_list<"g", "g.unique_src.edges">
// CHECK: [[X:%.*]] = "device.spdmm"([[G]]
// CHECK: [[Z:%.*]] = "device.gemm"([[X]], %w)
// CHECK: [[R:%.*]] = "device.edges"(%arg0, {{.*}}) {kind = "in", operandSegmentSizes = array<i32: 1, 1, 1>} : {{.*}} -> !device.edge_list<"g.unique_src.edges", "g">
// CHECK: "device.spdmm"([[R]], [[Z]])
func.func @pairs(%g: !g, %x: !x) -> !y {
  %w = ml_program.global_load_const @w : !gnn.per<"etype", tensor<8x4xf32>>
  %u = "gnn.unique_edges"(%g) {end = "src"} : (!g) -> !u
  %xs = "gnn.gather"(%u, %x) {end = "src"} : (!u, !x) -> !gnn.edge<"g.unique_src", tensor<8xf32>>
  %ws = "gnn.slice"(%u, %w) {by = "edge"} : (!u, !gnn.per<"etype", tensor<8x4xf32>>) -> !gnn.edge<"g.unique_src", tensor<8x4xf32>>
  %z = "gnn.linear"(%xs, %ws) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!gnn.edge<"g.unique_src", tensor<8xf32>>, !gnn.edge<"g.unique_src", tensor<8x4xf32>>) -> !gnn.edge<"g.unique_src", tensor<4xf32>>
  %e = "gnn.expand"(%g, %z) : (!g, !gnn.edge<"g.unique_src", tensor<4xf32>>) -> !gnn.edge<"g", tensor<4xf32>>
  %d = "gnn.degree"(%g) {direction = "in"} : (!g) -> !gnn.node<"g", f32>
  %c = "gnn.gather"(%g, %d) {end = "dst"} : (!g, !gnn.node<"g", f32>) -> !gnn.edge<"g", f32>
  %m = "gnn.multiply"(%c, %e) : (!gnn.edge<"g", f32>, !gnn.edge<"g", tensor<4xf32>>) -> !gnn.edge<"g", tensor<4xf32>>
  %y = "gnn.aggregate"(%g, %m) {direction = "in", reduce = "sum"} : (!g, !gnn.edge<"g", tensor<4xf32>>) -> !y
  return %y : !y
}

// Matrix and bias by node type; a small value per type becomes rows through an edge list.
// CHECK-LABEL: @node_types
// CHECK: [[Z:%.*]] = "device.gemm"({{.*}}, %n, %b) {operandSegmentSizes = array<i32: 1, 1, 1, 0>}
// CHECK: [[T:%.*]] = "device.constant"(%s) : (!gnn.per<"ntype", f32>) -> !device.rows<"ntype", 1 : i64>
// CHECK: [[R:%.*]] = "device.edges"(%arg0) {kind = "type_node", operandSegmentSizes = array<i32: 1, 0, 0>, per = "ntype"}
// CHECK: [[S:%.*]] = "device.spdmm"([[R]], [[T]])
// CHECK: "device.vadd"([[Z]], [[S]]) {bcast, function = "mul"}
func.func @node_types(%g: !g, %x: !x) -> !y {
  %n = ml_program.global_load_const @n : !gnn.per<"ntype", tensor<8x4xf32>>
  %b = ml_program.global_load_const @b : !gnn.per<"ntype", tensor<4xf32>>
  %s = ml_program.global_load_const @s : !gnn.per<"ntype", f32>
  %ws = "gnn.slice"(%g, %n) {by = "node"} : (!g, !gnn.per<"ntype", tensor<8x4xf32>>) -> !gnn.node<"g", tensor<8x4xf32>>
  %bs = "gnn.slice"(%g, %b) {by = "node"} : (!g, !gnn.per<"ntype", tensor<4xf32>>) -> !y
  %ss = "gnn.slice"(%g, %s) {by = "node"} : (!g, !gnn.per<"ntype", f32>) -> !gnn.node<"g", f32>
  %z = "gnn.linear"(%x, %ws, %bs) {operandSegmentSizes = array<i32: 1, 1, 0, 1>} : (!x, !gnn.node<"g", tensor<8x4xf32>>, !y) -> !y
  %y = "gnn.multiply"(%ss, %z) : (!gnn.node<"g", f32>, !y) -> !y
  return %y : !y
}

// Parts: rows of one type, which then become rows among those of all nodes.
// CHECK-LABEL: @parts
// CHECK: [[P:%.*]] = "device.edges"(%arg0) {kind = "part", {{.*}}type = 2 : i64} : {{.*}} -> !device.edge_list<"g", "g:2">
// CHECK: [[X:%.*]] = "device.spdmm"([[P]], {{.*}}) {functions = ["relu"]
// CHECK: [[U:%.*]] = "device.edges"(%arg0) {kind = "unite", {{.*}}type = 2 : i64} : {{.*}} -> !device.edge_list<"g:2", "g">
// CHECK: [[O:%.*]] = "device.edges"(%arg0) {kind = "others", {{.*}}type = 2 : i64}
// CHECK: [[R:%.*]] = "device.spdmm"([[O]]
// CHECK: "device.spdmm"([[U]], [[X]], [[R]]) {operandSegmentSizes = array<i32: 1, 1, 0, 0, 1>
// CHECK: "device.edges"(%arg0) {kind = "pool", mean
func.func @parts(%g: !g, %x: !x) -> !gnn.per<"graph", tensor<8xf32>> {
  %p = "gnn.part"(%g, %x) {type = 2 : i64} : (!g, !x) -> !part
  %r = "gnn.activation"(%p) {function = "relu"} : (!part) -> !part
  %u = "gnn.unite"(%g, %r, %x) {type = 2 : i64} : (!g, !part, !x) -> !x
  %b = "gnn.pool"(%g, %u) {reduce = "mean"} : (!g, !x) -> !gnn.per<"graph", tensor<8xf32>>
  return %b : !gnn.per<"graph", tensor<8xf32>>
}
