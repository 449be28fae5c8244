/* Sizes come from the weights, the graph and --dim, and every contradiction to a declaration is
 * reported. */
#include "frontend_sema_fixture.h"

static const char *const gcn = "model m {\n"
                               "  graph g;\n"
                               "  dim H, C;\n"
                               "  input x : node f32[F];\n"
                               "  let h = relu(gcn_conv(g, x, H) from \"conv1\");\n"
                               "  output logits = gcn_conv(g, h, C) from \"conv2\";\n"
                               "}\n";

static const char *const typed = "model m {\n"
                                 "  graph g;\n"
                                 "  input x : node f32[F] from \"emb\";\n"
                                 "  weight W : etype f32[F, 2];\n"
                                 "  for e in g.edges { e.m = e.src.x @ W[e.type]; }\n"
                                 "  output y = e.m;\n"
                                 "}\n";

static const char *const gcn_weights =
    "conv1.lin.weight F32 16 5;conv1.bias F32 16;conv2.lin.weight F32 3 16;conv2.bias F32 3";

TEST(sizes_come_from_the_weights) {
  analysed *p = open_analysis();
  use_weights(p, gcn_weights);
  run_analysis(p, gcn, NULL);
  CHECK_STR(text_str(&p->messages), "");
  CHECK_HAS(text_str(&p->printed), "%32 logits : node f32[3] = vector_add(%31, %20)");
  CHECK_HAS(text_str(&p->printed), "%1 x : node f32[5] = input(\"x\")");
  close_analysis(p);
}

TEST(sizes_come_from_the_graph_and_options) {
  analysed *p = open_analysis();
  use_graph(p, "x F32 10 5", 10, 20);
  static const sema_dim_option dims[] = {{"H", 16}, {"C", 3}};
  p->env.dims = dims;
  p->env.dim_count = 2;
  run_analysis(p, gcn, NULL);
  CHECK_STR(text_str(&p->messages), "");
  CHECK_HAS(text_str(&p->printed), "%32 logits : node f32[3] = vector_add(%31, %20)");
  CHECK_HAS(text_str(&p->printed), "%1 x : node f32[5] = input(\"x\")");
  close_analysis(p);
}

TEST(weights_and_graph_must_agree) {
  analysed *p = open_analysis();
  use_weights(p, gcn_weights);
  use_graph(p, "x F32 10 6", 10, 20);
  run_analysis(p, gcn, NULL);
  CHECK_STR(text_str(&p->messages), "library/gcn_conv.gnn:7:10: error: weight 'conv1.lin.weight' is [16, 5] in "
                                    "w.safetensors, but the model needs [16, 6]\n"
                                    "library/gcn_conv.gnn:5:29: note: 'F' is 6: the argument for 'x' has it\n"
                                    "4:9: note: 'F' is 6: 'x' in g.safetensors is [10, 6]\n"
                                    "5:16: note: in the call to 'gcn_conv' here\n");
  CHECK(!p->flat);
  close_analysis(p);
}

TEST(options_and_weights_must_agree) {
  analysed *p = open_analysis();
  use_weights(p, gcn_weights);
  static const sema_dim_option dims[] = {{"H", 8}, {"F", 5}};
  p->env.dims = dims;
  p->env.dim_count = 2;
  run_analysis(p, gcn, NULL);
  CHECK_STR(text_str(&p->messages),
            "library/gcn_conv.gnn:7:10: error: weight 'conv1.lin.weight' is [16, 5] in w.safetensors, but the model "
            "needs [8, 5]\n"
            "0:0: note: 'H' is 8: --dim H=8 says so\n"
            "5:16: note: in the call to 'gcn_conv' here\n"
            "library/gcn_conv.gnn:8:10: error: weight 'conv1.bias' is [16] in w.safetensors, but the model needs [8]\n"
            "0:0: note: 'H' is 8: --dim H=8 says so\n"
            "5:16: note: in the call to 'gcn_conv' here\n");
  CHECK(!p->flat);
  close_analysis(p);
}

TEST(unbound_sizes_are_reported_once_with_what_could_tell) {
  analysed *p = open_analysis();
  run_analysis(p, gcn, NULL);
  CHECK_STR(text_str(&p->messages),
            "4:22: error: the size of 'F' is not known\n"
            "4:22: note: it could come from field 'x' of the graph, or from --dim F=...\n"
            "3:7: error: the size of 'H' is not known\n"
            "3:7: note: it could come from tensor 'conv1.lin.weight' of the weights, or from --dim H=...\n"
            "3:10: error: the size of 'C' is not known\n"
            "3:10: note: it could come from tensor 'conv2.lin.weight' of the weights, or from --dim C=...\n");
  CHECK(!p->flat);
  close_analysis(p);
}

TEST(options_name_dimensions_of_the_model) {
  analysed *p = open_analysis();
  use_weights(p, gcn_weights);
  static const sema_dim_option dims[] = {{"Q", 3}, {"h", 2}, {"C", 0}};
  p->env.dims = dims;
  p->env.dim_count = 3;
  run_analysis(p, gcn, NULL);
  CHECK_STR(text_str(&p->messages), "0:0: error: --dim Q=3: model 'm' has no dimension 'Q'\n"
                                    "0:0: error: --dim h=2: model 'm' has no dimension 'h'; did you mean 'H'?\n"
                                    "0:0: error: --dim C=0: a size is at least 1\n");
  CHECK(!p->flat);
  close_analysis(p);
}

TEST(a_missing_weight_suggests_the_nearest_and_lists_a_short_file) {
  analysed *p = open_analysis();
  use_weights(p, "conv1.lin.weigth F32 16 5;conv1.bias F32 16;conv2.lin.weight F32 3 16;conv2.bias F32 3");
  run_analysis(p, gcn, NULL);
  CHECK_STR(text_str(&p->messages),
            "library/gcn_conv.gnn:7:10: error: w.safetensors has no tensor 'conv1.lin.weight' for weight 'W'; did you "
            "mean 'conv1.lin.weigth'?\n"
            "library/gcn_conv.gnn:7:10: note: it has conv1.lin.weigth, conv1.bias, conv2.lin.weight, conv2.bias\n"
            "5:16: note: in the call to 'gcn_conv' here\n");
  CHECK(!p->flat);
  close_analysis(p);
}

TEST(a_weight_of_another_shape_says_both) {
  analysed *p = open_analysis();
  use_weights(p, "conv1.lin.weight F32 16 5;conv1.bias F32 8;conv2.lin.weight F32 3 17;conv2.bias F32 3 1");
  run_analysis(p, gcn, NULL);
  CHECK_STR(
      text_str(&p->messages),
      "library/gcn_conv.gnn:8:10: error: weight 'conv1.bias' is [8] in w.safetensors, but the model needs [16]\n"
      "library/gcn_conv.gnn:7:10: note: 'H' is 16: 'conv1.lin.weight' in w.safetensors is [16, 5]\n"
      "5:16: note: in the call to 'gcn_conv' here\n"
      "library/gcn_conv.gnn:8:10: error: weight 'conv2.bias' is [3, 1] in w.safetensors, but the model needs [3]\n"
      "6:19: note: in the call to 'gcn_conv' here\n");
  CHECK(!p->flat);
  close_analysis(p);
}

TEST(a_weight_that_is_not_transposed_is_recognised) {
  analysed *p = open_analysis();
  use_weights(p, "conv1.lin.weight F32 5 16;conv1.bias F32 16;conv2.lin.weight F32 16 3;conv2.bias F32 3");
  static const sema_dim_option dims[] = {{"H", 16}, {"F", 5}, {"C", 3}};
  p->env.dims = dims;
  p->env.dim_count = 3;
  run_analysis(p, gcn, NULL);
  CHECK_STR(text_str(&p->messages), "library/gcn_conv.gnn:7:10: error: weight 'conv1.lin.weight' is [5, 16] in "
                                    "w.safetensors, but the model needs [16, 5]; transposed?\n"
                                    "5:16: note: in the call to 'gcn_conv' here\n"
                                    "library/gcn_conv.gnn:7:10: error: weight 'conv2.lin.weight' is [16, 3] in "
                                    "w.safetensors, but the model needs [3, 16]; transposed?\n"
                                    "6:19: note: in the call to 'gcn_conv' here\n");
  CHECK(!p->flat);
  close_analysis(p);
}

TEST(a_weight_that_bound_sizes_the_wrong_way_round_is_the_only_error) {
  analysed *p = open_analysis();
  use_weights(p, "conv1.lin.weight F32 5 16;conv1.bias F32 16;conv2.lin.weight F32 3 16;conv2.bias F32 3");
  run_analysis(p, gcn, NULL);
  CHECK_STR(text_str(&p->messages),
            "library/gcn_conv.gnn:7:10: error: weight 'conv1.lin.weight' is [5, 16] in w.safetensors; transposed? "
            "As [16, 5] it would fit 'conv1.bias', which is [16]\n"
            "5:16: note: in the call to 'gcn_conv' here\n");
  CHECK(!p->flat);
  close_analysis(p);
}

TEST(weights_are_floating_point) {
  analysed *p = open_analysis();
  use_weights(p, "conv1.lin.weight I64 16 5;conv1.bias F16 16;conv2.lin.weight BF16 3 16;conv2.bias F64 3");
  run_analysis(p, gcn, NULL);
  CHECK_STR(text_str(&p->messages), "library/gcn_conv.gnn:7:10: error: weight 'conv1.lin.weight' holds I64 in "
                                    "w.safetensors; expected F32, F16, BF16 or F64\n"
                                    "5:16: note: in the call to 'gcn_conv' here\n");
  CHECK(!p->flat);
  close_analysis(p);
}

TEST(unused_weights_are_a_warning) {
  analysed *p = open_analysis();
  use_weights(p, "conv1.lin.weight F32 16 5;conv1.bias F32 16;conv2.lin.weight F32 3 16;conv2.bias F32 "
                 "3;bn.num_batches_tracked I64;extra F32 3");
  run_analysis(p, gcn, NULL);
  CHECK_STR(text_str(&p->messages), "1:7: warning: w.safetensors has a tensor 'extra' that the model does not use\n");
  CHECK_HAS(text_str(&p->printed), "%32 logits : node f32[3] = vector_add(%31, %20)");
  CHECK_HAS(text_str(&p->printed), "%1 x : node f32[5] = input(\"x\")");
  close_analysis(p);
}

TEST(a_missing_input_suggests_a_field) {
  analysed *p = open_analysis();
  use_weights(p, gcn_weights);
  use_graph(p, "X F32 10 5;edge_index I64 2 20", 10, 20);
  run_analysis(p, gcn, NULL);
  CHECK_STR(text_str(&p->messages), "4:9: error: g.safetensors has no field 'x' for input 'x'; did you mean 'X'?\n"
                                    "4:9: note: w.safetensors does not have it either\n");
  CHECK(!p->flat);
  close_analysis(p);
}

TEST(inputs_may_come_from_the_weights) {
  analysed *p = open_analysis();
  use_weights(p, "emb F32 10 4;W F32 7 4 2");
  use_graph(p, "edge_index I64 2 20", 10, 20);
  p->env.num_edge_types = 7;
  run_analysis(p, typed, NULL);
  CHECK_STR(text_str(&p->messages), "");
  CHECK_HAS(text_str(&p->printed), "%5 m : edge f32[2] = linear(%3, %4)");
  CHECK_HAS(text_str(&p->printed), "%1 x : node f32[4] = input(\"emb\" of the weights)");
  close_analysis(p);
}

TEST(rows_of_inputs_are_counted) {
  analysed *p = open_analysis();
  use_weights(p, "emb F32 11 4;W F32 7 4 2");
  use_graph(p, "edge_index I64 2 20", 10, 20);
  p->env.num_edge_types = 7;
  run_analysis(p, typed, NULL);
  CHECK_STR(text_str(&p->messages),
            "3:9: error: input 'emb' is [11, 4] in w.safetensors, but the model needs [10 nodes, 4]\n");
  CHECK(!p->flat);
  close_analysis(p);
}

TEST(a_weight_has_a_row_for_each_type_of_the_graph) {
  analysed *p = open_analysis();
  use_weights(p, "emb F32 10 4;W F32 6 4 2");
  use_graph(p, "edge_index I64 2 20", 10, 20);
  p->env.num_edge_types = 7;
  run_analysis(p, typed, NULL);
  CHECK_STR(text_str(&p->messages), "4:10: error: weight 'W' is for 6 edge types, but g.safetensors has 7\n");
  CHECK(!p->flat);
  close_analysis(p);
}

TEST(a_weight_may_have_rows_for_more_types_than_occur) {
  analysed *p = open_analysis();
  use_weights(p, "emb F32 10 4;W F32 9 4 2");
  use_graph(p, "edge_index I64 2 20", 10, 20);
  p->env.num_edge_types = 7;
  run_analysis(p, typed, NULL);
  CHECK_STR(text_str(&p->messages), "");
  CHECK_HAS(text_str(&p->printed), "%5 m : edge f32[2] = linear(%3, %4)");
  CHECK_HAS(text_str(&p->printed), "%1 x : node f32[4] = input(\"emb\" of the weights)");
  close_analysis(p);
}

TEST(weights_agree_on_the_number_of_types) {
  analysed *p = open_analysis();
  use_weights(p, "emb F32 10 4;W F32 9 4 2;V F32 8 4");
  run_analysis(p,
               "model m {\n"
               "  graph g;\n"
               "  input x : node f32[F] from \"emb\";\n"
               "  weight V : etype f32[F];\n"
               "  weight W : etype f32[F, 2];\n"
               "  for e in g.edges { e.m = e.src.x @ W[e.type]; }\n"
               "  output y = e.m;\n"
               "}\n",
               NULL);
  CHECK_STR(text_str(&p->messages),
            "5:10: error: weight 'W' is [9, 4, 2] in w.safetensors, but the model needs [8 edge types, 4, 2]\n"
            "4:10: note: 'number of edge types' is 8: 'V' in w.safetensors is [8, 4]\n");
  CHECK(!p->flat);
  close_analysis(p);
}

TEST(the_number_of_types_must_be_known) {
  analysed *p = open_analysis();
  static const sema_dim_option dims[] = {{"F", 4}};
  p->env.dims = dims;
  p->env.dim_count = 1;
  run_analysis(p, typed, NULL);
  CHECK_STR(text_str(&p->messages),
            "4:10: error: the number of edge types is not known\n"
            "4:10: note: it could come from the graph (--graph) or from tensor 'W' of the weights (--weights)\n");
  CHECK(!p->flat);
  close_analysis(p);
}

TEST(inputs_are_numbers) {
  analysed *p = open_analysis();
  use_weights(p, gcn_weights);
  use_graph(p, "x I32 10 5", 10, 20);
  run_analysis(p, gcn, NULL);
  CHECK_STR(text_str(&p->messages), "");
  close_analysis(p);
  p = open_analysis();
  use_weights(p, gcn_weights);
  use_graph(p, "x F8_E5M2 10 5", 10, 20);
  run_analysis(p, gcn, NULL);
  CHECK_STR(text_str(&p->messages), "4:9: error: input 'x' holds F8_E5M2 in g.safetensors; expected numbers: F32, F16, "
                                    "BF16, F64, I64, I32, I16, U8 or BOOL\n");
  CHECK(!p->flat);
  close_analysis(p);
}

TEST(inputs_have_the_declared_rank) {
  analysed *p = open_analysis();
  use_weights(p, gcn_weights);
  use_graph(p, "x F32 10", 10, 20);
  run_analysis(p, gcn, NULL);
  CHECK_STR(text_str(&p->messages),
            "4:9: error: input 'x' is [10] in g.safetensors, but the model needs [10 nodes, F]\n");
  CHECK(!p->flat);
  close_analysis(p);
}

static const char *const named_types = "model m {\n"
                                       "  graph g { nodes paper, author; edges cites, writes; }\n"
                                       "  input x : node f32[4];\n"
                                       "  weight W : etype f32[4, 2];\n"
                                       "  for e in g.edges { e.m = e.src.x @ W[e.type]; }\n"
                                       "  output m = e.m;\n"
                                       "}\n";

TEST(a_graph_that_names_its_types_has_that_many) {
  analysed *p = open_analysis();
  run_analysis(p, named_types, NULL);
  CHECK_STR(text_str(&p->messages), "");
  int64_t count = 0;
  for (size_t i = 0; p->flat && i < p->flat->values.count; i++)
    if (p->flat->values.items[i]->count) dim_value(p->flat->dims, p->flat->values.items[i]->count, &count);
  CHECK(count == 2);
  close_analysis(p);
}

TEST(files_do_not_know_more_types_than_the_graph_names) {
  analysed *p = open_analysis();
  use_weights(p, "W F32 3 4 2");
  use_graph(p, "edge_index I64 2 20; x F32 10 4", 10, 20);
  p->env.num_node_types = 3;
  p->env.num_edge_types = 1;
  run_analysis(p, named_types, NULL);
  CHECK_STR(text_str(&p->messages),
            "2:19: error: graph 'g' declares 2 node types, but g.safetensors has 3\n"
            "4:10: error: weight 'W' is [3, 4, 2] in w.safetensors, but the model needs [2 edge types, 4, 2]\n"
            "2:40: note: 'number of edge types' is 2: graph 'g' declares 2 edge types\n");
  CHECK(!p->flat);
  close_analysis(p);
}
