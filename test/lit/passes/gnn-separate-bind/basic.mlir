// gnn-separate-bind moves computations that do not depend on inputs to bind.
// RUN: gnn-opt --pass-pipeline=gnn-separate-bind %s | FileCheck %s

!g2 = !gnn.graph<"g.add_remaining">
!x = !gnn.node<"g", tensor<8xf32>>
!y = !gnn.node<"g", tensor<4xf32>>

// Bind computes degrees, normalisation, self loops and the transposed weight once. It passes the edge weight to run, but not degrees, which only bind uses;
// a constant is repeated in run. Values have the same names on both sides.
// CHECK-LABEL: func.func @gcn.bind(
// CHECK-SAME: %arg0: !gnn.graph<"g"> {gnn.name = "g"}) -> (!gnn.graph<"g.add_remaining"> {gnn.name = "g.add_remaining"},
// CHECK-SAME: !gnn.edge<"g.add_remaining", f32> {gnn.name = "norm"},
// CHECK-SAME: tensor<8x4xf32> {gnn.name = "conv1.lin.weight"})
// CHECK-SAME: attributes {gnn.phase = "bind"}
// CHECK: [[L:%.*]] = "gnn.edge_set"(%arg0)
// CHECK: [[D:%.*]] = "gnn.degree"([[L]])
// CHECK: [[C:%.*]] = "gnn.constant"() {value = 5.000000e-01 : f64}
// CHECK: [[H:%.*]] = "gnn.multiply"([[D]], [[C]])
// CHECK: [[N:%.*]] = "gnn.gather"([[L]], [[H]]) {end = "dst"}
// CHECK: [[R:%.*]] = "gnn.activation"([[N]]) {function = "rsqrt"}
// CHECK: [[W:%.*]] = ml_program.global_load_const @conv1.lin.weight
// CHECK: [[T:%.*]] = "gnn.transpose"([[W]])
// CHECK: return [[L]], [[R]], [[T]]

// CHECK-LABEL: func.func @gcn.run(
// CHECK-SAME: %arg0: !gnn.graph<"g"> {gnn.name = "g"},
// CHECK-SAME: %g.add_remaining: !gnn.graph<"g.add_remaining"> {gnn.bound, gnn.name = "g.add_remaining"},
// CHECK-SAME: %norm: !gnn.edge<"g.add_remaining", f32> {gnn.bound, gnn.name = "norm"},
// CHECK-SAME: %conv1.lin.weight: tensor<8x4xf32> {gnn.bound, gnn.name = "conv1.lin.weight"},
// CHECK-SAME: %arg4: !gnn.node<"g", tensor<8xf32>> {gnn.from = "x", gnn.name = "x"})
// CHECK-SAME: -> (!gnn.node<"g", tensor<4xf32>> {gnn.name = "logits"})
// CHECK-SAME: attributes {gnn.phase = "run"}
// CHECK-NEXT: [[Z:%.*]] = "gnn.linear"(%arg4, %conv1.lin.weight) {operandSegmentSizes = array<i32: 1, 1, 0, 0>}
// CHECK-NEXT: [[K:%.*]] = "gnn.constant"() {value = 5.000000e-01 : f64}
// CHECK-NEXT: [[M:%.*]] = "gnn.multiply"([[Z]], [[K]])
// CHECK-NEXT: [[Y:%.*]] = "gnn.aggregate"(%g.add_remaining, [[M]], %norm)
// CHECK-NEXT: return [[Y]]
ml_program.global private @"conv1.lin.weight"(#ml_program.extern<tensor<4x8xf32>>) : tensor<4x8xf32>
func.func @gcn(%g: !gnn.graph<"g"> {gnn.name = "g"}, %x: !x {gnn.name = "x", gnn.from = "x"}) -> (!y {gnn.name = "logits"}) {
  %g2 = "gnn.edge_set"(%g) {mode = "add_remaining"} : (!gnn.graph<"g">) -> !g2
  %d = "gnn.degree"(%g2) {direction = "in"} : (!g2) -> !gnn.node<"g", f32>
  %c = "gnn.constant"() {value = 0.5 : f64} : () -> f32
  %0 = "gnn.multiply"(%d, %c) : (!gnn.node<"g", f32>, f32) -> !gnn.node<"g", f32>
  %1 = "gnn.gather"(%g2, %0) {end = "dst"} : (!g2, !gnn.node<"g", f32>) -> !gnn.edge<"g.add_remaining", f32>
  %2 = "gnn.activation"(%1) {function = "rsqrt"} : (!gnn.edge<"g.add_remaining", f32>) -> !gnn.edge<"g.add_remaining", f32> loc("norm")
  %w = ml_program.global_load_const @"conv1.lin.weight" : tensor<4x8xf32>
  %3 = "gnn.linear"(%x, %w) {operandSegmentSizes = array<i32: 1, 1, 0, 0>, transposed} : (!x, tensor<4x8xf32>) -> !y
  %4 = "gnn.multiply"(%3, %c) : (!y, f32) -> !y
  %5 = "gnn.aggregate"(%g2, %4, %2) {reduce = "sum", direction = "in"} : (!g2, !y, !gnn.edge<"g.add_remaining", f32>) -> !y
  return %5 : !y
}
