// Our verifier reports shapes and domains that do not fit, with the names of the model.
// RUN: gnn-opt %s --split-input-file --verify-diagnostics

func.func @linear_columns(%x: !gnn.node<"g", tensor<16xf32>>, %w: tensor<32x8xf32>) {
  // expected-error@+1 {{'x' has 16 columns here, but 'w' takes 32}}
  %0 = "gnn.linear"(%x, %w) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!gnn.node<"g", tensor<16xf32>>, tensor<32x8xf32>) -> !gnn.node<"g", tensor<8xf32>>
  return
}

// Messages use the names of the
// model where values have them.
func.func @named(%x: !gnn.node<"g", tensor<16xf32>> loc("h"), %w: tensor<32x8xf32> loc("conv1.lin.weight")) {
  // expected-error@+1 {{'h' has 16 columns here, but 'conv1.lin.weight' takes 32}}
  %0 = "gnn.linear"(%x, %w) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!gnn.node<"g", tensor<16xf32>>, tensor<32x8xf32>) -> !gnn.node<"g", tensor<8xf32>>
  return
}

// -----
func.func @linear_transposed(%x: tensor<16xf32>, %w: tensor<16x8xf32>) {
  // expected-error@+1 {{'x' has 16 columns here, but 'w' takes 8}}
  %0 = "gnn.linear"(%x, %w) {operandSegmentSizes = array<i32: 1, 1, 0, 0>, transposed} : (tensor<16xf32>, tensor<16x8xf32>) -> tensor<8xf32>
  return
}

// -----
func.func @linear_scalar(%x: f32, %w: tensor<16x8xf32>) {
  // expected-error@+1 {{'x' is f32, but this takes at least one dimension}}
  %0 = "gnn.linear"(%x, %w) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (f32, tensor<16x8xf32>) -> tensor<8xf32>
  return
}

// -----
func.func @linear_ranks(%x: tensor<16xf32>, %w: tensor<2x16x8xf32>) {
  // expected-error@+1 {{'x' is f32[16] and 'w' is f32[2, 16, 8]; a product takes [..., K] @ [K, N], [H, K] @ [H, K, N] or [H, M, K] @ [H, K, N]}}
  %0 = "gnn.linear"(%x, %w) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (tensor<16xf32>, tensor<2x16x8xf32>) -> tensor<2x8xf32>
  return
}

// -----
func.func @linear_batch(%x: tensor<3x16xf32>, %w: tensor<2x16x8xf32>) {
  // expected-error@+1 {{'x' is f32[3, 16] and 'w' is f32[2, 16, 8]; a product takes}}
  %0 = "gnn.linear"(%x, %w) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (tensor<3x16xf32>, tensor<2x16x8xf32>) -> tensor<3x8xf32>
  return
}

// -----
func.func @linear_bias(%x: tensor<16xf32>, %w: tensor<16x8xf32>, %b: tensor<4xf32>) {
  // expected-error@+1 {{the product has 8 columns, but bias 'bias' is f32[4]}}
  %0 = "gnn.linear"(%x, %w, %b) {operandSegmentSizes = array<i32: 1, 1, 1, 0>} : (tensor<16xf32>, tensor<16x8xf32>, tensor<4xf32>) -> tensor<8xf32>
  return
}

// -----
func.func @linear_addend(%x: tensor<16xf32>, %w: tensor<16x8xf32>, %b: tensor<4xf32>) {
  // expected-error@+1 {{the product is f32[8], but 'addend', which is added, is f32[4]}}
  %0 = "gnn.linear"(%x, %w, %b) {operandSegmentSizes = array<i32: 1, 1, 0, 1>} : (tensor<16xf32>, tensor<16x8xf32>, tensor<4xf32>) -> tensor<8xf32>
  return
}

// -----
func.func @linear_sparse_addend(%x: tensor<16xf32>, %w: tensor<16x8xf32>, %b: !gnn.sparse<"g", tensor<8xf32>>) {
  // expected-error@+1 {{'addend' is sparse, but an addend is dense}}
  %0 = "gnn.linear"(%x, %w, %b) {operandSegmentSizes = array<i32: 1, 1, 0, 1>} : (tensor<16xf32>, tensor<16x8xf32>, !gnn.sparse<"g", tensor<8xf32>>) -> tensor<8xf32>
  return
}

// -----
func.func @linear_addend_domain(%x: !gnn.node<"g", tensor<16xf32>>, %w: tensor<16x8xf32>, %b: !gnn.edge<"g", tensor<8xf32>>) {
  // expected-error@+1 {{'x' is per node of 'g', but 'addend' is per edge of 'g'; gather the node values to the edges first}}
  %0 = "gnn.linear"(%x, %w, %b) {operandSegmentSizes = array<i32: 1, 1, 0, 1>} : (!gnn.node<"g", tensor<16xf32>>, tensor<16x8xf32>, !gnn.edge<"g", tensor<8xf32>>) -> !gnn.node<"g", tensor<8xf32>>
  return
}

// -----
func.func @segments(%x: tensor<16xf32>, %w: tensor<16x8xf32>) {
  // expected-error@+1 {{'operandSegmentSizes' attribute is expected but not provided}}
  %0 = "gnn.linear"(%x, %w) : (tensor<16xf32>, tensor<16x8xf32>) -> tensor<8xf32>
  return
}

// -----
func.func @node_with_edge(%x: !gnn.node<"g", f32>, %e: !gnn.edge<"g", f32>) {
  // expected-error@+1 {{'a' is per node of 'g', but 'b' is per edge of 'g'; gather the node values to the edges first}}
  %0 = "gnn.multiply"(%x, %e) : (!gnn.node<"g", f32>, !gnn.edge<"g", f32>) -> !gnn.edge<"g", f32>
  return
}

// -----
func.func @two_edge_sets(%x: !gnn.edge<"g", f32>, %e: !gnn.edge<"g.replace", f32>) {
  // expected-error@+1 {{'a' is per edge of 'g', but 'b' is per edge of 'g.replace'}}
  %0 = "gnn.multiply"(%x, %e) : (!gnn.edge<"g", f32>, !gnn.edge<"g.replace", f32>) -> !gnn.edge<"g", f32>
  return
}

// -----
func.func @per_type_with_node(%x: !gnn.per<"etype", f32>, %e: !gnn.node<"g", f32>) {
  // expected-error@+1 {{'a' is per edge type, but 'b' is per node of 'g'}}
  %0 = "gnn.multiply"(%x, %e) : (!gnn.per<"etype", f32>, !gnn.node<"g", f32>) -> !gnn.node<"g", f32>
  return
}

// -----
func.func @two_types(%x: !gnn.per<"ntype", f32>, %e: !gnn.per<"graph", f32>) {
  // expected-error@+1 {{'a' is per node type, but 'b' is per graph}}
  %0 = "gnn.multiply"(%x, %e) : (!gnn.per<"ntype", f32>, !gnn.per<"graph", f32>) -> !gnn.per<"graph", f32>
  return
}

// -----
func.func @trailing_dimensions_do_not_align(%x: tensor<8xf32>, %y: tensor<2x8xf32>) {
  // expected-error@+1 {{'a' is f32[8], but 'b' is f32[2, 8]; leading dimensions must agree}}
  %0 = "gnn.vector_add"(%x, %y) : (tensor<8xf32>, tensor<2x8xf32>) -> tensor<2x8xf32>
  return
}

// -----
func.func @one_is_no_wildcard(%x: tensor<1xf32>, %y: tensor<64xf32>) {
  // expected-error@+1 {{'a' is f32[1], but 'b' is f32[64]; leading dimensions must agree}}
  %0 = "gnn.multiply"(%x, %y) : (tensor<1xf32>, tensor<64xf32>) -> tensor<64xf32>
  return
}

// -----
func.func @select_condition(%c: tensor<3xf32>, %x: tensor<2xf32>) {
  // expected-error@+1 {{'condition' is f32[3], but 'a' is f32[2]; leading dimensions must agree}}
  %0 = "gnn.select"(%c, %x, %x) : (tensor<3xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----
func.func @batch_norm_width(%x: tensor<8xf32>, %c: tensor<8xf32>, %d: tensor<4xf32>) {
  // expected-error@+1 {{'x' has 8 columns, but 'gamma' is f32[4]}}
  %0 = "gnn.batch_norm"(%x, %c, %c, %d, %c) {epsilon = 0.1 : f64} : (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<4xf32>, tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----
func.func @inner_columns(%x: tensor<8xf32>, %y: tensor<4xf32>) {
  // expected-error@+1 {{'a' has 8 columns here, but 'b' takes 4}}
  %0 = "gnn.vector_inner"(%x, %y) : (tensor<8xf32>, tensor<4xf32>) -> f32
  return
}

// -----
func.func @outer_of_a_matrix(%x: tensor<8x2xf32>, %y: tensor<4xf32>) {
  // expected-error@+1 {{an outer product takes two vectors, but 'a' has 2 dimensions}}
  %0 = "gnn.outer"(%x, %y) : (tensor<8x2xf32>, tensor<4xf32>) -> tensor<8x4xf32>
  return
}

// -----
func.func @concat_rows(%x: tensor<2x8xf32>, %y: tensor<3x8xf32>) {
  // expected-error@+1 {{'a' is f32[2, 8], but 'b' is f32[3, 8]; all dimensions but the last must agree}}
  %0 = "gnn.concat"(%x, %y) : (tensor<2x8xf32>, tensor<3x8xf32>) -> tensor<2x16xf32>
  return
}

// -----
func.func @concat_ranks(%x: tensor<2x8xf32>, %y: f32) {
  // expected-error@+1 {{'a' is f32[2, 8], but 'b' is f32; all dimensions but the last must agree}}
  %0 = "gnn.concat"(%x, %y) : (tensor<2x8xf32>, f32) -> tensor<2x16xf32>
  return
}

// -----
func.func @concat_too_large(%x: tensor<9223372036854775807xf32>) {
  // expected-error@+1 {{the result is too large}}
  %0 = "gnn.concat"(%x, %x) : (tensor<9223372036854775807xf32>, tensor<9223372036854775807xf32>) -> tensor<2xf32>
  return
}

// -----
func.func @reshape_elements(%x: tensor<2x8xf32>) {
  // expected-error@+1 {{'x' is f32[2, 8] with 16 elements, but f32[5, 3] takes 15}}
  %0 = "gnn.reshape"(%x) {shape = array<i64: 5, 3>} : (tensor<2x8xf32>) -> tensor<5x3xf32>
  return
}

// -----
func.func @reshape_negative(%x: tensor<2x8xf32>) {
  // expected-error@+1 {{a dimension cannot be -1}}
  %0 = "gnn.reshape"(%x) {shape = array<i64: -1, 8>} : (tensor<2x8xf32>) -> tensor<2x8xf32>
  return
}

// -----
func.func @reshape_rank(%x: tensor<2x8xf32>) {
  // expected-error@+1 {{a shape has at most 6 dimensions, not 7}}
  %0 = "gnn.reshape"(%x) {shape = array<i64: 1, 1, 1, 1, 1, 2, 8>} : (tensor<2x8xf32>) -> tensor<2x8xf32>
  return
}

// -----
func.func @transpose_vector(%x: tensor<8xf32>) {
  // expected-error@+1 {{'x' is f32[8], but this takes at least two dimensions}}
  %0 = "gnn.transpose"(%x) : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----
func.func @reduce_scalar(%x: f32) {
  // expected-error@+1 {{'x' is f32, but this takes at least one dimension}}
  %0 = "gnn.reduce"(%x) {function = "sum"} : (f32) -> f32
  return
}

// -----
func.func @columns_beyond(%x: tensor<2x8xf32>) {
  // expected-error@+1 {{'x' has 8 columns, but 3 from column 6 on are taken}}
  %0 = "gnn.columns"(%x) {begin = 6, width = 3} : (tensor<2x8xf32>) -> tensor<2x3xf32>
  return
}

// -----
func.func @no_columns(%x: tensor<8xf32>) {
  // expected-error@+1 {{'x' has 8 columns, but 0 from column 1 on are taken}}
  %0 = "gnn.columns"(%x) {begin = 1, width = 0} : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----
func.func @columns_of_a_number(%x: f32) {
  // expected-error@+1 {{'x' is f32, but this takes at least one dimension}}
  %0 = "gnn.columns"(%x) {begin = 0, width = 1} : (f32) -> tensor<1xf32>
  return
}

// -----
func.func @view_beyond(%x: tensor<2x8xf32>) {
  // expected-error@+1 {{the view reads elements that 'x' does not have}}
  %0 = "gnn.view"(%x) {shape = array<i64: 2, 3>, strides = array<i64: 8, 1>, begin = 6} : (tensor<2x8xf32>) -> tensor<2x3xf32>
  return
}

// -----
func.func @view_before(%x: tensor<8xf32>) {
  // expected-error@+1 {{the view reads elements that 'x' does not have}}
  %0 = "gnn.view"(%x) {shape = array<i64: 3>, strides = array<i64: -1>, begin = 1} : (tensor<8xf32>) -> tensor<3xf32>
  return
}

// -----
func.func @view_of_two_ranks(%x: tensor<8xf32>) {
  // expected-error@+1 {{'shape' and 'strides' differ in length}}
  %0 = "gnn.view"(%x) {shape = array<i64: 3>, strides = array<i64: 1, 1>, begin = 0} : (tensor<8xf32>) -> tensor<3xf32>
  return
}

// -----
func.func @view_of_nothing(%x: tensor<8xf32>) {
  // expected-error@+1 {{a dimension cannot be 0}}
  %0 = "gnn.view"(%x) {shape = array<i64: 0>, strides = array<i64: 1>, begin = 0} : (tensor<8xf32>) -> tensor<0xf32>
  return
}

// -----
func.func @derivative_of_two_shapes(%d: tensor<8xf32>, %x: tensor<4xf32>) {
  // expected-error@+1 {{'d' and 'x' differ in shape}}
  %0 = "gnn.derivative"(%d, %x) {function = "exp", operandSegmentSizes = array<i32: 1, 1, 0>} : (tensor<8xf32>, tensor<4xf32>) -> tensor<8xf32>
  return
}

// -----
func.func @dropout_of_everything(%x: tensor<8xf32>) {
  // expected-error@+1 {{'p' is 1, expected a probability of at least 0 and less than 1}}
  %0 = "gnn.dropout"(%x) {p = 1.0, site = 0 : i64} : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----
func.func @dropout_without_a_place(%x: tensor<8xf32>) {
  // expected-error@+1 {{'site' is -1, expected a number of 32 bits}}
  %0 = "gnn.dropout"(%x) {p = 0.5, site = -1 : i64} : (tensor<8xf32>) -> tensor<8xf32>
  return
}
