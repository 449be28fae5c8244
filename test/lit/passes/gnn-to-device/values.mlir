// Scalars and heads of edges are values of an edge list where the level has a form for all operations that make and read them.
// RUN: gnn-opt -O 2 --pass-pipeline=gnn-to-device %s | FileCheck %s
// RUN: gnn-opt -O 2 --pass-pipeline='gnn-to-device{values=false}' %s | FileCheck %s --check-prefix=ROWS
// RUN: gnn-opt -O 2 --pass-pipeline='gnn-to-device{divide-later=false}' %s | FileCheck %s --check-prefix=EARLY

!graph = !gnn.graph<"g">
!s = !gnn.graph<"g.replace">
!z = !gnn.node<"g", tensor<2x4xf32>>
!p = !gnn.node<"g", tensor<2xf32>>
!a = !gnn.edge<"g.replace", tensor<2xf32>>
!e = !gnn.edge<"g", f32>

// GAT: no rows of edges, and the division by the sums follows the sums that it weighs.
// CHECK-LABEL: @attention
// CHECK: [[R:%.*]] = "device.edges"({{.*}}) {kind = "in"
// CHECK: [[A:%.*]] = "device.sddmm"([[R]], {{.*}}) {combine = "replace", functions = ["leaky_relu 0.200000003"], heads = 2 : i64, inner = "add"
// CHECK: [[M:%.*]] = "device.spdmm"([[R]], [[A]]) {{.*}}reduce = "max"
// CHECK: [[B:%.*]] = "device.sddmm"([[R]], [[M]], [[A]]) {combine = "sub", functions = ["exp"], heads = 2 : i64, inner = "dst"
// CHECK: [[T:%.*]] = "device.spdmm"([[R]], [[B]]) {{.*}}reduce = "sum"
// CHECK: [[Y:%.*]] = "device.spdmm"([[R]], {{.*}}, [[B]]) {{.*}}reduce = "sum"
// CHECK: [[W:%.*]] = "device.gemm"([[T]], {{.*}} -> !device.rows<"g", 8 : i64>
// CHECK: "device.vadd"([[Y]], [[W]]) {function = "div"}
// ROWS-LABEL: @attention
// ROWS-NOT: device.values
// ROWS: "device.edges"({{.*}}) {kind = "gather_dst"
// EARLY-LABEL: @attention
// EARLY: "device.sddmm"({{.*}}) {combine = "div", heads = 2 : i64, inner = "dst"
func.func @attention(%g: !graph, %z: !z, %p: !p, %q: !p) -> !z {
  %s = "gnn.edge_set"(%g) {mode = "replace"} : (!graph) -> !s
  %ps = "gnn.gather"(%s, %p) {end = "src"} : (!s, !p) -> !a
  %qd = "gnn.gather"(%s, %q) {end = "dst"} : (!s, !p) -> !a
  %a = "gnn.vector_add"(%ps, %qd) {activation = "leaky_relu", slope = 0.2 : f64} : (!a, !a) -> !a
  %m = "gnn.aggregate"(%s, %a) {direction = "in", reduce = "max"} : (!s, !a) -> !p
  %md = "gnn.gather"(%s, %m) {end = "dst"} : (!s, !p) -> !a
  %d = "gnn.subtract"(%a, %md) : (!a, !a) -> !a
  %b = "gnn.activation"(%d) {function = "exp"} : (!a) -> !a
  %t = "gnn.aggregate"(%s, %b) {direction = "in", reduce = "sum"} : (!s, !a) -> !p
  %td = "gnn.gather"(%s, %t) {end = "dst"} : (!s, !p) -> !a
  %n = "gnn.divide"(%b, %td) : (!a, !a) -> !a
  %y = "gnn.aggregate"(%s, %z, %n) {direction = "in", reduce = "sum"} : (!s, !z, !a) -> !z
  return %y : !z
}

// Inner products of both ends. Where a node may have no edge, its sum of 0 is divided by 1.
// CHECK-LABEL: @inner
// CHECK: [[A:%.*]] = "device.sddmm"([[R:%.*]], [[X:%.*]], [[X]]) {combine = "replace", functions = ["mul_constant 0.5"], heads = 1 : i64, inner = "dot"
// CHECK: [[T:%.*]] = "device.spdmm"([[R]], [[A]]) {{.*}}reduce = "sum"
// CHECK: "gnn.compare"({{.*}}) {predicate = "eq"}
// CHECK: [[D:%.*]] = "device.vadd"([[T]], {{.*}}) {function = "add"}
// CHECK: [[Y:%.*]] = "device.spdmm"([[R]], [[X]], [[A]])
// CHECK: "device.vadd"([[Y]], [[D]]) {bcast, function = "div"}
func.func @inner(%g: !graph, %x: !gnn.node<"g", tensor<8xf32>>) -> !gnn.node<"g", tensor<8xf32>> {
  %xs = "gnn.gather"(%g, %x) {end = "src"} : (!graph, !gnn.node<"g", tensor<8xf32>>) -> !gnn.edge<"g", tensor<8xf32>>
  %xd = "gnn.gather"(%g, %x) {end = "dst"} : (!graph, !gnn.node<"g", tensor<8xf32>>) -> !gnn.edge<"g", tensor<8xf32>>
  %i = "gnn.vector_inner"(%xs, %xd) : (!gnn.edge<"g", tensor<8xf32>>, !gnn.edge<"g", tensor<8xf32>>) -> !e
  %k = "gnn.constant"() {value = 0.5 : f64} : () -> f32
  %a = "gnn.multiply"(%i, %k) : (!e, f32) -> !e
  %t = "gnn.aggregate"(%g, %a) {direction = "in", reduce = "sum"} : (!graph, !e) -> !gnn.node<"g", f32>
  %td = "gnn.gather"(%g, %t) {end = "dst"} : (!graph, !gnn.node<"g", f32>) -> !e
  %n = "gnn.divide"(%a, %td) : (!e, !e) -> !e
  %y = "gnn.aggregate"(%g, %x, %n) {direction = "in", reduce = "sum"} : (!graph, !gnn.node<"g", tensor<8xf32>>, !e) -> !gnn.node<"g", tensor<8xf32>>
  return %y : !gnn.node<"g", tensor<8xf32>>
}

// An input per edge becomes rows, and so do values that are combined with it. Sums in both directions have no common order of edges.
// CHECK-LABEL: @rows
// CHECK-NOT: device.values
// CHECK: return
func.func @rows(%g: !graph, %w: !e, %x: !gnn.node<"g", f32>) -> (!gnn.node<"g", f32>, !gnn.node<"g", f32>) {
  %xs = "gnn.gather"(%g, %x) {end = "src"} : (!graph, !gnn.node<"g", f32>) -> !e
  %a = "gnn.multiply"(%xs, %w) : (!e, !e) -> !e
  %y = "gnn.aggregate"(%g, %a) {direction = "in", reduce = "sum"} : (!graph, !e) -> !gnn.node<"g", f32>
  %b = "gnn.activation"(%xs) {function = "exp"} : (!e) -> !e
  %in = "gnn.aggregate"(%g, %b) {direction = "in", reduce = "max"} : (!graph, !e) -> !gnn.node<"g", f32>
  %out = "gnn.aggregate"(%g, %b) {direction = "out", reduce = "max"} : (!graph, !e) -> !gnn.node<"g", f32>
  %both = "gnn.vector_add"(%in, %out) : (!gnn.node<"g", f32>, !gnn.node<"g", f32>) -> !gnn.node<"g", f32>
  return %y, %both : !gnn.node<"g", f32>, !gnn.node<"g", f32>
}

// A mean over values is the sum times a constant row; values may be an output.
// CHECK-LABEL: @mean
// CHECK: [[A:%.*]] = "device.sddmm"
// CHECK: [[S:%.*]] = "device.spdmm"({{.*}}, [[A]])
// CHECK: [[C:%.*]] = "device.constant"
// CHECK: "device.vadd"([[S]], [[C]]) {function = "mul"}
// CHECK: "device.output"([[A]]) : (!device.values<"g", "g", 1 : i64>) -> !gnn.edge<"g", f32>
func.func @mean(%g: !graph, %x: !gnn.node<"g", f32>) -> (!gnn.node<"g", f32>, !e) {
  %xs = "gnn.gather"(%g, %x) {end = "src"} : (!graph, !gnn.node<"g", f32>) -> !e
  %a = "gnn.activation"(%xs) {function = "tanh"} : (!e) -> !e
  %y = "gnn.aggregate"(%g, %a) {direction = "in", reduce = "mean"} : (!graph, !e) -> !gnn.node<"g", f32>
  return %y, %a : !gnn.node<"g", f32>, !e
}
