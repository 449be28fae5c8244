// gnn-canonicalize turns gathered values and sums over them into layers over nodes.
// RUN: gnn-opt -O1 --pass-pipeline=gnn-canonicalize %s | FileCheck %s

// A sum over gathered values of sources is one layer, with the factor per edge as weight.
// CHECK-LABEL: @weighted_sum
// CHECK-NEXT: [[Y:%.*]] = "gnn.aggregate"(%arg0, %arg1, %arg2) {direction = "in", reduce = "sum"}
// CHECK-NEXT: return [[Y]]
func.func @weighted_sum(%g: !gnn.graph<"g">, %z: !gnn.node<"g", tensor<4xf32>>, %a: !gnn.edge<"g", f32>) -> !gnn.node<"g", tensor<4xf32>> {
  %0 = "gnn.gather"(%g, %z) {end = "src"} : (!gnn.graph<"g">, !gnn.node<"g", tensor<4xf32>>) -> !gnn.edge<"g", tensor<4xf32>>
  %1 = "gnn.multiply"(%a, %0) : (!gnn.edge<"g", f32>, !gnn.edge<"g", tensor<4xf32>>) -> !gnn.edge<"g", tensor<4xf32>>
  %2 = "gnn.aggregate"(%g, %1) {reduce = "sum", direction = "in"} : (!gnn.graph<"g">, !gnn.edge<"g", tensor<4xf32>>) -> !gnn.node<"g", tensor<4xf32>>
  return %2 : !gnn.node<"g", tensor<4xf32>>
}

// The weight is per head and the right factor, over outgoing edges.
// CHECK-LABEL: @heads
// CHECK-NEXT: [[Y:%.*]] = "gnn.aggregate"(%arg0, %arg1, %arg2) {direction = "out", reduce = "mean"}
// CHECK-NEXT: return [[Y]]
func.func @heads(%g: !gnn.graph<"g">, %z: !gnn.node<"g", tensor<8x4xf32>>, %a: !gnn.edge<"g", tensor<8xf32>>) -> !gnn.node<"g", tensor<8x4xf32>> {
  %0 = "gnn.gather"(%g, %z) {end = "dst"} : (!gnn.graph<"g">, !gnn.node<"g", tensor<8x4xf32>>) -> !gnn.edge<"g", tensor<8x4xf32>>
  %1 = "gnn.multiply"(%0, %a) : (!gnn.edge<"g", tensor<8x4xf32>>, !gnn.edge<"g", tensor<8xf32>>) -> !gnn.edge<"g", tensor<8x4xf32>>
  %2 = "gnn.aggregate"(%g, %1) {reduce = "mean", direction = "out"} : (!gnn.graph<"g">, !gnn.edge<"g", tensor<8x4xf32>>) -> !gnn.node<"g", tensor<8x4xf32>>
  return %2 : !gnn.node<"g", tensor<8x4xf32>>
}

// Every reduction reads the values of the other end directly.
// CHECK-LABEL: @maximum
// CHECK-NEXT: [[Y:%.*]] = "gnn.aggregate"(%arg0, %arg1) {direction = "in", reduce = "max"}
// CHECK-NEXT: return [[Y]]
func.func @maximum(%g: !gnn.graph<"g">, %z: !gnn.node<"g", f32>) -> !gnn.node<"g", f32> {
  %0 = "gnn.gather"(%g, %z) {end = "src"} : (!gnn.graph<"g">, !gnn.node<"g", f32>) -> !gnn.edge<"g", f32>
  %1 = "gnn.aggregate"(%g, %0) {reduce = "max", direction = "in"} : (!gnn.graph<"g">, !gnn.edge<"g", f32>) -> !gnn.node<"g", f32>
  return %1 : !gnn.node<"g", f32>
}

// A layer over gathered values becomes a layer over nodes, which computes per node and not per edge.
// CHECK-LABEL: @per_node
// CHECK-NEXT: [[H:%.*]] = "gnn.linear"(%arg1, %arg2)
// CHECK-NEXT: [[P:%.*]] = "gnn.activation"([[H]]) {function = "exp"}
// CHECK-NEXT: [[Y:%.*]] = "gnn.aggregate"(%arg0, [[P]]) {direction = "in", reduce = "min"}
// CHECK-NEXT: return [[Y]]
func.func @per_node(%g: !gnn.graph<"g">, %x: !gnn.node<"g", tensor<8xf32>>, %w: tensor<8x4xf32>) -> !gnn.node<"g", tensor<4xf32>> {
  %0 = "gnn.gather"(%g, %x) {end = "src"} : (!gnn.graph<"g">, !gnn.node<"g", tensor<8xf32>>) -> !gnn.edge<"g", tensor<8xf32>>
  %1 = "gnn.linear"(%0, %w) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!gnn.edge<"g", tensor<8xf32>>, tensor<8x4xf32>) -> !gnn.edge<"g", tensor<4xf32>>
  %2 = "gnn.activation"(%1) {function = "exp"} : (!gnn.edge<"g", tensor<4xf32>>) -> !gnn.edge<"g", tensor<4xf32>>
  %3 = "gnn.aggregate"(%g, %2) {reduce = "min", direction = "in"} : (!gnn.graph<"g">, !gnn.edge<"g", tensor<4xf32>>) -> !gnn.node<"g", tensor<4xf32>>
  return %3 : !gnn.node<"g", tensor<4xf32>>
}

// Matrices per edge type are treated likewise: computed per type, then selected.
// CHECK-LABEL: @per_type
// CHECK-NEXT: [[T:%.*]] = "gnn.transpose"(%arg1) : (!gnn.per<"etype"
// CHECK-NEXT: [[S:%.*]] = "gnn.slice"(%arg0, [[T]]) {by = "edge"}
// CHECK-NEXT: return [[S]]
func.func @per_type(%g: !gnn.graph<"g">, %w: !gnn.per<"etype", tensor<4x8xf32>>) -> !gnn.edge<"g", tensor<8x4xf32>> {
  %0 = "gnn.slice"(%g, %w) {by = "edge"} : (!gnn.graph<"g">, !gnn.per<"etype", tensor<4x8xf32>>) -> !gnn.edge<"g", tensor<4x8xf32>>
  %1 = "gnn.transpose"(%0) : (!gnn.edge<"g", tensor<4x8xf32>>) -> !gnn.edge<"g", tensor<8x4xf32>>
  return %1 : !gnn.edge<"g", tensor<8x4xf32>>
}

// Products of two ends stay per edge; the normalisation of GCN is a weight of edges.
// CHECK-LABEL: @normalisation
// CHECK: [[P:%.*]] = "gnn.multiply"({{.*}}) : (!gnn.edge
// CHECK: [[N:%.*]] = "gnn.activation"([[P]]) {function = "rsqrt"}
// CHECK-NEXT: [[Y:%.*]] = "gnn.aggregate"(%arg0, %arg1, [[N]])
// CHECK-NEXT: return [[Y]]
func.func @normalisation(%g: !gnn.graph<"g">, %z: !gnn.node<"g", tensor<4xf32>>) -> !gnn.node<"g", tensor<4xf32>> {
  %d = "gnn.degree"(%g) {direction = "in"} : (!gnn.graph<"g">) -> !gnn.node<"g", f32>
  %0 = "gnn.gather"(%g, %d) {end = "src"} : (!gnn.graph<"g">, !gnn.node<"g", f32>) -> !gnn.edge<"g", f32>
  %1 = "gnn.gather"(%g, %d) {end = "dst"} : (!gnn.graph<"g">, !gnn.node<"g", f32>) -> !gnn.edge<"g", f32>
  %2 = "gnn.multiply"(%0, %1) : (!gnn.edge<"g", f32>, !gnn.edge<"g", f32>) -> !gnn.edge<"g", f32>
  %3 = "gnn.activation"(%2) {function = "rsqrt"} : (!gnn.edge<"g", f32>) -> !gnn.edge<"g", f32>
  %4 = "gnn.gather"(%g, %z) {end = "src"} : (!gnn.graph<"g">, !gnn.node<"g", tensor<4xf32>>) -> !gnn.edge<"g", tensor<4xf32>>
  %5 = "gnn.multiply"(%3, %4) : (!gnn.edge<"g", f32>, !gnn.edge<"g", tensor<4xf32>>) -> !gnn.edge<"g", tensor<4xf32>>
  %6 = "gnn.aggregate"(%g, %5) {reduce = "sum", direction = "in"} : (!gnn.graph<"g">, !gnn.edge<"g", tensor<4xf32>>) -> !gnn.node<"g", tensor<4xf32>>
  return %6 : !gnn.node<"g", tensor<4xf32>>
}
