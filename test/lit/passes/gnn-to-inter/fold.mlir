// A fold is an inner loop with a state: over the edges at a node, and over steps. What its members
// bring is read at their cursor.
// RUN: gnn-opt --pass-pipeline=gnn-to-inter %s | FileCheck %s
// RUN: gnn-opt --pass-pipeline=gnn-to-inter --verify-roundtrip %s -o %t

// CHECK-LABEL: func.func @edges
func.func @edges(%g: !gnn.graph<"g">, %x: !gnn.edge<"g", tensor<4xf32>>, %u: tensor<4x4xf32>, %h: !gnn.node<"g", tensor<4xf32>>, %t: !gnn.edge<"g", f32>) -> !gnn.node<"g", tensor<4xf32>> {
  // CHECK: [[O:%.*]] = "gnn.order"
  %o = "gnn.order"(%g, %t) {over = "in"} : (!gnn.graph<"g">, !gnn.edge<"g", f32>) -> !gnn.edge<"g", f32>
  // CHECK: "inter.for_nodes"
  // CHECK-NEXT: ^bb0([[N:%.*]]: !inter.cursor<"node", "g">):
  // CHECK-NEXT: [[H:%.*]] = "inter.at"(%arg3, [[N]])
  // CHECK-NEXT: [[F:%.*]] = "inter.fold"(%arg0, [[N]], [[H]], [[O]]) ({
  // CHECK-NEXT: ^bb0([[E:%.*]]: !inter.cursor<"edge", "g">, [[S:%.*]]: tensor<4xf32>):
  // CHECK-NEXT: [[X:%.*]] = "inter.at"(%arg1, [[E]])
  // CHECK-NEXT: [[P:%.*]] = "gnn.linear"([[S]], %arg2)
  // CHECK-NEXT: [[A:%.*]] = "gnn.vector_add"([[X]], [[P]])
  // CHECK-NEXT: smt.yield [[A]]
  // CHECK-NEXT: }) {operandSegmentSizes = {{.*}}, over = "in"}
  %y = "gnn.fold"(%g, %h, %o, %x, %u) ({
  ^bb0(%s: tensor<4xf32>, %v: tensor<4xf32>, %w: tensor<4x4xf32>):
    %1 = "gnn.linear"(%s, %w) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (tensor<4xf32>, tensor<4x4xf32>) -> tensor<4xf32>
    %2 = "gnn.vector_add"(%v, %1) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    smt.yield %2 : tensor<4xf32>
  }) {over = "in", operandSegmentSizes = array<i32: 1, 1, 1, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (!gnn.graph<"g">, !gnn.node<"g", tensor<4xf32>>, !gnn.edge<"g", f32>, !gnn.edge<"g", tensor<4xf32>>, tensor<4x4xf32>) -> !gnn.node<"g", tensor<4xf32>>
  return %y : !gnn.node<"g", tensor<4xf32>>
}

// CHECK-LABEL: func.func @steps
func.func @steps(%g: !gnn.graph<"g">, %k: !gnn.node<"g", f32>, %u: tensor<4xf32>) -> !gnn.node<"g", tensor<4xf32>> {
  // CHECK: "inter.for_nodes"
  // CHECK: [[K:%.*]] = "inter.at"(%arg1,
  // CHECK-NEXT: "inter.fold"(%arg2, [[K]]) ({
  // CHECK-NEXT: ^bb0([[T:%.*]]: f32, [[S:%.*]]: tensor<4xf32>):
  // CHECK-NEXT: "gnn.multiply"([[T]], [[S]])
  // CHECK: over = "steps"
  %y = "gnn.fold"(%u, %k) ({
  ^bb0(%s: tensor<4xf32>, %t: f32):
    %1 = "gnn.multiply"(%t, %s) : (f32, tensor<4xf32>) -> tensor<4xf32>
    smt.yield %1 : tensor<4xf32>
  }) {over = "steps", operandSegmentSizes = array<i32: 0, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<4xf32>, !gnn.node<"g", f32>) -> !gnn.node<"g", tensor<4xf32>>
  return %y : !gnn.node<"g", tensor<4xf32>>
}
