// Edges that depend on values are made in run, between the kernels that make the values and those that loop over the edges; bind says
// which arrays they have.
// RUN: gnn-opt --pass-pipeline=gnn-separate-bind,gnn-to-inter,inter-to-intra %s | FileCheck %s

// CHECK-LABEL: func.func @m.bind()
// CHECK: "intra.call"() {callee = "batch", form = "members", set = "g", used_by = "run"}
// CHECK: "intra.call"() {callee = "adjacency", form = "csc", set = "g.knn_0", used_by = "run"}
// CHECK: "intra.call"() {callee = "adjacency", form = "csc", set = "g.knn_0.replace", used_by = "run"}
// CHECK-NOT: callee = "edge_set"

// CHECK-LABEL: func.func @m.run()
// CHECK: [[X:%.*]] = "intra.buffer"() {from = "x", name = "x", space = "input"}
// CHECK: [[C:%.*]] = "intra.buffer"() {name = "t", slot = -1 : i64, space = "workspace"}
// The numbers of an input are copied: they are float in every arithmetic.
// CHECK: "intra.copy"([[X]], [[C]])
// CHECK-NEXT: "intra.make_edges"([[C]]) {base = "g", by = "near", most = 8 : i64, operandSegmentSizes = array<i32: 1, 0>, set = "g.knn_0"}
// CHECK-NEXT: "intra.make_edges"() {base = "g.knn_0", by = "self_loops", mode = "replace", operandSegmentSizes = array<i32: 0, 0>, set = "g.knn_0.replace"}
// CHECK-NEXT: "intra.traverse"
// CHECK: inter.for_incoming
module attributes {gnn.model = "m"} {
  func.func @m(%g: !gnn.graph<"g"> {gnn.name = "g"}, %x: !gnn.node<"g", tensor<3xf32>> {gnn.name = "x", gnn.from = "x"}) -> (!gnn.node<"g", tensor<3xf32>> {gnn.name = "y"}) {
    %k = "gnn.near_edges"(%g, %x) {most = 8 : i64, name = "knn_0"} : (!gnn.graph<"g">, !gnn.node<"g", tensor<3xf32>>) -> !gnn.graph<"g.knn_0">
    %l = "gnn.edge_set"(%k) {mode = "replace"} : (!gnn.graph<"g.knn_0">) -> !gnn.graph<"g.knn_0.replace">
    %y = "gnn.aggregate"(%l, %x) {reduce = "sum", direction = "in"} : (!gnn.graph<"g.knn_0.replace">, !gnn.node<"g", tensor<3xf32>>) -> !gnn.node<"g", tensor<3xf32>>
    return %y : !gnn.node<"g", tensor<3xf32>>
  }
}
