// intra-plan-memory gives each value a slot, and values that do not live at the same time the same one.
// RUN: gnn-opt --pass-pipeline=gnn-to-inter,inter-to-intra,intra-plan-memory --split-input-file %s | FileCheck %s

!g = !gnn.graph<"g">
!n = !gnn.node<"g", tensor<4xf32>>
!w = !gnn.node<"g", tensor<8xf32>>
!e = !gnn.edge<"g", f32>

// One kernel for each operation. %1 takes the place of %0, which is read row by row and for the last time; %2 is wider than %1 and
// has a slot of its own, and so have values over edges.
// CHECK: module attributes {gnn.bound_slots = [], gnn.bound_values = "0"}
// CHECK-LABEL: @m.run()
// CHECK-SAME: gnn.workspace_slots = ["node:g x 4", "node:g x 8", "edge:g x 1"], gnn.workspace_values = "node:g x 12 + edge:g x 1"
// CHECK: "intra.buffer"() {name = "a", slot = 0 : i64, space = "workspace"}
// CHECK: "intra.buffer"() {name = "b", slot = 0 : i64, space = "workspace"}
// CHECK: "intra.buffer"() {name = "c", slot = 1 : i64, space = "workspace"}
// CHECK: "intra.buffer"() {name = "d", slot = 2 : i64, space = "workspace"}
module {
  func.func @m.run(%g: !g, %x: !n {gnn.name = "x"}, %v: !e {gnn.name = "v"}) -> (!w {gnn.name = "y"}, !n {gnn.name = "s"}) attributes {gnn.phase = "run"} {
    %0 = "gnn.activation"(%x) {function = "relu"} : (!n) -> !n loc("a"("a.gnn":1:1))
    %1 = "gnn.activation"(%0) {function = "exp"} : (!n) -> !n loc("b"("a.gnn":2:1))
    %2 = "gnn.concat"(%1, %1) : (!n, !n) -> !w loc("c"("a.gnn":3:1))
    %3 = "gnn.activation"(%2) {function = "exp"} : (!w) -> !w loc("y"("a.gnn":4:1))
    %4 = "gnn.activation"(%v) {function = "exp"} : (!e) -> !e loc("d"("a.gnn":5:1))
    %5 = "gnn.aggregate"(%g, %x, %4) {reduce = "sum", direction = "in"} : (!g, !n, !e) -> !n loc("s"("a.gnn":6:1))
    return %3, %5 : !w, !n
  }
}

// -----

// Each value that bind keeps has a slot, the same in both functions; the plan has the number of values per type.
// CHECK: gnn.bound_slots = ["one x 15", "edge:g x 1"], gnn.bound_values = "one x 15 + edge:g x 1"
// CHECK-LABEL: @t.bind()
// CHECK: {count = 5 : i64, name = "w", space = "weight"}
// CHECK: {count = 5 : i64, name = "w", slot = 0 : i64, space = "bound"}
// CHECK: {name = "a", slot = 1 : i64, space = "bound"}
// CHECK-LABEL: @t.run()
// CHECK: {name = "a", slot = 1 : i64, space = "bound"}
// CHECK: {count = 5 : i64, name = "w", slot = 0 : i64, space = "bound"}
!g = !gnn.graph<"g">
!e = !gnn.edge<"g", f32>
!t = !gnn.per<"etype", tensor<3xf32>>
module {
  ml_program.global private @w(#ml_program.extern<!gnn.per<"etype", tensor<3xf32>>>) : !gnn.per<"etype", tensor<3xf32>> {gnn.count = 5 : i64}
  func.func @t.bind(%g: !g) -> (!t {gnn.name = "w"}, !e {gnn.name = "a"}) attributes {gnn.phase = "bind"} {
    %w = ml_program.global_load_const @w : !t
    %d = "gnn.degree"(%g) {direction = "in"} : (!g) -> !gnn.node<"g", f32>
    %a = "gnn.gather"(%g, %d) {end = "dst"} : (!g, !gnn.node<"g", f32>) -> !e
    return %w, %a : !t, !e
  }
  func.func @t.run(%g: !g, %a: !e {gnn.bound, gnn.name = "a"}, %w: !t {gnn.bound, gnn.name = "w"}) -> (!gnn.edge<"g", tensor<3xf32>> {gnn.name = "y"}) attributes {gnn.phase = "run"} {
    %0 = "gnn.slice"(%g, %w) {by = "edge"} : (!g, !t) -> !gnn.edge<"g", tensor<3xf32>>
    %1 = "gnn.multiply"(%0, %a) : (!gnn.edge<"g", tensor<3xf32>>, !e) -> !gnn.edge<"g", tensor<3xf32>>
    return %1 : !gnn.edge<"g", tensor<3xf32>>
  }
}
