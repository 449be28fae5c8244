// gnn-to-inter lowers operations over nodes and edges to loops.
// RUN: gnn-opt --pass-pipeline=gnn-to-inter %s | FileCheck %s

!g = !gnn.graph<"g">
!n = !gnn.node<"g", tensor<4xf32>>
!n1 = !gnn.node<"g", f32>
!e = !gnn.edge<"g", tensor<4xf32>>
!e1 = !gnn.edge<"g", f32>

// A fused operation becomes one operation for each step.
// CHECK-LABEL: @layer
// CHECK: [[L:%.*]] = "inter.for_nodes"(%arg0) ({
// CHECK-NEXT: ^bb0([[I:%.*]]: !inter.cursor<"node", "g">):
// CHECK-NEXT: [[X:%.*]] = "inter.at"(%arg1, [[I]])
// CHECK-NEXT: [[A:%.*]] = "inter.at"(%arg4, [[I]])
// CHECK-NEXT: [[P:%.*]] = "gnn.linear"([[X]], %arg2) {operandSegmentSizes = array<i32: 1, 1, 0, 0>, transposed}
// CHECK-NEXT: [[Q:%.*]] = "gnn.vector_add"([[P]], %arg3) : (tensor<2xf32>, tensor<2xf32>)
// CHECK-NEXT: [[R:%.*]] = "gnn.vector_add"([[Q]], [[A]])
// CHECK-NEXT: [[S:%.*]] = "gnn.activation"([[R]]) {function = "leaky_relu", slope = 2.000000e-01 : f64}
// CHECK-NEXT: smt.yield [[S]]
// CHECK: [[H:%.*]] = "inter.result"([[L]]) {index = 0 : i64} : (!inter.results) -> !gnn.node<"g", tensor<2xf32>>
// CHECK-NEXT: return [[H]]
func.func @layer(%g: !g, %x: !n, %w: tensor<2x4xf32>, %b: tensor<2xf32>, %a: !gnn.node<"g", tensor<2xf32>>) -> !gnn.node<"g", tensor<2xf32>> {
  %0 = "gnn.linear"(%x, %w, %b, %a) {transposed, activation = "leaky_relu", slope = 0.2 : f64, operandSegmentSizes = array<i32: 1, 1, 1, 1>}
    : (!n, tensor<2x4xf32>, tensor<2xf32>, !gnn.node<"g", tensor<2xf32>>) -> !gnn.node<"g", tensor<2xf32>>
  return %0 : !gnn.node<"g", tensor<2xf32>>
}

// So does a sum; a function of two numbers stays as it is.
// CHECK-LABEL: @numbers
// CHECK: [[Q:%.*]] = "gnn.vector_add"({{.*}}) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: [[R:%.*]] = "gnn.activation"([[Q]]) {function = "clamp", high = 2.000000e+00 : f64, low = -1.000000e+00 : f64}
// CHECK: "gnn.binary"({{.*}}) {function = "pow"} : (tensor<4xf32>, f32) -> tensor<4xf32>
func.func @numbers(%g: !g, %x: !n, %s: f32) -> !n {
  %0 = "gnn.vector_add"(%x, %x) {activation = "clamp", low = -1.0 : f64, high = 2.0 : f64} : (!n, !n) -> !n
  %1 = "gnn.binary"(%0, %s) {function = "pow"} : (!n, f32) -> !n
  return %1 : !n
}

// The loop reads a node value at the source of incoming edges, and at the destination of outgoing ones.
// CHECK-LABEL: @aggregates
// CHECK: "inter.for_incoming"(%arg0, [[I:%.*]]) ({
// CHECK-NEXT: ^bb0([[E:%.*]]: !inter.cursor<"edge", "g">):
// CHECK-NEXT: [[SRC:%.*]] = "inter.src"([[E]])
// CHECK-NEXT: [[X:%.*]] = "inter.at"(%arg1, [[SRC]])
// CHECK-NEXT: [[W:%.*]] = "inter.at"(%arg2, [[E]])
// CHECK-NEXT: [[M:%.*]] = "gnn.multiply"([[W]], [[X]]) : (f32, tensor<4xf32>)
// CHECK-NEXT: smt.yield [[M]]
// CHECK-NEXT: }) {reduce = ["sum"]}
// CHECK: "gnn.activation"({{.*}}) {function = "relu"}
// CHECK: "inter.for_outgoing"
// CHECK: [[DST:%.*]] = "inter.dst"
// CHECK-NEXT: "inter.at"(%arg1, [[DST]])
// CHECK: {reduce = ["max"]}
// CHECK: "inter.for_incoming"
// CHECK-NEXT: ^bb0([[E2:%.*]]: !inter.cursor<"edge", "g">):
// CHECK-NEXT: "inter.at"(%arg3, [[E2]])
// CHECK: {reduce = ["mean"]}
func.func @aggregates(%g: !g, %x: !n, %w: !e1, %v: !e) -> (!n, !n, !n) {
  %0 = "gnn.aggregate"(%g, %x, %w) {reduce = "sum", direction = "in", activation = "relu"} : (!g, !n, !e1) -> !n
  %1 = "gnn.aggregate"(%g, %x) {reduce = "max", direction = "out"} : (!g, !n) -> !n
  %2 = "gnn.aggregate"(%g, %v) {reduce = "mean", direction = "in"} : (!g, !e) -> !n
  return %0, %1, %2 : !n, !n, !n
}

// Values of edges, constants in the body, degrees.
// CHECK-LABEL: @edges
// CHECK: "inter.for_edges"(%arg0)
// CHECK-NEXT: ^bb0([[E:%.*]]: !inter.cursor<"edge", "g">):
// CHECK-NEXT: [[D:%.*]] = "inter.dst"([[E]])
// CHECK-NEXT: "inter.at"(%arg1, [[D]])
// CHECK: "inter.for_edges"(%arg0)
// CHECK: [[C:%.*]] = "gnn.constant"() {value = 5.000000e-01 : f64}
// CHECK-NEXT: "gnn.multiply"({{.*}}, [[C]])
// CHECK: "inter.for_nodes"(%arg0)
// CHECK: "inter.degree"(%arg0, {{.*}}) {direction = "out"}
// CHECK-NOT: "gnn.constant"
func.func @edges(%g: !g, %x: !n) -> (!e, !n1) {
  %c = "gnn.constant"() {value = 0.5 : f64} : () -> f32
  %0 = "gnn.gather"(%g, %x) {end = "dst"} : (!g, !n) -> !e
  %1 = "gnn.multiply"(%0, %c) : (!e, f32) -> !e
  %2 = "gnn.degree"(%g) {direction = "out"} : (!g) -> !n1
  return %1, %2 : !e, !n1
}

// The value of a type is read where it is used; no node or edge gets a copy of its weight.
// CHECK-LABEL: @types
// CHECK: "inter.for_edges"(%arg0)
// CHECK-NEXT: ^bb0([[E:%.*]]: !inter.cursor<"edge", "g">):
// CHECK-NEXT: [[X:%.*]] = "inter.at"(%arg1, [[E]])
// CHECK-NEXT: [[W:%.*]] = "inter.at"(%arg2, [[E]]) : (!gnn.per<"etype", tensor<4x4xf32>>, {{.*}}) -> tensor<4x4xf32>
// CHECK-NEXT: "gnn.linear"([[X]], [[W]])
// CHECK: "inter.for_edges"(%arg0)
// CHECK: [[S:%.*]] = "inter.src"
// CHECK-NEXT: "inter.at"(%arg3, [[S]]) : (!gnn.per<"ntype", f32>,
// CHECK: return
func.func @types(%g: !g, %x: !e, %w: !gnn.per<"etype", tensor<4x4xf32>>, %m: !gnn.per<"ntype", f32>) -> (!e, !e1) {
  %0 = "gnn.slice"(%g, %w) {by = "edge"} : (!g, !gnn.per<"etype", tensor<4x4xf32>>) -> !gnn.edge<"g", tensor<4x4xf32>>
  %1 = "gnn.linear"(%x, %0) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!e, !gnn.edge<"g", tensor<4x4xf32>>) -> !e
  %2 = "gnn.slice"(%g, %m) {by = "node"} : (!g, !gnn.per<"ntype", f32>) -> !n1
  %3 = "gnn.gather"(%g, %2) {end = "src"} : (!g, !n1) -> !e1
  return %1, %3 : !e, !e1
}

// Weights are prepared once; a constant that is a result is also computed once.
// CHECK-LABEL: @once
// CHECK: "inter.once"() ({
// CHECK-NEXT: "gnn.transpose"(%arg0)
// CHECK: "inter.once"() ({
// CHECK-NEXT: "gnn.constant"() {value = 3.000000e+00 : f64}
// CHECK: return
func.func @once(%w: tensor<2x3xf32>) -> (tensor<3x2xf32>, f32) {
  %0 = "gnn.transpose"(%w) : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %1 = "gnn.constant"() {value = 3.0 : f64} : () -> f32
  return %0, %1 : tensor<3x2xf32>, f32
}

// Values of edges of a set that bind made: run names the graph of the set again. Graphs precede all loops.
// CHECK-LABEL: @set_by_name
// CHECK: [[A:%.*]] = "gnn.edge_set"(%arg0) {mode = "replace"}
// CHECK-NEXT: "inter.for_edges"([[A]])
func.func @set_by_name(%g: !g, %a: !gnn.edge<"g.replace", f32> {gnn.bound}) -> !gnn.edge<"g.replace", f32> {
  %0 = "gnn.activation"(%a) {function = "exp"} : (!gnn.edge<"g.replace", f32>) -> !gnn.edge<"g.replace", f32>
  return %0 : !gnn.edge<"g.replace", f32>
}

// A bias aligns with the last dimension, but operations align the first, so the product is transposed.
// CHECK-LABEL: @bias_of_heads
// CHECK: [[P:%.*]] = "gnn.linear"
// CHECK: "gnn.reshape"([[P]]) {shape = array<i64: 3, 2>}
// CHECK-NEXT: [[T:%.*]] = "gnn.transpose"
// CHECK-NEXT: [[Q:%.*]] = "gnn.vector_add"([[T]], %arg3) : (tensor<2x3xf32>, tensor<2xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: [[U:%.*]] = "gnn.transpose"([[Q]])
// CHECK-NEXT: "gnn.reshape"([[U]]) {shape = array<i64: 3, 2>}
func.func @bias_of_heads(%g: !g, %x: !gnn.node<"g", tensor<3x4xf32>>, %w: tensor<4x2xf32>, %b: tensor<2xf32>) -> !gnn.node<"g", tensor<3x2xf32>> {
  %0 = "gnn.linear"(%x, %w, %b) {operandSegmentSizes = array<i32: 1, 1, 1, 0>}
    : (!gnn.node<"g", tensor<3x4xf32>>, tensor<4x2xf32>, tensor<2xf32>) -> !gnn.node<"g", tensor<3x2xf32>>
  return %0 : !gnn.node<"g", tensor<3x2xf32>>
}
