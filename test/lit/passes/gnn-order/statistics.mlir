// Sparse input features make the linear layer cheap, so that it comes first even where it widens: 0.01 * 2 * 8 * 16 * |V| + 2 * 16 * |E| against
// 2 * 8 * |E| + 2 * 8 * 16 * |V|. With many edges, or with dense features, the aggregate comes first.
// RUN: gnn-opt --num-nodes=1000 --num-edges=4000 --density=0.01 --pass-pipeline='gnn-order' %s | FileCheck %s --check-prefix=LINEAR
// RUN: gnn-opt --num-nodes=1000 --num-edges=400000 --density=0.01 --pass-pipeline='gnn-order' %s | FileCheck %s --check-prefix=AGGREGATE
// RUN: gnn-opt --num-nodes=1000 --num-edges=4000 --density=0.9 --pass-pipeline='gnn-order' %s | FileCheck %s --check-prefix=AGGREGATE
// RUN: gnn-opt --num-nodes=1000 --num-edges=4000 --density=0.01 --pass-pipeline='gnn-order{features=dense}' %s | FileCheck %s --check-prefix=AGGREGATE
// RUN: gnn-opt --num-nodes=1000 --num-edges=4000 --pass-pipeline='gnn-order{max-iterations=0}' %s | FileCheck %s --check-prefix=LINEAR

// LINEAR: "gnn.row_normalize"
// LINEAR-NEXT: "gnn.linear"
// LINEAR-NEXT: "gnn.aggregate"
// AGGREGATE: "gnn.row_normalize"
// AGGREGATE-NEXT: "gnn.aggregate"
// AGGREGATE-NEXT: "gnn.linear"
func.func @sparse_input(%g: !gnn.graph<"g">, %x: !gnn.node<"g", tensor<8xf32>> {gnn.from = "x"}, %w: tensor<8x16xf32>) -> !gnn.node<"g", tensor<16xf32>> {
  %0 = "gnn.row_normalize"(%x) : (!gnn.node<"g", tensor<8xf32>>) -> !gnn.node<"g", tensor<8xf32>>
  %1 = "gnn.linear"(%0, %w) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!gnn.node<"g", tensor<8xf32>>, tensor<8x16xf32>) -> !gnn.node<"g", tensor<16xf32>>
  %2 = "gnn.aggregate"(%g, %1) {reduce = "sum", direction = "in"} : (!gnn.graph<"g">, !gnn.node<"g", tensor<16xf32>>) -> !gnn.node<"g", tensor<16xf32>>
  return %2 : !gnn.node<"g", tensor<16xf32>>
}
