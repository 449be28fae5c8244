// Our verifier reports wrong uses of unique edges, pairs of types and parts.
// RUN: gnn-opt %s --split-input-file --verify-diagnostics
func.func @unique(%g: !gnn.graph<"g">, %l: !gnn.graph<"g.replace">, %x: !gnn.node<"g", f32>, %v: !gnn.edge<"g.unique_src", f32>, %h: !gnn.edge<"h.unique_src", f32>,
                  %u: !gnn.graph<"g.unique_src">, %p: !gnn.per<"etype_dst", f32>) {
  // expected-error@+1 {{graph 'graph' was made by the model: its edges have no types}}
  %0 = "gnn.unique_edges"(%l) {end = "src"} : (!gnn.graph<"g.replace">) -> !gnn.graph<"g.replace.unique_src">
  // expected-error@+1 {{unique edges get no self loops}}
  %1 = "gnn.edge_set"(%u) {mode = "replace"} : (!gnn.graph<"g.unique_src">) -> !gnn.graph<"g.unique_src.replace">
  // expected-error@+1 {{the edges of 'g.unique_src' have no dst}}
  %2 = "gnn.gather"(%u, %x) {end = "dst"} : (!gnn.graph<"g.unique_src">, !gnn.node<"g", f32>) -> !gnn.edge<"g.unique_src", f32>
  // expected-error@+1 {{the edges of 'g.unique_src' have no dst}}
  %3 = "gnn.aggregate"(%u, %v) {reduce = "sum", direction = "in"} : (!gnn.graph<"g.unique_src">, !gnn.edge<"g.unique_src", f32>) -> !gnn.node<"g", f32>
  // expected-error@+1 {{'value' is per edge of 'h.unique_src', which are not the unique edges of 'g'}}
  %4 = "gnn.expand"(%g, %h) : (!gnn.graph<"g">, !gnn.edge<"h.unique_src", f32>) -> !gnn.edge<"g", f32>
  // expected-error@+1 {{graph 'graph' is not one of unique edges}}
  %5 = "gnn.group_size"(%g) : (!gnn.graph<"g">) -> !gnn.edge<"g", f32>
  // expected-error@+1 {{the edges of 'g.unique_src' have no dst}}
  %6 = "gnn.slice"(%u, %p) {by = "edge"} : (!gnn.graph<"g.unique_src">, !gnn.per<"etype_dst", f32>) -> !gnn.edge<"g.unique_src", f32>
  // expected-error@+1 {{'value' is per etype_dst, but a pair is made of a value per etype or ntype}}
  %7 = "gnn.pair"(%g, %p) {end = "dst", count = 3 : i64} : (!gnn.graph<"g">, !gnn.per<"etype_dst", f32>) -> !gnn.per<"etype_dst", f32>
  return
}

// -----

func.func @mixed(%e: !gnn.per<"etype", f32>, %n: !gnn.per<"ntype", f32>, %g: !gnn.graph<"g">, %x: !gnn.node<"g:1", f32>, %y: !gnn.node<"g", f32>) {
  // expected-error@+1 {{'a' is per edge type, but 'b' is per node type}}
  %0 = "gnn.multiply"(%e, %n) : (!gnn.per<"etype", f32>, !gnn.per<"ntype", f32>) -> !gnn.per<"etype", f32>
  // expected-error@+1 {{'rows' is per node of 'g:1', but the nodes of this type are 'g:2'}}
  %1 = "gnn.unite"(%g, %x) {type = 2 : i64} : (!gnn.graph<"g">, !gnn.node<"g:1", f32>) -> !gnn.node<"g", f32>
  // expected-error@+1 {{'a' is per node of 'g:1', but 'b' is per node of 'g'}}
  %2 = "gnn.multiply"(%x, %y) : (!gnn.node<"g:1", f32>, !gnn.node<"g", f32>) -> !gnn.node<"g", f32>
  return
}
