// Our verifier, and MLIR's with the IRDL text, accept every operation of the gnn level, which prints and reads back.
// RUN: gnn-opt %s --verify-roundtrip | FileCheck %s
// RUN: gnn-opt %s --mlir-print-debuginfo --verify-roundtrip -o %t.mlir && gnn-opt %t.mlir -o - | FileCheck %s
// RUN: gnn-opt --print-irdl -o %t.irdl.mlir && gnn-opt %s | mlir-opt --irdl-file=%t.irdl.mlir --canonicalize --cse | FileCheck %s

!graph = !gnn.graph<"g">
!loops = !gnn.graph<"g.replace">
!node = !gnn.node<"g", f32>
!node8 = !gnn.node<"g", tensor<8xf32>>
!node4 = !gnn.node<"g", tensor<4xf32>>
!heads = !gnn.node<"g", tensor<2x8xf32>>
!edge = !gnn.edge<"g", f32>
!edge8 = !gnn.edge<"g", tensor<8xf32>>
!edge_heads = !gnn.edge<"g", tensor<2xf32>>
!sparse = !gnn.sparse<"g", tensor<8xf32>>

// CHECK-LABEL: func.func @graphs
func.func @graphs(%g: !graph, %x: !node8, %e: !edge8, %w: !edge, %per: !gnn.per<"etype", tensor<8x4xf32>>,
                  %per_node: !gnn.per<"ntype", f32>)
    -> (!gnn.edge<"g.replace", f32>, !node, !edge8, !gnn.edge<"g", tensor<8x4xf32>>, !node, !node8, !node8, !node8,
        !gnn.per<"graph", tensor<8xf32>>, f32) {
  // CHECK: "gnn.constant"() {value = 2.000000e-01 : f64} : () -> f32
  %c = "gnn.constant"() {value = 0.2 : f64} : () -> f32
  // CHECK: "gnn.edge_set"({{.*}}) {mode = "replace"} : (!gnn.graph<"g">) -> !gnn.graph<"g.replace">
  %l = "gnn.edge_set"(%g) {mode = "replace"} : (!graph) -> !loops
  // CHECK: "gnn.extend_edges"({{.*}}) {fill = 1.000000e+00 : f64}
  %f = "gnn.extend_edges"(%l, %w) {fill = 1.0 : f64} : (!loops, !edge) -> !gnn.edge<"g.replace", f32>
  // CHECK: "gnn.restrict_edges"({{.*}}) : (!gnn.graph<"g.replace">, !gnn.edge<"g.replace", f32>) -> !gnn.edge<"g", f32>
  %restricted = "gnn.restrict_edges"(%l, %f) : (!loops, !gnn.edge<"g.replace", f32>) -> !edge
  // CHECK: "gnn.opposite_edges"({{.*}}) : (!gnn.graph<"g">, !gnn.edge<"g", f32>) -> !gnn.edge<"g", f32>
  %opposite = "gnn.opposite_edges"(%g, %w) : (!graph, !edge) -> !edge
  // CHECK: "gnn.degree"({{.*}}) {direction = "in"}
  %d = "gnn.degree"(%l) {direction = "in"} : (!loops) -> !node
  // CHECK: "gnn.gather"({{.*}}) {end = "src"}
  %s = "gnn.gather"(%g, %x) {end = "src"} : (!graph, !node8) -> !edge8
  // CHECK: "gnn.slice"({{.*}}) {by = "edge"}
  %m = "gnn.slice"(%g, %per) {by = "edge"} : (!graph, !gnn.per<"etype", tensor<8x4xf32>>) -> !gnn.edge<"g", tensor<8x4xf32>>
  // CHECK: "gnn.slice"({{.*}}) {by = "node"}
  %n = "gnn.slice"(%g, %per_node) {by = "node"} : (!graph, !gnn.per<"ntype", f32>) -> !node
  // CHECK: "gnn.aggregate"({{.*}}) {direction = "in", reduce = "sum"}
  %a = "gnn.aggregate"(%g, %x) {reduce = "sum", direction = "in"} : (!graph, !node8) -> !node8
  // CHECK: "gnn.aggregate"({{.*}}) {activation = "relu", direction = "out", reduce = "max"}
  %b = "gnn.aggregate"(%g, %e, %w) {reduce = "max", direction = "out", activation = "relu"} : (!graph, !edge8, !edge) -> !node8
  // CHECK: "gnn.aggregate"({{.*}}) {direction = "in", reduce = "mean"}
  %o = "gnn.aggregate"(%l, %x) {reduce = "mean", direction = "in"} : (!loops, !node8) -> !node8
  // CHECK: "gnn.pool"({{.*}}) {reduce = "mean"} {{.*}} -> !gnn.per<"graph", tensor<8xf32>>
  %p = "gnn.pool"(%g, %x) {reduce = "mean"} : (!graph, !node8) -> !gnn.per<"graph", tensor<8xf32>>
  return %f, %d, %s, %m, %n, %a, %b, %o, %p, %c : !gnn.edge<"g.replace", f32>, !node, !edge8, !gnn.edge<"g", tensor<8x4xf32>>,
      !node, !node8, !node8, !node8, !gnn.per<"graph", tensor<8xf32>>, f32
}

// CHECK-LABEL: func.func @products
func.func @products(%x: !node8, %s: !sparse, %h: !heads, %y: !node4, %w: tensor<8x4xf32>, %t: tensor<4x8xf32>,
                    %b: tensor<4xf32>, %wh: tensor<2x8x4xf32>, %a: tensor<2x8xf32>, %p: tensor<3x8xf32>)
    -> (!node4, !node4, !node4, !gnn.node<"g", tensor<2x4xf32>>, !gnn.node<"g", tensor<2x4xf32>>, tensor<3x4xf32>,
        !gnn.node<"g", tensor<2xf32>>, !gnn.node<"g", tensor<8x4xf32>>) {
  // CHECK: "gnn.linear"(%arg0, %arg4, %arg6, %arg3) {activation = "leaky_relu", operandSegmentSizes = array<i32: 1, 1, 1, 1>, slope = 2.000000e-01 : f64}
  %0 = "gnn.linear"(%x, %w, %b, %y) {operandSegmentSizes = array<i32: 1, 1, 1, 1>, activation = "leaky_relu", slope = 0.2 : f64} : (!node8, tensor<8x4xf32>, tensor<4xf32>, !node4) -> !node4
  // CHECK: "gnn.linear"(%arg0, %arg5, %arg3) {operandSegmentSizes = array<i32: 1, 1, 0, 1>, transposed}
  %1 = "gnn.linear"(%x, %t, %y) {operandSegmentSizes = array<i32: 1, 1, 0, 1>, transposed} : (!node8, tensor<4x8xf32>, !node4) -> !node4
  // CHECK: "gnn.linear"({{.*}}!gnn.sparse
  %2 = "gnn.linear"(%s, %w) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!sparse, tensor<8x4xf32>) -> !node4
  // CHECK: "gnn.linear"({{.*}}tensor<8x4xf32>) -> !gnn.node<"g", tensor<2x4xf32>>
  %3 = "gnn.linear"(%h, %w) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!heads, tensor<8x4xf32>) -> !gnn.node<"g", tensor<2x4xf32>>
  // CHECK: "gnn.linear"({{.*}}tensor<2x8x4xf32>) -> !gnn.node<"g", tensor<2x4xf32>>
  %4 = "gnn.linear"(%h, %wh) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!heads, tensor<2x8x4xf32>) -> !gnn.node<"g", tensor<2x4xf32>>
  // CHECK: "gnn.linear"({{.*}}(tensor<3x8xf32>, tensor<8x4xf32>) -> tensor<3x4xf32>
  %5 = "gnn.linear"(%p, %w) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (tensor<3x8xf32>, tensor<8x4xf32>) -> tensor<3x4xf32>
  // CHECK: "gnn.vector_inner"({{.*}}-> !gnn.node<"g", tensor<2xf32>>
  %6 = "gnn.vector_inner"(%h, %a) : (!heads, tensor<2x8xf32>) -> !gnn.node<"g", tensor<2xf32>>
  // CHECK: "gnn.outer"({{.*}}-> !gnn.node<"g", tensor<8x4xf32>>
  %7 = "gnn.outer"(%x, %b) : (!node8, tensor<4xf32>) -> !gnn.node<"g", tensor<8x4xf32>>
  return %0, %1, %2, %3, %4, %5, %6, %7 : !node4, !node4, !node4, !gnn.node<"g", tensor<2x4xf32>>, !gnn.node<"g", tensor<2x4xf32>>,
      tensor<3x4xf32>, !gnn.node<"g", tensor<2xf32>>, !gnn.node<"g", tensor<8x4xf32>>
}

// CHECK-LABEL: func.func @elements
func.func @elements(%x: !node8, %s: !sparse, %h: !heads, %k: tensor<2xf32>, %c: tensor<8xf32>, %a: !edge8, %b: !edge) -> (!heads, !node8, !edge8) {
  // CHECK: "gnn.vector_add"
  %0 = "gnn.vector_add"(%h, %k) : (!heads, tensor<2xf32>) -> !heads
  // CHECK: "gnn.subtract"
  %1 = "gnn.subtract"(%k, %0) : (tensor<2xf32>, !heads) -> !heads
  // CHECK: "gnn.multiply"
  %2 = "gnn.multiply"(%1, %1) : (!heads, !heads) -> !heads
  // CHECK: "gnn.divide"
  %3 = "gnn.divide"(%2, %k) : (!heads, tensor<2xf32>) -> !heads
  // CHECK: "gnn.maximum"
  %4 = "gnn.maximum"(%3, %0) : (!heads, !heads) -> !heads
  // CHECK: "gnn.minimum"
  %5 = "gnn.minimum"(%4, %0) : (!heads, !heads) -> !heads
  // CHECK: "gnn.compare"({{.*}}) {predicate = "lt"}
  %6 = "gnn.compare"(%5, %k) {predicate = "lt"} : (!heads, tensor<2xf32>) -> !heads
  // CHECK: "gnn.select"
  %7 = "gnn.select"(%k, %6, %5) : (tensor<2xf32>, !heads, !heads) -> !heads
  // CHECK: "gnn.binary"({{.*}}) {function = "atan2"}
  %angle = "gnn.binary"(%7, %k) {function = "atan2"} : (!heads, tensor<2xf32>) -> !heads
  // CHECK: "gnn.binary"({{.*}}) {function = "pow"}
  %power = "gnn.binary"(%k, %angle) {function = "pow"} : (tensor<2xf32>, !heads) -> !heads
  // CHECK: "gnn.activation"({{.*}}) {alpha = 1.000000e+00 : f64, function = "elu"}
  %elu = "gnn.activation"(%x) {function = "elu", alpha = 1.0 : f64} : (!node8) -> !node8
  // CHECK: "gnn.activation"({{.*}}) {function = "clamp", high = 2.000000e+00 : f64, low = -1.000000e+00 : f64}
  %8 = "gnn.activation"(%elu) {function = "clamp", low = -1.0 : f64, high = 2.0 : f64} : (!node8) -> !node8
  // CHECK: "gnn.batch_norm"({{.*}}) {epsilon = 1.000000e-05 : f64}
  %9 = "gnn.batch_norm"(%8, %c, %c, %c, %c) {epsilon = 1.0e-5 : f64} : (!node8, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> !node8
  // CHECK: "gnn.row_normalize"{{.*}}!gnn.sparse
  %10 = "gnn.row_normalize"(%s) : (!sparse) -> !sparse
  // CHECK: "gnn.densify"
  %11 = "gnn.densify"(%10) : (!sparse) -> !node8
  %12 = "gnn.vector_add"(%9, %11) {activation = "relu"} : (!node8, !node8) -> !node8
  // CHECK: "gnn.multiply"({{.*}}!gnn.edge
  %13 = "gnn.multiply"(%b, %a) : (!edge, !edge8) -> !edge8
  return %power, %12, %13 : !heads, !node8, !edge8
}

// CHECK-LABEL: func.func @shapes
func.func @shapes(%x: !node8, %h: !heads, %w: tensor<8x4xf32>) -> (!gnn.node<"g", tensor<2xf32>>, !heads, !gnn.node<"g", tensor<2xf32>>, !gnn.node<"g", tensor<16xf32>>, !node, tensor<4x8xf32>) {
  // CHECK: "gnn.reduce"({{.*}}) {function = "max"}
  %0 = "gnn.reduce"(%h) {function = "max"} : (!heads) -> !gnn.node<"g", tensor<2xf32>>
  // CHECK: "gnn.softmax"({{.*}}) {log}
  %1 = "gnn.softmax"(%h) {log} : (!heads) -> !heads
  // CHECK: "gnn.argmax"
  %2 = "gnn.argmax"(%1) : (!heads) -> !gnn.node<"g", tensor<2xf32>>
  // CHECK: "gnn.concat"
  %3 = "gnn.concat"(%x, %x) : (!node8, !node8) -> !gnn.node<"g", tensor<16xf32>>
  // CHECK: "gnn.columns"({{.*}}) {begin = 8 : i64, width = 3 : i64} {{.*}} -> !gnn.node<"g", tensor<3xf32>>
  %right = "gnn.columns"(%3) {begin = 8, width = 3} : (!gnn.node<"g", tensor<16xf32>>) -> !gnn.node<"g", tensor<3xf32>>
  // CHECK: "gnn.view"({{.*}}) {begin = 8 : i64, shape = array<i64: 4, 2>, strides = array<i64: 1, 0>} {{.*}} -> !gnn.node<"g", tensor<4x2xf32>>
  %some = "gnn.view"(%3) {shape = array<i64: 4, 2>, strides = array<i64: 1, 0>, begin = 8} : (!gnn.node<"g", tensor<16xf32>>) -> !gnn.node<"g", tensor<4x2xf32>>
  // CHECK: "gnn.reshape"({{.*}}) {shape = array<i64: 2, 8>}
  %4 = "gnn.reshape"(%3) {shape = array<i64: 2, 8>} : (!gnn.node<"g", tensor<16xf32>>) -> !heads
  %5 = "gnn.reduce"(%x) {function = "sum"} : (!node8) -> !node
  %6 = "gnn.reshape"(%5) {shape = array<i64: 1, 1>} : (!node) -> !gnn.node<"g", tensor<1x1xf32>>
  // CHECK: "gnn.reshape"({{.*}}) {shape = array<i64>} : (!gnn.node<"g", tensor<1x1xf32>>) -> !gnn.node<"g", f32>
  %7 = "gnn.reshape"(%6) {shape = array<i64>} : (!gnn.node<"g", tensor<1x1xf32>>) -> !node
  // CHECK: "gnn.transpose"
  %8 = "gnn.transpose"(%w) : (tensor<8x4xf32>) -> tensor<4x8xf32>
  return %2, %4, %0, %3, %7, %8 : !gnn.node<"g", tensor<2xf32>>, !heads, !gnn.node<"g", tensor<2xf32>>, !gnn.node<"g", tensor<16xf32>>, !node, tensor<4x8xf32>
}

// Unknown sizes are accepted.
// CHECK-LABEL: func.func @unknown_sizes
func.func @unknown_sizes(%x: !gnn.node<"g", tensor<?xf32>>, %w: tensor<8x?xf32>) -> !gnn.node<"g", tensor<?xf32>> {
  // CHECK: -> !gnn.node<"g", tensor<?xf32>>
  %0 = "gnn.linear"(%x, %w) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!gnn.node<"g", tensor<?xf32>>, tensor<8x?xf32>) -> !gnn.node<"g", tensor<?xf32>>
  %1 = "gnn.concat"(%0, %x) : (!gnn.node<"g", tensor<?xf32>>, !gnn.node<"g", tensor<?xf32>>) -> !gnn.node<"g", tensor<?xf32>>
  return %1 : !gnn.node<"g", tensor<?xf32>>
}

// Weights, with the attributes of the project.
// CHECK: ml_program.global private @conv1.lin.weight(#{{.*}}) : tensor<4x8xf32> {gnn.from = "conv1.lin.weight"}
ml_program.global private @conv1.lin.weight(#ml_program.extern) : tensor<4x8xf32> {gnn.from = "conv1.lin.weight"}
// CHECK: !gnn.per<"etype", tensor<8x4xf32>> {gnn.count = 3 : i64}
ml_program.global private @rel.weight(#ml_program.extern) : !gnn.per<"etype", tensor<8x4xf32>> {gnn.count = 3 : i64}
func.func @weights() -> (tensor<4x8xf32>, !gnn.per<"etype", tensor<8x4xf32>>) attributes {gnn.phase = "bind"} {
  // CHECK: %[[W:.*]] = ml_program.global_load_const @conv1.lin.weight : tensor<4x8xf32>
  %0 = ml_program.global_load_const @conv1.lin.weight : tensor<4x8xf32>
  %1 = ml_program.global_load_const @rel.weight : !gnn.per<"etype", tensor<8x4xf32>>
  return %0, %1 : tensor<4x8xf32>, !gnn.per<"etype", tensor<8x4xf32>>
}

// Pairs of edge type and end node, which are an edge set of their own; pairs of types; parts.
// CHECK-LABEL: func.func @pairs
func.func @pairs(%g: !gnn.graph<"g">, %x: !gnn.node<"g", tensor<8xf32>>, %a: !gnn.edge<"g", f32>, %k: !gnn.per<"ntype", tensor<8x4xf32>>,
                 %w: !gnn.per<"etype", tensor<4x2xf32>>, %p: !gnn.node<"g:2", tensor<8xf32>>) -> !gnn.node<"g", tensor<2xf32>> {
  // CHECK: -> !gnn.graph<"g.unique_src">
  %us = "gnn.unique_edges"(%g) {end = "src"} : (!gnn.graph<"g">) -> !gnn.graph<"g.unique_src">
  %ud = "gnn.unique_edges"(%g) {end = "dst"} : (!gnn.graph<"g">) -> !gnn.graph<"g.unique_dst">
  // CHECK: "gnn.pair"{{.*}} -> !gnn.per<"etype_src", tensor<8x4xf32>>
  %kp = "gnn.pair"(%g, %k) {end = "src", count = 5 : i64} : (!gnn.graph<"g">, !gnn.per<"ntype", tensor<8x4xf32>>) -> !gnn.per<"etype_src", tensor<8x4xf32>>
  %wp = "gnn.pair"(%g, %w) {end = "src", count = 5 : i64} : (!gnn.graph<"g">, !gnn.per<"etype", tensor<4x2xf32>>) -> !gnn.per<"etype_src", tensor<4x2xf32>>
  %w12 = "gnn.linear"(%kp, %wp) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!gnn.per<"etype_src", tensor<8x4xf32>>, !gnn.per<"etype_src", tensor<4x2xf32>>) -> !gnn.per<"etype_src", tensor<8x2xf32>>
  %ws = "gnn.slice"(%us, %w12) {by = "edge"} : (!gnn.graph<"g.unique_src">, !gnn.per<"etype_src", tensor<8x2xf32>>) -> !gnn.edge<"g.unique_src", tensor<8x2xf32>>
  %xs = "gnn.gather"(%us, %x) {end = "src"} : (!gnn.graph<"g.unique_src">, !gnn.node<"g", tensor<8xf32>>) -> !gnn.edge<"g.unique_src", tensor<8xf32>>
  %m = "gnn.linear"(%xs, %ws) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!gnn.edge<"g.unique_src", tensor<8xf32>>, !gnn.edge<"g.unique_src", tensor<8x2xf32>>) -> !gnn.edge<"g.unique_src", tensor<2xf32>>
  // CHECK: "gnn.expand"{{.*}} -> !gnn.edge<"g", tensor<2xf32>>
  %e = "gnn.expand"(%g, %m) : (!gnn.graph<"g">, !gnn.edge<"g.unique_src", tensor<2xf32>>) -> !gnn.edge<"g", tensor<2xf32>>
  // CHECK: "gnn.collapse"{{.*}} -> !gnn.edge<"g.unique_dst", tensor<2xf32>>
  %c = "gnn.collapse"(%ud, %e, %a) {reduce = "sum"} : (!gnn.graph<"g.unique_dst">, !gnn.edge<"g", tensor<2xf32>>, !gnn.edge<"g", f32>) -> !gnn.edge<"g.unique_dst", tensor<2xf32>>
  %cx = "gnn.collapse"(%ud, %x) {reduce = "mean"} : (!gnn.graph<"g.unique_dst">, !gnn.node<"g", tensor<8xf32>>) -> !gnn.edge<"g.unique_dst", tensor<8xf32>>
  // CHECK: "gnn.group_size"
  %n = "gnn.group_size"(%ud) : (!gnn.graph<"g.unique_dst">) -> !gnn.edge<"g.unique_dst", f32>
  %d = "gnn.divide"(%c, %n) : (!gnn.edge<"g.unique_dst", tensor<2xf32>>, !gnn.edge<"g.unique_dst", f32>) -> !gnn.edge<"g.unique_dst", tensor<2xf32>>
  %y = "gnn.aggregate"(%ud, %d) {reduce = "sum", direction = "in"} : (!gnn.graph<"g.unique_dst">, !gnn.edge<"g.unique_dst", tensor<2xf32>>) -> !gnn.node<"g", tensor<2xf32>>
  // CHECK: "gnn.part"{{.*}} -> !gnn.node<"g:2", tensor<8xf32>>
  %part = "gnn.part"(%g, %x) {type = 2 : i64} : (!gnn.graph<"g">, !gnn.node<"g", tensor<8xf32>>) -> !gnn.node<"g:2", tensor<8xf32>>
  %sum = "gnn.vector_add"(%part, %p) : (!gnn.node<"g:2", tensor<8xf32>>, !gnn.node<"g:2", tensor<8xf32>>) -> !gnn.node<"g:2", tensor<8xf32>>
  // CHECK: "gnn.unite"{{.*}} -> !gnn.node<"g", tensor<8xf32>>
  %all = "gnn.unite"(%g, %sum, %x) {type = 2 : i64} : (!gnn.graph<"g">, !gnn.node<"g:2", tensor<8xf32>>, !gnn.node<"g", tensor<8xf32>>) -> !gnn.node<"g", tensor<8xf32>>
  %zero = "gnn.unite"(%g, %p) {type = 2 : i64} : (!gnn.graph<"g">, !gnn.node<"g:2", tensor<8xf32>>) -> !gnn.node<"g", tensor<8xf32>>
  return %y : !gnn.node<"g", tensor<2xf32>>
}

// A matrix per head multiplies a matrix per head; values per graph may be used like other values.
// CHECK-LABEL: func.func @batches
func.func @batches(%g: !gnn.graph<"g">, %x: !gnn.node<"g", tensor<8xf32>>, %k: !gnn.per<"etype", tensor<2x8x4xf32>>, %a: !gnn.per<"etype", tensor<2x4x4xf32>>,
                   %w: tensor<8x3xf32>) -> !gnn.per<"graph", tensor<3xf32>> {
  // CHECK: -> !gnn.per<"etype", tensor<2x8x4xf32>>
  %ka = "gnn.linear"(%k, %a) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!gnn.per<"etype", tensor<2x8x4xf32>>, !gnn.per<"etype", tensor<2x4x4xf32>>) -> !gnn.per<"etype", tensor<2x8x4xf32>>
  %p = "gnn.pool"(%g, %x) {reduce = "max"} : (!gnn.graph<"g">, !gnn.node<"g", tensor<8xf32>>) -> !gnn.per<"graph", tensor<8xf32>>
  %y = "gnn.linear"(%p, %w) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!gnn.per<"graph", tensor<8xf32>>, tensor<8x3xf32>) -> !gnn.per<"graph", tensor<3xf32>>
  %n = "gnn.slice"(%g, %y) {by = "node"} : (!gnn.graph<"g">, !gnn.per<"graph", tensor<3xf32>>) -> !gnn.node<"g", tensor<3xf32>>
  return %y : !gnn.per<"graph", tensor<3xf32>>
}

// Matrices that move columns, for devices without shuffles.
// CHECK-LABEL: func.func @matrices
func.func @matrices() -> (tensor<8x4xf32>, tensor<5xf32>) {
  // CHECK: "gnn.selection"() {begin = 4 : i64, rows = 8 : i64, shape = array<i64: 2, 2>, strides = array<i64: 1, 2>} : () -> tensor<8x4xf32>
  %0 = "gnn.selection"() {rows = 8 : i64, shape = array<i64: 2, 2>, strides = array<i64: 1, 2>, begin = 4 : i64} : () -> tensor<8x4xf32>
  // CHECK: "gnn.iota"() {size = 5 : i64} : () -> tensor<5xf32>
  %1 = "gnn.iota"() {size = 5 : i64} : () -> tensor<5xf32>
  return %0, %1 : tensor<8x4xf32>, tensor<5xf32>
}

// A reduction over all nodes, alone and of outer products, and the two operations that it becomes.
// CHECK-LABEL: func.func @totals
func.func @totals(%g: !gnn.graph<"g">, %x: !gnn.node<"g", tensor<8xf32>>, %k: !gnn.node<"g", tensor<4xf32>>) -> (tensor<8xf32>, tensor<4x8xf32>) {
  // CHECK: "gnn.total"(%arg0, %arg1) {reduce = "mean"} : {{.*}} -> tensor<8xf32>
  %0 = "gnn.total"(%g, %x) {reduce = "mean"} : (!gnn.graph<"g">, !gnn.node<"g", tensor<8xf32>>) -> tensor<8xf32>
  // CHECK: "gnn.pieces"(%arg0, %arg2, %arg1) {reduce = "sum"} : {{.*}} -> !gnn.per<"piece", tensor<4x8xf32>>
  %p = "gnn.pieces"(%g, %k, %x) {reduce = "sum"} : (!gnn.graph<"g">, !gnn.node<"g", tensor<4xf32>>, !gnn.node<"g", tensor<8xf32>>) -> !gnn.per<"piece", tensor<4x8xf32>>
  // CHECK: "gnn.combine"
  %1 = "gnn.combine"(%p) {reduce = "sum"} : (!gnn.per<"piece", tensor<4x8xf32>>) -> tensor<4x8xf32>
  return %0, %1 : tensor<8xf32>, tensor<4x8xf32>
}

// Integers: inputs that are moved, pick rows of tables, and become f32.
// CHECK-LABEL: func.func @integers
func.func @integers(%g: !gnn.graph<"g">, %z: !gnn.node<"g", i32>, %q: !gnn.node<"g", tensor<9xi32>>, %k: i32, %e: tensor<7x4xf32>) -> (!gnn.node<"g", tensor<4xf32>>, tensor<4xf32>) {
  // CHECK: "gnn.lookup"(%arg4, %arg1) : {{.*}} -> !gnn.node<"g", tensor<4xf32>>
  %0 = "gnn.lookup"(%e, %z) : (tensor<7x4xf32>, !gnn.node<"g", i32>) -> !gnn.node<"g", tensor<4xf32>>
  // CHECK: "gnn.gather"(%arg0, %arg2) {end = "src"} : {{.*}} -> !gnn.edge<"g", tensor<9xi32>>
  %1 = "gnn.gather"(%g, %q) {end = "src"} : (!gnn.graph<"g">, !gnn.node<"g", tensor<9xi32>>) -> !gnn.edge<"g", tensor<9xi32>>
  // CHECK: "gnn.view"{{.*}} -> !gnn.edge<"g", i32>
  %2 = "gnn.view"(%1) {begin = 3 : i64, shape = array<i64>, strides = array<i64>} : (!gnn.edge<"g", tensor<9xi32>>) -> !gnn.edge<"g", i32>
  // CHECK: "gnn.convert"{{.*}} -> !gnn.edge<"g", f32>
  %3 = "gnn.convert"(%2) : (!gnn.edge<"g", i32>) -> !gnn.edge<"g", f32>
  %d = "gnn.degree"(%g) {direction = "in"} : (!gnn.graph<"g">) -> !gnn.node<"g", f32>
  // CHECK: "gnn.lookup"{{.*}} {high = 4 : i64, low = 0 : i64}
  %4 = "gnn.lookup"(%e, %d) {low = 0 : i64, high = 4 : i64} : (tensor<7x4xf32>, !gnn.node<"g", f32>) -> !gnn.node<"g", tensor<4xf32>>
  // CHECK: "gnn.lookup"(%arg4, %arg3) : (tensor<7x4xf32>, i32) -> tensor<4xf32>
  %5 = "gnn.lookup"(%e, %k) : (tensor<7x4xf32>, i32) -> tensor<4xf32>
  return %0, %5 : !gnn.node<"g", tensor<4xf32>>, tensor<4xf32>
}

// Members in an order: the first ones, a quantile, a fold over edges and one over steps.
// CHECK-LABEL: func.func @orders
func.func @orders(%g: !gnn.graph<"g">, %x: !gnn.node<"g", tensor<8xf32>>, %w: !gnn.edge<"g", f32>, %u: tensor<8xf32>) -> (!gnn.node<"g", tensor<3x8xf32>>, !gnn.per<"graph", tensor<8xf32>>, !gnn.node<"g", tensor<8xf32>>) {
  // CHECK: "gnn.order"(%arg0, %arg2) {over = "in"} : {{.*}} -> !gnn.edge<"g", f32>
  %o = "gnn.order"(%g, %w) {over = "in"} : (!gnn.graph<"g">, !gnn.edge<"g", f32>) -> !gnn.edge<"g", f32>
  // CHECK: "gnn.first"({{.*}} -> !gnn.node<"g", tensor<3x8xf32>>
  %f = "gnn.first"(%g, %x, %o) {count = 3 : i64, over = "in"} : (!gnn.graph<"g">, !gnn.node<"g", tensor<8xf32>>, !gnn.edge<"g", f32>) -> !gnn.node<"g", tensor<3x8xf32>>
  // CHECK: "gnn.quantile"({{.*}} -> !gnn.per<"graph", tensor<8xf32>>
  %q = "gnn.quantile"(%g, %x) {q = 0.5 : f64, interpolation = "lower", over = "graph"} : (!gnn.graph<"g">, !gnn.node<"g", tensor<8xf32>>) -> !gnn.per<"graph", tensor<8xf32>>
  // CHECK: "gnn.fold"(%arg0, %arg3, {{.*}}, %arg2)
  %h = "gnn.fold"(%g, %u, %o, %w) ({
  // CHECK: ^bb0({{.*}}: tensor<8xf32>, {{.*}}: f32):
  ^bb0(%s: tensor<8xf32>, %v: f32):
    %1 = "gnn.multiply"(%v, %s) : (f32, tensor<8xf32>) -> tensor<8xf32>
    smt.yield %1 : tensor<8xf32>
  // CHECK: over = "in"{{.*}} -> !gnn.node<"g", tensor<8xf32>>
  }) {over = "in", operandSegmentSizes = array<i32: 1, 1, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (!gnn.graph<"g">, tensor<8xf32>, !gnn.edge<"g", f32>, !gnn.edge<"g", f32>) -> !gnn.node<"g", tensor<8xf32>>
  %d = "gnn.degree"(%g) {direction = "in"} : (!gnn.graph<"g">) -> !gnn.node<"g", f32>
  %k = "gnn.fold"(%h, %d) ({
  ^bb0(%s: tensor<8xf32>, %t: f32):
    %1 = "gnn.vector_add"(%t, %s) : (f32, tensor<8xf32>) -> tensor<8xf32>
    smt.yield %1 : tensor<8xf32>
  // CHECK: over = "steps"
  }) {over = "steps", operandSegmentSizes = array<i32: 0, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (!gnn.node<"g", tensor<8xf32>>, !gnn.node<"g", f32>) -> !gnn.node<"g", tensor<8xf32>>
  return %f, %q, %k : !gnn.node<"g", tensor<3x8xf32>>, !gnn.per<"graph", tensor<8xf32>>, !gnn.node<"g", tensor<8xf32>>
}

// Graphs that depend on values: a set for each, and sets made from them.
// CHECK-LABEL: func.func @run_graphs
func.func @run_graphs(%g: !gnn.graph<"g">, %x: !gnn.node<"g", tensor<3xf32>>, %s: !gnn.node<"g", f32>) -> !gnn.node<"g", f32> {
  // CHECK: "gnn.near_edges"(%arg0, %arg1) {loop, most = 8 : i64, name = "knn_0"} : {{.*}} -> !gnn.graph<"g.knn_0">
  %k = "gnn.near_edges"(%g, %x) {most = 8 : i64, name = "knn_0", loop} : (!gnn.graph<"g">, !gnn.node<"g", tensor<3xf32>>) -> !gnn.graph<"g.knn_0">
  // CHECK: "gnn.near_edges"(%arg0, %arg1) {most = 32 : i64, name = "radius_1", radius = 5.000000e-01 : f64} : {{.*}} -> !gnn.graph<"g.radius_1">
  %r = "gnn.near_edges"(%g, %x) {most = 32 : i64, name = "radius_1", radius = 5.0e-01 : f64} : (!gnn.graph<"g">, !gnn.node<"g", tensor<3xf32>>) -> !gnn.graph<"g.radius_1">
  // CHECK: "gnn.near_edges"(%arg0, %arg1, %arg2) {most = 4 : i64, name = "knn_5"} : {{.*}} -> !gnn.graph<"g.knn_5">
  %a = "gnn.near_edges"(%g, %x, %s) {most = 4 : i64, name = "knn_5"} : (!gnn.graph<"g">, !gnn.node<"g", tensor<3xf32>>, !gnn.node<"g", f32>) -> !gnn.graph<"g.knn_5">
  // CHECK: "gnn.edge_set"{{.*}} -> !gnn.graph<"g.knn_0.replace">
  %l = "gnn.edge_set"(%k) {mode = "replace"} : (!gnn.graph<"g.knn_0">) -> !gnn.graph<"g.knn_0.replace">
  // CHECK: "gnn.top_nodes"(%arg0, %arg2) {ratio = 5.000000e-01 : f64}
  %m = "gnn.top_nodes"(%g, %s) {ratio = 5.0e-01 : f64} : (!gnn.graph<"g">, !gnn.node<"g", f32>) -> !gnn.node<"g", f32>
  %n = "gnn.top_nodes"(%g, %s, %m) {ratio = 5.0e-01 : f64} : (!gnn.graph<"g">, !gnn.node<"g", f32>, !gnn.node<"g", f32>) -> !gnn.node<"g", f32>
  // CHECK: "gnn.induced_edges"{{.*}} -> !gnn.graph<"g.knn_0.induced_2">
  %i = "gnn.induced_edges"(%k, %n) {name = "induced_2"} : (!gnn.graph<"g.knn_0">, !gnn.node<"g", f32>) -> !gnn.graph<"g.knn_0.induced_2">
  %d = "gnn.degree"(%i) {direction = "in"} : (!gnn.graph<"g.knn_0.induced_2">) -> !gnn.node<"g", f32>
  return %d : !gnn.node<"g", f32>
}

// CHECK-LABEL: func.func @training
func.func @training(%d: !gnn.node<"g", tensor<3xf32>>, %x: !gnn.node<"g", tensor<3xf32>>) -> (!gnn.node<"g", tensor<3xf32>>, !gnn.node<"g", tensor<3xf32>>) {
  // CHECK: "gnn.derivative"(%arg0, %arg1) {alpha = 5.000000e-01 : f64, function = "elu", operandSegmentSizes = array<i32: 1, 1, 0>}
  %0 = "gnn.derivative"(%d, %x) {alpha = 5.0e-01 : f64, function = "elu", operandSegmentSizes = array<i32: 1, 1, 0>} : (!gnn.node<"g", tensor<3xf32>>, !gnn.node<"g", tensor<3xf32>>) -> !gnn.node<"g", tensor<3xf32>>
  // CHECK: "gnn.dropout"(%arg1) {p = 2.500000e-01 : f64, site = 3 : i64}
  %1 = "gnn.dropout"(%x) {p = 2.5e-01 : f64, site = 3 : i64} : (!gnn.node<"g", tensor<3xf32>>) -> !gnn.node<"g", tensor<3xf32>>
  return %0, %1 : !gnn.node<"g", tensor<3xf32>>, !gnn.node<"g", tensor<3xf32>>
}

// Sums over rows of outer products.
// CHECK-LABEL: func.func @contract
func.func @contract(%g: !gnn.graph<"g">, %x: !gnn.node<"g", tensor<8xf32>>, %m: !gnn.node<"g", tensor<2x8xf32>>, %q: !gnn.node<"g", tensor<2x3xf32>>, %s: !gnn.sparse<"g", tensor<40xf32>>, %e: !gnn.edge<"g", tensor<5xf32>>, %p: !gnn.per<"graph", tensor<3xf32>>, %k: !gnn.per<"etype", f32>) {
  // CHECK: "gnn.contract"{{.*}} -> tensor<8x8xf32>
  %0 = "gnn.contract"(%g, %x, %x) : (!gnn.graph<"g">, !gnn.node<"g", tensor<8xf32>>, !gnn.node<"g", tensor<8xf32>>) -> tensor<8x8xf32>
  // CHECK: "gnn.contract"{{.*}} -> tensor<8x3xf32>
  %1 = "gnn.contract"(%g, %m, %q) : (!gnn.graph<"g">, !gnn.node<"g", tensor<2x8xf32>>, !gnn.node<"g", tensor<2x3xf32>>) -> tensor<8x3xf32>
  // CHECK: "gnn.contract"{{.*}} {batch} {{.*}} -> tensor<2x8x3xf32>
  %2 = "gnn.contract"(%g, %m, %q) {batch} : (!gnn.graph<"g">, !gnn.node<"g", tensor<2x8xf32>>, !gnn.node<"g", tensor<2x3xf32>>) -> tensor<2x8x3xf32>
  // CHECK: "gnn.contract"{{.*}} -> tensor<40x8xf32>
  %3 = "gnn.contract"(%g, %s, %x) : (!gnn.graph<"g">, !gnn.sparse<"g", tensor<40xf32>>, !gnn.node<"g", tensor<8xf32>>) -> tensor<40x8xf32>
  // CHECK: "gnn.contract"(%arg0, %arg5) {count = 4 : i64, per = "etype"} {{.*}} -> !gnn.per<"etype", tensor<5xf32>>
  %4 = "gnn.contract"(%g, %e) {per = "etype", count = 4 : i64} : (!gnn.graph<"g">, !gnn.edge<"g", tensor<5xf32>>) -> !gnn.per<"etype", tensor<5xf32>>
  // CHECK: "gnn.contract"{{.*}} -> tensor<3x3xf32>
  %5 = "gnn.contract"(%g, %p, %p) : (!gnn.graph<"g">, !gnn.per<"graph", tensor<3xf32>>, !gnn.per<"graph", tensor<3xf32>>) -> tensor<3x3xf32>
  // CHECK: "gnn.contract"{{.*}} -> f32
  %6 = "gnn.contract"(%g, %k) : (!gnn.graph<"g">, !gnn.per<"etype", f32>) -> f32
  return
}

// Sums of the rows with each index, of nodes, edges and graphs of a batch.
// CHECK-LABEL: func.func @sum_by
func.func @sum_by(%g: !gnn.graph<"g">, %x: !gnn.node<"g", tensor<2x8xf32>>, %z: !gnn.node<"g", i32>, %e: !gnn.edge<"g", f32>, %d: !gnn.edge<"g", f32>, %p: !gnn.per<"graph", tensor<3xf32>>, %k: !gnn.per<"graph", i32>) {
  // CHECK: "gnn.sum_by"(%arg0, %arg1, %arg2) {rows = 7 : i64} {{.*}} -> tensor<7x2x8xf32>
  %0 = "gnn.sum_by"(%g, %x, %z) {rows = 7 : i64} : (!gnn.graph<"g">, !gnn.node<"g", tensor<2x8xf32>>, !gnn.node<"g", i32>) -> tensor<7x2x8xf32>
  // CHECK: "gnn.sum_by"(%arg0, %arg3, %arg4) {high = 4 : i64, low = 0 : i64, rows = 5 : i64} {{.*}} -> tensor<5xf32>
  %1 = "gnn.sum_by"(%g, %e, %d) {rows = 5 : i64, low = 0 : i64, high = 4 : i64} : (!gnn.graph<"g">, !gnn.edge<"g", f32>, !gnn.edge<"g", f32>) -> tensor<5xf32>
  // CHECK: "gnn.sum_by"(%arg0, %arg5, %arg6, %arg5) {{.*}} -> tensor<9x3x3xf32>
  %3 = "gnn.sum_by"(%g, %p, %k, %p) {rows = 9 : i64} : (!gnn.graph<"g">, !gnn.per<"graph", tensor<3xf32>>, !gnn.per<"graph", i32>, !gnn.per<"graph", tensor<3xf32>>) -> tensor<9x3x3xf32>
  // CHECK: "gnn.sum_by"(%arg0, %arg5, %arg6) {{.*}} -> tensor<9x3xf32>
  %2 = "gnn.sum_by"(%g, %p, %k) {rows = 9 : i64} : (!gnn.graph<"g">, !gnn.per<"graph", tensor<3xf32>>, !gnn.per<"graph", i32>) -> tensor<9x3xf32>
  return
}

// The first values of each group back at its members: edges, or nodes of a graph of a batch.
// CHECK-LABEL: func.func @place_first
func.func @place_first(%g: !gnn.graph<"g">, %x: !gnn.node<"g", tensor<3x8xf32>>, %k: !gnn.edge<"g", f32>, %p: !gnn.per<"graph", tensor<2xf32>>) {
  // CHECK: "gnn.place_first"(%arg0, %arg1) {over = "out"} {{.*}} -> !gnn.edge<"g", tensor<8xf32>>
  %0 = "gnn.place_first"(%g, %x) {over = "out"} : (!gnn.graph<"g">, !gnn.node<"g", tensor<3x8xf32>>) -> !gnn.edge<"g", tensor<8xf32>>
  %o = "gnn.order"(%g, %k) {over = "in"} : (!gnn.graph<"g">, !gnn.edge<"g", f32>) -> !gnn.edge<"g", f32>
  // CHECK: "gnn.place_first"(%arg0, %arg1, {{%.*}}) {over = "in"} {{.*}} -> !gnn.edge<"g", tensor<8xf32>>
  %1 = "gnn.place_first"(%g, %x, %o) {over = "in"} : (!gnn.graph<"g">, !gnn.node<"g", tensor<3x8xf32>>, !gnn.edge<"g", f32>) -> !gnn.edge<"g", tensor<8xf32>>
  // CHECK: "gnn.place_first"(%arg0, %arg3) {over = "graph"} {{.*}} -> !gnn.node<"g", f32>
  %2 = "gnn.place_first"(%g, %p) {over = "graph"} : (!gnn.graph<"g">, !gnn.per<"graph", tensor<2xf32>>) -> !gnn.node<"g", f32>
  return
}
