// Kernels whose sums need whole rows, or have one number, stay as they are, and the module gets no attribute. Whole rows of all nodes are named.
// RUN: gnn-opt --pass-pipeline=gnn-to-inter,inter-fuse,inter-to-intra --split-input-file %s > %t.before
// RUN: gnn-opt --pass-pipeline=gnn-to-inter,inter-fuse,inter-to-intra,intra-slice-columns --remarks=intra-slice-columns --split-input-file %s 2> %t.remarks | diff - %t.before
// RUN: FileCheck %s < %t.remarks
// CHECK: a.gnn:3:1: remark: intra-slice-columns: ranks that have columns get whole rows of all nodes for this
// CHECK-NOT: remark

!g = !gnn.graph<"g">
!n = !gnn.node<"g", tensor<4xf32>>
!e = !gnn.edge<"g", tensor<4xf32>>
module {
  func.func @whole.run(%g: !g, %x: !n {gnn.name = "x"}) -> (!n {gnn.name = "y"}) attributes {gnn.phase = "run"} {
    %a = "gnn.gather"(%g, %x) {end = "src"} : (!g, !n) -> !e loc("a"("a.gnn":1:1))
    %b = "gnn.softmax"(%a) : (!e) -> !e loc("b"("a.gnn":2:1))
    %y = "gnn.aggregate"(%g, %b) {reduce = "sum", direction = "in"} : (!g, !e) -> !n loc("y"("a.gnn":3:1))
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
