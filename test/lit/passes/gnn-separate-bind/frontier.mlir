// Bind passes the smallest values from which run can go on, under unique names.
// RUN: gnn-opt --pass-pipeline=gnn-separate-bind %s | FileCheck %s

!n = !gnn.node<"g", f32>
!e = !gnn.edge<"g", f32>
!x = !gnn.node<"g", tensor<8xf32>>
!w = !gnn.per<"etype", tensor<8x8xf32>>

// A model output that depends on the graph alone passes through run.
// CHECK-LABEL: func.func @degrees.bind
// CHECK: [[D:%.*]] = "gnn.degree"
// CHECK: return [[D]]
// CHECK-LABEL: func.func @degrees.run
// CHECK-SAME: %degree: !gnn.node<"g", f32> {gnn.bound, gnn.name = "degree"}) -> (!gnn.node<"g", f32> {gnn.name = "d"})
// CHECK-NEXT: return %degree
func.func @degrees(%g: !gnn.graph<"g">) -> (!n {gnn.name = "d"}) {
  %0 = "gnn.degree"(%g) {direction = "in"} : (!gnn.graph<"g">) -> !n
  return %0 : !n
}

// For a gathered node value and a sliced weight, bind passes the operand: |V| numbers and not |E|, a matrix per type and not per edge.
// CHECK-LABEL: func.func @views.bind
// CHECK-NOT: gnn.gather
// CHECK-NOT: gnn.slice
// CHECK-LABEL: func.func @views.run
// CHECK-SAME: [[D:%degree]]: !gnn.node<"g", f32> {gnn.bound, gnn.name = "degree"}
// CHECK-SAME: [[W:%w]]: !gnn.per<"etype", tensor<8x8xf32>> {gnn.bound, gnn.name = "w"}
// CHECK: "gnn.slice"(%arg0, [[W]])
// CHECK: "gnn.gather"(%arg0, [[D]]) {end = "dst"}
ml_program.global private @w(#ml_program.extern<!w>) : !w
func.func @views(%g: !gnn.graph<"g">, %x: !x) -> !x {
  %d = "gnn.degree"(%g) {direction = "in"} : (!gnn.graph<"g">) -> !n
  %0 = "gnn.gather"(%g, %d) {end = "dst"} : (!gnn.graph<"g">, !n) -> !e
  %w = ml_program.global_load_const @w : !w
  %1 = "gnn.slice"(%g, %w) {by = "edge"} : (!gnn.graph<"g">, !w) -> !gnn.edge<"g", tensor<8x8xf32>>
  %2 = "gnn.gather"(%g, %x) {end = "src"} : (!gnn.graph<"g">, !x) -> !gnn.edge<"g", tensor<8xf32>>
  %3 = "gnn.linear"(%2, %1) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!gnn.edge<"g", tensor<8xf32>>, !gnn.edge<"g", tensor<8x8xf32>>) -> !gnn.edge<"g", tensor<8xf32>>
  %4 = "gnn.aggregate"(%g, %3, %0) {reduce = "sum", direction = "in"} : (!gnn.graph<"g">, !gnn.edge<"g", tensor<8xf32>>, !e) -> !x
  return %4 : !x
}

// Names that would be the same C identifier get different ones; those of inputs and outputs are taken first.
// CHECK-LABEL: func.func @names.bind
// CHECK-SAME: {gnn.name = "x_2"}
// CHECK-SAME: {gnn.name = "a.b"}
// CHECK-SAME: {gnn.name = "a_b_2"}
// CHECK-SAME: {gnn.name = "_1st"}
// CHECK-LABEL: func.func @names.run
// CHECK-SAME: {gnn.bound, gnn.name = "x_2"}
// CHECK-SAME: {gnn.bound, gnn.name = "a.b"}
// CHECK-SAME: {gnn.bound, gnn.name = "a_b_2"}
// CHECK-SAME: {gnn.bound, gnn.name = "_1st"}
// CHECK-SAME: {gnn.name = "x"}
func.func @names(%g: !gnn.graph<"g">, %x: !n {gnn.name = "x"}) -> !n {
  %0 = "gnn.degree"(%g) {direction = "in"} : (!gnn.graph<"g">) -> !n loc("x")
  %1 = "gnn.degree"(%g) {direction = "out"} : (!gnn.graph<"g">) -> !n loc("a.b")
  %2 = "gnn.vector_add"(%0, %1) : (!n, !n) -> !n loc("a_b")
  %3 = "gnn.multiply"(%0, %1) : (!n, !n) -> !n loc("1st")
  %4 = "gnn.multiply"(%x, %0) : (!n, !n) -> !n
  %5 = "gnn.multiply"(%4, %1) : (!n, !n) -> !n
  %6 = "gnn.multiply"(%5, %2) : (!n, !n) -> !n
  %7 = "gnn.multiply"(%6, %3) : (!n, !n) -> !n
  return %7 : !n
}
