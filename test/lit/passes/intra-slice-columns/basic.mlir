// intra-slice-columns gives kernels that read rows at the sources of edges a second form, which computes the sums by strips of columns.
// RUN: gnn-opt --pass-pipeline=gnn-to-inter,inter-fuse,inter-to-intra,intra-slice-columns --remarks='*' --split-input-file %s 2> %t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK < %t.remarks
// RUN: gnn-opt --pass-pipeline=gnn-to-inter,inter-fuse,inter-to-intra,intra-slice-columns,intra-distribute --split-input-file %s | FileCheck %s --check-prefix=MODES
// RUN: gnn-opt --pass-pipeline=gnn-to-inter,inter-fuse,inter-to-intra,intra-slice-columns,intra-distribute,intra-plan-memory --split-input-file %s | FileCheck %s --check-prefix=MEMORY

!g = !gnn.graph<"g">
!n = !gnn.node<"g", tensor<8xf32>>

// Rows of 8 are 8 strips of one number. The kernel for rows comes first; all that follows is for columns: groups of 4 strips, of 2, and one.
// CHECK: module attributes {gnn.columns}
// CHECK-LABEL: @sum.run()
// CHECK-DAG: %[[X:.*]] = "intra.buffer"() {name = "x", space = "input"}
// CHECK-DAG: %[[XS:.*]] = "intra.buffer"() {alias = [[#XA:]] : i64, format = "f32", name = "x.strips", space = "workspace", strips = 8 : i64} : () -> !intra.memory<"node:g", tensor<1xf32>>
// CHECK-DAG: %[[X4:.*]] = "intra.buffer"() {alias = [[#XA]] : i64, format = "f32", group = 4 : i64, name = "x.strips", space = "workspace", strips = 8 : i64} : () -> !intra.memory<"node:g", tensor<4xf32>>
// CHECK-DAG: %[[S:.*]] = "intra.buffer"() {name = "s", space = "workspace"} : () -> !intra.memory<"node:g", tensor<8xf32>>
// CHECK-DAG: %[[SS:.*]] = "intra.buffer"() {alias = [[#SA:]] : i64, name = "s.strips", space = "workspace", strips = 8 : i64} : () -> !intra.memory<"node:g", tensor<1xf32>>
// CHECK-DAG: %[[S4:.*]] = "intra.buffer"() {alias = [[#SA]] : i64, group = 4 : i64, name = "s.strips", space = "workspace", strips = 8 : i64} : () -> !intra.memory<"node:g", tensor<4xf32>>
// CHECK: "intra.traverse"
// CHECK: "inter.for_incoming"
// CHECK: "intra.load"(%[[X]], {{.*}}) -> tensor<8xf32>
// CHECK: {domain = "node", mode = "rows"}
// CHECK-NEXT: "intra.transpose"(%[[X]], %[[XS]]) {to = "columns"}
// CHECK-NEXT: "intra.traverse"(%[[G:.*]]) ({
// CHECK-NEXT: ^bb0(%[[N:.*]]: !inter.cursor<"node", "g">):
// CHECK-NEXT: %[[L:.*]] = "inter.for_incoming"(%[[G]], %[[N]])
// CHECK: "intra.load"(%[[X4]], {{.*}}) -> tensor<4xf32>
// CHECK: %[[R:.*]] = "inter.result"(%[[L]]) {{.*}} -> tensor<4xf32>
// CHECK-NEXT: "intra.store"(%[[R]], %[[S4]], %[[N]])
// CHECK: {domain = "node", group = 4 : i64, mode = "columns", strips = 8 : i64}
// CHECK: {domain = "node", group = 2 : i64, mode = "columns", strips = 8 : i64}
// CHECK: "intra.load"(%[[XS]], {{.*}}) -> tensor<1xf32>
// CHECK: {domain = "node", group = 1 : i64, mode = "columns", strips = 8 : i64}
// CHECK-NEXT: "intra.transpose"(%[[S]], %[[SS]]) {to = "rows"}
// CHECK-NEXT: "intra.traverse"(%[[G]]) ({
// CHECK-NOT: for_incoming
// CHECK: "intra.load"(%[[S]], {{.*}}) -> tensor<8xf32>
// CHECK-NEXT: "gnn.activation"
// CHECK: {domain = "node", mode = "columns"}
// CHECK-NEXT: return
// REMARK: a.gnn:1:1: remark: intra-slice-columns: ranks that have columns compute this by 8 strips
// A rank has room for its strips once, however they are grouped.
// MEMORY-LABEL: @sum.run()
// MEMORY-SAME: gnn.workspace_slots = ["strip:g x 1", "strip:g x 1", "node:g x 8"]
module {
  func.func @sum.run(%g: !g, %x: !n {gnn.name = "x"}) -> (!n {gnn.name = "y"}) attributes {gnn.phase = "run"} {
    %s = "gnn.aggregate"(%g, %x) {reduce = "sum", direction = "in"} : (!g, !n) -> !n loc("s"("a.gnn":1:1))
    %y = "gnn.activation"(%s) {function = "relu"} : (!n) -> !n loc("y"("a.gnn":2:1))
    return %y : !n
  }
}

// -----

// A row of 3 heads is 3 strips of one head each; what is one number per node is read in all strips, so ghosts get it where ranks have columns. Where they have
// rows, they get both values in one message.
// CHECK-LABEL: @heads.run()
// CHECK: {domain = "node", group = 2 : i64, mode = "columns", strips = 3 : i64}
// CHECK: {domain = "node", group = 1 : i64, mode = "columns", strips = 3 : i64}
// REMARK: b.gnn:4:1: remark: intra-slice-columns: ranks that have columns compute this by 3 strips
// MODES-LABEL: @heads.run()
// MODES: "intra.exchange"(%h, %c) {mode = "rows", operandSegmentSizes = array<i32: 1, 1, 0, 0>, overlaps}
// MODES: mode = "rows"
// MODES-NEXT: "intra.transpose"(%h, %h.strips) {to = "columns"}
// MODES-NEXT: "intra.exchange"(%c) {mode = "columns", operandSegmentSizes = array<i32: 1, 0, 0, 0>}
// MODES-NEXT: "intra.traverse"
// MODES: strips = 3 : i64
// MODES-NOT: intra.exchange
// MODES: return
!g = !gnn.graph<"g">
!h = !gnn.node<"g", tensor<3x5xf32>>
!c = !gnn.node<"g", f32>
!e = !gnn.edge<"g", tensor<3x5xf32>>
module {
  func.func @heads.run(%g: !g, %x: !h {gnn.name = "x"}, %z: !c {gnn.name = "z"}) -> (!h {gnn.name = "y"}) attributes {gnn.phase = "run"} {
    %h = "gnn.activation"(%x) {function = "relu"} : (!h) -> !h loc("h"("b.gnn":1:1))
    %c = "gnn.activation"(%z) {function = "relu"} : (!c) -> !c loc("c"("b.gnn":2:1))
    %a = "gnn.gather"(%g, %h) {end = "src"} : (!g, !h) -> !e loc("a"("b.gnn":3:1))
    %b = "gnn.gather"(%g, %c) {end = "src"} : (!g, !c) -> !gnn.edge<"g", f32> loc("b"("b.gnn":3:2))
    %m = "gnn.multiply"(%b, %a) : (!gnn.edge<"g", f32>, !e) -> !e loc("m"("b.gnn":3:3))
    %y = "gnn.aggregate"(%g, %m) {reduce = "mean", direction = "in"} : (!g, !e) -> !h loc("y"("b.gnn":4:1))
    return %y : !h
  }
}
