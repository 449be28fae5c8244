// Values of bind, and rows that an operation without bf16 reads, keep f32; a second run of the pass changes nothing.
// RUN: gnn-opt --pass-pipeline=gnn-to-inter,inter-to-intra,intra-narrow-rows --remarks='*' %s 2> %t.remarks > %t.once
// RUN: FileCheck %s < %t.once
// RUN: FileCheck %s --check-prefix=REMARK < %t.remarks
// RUN: gnn-opt %t.once > %t.plain
// RUN: gnn-opt --pass-pipeline=intra-narrow-rows %t.once | diff - %t.plain
// CHECK-NOT: bf16

!g = !gnn.graph<"g">
!n = !gnn.node<"g", tensor<32xf32>>
module {
  func.func @m.bind(%g: !g, %t: !n {gnn.name = "t"}) -> (!n {gnn.name = "u"}) attributes {gnn.phase = "bind"} {
    %u = "gnn.activation"(%t) {function = "relu"} : (!n) -> !n
    return %u : !n
  }
  // REMARK: a.gnn:1:1: remark: intra-narrow-rows: 'a' keeps f32: an operation that reads it takes no bf16
  func.func @m.run(%g: !g, %x: !n {gnn.name = "x"}, %u: !n {gnn.bound, gnn.name = "u"}) -> (!gnn.node<"g", tensor<2x32xf32>> {gnn.name = "y"}) attributes {gnn.phase = "run"} {
    %a = "gnn.vector_add"(%x, %u) : (!n, !n) -> !n loc("a"("a.gnn":1:1))
    %y = "gnn.first"(%g, %a) {count = 2 : i64, over = "in"} : (!g, !n) -> !gnn.node<"g", tensor<2x32xf32>>
    return %y : !gnn.node<"g", tensor<2x32xf32>>
  }
}
