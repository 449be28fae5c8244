/* Calls of layers are expanded: scopes, prefixes, parameters, inout, several results. */
#include "frontend_sema_fixture.h"

TEST(weights_of_a_layer_are_named_below_its_prefix) {
  analysed *p = open_analysis();
  use_weights(p, "a.inner.W F32 2 4;a.b F32 2;c.inner.W F32 3 2;c.b F32 3");
  run_analysis(p,
               "layer inner(x, out: dim) { weight W : f32[F, out] transposed; return x @ W; }\n"
               "layer outer_layer(x, out: dim) { weight b : f32[out]; return (inner(x, out) from \"inner\") + b; }\n"
               "model m { graph g; dim H, C; input x : node f32[F];\n"
               "  output y = outer_layer(outer_layer(x, H) from \"a\", C) from \"c\"; }\n",
               NULL);
  CHECK_STR(text_str(&p->messages), "");
  CHECK_STR(text_str(&p->printed), "model m\n"
                                   "%0 g : graph \"g\" = graph()\n"
                                   "%1 x : node f32[4] = input(\"x\")\n"
                                   "%2 a.b : f32[2] = weight(\"a.b\")\n"
                                   "%3 a.inner.W : f32[2, 4] = weight(\"a.inner.W\")\n"
                                   "%4 a.inner.W : f32[4, 2] = transpose(%3)\n"
                                   "%5 : node f32[2] = linear(%1, %4)\n"
                                   "%6 : node f32[2] = vector_add(%5, %2)\n"
                                   "%7 c.b : f32[3] = weight(\"c.b\")\n"
                                   "%8 c.inner.W : f32[3, 2] = weight(\"c.inner.W\")\n"
                                   "%9 c.inner.W : f32[2, 3] = transpose(%8)\n"
                                   "%10 : node f32[3] = linear(%6, %9)\n"
                                   "%11 y : node f32[3] = vector_add(%10, %7)\n"
                                   "output y = %11\n");
  close_analysis(p);
}

/* The values after the prelude of a model that uses these layers, which stand before the model. */
static void check_layers(const char *layers, const char *statements, const char *expected) {
  analysed *p = open_analysis();
  text whole = {0};
  text_printf(&whole, "%s" PRELUDE "%s\n}\n", layers, statements);
  run_analysis(p, text_str(&whole), NULL);
  CHECK_STR(text_str(&p->messages), "");
  const char *start = strstr(text_str(&p->printed), "%5 ");
  CHECK_STR(start ? start : "", expected);
  text_free(&whole);
  close_analysis(p);
}

TEST(fields_of_a_layer_are_its_own) {
  check_layers("layer f(g, x) { for n in g.nodes { n.z = n.x + 1; } return n.z; }\n",
               "for n in g.nodes { n.z = n.x; } let a = f(g, x); output y = n.z; output v = a;",
               "%5 : f32 = constant(value = 1)\n"
               "%6 z : node f32[4] = vector_add(%1, %5)\n"
               "output y = %1\noutput v = %6\n");
}

TEST(an_inout_field_is_changed_for_the_caller) {
  check_layers("layer f(g, inout e.q) { for e in g.edges { e.q = e.q * 2; } }\n",
               "for e in g.edges { e.a = e.w; } f(g, inout e.a); f(g, inout e.a); output y = e.a;",
               "%5 : f32 = constant(value = 2)\n"
               "%6 q : edge f32 = multiply(%2, %5)\n"
               "%7 : f32 = constant(value = 2)\n"
               "%8 q : edge f32 = multiply(%6, %7)\n"
               "output y = %8\n");
}

TEST(an_inout_name_is_changed_for_the_caller) {
  check_layers("layer f(inout v, k: dim) { v = v * k; }\n", "let h = x; f(inout h, 3); output y = h;",
               "%5 : f32 = constant(value = 3)\n"
               "%6 v : node f32[4] = multiply(%1, %5)\n"
               "output y = %6\n");
}

TEST(a_layer_may_return_several_values) {
  check_layers("layer f(x) { return x + 1, -x; }\n", "let p, q = f(x); output y = q; output z = p;",
               "%5 : f32 = constant(value = 1)\n"
               "%6 p : node f32[4] = vector_add(%1, %5)\n"
               "%7 q : node f32[4] = activation(%1, function = \"negate\")\n"
               "output y = %7\noutput z = %6\n");
}

TEST(functions_reductions_and_graphs_are_passed_on) {
  check_layers("layer f(h: graph, x, act: function, aggr: reduction = mean) {\n"
               "  for n in h.nodes { n.m = aggr(e in n.incoming: e.src.x); } return act(n.m); }\n"
               "layer twice(x) { return x * 2; }\n",
               "output y = f(g, x, tanh); output z = f(g, x, twice, aggr = max);",
               "%5 : edge f32[4] = gather(%0, %1, end = \"src\")\n"
               "%6 m : node f32[4] = aggregate(%0, %5, reduce = \"mean\", direction = \"in\")\n"
               "%7 y : node f32[4] = activation(%6, function = \"tanh\")\n"
               "%8 : edge f32[4] = gather(%0, %1, end = \"src\")\n"
               "%9 m : node f32[4] = aggregate(%0, %8, reduce = \"max\", direction = \"in\")\n"
               "%10 : f32 = constant(value = 2)\n"
               "%11 z : node f32[4] = multiply(%9, %10)\n"
               "output y = %7\noutput z = %11\n");
}

TEST(defaults_are_evaluated_in_the_layer) {
  check_layers("layer f(x, k = 0.5, l = k) { return leaky_relu(x, l); }\n", "output y = f(x); output z = f(x, l = 2);",
               "%5 y : node f32[4] = activation(%1, function = \"leaky_relu\", slope = 0.5)\n"
               "%6 z : node f32[4] = activation(%1, function = \"leaky_relu\", slope = 2)\n"
               "output y = %5\noutput z = %6\n");
}

TEST(a_layer_works_on_the_values_of_a_loop) {
  check_layers("layer f(x) { return x * x; }\n", "for e in g.edges { e.q = f(e.src.x); } output y = e.q;",
               "%5 : edge f32[4] = gather(%0, %1, end = \"src\")\n"
               "%6 q : edge f32[4] = multiply(%5, %5)\n"
               "output y = %6\n");
}

TEST(a_layer_called_twice_with_one_prefix_shares_its_weights) {
  check_layers("layer f(x) { weight v : f32[4]; return x * v; }\n", "output y = f(f(x) from \"l\") from \"l\";",
               "%5 l.v : f32[4] = weight(\"l.v\")\n"
               "%6 : node f32[4] = multiply(%1, %5)\n"
               "%7 y : node f32[4] = multiply(%6, %5)\n"
               "output y = %7\n");
}

TEST(dimensions_of_a_layer_are_bound_by_its_arguments) {
  check_layers("layer f(x: node f32[P * Q], P: dim) { dim R = Q + 1; return reshape(x, [P, Q]), R; }\n",
               "let r, q = f(x, 2); output y = r; output z = x * q;",
               "%5 r : node f32[2, 2] = reshape(%1, shape = [2, 2])\n"
               "%6 : f32 = constant(value = 3)\n"
               "%7 z : node f32[4] = multiply(%1, %6)\n"
               "output y = %5\noutput z = %7\n");
}

static void check_expansion(const char *file_text, const char *message) {
  analysed *p = open_analysis();
  run_analysis(p, file_text, NULL);
  CHECK_HAS(text_str(&p->messages), message);
  CHECK(!p->flat);
  close_analysis(p);
}

TEST(a_layer_that_calls_itself_is_an_error_that_shows_the_circle) {
  check_expansion("layer a(x) { return b(x); }\nlayer b(x) { return c(x); }\nlayer c(x) { return a(x); }\n"
                  "model m { graph g; input x : node f32[4]; output y = a(x); }\n",
                  "3:21: error: layer 'a' calls itself: a -> b -> c -> a\n"
                  "2:21: note: in the call to 'c' here\n"
                  "1:21: note: in the call to 'b' here\n"
                  "4:54: note: in the call to 'a' here\n");
  check_expansion("layer a(x) { return a(x); }\nmodel m { graph g; input x : node f32[4]; output y = x; }\n",
                  "1:21: error: layer 'a' calls itself: a -> a\n");
}

TEST(exponential_expansion_is_an_error) {
  text whole = {0};
  for (int i = 0; i < 40; i++) text_printf(&whole, "layer l%d(x) { return l%d(x) + l%d(x); }\n", i, i + 1, i + 1);
  text_append(&whole, "layer l40(x) { return x; }\nmodel m { graph g; input x : node f32[4]; output y = l0(x); }\n");
  check_expansion(text_str(&whole), "the model expands to more than 50000 calls of layers");
  text_free(&whole);
}

TEST(long_chains_of_calls_are_an_error) {
  text whole = {0};
  for (int i = 0; i < 150; i++) text_printf(&whole, "layer l%d(x) { return l%d(x); }\n", i, i + 1);
  text_append(&whole, "layer l150(x) { return x; }\nmodel m { graph g; input x : node f32[4]; output y = l0(x); }\n");
  check_expansion(text_str(&whole), "calls of layers nest deeper than 100");
  text_free(&whole);
}

TEST(deep_expressions_in_deep_calls_are_an_error) {
  text whole = {0};
  for (int i = 0; i < 90; i++) {
    text_printf(&whole, "layer l%d(x) { return ", i);
    for (int k = 0; k < 90; k++) text_append(&whole, "relu(");
    text_printf(&whole, "l%d(x)", i + 1);
    for (int k = 0; k < 90; k++) text_append(&whole, ")");
    text_append(&whole, "; }\n");
  }
  text_append(&whole, "layer l90(x) { return x; }\nmodel m { graph g; input x : node f32[4]; output y = l0(x); }\n");
  check_expansion(text_str(&whole), "calls and expressions nest too deeply here");
  text_free(&whole);
}

TEST(repetitions_are_limited) {
  check_expansion(
      "model m { graph g; input x : node f32[4]; let h = x; repeat k in 0 .. 100001 { h = -h; } output y = h; }",
      "1:71: error: 0 .. 100001 has more than 100000 steps\n");
  check_expansion("model m { graph g; input x : node f32[4]; let h = x;"
                  "repeat k in 0 .. 100000 { repeat l in 0 .. 100000 { h = h; } } output y = h; }",
                  "the model expands to more than 1000000 statements");
}

TEST(thousands_of_layers_expand_at_once) {
  analysed *p = open_analysis();
  run_analysis(p,
               "model m { graph g; dim H = 4; input x : node f32[H]; let h = x;"
               "repeat k in 0 .. 2000 { h = relu(gcn_conv(g, h, H) from \"layers.{k}\"); } output y = h; }",
               NULL);
  CHECK_STR(text_str(&p->messages), "");
  CHECK(p->flat);
  CHECK_INT(p->flat ? p->flat->values.count : 0, 2 + 2000 * 16);
  close_analysis(p);
}
