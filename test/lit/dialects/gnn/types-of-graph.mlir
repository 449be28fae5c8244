// The numbers of types that a graph declares are positive, and belong to graphs.
// RUN: gnn-opt --verify-diagnostics --split-input-file %s

// expected-error@+1 {{gnn.edge_types of argument 0: expected a positive number at a graph}}
func.func @none(%g: !gnn.graph<"g"> {gnn.edge_types = 0 : i64}, %x: !gnn.node<"g", tensor<4xf32>>) -> (!gnn.node<"g", tensor<4xf32>>) {
  return %x : !gnn.node<"g", tensor<4xf32>>
}

// -----

// expected-error@+1 {{gnn.node_types of argument 1: expected a positive number at a graph}}
func.func @no_graph(%g: !gnn.graph<"g">, %x: !gnn.node<"g", tensor<4xf32>> {gnn.node_types = 2 : i64}) -> (!gnn.node<"g", tensor<4xf32>>) {
  return %x : !gnn.node<"g", tensor<4xf32>>
}

// -----

// expected-error@+1 {{gnn.node_types of argument 0: expected a positive number at a graph}}
func.func @no_number(%g: !gnn.graph<"g"> {gnn.node_types = "two"}, %x: !gnn.node<"g", tensor<4xf32>>) -> (!gnn.node<"g", tensor<4xf32>>) {
  return %x : !gnn.node<"g", tensor<4xf32>>
}
