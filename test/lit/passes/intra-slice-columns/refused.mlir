// Edges out of nodes have no strips, and neither have trainings.
// RUN: not gnn-opt --pass-pipeline=gnn-to-inter,inter-to-intra,intra-slice-columns --split-input-file %s 2>&1 | FileCheck %s

// CHECK: error: --ranks=columns: the model reads edges out of nodes; --ranks makes a program for ranks that have rows
!g = !gnn.graph<"g">
!n = !gnn.node<"g", tensor<4xf32>>
module {
  func.func @out.run(%g: !g, %x: !n {gnn.name = "x"}) -> (!n {gnn.name = "y"}) attributes {gnn.phase = "run"} {
    %y = "gnn.aggregate"(%g, %x) {reduce = "sum", direction = "out"} : (!g, !n) -> !n
    return %y : !n
  }
}

// -----

// CHECK: error: --ranks=columns: ranks have columns in inference alone; --ranks makes a training
module attributes {gnn.training} {
}
