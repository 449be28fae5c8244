// Kernels whose sums need whole rows, or have one number, stay as they are; the module gets its attribute.
// RUN: gnn-opt --pass-pipeline=gnn-to-inter,inter-fuse,inter-to-intra --split-input-file %s > %t.before
// RUN: gnn-opt --pass-pipeline=gnn-to-inter,inter-fuse,inter-to-intra,intra-slice-columns --remarks=intra-slice-columns --split-input-file %s 2> %t.remarks | sed 's/ attributes {gnn.columns}//' | diff - %t.before
// RUN: not grep remark %t.remarks

!g = !gnn.graph<"g">
!n = !gnn.node<"g", tensor<4xf32>>
!e = !gnn.edge<"g", tensor<4xf32>>
module {
  func.func @whole.run(%g: !g, %x: !n {gnn.name = "x"}) -> (!n {gnn.name = "y"}) attributes {gnn.phase = "run"} {
    %a = "gnn.gather"(%g, %x) {end = "src"} : (!g, !n) -> !e
    %b = "gnn.softmax"(%a) : (!e) -> !e
    %y = "gnn.aggregate"(%g, %b) {reduce = "sum", direction = "in"} : (!g, !e) -> !n
    return %y : !n
  }
}

// -----

!g = !gnn.graph<"g">
!n = !gnn.node<"g", f32>
module {
  func.func @one.run(%g: !g, %x: !n {gnn.name = "x"}) -> (!n {gnn.name = "y"}) attributes {gnn.phase = "run"} {
    %y = "gnn.aggregate"(%g, %x) {reduce = "sum", direction = "in"} : (!g, !n) -> !n
    return %y : !n
  }
}
