// The gradient of a table is a sum of the rows with each index, whatever the number of its rows.
// RUN: gnn-opt --split-input-file --pass-pipeline=gnn-differentiate,gnn-canonicalize,gnn-cse,gnn-dce %s | FileCheck %s

!h = !gnn.node<"g", tensor<4xf32>>

// CHECK-LABEL: func.func @table(
// CHECK:         [[D:%.*]] = "gnn.derivative"
// CHECK:         [[T:%.*]] = "gnn.sum_by"(%arg0, [[D]], %arg1) {high = 50 : i64, rows = 100000 : i64} : (!gnn.graph<"g">, !gnn.node<"g", tensor<4xf32>>, !gnn.node<"g", i32>) -> tensor<100000x4xf32>
// CHECK:         return {{%.*}}, [[T]]
module attributes {gnn.training} {
  func.func @table(%g: !gnn.graph<"g">, %z: !gnn.node<"g", i32>, %t: tensor<100000x4xf32> {gnn.name = "T", gnn.weight})
      -> (f32 {gnn.name = "l", gnn.loss, gnn.of = "gradients"}) {
    %x = "gnn.lookup"(%t, %z) {high = 50 : i64} : (tensor<100000x4xf32>, !gnn.node<"g", i32>) -> !h
    %y = "gnn.activation"(%x) {function = "tanh"} : (!h) -> !h
    %r = "gnn.reduce"(%y) {function = "sum"} : (!h) -> !gnn.node<"g", f32>
    %l = "gnn.total"(%g, %r) {reduce = "sum"} : (!gnn.graph<"g">, !gnn.node<"g", f32>) -> f32
    return %l : f32
  }
}

// -----

// One row that all nodes share is a product with a row of 0 and 1.
// CHECK-LABEL: func.func @shared(
// CHECK:         [[I:%.*]] = "gnn.convert"(%arg1)
// CHECK:         [[O:%.*]] = "gnn.compare"({{%.*}}, [[I]]) {predicate = "eq"}
// CHECK:         "gnn.outer"([[O]], {{%.*}}) : (tensor<3xf32>, tensor<4xf32>) -> tensor<3x4xf32>
// CHECK-NOT:     gnn.sum_by
module attributes {gnn.training} {
  func.func @shared(%g: !gnn.graph<"g">, %z: i32, %x: !gnn.node<"g", tensor<4xf32>>, %t: tensor<3x4xf32> {gnn.name = "T", gnn.weight})
      -> (f32 {gnn.name = "l", gnn.loss, gnn.of = "gradients"}) {
    %w = "gnn.lookup"(%t, %z) : (tensor<3x4xf32>, i32) -> tensor<4xf32>
    %r = "gnn.vector_inner"(%x, %w) : (!gnn.node<"g", tensor<4xf32>>, tensor<4xf32>) -> !gnn.node<"g", f32>
    %l = "gnn.total"(%g, %r) {reduce = "sum"} : (!gnn.graph<"g">, !gnn.node<"g", f32>) -> f32
    return %l : f32
  }
}

// -----

!x = !gnn.node<"g", tensor<2xf32>>
!h = !gnn.node<"g", tensor<4xf32>>

// Of a table of matrices no row gets a matrix: outer products are added to the row of the table.
// CHECK-LABEL: func.func @matrices(
// CHECK-NOT:     gnn.outer
// CHECK:         "gnn.sum_by"(%arg0, {{%.*}}, [[I:%.*]], %arg1) {high = 6 : i64, low = 0 : i64, rows = 7 : i64} : (!gnn.graph<"g">, !gnn.node<"g", tensor<4xf32>>, !gnn.node<"g", f32>, !gnn.node<"g", tensor<2xf32>>) -> tensor<7x2x4xf32>
module attributes {gnn.training} {
  func.func @matrices(%g: !gnn.graph<"g">, %x: !x, %t: tensor<7x2x4xf32> {gnn.name = "T", gnn.weight})
      -> (f32 {gnn.name = "l", gnn.loss, gnn.of = "gradients"}) {
    %i = "gnn.degree"(%g) {direction = "in"} : (!gnn.graph<"g">) -> !gnn.node<"g", f32>
    %w = "gnn.lookup"(%t, %i) {low = 0 : i64, high = 6 : i64} : (tensor<7x2x4xf32>, !gnn.node<"g", f32>) -> !gnn.node<"g", tensor<2x4xf32>>
    %y = "gnn.linear"(%x, %w) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!x, !gnn.node<"g", tensor<2x4xf32>>) -> !h
    %r = "gnn.reduce"(%y) {function = "sum"} : (!h) -> !gnn.node<"g", f32>
    %l = "gnn.total"(%g, %r) {reduce = "sum"} : (!gnn.graph<"g">, !gnn.node<"g", f32>) -> f32
    return %l : f32
  }
}
