// A model whose edges lead from inputs alone gets the attribute of the module, and nothing else.
// RUN: gnn-opt --pass-pipeline=gnn-to-inter,inter-to-intra %s > %t.before
// RUN: gnn-opt --pass-pipeline=gnn-to-inter,inter-to-intra,intra-distribute --remarks='*' %s 2> %t.remarks | sed 's/ attributes {gnn.ranks}//' | diff - %t.before
// RUN: not grep remark %t.remarks
// RUN: gnn-opt --pass-pipeline=intra-distribute %t.before | grep 'module attributes {gnn.ranks}'

!g = !gnn.graph<"g">
!n = !gnn.node<"g", tensor<4xf32>>
module {
  func.func @m.run(%g: !g, %x: !n {gnn.name = "x"}) -> (!n {gnn.name = "y"}) attributes {gnn.phase = "run"} {
    %a = "gnn.aggregate"(%g, %x) {reduce = "sum", direction = "in"} : (!g, !n) -> !n
    %y = "gnn.activation"(%a) {function = "relu"} : (!n) -> !n
    return %y : !n
  }
}
