// Bind passes a weight per node type once, and run reads it also where it works on parts.
// RUN: gnn-opt --pass-pipeline=gnn-separate-bind %s | FileCheck %s
// RUN: gnn-opt --pass-pipeline=gnn-separate-bind,gnn-to-inter %s | FileCheck %s --check-prefix=INTER

// Bind passes a matrix for the type of each node as one matrix per type, also where nodes of one type read it, because its rows are a view.
// CHECK-LABEL: @m.bind
// CHECK-NOT: gnn.part
// CHECK: return {{%.*}} : !gnn.per<"ntype", tensor<24x8xf32>>
// CHECK-LABEL: @m.run
// CHECK: "gnn.part"

// The only remaining loop is that of the product.
// INTER-LABEL: @m.run
// INTER: "inter.for_nodes"
// INTER-DAG: [[N:%.*]] = "inter.whole_row"
// INTER-DAG: "inter.at"({{%.*}}, [[N]]) : (!gnn.per<"ntype", tensor<24x8xf32>>, !inter.cursor<"node", "g">)
// INTER: "gnn.linear"
// INTER-NOT: "inter.for_nodes"
!p = !gnn.node<"g:0", tensor<24xf32>>
!y = !gnn.node<"g:0", tensor<8xf32>>
!w = !gnn.per<"ntype", tensor<24x8xf32>>
module attributes {gnn.model = "m"} {
  ml_program.global private @w(#ml_program.extern<!w>) : !w {gnn.count = 2 : i64}
  func.func @m(%g: !gnn.graph<"g">, %x: !p {gnn.name = "x"}) -> (!y {gnn.name = "y"}) {
    %w = ml_program.global_load_const @w : !w
    %0 = "gnn.slice"(%g, %w) {by = "node"} : (!gnn.graph<"g">, !w) -> !gnn.node<"g", tensor<24x8xf32>>
    %1 = "gnn.part"(%g, %0) {type = 0 : i64} : (!gnn.graph<"g">, !gnn.node<"g", tensor<24x8xf32>>) -> !gnn.node<"g:0", tensor<24x8xf32>>
    %2 = "gnn.linear"(%x, %1) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!p, !gnn.node<"g:0", tensor<24x8xf32>>) -> !y
    return %2 : !y
  }
}
