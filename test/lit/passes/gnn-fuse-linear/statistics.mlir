// Condition (6) on the graphs of Pigeon's table, 64 -> 64: HGT's keys and values are fused where |V| > |T| * 64, which holds for
// AIFB (by one percent) and MUTAG, and not for FB15k-237. With four heads, a product over all columns costs more than one per head.
// RUN: gnn-opt --pass-pipeline=gnn-fuse-linear --remarks='*' --num-nodes=7262 --num-edges=48810 --num-edge-types=104 --num-node-types=7 --unique-src=24299 --unique-dst=24299 --pairs-src=104 --pairs-dst=104 %s 2>&1 | FileCheck %s --check-prefix=AIFB
// RUN: gnn-opt --pass-pipeline=gnn-fuse-linear --remarks='*' --num-nodes=27163 --num-edges=148100 --num-edge-types=50 --num-node-types=5 --unique-src=76204 --unique-dst=76204 --pairs-src=50 --pairs-dst=50 %s 2>&1 | FileCheck %s --check-prefix=MUTAG
// RUN: gnn-opt --pass-pipeline=gnn-fuse-linear --remarks='*' --num-nodes=14541 --num-edges=620232 --num-edge-types=474 --num-node-types=1 --unique-src=161922 --unique-dst=161922 --pairs-src=474 --pairs-dst=474 %s 2>&1 | FileCheck %s --check-prefix=FB15K
// RUN: gnn-opt --pass-pipeline='gnn-fuse-linear{compact=false}' --remarks='*' --num-nodes=27163 --num-edges=148100 --num-edge-types=50 --num-node-types=5 --unique-src=76204 --unique-dst=76204 --pairs-src=50 --pairs-dst=50 %s 2>&1 | FileCheck %s --check-prefix=EDGES
// RUN: gnn-opt --pass-pipeline='gnn-fuse-linear{when=never}' --remarks='*' --num-nodes=27163 --num-edges=148100 --num-edge-types=50 --num-node-types=5 --unique-src=76204 --unique-dst=76204 --pairs-src=50 --pairs-dst=50 %s 2>&1 | FileCheck %s --check-prefix=OFF

!x = !gnn.node<"g", tensor<64xf32>>
!e = !gnn.edge<"g", tensor<64xf32>>

// AIFB: become one product, weights multiplied once: 258.548 -> 253.583 MFLOP
// MUTAG: become one product, weights multiplied once: 846.782 -> 650.478 MFLOP
// FB15K: are not fused: 1445.585 -> 1574.978 MFLOP (condition 6)
// EDGES: become one product, weights multiplied once: 1435.754 -> 1239.450 MFLOP
// OFF: are not fused: switched off; one product would be 846.782 -> 650.478 MFLOP
// AIFB-LABEL: @hgt
// AIFB: "gnn.pair"(%arg0, %arg2) {count = 104 : i64, end = "src"}
// AIFB-LABEL: @heads
// MUTAG-LABEL: @hgt
// MUTAG: "gnn.pair"(%arg0, %arg2) {count = 50 : i64, end = "src"}
// MUTAG-LABEL: @heads
// FB15K-NOT: gnn.pair
// OFF-NOT: gnn.pair
func.func @hgt(%g: !gnn.graph<"g">, %x: !x, %k: !gnn.per<"ntype", tensor<64x64xf32>>, %a: !gnn.per<"etype", tensor<64x64xf32>>) -> !e {
  %0 = "gnn.slice"(%g, %k) {by = "node"} : (!gnn.graph<"g">, !gnn.per<"ntype", tensor<64x64xf32>>) -> !gnn.node<"g", tensor<64x64xf32>>
  %1 = "gnn.linear"(%x, %0) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!x, !gnn.node<"g", tensor<64x64xf32>>) -> !x
  %2 = "gnn.gather"(%g, %1) {end = "src"} : (!gnn.graph<"g">, !x) -> !e
  %3 = "gnn.slice"(%g, %a) {by = "edge"} : (!gnn.graph<"g">, !gnn.per<"etype", tensor<64x64xf32>>) -> !gnn.edge<"g", tensor<64x64xf32>>
  %4 = "gnn.linear"(%2, %3) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!e, !gnn.edge<"g", tensor<64x64xf32>>) -> !e
  return %4 : !e
}

// AIFB-NOT: gnn.pair
// MUTAG-NOT: gnn.pair
func.func @heads(%g: !gnn.graph<"g">, %x: !x, %k: !gnn.per<"ntype", tensor<64x64xf32>>, %a: !gnn.per<"etype", tensor<4x16x16xf32>>) -> !gnn.edge<"g", tensor<4x16xf32>> {
  %0 = "gnn.slice"(%g, %k) {by = "node"} : (!gnn.graph<"g">, !gnn.per<"ntype", tensor<64x64xf32>>) -> !gnn.node<"g", tensor<64x64xf32>>
  %1 = "gnn.linear"(%x, %0) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!x, !gnn.node<"g", tensor<64x64xf32>>) -> !x
  %2 = "gnn.reshape"(%1) {shape = array<i64: 4, 16>} : (!x) -> !gnn.node<"g", tensor<4x16xf32>>
  %3 = "gnn.gather"(%g, %2) {end = "src"} : (!gnn.graph<"g">, !gnn.node<"g", tensor<4x16xf32>>) -> !gnn.edge<"g", tensor<4x16xf32>>
  %4 = "gnn.slice"(%g, %a) {by = "edge"} : (!gnn.graph<"g">, !gnn.per<"etype", tensor<4x16x16xf32>>) -> !gnn.edge<"g", tensor<4x16x16xf32>>
  %5 = "gnn.linear"(%3, %4) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!gnn.edge<"g", tensor<4x16xf32>>, !gnn.edge<"g", tensor<4x16x16xf32>>) -> !gnn.edge<"g", tensor<4x16xf32>>
  return %5 : !gnn.edge<"g", tensor<4x16xf32>>
}
