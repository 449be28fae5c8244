// gnn-fold-batch-norm folds batch norm into the weights and the bias of a linear layer.
// RUN: gnn-opt --pass-pipeline=gnn-fold-batch-norm %s | FileCheck %s

!x = !gnn.node<"g", tensor<8xf32>>
!y = !gnn.node<"g", tensor<4xf32>>

// Scale and shift of the columns change weights and bias, with arithmetic on plain tensors alone.
// CHECK-LABEL: @into_linear
// CHECK-SAME: %arg0: !gnn.node<"g", tensor<8xf32>>, [[W:%.*]]: tensor<8x4xf32>, [[MEAN:%.*]]: tensor<4xf32>, [[VAR:%.*]]: tensor<4xf32>, [[GAMMA:%.*]]: tensor<4xf32>, [[BETA:%.*]]: tensor<4xf32>
// CHECK: [[EPS:%.*]] = "gnn.constant"() {value = 1.000000e-05 : f64}
// CHECK: [[V:%.*]] = "gnn.vector_add"([[VAR]], [[EPS]])
// CHECK: [[R:%.*]] = "gnn.activation"([[V]]) {function = "rsqrt"}
// CHECK: [[S:%.*]] = "gnn.multiply"([[GAMMA]], [[R]])
// CHECK: [[M:%.*]] = "gnn.multiply"([[MEAN]], [[S]])
// CHECK: [[T:%.*]] = "gnn.subtract"([[BETA]], [[M]])
// CHECK: [[WT:%.*]] = "gnn.transpose"([[W]])
// CHECK: [[WS:%.*]] = "gnn.multiply"([[WT]], [[S]]) : (tensor<4x8xf32>, tensor<4xf32>) -> tensor<4x8xf32>
// CHECK: [[Y:%.*]] = "gnn.linear"(%arg0, [[WS]], [[T]]) {{.*}}transposed}
// CHECK-NEXT: return [[Y]]
func.func @into_linear(%x: !x, %w: tensor<8x4xf32>, %mean: tensor<4xf32>, %var: tensor<4xf32>, %gamma: tensor<4xf32>, %beta: tensor<4xf32>) -> !y {
  %0 = "gnn.linear"(%x, %w) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!x, tensor<8x4xf32>) -> !y
  %1 = "gnn.batch_norm"(%0, %mean, %var, %gamma, %beta) {epsilon = 1.0e-05 : f64} : (!y, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> !y
  return %1 : !y
}

// A bias between the two, as either operand of the sum, and a bias of the layer: (b - mean) * s + beta.
// CHECK-LABEL: @with_biases
// CHECK-SAME: [[W:%[a-z0-9]+]]: tensor<4x8xf32>, [[A:%.*]]: tensor<4xf32>, [[B:%.*]]: tensor<4xf32>, [[C:%.*]]: tensor<4xf32>)
// CHECK: [[S:%.*]] = "gnn.multiply"([[C]], %{{.*}})
// CHECK: [[T:%.*]] = "gnn.subtract"
// CHECK: [[BS:%.*]] = "gnn.multiply"([[B]], [[S]])
// CHECK: [[T2:%.*]] = "gnn.vector_add"([[BS]], [[T]])
// CHECK: [[WS:%.*]] = "gnn.multiply"([[W]], [[S]])
// CHECK: [[AS:%.*]] = "gnn.multiply"([[A]], [[S]])
// CHECK: [[T3:%.*]] = "gnn.vector_add"([[AS]], [[T2]])
// CHECK: [[Y:%.*]] = "gnn.linear"(%arg0, [[WS]], [[T3]]) {{.*}}transposed}
// CHECK-NEXT: return [[Y]]
func.func @with_biases(%x: !x, %w: tensor<4x8xf32>, %a: tensor<4xf32>, %b: tensor<4xf32>, %c: tensor<4xf32>) -> !y {
  %0 = "gnn.linear"(%x, %w, %a) {operandSegmentSizes = array<i32: 1, 1, 1, 0>, transposed} : (!x, tensor<4x8xf32>, tensor<4xf32>) -> !y
  %1 = "gnn.vector_add"(%b, %0) : (tensor<4xf32>, !y) -> !y
  %2 = "gnn.batch_norm"(%1, %c, %c, %c, %c) {epsilon = 1.0e-05 : f64} : (!y, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> !y
  return %2 : !y
}

// Sums keep the scale of columns: the weights before the aggregate take the scale, the bias after it the shift.
// CHECK-LABEL: @through_aggregate
// CHECK: [[S:%.*]] = "gnn.multiply"(%arg4, %{{.*}})
// CHECK: [[T:%.*]] = "gnn.subtract"
// CHECK: [[WS:%.*]] = "gnn.multiply"(%arg2, [[S]])
// CHECK: [[Z:%.*]] = "gnn.linear"(%arg1, [[WS]]) {
// CHECK: [[A:%.*]] = "gnn.aggregate"(%arg0, [[Z]], %arg3)
// CHECK: [[Y:%.*]] = "gnn.vector_add"([[A]], [[T]])
// CHECK-NEXT: return [[Y]]
func.func @through_aggregate(%g: !gnn.graph<"g">, %x: !x, %w: tensor<4x8xf32>, %e: !gnn.edge<"g", f32>, %c: tensor<4xf32>) -> !y {
  %0 = "gnn.linear"(%x, %w) {operandSegmentSizes = array<i32: 1, 1, 0, 0>, transposed} : (!x, tensor<4x8xf32>) -> !y
  %1 = "gnn.aggregate"(%g, %0, %e) {reduce = "sum", direction = "in"} : (!gnn.graph<"g">, !y, !gnn.edge<"g", f32>) -> !y
  %2 = "gnn.batch_norm"(%1, %c, %c, %c, %c) {epsilon = 1.0e-05 : f64} : (!y, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> !y
  return %2 : !y
}

// Behind an activation, the following layer takes the batch norm: its rows of weights are scaled, and t @ w is added to the bias.
// CHECK-LABEL: @into_next
// CHECK: [[S:%.*]] = "gnn.multiply"(%arg2, %{{.*}})
// CHECK: [[T:%.*]] = "gnn.subtract"
// CHECK: [[TW:%.*]] = "gnn.linear"([[T]], %arg1) {{.*}} : (tensor<8xf32>, tensor<8x4xf32>) -> tensor<4xf32>
// CHECK: [[WS:%.*]] = "gnn.multiply"(%arg1, [[S]])
// CHECK: [[Y:%.*]] = "gnn.linear"({{%.*}}, [[WS]], [[TW]])
// CHECK-NEXT: return [[Y]]
func.func @into_next(%x: !x, %w: tensor<8x4xf32>, %c: tensor<8xf32>) -> !y {
  %0 = "gnn.activation"(%x) {function = "relu"} : (!x) -> !x
  %1 = "gnn.batch_norm"(%0, %c, %c, %c, %c) {epsilon = 1.0e-05 : f64} : (!x, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> !x
  %2 = "gnn.linear"(%1, %w) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!x, tensor<8x4xf32>) -> !y
  return %2 : !y
}

// Alone, or behind a layer with other users, it becomes one multiplication and one addition.
// CHECK-LABEL: @alone
// CHECK: [[H:%.*]] = "gnn.linear"(%arg0, %arg1)
// CHECK: [[S:%.*]] = "gnn.multiply"(%arg2, %{{.*}}) : (tensor<4xf32>
// CHECK: [[T:%.*]] = "gnn.subtract"
// CHECK: [[P:%.*]] = "gnn.multiply"([[H]], [[S]])
// CHECK: [[Y:%.*]] = "gnn.vector_add"([[P]], [[T]])
// CHECK-NEXT: return [[H]], [[Y]]
func.func @alone(%x: !x, %w: tensor<8x4xf32>, %c: tensor<4xf32>) -> (!y, !y) {
  %0 = "gnn.linear"(%x, %w) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!x, tensor<8x4xf32>) -> !y
  %1 = "gnn.batch_norm"(%0, %c, %c, %c, %c) {epsilon = 1.0e-05 : f64} : (!y, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> !y
  return %0, %1 : !y, !y
}
