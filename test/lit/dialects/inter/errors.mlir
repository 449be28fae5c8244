// Our verifier reports wrong loops, cursors and results.
// RUN: gnn-opt %s --split-input-file --verify-diagnostics

func.func @result_out_of_range(%g: !gnn.graph<"g">) {
  %0 = "inter.for_nodes"(%g) ({
  ^bb0(%n: !inter.cursor<"node", "g">):
    %d = "inter.degree"(%g, %n) {direction = "in"} : (!gnn.graph<"g">, !inter.cursor<"node", "g">) -> f32
    smt.yield %d : f32
  }) : (!gnn.graph<"g">) -> !inter.results
  // expected-error@+1 {{there is no result 1: the loop yields 1 value}}
  %1 = "inter.result"(%0) {index = 1 : i64} : (!inter.results) -> !gnn.node<"g", f32>
  // expected-error@+1 {{there is no result -1: the loop yields 1 value}}
  %2 = "inter.result"(%0) {index = -1 : i64} : (!inter.results) -> !gnn.node<"g", f32>
  // expected-error@+1 {{inter.result gives node f32, but the type written here is edge f32}}
  %3 = "inter.result"(%0) {index = 0 : i64} : (!inter.results) -> !gnn.edge<"g", f32>
  // expected-error@+1 {{'index' must be an i64}}
  %4 = "inter.result"(%0) {index = 0 : i32} : (!inter.results) -> !gnn.node<"g", f32>
  return
}

// -----
func.func @result_of_an_argument(%r: !inter.results) {
  // expected-error@+1 {{results are taken directly from the loop that yields them}}
  %1 = "inter.result"(%r) {index = 0 : i64} : (!inter.results) -> f32
  return
}

// -----
func.func @body_without_cursor(%g: !gnn.graph<"g">) {
  // expected-error@+1 {{the body takes 1 argument, not 0}}
  %0 = "inter.for_nodes"(%g) ({
    smt.yield
  }) : (!gnn.graph<"g">) -> !inter.results
  return
}

// -----
func.func @body_with_another_cursor(%g: !gnn.graph<"g.replace">) {
  // expected-error@+1 {{argument 0 of the body must be !inter.cursor<"node", "g">}}
  %0 = "inter.for_nodes"(%g) ({
  ^bb0(%n: !inter.cursor<"node", "g.replace">):
    smt.yield
  }) : (!gnn.graph<"g.replace">) -> !inter.results
  return
}

// -----
func.func @edge_body_with_another_cursor(%g: !gnn.graph<"g.replace">) {
  // expected-error@+1 {{argument 0 of the body must be !inter.cursor<"edge", "g.replace">}}
  %0 = "inter.for_edges"(%g) ({
  ^bb0(%e: !inter.cursor<"edge", "g">):
    smt.yield
  }) : (!gnn.graph<"g.replace">) -> !inter.results
  return
}

// -----
func.func @yields_more_than_a_payload(%g: !gnn.graph<"g">, %x: !gnn.node<"g", f32>) {
  // expected-error@+1 {{the body yields payloads, but value 0 is node f32}}
  %0 = "inter.for_nodes"(%g) ({
  ^bb0(%n: !inter.cursor<"node", "g">):
    smt.yield %x : !gnn.node<"g", f32>
  }) : (!gnn.graph<"g">) -> !inter.results
  return
}

// -----
func.func @reductions_and_yields(%g: !gnn.graph<"g">, %a: !gnn.edge<"g", f32>) {
  %0 = "inter.for_nodes"(%g) ({
  ^bb0(%n: !inter.cursor<"node", "g">):
    // expected-error@+1 {{the body yields 1 value, but 'reduce' names 2 reductions}}
    %1 = "inter.for_incoming"(%g, %n) ({
    ^bb0(%e: !inter.cursor<"edge", "g">):
      %v = "inter.at"(%a, %e) : (!gnn.edge<"g", f32>, !inter.cursor<"edge", "g">) -> f32
      smt.yield %v : f32
    }) {reduce = ["sum", "max"]} : (!gnn.graph<"g">, !inter.cursor<"node", "g">) -> !inter.results
    // expected-error@+1 {{'reduce' cannot be "product": it is sum, mean, max, min or prod}}
    %2 = "inter.for_incoming"(%g, %n) ({
    ^bb0(%e: !inter.cursor<"edge", "g">):
      %v = "inter.at"(%a, %e) : (!gnn.edge<"g", f32>, !inter.cursor<"edge", "g">) -> f32
      smt.yield %v : f32
    }) {reduce = ["product"]} : (!gnn.graph<"g">, !inter.cursor<"node", "g">) -> !inter.results
    // expected-error@+1 {{'reduce' must be an array of strings}}
    %3 = "inter.for_incoming"(%g, %n) ({
    ^bb0(%e: !inter.cursor<"edge", "g">):
      %v = "inter.at"(%a, %e) : (!gnn.edge<"g", f32>, !inter.cursor<"edge", "g">) -> f32
      smt.yield %v : f32
    }) {reduce = [1]} : (!gnn.graph<"g">, !inter.cursor<"node", "g">) -> !inter.results
    smt.yield
  }) : (!gnn.graph<"g">) -> !inter.results
  return
}

// -----
func.func @inner_loop_at_an_edge(%g: !gnn.graph<"g">) {
  %0 = "inter.for_edges"(%g) ({
  ^bb0(%e: !inter.cursor<"edge", "g">):
    // expected-error@+1 {{'node' is a cursor at an edge, but this takes a cursor at a node}}
    %1 = "inter.for_outgoing"(%g, %e) ({
    ^bb1(%f: !inter.cursor<"edge", "g">):
      smt.yield
    }) {reduce = []} : (!gnn.graph<"g">, !inter.cursor<"edge", "g">) -> !inter.results
    smt.yield
  }) : (!gnn.graph<"g">) -> !inter.results
  return
}

// -----
func.func @degree_in_another_graph(%g: !gnn.graph<"g">, %h: !gnn.graph<"h">) {
  %0 = "inter.for_nodes"(%g) ({
  ^bb0(%n: !inter.cursor<"node", "g">):
    // expected-error@+1 {{'node' is a node of 'g', but 'graph' has the nodes of 'h'}}
    %1 = "inter.degree"(%h, %n) {direction = "in"} : (!gnn.graph<"h">, !inter.cursor<"node", "g">) -> f32
    smt.yield %1 : f32
  }) : (!gnn.graph<"g">) -> !inter.results
  return
}

// -----
func.func @at(%g: !gnn.graph<"g">, %x: !gnn.node<"g", f32>, %e: !gnn.edge<"g", f32>, %s: !gnn.sparse<"g", tensor<8xf32>>,
              %p: !gnn.per<"graph", f32>, %t: !gnn.per<"etype", f32>, %c: f32, %u: !gnn.per<"ntype", f32>, %v: tensor<8xf32>,
              %o: !gnn.sparse<"h", tensor<8xf32>>) {
  %0 = "inter.for_nodes"(%g) ({
  ^bb0(%n: !inter.cursor<"node", "g">):
    %k = "inter.at"(%u, %n) : (!gnn.per<"ntype", f32>, !inter.cursor<"node", "g">) -> f32
    // expected-error@+1 {{'value' is edge f32 of 'g', but the cursor is at a node of 'g'}}
    %1 = "inter.at"(%e, %n) : (!gnn.edge<"g", f32>, !inter.cursor<"node", "g">) -> f32
    // expected-error@+1 {{'value' is sparse node f32[8] of 'g', but the cursor is at a node of 'g'}}
    %2 = "inter.at"(%s, %n) : (!gnn.sparse<"g", tensor<8xf32>>, !inter.cursor<"node", "g">) -> f32
    %3 = "inter.at"(%p, %n) : (!gnn.per<"graph", f32>, !inter.cursor<"node", "g">) -> f32
    // expected-error@+1 {{'cursor' is a cursor at a node, but this takes a cursor at an edge}}
    %4 = "inter.at"(%t, %n) : (!gnn.per<"etype", f32>, !inter.cursor<"node", "g">) -> f32
    // expected-error@+1 {{'value' is the same everywhere: it is used as it is}}
    %5 = "inter.at"(%c, %n) : (f32, !inter.cursor<"node", "g">) -> f32
    // expected-error@+1 {{'edge' is a cursor at a node, but this takes a cursor at an edge}}
    %6 = "inter.src"(%n) : (!inter.cursor<"node", "g">) -> !inter.cursor<"node", "g">
    // expected-error@+1 {{'node' is a node of 'g', but 'x' has the nodes of 'h'}}
    %8 = "inter.dense_row"(%o, %n) : (!gnn.sparse<"h", tensor<8xf32>>, !inter.cursor<"node", "g">) -> tensor<8xf32>
    // expected-error@+1 {{'cursor' is a cursor at a node, but this takes a cursor at a nonzero}}
    %7 = "inter.row"(%v, %n) : (tensor<8xf32>, !inter.cursor<"node", "g">) -> f32
    smt.yield
  }) : (!gnn.graph<"g">) -> !inter.results
  return
}

// -----
func.func @domains_inside_a_loop(%g: !gnn.graph<"g">, %x: !gnn.node<"g", f32>) {
  %0 = "inter.for_nodes"(%g) ({
  ^bb0(%n: !inter.cursor<"node", "g">):
    // expected-error@+1 {{inside a loop values are payloads, but this gives node f32}}
    %1 = "gnn.multiply"(%x, %x) : (!gnn.node<"g", f32>, !gnn.node<"g", f32>) -> !gnn.node<"g", f32>
    smt.yield
  }) : (!gnn.graph<"g">) -> !inter.results
  return
}

// -----
// expected-error@+1 {{does not satisfy the constraint}}
func.func @cursor_where(%x: !inter.cursor<"row", "g">) {
  return
}

// -----

func.func @types_and_pairs(%g: !gnn.graph<"g">, %u: !gnn.graph<"g.unique_src">, %t: !gnn.per<"etype_dst", f32>, %x: !gnn.node<"g", f32>) {
  // expected-error@+1 {{'count' must say how many there are}}
  %0 = "inter.for_types"(%g) ({
  ^bb0(%k: !inter.cursor<"etype", "g">):
    smt.yield
  }) {per = "etype", count = 0 : i64} : (!gnn.graph<"g">) -> !inter.results
  // expected-error@+1 {{argument 0 of the body must be !inter.cursor<"ntype", "g">}}
  %1 = "inter.for_types"(%g) ({
  ^bb0(%k: !inter.cursor<"etype", "g">):
    smt.yield
  }) {per = "ntype", count = 2 : i64} : (!gnn.graph<"g">) -> !inter.results
  %2 = "inter.for_edges"(%u) ({
  ^bb0(%e: !inter.cursor<"edge", "g.unique_src">):
    // expected-error@+1 {{the edges of 'g.unique_src' have no dst}}
    %3 = "inter.dst"(%e) : (!inter.cursor<"edge", "g.unique_src">) -> !inter.cursor<"node", "g">
    // expected-error@+1 {{'value' is per etype_dst, but the edges of 'g.unique_src' have no dst}}
    %4 = "inter.at"(%t, %e) : (!gnn.per<"etype_dst", f32>, !inter.cursor<"edge", "g.unique_src">) -> f32
    // expected-error@+1 {{the edges of 'g.unique_src' are not in pairs}}
    %5 = "inter.group"(%e) {end = "src"} : (!inter.cursor<"edge", "g.unique_src">) -> !inter.cursor<"edge", "g.unique_src.unique_src">
    smt.yield
  }) : (!gnn.graph<"g.unique_src">) -> !inter.results
  %6 = "inter.for_nodes"(%g) ({
  ^bb0(%n: !inter.cursor<"node", "g">):
    // expected-error@+1 {{'of' is a cursor at a node, which has no members}}
    %7 = "inter.for_members"(%g, %n) ({
    ^bb0(%m: !inter.cursor<"node", "g">):
      smt.yield
    }) {reduce = []} : (!gnn.graph<"g">, !inter.cursor<"node", "g">) -> !inter.results
    // expected-error@+1 {{the body yields a logit and at least one value}}
    %8 = "inter.softmax_incoming"(%g, %n) ({
    ^bb0(%m: !inter.cursor<"edge", "g">):
      smt.yield
    }) : (!gnn.graph<"g">, !inter.cursor<"node", "g">) -> !inter.results
    // expected-error@+1 {{'row' is a node of all types}}
    %9 = "inter.whole_row"(%n) : (!inter.cursor<"node", "g">) -> !inter.cursor<"node", "g">
    %10 = "inter.degree"(%g, %n) {direction = "in"} : (!gnn.graph<"g">, !inter.cursor<"node", "g">) -> f32
    // expected-error@+1 {{'p' is 1, expected a probability of at least 0 and less than 1}}
    %11 = "inter.dropout"(%10, %n) {p = 1.0, site = 0 : i64, operandSegmentSizes = array<i32: 1, 1, 0>} : (f32, !inter.cursor<"node", "g">) -> f32
    smt.yield
  }) : (!gnn.graph<"g">) -> !inter.results
  return
}
