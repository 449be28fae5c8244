// Each function violates one condition of Algorithm 5 of GraphAGILE.
// RUN: gnn-opt %s > %t.before
// RUN: gnn-opt --pass-pipeline=gnn-order %s > %t.after
// RUN: diff %t.before %t.after

!x = !gnn.node<"g", tensor<64xf32>>
!y = !gnn.node<"g", tensor<8xf32>>
!h = !gnn.node<"g", tensor<4x2xf32>>

// Line 3: the aggregate has two children.
func.func @two_children(%g: !gnn.graph<"g">, %x: !x, %w: tensor<64x8xf32>) -> (!y, !x) {
  %0 = "gnn.aggregate"(%g, %x) {reduce = "sum", direction = "in"} : (!gnn.graph<"g">, !x) -> !x
  %1 = "gnn.linear"(%0, %w) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!x, tensor<64x8xf32>) -> !y
  return %1, %0 : !y, !x
}

// Line 4: the linear layer has two parents.
func.func @two_parents(%g: !gnn.graph<"g">, %x: !x, %a: !y, %w: tensor<64x8xf32>) -> !y {
  %0 = "gnn.aggregate"(%g, %x) {reduce = "sum", direction = "in"} : (!gnn.graph<"g">, !x) -> !x
  %1 = "gnn.linear"(%0, %w, %a) {operandSegmentSizes = array<i32: 1, 1, 0, 1>} : (!x, tensor<64x8xf32>, !y) -> !y
  return %1 : !y
}

// Line 5: an activation is between them, on its own or inside either layer; or a bias; or a reshape to heads.
func.func @not_a_pair(%g: !gnn.graph<"g">, %x: !x, %z: !y, %w: tensor<64x8xf32>, %v: tensor<8x64xf32>, %b: tensor<64xf32>) -> (!y, !y, !x, !x) {
  %0 = "gnn.aggregate"(%g, %x) {reduce = "sum", direction = "in"} : (!gnn.graph<"g">, !x) -> !x
  %1 = "gnn.activation"(%0) {function = "relu"} : (!x) -> !x
  %2 = "gnn.linear"(%1, %w) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!x, tensor<64x8xf32>) -> !y
  %3 = "gnn.aggregate"(%g, %x) {reduce = "sum", direction = "in", activation = "relu"} : (!gnn.graph<"g">, !x) -> !x
  %4 = "gnn.linear"(%3, %w) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!x, tensor<64x8xf32>) -> !y
  %5 = "gnn.linear"(%z, %v) {operandSegmentSizes = array<i32: 1, 1, 0, 0>, activation = "relu"} : (!y, tensor<8x64xf32>) -> !x
  %6 = "gnn.aggregate"(%g, %5) {reduce = "sum", direction = "in"} : (!gnn.graph<"g">, !x) -> !x
  %7 = "gnn.linear"(%z, %v, %b) {operandSegmentSizes = array<i32: 1, 1, 1, 0>} : (!y, tensor<8x64xf32>, tensor<64xf32>) -> !x
  %8 = "gnn.aggregate"(%g, %7) {reduce = "sum", direction = "in"} : (!gnn.graph<"g">, !x) -> !x
  return %2, %4, %6, %8 : !y, !y, !x, !x
}

// One weight per head is not a scalar.
func.func @heads(%g: !gnn.graph<"g">, %x: !y, %w: tensor<8x8xf32>, %e: !gnn.edge<"g", tensor<4xf32>>) -> !h {
  %0 = "gnn.linear"(%x, %w) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!y, tensor<8x8xf32>) -> !y
  %1 = "gnn.reshape"(%0) {shape = array<i64: 4, 2>} : (!y) -> !h
  %2 = "gnn.aggregate"(%g, %1, %e) {reduce = "sum", direction = "in"} : (!gnn.graph<"g">, !h, !gnn.edge<"g", tensor<4xf32>>) -> !h
  return %2 : !h
}

// Line 6: a maximum is not linear.
func.func @maximum(%g: !gnn.graph<"g">, %x: !x, %w: tensor<64x8xf32>) -> !y {
  %0 = "gnn.aggregate"(%g, %x) {reduce = "max", direction = "in"} : (!gnn.graph<"g">, !x) -> !x
  %1 = "gnn.linear"(%0, %w) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!x, tensor<64x8xf32>) -> !y
  return %1 : !y
}

// Line 7: equal widths cost the same in both orders (Theorem 2).
func.func @equal(%g: !gnn.graph<"g">, %x: !y, %w: tensor<8x8xf32>) -> (!y, !y) {
  %0 = "gnn.aggregate"(%g, %x) {reduce = "sum", direction = "in"} : (!gnn.graph<"g">, !y) -> !y
  %1 = "gnn.linear"(%0, %w) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!y, tensor<8x8xf32>) -> !y
  %2 = "gnn.linear"(%x, %w) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!y, tensor<8x8xf32>) -> !y
  %3 = "gnn.aggregate"(%g, %2) {reduce = "sum", direction = "in"} : (!gnn.graph<"g">, !y) -> !y
  return %1, %3 : !y, !y
}
