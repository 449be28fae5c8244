// gnn-to-inter reports values whose graph is missing and operations without a lowering.
// RUN: gnn-opt --pass-pipeline=gnn-to-inter --split-input-file --verify-diagnostics %s

func.func @no_types(%w: !gnn.per<"etype", f32>) -> !gnn.per<"etype", f32> {
  // expected-error@+1 {{no graph of this function has the types of 'etype'}}
  %0 = "gnn.activation"(%w) {function = "relu"} : (!gnn.per<"etype", f32>) -> !gnn.per<"etype", f32>
  return %0 : !gnn.per<"etype", f32>
}

// -----

func.func @no_count(%g: !gnn.graph<"g">, %w: !gnn.per<"etype", f32>) -> !gnn.per<"etype", f32> {
  // expected-error@+1 {{nothing says how many types there are}}
  %0 = "gnn.activation"(%w) {function = "relu"} : (!gnn.per<"etype", f32>) -> !gnn.per<"etype", f32>
  return %0 : !gnn.per<"etype", f32>
}

// -----

func.func @normalised(%x: !gnn.sparse<"g", tensor<6xf32>>) -> !gnn.sparse<"g", tensor<6xf32>> {
  // expected-error@+1 {{normalised sparse features can be used in linear layers alone}}
  %0 = "gnn.row_normalize"(%x) : (!gnn.sparse<"g", tensor<6xf32>>) -> !gnn.sparse<"g", tensor<6xf32>>
  return %0 : !gnn.sparse<"g", tensor<6xf32>>
}

// -----

func.func @typed(%g: !gnn.graph<"g">, %x: !gnn.sparse<"g", tensor<6xf32>>, %w: !gnn.node<"g", tensor<6x2xf32>>) -> !gnn.node<"g", tensor<2xf32>> {
  // expected-error@+1 {{sparse features times a weight that differs from node to node are not lowered yet; compile with dense features}}
  %0 = "gnn.linear"(%x, %w) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!gnn.sparse<"g", tensor<6xf32>>, !gnn.node<"g", tensor<6x2xf32>>) -> !gnn.node<"g", tensor<2xf32>>
  return %0 : !gnn.node<"g", tensor<2xf32>>
}

// -----

func.func @no_graph(%x: !gnn.node<"g", f32>) -> !gnn.node<"g", f32> {
  // expected-error@+1 {{no graph of this function has the nodes of 'g'}}
  %0 = "gnn.activation"(%x) {function = "relu"} : (!gnn.node<"g", f32>) -> !gnn.node<"g", f32>
  return %0 : !gnn.node<"g", f32>
}

// -----

func.func @no_edges(%u: !gnn.graph<"g.unique_dst">, %v: !gnn.edge<"g", f32>) -> !gnn.edge<"g.unique_dst", f32> {
  // expected-error@+1 {{no graph of this function has the edges of 'g'}}
  %0 = "gnn.collapse"(%u, %v) {reduce = "sum"} : (!gnn.graph<"g.unique_dst">, !gnn.edge<"g", f32>) -> !gnn.edge<"g.unique_dst", f32>
  return %0 : !gnn.edge<"g.unique_dst", f32>
}

// -----

func.func @no_types_of_pairs(%u: !gnn.graph<"g.unique_dst">, %v: !gnn.per<"graph", f32>) -> !gnn.per<"graph", f32> {
  // expected-error@+1 {{no graph of this function has the types of 'graph'}}
  %0 = "gnn.activation"(%v) {function = "relu"} : (!gnn.per<"graph", f32>) -> !gnn.per<"graph", f32>
  return %0 : !gnn.per<"graph", f32>
}
