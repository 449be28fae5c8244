// Every operation of the graphagile level.
// RUN: gnn-opt %s --verify-roundtrip | FileCheck %s
// RUN: gnn-opt --print-irdl -o %t.irdl.mlir && gnn-opt %s | mlir-opt --irdl-file=%t.irdl.mlir --canonicalize --cse | FileCheck %s

!graph = !gnn.graph<"g">
!in = !graphagile.edge_list<"g", "g">
!x = !graphagile.rows<"g", 8>
!h = !graphagile.rows<"g", 4>
!s = !graphagile.rows<"g", 2>
!e = !graphagile.rows<"g.edges", 8>
!a = !graphagile.values<"g", "g", 2>

// Attention with two heads: logits, the division behind the weighted sum.
// CHECK-LABEL: func.func @attention
func.func @attention(%g: !graph, %x: !gnn.node<"g", tensor<8xf32>>, %w: tensor<8x4xf32>, %b: tensor<4xf32>, %u: tensor<4x2xf32>, %v: tensor<4x2xf32>,
                     %scale: !gnn.edge<"g", tensor<2xf32>>) -> (!gnn.node<"g", tensor<2x2xf32>>, !gnn.edge<"g", tensor<2xf32>>) {
  // CHECK: "graphagile.input"(%{{.*}}) : (!gnn.node<"g", tensor<8xf32>>) -> !graphagile.rows<"g", 8 : i64>
  %x0 = "graphagile.input"(%x) : (!gnn.node<"g", tensor<8xf32>>) -> !x
  // CHECK: "graphagile.relation"(%{{.*}}) {kind = "in", operandSegmentSizes = array<i32: 1, 0, 0>} : (!gnn.graph<"g">) -> !graphagile.edge_list<"g", "g">
  %r = "graphagile.relation"(%g) {kind = "in", operandSegmentSizes = array<i32: 1, 0, 0>} : (!graph) -> !in
  // CHECK: "graphagile.gemm"{{.*}} {functions = ["leaky_relu 0.2", "negate"], operandSegmentSizes = array<i32: 1, 1, 1, 0>}
  %z = "graphagile.gemm"(%x0, %w, %b) {functions = ["leaky_relu 0.2", "negate"], operandSegmentSizes = array<i32: 1, 1, 1, 0>} : (!x, tensor<8x4xf32>, tensor<4xf32>) -> !h
  %p = "graphagile.gemm"(%z, %u) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!h, tensor<4x2xf32>) -> !s
  %q = "graphagile.gemm"(%z, %v, %p) {operandSegmentSizes = array<i32: 1, 1, 0, 1>, tile = array<i64: 16, 16>} : (!h, tensor<4x2xf32>, !s) -> !s
  // CHECK: "graphagile.sddmm"{{.*}} {combine = "replace", functions = ["leaky_relu 0.2"], heads = 2 : i64, inner = "add"
  %a0 = "graphagile.sddmm"(%r, %p, %q) {heads = 2 : i64, inner = "add", combine = "replace", functions = ["leaky_relu 0.2"], operandSegmentSizes = array<i32: 1, 1, 1, 0>} : (!in, !s, !s) -> !a
  %k = "graphagile.constant_values"(%r, %scale) : (!in, !gnn.edge<"g", tensor<2xf32>>) -> !a
  // CHECK: "graphagile.values_vadd"
  %a1 = "graphagile.values_vadd"(%a0, %k) {function = "mul"} : (!a, !a) -> !a
  %m = "graphagile.spdmm"(%r, %a1) {reduce = "max", operandSegmentSizes = array<i32: 1, 0, 1, 0, 0>} : (!in, !a) -> !s
  %a2 = "graphagile.sddmm"(%r, %m, %a1) {heads = 2 : i64, inner = "dst", combine = "sub", operandSegmentSizes = array<i32: 1, 0, 1, 1>} : (!in, !s, !a) -> !a
  // CHECK: "graphagile.map"
  %a3 = "graphagile.map"(%a2) {functions = ["exp"]} : (!a) -> !a
  %t = "graphagile.spdmm"(%r, %a3) {reduce = "sum", operandSegmentSizes = array<i32: 1, 0, 1, 0, 0>} : (!in, !a) -> !s
  // CHECK: "gnn.selection"() {rows = 2 : i64, shape = array<i64: 2, 2>, strides = array<i64: 1, 0>} : () -> tensor<2x4xf32>
  %heads = "gnn.selection"() {rows = 2 : i64, shape = array<i64: 2, 2>, strides = array<i64: 1, 0>} : () -> tensor<2x4xf32>
  %wide = "graphagile.gemm"(%t, %heads) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!s, tensor<2x4xf32>) -> !h
  %y = "graphagile.spdmm"(%r, %z, %a3) {reduce = "sum", operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>} : (!in, !h, !a) -> !h
  // CHECK: "graphagile.vadd"{{.*}} {function = "div"}
  %n = "graphagile.vadd"(%y, %wide) {function = "div"} : (!h, !h) -> !h
  // CHECK: "graphagile.scaled_add"{{.*}} {functions = ["relu"]}
  %eps = "gnn.constant"() {value = 0.5 : f64} : () -> f32
  %sc = "graphagile.scaled_add"(%n, %y, %eps) {functions = ["relu"]} : (!h, !h, f32) -> !h
  // CHECK: "graphagile.concat"{{.*}} -> !graphagile.rows<"g", 6 : i64>
  %cat = "graphagile.concat"(%y, %t) : (!h, !s) -> !graphagile.rows<"g", 6>
  // CHECK: "graphagile.columns"{{.*}} {begin = 4 : i64, width = 2 : i64}
  %col = "graphagile.columns"(%cat) {begin = 4 : i64, width = 2 : i64} : (!graphagile.rows<"g", 6>) -> !s
  // CHECK: "graphagile.output"
  %o0 = "graphagile.output"(%n) : (!h) -> !gnn.node<"g", tensor<2x2xf32>>
  %o1 = "graphagile.output"(%a3) : (!a) -> !gnn.edge<"g", tensor<2xf32>>
  return %o0, %o1 : !gnn.node<"g", tensor<2x2xf32>>, !gnn.edge<"g", tensor<2xf32>>
}

// Every kind of relation, and constants as rows.
// CHECK-LABEL: func.func @relations
func.func @relations(%g: !graph, %xs: !gnn.sparse<"g", tensor<30xf32>>, %w: tensor<30x8xf32>, %t: !gnn.per<"etype", tensor<8x8xf32>>, %c: !gnn.edge<"g", f32>) {
  %us = "gnn.unique_edges"(%g) {end = "src"} : (!graph) -> !gnn.graph<"g.unique_src">
  %ud = "gnn.unique_edges"(%g) {end = "dst"} : (!graph) -> !gnn.graph<"g.unique_dst">
  %gl = "gnn.self_loops"(%g) {mode = "replace"} : (!graph) -> !gnn.graph<"g.replace">
  // CHECK: -> !graphagile.edge_list<"columns", "g">
  %nz = "graphagile.relation"(%xs) {kind = "nonzeros", operandSegmentSizes = array<i32: 1, 0, 0>} : (!gnn.sparse<"g", tensor<30xf32>>) -> !graphagile.edge_list<"columns", "g">
  // CHECK: "graphagile.constant"(%{{.*}}) {set = "columns"} : (tensor<30x8xf32>) -> !graphagile.rows<"columns", 8 : i64>
  %k = "graphagile.constant"(%w) {set = "columns"} : (tensor<30x8xf32>) -> !graphagile.rows<"columns", 8>
  %x = "graphagile.spdmm"(%nz, %k) {reduce = "sum", operandSegmentSizes = array<i32: 1, 1, 0, 0, 0>} : (!graphagile.edge_list<"columns", "g">, !graphagile.rows<"columns", 8>) -> !x
  // CHECK: {kind = "in", mean, operandSegmentSizes = array<i32: 1, 0, 1>}
  %in = "graphagile.relation"(%g, %c) {kind = "in", mean, operandSegmentSizes = array<i32: 1, 0, 1>} : (!graph, !gnn.edge<"g", f32>) -> !in
  %out = "graphagile.relation"(%g) {kind = "out", operandSegmentSizes = array<i32: 1, 0, 0>} : (!graph) -> !in
  %gs = "graphagile.relation"(%us) {kind = "gather_src", operandSegmentSizes = array<i32: 1, 0, 0>} : (!gnn.graph<"g.unique_src">) -> !graphagile.edge_list<"g", "g.unique_src.edges">
  %p = "graphagile.spdmm"(%gs, %x) {reduce = "sum", operandSegmentSizes = array<i32: 1, 1, 0, 0, 0>} : (!graphagile.edge_list<"g", "g.unique_src.edges">, !x) -> !graphagile.rows<"g.unique_src.edges", 8>
  %pw = "graphagile.gemm"(%p, %t) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!graphagile.rows<"g.unique_src.edges", 8>, !gnn.per<"etype", tensor<8x8xf32>>) -> !graphagile.rows<"g.unique_src.edges", 8>
  // CHECK: -> !graphagile.edge_list<"g.unique_src.edges", "g">
  %pin = "graphagile.relation"(%g, %us) {kind = "in", operandSegmentSizes = array<i32: 1, 1, 0>} : (!graph, !gnn.graph<"g.unique_src">) -> !graphagile.edge_list<"g.unique_src.edges", "g">
  %ex = "graphagile.relation"(%g, %us) {kind = "expand", operandSegmentSizes = array<i32: 1, 1, 0>} : (!graph, !gnn.graph<"g.unique_src">) -> !graphagile.edge_list<"g.unique_src.edges", "g.edges">
  %co = "graphagile.relation"(%g, %ud) {kind = "collapse", operandSegmentSizes = array<i32: 1, 1, 0>} : (!graph, !gnn.graph<"g.unique_dst">) -> !graphagile.edge_list<"g.edges", "g.unique_dst.edges">
  %cs = "graphagile.relation"(%g, %ud) {kind = "collapse_src", operandSegmentSizes = array<i32: 1, 1, 0>} : (!graph, !gnn.graph<"g.unique_dst">) -> !graphagile.edge_list<"g", "g.unique_dst.edges">
  %te = "graphagile.relation"(%g) {kind = "type_edge", per = "etype", operandSegmentSizes = array<i32: 1, 0, 0>} : (!graph) -> !graphagile.edge_list<"etype", "g.edges">
  %po = "graphagile.relation"(%g) {kind = "pool", operandSegmentSizes = array<i32: 1, 0, 0>} : (!graph) -> !graphagile.edge_list<"g", "graph">
  %pa = "graphagile.relation"(%g) {kind = "part", type = 2 : i64, operandSegmentSizes = array<i32: 1, 0, 0>} : (!graph) -> !graphagile.edge_list<"g", "g:2">
  %un = "graphagile.relation"(%g) {kind = "unite", type = 2 : i64, operandSegmentSizes = array<i32: 1, 0, 0>} : (!graph) -> !graphagile.edge_list<"g:2", "g">
  %ot = "graphagile.relation"(%g) {kind = "others", type = 2 : i64, operandSegmentSizes = array<i32: 1, 0, 0>} : (!graph) -> !in
  %xt = "graphagile.relation"(%gl) {kind = "extend", operandSegmentSizes = array<i32: 1, 0, 0>} : (!gnn.graph<"g.replace">) -> !graphagile.edge_list<"g.edges", "g.replace.edges">
  %br = "graphagile.relation"(%g) {kind = "broadcast", to = "g.edges", operandSegmentSizes = array<i32: 1, 0, 0>} : (!graph) -> !graphagile.edge_list<"one", "g.edges">
  return
}
