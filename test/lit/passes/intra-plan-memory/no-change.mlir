// A second run of the pass gives the same plan.
// RUN: gnn-opt --pass-pipeline=gnn-to-inter,inter-to-intra,intra-plan-memory %s > %t.once
// RUN: gnn-opt --pass-pipeline=intra-plan-memory %t.once > %t.twice
// RUN: diff %t.once %t.twice

!g = !gnn.graph<"g">
!n = !gnn.node<"g", tensor<4xf32>>
module {
  func.func @m.run(%g: !g, %x: !n {gnn.name = "x"}) -> (!n {gnn.name = "y"}) attributes {gnn.phase = "run"} {
    %0 = "gnn.activation"(%x) {function = "relu"} : (!n) -> !n
    %1 = "gnn.activation"(%0) {function = "exp"} : (!n) -> !n
    %2 = "gnn.activation"(%1) {function = "exp"} : (!n) -> !n
    return %2 : !n
  }
}
