// The lowering of sparse and of normalised rows.
// RUN: gnn-opt --pass-pipeline=gnn-to-inter %s | FileCheck %s

!g = !gnn.graph<"g">
!s = !gnn.sparse<"g", tensor<6xf32>>
!x = !gnn.node<"g", tensor<6xf32>>
!y = !gnn.node<"g", tensor<2xf32>>

module {
  // Bind transposes the weight that run needs as [K, N], once.
  // CHECK-LABEL: @m.bind
  // CHECK-SAME: -> (tensor<6x2xf32> {gnn.name = "w"})
  // CHECK: "gnn.transpose"
  func.func @m.bind(%g: !g) -> (tensor<2x6xf32> {gnn.name = "w"}) attributes {gnn.phase = "bind"} {
    %c = "gnn.constant"() {value = 1.0 : f64} : () -> f32
    %w = ml_program.global_load_const @w : tensor<2x6xf32>
    return %w : tensor<2x6xf32>
  }
  ml_program.global private @w(#ml_program.extern<tensor<2x6xf32>>) : tensor<2x6xf32>

  // CHECK-LABEL: @m.run
  // CHECK-SAME: %arg1: tensor<6x2xf32> {gnn.bound
  // CHECK: [[N:%.*]] = "inter.for_nonzeros"(%arg2, [[I:%.*]]) ({
  // CHECK-NEXT: ^bb0([[K:%.*]]: !inter.cursor<"nonzero", "g">):
  // CHECK-NEXT: [[V:%.*]] = "inter.at"(%arg2, [[K]]) : {{.*}} -> f32
  // CHECK-NEXT: [[R:%.*]] = "inter.row"(%arg1, [[K]])
  // CHECK-NEXT: [[M:%.*]] = "gnn.multiply"([[V]], [[R]])
  // CHECK-NEXT: smt.yield [[M]], [[V]]
  // CHECK-NEXT: }) {reduce = ["sum", "sum"]}
  // CHECK-NEXT: [[Y:%.*]] = "inter.result"([[N]]) {index = 0
  // CHECK-NEXT: [[S:%.*]] = "inter.result"([[N]]) {index = 1
  // CHECK: [[Z:%.*]] = "gnn.compare"([[S]], {{.*}}) {predicate = "eq"}
  // CHECK: [[D:%.*]] = "gnn.select"([[Z]], {{.*}}, [[S]])
  // CHECK-NEXT: [[Q:%.*]] = "gnn.divide"([[Y]], [[D]])
  // CHECK-NEXT: gnn.activation"([[Q]])
  // CHECK-NOT: gnn.row_normalize
  func.func @m.run(%g: !g, %w: tensor<2x6xf32> {gnn.bound, gnn.name = "w"}, %x: !s) -> !y attributes {gnn.phase = "run"} {
    %0 = "gnn.row_normalize"(%x) : (!s) -> !s
    %1 = "gnn.linear"(%0, %w) {transposed, activation = "relu", operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!s, tensor<2x6xf32>) -> !y
    return %1 : !y
  }

  // A weight with other users stays; a loop of its own transposes it.
  // CHECK-LABEL: @shared_weight
  // CHECK: [[O:%.*]] = "inter.once"()
  // CHECK-NEXT: "gnn.transpose"(%arg1)
  // CHECK: [[T:%.*]] = "inter.result"([[O]])
  // CHECK: "inter.row"([[T]],
  func.func @shared_weight(%g: !g, %w: tensor<2x6xf32>, %x: !s) -> (!y, tensor<2x6xf32>) {
    %1 = "gnn.linear"(%x, %w) {transposed, operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!s, tensor<2x6xf32>) -> !y
    return %1, %w : !y, tensor<2x6xf32>
  }

  // CHECK-LABEL: @dense
  // CHECK: [[R:%.*]] = "inter.dense_row"(%arg1, {{.*}}) : {{.*}} -> tensor<6xf32>
  // CHECK: [[S:%.*]] = "gnn.reduce"([[R]]) {function = "sum"}
  // CHECK: "gnn.divide"([[R]],
  func.func @dense(%g: !g, %x: !s) -> !x {
    %0 = "gnn.row_normalize"(%x) : (!s) -> !s
    %1 = "gnn.densify"(%0) : (!s) -> !x
    return %1 : !x
  }

  // Dense rows are divided after the product; where other operations read the rows, they are computed.
  // CHECK-LABEL: @normalised
  // CHECK: [[X:%.*]] = "inter.at"(%arg1
  // CHECK-NEXT: [[P:%.*]] = "gnn.linear"([[X]], %arg2)
  // CHECK-NEXT: [[S:%.*]] = "gnn.reduce"([[X]]) {function = "sum"}
  // CHECK: "gnn.divide"([[P]],
  // CHECK-NOT: inter.for_nodes
  // CHECK-LABEL: @wanted
  // CHECK: "gnn.divide"({{.*}}) : (tensor<6xf32>, f32) -> tensor<6xf32>
  func.func @normalised(%g: !g, %x: !x, %w: tensor<6x2xf32>) -> !y {
    %0 = "gnn.row_normalize"(%x) : (!x) -> !x
    %1 = "gnn.linear"(%0, %w) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!x, tensor<6x2xf32>) -> !y
    return %1 : !y
  }
  func.func @wanted(%g: !g, %x: !x) -> !x {
    %0 = "gnn.row_normalize"(%x) : (!x) -> !x
    return %0 : !x
  }
}
