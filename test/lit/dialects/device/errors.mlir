// The verifier of the device level reports wrong operands and attributes.
// RUN: gnn-opt %s --split-input-file --verify-diagnostics

func.func @width(%x: !device.rows<"g", 8>, %w: tensor<4x8xf32>) {
  // expected-error@+1 {{'in' is 8 wide, but 'w' takes 4}}
  %0 = "device.gemm"(%x, %w) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!device.rows<"g", 8>, tensor<4x8xf32>) -> !device.rows<"g", 8>
  return
}

// -----
func.func @order(%x: !device.rows<"g", 8>, %w: !gnn.per<"etype", tensor<8x8xf32>>) {
  // expected-error@+1 {{'w' is per etype, but rows of 'g' are not ordered by that}}
  %0 = "device.gemm"(%x, %w) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!device.rows<"g", 8>, !gnn.per<"etype", tensor<8x8xf32>>) -> !device.rows<"g", 8>
  return
}

// -----
func.func @function(%x: !device.rows<"g", 8>) {
  // expected-error@+1 {{there is no function 'relux'}}
  %0 = "device.map"(%x) {functions = ["relux"]} : (!device.rows<"g", 8>) -> !device.rows<"g", 8>
  return
}

// -----
func.func @parameter(%x: !device.rows<"g", 8>) {
  // expected-error@+1 {{'elu' takes a number, as in "elu 0.5"}}
  %0 = "device.map"(%x) {functions = ["elu"]} : (!device.rows<"g", 8>) -> !device.rows<"g", 8>
  // expected-error@+1 {{'relu' takes no number}}
  %1 = "device.map"(%x) {functions = ["relu 2"]} : (!device.rows<"g", 8>) -> !device.rows<"g", 8>
  return
}

// -----
func.func @no_pairs(%g: !gnn.graph<"g">) {
  // expected-error@+1 {{an edge list of kind 'expand' needs 'pairs'}}
  %0 = "device.edges"(%g) {kind = "expand", operandSegmentSizes = array<i32: 1, 0, 0>} : (!gnn.graph<"g">) -> !device.edge_list<"g", "g">
  return
}

// -----
func.func @wrong_pairs(%g: !gnn.graph<"g">, %u: !gnn.graph<"g.unique_dst">) {
  // expected-error@+1 {{an edge list of kind 'in' takes pairs of type and source}}
  %0 = "device.edges"(%g, %u) {kind = "in", operandSegmentSizes = array<i32: 1, 1, 0>} : (!gnn.graph<"g">, !gnn.graph<"g.unique_dst">) -> !device.edge_list<"g", "g">
  return
}

// -----
func.func @no_table(%g: !gnn.graph<"g">) {
  // expected-error@+1 {{an edge list of kind 'type_node' needs 'per'}}
  %0 = "device.edges"(%g) {kind = "type_node", operandSegmentSizes = array<i32: 1, 0, 0>} : (!gnn.graph<"g">) -> !device.edge_list<"ntype", "g">
  return
}

// -----
func.func @sources(%r: !device.edge_list<"g.edges", "g">, %x: !device.rows<"g", 8>) {
  // expected-error@+1 {{'in' is rows of 'g', 8 wide, but the sources are those of an edge list from 'g.edges' to 'g'}}
  %0 = "device.spdmm"(%r, %x) {reduce = "sum", operandSegmentSizes = array<i32: 1, 1, 0, 0, 0>} : (!device.edge_list<"g.edges", "g">, !device.rows<"g", 8>) -> !device.rows<"g", 8>
  return
}

// -----
func.func @heads(%r: !device.edge_list<"g", "g">, %x: !device.rows<"g", 8>, %a: !device.values<"g", "g", 3>) {
  // expected-error@+1 {{'in' is 8 wide, which 3 heads do not divide}}
  %0 = "device.spdmm"(%r, %x, %a) {reduce = "sum", operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>} : (!device.edge_list<"g", "g">, !device.rows<"g", 8>, !device.values<"g", "g", 3>) -> !device.rows<"g", 8>
  return
}

// -----
func.func @ends(%r: !device.edge_list<"g", "g">, %x: !device.rows<"g", 8>) {
  // expected-error@+1 {{'dot' takes src and dst}}
  %0 = "device.sddmm"(%r, %x) {heads = 1 : i64, inner = "dot", combine = "replace", operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!device.edge_list<"g", "g">, !device.rows<"g", 8>) -> !device.values<"g", "g", 1>
  return
}

// -----
func.func @combine(%r: !device.edge_list<"g", "g">, %x: !device.rows<"g", 8>) {
  // expected-error@+1 {{'combine' is replace without 'values', and something else with them}}
  %0 = "device.sddmm"(%r, %x) {heads = 1 : i64, inner = "src", combine = "add", operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!device.edge_list<"g", "g">, !device.rows<"g", 8>) -> !device.values<"g", "g", 1>
  return
}

// -----
func.func @broadcast(%x: !device.rows<"g", 8>, %y: !device.rows<"g", 1>) {
  // expected-error@+1 {{'b' is rows of 'g', 1 wide, but it meets rows of 'g', 8 wide}}
  %0 = "device.vadd"(%x, %y) {function = "add"} : (!device.rows<"g", 8>, !device.rows<"g", 1>) -> !device.rows<"g", 8>
  return
}

// -----
func.func @factor(%x: !device.rows<"g", 8>, %k: tensor<8xf32>) {
  // expected-error@+1 {{'factor' is f32[8], but a factor is one number}}
  %0 = "device.scaled_add"(%x, %x, %k) : (!device.rows<"g", 8>, !device.rows<"g", 8>, tensor<8xf32>) -> !device.rows<"g", 8>
  return
}

// -----
func.func @condition(%x: !device.rows<"g", 8>) {
  // expected-error@+1 {{'condition' belongs to select}}
  %0 = "device.vadd"(%x, %x) {function = "select"} : (!device.rows<"g", 8>, !device.rows<"g", 8>) -> !device.rows<"g", 8>
  return
}

// -----
func.func @output(%x: !device.rows<"g", 8>) {
  // expected-error@+1 {{'x' has 8 numbers per element, but the output has 4}}
  %0 = "device.output"(%x) : (!device.rows<"g", 8>) -> !gnn.node<"g", tensor<4xf32>>
  return
}

// -----
func.func @selection() {
  // expected-error@+1 {{'shape' and 'strides' differ in length}}
  %0 = "gnn.selection"() {rows = 2 : i64, shape = array<i64: 2, 2>, strides = array<i64: 1>} : () -> tensor<2x4xf32>
  // expected-error@+1 {{'size' cannot be 0}}
  %1 = "gnn.iota"() {size = 0 : i64} : () -> tensor<1xf32>
  return
}

// -----
func.func @columns(%x: !device.rows<"g", 8>) {
  // expected-error@+1 {{'x' is 8 wide, but 6 from column 4 on are taken}}
  %0 = "device.columns"(%x) {begin = 4 : i64, width = 6 : i64} : (!device.rows<"g", 8>) -> !device.rows<"g", 6>
  return
}

// -----
func.func @layer_sources(%r: !device.edge_list<"g.edges", "g">, %x: !device.rows<"g", 8>, %w: tensor<8x4xf32>) {
  // expected-error@+1 {{'in' is rows of 'g', 8 wide, but the sources are those of an edge list from 'g.edges' to 'g'}}
  %0 = "device.layer"(%r, %x, %w) {operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>} : (!device.edge_list<"g.edges", "g">, !device.rows<"g", 8>, tensor<8x4xf32>) -> !device.rows<"g", 4>
  return
}

// -----
func.func @layer_width(%r: !device.edge_list<"g", "g">, %x: !device.rows<"g", 8>, %w: tensor<4x8xf32>) {
  // expected-error@+1 {{'in' is 8 wide, but 'w' takes 4}}
  %0 = "device.layer"(%r, %x, %w) {operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>} : (!device.edge_list<"g", "g">, !device.rows<"g", 8>, tensor<4x8xf32>) -> !device.rows<"g", 8>
  return
}

// The types are those of the result's rows.
// -----
func.func @layer_order(%r: !device.edge_list<"g.edges", "g">, %x: !device.rows<"g.edges", 8>, %w: !gnn.per<"etype", tensor<8x8xf32>>) {
  // expected-error@+1 {{'w' is per etype, but rows of 'g' are not ordered by that}}
  %0 = "device.layer"(%r, %x, %w) {operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>} : (!device.edge_list<"g.edges", "g">, !device.rows<"g.edges", 8>, !gnn.per<"etype", tensor<8x8xf32>>) -> !device.rows<"g", 8>
  return
}

// -----
func.func @layer_addend(%r: !device.edge_list<"g", "g">, %x: !device.rows<"g", 8>, %w: tensor<8x4xf32>) {
  // expected-error@+1 {{'addend' is}}
  %0 = "device.layer"(%r, %x, %w, %x) {operandSegmentSizes = array<i32: 1, 1, 1, 0, 1>} : (!device.edge_list<"g", "g">, !device.rows<"g", 8>, tensor<8x4xf32>, !device.rows<"g", 8>) -> !device.rows<"g", 4>
  return
}

// -----
func.func @layer_function(%r: !device.edge_list<"g", "g">, %x: !device.rows<"g", 8>, %w: tensor<8x4xf32>) {
  // expected-error@+1 {{there is no function 'relux'}}
  %0 = "device.layer"(%r, %x, %w) {functions = ["relux"], operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>} : (!device.edge_list<"g", "g">, !device.rows<"g", 8>, tensor<8x4xf32>) -> !device.rows<"g", 4>
  return
}

// -----
func.func @product_matrix(%x: !device.rows<"g", 8>, %w: !device.rows<"one", 30>) {
  // expected-error@+1 {{'w' has 30 numbers, which is no matrix for the 8 columns of 'in'}}
  %0 = "device.product"(%x, %w) : (!device.rows<"g", 8>, !device.rows<"one", 30>) -> !device.rows<"g", 3>
  return
}

// -----
func.func @product_rows(%x: !device.rows<"g", 8>) {
  // expected-error@+1 {{a matrix is one row}}
  %0 = "device.product"(%x, %x) : (!device.rows<"g", 8>, !device.rows<"g", 8>) -> !device.rows<"g", 1>
  return
}

// -----
func.func @outer_sum_rows(%x: !device.rows<"g", 8>, %y: !device.rows<"one", 8>) {
  // expected-error@+1 {{it meets}}
  %0 = "device.outer_sum"(%x, %y) : (!device.rows<"g", 8>, !device.rows<"one", 8>) -> !device.rows<"one", 64>
  return
}

// -----
func.func @lookup_rows(%t: !device.rows<"one", 28>, %i: !device.rows<"g", 1>) {
  // expected-error@+1 {{'table' has 28 numbers, which are not 5 rows}}
  %0 = "device.lookup"(%t, %i) {rows = 5 : i64, column = 0 : i64} : (!device.rows<"one", 28>, !device.rows<"g", 1>) -> !device.rows<"g", 4>
  return
}

// -----
func.func @lookup_column(%t: !device.rows<"one", 28>, %i: !device.rows<"g", 1>) {
  // expected-error@+1 {{'index' is 1 wide and has no column 1}}
  %0 = "device.lookup"(%t, %i) {rows = 7 : i64, column = 1 : i64} : (!device.rows<"one", 28>, !device.rows<"g", 1>) -> !device.rows<"g", 4>
  return
}

// -----
func.func @lookup_table(%t: !device.rows<"g", 28>, %i: !device.rows<"g", 1>) {
  // expected-error@+1 {{a table is one row}}
  %0 = "device.lookup"(%t, %i) {rows = 7 : i64, column = 0 : i64} : (!device.rows<"g", 28>, !device.rows<"g", 1>) -> !device.rows<"g", 4>
  return
}

// -----
func.func @lookup_each(%t: !device.rows<"one", 28>, %i: !device.rows<"g", 1>) {
  // expected-error@+1 {{each row has a table: it meets}}
  %0 = "device.lookup"(%t, %i) {rows = 7 : i64, column = 0 : i64, each} : (!device.rows<"one", 28>, !device.rows<"g", 1>) -> !device.rows<"g", 4>
  return
}
