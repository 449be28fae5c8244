// The verifier accepts every operation of the device level, which prints and reads back.
// RUN: gnn-opt %s --verify-roundtrip | FileCheck %s
// RUN: gnn-opt --print-irdl -o %t.irdl.mlir && gnn-opt %s | mlir-opt --irdl-file=%t.irdl.mlir --canonicalize --cse | FileCheck %s

!graph = !gnn.graph<"g">
!in = !device.edge_list<"g", "g">
!x = !device.rows<"g", 8>
!h = !device.rows<"g", 4>
!s = !device.rows<"g", 2>
!e = !device.rows<"g.edges", 8>
!a = !device.values<"g", "g", 2>

// Attention with two heads: logits, the division behind the weighted sum.
// CHECK-LABEL: func.func @attention
func.func @attention(%g: !graph, %x: !gnn.node<"g", tensor<8xf32>>, %w: tensor<8x4xf32>, %b: tensor<4xf32>, %u: tensor<4x2xf32>, %v: tensor<4x2xf32>,
                     %scale: !gnn.edge<"g", tensor<2xf32>>) -> (!gnn.node<"g", tensor<2x2xf32>>, !gnn.edge<"g", tensor<2xf32>>) {
  // CHECK: "device.input"(%{{.*}}) : (!gnn.node<"g", tensor<8xf32>>) -> !device.rows<"g", 8 : i64>
  %x0 = "device.input"(%x) : (!gnn.node<"g", tensor<8xf32>>) -> !x
  // CHECK: "device.edges"(%{{.*}}) {kind = "in", operandSegmentSizes = array<i32: 1, 0, 0>} : (!gnn.graph<"g">) -> !device.edge_list<"g", "g">
  %r = "device.edges"(%g) {kind = "in", operandSegmentSizes = array<i32: 1, 0, 0>} : (!graph) -> !in
  // CHECK: "device.gemm"{{.*}} {functions = ["leaky_relu 0.2", "negate"], operandSegmentSizes = array<i32: 1, 1, 1, 0>}
  %z = "device.gemm"(%x0, %w, %b) {functions = ["leaky_relu 0.2", "negate"], operandSegmentSizes = array<i32: 1, 1, 1, 0>} : (!x, tensor<8x4xf32>, tensor<4xf32>) -> !h
  %p = "device.gemm"(%z, %u) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!h, tensor<4x2xf32>) -> !s
  %q = "device.gemm"(%z, %v, %p) {operandSegmentSizes = array<i32: 1, 1, 0, 1>, tile = array<i64: 16, 16>} : (!h, tensor<4x2xf32>, !s) -> !s
  // CHECK: "device.sddmm"{{.*}} {combine = "replace", functions = ["leaky_relu 0.2"], heads = 2 : i64, inner = "add"
  %a0 = "device.sddmm"(%r, %p, %q) {heads = 2 : i64, inner = "add", combine = "replace", functions = ["leaky_relu 0.2"], operandSegmentSizes = array<i32: 1, 1, 1, 0>} : (!in, !s, !s) -> !a
  %k = "device.constant_values"(%r, %scale) : (!in, !gnn.edge<"g", tensor<2xf32>>) -> !a
  // CHECK: "device.values_vadd"
  %a1 = "device.values_vadd"(%a0, %k) {function = "mul"} : (!a, !a) -> !a
  %m = "device.spdmm"(%r, %a1) {reduce = "max", operandSegmentSizes = array<i32: 1, 0, 1, 0, 0>} : (!in, !a) -> !s
  %a2 = "device.sddmm"(%r, %m, %a1) {heads = 2 : i64, inner = "dst", combine = "sub", operandSegmentSizes = array<i32: 1, 0, 1, 1>} : (!in, !s, !a) -> !a
  // CHECK: "device.map"
  %a3 = "device.map"(%a2) {functions = ["exp"]} : (!a) -> !a
  %t = "device.spdmm"(%r, %a3) {reduce = "sum", operandSegmentSizes = array<i32: 1, 0, 1, 0, 0>} : (!in, !a) -> !s
  // CHECK: "gnn.selection"() {rows = 2 : i64, shape = array<i64: 2, 2>, strides = array<i64: 1, 0>} : () -> tensor<2x4xf32>
  %heads = "gnn.selection"() {rows = 2 : i64, shape = array<i64: 2, 2>, strides = array<i64: 1, 0>} : () -> tensor<2x4xf32>
  %wide = "device.gemm"(%t, %heads) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!s, tensor<2x4xf32>) -> !h
  %y = "device.spdmm"(%r, %z, %a3) {reduce = "sum", operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>} : (!in, !h, !a) -> !h
  // CHECK: "device.vadd"{{.*}} {function = "div"}
  %n = "device.vadd"(%y, %wide) {function = "div"} : (!h, !h) -> !h
  // CHECK: "device.scaled_add"{{.*}} {functions = ["relu"]}
  %eps = "gnn.constant"() {value = 0.5 : f64} : () -> f32
  %sc = "device.scaled_add"(%n, %y, %eps) {functions = ["relu"]} : (!h, !h, f32) -> !h
  // CHECK: "device.concat"{{.*}} -> !device.rows<"g", 6 : i64>
  %cat = "device.concat"(%y, %t) : (!h, !s) -> !device.rows<"g", 6>
  // CHECK: "device.columns"{{.*}} {begin = 4 : i64, width = 2 : i64}
  %col = "device.columns"(%cat) {begin = 4 : i64, width = 2 : i64} : (!device.rows<"g", 6>) -> !s
  // CHECK: "device.output"
  %o0 = "device.output"(%n) : (!h) -> !gnn.node<"g", tensor<2x2xf32>>
  %o1 = "device.output"(%a3) : (!a) -> !gnn.edge<"g", tensor<2xf32>>
  return %o0, %o1 : !gnn.node<"g", tensor<2x2xf32>>, !gnn.edge<"g", tensor<2xf32>>
}

// Every kind of edge list, and rows of constants.
// CHECK-LABEL: func.func @edge_lists
func.func @edge_lists(%g: !graph, %xs: !gnn.sparse<"g", tensor<30xf32>>, %w: tensor<30x8xf32>, %t: !gnn.per<"etype", tensor<8x8xf32>>, %c: !gnn.edge<"g", f32>, %v: tensor<8x4xf32>, %b: tensor<4xf32>) {
  %us = "gnn.unique_edges"(%g) {end = "src"} : (!graph) -> !gnn.graph<"g.unique_src">
  %ud = "gnn.unique_edges"(%g) {end = "dst"} : (!graph) -> !gnn.graph<"g.unique_dst">
  %gl = "gnn.edge_set"(%g) {mode = "replace"} : (!graph) -> !gnn.graph<"g.replace">
  // CHECK: -> !device.edge_list<"columns", "g">
  %nz = "device.edges"(%xs) {kind = "nonzeros", operandSegmentSizes = array<i32: 1, 0, 0>} : (!gnn.sparse<"g", tensor<30xf32>>) -> !device.edge_list<"columns", "g">
  // CHECK: "device.constant"(%{{.*}}) {set = "columns"} : (tensor<30x8xf32>) -> !device.rows<"columns", 8 : i64>
  %k = "device.constant"(%w) {set = "columns"} : (tensor<30x8xf32>) -> !device.rows<"columns", 8>
  %x = "device.spdmm"(%nz, %k) {reduce = "sum", operandSegmentSizes = array<i32: 1, 1, 0, 0, 0>} : (!device.edge_list<"columns", "g">, !device.rows<"columns", 8>) -> !x
  // CHECK: {kind = "in", mean, operandSegmentSizes = array<i32: 1, 0, 1>}
  %in = "device.edges"(%g, %c) {kind = "in", mean, operandSegmentSizes = array<i32: 1, 0, 1>} : (!graph, !gnn.edge<"g", f32>) -> !in
  %out = "device.edges"(%g) {kind = "out", operandSegmentSizes = array<i32: 1, 0, 0>} : (!graph) -> !in
  %gs = "device.edges"(%us) {kind = "gather_src", operandSegmentSizes = array<i32: 1, 0, 0>} : (!gnn.graph<"g.unique_src">) -> !device.edge_list<"g", "g.unique_src.edges">
  %p = "device.spdmm"(%gs, %x) {reduce = "sum", operandSegmentSizes = array<i32: 1, 1, 0, 0, 0>} : (!device.edge_list<"g", "g.unique_src.edges">, !x) -> !device.rows<"g.unique_src.edges", 8>
  %pw = "device.gemm"(%p, %t) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!device.rows<"g.unique_src.edges", 8>, !gnn.per<"etype", tensor<8x8xf32>>) -> !device.rows<"g.unique_src.edges", 8>
  // CHECK: "device.layer"(%{{.*}}) {functions = ["relu"], operandSegmentSizes = array<i32: 1, 1, 1, 1, 0>}
  %ly = "device.layer"(%in, %x, %v, %b) {functions = ["relu"], operandSegmentSizes = array<i32: 1, 1, 1, 1, 0>} : (!in, !x, tensor<8x4xf32>, tensor<4xf32>) -> !h
  // CHECK: "device.layer"(%{{.*}}) {operandSegmentSizes = array<i32: 1, 1, 1, 0, 1>, transposed}
  %lt = "device.layer"(%gs, %x, %t, %pw) {transposed, operandSegmentSizes = array<i32: 1, 1, 1, 0, 1>} : (!device.edge_list<"g", "g.unique_src.edges">, !x, !gnn.per<"etype", tensor<8x8xf32>>, !device.rows<"g.unique_src.edges", 8>) -> !device.rows<"g.unique_src.edges", 8>
  // CHECK: -> !device.edge_list<"g.unique_src.edges", "g">
  %pin = "device.edges"(%g, %us) {kind = "in", operandSegmentSizes = array<i32: 1, 1, 0>} : (!graph, !gnn.graph<"g.unique_src">) -> !device.edge_list<"g.unique_src.edges", "g">
  %ex = "device.edges"(%g, %us) {kind = "expand", operandSegmentSizes = array<i32: 1, 1, 0>} : (!graph, !gnn.graph<"g.unique_src">) -> !device.edge_list<"g.unique_src.edges", "g.edges">
  %co = "device.edges"(%g, %ud) {kind = "collapse", operandSegmentSizes = array<i32: 1, 1, 0>} : (!graph, !gnn.graph<"g.unique_dst">) -> !device.edge_list<"g.edges", "g.unique_dst.edges">
  %cs = "device.edges"(%g, %ud) {kind = "collapse_src", operandSegmentSizes = array<i32: 1, 1, 0>} : (!graph, !gnn.graph<"g.unique_dst">) -> !device.edge_list<"g", "g.unique_dst.edges">
  %te = "device.edges"(%g) {kind = "type_edge", per = "etype", operandSegmentSizes = array<i32: 1, 0, 0>} : (!graph) -> !device.edge_list<"etype", "g.edges">
  %po = "device.edges"(%g) {kind = "pool", operandSegmentSizes = array<i32: 1, 0, 0>} : (!graph) -> !device.edge_list<"g", "graph">
  %pa = "device.edges"(%g) {kind = "part", type = 2 : i64, operandSegmentSizes = array<i32: 1, 0, 0>} : (!graph) -> !device.edge_list<"g", "g:2">
  %un = "device.edges"(%g) {kind = "unite", type = 2 : i64, operandSegmentSizes = array<i32: 1, 0, 0>} : (!graph) -> !device.edge_list<"g:2", "g">
  %ot = "device.edges"(%g) {kind = "others", type = 2 : i64, operandSegmentSizes = array<i32: 1, 0, 0>} : (!graph) -> !in
  %xt = "device.edges"(%gl) {kind = "extend", operandSegmentSizes = array<i32: 1, 0, 0>} : (!gnn.graph<"g.replace">) -> !device.edge_list<"g.edges", "g.replace.edges">
  %br = "device.edges"(%g) {kind = "broadcast", to = "g.edges", operandSegmentSizes = array<i32: 1, 0, 0>} : (!graph) -> !device.edge_list<"one", "g.edges">
  return
}

// CHECK-LABEL: func.func @run_time_matrices
func.func @run_time_matrices(%g: !gnn.graph<"g">, %a: !gnn.node<"g", tensor<8xf32>>) {
  %x = "device.input"(%a) : (!gnn.node<"g", tensor<8xf32>>) -> !device.rows<"g", 8>
  // CHECK: "device.outer_sum"{{.*}} -> !device.rows<"one", 64 : i64>
  %s = "device.outer_sum"(%x, %x) {unit = "host"} : (!device.rows<"g", 8>, !device.rows<"g", 8>) -> !device.rows<"one", 64>
  // CHECK: "device.product"{{.*}}transposed
  %y = "device.product"(%x, %s) {transposed, functions = ["relu"]} : (!device.rows<"g", 8>, !device.rows<"one", 64>) -> !device.rows<"g", 8>
  // CHECK: "device.edges"{{.*}}kind = "total"{{.*}} -> !device.edge_list<"g", "one">
  %t = "device.edges"(%g) {kind = "total", operandSegmentSizes = array<i32: 1, 0, 0>} : (!gnn.graph<"g">) -> !device.edge_list<"g", "one">
  return
}

// CHECK-LABEL: func.func @picked_rows
func.func @picked_rows(%q: !gnn.node<"g", tensor<9xi32>>, %e: tensor<7x4xf32>) {
  %i = "device.input"(%q) : (!gnn.node<"g", tensor<9xi32>>) -> !device.rows<"g", 9>
  %t = "device.constant"(%e) : (tensor<7x4xf32>) -> !device.rows<"one", 28>
  // CHECK: "device.lookup"{{.*}}column = 3 : i64{{.*}} -> !device.rows<"g", 4 : i64>
  %h = "device.lookup"(%t, %i) {rows = 7 : i64, column = 3 : i64, high = 4 : i64, unit = "host"} : (!device.rows<"one", 28>, !device.rows<"g", 9>) -> !device.rows<"g", 4>
  // CHECK: "device.lookup"{{.*}}each{{.*}} -> !device.rows<"g", 2 : i64>
  %y = "device.lookup"(%h, %i) {rows = 2 : i64, column = 0 : i64, each} : (!device.rows<"g", 4>, !device.rows<"g", 9>) -> !device.rows<"g", 2>
  return
}
