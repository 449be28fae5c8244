/* Semantic analysis reports errors of names, calls, shapes and domains at their exact places. */
#include "frontend_sema_fixture.h"

TEST(an_unknown_name_suggests_the_nearest_one) {
  CHECK_ERROR("let h = xx;", "7:9: error: unknown name 'xx'\n");
  CHECK_ERROR("let h = relu(hidden);", "7:14: error: unknown name 'hidden'\n");
  CHECK_ERROR("let h = gcn_cnv(g, x, 4);",
              "7:9: error: unknown function or layer 'gcn_cnv'; did you mean 'gcn_conv'?\n");
  CHECK_ERROR("let h = rleu(x);", "7:9: error: unknown function or layer 'rleu'; did you mean 'relu'?\n");
  CHECK_ERROR("for n in g.nodes { n.a = n.xx; n.b = q; }", "7:26: error: node 'n' has no field 'xx'\n"
                                                           "7:38: error: unknown name 'q'\n");
  CHECK_ERROR("z = x;", "7:1: error: unknown name 'z'\n"
                        "7:1: note: a new value is declared with 'let z = ...'\n");
}

TEST(every_error_of_a_file_is_found) {
  CHECK_ERROR("let h = aa + bb; let k = relu(cc, dd); for n in ee.nodes { n.f = ff; }",
              "7:9: error: unknown name 'aa'\n"
              "7:14: error: unknown name 'bb'\n"
              "7:35: error: 'relu' takes at most 1 argument\n"
              "7:49: error: unknown name 'ee'\n"
              "7:66: error: unknown name 'ff'\n");
}

TEST(an_error_does_not_cascade) {
  CHECK_ERROR("let h = nope; let k = h @ A + b; for n in g.nodes { n.z = n.h; n.y = n.z + h; } let l = gcn_conv(g, h, "
              "4) from \"c\"; output y = l + k;",
              "7:9: error: unknown name 'nope'\n");
  CHECK_ERROR("for n in nope.nodes { n.z = n.x; for e in n.incoming { n.y += e.w; } } output y = n.y; output z = n.z;",
              "7:10: error: unknown name 'nope'\n");
}

TEST(a_loop_over_nothing_does_not_cascade) {
#define NOTHING "7:10: error: 'g.node' is nothing to loop over; did you mean 'nodes'?\n"
  CHECK_ERROR(
      "for n in g.node { n.h = n.x; n.k = relu(n.h) + n.in_degree; } let h = n.h; for m in g.nodes { m.z = m.k; }",
      NOTHING);
  CHECK_ERROR("for n in g.node { for e in n.incoming { n.y += e.w * e.src.x; } n.z = sum(e in n.incoming: e.w); }\n"
              "output y = n.y; output z = n.z;",
              NOTHING);
  CHECK_ERROR("for n in g.node { let t = n.x + x; n.t = t; } edge_softmax(g, inout n.t); n.t += 1; let k = n.t;",
              NOTHING);
  CHECK_ERROR("for n in g.node { n.h = hidden; }", NOTHING "7:25: error: unknown name 'hidden'\n");
  CHECK_ERROR("for n in w { n.h = n.x; } for e in g.edges { e.k = e.h; }",
              "7:10: error: 'w' is nothing to loop over; expected g.nodes, g.edges, n.incoming or n.outgoing\n");
#undef NOTHING
}

TEST(a_size_whose_value_does_not_fit_is_no_other_size) {
#define LIMIT "which is too large: it must be at most 9223372036854775807\n"
  CHECK_ERROR("dim D = 3000000; output y = x * (D*D*D);",
              "7:34: error: a dimension is D*D*D here, " LIMIT "7:5: note: 'D' is 3000000\n");
  CHECK_ERROR("dim B = 65536; weight W : f32[3, B*B*B*B + 2];",
              "7:23: error: a size is B*B*B*B + 2 here, " LIMIT "7:5: note: 'B' is 65536\n");
  CHECK_ERROR("dim D = 3000000; weight W : f32[D*D*D];",
              "7:25: error: a size is D*D*D here, " LIMIT "7:5: note: 'D' is 3000000\n");
#undef LIMIT
}

TEST(models_of_one_name_are_not_to_be_chosen_from) {
  CHECK_FILE("model m { graph g; input x : node f32[4]; output y = x; }\n"
             "model m { graph g; input x : node f32[4]; output y = x; }\n",
             "2:7: error: model 'm' is already defined\n"
             "1:7: note: it is defined here first\n");
}

TEST(names_are_declared_once) {
  CHECK_ERROR("let h = x; let h = x;",
              "7:16: error: 'h' is already declared; to give it a new version write it without 'let'\n"
              "7:5: note: 'h' is declared here as a value\n");
  CHECK_ERROR("let x = b;", "7:5: error: 'x' is already declared\n"
                            "3:9: note: 'x' is declared here as an input\n");
  CHECK_ERROR("for x in g.nodes { x.h = 1; }", "7:5: error: 'x' is already declared\n"
                                               "3:9: note: 'x' is declared here as an input\n");
  CHECK_ERROR("for n in g.nodes { for n in n.incoming { n.h = 1; } }",
              "7:24: error: 'n' is already declared\n"
              "7:5: note: 'n' is declared here as a loop variable\n");
  CHECK_ERROR("input x : node f32[4];", "7:7: error: 'x' is already declared\n"
                                        "3:9: note: 'x' is declared here as an input\n");
  CHECK_ERROR("output y = x; output y = b;", "7:22: error: output 'y' is already declared\n"
                                             "7:8: note: it is declared here\n");
  CHECK_FILE("layer f(x) { return x; }\n"
             "layer f(y) { return y; }\n"
             "layer relu(x) { return x; }\n"
             "model f { graph g; input x : node f32[4]; output y = f(x); }\n",
             "2:7: error: layer 'f' is already defined\n"
             "1:7: note: it is defined here first\n"
             "3:7: error: 'relu' is a builtin function; choose another name\n"
             "4:7: error: 'f' is already a layer\n"
             "1:7: note: it is defined here\n");
}

TEST(inputs_of_node_types_are_declared_once_per_type) {
  CHECK_FILE(
      "model m {\n"
      "graph g { nodes paper, author; }\n"
      "input x.paper : node f32[2];\n"
      "input x.author : node f32[3];\n"
      "for n in g.nodes { n.y = n.x; }\n"
      "output y = n.y; }\n",
      "5:26: error: 'x' has no shape for all nodes: it is f32[3] per node of type 'author', but f32[2] per node\n");
  CHECK_FILE("model m {\n"
             "graph g { nodes paper, author; }\n"
             "input x.paper : node f32[2];\n"
             "input x.paper : node f32[3];\n"
             "input z : node f32[2];\n"
             "input z.paper : node f32[2];\n"
             "output y = z; }\n",
             "4:7: error: 'x.paper' is already declared\n"
             "3:7: note: 'x.paper' is declared here as an input\n"
             "6:7: error: 'z' is already declared\n"
             "5:7: note: 'z' is declared here as an input\n");
}

TEST(builtins_are_not_hidden) {
  CHECK_ERROR("let relu = x;", "7:5: error: 'relu' is a builtin function; choose another name\n");
  CHECK_ERROR("for sum in g.nodes { sum.a = 1; }", "7:5: error: 'sum' is a builtin function; choose another name\n");
}

TEST(calls_are_checked_against_parameters) {
  CHECK_ERROR("let h = relu(x, b);", "7:17: error: 'relu' takes at most 1 argument\n");
  CHECK_ERROR("let h = relu();", "7:9: error: 'relu' needs an argument for 'x'\n");
  CHECK_ERROR("let h = leaky_relu(x, slop = 1);",
              "7:23: error: 'leaky_relu' has no parameter 'slop'; did you mean 'slope'?\n");
  CHECK_ERROR("let h = leaky_relu(slope = 1, x);", "7:31: error: an argument without a name follows one with a name\n");
  CHECK_ERROR("let h = leaky_relu(x, 0.1, slope = 2);",
              "7:36: error: parameter 'slope' of 'leaky_relu' is given twice\n"
              "7:23: note: it is given here already\n");
  CHECK_ERROR("let h = clamp(x, 0, 1, 2);", "7:24: error: 'clamp' takes at most 3 arguments\n");
  CHECK_ERROR("let h = clamp(x, hi = 1);", "7:18: error: 'clamp' has no parameter 'hi'\n");
  CHECK_ERROR("let h = erf(x, 1);", "7:16: error: 'erf' takes at most 1 argument\n");
  CHECK_ERROR("let h = pow(x);", "7:9: error: 'pow' needs an argument for 'b'\n");
  CHECK_ERROR(
      "let h = atan2(x, reshape(b, [2, 2]));",
      "7:9: error: 'x' is f32[4], but 'reshape(b, [2, 2])' is f32[2, 2]; shapes must be equal, or align from the "
      "first dimension\n"
      "3:9: note: 'x' is declared here: node f32[4]\n");
  CHECK_ERROR("let h = log2p(x);", "7:9: error: unknown function or layer 'log2p'; did you mean 'log1p'?\n");
  CHECK_ERROR("let h = negate(x);", "7:9: error: unknown function or layer 'negate'\n");
  CHECK_ERROR("let h = gcn_conv(g, x);", "7:9: error: 'gcn_conv' needs an argument for 'out'\n"
                                         "library/gcn_conv.gnn:5:7: note: 'gcn_conv' is declared here\n");
  CHECK_ERROR("let h = linear(x, 4, 5);", "7:22: error: 'linear' takes at most 2 arguments\n"
                                          "library/linear.gnn:4:7: note: 'linear' is declared here\n");
  CHECK_ERROR("let h = gcn_conv(g, x, outt = 5);",
              "7:24: error: 'gcn_conv' has no parameter 'outt'; did you mean 'out'?\n"
              "library/gcn_conv.gnn:5:7: note: 'gcn_conv' is declared here\n");
  CHECK_ERROR("let h = relu(x) from \"p\";", "7:22: error: function 'relu' has no weights, so it takes no 'from'\n");
  CHECK_ERROR("let h = concat();", "7:9: error: 'concat' joins at least one value\n");
  CHECK_ERROR("let h = relu(inout x);", "7:20: error: function 'relu' changes nothing: the argument is not 'inout'\n");
  CHECK_ERROR("edge_softmax(g, w);", "7:17: error: parameter 'a' is changed by the layer: write 'inout' before 'w'\n"
                                     "library/edge_softmax.gnn:4:38: note: 'a' is declared here\n");
  CHECK_ERROR("let h = x(b);", "7:9: error: 'x' is node f32[4], not a function or layer\n"
                               "3:9: note: 'x' is declared here as an input\n");
}

TEST(arguments_have_the_right_kind) {
  CHECK_ERROR("let h = gcn_conv(x, x, 4) from \"c\";",
              "7:18: error: parameter 'g' takes a graph, but 'x' is node f32[4]\n"
              "library/gcn_conv.gnn:5:16: note: 'g' is declared here\n"
              "3:9: note: 'x' is declared here: node f32[4]\n");
  CHECK_ERROR("let h = gcn_conv(g, w, 4) from \"c\";",
              "7:21: error: parameter 'x' takes node f32[F], but 'w' is edge f32\n"
              "library/gcn_conv.gnn:5:26: note: 'x' is declared here\n"
              "7:9: note: in the call to 'gcn_conv' here\n");
  CHECK_ERROR("let h = gcn_conv(g, x, x) from \"c\";",
              "7:24: error: 'x' is node f32[4], but a dimension is an integer expression over dimension names\n"
              "3:9: note: 'x' is declared here as an input\n");
  CHECK_ERROR("let h = sage_conv(g, x, 4, aggr = tanh);",
              "7:35: error: parameter 'aggr' takes a reduction, but 'tanh' is the function 'tanh'\n"
              "library/sage_conv.gnn:5:40: note: 'aggr' is declared here\n");
  CHECK_ERROR("let h = mlp(x, 4, 4, act = x);",
              "7:28: error: parameter 'act' takes a function, but 'x' is node f32[4]\n"
              "library/linear.gnn:34:37: note: 'act' is declared here\n"
              "3:9: note: 'x' is declared here: node f32[4]\n");
  CHECK_ERROR(
      "let h = leaky_relu(x, slope = b);",
      "7:31: error: 'slope' of 'leaky_relu' must be a number known when the model is compiled, but 'b' is f32[4]\n");
  CHECK_ERROR("let h = relu(g);", "7:14: error: 'g' is a graph, but a tensor is needed here\n");
  CHECK_ERROR("let h = x + relu;", "7:13: error: 'relu' is the function 'relu', but a tensor is needed here\n");
  CHECK_ERROR("let h = global_sum(x, x);", "7:20: error: 'global_sum' takes a graph here, but 'x' is node f32[4]\n");
  CHECK_ERROR("let h = global_sum(g, w);", "7:23: error: 'w' is edge f32, but 'global_sum' pools a value per node\n"
                                           "4:9: note: 'w' is declared here: edge f32\n");
  CHECK_ERROR("let h = reshape(x, 4);",
              "7:20: error: the shape of 'reshape' is a list of sizes, like [H, C], not '4'\n");
  CHECK_ERROR("let h = x + \"a\";", "7:13: error: '\"a\"' is the string \"a\", but a tensor is needed here\n");
  CHECK_ERROR("edge_softmax(g, inout 3);", "7:23: error: an 'inout' argument is a field or a name, not '3'\n");
}

TEST(shapes_of_products_must_fit) {
  CHECK_ERROR("let h = x @ b;", "7:9: error: 'x' is f32[4] and 'b' is f32[4], but '@' takes [..., K] @ [K, N], [H, K] "
                                "@ [H, K, N] or [H, M, K] @ [H, K, N]; 'dot' is the product of vectors\n"
                                "6:10: note: 'b' is declared here: f32[4]\n");
  CHECK_ERROR("let h = (x @ A) @ A;", "7:9: error: 'x @ A' has 3 columns here, but 'A' takes 4\n"
                                      "5:10: note: 'A' is declared here: f32[4, 3]\n");
  CHECK_ERROR("let h = w @ A;", "7:9: error: 'w' is edge f32, but at least 1 dimension is needed here\n"
                                "4:9: note: 'w' is declared here: edge f32\n");
  CHECK_ERROR("let h = x @ w;",
              "7:9: error: a value per node and a value per edge do not combine\n"
              "7:9: note: read node values through an end of the edge: for e in g.edges { e.m = e.src.h * e.a; }\n");
  CHECK_ERROR("let h = dot(x, A);", "7:9: error: 'x' has 4 columns, but 'A' has 3\n"
                                    "3:9: note: 'x' is declared here: node f32[4]\n"
                                    "5:10: note: 'A' is declared here: f32[4, 3]\n");
  CHECK_ERROR("let h = outer(x, A);", "7:18: error: 'outer' takes two vectors, but 'A' is f32[4, 3]\n");
  CHECK_ERROR("let h = dot(w, w);", "7:13: error: 'w' is edge f32, but at least 1 dimension is needed here\n"
                                    "4:9: note: 'w' is declared here: edge f32\n");
}

TEST(shapes_of_element_wise_operations_align_from_the_first_dimension) {
  CHECK_ERROR("let h = A + b; let k = x + reshape(x, [2, 2]);",
              "7:24: error: 'x' is f32[4], but 'reshape(x, [2, 2])' is f32[2, 2]; shapes must be equal, or align from "
              "the first dimension\n"
              "3:9: note: 'x' is declared here: node f32[4]\n");
  CHECK_ERROR(
      "let h = x @ A + b;",
      "7:9: error: 'x @ A' is f32[3], but 'b' is f32[4]; shapes must be equal, or align from the first dimension\n"
      "6:10: note: 'b' is declared here: f32[4]\n");
  CHECK_ERROR(
      "let h = max(x @ A, x);",
      "7:9: error: 'x @ A' is f32[3], but 'x' is f32[4]; shapes must be equal, or align from the first dimension\n"
      "3:9: note: 'x' is declared here: node f32[4]\n");
}

TEST(shapes_of_rearrangements_must_fit) {
  CHECK_ERROR("let h = reshape(x, [3]);", "7:9: error: 'x' is f32[4] with 4 elements, but f32[3] has 3\n"
                                          "3:9: note: 'x' is declared here: node f32[4]\n");
  CHECK_ERROR("let h = concat(x, A);",
              "7:9: error: 'x' is f32[4], but 'A' is f32[4, 3]; all dimensions but the last must agree\n"
              "3:9: note: 'x' is declared here: node f32[4]\n"
              "5:10: note: 'A' is declared here: f32[4, 3]\n");
  CHECK_ERROR("let h = transpose(x);", "7:19: error: 'x' is node f32[4], but at least 2 dimensions are needed here\n"
                                       "3:9: note: 'x' is declared here: node f32[4]\n");
  CHECK_ERROR("let h = softmax(w);", "7:17: error: 'w' is edge f32, but at least 1 dimension is needed here\n"
                                     "4:9: note: 'w' is declared here: edge f32\n");
  CHECK_ERROR("let h = reshape(x, [5 / 2]);", "7:21: error: 5 / 2 is not an integer\n");
  CHECK_ERROR("let h = reshape(x, [1,1,1,1,1,1,4]);", "7:20: error: a tensor has at most 6 dimensions, not 7\n");
  CHECK_ERROR("let h = normalize(x, b, b, A, b);",
              "7:28: error: 'gamma' of 'normalize' is f32[4, 3], but x has 4 columns, so f32[4] is needed\n"
              "3:9: note: 'x' is declared here: node f32[4]\n"
              "5:10: note: 'A' is declared here: f32[4, 3]\n");
}

TEST(sizes_say_where_they_come_from) {
  CHECK_FILE("model m {\n"
             "  graph g;\n"
             "  dim H = 3;\n"
             "  input x : node f32[F];\n"
             "  weight W : f32[F, H];\n"
             "  weight V : f32[4, H];\n"
             "  let a = x @ W;\n"
             "  let b = x @ V;\n"
             "  let c = a @ W;\n"
             "  output y = b;\n"
             "}\n",
             "9:11: error: 'a' has 3 columns here, but 'W' takes 4\n"
             "7:7: note: 'a' is computed here: node f32[3]\n"
             "5:10: note: 'W' is declared here: f32[4, 3]\n"
             "3:3: note: 'H' is 3: 'dim H' says so\n"
             "8:11: note: 'F' is 4: the columns of the left side of '@' meet the rows of the right side\n");
}

TEST(domains_do_not_mix) {
  CHECK_ERROR("let h = x + w;",
              "7:9: error: a value per node and a value per edge do not combine\n"
              "7:9: note: read node values through an end of the edge: for e in g.edges { e.m = e.src.h * e.a; }\n");
  CHECK_ERROR("weight T : etype f32[4]; let h = x + T;",
              "7:34: error: a value per node and a value per edge type do not combine\n"
              "7:34: note: a value per type is indexed in a loop: W[e.type], W[n.type]\n");
  CHECK_ERROR("for e in g.edges { e.a = e.src.w; e.b = e.x; }", "7:26: error: 'w' is edge f32, but 'e.src' is a node\n"
                                                                "4:9: note: 'w' is declared here as an input\n"
                                                                "7:41: error: 'x' is node f32[4], but 'e' is an edge\n"
                                                                "3:9: note: 'x' is declared here as an input\n");
  CHECK_ERROR("for n in g.nodes { n.a = n.w; n.c = n.b; n.d = n.g; }",
              "7:26: error: 'w' is edge f32, but 'n' is a node\n"
              "4:9: note: 'w' is declared here as an input\n"
              "7:37: error: 'b' is f32[4], not a field; write 'b'\n"
              "6:10: note: 'b' is declared here as a weight\n"
              "7:48: error: 'g' is a graph, not a field; write 'g'\n"
              "2:9: note: 'g' is declared here as a graph\n");
  CHECK_ERROR("weight T : etype f32[4]; for n in g.nodes { n.a = T[n.type]; n.b = n.T; }",
              "7:51: error: 'T' is etype f32[4], but 'n.type' picks from a value per node type\n"
              "7:8: note: 'T' is declared here: etype f32[4]\n"
              "7:68: error: 'T' is etype f32[4]; it is indexed: T[n.type]\n"
              "7:8: note: 'T' is declared here as a weight\n");
  CHECK_ERROR("let p = global_sum(g, x); let h = p + x;",
              "7:35: error: a value per graph of a batch and a value per node do not combine\n");
}
