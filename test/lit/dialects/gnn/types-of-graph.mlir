// The numbers of types that a graph declares are positive, and belong to graphs; each type of edges has two ends of these types.
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

// -----

// expected-error@+1 {{gnn.edge_ends of argument 0: expected two types of nodes, or -1, for each type of edges}}
func.func @too_few(%g: !gnn.graph<"g"> {gnn.edge_types = 2 : i64, gnn.node_types = 2 : i64, gnn.edge_ends = array<i64: 0, 1>}, %x: !gnn.node<"g", tensor<4xf32>>) -> (!gnn.node<"g", tensor<4xf32>>) {
  return %x : !gnn.node<"g", tensor<4xf32>>
}

// -----

// expected-error@+1 {{gnn.edge_ends of argument 0: expected two types of nodes, or -1, for each type of edges}}
func.func @unknown(%g: !gnn.graph<"g"> {gnn.edge_types = 1 : i64, gnn.node_types = 2 : i64, gnn.edge_ends = array<i64: 0, 2>}, %x: !gnn.node<"g", tensor<4xf32>>) -> (!gnn.node<"g", tensor<4xf32>>) {
  return %x : !gnn.node<"g", tensor<4xf32>>
}

// -----

// expected-error@+1 {{gnn.edge_ends of argument 0: expected two types of nodes, or -1, for each type of edges}}
func.func @no_types(%g: !gnn.graph<"g"> {gnn.node_types = 2 : i64, gnn.edge_ends = array<i64: 0, 1>}, %x: !gnn.node<"g", tensor<4xf32>>) -> (!gnn.node<"g", tensor<4xf32>>) {
  return %x : !gnn.node<"g", tensor<4xf32>>
}

// -----

func.func @good(%g: !gnn.graph<"g"> {gnn.edge_types = 2 : i64, gnn.node_types = 2 : i64, gnn.edge_ends = array<i64: 0, 1, -1, -1>}, %x: !gnn.node<"g", tensor<4xf32>>) -> (!gnn.node<"g", tensor<4xf32>>) {
  return %x : !gnn.node<"g", tensor<4xf32>>
}
