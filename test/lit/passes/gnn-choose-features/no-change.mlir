// Features stay dense where dense is asked for, where the graph is unknown, where many entries are stored, and where they are no rows.
// RUN: gnn-opt %s > %t.before
// RUN: gnn-opt --density=0.01 --pass-pipeline='gnn-choose-features{features=dense}' %s | diff %t.before -
// RUN: gnn-opt --pass-pipeline=gnn-choose-features %s | diff %t.before -
// RUN: gnn-opt --density=0.25 --pass-pipeline='gnn-choose-features' %s | diff %t.before -
// RUN: gnn-opt --density=0.01 --pass-pipeline='gnn-choose-features{density=0.01}' %s | diff %t.before -

func.func @rows(%x: !gnn.node<"g", tensor<64xf32>>, %w: tensor<64x8xf32>) -> !gnn.node<"g", tensor<8xf32>> {
  %0 = "gnn.linear"(%x, %w) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!gnn.node<"g", tensor<64xf32>>, tensor<64x8xf32>) -> !gnn.node<"g", tensor<8xf32>>
  return %0 : !gnn.node<"g", tensor<8xf32>>
}
