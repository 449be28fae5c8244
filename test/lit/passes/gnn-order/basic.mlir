// Without a graph the widths decide (Theorem 2 of GraphAGILE). With a graph, equations (12) and (13) decide: statistics.mlir.
// RUN: gnn-opt --pass-pipeline=gnn-order %s | FileCheck %s

!x = !gnn.node<"g", tensor<64xf32>>
!y = !gnn.node<"g", tensor<8xf32>>

// From wide to narrow: the linear layer comes first.
// CHECK-LABEL: @narrowing
// CHECK-NEXT: [[H:%.*]] = "gnn.linear"(%arg1, %arg2)
// CHECK-NEXT: [[Y:%.*]] = "gnn.aggregate"(%arg0, [[H]], %arg3) {direction = "in", reduce = "sum"}
// CHECK-NEXT: return [[Y]]
func.func @narrowing(%g: !gnn.graph<"g">, %x: !x, %w: tensor<64x8xf32>, %e: !gnn.edge<"g", f32>) -> !y {
  %0 = "gnn.aggregate"(%g, %x, %e) {reduce = "sum", direction = "in"} : (!gnn.graph<"g">, !x, !gnn.edge<"g", f32>) -> !x
  %1 = "gnn.linear"(%0, %w) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!x, tensor<64x8xf32>) -> !y
  return %1 : !y
}

// From narrow to wide: the aggregate comes first; its activation follows the pair.
// CHECK-LABEL: @widening
// CHECK-NEXT: [[A:%.*]] = "gnn.aggregate"(%arg0, %arg1) {direction = "in", reduce = "mean"}
// CHECK-NEXT: [[H:%.*]] = "gnn.linear"([[A]], %arg2) {{.*}}transposed}
// CHECK-NEXT: [[Y:%.*]] = "gnn.activation"([[H]]) {alpha = 5.000000e-01 : f64, function = "elu"}
// CHECK-NEXT: return [[Y]]
func.func @widening(%g: !gnn.graph<"g">, %x: !y, %w: tensor<64x8xf32>) -> !x {
  %0 = "gnn.linear"(%x, %w) {operandSegmentSizes = array<i32: 1, 1, 0, 0>, transposed} : (!y, tensor<64x8xf32>) -> !x
  %1 = "gnn.aggregate"(%g, %0) {reduce = "mean", direction = "in", activation = "elu", alpha = 0.5 : f64} : (!gnn.graph<"g">, !x) -> !x
  return %1 : !x
}

// SGC: both aggregates come after the linear layer, its bias and activation last.
// CHECK-LABEL: @chain
// CHECK-NEXT: [[H:%.*]] = "gnn.linear"(%arg1, %arg2) {operandSegmentSizes = array<i32: 1, 1, 0, 0>}
// CHECK-NEXT: [[A:%.*]] = "gnn.aggregate"(%arg0, [[H]])
// CHECK-NEXT: [[B:%.*]] = "gnn.aggregate"(%arg0, [[A]])
// CHECK-NEXT: [[C:%.*]] = "gnn.vector_add"([[B]], %arg3)
// CHECK-NEXT: [[D:%.*]] = "gnn.activation"([[C]]) {function = "relu"}
// CHECK-NEXT: return [[D]]
func.func @chain(%g: !gnn.graph<"g">, %x: !x, %w: tensor<64x8xf32>, %b: tensor<8xf32>) -> !y {
  %0 = "gnn.aggregate"(%g, %x) {reduce = "sum", direction = "in"} : (!gnn.graph<"g">, !x) -> !x
  %1 = "gnn.aggregate"(%g, %0) {reduce = "sum", direction = "in"} : (!gnn.graph<"g">, !x) -> !x
  %2 = "gnn.linear"(%1, %w, %b) {operandSegmentSizes = array<i32: 1, 1, 1, 0>, activation = "relu"} : (!x, tensor<64x8xf32>, tensor<8xf32>) -> !y
  return %2 : !y
}

// In a chain that widens, the exchange moves layer by layer until nothing changes.
// CHECK-LABEL: @chain_down
// CHECK-NEXT: [[A:%.*]] = "gnn.aggregate"(%arg0, %arg1)
// CHECK-NEXT: [[B:%.*]] = "gnn.aggregate"(%arg0, [[A]])
// CHECK-NEXT: [[H:%.*]] = "gnn.linear"([[B]], %arg2)
// CHECK-NEXT: return [[H]]
func.func @chain_down(%g: !gnn.graph<"g">, %x: !y, %w: tensor<8x64xf32>) -> !x {
  %0 = "gnn.linear"(%x, %w) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!y, tensor<8x64xf32>) -> !x
  %1 = "gnn.aggregate"(%g, %0) {reduce = "sum", direction = "in"} : (!gnn.graph<"g">, !x) -> !x
  %2 = "gnn.aggregate"(%g, %1) {reduce = "sum", direction = "in"} : (!gnn.graph<"g">, !x) -> !x
  return %2 : !x
}

// GIN: (1 + eps) * x + sum(x) is linear in x, which is projected once.
// CHECK-LABEL: @sum_of_two
// CHECK-NEXT: [[H:%.*]] = "gnn.linear"(%arg1, %arg2)
// CHECK-NEXT: [[S:%.*]] = "gnn.multiply"([[H]], %arg3)
// CHECK-NEXT: [[A:%.*]] = "gnn.aggregate"(%arg0, [[H]])
// CHECK-NEXT: [[Y:%.*]] = "gnn.vector_add"([[S]], [[A]])
// CHECK-NEXT: return [[Y]]
func.func @sum_of_two(%g: !gnn.graph<"g">, %x: !x, %w: tensor<64x8xf32>, %eps: f32) -> !y {
  %0 = "gnn.multiply"(%x, %eps) : (!x, f32) -> !x
  %1 = "gnn.aggregate"(%g, %x) {reduce = "sum", direction = "in"} : (!gnn.graph<"g">, !x) -> !x
  %2 = "gnn.vector_add"(%0, %1) : (!x, !x) -> !x
  %3 = "gnn.linear"(%2, %w) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!x, tensor<64x8xf32>) -> !y
  return %3 : !y
}

// The sum of different values is not exchanged; the pair below it is.
// CHECK-LABEL: @sum_of_different
// CHECK-NEXT: [[S:%.*]] = "gnn.vector_add"(%arg1, %arg2)
// CHECK-NEXT: [[H:%.*]] = "gnn.linear"([[S]], %arg3)
// CHECK-NEXT: [[Y:%.*]] = "gnn.aggregate"(%arg0, [[H]])
// CHECK-NEXT: return [[Y]]
func.func @sum_of_different(%g: !gnn.graph<"g">, %x: !x, %z: !x, %w: tensor<64x8xf32>) -> !y {
  %0 = "gnn.vector_add"(%x, %z) : (!x, !x) -> !x
  %1 = "gnn.aggregate"(%g, %0) {reduce = "sum", direction = "in"} : (!gnn.graph<"g">, !x) -> !x
  %2 = "gnn.linear"(%1, %w) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!x, tensor<64x8xf32>) -> !y
  return %2 : !y
}
