/* Semantic analysis chooses parts of a model when it is compiled: optional weights and arguments,
 * conditions. */
#include "frontend_sema_fixture.h"

/* A layer with an optional bias, an optional root weight with an older name, and an option. */
static const char *const sage = "layer sage(g: graph, x: node f32[F], out: dim, w: edge f32 = none, root = true) {\n"
                                "  weight L : f32[F, out] from \"l\";\n"
                                "  weight b : f32[out] from \"bias\" = 0;\n"
                                "  weight R : f32[F, out] from \"r\", \"root\" = none;\n"
                                "  for n in g.nodes {\n"
                                "    if has(w) { n.m = sum(e in n.incoming: e.w * e.src.x); }\n"
                                "    else { n.m = mean(e in n.incoming: e.src.x); }\n"
                                "  }\n"
                                "  return n.m @ L + b + (x @ R if has(R) * root else 0);\n"
                                "}\n"
                                "model m {\n"
                                "  graph g;\n"
                                "  input x : node f32[4];\n"
                                "  output y = sage(g, x, 2);\n"
                                "}\n";

/* The model with these weights gives these messages; its program has the first text and lacks the
 * second. */
static void check_with(const char *weights, const char *messages, const char *present, const char *absent) {
  analysed *p = open_analysis();
  use_weights(p, weights);
  run_analysis(p, sage, NULL);
  CHECK_STR(text_str(&p->messages), messages);
  CHECK_HAS(text_str(&p->printed), present);
  CHECK(!strstr(text_str(&p->printed), absent));
  close_analysis(p);
}

TEST(a_weight_that_the_file_lacks_has_its_default_value) {
  check_with("l F32 4 2", "", "y : node f32[2] = linear(%4, %2)", "vector_add");
  check_with("l F32 4 2;bias F32 2", "", "vector_add", "weight(\"r\")");
  check_with("l F32 4 2;r F32 4 2", "", "weight(\"r\")", "weight(\"bias\")");
}

TEST(an_older_spelling_is_accepted_with_a_warning) {
  check_with("l F32 4 2;root F32 4 2",
             "4:10: warning: w.safetensors has 'root', an older spelling of 'r'\n14:14: note: in the call to 'sage' "
             "here\n",
             "weight(\"root\")", "weight(\"r\")");
}

TEST(a_default_has_the_type_of_its_weight) {
  analysed *p = open_analysis();
  use_weights(p, "other F32 1");
  run_analysis(p,
               "model m { graph g; input x : node f32[4];\n"
               "weight a : f32[4] = ones([3]);\n"
               "weight b : f32[4] = x;\n"
               "weight c : f32[4] = ones([4]);\n"
               "weight d : f32[K] = ones([4]);\n"
               "output y = x + c + d; }\n",
               NULL);
  CHECK_STR(text_str(&p->messages), "2:21: error: weight 'a' is f32[4], but its default 'ones([3])' is f32[3]\n"
                                    "3:21: error: weight 'b' is f32[4], but its default 'x' is node f32[4]\n");
  close_analysis(p);
}

TEST(without_a_weights_file_all_weights_are_present) {
  analysed *p = open_analysis();
  run_analysis(p, sage, NULL);
  CHECK_STR(text_str(&p->messages), "");
  CHECK_HAS(text_str(&p->printed), "weight(\"bias\")");
  CHECK_HAS(text_str(&p->printed), "weight(\"r\")");
  close_analysis(p);
}

TEST(a_required_weight_stays_required) {
  check_with(
      "bias F32 2",
      "2:10: error: w.safetensors has no tensor 'l' for weight 'L'\n2:10: note: it has bias\n14:14: note: in the "
      "call to 'sage' here\n",
      "", "linear");
}

#define MODEL(body) "model m { graph g; input x : node f32[4]; dim K = 3;\n" body "\noutput y = x; }\n"

TEST(conditions_are_numbers_sizes_functions_and_texts) {
  CHECK_FILE("layer f(x, aggr: reduction = mean, act: function = relu, mode = \"cat\") {\n"
             "  let a = x if aggr == mean else undefined;\n"
             "  let b = a if act == relu else undefined;\n"
             "  let c = b if mode != \"max\" else undefined;\n"
             "  return c;\n}\n" MODEL("let h = f(x); h = h if K > 2 else undefined; h = undefined if K == 2 else h;\n"
                                      "if K < 2 { h = undefined; } else if K == 3 { h = h; } else { h = undefined; }"),
             "");
}

TEST(a_condition_that_is_not_known_is_an_error) {
  CHECK_FILE(MODEL("let h = x if x > 0 else -x;"),
             "2:14: error: condition 'x > 0' is not known when the model is compiled: it is node f32[4]\n"
             "2:14: note: conditions are made of numbers, sizes and has(...); select(condition, a, b) chooses when the "
             "model runs\n");
  CHECK_FILE("model m { graph g; dim H; input x : node f32[4];\nlet h = x if H else -x;\noutput y = x; }",
             "2:14: error: condition 'H' is not known when the model is compiled: it is the dimension H\n");
}

TEST(both_sides_of_a_condition_that_is_not_known_are_checked) {
  CHECK_FILE(MODEL("") "layer f(x: node f32[4], K: dim) {\n  let a = x if K == 1 else missing;\n"
                       "  if K == 2 { return first; } else { return second; }\n  return a;\n}\n",
             "5:28: error: unknown name 'missing'\n6:22: error: unknown name 'first'\n"
             "6:45: error: unknown name 'second'\n");
}

TEST(none_is_no_tensor) {
  CHECK_FILE("layer f(x, w = none) { return x * w; }\n" MODEL("let h = f(x);"),
             "1:35: error: 'w' is none, but a tensor is needed here\n"
             "1:35: note: an optional value is tested first: 'x @ W if has(W) else 0'\n"
             "3:9: note: in the call to 'f' here\n");
  CHECK_FILE("layer f(x: node f32[4]) { return x; }\n" MODEL("let h = f(none);"),
             "3:11: error: parameter 'x' takes node f32[4], but 'none' is none\n1:9: note: 'x' is declared here\n"
             "3:9: note: in the call to 'f' here\n");
  CHECK_FILE(MODEL("let none = x;"), "2:5: error: 'none' is a value of the language; choose another name\n");
}

TEST(a_return_in_a_chosen_block_ends_the_layer) {
  CHECK_FILE("layer f(x, w = none) {\n  if has(w) { return x * w; }\n  return undefined if has(w) else x;\n}\n" MODEL(
                 "let h = f(x) + f(x, 2);"),
             "");
  CHECK_FILE("layer f(x) { if true { return x; return x; } return x; }\n" MODEL("let h = f(x);"),
             "1:34: error: nothing comes after 'return'\n3:9: note: in the call to 'f' here\n");
}

TEST(terms_and_factors_that_change_nothing_are_dropped) {
  analysed *p = open_analysis();
  run_analysis(p, "model m { graph g; input x : node f32[4];\noutput y = 1 * (0 + x - 0) / 1 + 0; }", NULL);
  CHECK_STR(text_str(&p->printed),
            "model m\n%0 g : graph \"g\" = graph()\n%1 x : node f32[4] = input(\"x\")\noutput y = %1\n");
  close_analysis(p);
}
