/* Semantic analysis reports errors of loops, fields, statements and layers at their exact
 * places. */
#include "frontend_sema_fixture.h"

TEST(edge_values_belong_to_their_edge_set) {
  CHECK_ERROR("let s = add_remaining_self_loops(g); for e in s.edges { e.a = e.w; }",
              "7:63: error: 'w' is per edge of 'g', but 'e' is an edge of 'g.add_remaining'\n"
              "4:9: note: 'w' is declared here as an input\n");
  CHECK_ERROR(
      "let s = add_remaining_self_loops(g); for e in s.edges { e.a = 1; } let v = e.a; let u = v + w;",
      "7:89: error: one side is per edge of 'g.add_remaining', the other per edge of 'g'\n"
      "7:89: note: edge values are carried over to a graph with self loops by extend_edges(g2, value, fill = 1)\n");
  CHECK_ERROR("let s = replace_self_loops(g); for e in g.edges { e.q = 1; } for e in s.edges { e.r = e.q; }",
              "7:87: error: 'q' was computed for the edges of 'g', but 'e' is an edge of 'g.replace'\n"
              "7:51: note: it is assigned here; extend_edges(g2, value, fill = 1) carries edge values over to a graph "
              "with self loops\n");
  CHECK_ERROR("let v = extend_edges(g, w);",
              "7:22: error: 'g' was not made from another graph, whose values could be those of its edges\n");
  CHECK_ERROR("let s = replace_self_loops(g); let v = extend_edges(s, x);",
              "7:56: error: 'x' is node f32[4], but 'extend_edges' takes a value per edge\n"
              "3:9: note: 'x' is declared here: node f32[4]\n");
  CHECK_ERROR(
      "let s = replace_self_loops(g); edge_softmax(s, inout w);",
      "library/edge_softmax.gnn:5:53: error: 'a' was computed for the edges of 'g', but 'e' is an edge of 'g.replace'\n"
      "library/edge_softmax.gnn:4:38: note: it is assigned here; extend_edges(g2, value, fill = 1) carries edge values "
      "over to a graph with self loops\n"
      "7:32: note: in the call to 'edge_softmax' here\n");
  CHECK_ERROR("let s = replace_self_loops(g); let t = add_remaining_self_loops(g); let v = extend_edges(s, w); let u = "
              "extend_edges(t, v);",
              "7:105: error: 'v' is per edge of 'g.replace', but 'extend_edges' takes values of 'g', from which 't' "
              "was made\n");
}

TEST(values_in_loops_carry_their_variable) {
  CHECK_ERROR("for n in g.nodes { n.y = x; n.z = w; }",
              "7:26: error: 'x' is node f32[4]; inside this loop write 'n.x'\n"
              "7:35: error: 'w' is edge f32; at a node reduce it: sum(e in n.incoming: e.w)\n");
  CHECK_ERROR("for e in g.edges { e.y = x; e.z = w; }",
              "7:26: error: 'x' is node f32[4]; inside this loop write 'e.src.x' or 'e.dst.x'\n"
              "7:35: error: 'w' is edge f32; inside this loop write 'e.w'\n");
  CHECK_ERROR("weight T : etype f32[4]; for e in g.edges { e.y = T; }",
              "7:51: error: 'T' is etype f32[4]; inside a loop it is indexed, like T[e.type]\n");
  CHECK_ERROR("for n in g.nodes { n.y = n; } for e in g.edges { e.y = e; e.z = e.src; e.t = e.type; }",
              "7:26: error: 'n' is a node; its values are written 'n.h'\n"
              "7:56: error: 'e' is an edge; its values are written 'e.a', 'e.src.h'\n"
              "7:65: error: 'e.src' is a node; its values are written 'e.src.h'\n"
              "7:78: error: 'e.type' is only used to index a value per type: W[e.type]\n");
  CHECK_ERROR("for n in g.nodes { n.z = n.x; } let h = z;",
              "7:41: error: 'z' is a field: write it with its variable, like 'n.z'\n"
              "7:20: note: it is assigned here\n");
}

TEST(an_accumulated_field_is_not_read_in_its_loop) {
  CHECK_ERROR("for n in g.nodes { for e in n.incoming { n.y += n.y + e.w; } }",
              "7:49: error: 'y' is being summed in this loop, so its value is known only after it\n"
              "7:42: note: it is accumulated here\n");
  CHECK_ERROR("for n in g.nodes { for e in n.incoming { n.y += e.w; e.a = e.dst.y; } n.z = n.y; }",
              "7:60: error: 'y' is being summed in this loop, so its value is known only after it\n"
              "7:42: note: it is accumulated here\n");
  CHECK_ERROR("for e in g.edges { e.dst.y += e.w; e.a = e.src.y; }",
              "7:42: error: 'y' is being summed in this loop, so its value is known only after it\n"
              "7:20: note: it is accumulated here\n");
}

TEST(fields_are_assigned_before_they_are_read) {
  CHECK_ERROR("for n in g.nodes { n.a = n.b; n.b = n.x; }",
              "7:26: error: 'b' is read before anything is assigned to it\n"
              "7:31: note: it is assigned only here\n");
  CHECK_ERROR("for n in g.nodes { n.a += 1; }", "7:20: error: 'a' is read before anything is assigned to it\n");
  CHECK_ERROR("for n in g.nodes { n.a = n.x; } for e in g.edges { e.b = e.a; }",
              "7:58: error: 'a' is a field of nodes, but 'e' is an edge\n"
              "7:20: note: it is assigned here\n");
}

TEST(only_what_can_change_is_assigned) {
  CHECK_ERROR("A = b;", "7:1: error: 'A' is a weight and cannot be assigned\n"
                        "5:10: note: 'A' is declared here as a weight\n");
  CHECK_ERROR("dim H = 3; H = 4;", "7:12: error: 'H' is a dimension and cannot be assigned\n"
                                   "7:5: note: 'H' is declared here as a dimension\n");
  CHECK_ERROR("repeat k in 0 .. 2 { k = 3; }", "7:22: error: 'k' is an index and cannot be assigned\n"
                                               "7:8: note: 'k' is declared here as an index\n");
  CHECK_ERROR("g = x;", "7:1: error: 'g' is a graph and cannot be assigned\n"
                        "2:9: note: 'g' is declared here as a graph\n");
  CHECK_ERROR("let h = x; h = g;", "7:16: error: 'h' is node f32[4], so it cannot become a graph\n"
                                   "7:5: note: 'h' is declared here\n");
  CHECK_ERROR("for n in g.nodes { x = b; }",
              "7:20: error: 'x' cannot be assigned in the loop over 'n'; assign a field, like n.x\n"
              "3:9: note: 'x' is declared here as an input\n");
  CHECK_ERROR("for n in g.nodes { for e in n.incoming { n.y = e.w; n.z *= 2; } }",
              "7:42: error: 'n.y' is assigned once per edge, and edges have no order; only '+=' adds them up\n"
              "7:42: note: a mean or maximum over edges is written mean(e in n.incoming: ...) in a loop over nodes\n"
              "7:53: error: 'n.z' is assigned once per edge, and edges have no order; only '+=' adds them up\n"
              "7:53: note: a mean or maximum over edges is written mean(e in n.incoming: ...) in a loop over nodes\n");
  CHECK_ERROR("for e in g.edges { e.src.y = e.w; e.src = 3; }",
              "7:20: error: 'e.src.y' is assigned once per edge, and edges have no order; only '+=' adds them up\n"
              "7:20: note: a mean or maximum over edges is written mean(e in n.incoming: ...) in a loop over nodes\n"
              "7:35: error: 'e.src' cannot be assigned: it belongs to the graph\n");
  CHECK_ERROR("for n in g.nodes { n.in_degree = 3; }",
              "7:20: error: 'n.in_degree' cannot be assigned: it belongs to the graph\n");
  CHECK_ERROR("q.a = 3; x.a = 3;", "7:1: error: unknown name 'q'\n"
                                   "7:10: error: 'x.a' cannot be assigned: only fields of loop variables can\n");
  CHECK_ERROR("for n in g.nodes { for e in n.incoming { e.a = 1; } } e.src.b = 3;",
              "7:55: error: 'e.src' is a node; its values are written 'e.src.h'\n");
  CHECK_ERROR("relu(x) = b;", "7:1: error: cannot assign to 'relu(x)': expected a name or a field such as 'n.h'\n");
}

TEST(loops_run_over_nodes_and_edges) {
  CHECK_ERROR("for n in g { n.a = 1; }",
              "7:10: error: 'g' is nothing to loop over; expected g.nodes, g.edges, n.incoming or n.outgoing\n");
  CHECK_ERROR("for n in g.noodles { n.a = 1; }",
              "7:10: error: 'g.noodles' is nothing to loop over; did you mean 'nodes'?\n");
  CHECK_ERROR("for n in x.nodes { n.a = 1; }", "7:10: error: 'x' is node f32[4], but only a graph has nodes\n"
                                               "3:9: note: 'x' is declared here: node f32[4]\n");
  CHECK_ERROR("for e in n.incoming { e.a = 1; }", "7:10: error: unknown name 'n'\n");
  CHECK_ERROR("for e in x.incoming { e.a = 1; }",
              "7:10: error: 'x' is node f32[4], but only the node of a loop has incoming edges\n");
  CHECK_ERROR("for e in g.edges { for f in e.incoming { f.a = 1; } }",
              "7:29: error: 'e' is an edge; its ends have edges: e.src.incoming, e.dst.incoming\n");
  CHECK_ERROR("for e in g.edges { for f in e.src.incoming { f.a = 1; } }",
              "7:29: error: this loop nests too deeply: only 'for e in n.incoming' directly inside 'for n in g.nodes' "
              "has a meaning\n");
  CHECK_ERROR(
      "for n in g.nodes { for m in g.nodes { m.a = 1; } }",
      "7:29: error: inside the loop over 'n' only the edges of a node can be looped over: n.incoming or n.outgoing\n");
  CHECK_ERROR(
      "for n in g.nodes { n.b = sum(m in g.nodes: n.x); n.c = total(e in n.incoming: e.w); }",
      "7:44: error: 'n' cannot be read for each 'm': it is neither 'm' nor one of its ends\n"
      "7:5: note: 'n' belongs to the loop that begins here\n"
      "7:56: error: 'total' is no reduction; expected sum, mean, max, min, prod, median, quantile, first or fold\n");
  CHECK_ERROR("for e in g.edges { e.a = sum(f in e.src.incoming: e.w); }",
              "7:51: error: 'e' cannot be read for each 'f': it is neither 'f' nor one of its ends\n"
              "7:5: note: 'e' belongs to the loop that begins here\n");
  CHECK_ERROR("let h = g.nodes; let k = g.banana; let l = x.a;",
              "7:9: error: 'g.nodes' is what a loop runs over, not a value\n"
              "7:26: error: a graph has 'nodes', 'edges', 'num_nodes' and 'num_edges', but no 'banana'\n"
              "7:44: error: 'x' is node f32[4] and has no field 'a'\n");
  CHECK_ERROR("for n in g.nodes { n.a = n.incoming; n.t = n.type; }",
              "7:26: error: 'n.incoming' is a set of edges: loop over it, or reduce it with sum(e in n.incoming: ...)\n"
              "7:44: error: 'n.type' is only used to index a value per type: W[n.type]\n");
}

TEST(values_per_type_are_indexed_by_types) {
  CHECK_ERROR("weight T : etype f32[4]; for e in g.edges { e.a = T[e.w]; e.b = T[3]; e.c = b[e.type]; e.d = "
              "T[e.src.type]; }",
              "7:51: error: values per type or per graph are indexed by the types and graphs of a loop: W[e.type], "
              "W[n.type], W[e.src.type], p[n.graph]; and edges, e.dst.incoming[e.type]\n"
              "7:65: error: values per type or per graph are indexed by the types and graphs of a loop: W[e.type], "
              "W[n.type], W[e.src.type], p[n.graph]; and edges, e.dst.incoming[e.type]\n"
              "7:77: error: 'b' is f32[4], but 'e.type' picks from a value per edge type\n"
              "6:10: note: 'b' is declared here: f32[4]\n"
              "7:94: error: 'T' is etype f32[4], but 'e.src.type' picks from a value per node type\n"
              "7:8: note: 'T' is declared here: etype f32[4]\n");
  CHECK_ERROR("weight T : node f32[4];",
              "7:12: error: a weight with a row per node is an input: 'input T : node ... from \"T\"'\n");
}

TEST(statements_stand_where_they_belong) {
  CHECK_ERROR("for n in g.nodes { output y = x; weight v : f32[4]; }",
              "7:20: error: an output stands outside of loops, not in the loop over 'n'\n"
              "7:34: error: a weight stands outside of loops, not in the loop over 'n'\n");
  CHECK_ERROR("repeat k in 0 .. 2 { input y : node f32[4]; }", "7:22: error: an input cannot be repeated\n");
  CHECK_ERROR("return x;", "7:1: error: a model returns nothing; write 'output name = value'\n");
  CHECK_ERROR("graph h;", "7:1: error: a model has one graph for now; 'h' is the second\n");
  CHECK_FILE("layer f(x) { graph g; input y : f32; output o = x; return x; let h = x; }\n"
             "model m { graph g; input x : node f32[4]; output y = f(x); }\n",
             "1:14: error: a graph belongs to a model, not to layer 'f'\n"
             "2:54: note: in the call to 'f' here\n"
             "1:23: error: an input belongs to a model, not to layer 'f'\n"
             "2:54: note: in the call to 'f' here\n"
             "1:38: error: an output belongs to a model, not to layer 'f'\n"
             "2:54: note: in the call to 'f' here\n"
             "1:62: error: nothing comes after 'return'\n"
             "2:54: note: in the call to 'f' here\n");
  CHECK_ERROR("for n in g.nodes { global_sum(g, n.x); }",
              "7:20: error: a call on its own stands outside of the loop over 'n'\n");
  CHECK_ERROR("for n in g.nodes { n.y = global_sum(g, n.x); }",
              "7:26: error: 'global_sum' works on the whole graph, so it stands outside of the loop over 'n'\n");
  CHECK_ERROR("for e in g.edges { e.a = e.w; } for n in g.nodes { edge_softmax(g, inout e.a); }",
              "7:52: error: a call on its own stands outside of the loop over 'n'\n");
}

TEST(a_model_has_a_graph_and_an_output) {
  CHECK_FILE("model m { input x : f32[4]; }\n",
             "1:7: error: model 'm' has no graph; declare one with 'graph g;'\n"
             "1:7: error: model 'm' has no output; declare one with 'output name = value;'\n");
  CHECK_FILE("model m { input x : node f32[4]; output y = x; }\n",
             "1:7: error: model 'm' has no graph; declare one with 'graph g;'\n"
             "1:11: error: 'x' is a value per node, so 'graph g;' comes before it\n");
  CHECK_FILE("layer f(x) { return x; }\n", "1:1: error: the file defines no model\n");
  CHECK_FILE("model a { graph g; input x : node f32[4]; output y = x; }\n"
             "model b { graph g; input x : node f32[4]; output y = z; }\n",
             "2:7: error: the file defines 2 models; say which one with --model=a\n"
             "2:54: error: unknown name 'z'\n");
}

TEST(outputs_are_values) {
  CHECK_ERROR("output y = g;", "7:12: error: 'g' is a graph, but a tensor is needed here\n");
  CHECK_ERROR("output y = relu;", "7:12: error: 'relu' is the function 'relu', but a tensor is needed here\n");
  CHECK_ERROR("weight T : etype f32[4]; output y = T;",
              "7:37: error: output 'y' is etype f32[4]; outputs are per node, per edge, per graph or plain tensors\n");
  CHECK_ERROR("output y = nope;", "7:12: error: unknown name 'nope'\n");
  CHECK_ERROR("output y = edge_softmax(g, inout e.a);",
              "7:34: error: unknown name 'e'\n"
              "7:12: error: 'edge_softmax(g, inout e.a)' returns nothing, but a value is needed here\n");
}

TEST(results_are_used_and_counted) {
  CHECK_ERROR("let p, q = x;", "7:1: error: 2 names for 1 value of 'x'\n");
  CHECK_FILE("layer f(x) { return x, x; }\n"
             "layer h(inout v) { v = v * 2; }\n"
             "model m { graph g; input x : node f32[4]; let a = f(x); let b = f(x) + 1; let c, d, e = f(x); let i = "
             "h(inout x); output y = x; }\n",
             "3:43: error: 1 name for 2 values of 'f(x)'\n"
             "3:65: error: 'f(x)' gives 2 values, but one is needed here\n"
             "3:75: error: 3 names for 2 values of 'f(x)'\n"
             "3:103: error: 'h(inout x)' returns nothing, so there is nothing to name\n");
}

TEST(repetitions_have_known_bounds) {
  CHECK_ERROR("repeat k in 0 .. F { let q = k; } weight V : f32[F];",
              "7:18: error: the end of the steps is F, whose value is not known here\n"
              "7:18: note: it must be known before this line: from --dim, or from a weight or input declared above\n");
  CHECK_ERROR("repeat k in 0 .. x { let q = k; }",
              "7:18: error: 'x' is node f32[4], but a dimension is an integer expression over dimension names\n"
              "3:9: note: 'x' is declared here as an input\n");
  CHECK_ERROR("repeat k in 0 .. 1.5 { let q = k; }",
              "7:18: error: '1.5' is not a size, but a dimension is an integer expression over dimension names\n");
}

TEST(layers_nobody_calls_are_checked) {
  CHECK_FILE("layer f(g, x: node f32[F], k: dim, inout e.a) {\n"
             "  weight W : f32[F + 1, k];\n"
             "  for n in g.nodes { n.z = n.x @ W; n.y = n.zz; }\n"
             "  for e in g.edges { e.a = e.a + e.dst.q; }\n"
             "  return undefined;\n"
             "}\n"
             "model m { graph g; input x : node f32[4]; output y = x; }\n",
             "3:28: error: 'n.x' has F columns here, but 'W' takes F + 1\n"
             "1:12: note: 'n.x' is declared here: node f32[F]\n"
             "2:10: note: 'W' is declared here: f32[F + 1, k]\n"
             "3:43: error: node 'n' has no field 'zz'\n"
             "4:34: error: node 'e.dst' has no field 'q'\n"
             "5:10: error: unknown name 'undefined'\n");
}

TEST(errors_in_layers_name_the_calls) {
  CHECK_FILE("layer f(x) { weight W : f32[3, 3]; return x @ W; }\n"
             "layer h(x) { return f(x) from \"a\"; }\n"
             "model m {\n"
             "  graph g;\n"
             "  input x : node f32[4];\n"
             "  let a = h(x);\n"
             "  output y = h(x);\n"
             "}\n",
             "1:43: error: 'x' has 4 columns here, but 'W' takes 3\n"
             "1:9: note: 'x' is declared here: node f32[4]\n"
             "1:21: note: 'W' is declared here: f32[3, 3]\n"
             "2:21: note: in the call to 'f' here\n"
             "6:11: note: in the call to 'h' here\n");
}

TEST(names_in_braces_are_integers) {
  CHECK_ERROR("let h = gcn_conv(g, x, 4) from \"l.{k}\";",
              "7:32: error: unknown name 'k' in '{k}'; expected an index of repeat or a dimension\n");
  CHECK_ERROR("let h = gcn_conv(g, x, 4) from \"l.{x}\";",
              "7:32: error: '{x}' needs a known integer, but 'x' is node f32[4]\n"
              "3:9: note: 'x' is declared here as an input\n");
  CHECK_ERROR("let h = gcn_conv(g, x, 4) from \"l.{k\";", "7:32: error: '{' in \"{k\" has no '}'\n");
}

TEST(dimensions_are_integer_expressions) {
  CHECK_ERROR("weight V : f32[1.5];",
              "7:16: error: '1.5' is not a size, but a dimension is an integer expression over dimension names\n");
  CHECK_ERROR("weight V : f32[x];",
              "7:16: error: 'x' is node f32[4], but a dimension is an integer expression over dimension names\n"
              "3:9: note: 'x' is declared here as an input\n");
  CHECK_ERROR("weight V : f32[h]; let h = x;", "7:16: error: unknown dimension 'h'\n");
  CHECK_ERROR("weight V : f32[4 - 4];", "7:16: error: a size is at least 1, not 0\n");
  CHECK_ERROR("dim D = 0, E = -1; let h = reshape(x, [D, E]);", "7:9: error: a size is at least 1, not 0\n"
                                                                "7:16: error: a size is at least 1, not -1\n");
  CHECK_ERROR("let h = reshape(x, [2, -2]);", "7:24: error: a size is at least 1, not -2\n");
  CHECK_ERROR("weight V : f32[7 / 2];", "7:16: error: 7 / 2 is not an integer\n");
  CHECK_ERROR("dim H = K + 1;", "7:9: error: unknown dimension 'K'\n");
  CHECK_ERROR("weight V : f32[1,2,3,4,5,6,7];", "7:12: error: a tensor has at most 6 dimensions, not 7\n");
  CHECK_ERROR(
      "weight V : f32[relu(3)];",
      "7:16: error: 'relu(3)' is something else, but a dimension is an integer expression over dimension names\n");
}

TEST(a_bias_of_linear_map_lies_along_the_last_dimension) {
  CHECK_FLAT("output y = linear_map(outer(x, x), A, sum(outer(b, b)) @ A);",
             "%5 : node f32[4, 4] = outer(%1, %1)\n"
             "%6 : f32[4, 4] = outer(%4, %4)\n"
             "%7 : f32[4] = reduce(%6, function = \"sum\")\n"
             "%8 : f32[3] = linear(%7, %3)\n"
             "%9 y : node f32[4, 3] = linear(%5, %3, %8)\n"
             "output y = %9\n");
  CHECK_FLAT("let c = b @ A; output y = linear_map(x, A, c);", "%5 c : f32[3] = linear(%4, %3)\n"
                                                               "%6 : node f32[3] = linear(%1, %3)\n"
                                                               "%7 y : node f32[3] = vector_add(%6, %5)\n"
                                                               "output y = %7\n");
  CHECK_ERROR("let y = linear_map(outer(x, x), A, b);",
              "7:36: error: the product has 3 columns, but bias 'b' is f32[4]\n"
              "6:10: note: 'b' is declared here: f32[4]\n");
}
