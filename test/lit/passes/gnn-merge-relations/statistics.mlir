// Where few numbers of x are stored, a product of its sparse rows for each relation costs less than rows of pairs.
// RUN: gnn-opt --pass-pipeline='gnn-merge-relations' --remarks='*' --num-nodes=1000 --num-edges=3000 --unique-src=1500 --unique-dst=1500 --density=0.01 %s 2>&1 | FileCheck %s --check-prefix=SPARSE
// RUN: gnn-opt --pass-pipeline='gnn-merge-relations{features=dense}' --remarks='*' --num-nodes=1000 --num-edges=3000 --unique-src=1500 --unique-dst=1500 --density=0.01 %s 2>&1 | FileCheck %s --check-prefix=DENSE
// RUN: gnn-opt --pass-pipeline='gnn-merge-relations{compact=false}' --remarks='*' --num-nodes=1000 --num-edges=3000 --unique-src=1500 --unique-dst=1500 %s 2>&1 | FileCheck %s --check-prefix=EDGES
// RUN: gnn-opt --pass-pipeline='gnn-merge-relations{when=never}' --remarks='*' --num-nodes=1000 --num-edges=3000 --unique-src=1500 --unique-dst=1500 %s 2>&1 | FileCheck %s --check-prefix=OFF

// SPARSE: do not become one product with a weight per edge type: 0.000 -> 0.024 MFLOP
// DENSE: become one product with a weight per edge type: 0.032 -> 0.024 MFLOP
// EDGES: do not become one product with a weight per edge type: 0.032 -> 0.048 MFLOP
// OFF: would become one product with a weight per edge type: 0.032 -> 0.024 MFLOP; switched off
// SPARSE-NOT: slice
// DENSE: slice
// EDGES-NOT: slice
// OFF-NOT: slice
#extern = #ml_program.extern
ml_program.global private @a(#extern) : tensor<4x2xf32> {gnn.from = "a", gnn.name = "a"}
ml_program.global private @b(#extern) : tensor<4x2xf32> {gnn.from = "b", gnn.name = "b"}
func.func @rgcn(%g: !gnn.graph<"g"> {gnn.edge_types = 2 : i64}, %x: !gnn.node<"g", tensor<4xf32>>) -> (!gnn.node<"g", tensor<2xf32>>) {
  %g0 = "gnn.edge_set"(%g) {mode = "relation0"} : (!gnn.graph<"g">) -> !gnn.graph<"g.relation0">
  %g1 = "gnn.edge_set"(%g) {mode = "relation1"} : (!gnn.graph<"g">) -> !gnn.graph<"g.relation1">
  %a = ml_program.global_load_const @a : tensor<4x2xf32>
  %z0 = "gnn.linear"(%x, %a) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!gnn.node<"g", tensor<4xf32>>, tensor<4x2xf32>) -> !gnn.node<"g", tensor<2xf32>>
  %s0 = "gnn.aggregate"(%g0, %z0) {direction = "in", reduce = "mean"} : (!gnn.graph<"g.relation0">, !gnn.node<"g", tensor<2xf32>>) -> !gnn.node<"g", tensor<2xf32>>
  %b = ml_program.global_load_const @b : tensor<4x2xf32>
  %z1 = "gnn.linear"(%x, %b) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!gnn.node<"g", tensor<4xf32>>, tensor<4x2xf32>) -> !gnn.node<"g", tensor<2xf32>>
  %s1 = "gnn.aggregate"(%g1, %z1) {direction = "in", reduce = "mean"} : (!gnn.graph<"g.relation1">, !gnn.node<"g", tensor<2xf32>>) -> !gnn.node<"g", tensor<2xf32>>
  %y = "gnn.vector_add"(%s0, %s1) : (!gnn.node<"g", tensor<2xf32>>, !gnn.node<"g", tensor<2xf32>>) -> !gnn.node<"g", tensor<2xf32>>
  return %y : !gnn.node<"g", tensor<2xf32>>
}
