// Our verifier reports wrong graph operations and attributes; MLIR's own messages about the number and kinds of operands come first.
// RUN: gnn-opt %s --split-input-file --verify-diagnostics

func.func @wrong_result(%g: !gnn.graph<"g">) {
  // expected-error@+1 {{gnn.degree gives node f32, but the type written here is node f32[8]}}
  %0 = "gnn.degree"(%g) {direction = "in"} : (!gnn.graph<"g">) -> !gnn.node<"g", tensor<8xf32>>
  return
}

// -----
func.func @wrong_set(%g: !gnn.graph<"g">) {
  // expected-error@+1 {{gnn.degree gives a value of 'g', but the type written here is of 'h'}}
  %0 = "gnn.degree"(%g) {direction = "in"} : (!gnn.graph<"g">) -> !gnn.node<"h", f32>
  return
}

// -----
func.func @wrong_mode(%g: !gnn.graph<"g">) {
  // expected-error@+1 {{mode 'add': expected add_remaining, keep_one, replace, remove, relation with the number of a type, union with numbers of types, or power with the length of a path}}
  %0 = "gnn.edge_set"(%g) {mode = "add"} : (!gnn.graph<"g">) -> !gnn.graph<"g.add">
  return
}

// -----
func.func @misspelt_attribute(%x: f32) {
  // expected-error@+1 {{gnn.activation has no attribute 'slop'; did you mean 'slope'?}}
  %0 = "gnn.activation"(%x) {function = "elu", slop = 1.0 : f64} : (f32) -> f32
  return
}

// -----
func.func @unknown_attribute(%x: f32) {
  // expected-error@+1 {{gnn.activation has no attribute 'zzzzzzzzzz'}}
  %0 = "gnn.activation"(%x) {function = "elu", zzzzzzzzzz} : (f32) -> f32
  return
}

// -----
func.func @attributes_with_a_dot_are_anybodys(%x: f32) {
  %0 = "gnn.activation"(%x) {function = "elu", gnn.note = "mine"} : (f32) -> f32
  return
}

// -----
func.func @missing_attribute(%x: f32) {
  // expected-error@+1 {{attribute "function" is expected but not provided}}
  %0 = "gnn.activation"(%x) : (f32) -> f32
  return
}

// -----
func.func @unknown_function(%x: f32) {
  // expected-error@+1 {{'function' cannot be "rleu": it is relu, leaky_relu, elu, sigmoid, swish, gelu, softplus, tanh, erf, exp, expm1, log, log1p, sin, cos, sqrt, rsqrt, negate, add_constant, mul_constant, reciprocal, abs, sign, floor, round or clamp}}
  %0 = "gnn.activation"(%x) {function = "rleu"} : (f32) -> f32
  return
}

// -----
func.func @unknown_function_of_two(%x: f32) {
  // expected-error@+1 {{'function' cannot be "add": it is atan2 or pow}}
  %0 = "gnn.binary"(%x, %x) {function = "add"} : (f32, f32) -> f32
  return
}

// -----
func.func @number_of_another_function(%x: f32) {
  // expected-error@+1 {{'elu' takes 'alpha', but 'slope' is written here}}
  %0 = "gnn.activation"(%x) {function = "elu", slope = 1.0 : f64} : (f32) -> f32
  return
}

// -----
func.func @number_beside_two(%x: f32) {
  // expected-error@+1 {{'clamp' takes 'low' and 'high', but 'alpha' is written here}}
  %0 = "gnn.vector_add"(%x, %x) {activation = "clamp", low = 0.5 : f64, alpha = 1.0 : f64} : (f32, f32) -> f32
  return
}

// -----
func.func @number_too_many(%x: f32) {
  // expected-error@+1 {{'relu' takes no number, but 'slope' is written here}}
  %0 = "gnn.activation"(%x) {function = "relu", slope = 1.0 : f64} : (f32) -> f32
  return
}

// -----
func.func @number_of_no_function(%x: f32) {
  // expected-error@+1 {{'high' is a number of a function, but there is no 'activation'}}
  %0 = "gnn.vector_add"(%x, %x) {high = 1.0 : f64} : (f32, f32) -> f32
  return
}

// -----
func.func @flag_with_a_value(%x: tensor<8xf32>) {
  // expected-error@+1 {{'log' must be a flag, written without a value}}
  %0 = "gnn.softmax"(%x) {log = false} : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----
func.func @optional_float(%x: f32) {
  // expected-error@+1 {{'slope' must be a floating-point number}}
  %0 = "gnn.activation"(%x) {function = "elu", slope = 1 : i64} : (f32) -> f32
  return
}

// -----
func.func @required_string(%x: f32) {
  // expected-error@+1 {{expected base attribute 'builtin.string' but got 'builtin.integer'}}
  %0 = "gnn.activation"(%x) {function = 7 : i64} : (f32) -> f32
  return
}

// -----
func.func @wide_integers(%x: tensor<8xf32>) {
  // expected-error@+1 {{'shape' must be array<i64: ...>}}
  %0 = "gnn.reshape"(%x) {shape = array<i32: 2, 4>} : (tensor<8xf32>) -> tensor<2x4xf32>
  return
}

// -----
func.func @operand_of_another_kind(%g: !gnn.graph<"g">, %e: !gnn.edge<"g", f32>) {
  // expected-error@+1 {{expected base type 'gnn.sparse' but got 'gnn.edge'}}
  %0 = "gnn.densify"(%e) : (!gnn.edge<"g", f32>) -> !gnn.node<"g", f32>
  return
}

// -----
func.func @gather_of_edges(%g: !gnn.graph<"g">, %e: !gnn.edge<"g", f32>) {
  // expected-error@+1 {{'value' is per edge, but gnn.gather takes a value per node}}
  %0 = "gnn.gather"(%g, %e) {end = "src"} : (!gnn.graph<"g">, !gnn.edge<"g", f32>) -> !gnn.edge<"g", f32>
  return
}

// -----
func.func @gather_of_sparse_rows(%g: !gnn.graph<"g">, %x: !gnn.sparse<"g", tensor<4xf32>>) {
  // expected-error@+1 {{'value' is sparse; such rows are gathered at unique edges alone}}
  %0 = "gnn.gather"(%g, %x) {end = "src"} : (!gnn.graph<"g">, !gnn.sparse<"g", tensor<4xf32>>) -> !gnn.sparse<"g", tensor<4xf32>>
  return
}

// -----
func.func @gather_from_another_graph(%g: !gnn.graph<"g">, %x: !gnn.node<"h", f32>) {
  // expected-error@+1 {{'value' is per node of 'h', but graph 'graph' has the nodes of 'g'}}
  %0 = "gnn.gather"(%g, %x) {end = "src"} : (!gnn.graph<"g">, !gnn.node<"h", f32>) -> !gnn.edge<"g", f32>
  return
}

// -----
func.func @aggregate_of_another_edge_set(%g: !gnn.graph<"g.replace">, %x: !gnn.edge<"g", f32>) {
  // expected-error@+1 {{'value' is per edge of 'g', but graph 'graph' has the edges of 'g.replace'}}
  %0 = "gnn.aggregate"(%g, %x) {reduce = "sum", direction = "in"} : (!gnn.graph<"g.replace">, !gnn.edge<"g", f32>) -> !gnn.node<"g", f32>
  return
}

// -----
func.func @aggregate_of_a_plain_tensor(%g: !gnn.graph<"g">, %x: tensor<8xf32>) {
  // expected-error@+1 {{'value' is a plain tensor, but an aggregation takes a value per node or per edge}}
  %0 = "gnn.aggregate"(%g, %x) {reduce = "sum", direction = "in"} : (!gnn.graph<"g">, tensor<8xf32>) -> !gnn.node<"g", tensor<8xf32>>
  return
}

// -----
func.func @aggregate_of_sparse_rows(%g: !gnn.graph<"g">, %x: !gnn.sparse<"g", tensor<8xf32>>) {
  // expected-error@+1 {{'value' is sparse, but an aggregation takes a value per node or per edge}}
  %0 = "gnn.aggregate"(%g, %x) {reduce = "sum", direction = "in"} : (!gnn.graph<"g">, !gnn.sparse<"g", tensor<8xf32>>) -> !gnn.node<"g", tensor<8xf32>>
  return
}

// -----
func.func @weight_with_more_dimensions(%g: !gnn.graph<"g">, %x: !gnn.node<"g", f32>, %w: !gnn.edge<"g", tensor<2xf32>>) {
  // expected-error@+1 {{'weight' has 1 dimension, but 'value', which it multiplies, has only 0}}
  %0 = "gnn.aggregate"(%g, %x, %w) {reduce = "sum", direction = "in"} : (!gnn.graph<"g">, !gnn.node<"g", f32>, !gnn.edge<"g", tensor<2xf32>>) -> !gnn.node<"g", f32>
  return
}

// -----
func.func @extend_what_nobody_made(%g: !gnn.graph<"g">, %x: !gnn.edge<"g", f32>) {
  // expected-error@+1 {{graph 'graph' was not made by gnn.edge_set: it has no edges to add}}
  %0 = "gnn.extend_edges"(%g, %x) {fill = 1.0 : f64} : (!gnn.graph<"g">, !gnn.edge<"g", f32>) -> !gnn.edge<"g", f32>
  return
}

// -----
func.func @extend_edges_of_another_graph(%g: !gnn.graph<"h.replace">, %x: !gnn.edge<"g", f32>) {
  // expected-error@+1 {{'value' is per edge of 'g', but graph 'graph' was made from 'h'}}
  %0 = "gnn.extend_edges"(%g, %x) {fill = 1.0 : f64} : (!gnn.graph<"h.replace">, !gnn.edge<"g", f32>) -> !gnn.edge<"h.replace", f32>
  return
}

// -----
func.func @slice_by_the_other_type(%g: !gnn.graph<"g">, %w: !gnn.per<"etype", f32>) {
  // expected-error@+1 {{'value' is per etype, but slicing by node takes a value per ntype}}
  %0 = "gnn.slice"(%g, %w) {by = "node"} : (!gnn.graph<"g">, !gnn.per<"etype", f32>) -> !gnn.node<"g", f32>
  return
}

// -----
func.func @pool_of_another_graph(%g: !gnn.graph<"g">, %x: !gnn.node<"h", f32>) {
  // expected-error@+1 {{'value' is per node of 'h', but graph 'graph' has the nodes of 'g'}}
  %0 = "gnn.pool"(%g, %x) {reduce = "sum"} : (!gnn.graph<"g">, !gnn.node<"h", f32>) -> !gnn.per<"graph", f32>
  return
}

// -----
// expected-error@+1 {{a payload is f32, i32 or a tensor of these with 1 to 6 dimensions}}
func.func @double_payload(%x: !gnn.node<"g", tensor<8xf64>>) {
  return
}

// -----
// expected-error@+1 {{tensor<f32>: a payload is f32, i32 or a tensor of these}}
func.func @rank_zero_tensor(%x: tensor<f32>) {
  return
}

// -----
// expected-error@+1 {{a payload is f32, i32 or a tensor of these with 1 to 6 dimensions}}
func.func @too_many_dimensions(%x: tensor<1x1x1x1x1x1x1xf32>) {
  return
}

// -----
// expected-error@+1 {{a payload is f32}}
ml_program.global private @w(#ml_program.extern) : !gnn.per<"etype", tensor<8xf16>>

// -----
// expected-error@+1 {{a weight is a plain tensor or one per type, not node f32[8]}}
ml_program.global private @w(#ml_program.extern) : !gnn.node<"g", tensor<8xf32>>

// -----
// expected-error@+1 {{does not satisfy the constraint}}
func.func @per_what(%x: !gnn.per<"vertex", f32>) {
  return
}

// -----
func.func @outer_products_are_added_up(%g: !gnn.graph<"g">, %x: !gnn.node<"g", tensor<8xf32>>) {
  // expected-error@+1 {{outer products have a sum, but no max}}
  %0 = "gnn.total"(%g, %x, %x) {reduce = "max"} : (!gnn.graph<"g">, !gnn.node<"g", tensor<8xf32>>, !gnn.node<"g", tensor<8xf32>>) -> tensor<8x8xf32>
  return
}

// -----
func.func @outer_products_of_vectors(%g: !gnn.graph<"g">, %x: !gnn.node<"g", tensor<8x2xf32>>) {
  // expected-error@+1 {{an outer product takes two vectors}}
  %0 = "gnn.total"(%g, %x, %x) {reduce = "sum"} : (!gnn.graph<"g">, !gnn.node<"g", tensor<8x2xf32>>, !gnn.node<"g", tensor<8x2xf32>>) -> tensor<8x8xf32>
  return
}

// -----
func.func @only_pieces_are_combined(%x: !gnn.per<"etype", f32>) {
  // expected-error@+1 {{'x' is per etype, not per piece}}
  %0 = "gnn.combine"(%x) {reduce = "sum"} : (!gnn.per<"etype", f32>) -> f32
  return
}

// -----
func.func @integers_are_no_numbers(%z: !gnn.node<"g", i32>, %x: !gnn.node<"g", f32>) {
  // expected-error@+1 {{'a' is node i32, but gnn.vector_add takes f32; gnn.convert makes f32 of integers}}
  %0 = "gnn.vector_add"(%z, %x) : (!gnn.node<"g", i32>, !gnn.node<"g", f32>) -> !gnn.node<"g", f32>
  return
}

// -----
func.func @orders(%g: !gnn.graph<"g">, %x: !gnn.node<"g", tensor<8xf32>>, %w: !gnn.edge<"g", f32>, %v: !gnn.edge<"g", tensor<8xf32>>) {
  // expected-error@+1 {{'key' has 1 dimension, but a key is one number}}
  %0 = "gnn.order"(%g, %v) {over = "in"} : (!gnn.graph<"g">, !gnn.edge<"g", tensor<8xf32>>) -> !gnn.edge<"g", tensor<8xf32>>
  // expected-error@+1 {{'key' is per edge, but the members of a graph are its nodes}}
  %1 = "gnn.order"(%g, %w) {over = "graph"} : (!gnn.graph<"g">, !gnn.edge<"g", f32>) -> !gnn.edge<"g", f32>
  // expected-error@+1 {{'count' cannot be 0}}
  %2 = "gnn.first"(%g, %x) {count = 0 : i64, over = "in"} : (!gnn.graph<"g">, !gnn.node<"g", tensor<8xf32>>) -> !gnn.node<"g", tensor<8xf32>>
  // expected-error@+1 {{'q' cannot be 2: it is between 0 and 1}}
  %3 = "gnn.quantile"(%g, %x) {q = 2.0 : f64, interpolation = "lower", over = "in"} : (!gnn.graph<"g">, !gnn.node<"g", tensor<8xf32>>) -> !gnn.node<"g", tensor<8xf32>>
  return
}

// -----
func.func @index_is_one_number(%e: tensor<7x4xf32>, %q: !gnn.node<"g", tensor<2xi32>>) {
  // expected-error@+1 {{index 'index' has 1 dimension, expected one number}}
  %0 = "gnn.lookup"(%e, %q) : (tensor<7x4xf32>, !gnn.node<"g", tensor<2xi32>>) -> !gnn.node<"g", tensor<4xf32>>
  return
}

// -----
func.func @table_has_rows(%e: f32, %z: i32) {
  // expected-error@+1 {{'table' is f32, but this takes at least one dimension}}
  %0 = "gnn.lookup"(%e, %z) : (f32, i32) -> f32
  return
}

// -----
func.func @number_needs_bounds(%e: tensor<7x4xf32>, %d: !gnn.node<"g", f32>) {
  // expected-error@+1 {{an f32 index needs both bounds, 'low' and 'high'}}
  %0 = "gnn.lookup"(%e, %d) {low = 0 : i64} : (tensor<7x4xf32>, !gnn.node<"g", f32>) -> !gnn.node<"g", tensor<4xf32>>
  return
}

// -----
func.func @bounds_of_number_are_rows(%e: tensor<7x4xf32>, %d: !gnn.node<"g", f32>) {
  // expected-error@+1 {{an f32 index from 0 to 7 is not in the rows 0 to 6 of 'table'}}
  %0 = "gnn.lookup"(%e, %d) {low = 0 : i64, high = 7 : i64} : (tensor<7x4xf32>, !gnn.node<"g", f32>) -> !gnn.node<"g", tensor<4xf32>>
  return
}

// -----
func.func @bounds_in_order(%e: tensor<7x4xf32>, %z: i32) {
  // expected-error@+1 {{'low' is 3, which is more than 'high', 2}}
  %0 = "gnn.lookup"(%e, %z) {low = 3 : i64, high = 2 : i64} : (tensor<7x4xf32>, i32) -> tensor<4xf32>
  return
}

// -----
func.func @bound_below_all_rows(%e: tensor<7x4xf32>, %z: i32) {
  // expected-error@+1 {{'high' is -1: no row is left}}
  %0 = "gnn.lookup"(%e, %z) {high = -1 : i64} : (tensor<7x4xf32>, i32) -> tensor<4xf32>
  return
}

// -----
func.func @bound_beyond_all_rows(%e: tensor<7x4xf32>, %z: i32) {
  // expected-error@+1 {{'low' is 7, but 'table' has the rows 0 to 6}}
  %0 = "gnn.lookup"(%e, %z) {low = 7 : i64} : (tensor<7x4xf32>, i32) -> tensor<4xf32>
  return
}

// -----
func.func @only_integers_are_converted(%x: f32) {
  // expected-error@+1 {{'x' is f32 already}}
  %0 = "gnn.convert"(%x) : (f32) -> f32
  return
}

// -----
// expected-error@+1 {{a weight is f32, not i32[4]}}
ml_program.global private @integers(#ml_program.extern) : tensor<4xi32>

// -----
func.func @folds(%g: !gnn.graph<"g">, %w: !gnn.edge<"g", f32>, %u: tensor<8xf32>) {
  // expected-error@+1 {{the body of a fold yields the next state, with the payload of 'init'}}
  %0 = "gnn.fold"(%g, %u, %w) ({
  ^bb0(%s: tensor<8xf32>, %v: f32):
    smt.yield %v : f32
  }) {over = "in", operandSegmentSizes = array<i32: 1, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (!gnn.graph<"g">, tensor<8xf32>, !gnn.edge<"g", f32>) -> !gnn.node<"g", tensor<8xf32>>
  // expected-error@+1 {{a fold over steps needs 'steps', one number}}
  %1 = "gnn.fold"(%u) ({
  ^bb0(%s: tensor<8xf32>, %t: f32):
    smt.yield %s : tensor<8xf32>
  }) {over = "steps", operandSegmentSizes = array<i32: 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----
func.func @near_edges_of_numbers(%g: !gnn.graph<"g">, %x: !gnn.node<"h", f32>, %y: !gnn.node<"g", f32>) {
  // expected-error@+1 {{'value' is per node of 'h', but graph 'graph' has the nodes of 'g'}}
  %0 = "gnn.near_edges"(%g, %x) {most = 8 : i64, name = "knn_0"} : (!gnn.graph<"g">, !gnn.node<"h", f32>) -> !gnn.graph<"g.knn_0">
  return
}

// -----
func.func @names_say_how_edges_are_chosen(%g: !gnn.graph<"g">, %x: !gnn.node<"g", f32>) {
  // expected-error@+1 {{'name' is 'near', but such edge sets are called knn_N, N a number}}
  %0 = "gnn.near_edges"(%g, %x) {most = 8 : i64, name = "near"} : (!gnn.graph<"g">, !gnn.node<"g", f32>) -> !gnn.graph<"g.near">
  return
}

// -----
func.func @at_least_one_neighbour(%g: !gnn.graph<"g">, %x: !gnn.node<"g", f32>) {
  // expected-error@+1 {{'most' cannot be 0}}
  %0 = "gnn.near_edges"(%g, %x) {most = 0 : i64, name = "knn_0"} : (!gnn.graph<"g">, !gnn.node<"g", f32>) -> !gnn.graph<"g.knn_0">
  return
}

// -----
func.func @a_radius_is_not_negative(%g: !gnn.graph<"g">, %x: !gnn.node<"g", f32>) {
  // expected-error@+1 {{'radius' cannot be -1}}
  %0 = "gnn.near_edges"(%g, %x) {most = 8 : i64, name = "radius_0", radius = -1.0 : f64} : (!gnn.graph<"g">, !gnn.node<"g", f32>) -> !gnn.graph<"g.radius_0">
  return
}

// -----
func.func @sources_are_chosen_by_a_number(%g: !gnn.graph<"g">, %x: !gnn.node<"g", tensor<2xf32>>) {
  // expected-error@+1 {{'among' is no number per node}}
  %0 = "gnn.near_edges"(%g, %x, %x) {most = 8 : i64, name = "knn_0"} : (!gnn.graph<"g">, !gnn.node<"g", tensor<2xf32>>, !gnn.node<"g", tensor<2xf32>>) -> !gnn.graph<"g.knn_0">
  return
}

// -----
func.func @unique_edges_are_no_graph(%g: !gnn.graph<"g.unique_src">, %x: !gnn.node<"g", f32>) {
  // expected-error@+1 {{unique edges are no graph to choose edges of}}
  %0 = "gnn.induced_edges"(%g, %x) {name = "induced_0"} : (!gnn.graph<"g.unique_src">, !gnn.node<"g", f32>) -> !gnn.graph<"g.unique_src.induced_0">
  return
}

// -----
func.func @a_mask_is_a_number(%g: !gnn.graph<"g">, %mask: !gnn.node<"g", tensor<2xf32>>) {
  // expected-error@+1 {{'mask' is no number per node}}
  %0 = "gnn.induced_edges"(%g, %mask) {name = "induced_0"} : (!gnn.graph<"g">, !gnn.node<"g", tensor<2xf32>>) -> !gnn.graph<"g.induced_0">
  return
}

// -----
func.func @a_ratio_is_a_share(%g: !gnn.graph<"g">, %s: !gnn.node<"g", f32>) {
  // expected-error@+1 {{'ratio' is 2.5, which is neither between 0 and 1 nor a number of nodes}}
  %0 = "gnn.top_nodes"(%g, %s) {ratio = 2.5 : f64} : (!gnn.graph<"g">, !gnn.node<"g", f32>) -> !gnn.node<"g", f32>
  return
}

// -----
func.func @values_decide_about_no_power(%g: !gnn.graph<"g.knn_0">) {
  // expected-error@+1 {{graph 'graph' is made while the model runs: it has no power}}
  %0 = "gnn.edge_set"(%g) {mode = "power2"} : (!gnn.graph<"g.knn_0">) -> !gnn.graph<"g.knn_0.power2">
  return
}

// -----
func.func @a_path_has_edges(%g: !gnn.graph<"g">) {
  // expected-error@+1 {{mode 'power0': expected add_remaining, keep_one, replace, remove, relation with the number of a type, union with numbers of types, or power with the length of a path}}
  %0 = "gnn.edge_set"(%g) {mode = "power0"} : (!gnn.graph<"g">) -> !gnn.graph<"g.power0">
  return
}

// -----
func.func @items_of_a_union_rise(%g: !gnn.graph<"g">) {
  // expected-error@+1 {{mode 'union_1_0': expected add_remaining}}
  %0 = "gnn.edge_set"(%g) {mode = "union_1_0"} : (!gnn.graph<"g">) -> !gnn.graph<"g.union_1_0">
  return
}

// -----
func.func @a_union_has_few_types(%g: !gnn.graph<"g">) {
  // expected-error@+1 {{mode 'union_all_70000r' has a type that is not below 65536}}
  %0 = "gnn.edge_set"(%g) {mode = "union_all_70000r"} : (!gnn.graph<"g">) -> !gnn.graph<"g.union_all_70000r">
  return
}

// -----
func.func @a_union_is_of_the_callers_edges(%g: !gnn.graph<"g.replace">) {
  // expected-error@+1 {{graph 'graph' was made by the model: its edges have no types}}
  %0 = "gnn.edge_set"(%g) {mode = "union_all_allr"} : (!gnn.graph<"g.replace">) -> !gnn.graph<"g.replace.union_all_allr">
  return
}

// -----
func.func @a_power_has_no_edge_values(%g: !gnn.graph<"g.power2">, %w: !gnn.edge<"g", f32>) {
  // expected-error@+1 {{graph 'graph' was not made by gnn.edge_set: it has no edges to add}}
  %0 = "gnn.extend_edges"(%g, %w) {fill = 1.0 : f64} : (!gnn.graph<"g.power2">, !gnn.edge<"g", f32>) -> !gnn.edge<"g.power2", f32>
  return
}

// -----
func.func @opposite_edges_are_of_one_set(%g: !gnn.graph<"g">, %w: !gnn.edge<"g.replace", f32>) {
  // expected-error@+1 {{'value' is per edge of 'g.replace', not of 'g'}}
  %0 = "gnn.opposite_edges"(%g, %w) : (!gnn.graph<"g">, !gnn.edge<"g.replace", f32>) -> !gnn.edge<"g.replace", f32>
  return
}

// -----
func.func @opposite_edges_are_known_before(%g: !gnn.graph<"g.knn_0">, %w: !gnn.edge<"g.knn_0", f32>) {
  // expected-error@+1 {{graph 'graph' has no edges that are known before the model runs}}
  %0 = "gnn.opposite_edges"(%g, %w) : (!gnn.graph<"g.knn_0">, !gnn.edge<"g.knn_0", f32>) -> !gnn.edge<"g.knn_0", f32>
  return
}

// -----
func.func @sums_need_rows(%g: !gnn.graph<"g">, %w: tensor<4xf32>) {
  // expected-error@+1 {{'b' has no rows to add up}}
  %0 = "gnn.contract"(%g, %w) : (!gnn.graph<"g">, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----
func.func @sums_are_of_the_same_rows(%g: !gnn.graph<"g">, %x: !gnn.node<"g", tensor<4xf32>>, %e: !gnn.edge<"g", tensor<3xf32>>) {
  // expected-error@+1 {{'a' and 'b' have different rows}}
  %0 = "gnn.contract"(%g, %x, %e) : (!gnn.graph<"g">, !gnn.node<"g", tensor<4xf32>>, !gnn.edge<"g", tensor<3xf32>>) -> tensor<4x3xf32>
  return
}

// -----
func.func @a_batch_has_leading_dimensions(%g: !gnn.graph<"g">, %x: !gnn.node<"g", tensor<4xf32>>) {
  // expected-error@+1 {{'a' and 'b' do not have the same leading dimensions, which a batch needs}}
  %0 = "gnn.contract"(%g, %x, %x) {batch} : (!gnn.graph<"g">, !gnn.node<"g", tensor<4xf32>>, !gnn.node<"g", tensor<4xf32>>) -> tensor<4x4xf32>
  return
}

// -----
func.func @sums_per_type_are_counted(%g: !gnn.graph<"g">, %x: !gnn.node<"g", tensor<4xf32>>) {
  // expected-error@+1 {{sums per type need their 'count'}}
  %0 = "gnn.contract"(%g, %x) {per = "ntype"} : (!gnn.graph<"g">, !gnn.node<"g", tensor<4xf32>>) -> !gnn.per<"ntype", tensor<4xf32>>
  return
}

// -----
func.func @nodes_have_no_edge_types(%g: !gnn.graph<"g">, %x: !gnn.node<"g", tensor<4xf32>>) {
  // expected-error@+1 {{rows of nodes have no etype}}
  %0 = "gnn.contract"(%g, %x) {per = "etype", count = 2 : i64} : (!gnn.graph<"g">, !gnn.node<"g", tensor<4xf32>>) -> !gnn.per<"etype", tensor<4xf32>>
  return
}

// -----
func.func @restrict_values_of_another_set(%g: !gnn.graph<"g.replace">, %x: !gnn.edge<"g", f32>) {
  // expected-error@+1 {{'value' is per edge of 'g', not of 'g.replace'}}
  %0 = "gnn.restrict_edges"(%g, %x) : (!gnn.graph<"g.replace">, !gnn.edge<"g", f32>) -> !gnn.edge<"g", f32>
  return
}

// -----
func.func @restrict_what_nobody_made(%g: !gnn.graph<"g">, %x: !gnn.edge<"g", f32>) {
  // expected-error@+1 {{graph 'graph' was not made by gnn.edge_set: it has no edges to add}}
  %0 = "gnn.restrict_edges"(%g, %x) : (!gnn.graph<"g">, !gnn.edge<"g", f32>) -> !gnn.edge<"g", f32>
  return
}

// -----
func.func @sums_per_type_of_types(%g: !gnn.graph<"g">, %x: !gnn.per<"ntype", f32>) {
  // expected-error@+1 {{rows of ntype have no ntype}}
  %0 = "gnn.contract"(%g, %x) {per = "ntype", count = 2 : i64} : (!gnn.graph<"g">, !gnn.per<"ntype", f32>) -> !gnn.per<"ntype", f32>
  return
}

// -----
func.func @sums_by_an_index_need_rows(%g: !gnn.graph<"g">, %w: tensor<4xf32>, %i: i32) {
  // expected-error@+1 {{'value' has no rows to add up}}
  %0 = "gnn.sum_by"(%g, %w, %i) {rows = 5 : i64} : (!gnn.graph<"g">, tensor<4xf32>, i32) -> tensor<5x4xf32>
  return
}

// -----
func.func @rows_and_indices_are_the_same(%g: !gnn.graph<"g">, %x: !gnn.node<"g", f32>, %i: !gnn.edge<"g", i32>) {
  // expected-error@+1 {{'value' and 'index' have different rows}}
  %0 = "gnn.sum_by"(%g, %x, %i) {rows = 5 : i64} : (!gnn.graph<"g">, !gnn.node<"g", f32>, !gnn.edge<"g", i32>) -> tensor<5xf32>
  return
}

// -----
func.func @a_table_has_rows(%g: !gnn.graph<"g">, %x: !gnn.node<"g", f32>, %i: !gnn.node<"g", i32>) {
  // expected-error@+1 {{'rows' cannot be 0}}
  %0 = "gnn.sum_by"(%g, %x, %i) {rows = 0 : i64} : (!gnn.graph<"g">, !gnn.node<"g", f32>, !gnn.node<"g", i32>) -> tensor<5xf32>
  return
}

// -----
func.func @a_number_as_index_has_bounds(%g: !gnn.graph<"g">, %x: !gnn.node<"g", f32>) {
  // expected-error@+1 {{an f32 index from 0 to 5 is not in the rows 0 to 4 of 'result'}}
  %0 = "gnn.sum_by"(%g, %x, %x) {rows = 5 : i64, low = 0 : i64, high = 5 : i64} : (!gnn.graph<"g">, !gnn.node<"g", f32>, !gnn.node<"g", f32>) -> tensor<5xf32>
  return
}

// -----
func.func @an_index_is_one_number(%g: !gnn.graph<"g">, %x: !gnn.node<"g", f32>, %i: !gnn.node<"g", tensor<2xi32>>) {
  // expected-error@+1 {{index 'index' has 1 dimension, expected one number}}
  %0 = "gnn.sum_by"(%g, %x, %i) {rows = 5 : i64} : (!gnn.graph<"g">, !gnn.node<"g", f32>, !gnn.node<"g", tensor<2xi32>>) -> tensor<5xf32>
  return
}

// -----
func.func @first_values_are_per_group(%g: !gnn.graph<"g">, %x: !gnn.node<"g", tensor<3xf32>>) {
  // expected-error@+1 {{'value' is not per group}}
  %0 = "gnn.place_first"(%g, %x) {over = "graph"} : (!gnn.graph<"g">, !gnn.node<"g", tensor<3xf32>>) -> !gnn.node<"g", f32>
  return
}

// -----
func.func @first_values_have_a_dimension(%g: !gnn.graph<"g">, %x: !gnn.node<"g", f32>) {
  // expected-error@+1 {{'value' is f32, but this takes at least one dimension}}
  %0 = "gnn.place_first"(%g, %x) {over = "in"} : (!gnn.graph<"g">, !gnn.node<"g", f32>) -> !gnn.edge<"g", f32>
  return
}

// -----
func.func @products_by_an_index_are_of_vectors(%g: !gnn.graph<"g">, %x: !gnn.node<"g", f32>, %v: !gnn.node<"g", tensor<2xf32>>, %i: !gnn.node<"g", i32>) {
  // expected-error@+1 {{an outer product is of two vectors}}
  %0 = "gnn.sum_by"(%g, %x, %i, %v) {rows = 5 : i64} : (!gnn.graph<"g">, !gnn.node<"g", f32>, !gnn.node<"g", i32>, !gnn.node<"g", tensor<2xf32>>) -> tensor<5x2xf32>
  return
}

// -----
func.func @products_by_an_index_are_of_the_same_rows(%g: !gnn.graph<"g">, %x: !gnn.node<"g", tensor<2xf32>>, %v: !gnn.edge<"g", tensor<2xf32>>, %i: !gnn.node<"g", i32>) {
  // expected-error@+1 {{'value' and 'times' have different rows}}
  %0 = "gnn.sum_by"(%g, %x, %i, %v) {rows = 5 : i64} : (!gnn.graph<"g">, !gnn.node<"g", tensor<2xf32>>, !gnn.node<"g", i32>, !gnn.edge<"g", tensor<2xf32>>) -> tensor<5x2x2xf32>
  return
}
