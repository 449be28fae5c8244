// Sums over rows stay operations. Where rows of the first operand are normalised, those of the second are divided by the sums of
// the stored rows instead, so that sparse rows stay as they are and dense ones are not written again.
// RUN: gnn-opt --pass-pipeline=gnn-to-inter %s | FileCheck %s
// RUN: gnn-opt --pass-pipeline=gnn-to-inter --opt-level=0 %s | FileCheck %s --check-prefix=O0

!g = !gnn.graph<"g">
!x = !gnn.node<"g", tensor<8xf32>>
!y = !gnn.node<"g", tensor<4xf32>>
!s = !gnn.sparse<"g", tensor<40xf32>>

// CHECK-LABEL: func.func @stays
// CHECK-NOT: inter.for
// CHECK: "gnn.contract"(%arg0, %arg1, %arg2)
func.func @stays(%g: !g, %x: !x, %y: !y) -> tensor<8x4xf32> {
  %w = "gnn.contract"(%g, %x, %y) : (!g, !x, !y) -> tensor<8x4xf32>
  return %w : tensor<8x4xf32>
}

// CHECK-LABEL: func.func @sparse
// CHECK: "inter.for_nodes"
// CHECK: "inter.for_nonzeros"(%arg1
// CHECK: "gnn.divide"
// CHECK: [[B:%.*]] = "inter.result"({{.*}}) {index = 0 : i64} : (!inter.results) -> !gnn.node<"g", tensor<4xf32>>
// CHECK: "gnn.contract"(%arg0, %arg1, [[B]])
func.func @sparse(%g: !g, %s: !s, %y: !y) -> tensor<40x4xf32> {
  %n = "gnn.row_normalize"(%s) : (!s) -> !s
  %w = "gnn.contract"(%g, %n, %y) : (!g, !s, !y) -> tensor<40x4xf32>
  return %w : tensor<40x4xf32>
}

// CHECK-LABEL: func.func @dense
// CHECK: "gnn.reduce"({{.*}}) {function = "sum"} : (tensor<8xf32>) -> f32
// CHECK: [[B:%.*]] = "inter.result"({{.*}}) {index = 0 : i64} : (!inter.results) -> !gnn.node<"g", tensor<4xf32>>
// CHECK: "gnn.contract"(%arg0, %arg1, [[B]])
// O0-LABEL: func.func @dense
// O0: [[N:%.*]] = "inter.result"({{.*}}) {index = 0 : i64} : (!inter.results) -> !gnn.node<"g", tensor<8xf32>>
// O0: "gnn.contract"(%arg0, [[N]], %arg2)
func.func @dense(%g: !g, %x: !x, %y: !y) -> tensor<8x4xf32> {
  %n = "gnn.row_normalize"(%x) : (!x) -> !x
  %w = "gnn.contract"(%g, %n, %y) : (!g, !x, !y) -> tensor<8x4xf32>
  return %w : tensor<8x4xf32>
}

// Values per type at rows get a loop, and the graph of the sum is that of its rows.
// CHECK-LABEL: func.func @slices
// CHECK: [[R:%.*]] = "gnn.edge_set"
// CHECK: "inter.for_nodes"
// CHECK: [[A:%.*]] = "inter.result"({{.*}}) {index = 0 : i64} : (!inter.results) -> !gnn.node<"g", tensor<8xf32>>
// CHECK: "gnn.contract"(%arg0, [[A]], %arg2)
// CHECK: "gnn.contract"([[R]], %arg3)
func.func @slices(%g: !g, %t: !gnn.per<"ntype", tensor<8xf32>>, %y: !y, %l: !gnn.edge<"g.replace", f32>) -> (tensor<8x4xf32>, f32) {
  %r = "gnn.edge_set"(%g) {mode = "replace"} : (!g) -> !gnn.graph<"g.replace">
  %a = "gnn.slice"(%g, %t) {by = "node"} : (!g, !gnn.per<"ntype", tensor<8xf32>>) -> !x
  %w = "gnn.contract"(%g, %a, %y) : (!g, !x, !y) -> tensor<8x4xf32>
  %s = "gnn.contract"(%g, %l) : (!g, !gnn.edge<"g.replace", f32>) -> f32
  return %w, %s : tensor<8x4xf32>, f32
}
