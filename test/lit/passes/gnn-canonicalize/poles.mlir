// Functions that may be infinite at nodes without edges stay at the edges until a function is differentiated: no edge reads the quotient of
// such a node, but its derivative would be infinite. Others are computed per node as ever.
// RUN: gnn-opt --split-input-file --pass-pipeline=gnn-canonicalize,gnn-dce %s | FileCheck %s

!e = !gnn.edge<"g", f32>
!n = !gnn.node<"g", f32>

// CHECK-LABEL: func.func @before(
// CHECK:         [[S:%.*]] = "gnn.aggregate"
// CHECK:         [[SG:%.*]] = "gnn.gather"(%arg0, [[S]])
// CHECK:         [[T:%.*]] = "gnn.multiply"(%arg2, %arg3)
// CHECK:         [[TG:%.*]] = "gnn.gather"(%arg0, [[T]])
// CHECK:         "gnn.divide"([[TG]], [[SG]])
module attributes {gnn.training} {
  func.func @before(%g: !gnn.graph<"g">, %x: !e, %y: !n, %w: f32 {gnn.name = "w", gnn.weight}) -> (!e {gnn.name = "l", gnn.loss}) {
    %s = "gnn.aggregate"(%g, %x) {direction = "in", reduce = "sum"} : (!gnn.graph<"g">, !e) -> !n
    %sg = "gnn.gather"(%g, %s) {end = "dst"} : (!gnn.graph<"g">, !n) -> !e
    %yg = "gnn.gather"(%g, %y) {end = "dst"} : (!gnn.graph<"g">, !n) -> !e
    %t = "gnn.multiply"(%yg, %w) : (!e, f32) -> !e
    %q = "gnn.divide"(%t, %sg) : (!e, !e) -> !e
    return %q : !e
  }
}

// -----

!e = !gnn.edge<"g", f32>
!n = !gnn.node<"g", f32>

// CHECK-LABEL: func.func @after(
// CHECK:         [[Q:%.*]] = "gnn.divide"(%arg1, %arg2) : {{.*}} -> !gnn.node<"g", f32>
// CHECK:         "gnn.gather"(%arg0, [[Q]])
module attributes {gnn.training} {
  func.func @after(%g: !gnn.graph<"g">, %x: !n, %y: !n, %w: f32 {gnn.name = "w", gnn.weight}) -> (!e {gnn.name = "l", gnn.loss}, f32 {gnn.name = "w", gnn.gradient}) {
    %xg = "gnn.gather"(%g, %x) {end = "dst"} : (!gnn.graph<"g">, !n) -> !e
    %yg = "gnn.gather"(%g, %y) {end = "dst"} : (!gnn.graph<"g">, !n) -> !e
    %q = "gnn.divide"(%xg, %yg) : (!e, !e) -> !e
    return %q, %w : !e, f32
  }
}

// -----

!e = !gnn.edge<"g.replace", f32>
!n = !gnn.node<"g", f32>

// Where every node has an edge, nothing is idle.
// CHECK-LABEL: func.func @loops(
// CHECK:         "gnn.divide"(%arg1, %arg2) : {{.*}} -> !gnn.node<"g", f32>
module attributes {gnn.training} {
  func.func @loops(%g: !gnn.graph<"g">, %x: !n, %y: !n, %w: f32 {gnn.name = "w", gnn.weight}) -> (!e {gnn.name = "l", gnn.loss}) {
    %s = "gnn.edge_set"(%g) {mode = "replace"} : (!gnn.graph<"g">) -> !gnn.graph<"g.replace">
    %xg = "gnn.gather"(%s, %x) {end = "dst"} : (!gnn.graph<"g.replace">, !n) -> !e
    %yg = "gnn.gather"(%s, %y) {end = "dst"} : (!gnn.graph<"g.replace">, !n) -> !e
    %q = "gnn.divide"(%xg, %yg) : (!e, !e) -> !e
    return %q : !e
  }
}
