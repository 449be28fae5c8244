// With a graph the costs decide. Where nearly every edge has a pair of its own, the index costs more than it saves.
// RUN: gnn-opt --pass-pipeline='gnn-compact' --remarks='*' --num-edges=48810 --unique-src=24299 --unique-dst=24299 %s 2>&1 | FileCheck %s --check-prefix=AIFB
// RUN: gnn-opt --pass-pipeline='gnn-compact' --remarks='*' --num-edges=148100 --unique-src=76204 --unique-dst=76204 %s 2>&1 | FileCheck %s --check-prefix=MUTAG
// RUN: gnn-opt --pass-pipeline='gnn-compact' --remarks='*' --num-edges=620232 --unique-src=161922 --unique-dst=161922 %s 2>&1 | FileCheck %s --check-prefix=FB15K
// RUN: gnn-opt --pass-pipeline='gnn-compact{when=never}' --remarks='*' --num-edges=48810 --unique-src=24299 --unique-dst=24299 %s 2>&1 | FileCheck %s --check-prefix=OFF
// RUN: gnn-opt --pass-pipeline='gnn-compact{when=always}' --remarks='*' --num-edges=48810 --unique-src=24299 --unique-dst=24299 %s 2>&1 | FileCheck %s --check-prefix=ALWAYS
// RUN: gnn-opt --pass-pipeline='gnn-compact' --remarks='*' --num-edges=48810 --unique-src=48800 --unique-dst=48800 %s 2>&1 | FileCheck %s --check-prefix=DENSE

// A message of 64 columns is compacted on all three graphs; the remark has the ratios of Pigeon.
// AIFB: takes 24299 rows, one per pair of edge type and source, instead of 48810 edges (49.8 %): 399.852 -> 199.057 MFLOP, 37.681 -> 25.229 MB
// MUTAG: takes 76204 rows, one per pair of edge type and source, instead of 148100 edges (51.5 %): 1213.235 -> 624.263 MFLOP
// FB15K: takes 161922 rows, one per pair of edge type and source, instead of 620232 edges (26.1 %): 5080.941 -> 1326.465 MFLOP
// OFF: would take 24299 rows, {{.*}} 399.852 -> 199.057 MFLOP, 37.681 -> 25.229 MB; switched off
// DENSE: would take 48800 rows, {{.*}}; reading them through an index costs more than that saves
func.func @message(%g: !gnn.graph<"g">, %x: !gnn.node<"g", tensor<64xf32>>, %w: !gnn.per<"etype", tensor<64x64xf32>>) -> (!gnn.edge<"g", tensor<64xf32>>) {
  %hz = "gnn.gather"(%g, %x) {end = "src"} : (!gnn.graph<"g">, !gnn.node<"g", tensor<64xf32>>) -> !gnn.edge<"g", tensor<64xf32>>
  %wz = "gnn.slice"(%g, %w) {by = "edge"} : (!gnn.graph<"g">, !gnn.per<"etype", tensor<64x64xf32>>) -> !gnn.edge<"g", tensor<64x64xf32>>
  %z = "gnn.linear"(%hz, %wz) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!gnn.edge<"g", tensor<64xf32>>, !gnn.edge<"g", tensor<64x64xf32>>) -> !gnn.edge<"g", tensor<64xf32>>
  return %z : !gnn.edge<"g", tensor<64xf32>>
}

// Rows that are only scaled: FLOPs decrease, but each edge still reads as many numbers.
// AIFB: would take 24299 rows, {{.*}} 3.124 -> 1.555 MFLOP, 12.691 -> 25.229 MB; reading them through an index costs more than that saves
// AIFB-LABEL: @message
// AIFB: "gnn.expand"
// AIFB-LABEL: @scaled
// AIFB-NOT: "gnn.expand"
// ALWAYS-LABEL: @scaled
// ALWAYS: "gnn.expand"
// OFF-NOT: "gnn.expand"
// DENSE-NOT: "gnn.expand"
func.func @scaled(%g: !gnn.graph<"g">, %x: !gnn.node<"g", tensor<64xf32>>, %w: !gnn.per<"etype", tensor<64xf32>>) -> (!gnn.edge<"g", tensor<64xf32>>) {
  %h = "gnn.gather"(%g, %x) {end = "src"} : (!gnn.graph<"g">, !gnn.node<"g", tensor<64xf32>>) -> !gnn.edge<"g", tensor<64xf32>>
  %ws = "gnn.slice"(%g, %w) {by = "edge"} : (!gnn.graph<"g">, !gnn.per<"etype", tensor<64xf32>>) -> !gnn.edge<"g", tensor<64xf32>>
  %z = "gnn.multiply"(%h, %ws) : (!gnn.edge<"g", tensor<64xf32>>, !gnn.edge<"g", tensor<64xf32>>) -> !gnn.edge<"g", tensor<64xf32>>
  return %z : !gnn.edge<"g", tensor<64xf32>>
}
