// The verifier accepts every operation of the inter level, which prints and reads back.
// RUN: gnn-opt %s --verify-roundtrip | FileCheck %s
// RUN: gnn-opt --print-irdl -o %t.irdl.mlir && gnn-opt %s | mlir-opt --irdl-file=%t.irdl.mlir --canonicalize --cse | FileCheck %s

!graph = !gnn.graph<"g">
!loops = !gnn.graph<"g.replace">
!node = !gnn.node<"g", f32>
!node8 = !gnn.node<"g", tensor<8xf32>>
!node4 = !gnn.node<"g", tensor<4xf32>>
!at_node = !inter.cursor<"node", "g">
!at_edge = !inter.cursor<"edge", "g.replace">
!at_entry = !inter.cursor<"nonzero", "g">

// CHECK-LABEL: func.func @loops
func.func @loops(%g: !loops, %x: !node8, %a: !gnn.edge<"g.replace", f32>, %w: !gnn.per<"etype", f32>) -> (!node8, !gnn.edge<"g.replace", f32>) {
  // CHECK: %[[EDGES:.*]] = "inter.for_edges"(%arg0) ({
  // CHECK-NEXT: ^bb0(%[[E:.*]]: !inter.cursor<"edge", "g.replace">):
  %0 = "inter.for_edges"(%g) ({
  ^bb0(%e: !at_edge):
    // CHECK: "inter.src"(%[[E]])
    %s = "inter.src"(%e) : (!at_edge) -> !at_node
    // CHECK: "inter.dst"(%[[E]])
    %d = "inter.dst"(%e) : (!at_edge) -> !at_node
    // CHECK: "inter.at"
    %xs = "inter.at"(%x, %s) : (!node8, !at_node) -> tensor<8xf32>
    %xd = "inter.at"(%x, %d) : (!node8, !at_node) -> tensor<8xf32>
    %p = "gnn.vector_inner"(%xs, %xd) : (tensor<8xf32>, tensor<8xf32>) -> f32
    %t = "inter.at"(%w, %e) : (!gnn.per<"etype", f32>, !at_edge) -> f32
    %y = "gnn.multiply"(%p, %t) : (f32, f32) -> f32
    // CHECK: smt.yield
    smt.yield %y : f32
  }) : (!loops) -> !inter.results
  // CHECK: "inter.result"(%[[EDGES]]) {index = 0 : i64} : (!inter.results) -> !gnn.edge<"g.replace", f32>
  %1 = "inter.result"(%0) {index = 0 : i64} : (!inter.results) -> !gnn.edge<"g.replace", f32>
  // CHECK: "inter.for_nodes"
  %2 = "inter.for_nodes"(%g) ({
  ^bb0(%n: !at_node):
    // CHECK: "inter.for_incoming"
    %3 = "inter.for_incoming"(%g, %n) ({
    ^bb0(%e: !at_edge):
      %4 = "inter.at"(%1, %e) : (!gnn.edge<"g.replace", f32>, !at_edge) -> f32
      %s = "inter.src"(%e) : (!at_edge) -> !at_node
      %5 = "inter.at"(%x, %s) : (!node8, !at_node) -> tensor<8xf32>
      %6 = "gnn.multiply"(%4, %5) : (f32, tensor<8xf32>) -> tensor<8xf32>
      smt.yield %6, %4 : tensor<8xf32>, f32
      // CHECK: {reduce = ["sum", "max"]}
    }) {reduce = ["sum", "max"]} : (!loops, !at_node) -> !inter.results
    %7 = "inter.result"(%3) {index = 0 : i64} : (!inter.results) -> tensor<8xf32>
    %8 = "inter.result"(%3) {index = 1 : i64} : (!inter.results) -> f32
    // CHECK: "inter.for_outgoing"
    %9 = "inter.for_outgoing"(%g, %n) ({
    ^bb0(%e: !at_edge):
      %4 = "inter.at"(%a, %e) : (!gnn.edge<"g.replace", f32>, !at_edge) -> f32
      smt.yield %4 : f32
    }) {reduce = ["mean"]} : (!loops, !at_node) -> !inter.results
    %10 = "inter.result"(%9) {index = 0 : i64} : (!inter.results) -> f32
    // CHECK: "inter.degree"({{.*}}) {direction = "out"}
    %11 = "inter.degree"(%g, %n) {direction = "out"} : (!loops, !at_node) -> f32
    %12 = "gnn.multiply"(%8, %10) : (f32, f32) -> f32
    %13 = "gnn.divide"(%12, %11) : (f32, f32) -> f32
    %14 = "gnn.multiply"(%13, %7) : (f32, tensor<8xf32>) -> tensor<8xf32>
    smt.yield %14 : tensor<8xf32>
  }) : (!loops) -> !inter.results
  // CHECK: -> !gnn.node<"g", tensor<8xf32>>
  %15 = "inter.result"(%2) {index = 0 : i64} : (!inter.results) -> !node8
  return %15, %1 : !node8, !gnn.edge<"g.replace", f32>
}

// CHECK-LABEL: func.func @sparse
func.func @sparse(%g: !graph, %x: !gnn.sparse<"g", tensor<8xf32>>, %v: tensor<8x4xf32>) -> !node4 {
  // CHECK: "inter.once"() ({
  %0 = "inter.once"() ({
    %1 = "gnn.activation"(%v) {function = "exp"} : (tensor<8x4xf32>) -> tensor<8x4xf32>
    smt.yield %1 : tensor<8x4xf32>
  }) : () -> !inter.results
  // CHECK: -> tensor<8x4xf32>
  %w = "inter.result"(%0) {index = 0 : i64} : (!inter.results) -> tensor<8x4xf32>
  %2 = "inter.for_nodes"(%g) ({
  ^bb0(%n: !at_node):
    // CHECK: "inter.for_nonzeros"
    %3 = "inter.for_nonzeros"(%x, %n) ({
    ^bb0(%k: !at_entry):
      %4 = "inter.at"(%x, %k) : (!gnn.sparse<"g", tensor<8xf32>>, !at_entry) -> f32
      // CHECK: "inter.row"
      %5 = "inter.row"(%w, %k) : (tensor<8x4xf32>, !at_entry) -> tensor<4xf32>
      %6 = "gnn.multiply"(%4, %5) : (f32, tensor<4xf32>) -> tensor<4xf32>
      smt.yield %6 : tensor<4xf32>
    }) {reduce = ["sum"]} : (!gnn.sparse<"g", tensor<8xf32>>, !at_node) -> !inter.results
    %7 = "inter.result"(%3) {index = 0 : i64} : (!inter.results) -> tensor<4xf32>
    // CHECK: "inter.dense_row"
    %9 = "inter.dense_row"(%x, %n) : (!gnn.sparse<"g", tensor<8xf32>>, !at_node) -> tensor<8xf32>
    %10 = "gnn.linear"(%9, %w) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (tensor<8xf32>, tensor<8x4xf32>) -> tensor<4xf32>
    %11 = "gnn.vector_add"(%7, %10) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    smt.yield %11 : tensor<4xf32>
  }) : (!graph) -> !inter.results
  %8 = "inter.result"(%2) {index = 0 : i64} : (!inter.results) -> !node4
  return %8 : !node4
}

!at_pair = !inter.cursor<"edge", "g.unique_dst">
!at_edge_g = !inter.cursor<"edge", "g">
// CHECK-LABEL: func.func @types_and_pairs
func.func @types_and_pairs(%g: !graph, %u: !gnn.graph<"g.unique_dst">, %w: !gnn.per<"etype", tensor<4x4xf32>>, %x: !node4, %a: !gnn.edge<"g", f32>,
                           %p: !gnn.node<"g:1", tensor<4xf32>>) -> (!gnn.per<"etype", tensor<4x4xf32>>, !gnn.per<"graph", tensor<4xf32>>, !node4) {
  // CHECK: "inter.for_types"
  %0 = "inter.for_types"(%g) ({
  ^bb0(%t: !inter.cursor<"etype", "g">):
    %1 = "inter.at"(%w, %t) : (!gnn.per<"etype", tensor<4x4xf32>>, !inter.cursor<"etype", "g">) -> tensor<4x4xf32>
    %2 = "gnn.transpose"(%1) : (tensor<4x4xf32>) -> tensor<4x4xf32>
    smt.yield %2 : tensor<4x4xf32>
  }) {per = "etype", count = 3 : i64} : (!graph) -> !inter.results
  // CHECK: -> !gnn.per<"etype", tensor<4x4xf32>>
  %wt = "inter.result"(%0) {index = 0 : i64} : (!inter.results) -> !gnn.per<"etype", tensor<4x4xf32>>
  %3 = "inter.for_types"(%g) ({
  ^bb0(%b: !inter.cursor<"graph", "g">):
    // CHECK: "inter.for_members"
    %4 = "inter.for_members"(%g, %b) ({
    ^bb0(%n: !at_node):
      %5 = "inter.at"(%x, %n) : (!node4, !at_node) -> tensor<4xf32>
      smt.yield %5 : tensor<4xf32>
    }) {reduce = ["mean"]} : (!graph, !inter.cursor<"graph", "g">) -> !inter.results
    %6 = "inter.result"(%4) {index = 0 : i64} : (!inter.results) -> tensor<4xf32>
    smt.yield %6 : tensor<4xf32>
  }) {per = "graph", count = -1 : i64} : (!graph) -> !inter.results
  %pool = "inter.result"(%3) {index = 0 : i64} : (!inter.results) -> !gnn.per<"graph", tensor<4xf32>>
  %7 = "inter.for_edges"(%u) ({
  ^bb0(%q: !at_pair):
    %8 = "inter.for_members"(%g, %q) ({
    ^bb0(%e: !at_edge_g):
      %9 = "inter.src"(%e) : (!at_edge_g) -> !at_node
      %10 = "inter.at"(%x, %9) : (!node4, !at_node) -> tensor<4xf32>
      smt.yield %10 : tensor<4xf32>
    }) {reduce = ["sum"]} : (!graph, !at_pair) -> !inter.results
    %11 = "inter.result"(%8) {index = 0 : i64} : (!inter.results) -> tensor<4xf32>
    // CHECK: "inter.group_size"
    %12 = "inter.group_size"(%q) : (!at_pair) -> f32
    %13 = "gnn.divide"(%11, %12) : (tensor<4xf32>, f32) -> tensor<4xf32>
    smt.yield %13 : tensor<4xf32>
  }) : (!gnn.graph<"g.unique_dst">) -> !inter.results
  %pairs = "inter.result"(%7) {index = 0 : i64} : (!inter.results) -> !gnn.edge<"g.unique_dst", tensor<4xf32>>
  %14 = "inter.for_nodes"(%g) ({
  ^bb0(%n: !at_node):
    // CHECK: "inter.softmax_incoming"
    %15 = "inter.softmax_incoming"(%g, %n) ({
    ^bb0(%e: !at_edge_g):
      %16 = "inter.at"(%a, %e) : (!gnn.edge<"g", f32>, !at_edge_g) -> f32
      // CHECK: "inter.group"
      %17 = "inter.group"(%e) {end = "dst"} : (!at_edge_g) -> !at_pair
      %18 = "inter.at"(%pairs, %17) : (!gnn.edge<"g.unique_dst", tensor<4xf32>>, !at_pair) -> tensor<4xf32>
      smt.yield %16, %18 : f32, tensor<4xf32>
    }) : (!graph, !at_node) -> !inter.results
    %19 = "inter.result"(%15) {index = 0 : i64} : (!inter.results) -> tensor<4xf32>
    // CHECK: "inter.unite"
    %20 = "inter.unite"(%p, %n, %19) : (!gnn.node<"g:1", tensor<4xf32>>, !at_node, tensor<4xf32>) -> tensor<4xf32>
    smt.yield %20 : tensor<4xf32>
  }) : (!graph) -> !inter.results
  %y = "inter.result"(%14) {index = 0 : i64} : (!inter.results) -> !node4
  %21 = "inter.for_nodes"(%g) ({
  ^bb0(%n: !inter.cursor<"node", "g:1">):
    // CHECK: "inter.whole_row"
    %22 = "inter.whole_row"(%n) : (!inter.cursor<"node", "g:1">) -> !at_node
    %23 = "inter.at"(%y, %22) : (!node4, !at_node) -> tensor<4xf32>
    smt.yield %23 : tensor<4xf32>
  }) : (!graph) -> !inter.results
  // CHECK: -> !gnn.node<"g:1", tensor<4xf32>>
  %part = "inter.result"(%21) {index = 0 : i64} : (!inter.results) -> !gnn.node<"g:1", tensor<4xf32>>
  return %wt, %pool, %y : !gnn.per<"etype", tensor<4x4xf32>>, !gnn.per<"graph", tensor<4xf32>>, !node4
}

// CHECK-LABEL: func.func @combine
func.func @combine(%p: !gnn.per<"piece", tensor<4xf32>>) -> tensor<4xf32> {
  %0 = "inter.once"() ({
    // CHECK: "inter.combine"
    %1 = "inter.combine"(%p) {reduce = "max"} : (!gnn.per<"piece", tensor<4xf32>>) -> tensor<4xf32>
    smt.yield %1 : tensor<4xf32>
  }) : () -> !inter.results
  %2 = "inter.result"(%0) {index = 0 : i64} : (!inter.results) -> tensor<4xf32>
  return %2 : tensor<4xf32>
}

// CHECK-LABEL: func.func @fold
func.func @fold(%g: !graph, %w: !gnn.edge<"g", f32>, %u: tensor<4xf32>) -> !node4 {
  %0 = "inter.for_nodes"(%g) ({
  ^bb0(%n: !at_node):
    // CHECK: "inter.fold"
    %1 = "inter.fold"(%g, %n, %u) ({
    ^bb0(%e: !inter.cursor<"edge", "g">, %s: tensor<4xf32>):
      %3 = "inter.at"(%w, %e) : (!gnn.edge<"g", f32>, !inter.cursor<"edge", "g">) -> f32
      %4 = "gnn.multiply"(%3, %s) : (f32, tensor<4xf32>) -> tensor<4xf32>
      smt.yield %4 : tensor<4xf32>
    // CHECK: over = "in"
    }) {over = "in", operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>} : (!graph, !at_node, tensor<4xf32>) -> !inter.results
    %2 = "inter.result"(%1) {index = 0 : i64} : (!inter.results) -> tensor<4xf32>
    smt.yield %2 : tensor<4xf32>
  }) : (!graph) -> !inter.results
  %5 = "inter.result"(%0) {index = 0 : i64} : (!inter.results) -> !node4
  return %5 : !node4
}

// CHECK-LABEL: func.func @dropout
func.func @dropout(%g: !gnn.graph<"g.replace">, %w: !gnn.edge<"g.replace", f32>, %u: tensor<4xf32>) -> (!gnn.edge<"g.replace", f32>, tensor<4xf32>) {
  // CHECK: "inter.dropout"(%arg2)
  %0 = "inter.dropout"(%u) {p = 5.0e-01 : f64, site = 0 : i64, operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<4xf32>) -> tensor<4xf32>
  %1 = "inter.for_edges"(%g) ({
  ^bb0(%e: !inter.cursor<"edge", "g.replace">):
    %2 = "inter.at"(%w, %e) : (!gnn.edge<"g.replace", f32>, !inter.cursor<"edge", "g.replace">) -> f32
    %3 = "inter.dst"(%e) : (!inter.cursor<"edge", "g.replace">) -> !inter.cursor<"node", "g">
    // CHECK: "inter.dropout"(%{{.*}}, %{{.*}}, %{{.*}}) {{.*}}site = 1 : i64
    %4 = "inter.dropout"(%2, %e, %3) {p = 2.5e-01 : f64, site = 1 : i64, operandSegmentSizes = array<i32: 1, 1, 1>} : (f32, !inter.cursor<"edge", "g.replace">, !inter.cursor<"node", "g">) -> f32
    smt.yield %4 : f32
  }) : (!gnn.graph<"g.replace">) -> !inter.results
  %5 = "inter.result"(%1) {index = 0 : i64} : (!inter.results) -> !gnn.edge<"g.replace", f32>
  return %5, %0 : !gnn.edge<"g.replace", f32>, tensor<4xf32>
}
