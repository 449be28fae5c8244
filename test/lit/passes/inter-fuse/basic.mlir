// inter-fuse fuses the loops that gnn-to-inter makes, one for each operation.
// RUN: gnn-opt --pass-pipeline=gnn-to-inter,inter-fuse %s | FileCheck %s

!g = !gnn.graph<"g">
!n = !gnn.node<"g", tensor<4xf32>>
!n1 = !gnn.node<"g", f32>
!e = !gnn.edge<"g", tensor<4xf32>>
!e1 = !gnn.edge<"g", f32>

// Element-wise loops over the same nodes become one; the value between them is not stored.
// CHECK-LABEL: @chain
// CHECK: "inter.for_nodes"
// CHECK: [[A:%.*]] = "gnn.activation"({{.*}}) {function = "relu"}
// CHECK-NEXT: [[B:%.*]] = "gnn.activation"([[A]]) {function = "exp"}
// CHECK-NEXT: [[C:%.*]] = "gnn.multiply"([[A]], [[B]])
// CHECK-NEXT: smt.yield [[B]], [[C]]
// CHECK-NOT: inter.for_nodes
// CHECK: return
func.func @chain(%g: !g, %x: !n) -> (!n, !n) {
  %0 = "gnn.activation"(%x) {function = "relu"} : (!n) -> !n
  %1 = "gnn.activation"(%0) {function = "exp"} : (!n) -> !n
  %2 = "gnn.multiply"(%0, %1) : (!n, !n) -> !n
  return %1, %2 : !n, !n
}

// A value that is read at a source must be complete, so two loops stay. Operations after the sum join the second one.
// CHECK-LABEL: @neighbours
// CHECK: [[L:%.*]] = "inter.for_nodes"
// CHECK: [[R:%.*]] = "inter.result"([[L]])
// CHECK: "inter.for_nodes"
// CHECK: "inter.for_incoming"
// CHECK: "inter.at"([[R]], {{.*}})
// CHECK: [[S:%.*]] = "inter.result"({{.*}}) -> tensor<4xf32>
// CHECK: [[O:%.*]] = "inter.at"([[R]], {{.*}})
// CHECK: "gnn.vector_add"([[S]], [[O]])
// CHECK-NOT: inter.for_nodes
// CHECK: return
func.func @neighbours(%g: !g, %x: !n) -> !n {
  %0 = "gnn.activation"(%x) {function = "relu"} : (!n) -> !n
  %1 = "gnn.aggregate"(%g, %0) {reduce = "sum", direction = "in"} : (!g, !n) -> !n
  %2 = "gnn.vector_add"(%1, %0) : (!n, !n) -> !n
  return %2 : !n
}

// Values of the nodes at both ends are multiplied: no tensor of edges is stored, and values
// of the destination are read once for each node.
// CHECK-LABEL: @edge_values
// CHECK-NOT: inter.for_edges
// CHECK: "inter.for_nodes"(%arg0)
// CHECK-NEXT: ^bb0([[I:%.*]]: !inter.cursor<"node", "g">):
// CHECK-NEXT: [[D:%.*]] = "inter.at"(%arg1, [[I]])
// CHECK-NEXT: "inter.for_incoming"
// CHECK: [[T:%.*]] = "inter.src"
// CHECK-NEXT: [[S:%.*]] = "inter.at"(%arg1, [[T]])
// CHECK-NEXT: [[M:%.*]] = "gnn.multiply"([[S]], [[D]])
// CHECK-NEXT: smt.yield [[M]]
// CHECK: return
func.func @edge_values(%g: !g, %x: !n) -> !n {
  %0 = "gnn.gather"(%g, %x) {end = "src"} : (!g, !n) -> !e
  %1 = "gnn.gather"(%g, %x) {end = "dst"} : (!g, !n) -> !e
  %2 = "gnn.multiply"(%0, %1) : (!e, !e) -> !e
  %3 = "gnn.aggregate"(%g, %2) {reduce = "sum", direction = "in"} : (!g, !e) -> !n
  return %3 : !n
}

// Several reductions over the same edges are one loop over them; one that needs the result of another follows it.
// CHECK-LABEL: @inner_loops
// CHECK: "inter.for_incoming"
// CHECK: }) {reduce = ["sum", "max"]}
// CHECK: "inter.for_incoming"
// CHECK: }) {reduce = ["min"]}
// CHECK-NOT: inter.for_incoming
// CHECK: return
func.func @inner_loops(%g: !g, %a: !e1) -> (!n1, !n1) {
  %0 = "gnn.aggregate"(%g, %a) {reduce = "sum", direction = "in"} : (!g, !e1) -> !n1
  %1 = "gnn.aggregate"(%g, %a) {reduce = "max", direction = "in"} : (!g, !e1) -> !n1
  %2 = "gnn.gather"(%g, %1) {end = "dst"} : (!g, !n1) -> !e1
  %3 = "gnn.subtract"(%a, %2) : (!e1, !e1) -> !e1
  %4 = "gnn.aggregate"(%g, %3) {reduce = "min", direction = "in"} : (!g, !e1) -> !n1
  return %0, %4 : !n1, !n1
}

// A value of edges that is a result is stored, and other loops read it.
// CHECK-LABEL: @kept_edges
// CHECK: [[L:%.*]] = "inter.for_edges"
// CHECK: [[R:%.*]] = "inter.result"([[L]])
// CHECK: "inter.for_incoming"
// CHECK: "inter.at"([[R]],
func.func @kept_edges(%g: !g, %a: !e1) -> (!e1, !n1) {
  %0 = "gnn.activation"(%a) {function = "exp"} : (!e1) -> !e1
  %1 = "gnn.aggregate"(%g, %0) {reduce = "sum", direction = "in"} : (!g, !e1) -> !n1
  return %0, %1 : !e1, !n1
}

// A value that is computed from a stored one, and that one loop reads at its own node, is computed in that loop.
// CHECK-LABEL: @beside_the_sum
// CHECK: [[L:%.*]] = "inter.for_nodes"
// CHECK: function = "relu"
// CHECK-NEXT: smt.yield
// CHECK: [[R:%.*]] = "inter.result"([[L]])
// CHECK: "inter.for_nodes"
// CHECK: "inter.for_incoming"
// CHECK: {reduce = ["sum"]}
// CHECK: [[X:%.*]] = "inter.at"([[R]]
// CHECK-NEXT: [[Y:%.*]] = "gnn.multiply"([[X]], %arg2)
// CHECK-NEXT: "gnn.vector_add"([[Y]],
// CHECK-NOT: inter.for_nodes
// CHECK: return
func.func @beside_the_sum(%g: !g, %x: !n, %c: f32) -> !n {
  %0 = "gnn.activation"(%x) {function = "relu"} : (!n) -> !n
  %1 = "gnn.multiply"(%0, %c) : (!n, f32) -> !n
  %2 = "gnn.aggregate"(%g, %0) {reduce = "sum", direction = "in"} : (!g, !n) -> !n
  %3 = "gnn.vector_add"(%1, %2) : (!n, !n) -> !n
  return %3 : !n
}

// A row that an integer picks is read where it is used: neither the rows of nodes nor those of edges are stored.
// CHECK-LABEL: @lookups
// CHECK-NOT: inter.for_edges
// CHECK: "inter.for_nodes"
// CHECK: "inter.for_incoming"
// CHECK: [[T:%.*]] = "inter.src"
// CHECK-NEXT: [[Z:%.*]] = "inter.at"(%arg1, [[T]])
// CHECK-NEXT: [[X:%.*]] = "gnn.lookup"([[E:%.*]], [[Z]]) : (tensor<9x4xf32>, i32) -> tensor<4xf32>
// CHECK-NEXT: [[K:%.*]] = "inter.at"(%arg2, {{.*}}) : {{.*}} -> i32
// CHECK-NEXT: [[Y:%.*]] = "gnn.lookup"([[E]], [[K]])
// CHECK-NEXT: [[M:%.*]] = "gnn.vector_add"([[X]], [[Y]])
// CHECK-NEXT: smt.yield [[M]]
// CHECK-NOT: inter.for_nodes
// CHECK: return
func.func @lookups(%g: !g, %z: !gnn.node<"g", i32>, %k: !gnn.edge<"g", i32>, %t: tensor<9x4xf32>) -> !n {
  %0 = "gnn.lookup"(%t, %z) : (tensor<9x4xf32>, !gnn.node<"g", i32>) -> !n
  %1 = "gnn.gather"(%g, %0) {end = "src"} : (!g, !n) -> !e
  %2 = "gnn.lookup"(%t, %k) : (tensor<9x4xf32>, !gnn.edge<"g", i32>) -> !e
  %3 = "gnn.vector_add"(%1, %2) : (!e, !e) -> !e
  %4 = "gnn.aggregate"(%g, %3) {reduce = "sum", direction = "in"} : (!g, !e) -> !n
  return %4 : !n
}
