// The lowering to loops over types, pairs, parts and the graphs of a batch.
// RUN: gnn-opt --pass-pipeline=gnn-to-inter %s | FileCheck %s
// RUN: gnn-opt --pass-pipeline=gnn-to-inter --verify-roundtrip %s -o %t

ml_program.global private @w(#ml_program.extern) : !gnn.per<"etype", tensor<4x8xf32>> {gnn.count = 3 : i64}
ml_program.global private @k(#ml_program.extern) : !gnn.per<"ntype", tensor<2x8x4xf32>> {gnn.count = 2 : i64}
ml_program.global private @a(#ml_program.extern) : !gnn.per<"etype", tensor<2x4x4xf32>> {gnn.count = 3 : i64}
ml_program.global private @comp(#ml_program.extern) : !gnn.per<"etype", tensor<2xf32>> {gnn.count = 3 : i64}

// A typed linear layer on edges becomes one loop, which reads the matrix at the type of the edge.
// CHECK-LABEL: func.func @typed
func.func @typed(%g: !gnn.graph<"g">, %x: !gnn.node<"g", tensor<8xf32>>) -> !gnn.edge<"g", tensor<4xf32>> {
  %w = ml_program.global_load_const @w : !gnn.per<"etype", tensor<4x8xf32>>
  // CHECK: %[[L:.*]] = "inter.for_types"(%{{.*}}) ({
  // CHECK-NEXT: ^bb0(%[[T:.*]]: !inter.cursor<"etype", "g">):
  // CHECK-NEXT:   %[[A:.*]] = "inter.at"(%{{.*}}, %[[T]])
  // CHECK-NEXT:   "gnn.transpose"(%[[A]])
  // CHECK: {count = 3 : i64, per = "etype"}
  // CHECK: %[[WT:.*]] = "inter.result"(%[[L]]) {index = 0 : i64} : (!inter.results) -> !gnn.per<"etype", tensor<8x4xf32>>
  %t = "gnn.transpose"(%w) : (!gnn.per<"etype", tensor<4x8xf32>>) -> !gnn.per<"etype", tensor<8x4xf32>>
  %s = "gnn.gather"(%g, %x) {end = "src"} : (!gnn.graph<"g">, !gnn.node<"g", tensor<8xf32>>) -> !gnn.edge<"g", tensor<8xf32>>
  %ws = "gnn.slice"(%g, %t) {by = "edge"} : (!gnn.graph<"g">, !gnn.per<"etype", tensor<8x4xf32>>) -> !gnn.edge<"g", tensor<8x4xf32>>
  // CHECK: "inter.for_edges"
  // CHECK: "inter.for_edges"
  // CHECK-NEXT: ^bb0(%[[E:.*]]: !inter.cursor<"edge", "g">):
  // CHECK-NEXT:   %[[X:.*]] = "inter.at"(%{{.*}}, %[[E]])
  // CHECK-NEXT:   %[[W:.*]] = "inter.at"(%[[WT]], %[[E]])
  // CHECK-NEXT:   "gnn.linear"(%[[X]], %[[W]])
  %m = "gnn.linear"(%s, %ws) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!gnn.edge<"g", tensor<8xf32>>, !gnn.edge<"g", tensor<8x4xf32>>) -> !gnn.edge<"g", tensor<4xf32>>
  return %m : !gnn.edge<"g", tensor<4xf32>>
}

// W1 * W2 for pairs of types; a combination of basis matrices.
// CHECK-LABEL: func.func @weights
func.func @weights(%g: !gnn.graph<"g">, %b: tensor<2x12xf32>) -> (!gnn.per<"etype_src", tensor<2x8x4xf32>>, !gnn.per<"etype", tensor<3x4xf32>>) {
  %k = ml_program.global_load_const @k : !gnn.per<"ntype", tensor<2x8x4xf32>>
  %a = ml_program.global_load_const @a : !gnn.per<"etype", tensor<2x4x4xf32>>
  %comp = ml_program.global_load_const @comp : !gnn.per<"etype", tensor<2xf32>>
  // CHECK: ^bb0(%[[T:.*]]: !inter.cursor<"etype_src", "g">):
  // CHECK-NEXT: "inter.at"(%{{.*}}, %[[T]]) : (!gnn.per<"ntype", tensor<2x8x4xf32>>, !inter.cursor<"etype_src", "g">)
  // CHECK: {count = 5 : i64, per = "etype_src"}
  %kp = "gnn.pair"(%g, %k) {end = "src", count = 5 : i64} : (!gnn.graph<"g">, !gnn.per<"ntype", tensor<2x8x4xf32>>) -> !gnn.per<"etype_src", tensor<2x8x4xf32>>
  %ap = "gnn.pair"(%g, %a) {end = "src", count = 5 : i64} : (!gnn.graph<"g">, !gnn.per<"etype", tensor<2x4x4xf32>>) -> !gnn.per<"etype_src", tensor<2x4x4xf32>>
  // CHECK: "gnn.linear"{{.*}} (tensor<2x8x4xf32>, tensor<2x4x4xf32>) -> tensor<2x8x4xf32>
  // CHECK: {count = 5 : i64, per = "etype_src"}
  %ka = "gnn.linear"(%kp, %ap) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!gnn.per<"etype_src", tensor<2x8x4xf32>>, !gnn.per<"etype_src", tensor<2x4x4xf32>>) -> !gnn.per<"etype_src", tensor<2x8x4xf32>>
  // CHECK: "gnn.linear"{{.*}} (tensor<2xf32>, tensor<2x12xf32>) -> tensor<12xf32>
  // CHECK: {count = 3 : i64, per = "etype"}
  %c = "gnn.linear"(%comp, %b) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!gnn.per<"etype", tensor<2xf32>>, tensor<2x12xf32>) -> !gnn.per<"etype", tensor<12xf32>>
  %r = "gnn.reshape"(%c) {shape = array<i64: 3, 4>} : (!gnn.per<"etype", tensor<12xf32>>) -> !gnn.per<"etype", tensor<3x4xf32>>
  return %ka, %r : !gnn.per<"etype_src", tensor<2x8x4xf32>>, !gnn.per<"etype", tensor<3x4xf32>>
}

// CHECK-LABEL: func.func @pool
func.func @pool(%g: !gnn.graph<"g">, %x: !gnn.node<"g", tensor<8xf32>>, %w: tensor<8x2xf32>) -> (!gnn.per<"graph", tensor<2xf32>>, !gnn.node<"g", tensor<2xf32>>) {
  // CHECK: ^bb0(%[[B:.*]]: !inter.cursor<"graph", "g">):
  // CHECK-NEXT: "inter.for_members"(%{{.*}}, %[[B]]) ({
  // CHECK-NEXT: ^bb0(%[[N:.*]]: !inter.cursor<"node", "g">):
  // CHECK: {reduce = ["mean"]}
  // CHECK: {count = -1 : i64, per = "graph"}
  %p = "gnn.pool"(%g, %x) {reduce = "mean"} : (!gnn.graph<"g">, !gnn.node<"g", tensor<8xf32>>) -> !gnn.per<"graph", tensor<8xf32>>
  // CHECK: "gnn.linear"
  // CHECK: "gnn.activation"
  // CHECK: {count = -1 : i64, per = "graph"}
  %y = "gnn.linear"(%p, %w) {operandSegmentSizes = array<i32: 1, 1, 0, 0>, activation = "relu"} : (!gnn.per<"graph", tensor<8xf32>>, tensor<8x2xf32>) -> !gnn.per<"graph", tensor<2xf32>>
  // CHECK: "inter.at"(%{{.*}}) : (!gnn.per<"graph", tensor<2xf32>>, !inter.cursor<"node", "g">)
  %n = "gnn.slice"(%g, %y) {by = "node"} : (!gnn.graph<"g">, !gnn.per<"graph", tensor<2xf32>>) -> !gnn.node<"g", tensor<2xf32>>
  return %y, %n : !gnn.per<"graph", tensor<2xf32>>, !gnn.node<"g", tensor<2xf32>>
}

// Values of pairs read at edges, values of edges reduced to pairs. A graph that the function lacks is made at its start.
// CHECK-LABEL: func.func @pairs
func.func @pairs(%g: !gnn.graph<"g">, %x: !gnn.node<"g", f32>, %v: !gnn.edge<"g.unique_src", f32>, %a: !gnn.edge<"g", f32>) -> (!gnn.edge<"g", f32>, !gnn.edge<"g.unique_src", f32>, !gnn.node<"g", f32>) {
  // CHECK-DAG: %[[D:.*]] = "gnn.unique_edges"({{.*}}) {end = "dst"}
  // CHECK-DAG: %[[S:.*]] = "gnn.unique_edges"({{.*}}) {end = "src"}
  // CHECK: ^bb0(%[[E:.*]]: !inter.cursor<"edge", "g">):
  // CHECK-NEXT: %[[P:.*]] = "inter.group"(%[[E]]) {end = "src"}
  // CHECK-NEXT: "inter.at"(%{{.*}}, %[[P]])
  %e = "gnn.expand"(%g, %v) : (!gnn.graph<"g">, !gnn.edge<"g.unique_src", f32>) -> !gnn.edge<"g", f32>
  // CHECK: "inter.for_edges"(%[[S]])
  // CHECK: "gnn.activation"
  %r = "gnn.activation"(%v) {function = "relu"} : (!gnn.edge<"g.unique_src", f32>) -> !gnn.edge<"g.unique_src", f32>
  %u = "gnn.unique_edges"(%g) {end = "dst"} : (!gnn.graph<"g">) -> !gnn.graph<"g.unique_dst">
  // CHECK: "inter.for_edges"(%[[D]])
  // CHECK-NEXT: ^bb0(%[[Q:.*]]: !inter.cursor<"edge", "g.unique_dst">):
  // CHECK-NEXT: "inter.for_members"(%{{.*}}, %[[Q]]) ({
  // CHECK-NEXT: ^bb0(%[[M:.*]]: !inter.cursor<"edge", "g">):
  // CHECK-NEXT: %[[N:.*]] = "inter.src"(%[[M]])
  // CHECK-NEXT: "inter.at"(%{{.*}}, %[[N]])
  // CHECK-NEXT: "inter.at"(%{{.*}}, %[[M]])
  // CHECK-NEXT: "gnn.multiply"
  // CHECK: {reduce = ["sum"]}
  %c = "gnn.collapse"(%u, %x, %a) {reduce = "sum"} : (!gnn.graph<"g.unique_dst">, !gnn.node<"g", f32>, !gnn.edge<"g", f32>) -> !gnn.edge<"g.unique_dst", f32>
  // CHECK: "inter.group_size"
  %n = "gnn.group_size"(%u) : (!gnn.graph<"g.unique_dst">) -> !gnn.edge<"g.unique_dst", f32>
  %d = "gnn.divide"(%c, %n) : (!gnn.edge<"g.unique_dst", f32>, !gnn.edge<"g.unique_dst", f32>) -> !gnn.edge<"g.unique_dst", f32>
  // CHECK: "inter.for_incoming"(%[[D]]
  %y = "gnn.aggregate"(%u, %d) {reduce = "sum", direction = "in"} : (!gnn.graph<"g.unique_dst">, !gnn.edge<"g.unique_dst", f32>) -> !gnn.node<"g", f32>
  return %e, %r, %y : !gnn.edge<"g", f32>, !gnn.edge<"g.unique_src", f32>, !gnn.node<"g", f32>
}

// CHECK-LABEL: func.func @parts
func.func @parts(%g: !gnn.graph<"g">, %x: !gnn.node<"g", f32>, %p: !gnn.node<"g:2", f32>) -> !gnn.node<"g", f32> {
  // CHECK: ^bb0(%[[N:.*]]: !inter.cursor<"node", "g:2">):
  // CHECK-NEXT: %[[W:.*]] = "inter.whole_row"(%[[N]])
  // CHECK-NEXT: "inter.at"(%{{.*}}, %[[W]])
  %q = "gnn.part"(%g, %x) {type = 2 : i64} : (!gnn.graph<"g">, !gnn.node<"g", f32>) -> !gnn.node<"g:2", f32>
  // CHECK: ^bb0(%{{.*}}: !inter.cursor<"node", "g:2">):
  // CHECK: "gnn.vector_add"
  %s = "gnn.vector_add"(%p, %q) : (!gnn.node<"g:2", f32>, !gnn.node<"g:2", f32>) -> !gnn.node<"g:2", f32>
  // CHECK: ^bb0(%[[M:.*]]: !inter.cursor<"node", "g">):
  // CHECK-NEXT: %[[R:.*]] = "inter.at"(%{{.*}}, %[[M]])
  // CHECK-NEXT: "inter.unite"(%{{.*}}, %[[M]], %[[R]])
  %u = "gnn.unite"(%g, %s, %x) {type = 2 : i64} : (!gnn.graph<"g">, !gnn.node<"g:2", f32>, !gnn.node<"g", f32>) -> !gnn.node<"g", f32>
  return %u : !gnn.node<"g", f32>
}
