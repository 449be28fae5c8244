// Functions of the table with their numbers, and functions of two numbers without an operation of their own.
// RUN: gnn-opt --pass-pipeline=gnn-to-device %s | FileCheck %s

!x = !gnn.node<"g", tensor<4xf32>>
!h = !gnn.node<"g", f32>
!a = !gnn.edge<"g", f32>

// A constant that is the first operand becomes rows, because the operands cannot be exchanged.
// CHECK-LABEL: @rows
// CHECK: [[K:%.*]] = "gnn.constant"
// CHECK: [[Y:%.*]] = "device.map"({{.*}}) {functions = ["clamp -1 0.300000012"]}
// CHECK: "device.vadd"([[Y]], [[K]]) {bcast, function = "pow"}
// CHECK: [[C:%.*]] = "device.constant"([[K]]) : (f32) -> !device.rows<"one", 1 : i64>
// CHECK: [[B:%.*]] = "device.spdmm"({{.*}}, [[C]])
// CHECK: [[W:%.*]] = "device.gemm"([[B]]
// CHECK: "device.vadd"([[W]], [[Y]]) {function = "pow"}
// CHECK: [[S:%.*]] = "device.input"({{.*}}) : (!gnn.node<"g", f32>)
// CHECK: [[T:%.*]] = "device.gemm"([[S]]
// CHECK: "device.vadd"([[T]], [[Y]]) {function = "atan2"}
// CHECK: "device.vadd"([[Y]], [[S]]) {bcast, function = "atan2"}
func.func @rows(%g: !gnn.graph<"g">, %x: !x, %s: !h) -> (!x, !x, !x, !x) {
  %two = "gnn.constant"() {value = 2.0 : f64} : () -> f32
  %y = "gnn.activation"(%x) {function = "clamp", low = -1.0 : f64, high = 0.3 : f64} : (!x) -> !x
  %0 = "gnn.binary"(%y, %two) {function = "pow"} : (!x, f32) -> !x
  %1 = "gnn.binary"(%two, %y) {function = "pow"} : (f32, !x) -> !x
  %2 = "gnn.binary"(%s, %y) {function = "atan2"} : (!h, !x) -> !x
  %3 = "gnn.binary"(%y, %s) {function = "atan2"} : (!x, !h) -> !x
  return %0, %1, %2, %3 : !x, !x, !x, !x
}

// Such a function combines two values of edges, but not a value with a sum over the columns of an end.
// CHECK-LABEL: @values
// CHECK: [[P:%.*]] = "device.sddmm"({{.*}}) {combine = "replace", heads = 1 : i64, inner = "src"
// CHECK: [[Q:%.*]] = "device.sddmm"({{.*}}) {combine = "replace", heads = 1 : i64, inner = "dst"
// CHECK: [[A:%.*]] = "device.values_vadd"([[P]], [[Q]]) {function = "atan2", functions = ["softplus"]}
// CHECK: [[K:%.*]] = "device.constant_values"
// CHECK: "device.values_vadd"([[K]], [[A]]) {function = "pow"}
func.func @values(%g: !gnn.graph<"g">, %x: !x, %p: !h, %q: !h) -> !x {
  %two = "gnn.constant"() {value = 2.0 : f64} : () -> f32
  %ps = "gnn.gather"(%g, %p) {end = "src"} : (!gnn.graph<"g">, !h) -> !a
  %qd = "gnn.gather"(%g, %q) {end = "dst"} : (!gnn.graph<"g">, !h) -> !a
  %a = "gnn.binary"(%ps, %qd) {function = "atan2"} : (!a, !a) -> !a
  %b = "gnn.activation"(%a) {function = "softplus"} : (!a) -> !a
  %c = "gnn.binary"(%two, %b) {function = "pow"} : (f32, !a) -> !a
  %y = "gnn.aggregate"(%g, %x, %c) {reduce = "sum", direction = "in"} : (!gnn.graph<"g">, !x, !a) -> !x
  return %y : !x
}
