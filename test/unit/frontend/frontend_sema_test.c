/* Statements and expressions become the expected values of the flat program. */
#include "frontend_sema_fixture.h"

TEST(element_wise_operations_work_on_whole_domains) {
  CHECK_FLAT("output y = relu(x + b) * 2;", "%5 : node f32[4] = vector_add(%1, %4)\n"
                                            "%6 : node f32[4] = activation(%5, function = \"relu\")\n"
                                            "%7 : f32 = constant(value = 2)\n"
                                            "%8 y : node f32[4] = multiply(%6, %7)\n"
                                            "output y = %8\n");
}

TEST(numbers_are_folded_as_far_as_they_are_known) {
  CHECK_FLAT("dim H = 3; let s = -(1 / 4) + H * 2; output y = leaky_relu(x, s - 5.5);",
             "%5 y : node f32[4] = activation(%1, function = \"leaky_relu\", slope = 0.25)\noutput y = %5\n");
}

TEST(negation_comparison_and_select_are_operations) {
  CHECK_FLAT("output y = select(x >= 0, -x, b);", "%5 : f32 = constant(value = 0)\n"
                                                  "%6 : node f32[4] = compare(%1, %5, predicate = \"ge\")\n"
                                                  "%7 : node f32[4] = activation(%1, function = \"negate\")\n"
                                                  "%8 y : node f32[4] = select(%6, %7, %4)\n"
                                                  "output y = %8\n");
}

TEST(a_node_value_read_at_an_edge_is_gathered_from_that_end) {
  CHECK_FLAT("for e in g.edges { e.d = e.src.x - e.dst.x; } output y = e.d;",
             "%5 : edge f32[4] = gather(%0, %1, end = \"src\")\n"
             "%6 : edge f32[4] = gather(%0, %1, end = \"dst\")\n"
             "%7 d : edge f32[4] = subtract(%5, %6)\n"
             "output y = %7\n");
}

TEST(sums_over_nested_edges_start_at_zero) {
  CHECK_FLAT("for n in g.nodes { for e in n.incoming { n.y += e.w * e.src.x; } } output y = n.y;",
             "%5 : edge f32[4] = gather(%0, %1, end = \"src\")\n"
             "%6 : edge f32[4] = multiply(%2, %5)\n"
             "%7 y : node f32[4] = aggregate(%0, %6, reduce = \"sum\", direction = \"in\")\n"
             "output y = %7\n");
}

TEST(sums_over_nested_edges_add_to_an_earlier_value) {
  CHECK_FLAT("for n in g.nodes { n.y = n.x; for e in n.outgoing { n.y += e.dst.x; } } output y = n.y;",
             "%5 : edge f32[4] = gather(%0, %1, end = \"dst\")\n"
             "%6 : node f32[4] = aggregate(%0, %5, reduce = \"sum\", direction = \"out\")\n"
             "%7 y : node f32[4] = vector_add(%1, %6)\n"
             "output y = %7\n");
}

TEST(edges_scatter_into_either_end) {
  CHECK_FLAT("for n in g.nodes { n.o = n.x; } for e in g.edges { e.dst.i += e.w; e.src.o += e.src.x; }"
             "output y = n.i; output z = n.o;",
             "%5 i : node f32 = aggregate(%0, %2, reduce = \"sum\", direction = \"in\")\n"
             "%6 : edge f32[4] = gather(%0, %1, end = \"src\")\n"
             "%7 : node f32[4] = aggregate(%0, %6, reduce = \"sum\", direction = \"out\")\n"
             "%8 o : node f32[4] = vector_add(%1, %7)\n"
             "output y = %5\noutput z = %8\n");
}

TEST(fields_are_read_as_a_whole_after_their_loop) {
  CHECK_FLAT("for n in g.nodes { n.z = n.x @ A; } let h = n.z; for n in g.nodes { n.z += n.h; } output y = n.z;",
             "%5 z : node f32[3] = linear(%1, %3)\n"
             "%6 z : node f32[3] = vector_add(%5, %5)\n"
             "output y = %6\n");
}

TEST(the_node_of_a_nested_loop_is_the_owning_end) {
  CHECK_FLAT(
      "for n in g.nodes { let t = n.x * n.x; for e in n.incoming { e.a = t; } for e in n.outgoing { e.b = n.x; } }"
      "output y = e.a; output z = e.b;",
      "%5 t : node f32[4] = multiply(%1, %1)\n"
      "%6 a : edge f32[4] = gather(%0, %5, end = \"dst\")\n"
      "%7 b : edge f32[4] = gather(%0, %1, end = \"src\")\n"
      "output y = %6\noutput z = %7\n");
}

TEST(reductions_give_values_of_their_node) {
  CHECK_FLAT("for n in g.nodes { n.m = max(e in n.incoming: e.w); } output y = n.m;",
             "%5 m : node f32 = aggregate(%0, %2, reduce = \"max\", direction = \"in\")\noutput y = %5\n");
  CHECK_FLAT("for e in g.edges { e.s = e.w / sum(f in e.dst.incoming: f.w); } output y = e.s;",
             "%5 : node f32 = aggregate(%0, %2, reduce = \"sum\", direction = \"in\")\n"
             "%6 : edge f32 = gather(%0, %5, end = \"dst\")\n"
             "%7 s : edge f32 = divide(%2, %6)\n"
             "output y = %7\n");
}

TEST(plain_values_are_spread_over_nodes_and_edges) {
  CHECK_FLAT("for n in g.nodes { n.one = 1; } output y = n.one;", "%5 : f32 = constant(value = 1)\n"
                                                                  "%6 : node f32 = degree(%0, direction = \"in\")\n"
                                                                  "%7 one : node f32 = select(%6, %5, %5)\n"
                                                                  "output y = %7\n");
  CHECK_FLAT("for n in g.nodes { n.d = sum(e in n.incoming: 1); } output y = n.d;",
             "%5 : f32 = constant(value = 1)\n"
             "%6 : node f32 = degree(%0, direction = \"in\")\n"
             "%7 : edge f32 = gather(%0, %6, end = \"dst\")\n"
             "%8 : edge f32 = select(%7, %5, %5)\n"
             "%9 d : node f32 = aggregate(%0, %8, reduce = \"sum\", direction = \"in\")\n"
             "output y = %9\n");
}

TEST(degrees_belong_to_the_graph_of_the_loop) {
  CHECK_FLAT("let s = add_remaining_self_loops(g); for n in s.nodes { n.c = sum(e in n.incoming: e.src.in_degree); }"
             "for n in g.nodes { n.o = n.out_degree; } output y = n.c; output z = n.o;",
             "%5 s : graph \"g.add_remaining\" = edge_set(%0, mode = \"add_remaining\")\n"
             "%6 : node f32 = degree(%5, direction = \"in\")\n"
             "%7 : edge f32 = gather(%5, %6, end = \"src\")\n"
             "%8 c : node f32 = aggregate(%5, %7, reduce = \"sum\", direction = \"in\")\n"
             "%9 o : node f32 = degree(%0, direction = \"out\")\n"
             "output y = %8\noutput z = %9\n");
}

TEST(self_loops_are_added_once) {
  CHECK_FLAT("let s = replace_self_loops(replace_self_loops(g)); let t = add_remaining_self_loops(s);"
             "for n in t.nodes { n.d = n.in_degree; } output y = n.d;",
             "%5 s : graph \"g.replace\" = edge_set(%0, mode = \"replace\")\n"
             "%6 d : node f32 = degree(%5, direction = \"in\")\n"
             "output y = %6\n");
  CHECK_FLAT("let s = keep_one_self_loop(add_remaining_self_loops(g)); let t = add_remaining_self_loops(s);"
             "for n in t.nodes { n.d = n.in_degree; } output y = n.d;",
             "%5 : graph \"g.add_remaining\" = edge_set(%0, mode = \"add_remaining\")\n"
             "%6 s : graph \"g.keep_one\" = edge_set(%0, mode = \"keep_one\")\n"
             "%7 d : node f32 = degree(%6, direction = \"in\")\n"
             "output y = %7\n");
  CHECK_FLAT("let s = replace_self_loops(add_remaining_self_loops(g)); for n in s.nodes { n.d = n.in_degree; }"
             "output y = n.d;",
             "%5 : graph \"g.add_remaining\" = edge_set(%0, mode = \"add_remaining\")\n"
             "%6 s : graph \"g.replace\" = edge_set(%0, mode = \"replace\")\n"
             "%7 d : node f32 = degree(%6, direction = \"in\")\n"
             "output y = %7\n");
  CHECK_FLAT("let s = add_remaining_self_loops(remove_self_loops(g)); for n in s.nodes { n.d = n.in_degree; }"
             "output y = n.d;",
             "%5 : graph \"g.remove\" = edge_set(%0, mode = \"remove\")\n"
             "%6 s : graph \"g.replace\" = edge_set(%0, mode = \"replace\")\n"
             "%7 d : node f32 = degree(%6, direction = \"in\")\n"
             "output y = %7\n");
}

TEST(a_reversed_graph_is_the_same_set_with_its_ends_swapped) {
  CHECK_FLAT("let r = reverse(g); for e in r.edges { e.a = e.src.x; }"
             "for n in r.nodes { n.b = sum(e in n.incoming: e.a); n.d = n.in_degree; } output y = n.b; output z = n.d;",
             "%5 a : edge f32[4] = gather(%0, %1, end = \"dst\")\n"
             "%6 b : node f32[4] = aggregate(%0, %5, reduce = \"sum\", direction = \"out\")\n"
             "%7 d : node f32 = degree(%0, direction = \"out\")\n"
             "output y = %6\n"
             "output z = %7\n");
}

TEST(edge_values_are_carried_over_to_a_graph_with_self_loops) {
  CHECK_FLAT("let s = replace_self_loops(g); let v = extend_edges(s, w, fill = 2);"
             "for n in s.nodes { n.q = sum(e in n.incoming: e.v); } output y = n.q;",
             "%5 s : graph \"g.replace\" = edge_set(%0, mode = \"replace\")\n"
             "%6 v : edge f32 = extend_edges(%5, %2, fill = 2)\n"
             "%7 q : node f32 = aggregate(%5, %6, reduce = \"sum\", direction = \"in\")\n"
             "output y = %7\n");
}

TEST(values_per_type_are_picked_by_the_type_of_edges_and_nodes) {
  analysed *p = open_analysis();
  use_graph(p, "x F32 10 4;w F32 20", 10, 20);
  p->env.num_edge_types = 7;
  p->env.num_node_types = 2;
  run_analysis(p,
               "model m { graph g; input x : node f32[4]; weight E : etype f32[4, 2]; weight N : ntype f32;"
               "for e in g.edges { e.m = e.src.x @ E[e.type] * N[e.src.type]; } output y = e.m; }",
               NULL);
  CHECK_STR(text_str(&p->messages), "");
  CHECK_STR(text_str(&p->printed), "model m\n"
                                   "%0 g : graph \"g\" = graph()\n"
                                   "%1 x : node f32[4] = input(\"x\")\n"
                                   "%2 E : etype f32[4, 2] = weight(\"E\", count = 7)\n"
                                   "%3 N : ntype f32 = weight(\"N\", count = 2)\n"
                                   "%4 : edge f32[4] = gather(%0, %1, end = \"src\")\n"
                                   "%5 : edge f32[4, 2] = slice(%0, %2, by = \"edge\")\n"
                                   "%6 : edge f32[2] = linear(%4, %5)\n"
                                   "%7 : node f32 = slice(%0, %3, by = \"node\")\n"
                                   "%8 : edge f32 = gather(%0, %7, end = \"src\")\n"
                                   "%9 m : edge f32[2] = multiply(%6, %8)\n"
                                   "output y = %9\n");
  close_analysis(p);
}

TEST(functions_take_named_and_default_arguments) {
  CHECK_FLAT("output y = elu(x, alpha = 2); output z = elu(x); output d = dropout(x, 0.3);",
             "%5 y : node f32[4] = activation(%1, function = \"elu\", alpha = 2)\n"
             "%6 z : node f32[4] = activation(%1, function = \"elu\", alpha = 1)\n"
             "output y = %5\noutput z = %6\noutput d = %1\n");
}

TEST(functions_of_the_table_have_their_numbers_and_operands) {
  CHECK_FLAT("output y = clamp(x, -1, high = 2); output z = clamp(x, high = 0.5); output w = log1p(softplus(x));"
             "output p = pow(2, x); output q = atan2(reshape(x, [2, 2]), 1);",
             "%5 y : node f32[4] = activation(%1, function = \"clamp\", low = -1, high = 2)\n"
             "%6 z : node f32[4] = activation(%1, function = \"clamp\", low = 0, high = 0.5)\n"
             "%7 : node f32[4] = activation(%1, function = \"softplus\")\n"
             "%8 w : node f32[4] = activation(%7, function = \"log1p\")\n"
             "%9 : f32 = constant(value = 2)\n"
             "%10 p : node f32[4] = binary(%9, %1, function = \"pow\")\n"
             "%11 : node f32[2, 2] = reshape(%1, shape = [2, 2])\n"
             "%12 : f32 = constant(value = 1)\n"
             "%13 q : node f32[2, 2] = binary(%11, %12, function = \"atan2\")\n"
             "output y = %5\noutput z = %6\noutput w = %8\noutput p = %10\noutput q = %13\n");
}

TEST(shapes_are_computed) {
  CHECK_FLAT("let c = concat(x, x, b); let r = reshape(c, [3, 4]); output y = transpose(r); output z = sum(r);"
             "output d = dot(r, b); output o = outer(x, b); output k = argmax(x);",
             "%5 : node f32[8] = concat(%1, %1)\n"
             "%6 c : node f32[12] = concat(%5, %4)\n"
             "%7 r : node f32[3, 4] = reshape(%6, shape = [3, 4])\n"
             "%8 y : node f32[4, 3] = transpose(%7)\n"
             "%9 z : node f32[3] = reduce(%7, function = \"sum\")\n"
             "%10 d : node f32[3] = vector_inner(%7, %4)\n"
             "%11 o : node f32[4, 4] = outer(%1, %4)\n"
             "%12 k : node f32 = argmax(%1)\n"
             "output y = %8\noutput z = %9\noutput d = %10\noutput o = %11\noutput k = %12\n");
}

TEST(a_trained_slope_selects) {
  CHECK_FLAT("output y = prelu(x, b);", "%5 : f32 = constant(value = 0)\n"
                                        "%6 : node f32[4] = compare(%1, %5, predicate = \"gt\")\n"
                                        "%7 : node f32[4] = multiply(%1, %4)\n"
                                        "%8 y : node f32[4] = select(%6, %1, %7)\n"
                                        "output y = %8\n");
}

TEST(batches_of_graphs_are_pooled) {
  CHECK_FLAT("output y = relu(global_mean(g, x));", "%5 : graph f32[4] = pool(%0, %1, reduce = \"mean\")\n"
                                                    "%6 y : graph f32[4] = activation(%5, function = \"relu\")\n"
                                                    "output y = %6\n");
}

TEST(leading_dimensions_align) {
  CHECK_FLAT("let r = reshape(x, [2, 2]); weight s : f32[2]; output y = s * r + r * 0.5;",
             "%5 r : node f32[2, 2] = reshape(%1, shape = [2, 2])\n"
             "%6 s : f32[2] = weight(\"s\")\n"
             "%7 : node f32[2, 2] = multiply(%6, %5)\n"
             "%8 : f32 = constant(value = 0.5)\n"
             "%9 : node f32[2, 2] = multiply(%5, %8)\n"
             "%10 y : node f32[2, 2] = vector_add(%7, %9)\n"
             "output y = %10\n");
}

TEST(batched_products_keep_their_leading_dimensions) {
  CHECK_FLAT("let r = reshape(x, [2, 2]); weight M : f32[2, 2, 3]; output y = r @ M;",
             "%5 r : node f32[2, 2] = reshape(%1, shape = [2, 2])\n"
             "%6 M : f32[2, 2, 3] = weight(\"M\")\n"
             "%7 y : node f32[2, 3] = linear(%5, %6)\n"
             "output y = %7\n");
}

TEST(repetitions_are_unrolled) {
  CHECK_FLAT("let h = x; repeat k in 1 .. 3 { weight v : f32[4] from \"layers.{k}.v\"; h = h * v + k; } output y = h;",
             "%5 layers.1.v : f32[4] = weight(\"layers.1.v\")\n"
             "%6 : node f32[4] = multiply(%1, %5)\n"
             "%7 : f32 = constant(value = 1)\n"
             "%8 h : node f32[4] = vector_add(%6, %7)\n"
             "%9 layers.2.v : f32[4] = weight(\"layers.2.v\")\n"
             "%10 : node f32[4] = multiply(%8, %9)\n"
             "%11 : f32 = constant(value = 2)\n"
             "%12 h : node f32[4] = vector_add(%10, %11)\n"
             "output y = %12\n");
  CHECK_FLAT("let h = x; repeat k in 3 .. 3 { h = h * 2; } output y = h;", "model m\n"
                                                                           "%0 g : graph \"g\" = graph()\n"
                                                                           "%1 x : node f32[4] = input(\"x\")\n"
                                                                           "%2 w : edge f32 = input(\"w\")\n"
                                                                           "%3 A : f32[4, 3] = weight(\"A\")\n"
                                                                           "%4 b : f32[4] = weight(\"b\")\n"
                                                                           "output y = %1\n");
}
