/* Loops over the edges of one type at a node, and arithmetic on values per type and per graph. */
#include "frontend_sema_fixture.h"

TEST(degrees_per_type_are_counts_of_pairs) {
  CHECK_FLAT("for e in g.edges { e.c = 1 / e.dst.in_degree[e.type]; }\noutput c = e.c;",
             "%5 : graph \"g.unique_dst\" = unique_edges(%0, end = \"dst\")\n"
             "%6 : edge f32 = group_size(%5)\n"
             "%7 : edge f32 = expand(%0, %6)\n"
             "%8 : f32 = constant(value = 1)\n"
             "%9 c : edge f32 = divide(%8, %7)\n"
             "output c = %9\n");
  CHECK_FLAT("for n in g.nodes { for e in n.outgoing { e.d = n.out_degree[e.type]; } }\noutput d = e.d;",
             "%5 : graph \"g.unique_src\" = unique_edges(%0, end = \"src\")\n"
             "%6 : edge f32 = group_size(%5)\n"
             "%7 d : edge f32 = expand(%0, %6)\n"
             "output d = %7\n");
}

TEST(reductions_within_a_type_are_given_to_its_edges) {
  CHECK_FLAT("for e in g.edges { e.m = e.w - max(d in e.dst.incoming[e.type]: d.w); }\noutput m = e.m;",
             "%5 : graph \"g.unique_dst\" = unique_edges(%0, end = \"dst\")\n"
             "%6 : edge f32 = collapse(%5, %2, reduce = \"max\")\n"
             "%7 : edge f32 = expand(%0, %6)\n"
             "%8 m : edge f32 = subtract(%2, %7)\n"
             "output m = %8\n");
  CHECK_FLAT("for e in g.edges { e.m = sum(d in e.src.outgoing_edges[e.etype]: d.dst.x); }\noutput m = e.m;",
             "%5 : edge f32[4] = gather(%0, %1, end = \"dst\")\n"
             "%6 : graph \"g.unique_src\" = unique_edges(%0, end = \"src\")\n"
             "%7 : edge f32[4] = collapse(%6, %5, reduce = \"sum\")\n"
             "%8 m : edge f32[4] = expand(%0, %7)\n"
             "output m = %8\n");
}

TEST(edges_of_a_type_stand_at_the_end_that_has_them) {
#define WRITTEN(end, name)                                                                                             \
  "' has no meaning: edges of one type are written e." end "." name "[e.type], in a loop over edges e\n"
  CHECK_ERROR("for e in g.edges { e.a = e.src.in_degree[e.type]; e.b = e.dst.in_degree[e.src.type]; }",
              "7:26: error: 'e.src.in_degree[e.type]" WRITTEN(
                  "dst", "in_degree") "7:57: error: 'e.dst.in_degree[e.src.type]" WRITTEN("dst", "in_degree"));
  CHECK_ERROR("for n in g.nodes { n.c = n.in_degree[n.type]; } let k = g.out_degree[0];",
              "7:26: error: 'n.in_degree[n.type]" WRITTEN("dst", "in_degree") "7:57: error: 'g.out_degree[0]" WRITTEN(
                  "src", "out_degree"));
  CHECK_ERROR("for e in g.edges { e.a = mean(d in e.dst.outgoing[e.type]: d.w); }",
              "7:36: error: 'e.dst.outgoing[e.type]" WRITTEN("src", "outgoing"));
#undef WRITTEN
}

TEST(edges_of_a_type_are_reduced_not_looped_over) {
  CHECK_ERROR("for e in g.edges { e.a = e.dst.incoming[e.type]; e.b = sum(d in e.dst.in_degree[e.type]: d.w); }",
              "7:26: error: 'e.dst.incoming[e.type]' is a set of edges: reduce it with sum(d in "
              "e.dst.incoming[e.type]: ...)\n"
              "7:65: error: 'e.dst.in_degree[e.type]' is a number; its edges are e.dst.incoming[e.type]\n");
  CHECK_ERROR("for n in g.nodes { for e in n.incoming[e.type] { n.z += e.w; } }",
              "7:29: error: a loop cannot run over edges of one type; reduce them: sum(d in e.dst.incoming[e.type]: "
              "...)\n");
  CHECK_ERROR("let s = replace_self_loops(g); weight T : etype f32; for e in s.edges { e.a = T[e.type]; }",
              "7:79: error: 'T[e.type]': edges of a graph with new self loops have no types\n");
  CHECK_ERROR("let s = replace_self_loops(g); for e in s.edges { e.a = e.dst.in_degree[e.type]; }",
              "7:57: error: 'e.dst.in_degree[e.type]': edges of a graph with new self loops have no types\n");
}

TEST(values_per_type_are_computed_with) {
  analysed *p = open_analysis();
  p->env.num_edge_types = 2;
  run_analysis(p,
               "model m { graph g; weight T : etype f32[4]; weight A : f32[4, 6];\n"
               "let W = reshape(T @ A, [3, 2]) * 2;\n"
               "for e in g.edges { e.m = W[e.type]; }\noutput m = e.m; }",
               NULL);
  CHECK_STR(text_str(&p->messages), "");
  CHECK_STR(text_str(&p->printed), "model m\n"
                                   "%0 g : graph \"g\" = graph()\n"
                                   "%1 T : etype f32[4] = weight(\"T\", count = 2)\n"
                                   "%2 A : f32[4, 6] = weight(\"A\")\n"
                                   "%3 : etype f32[6] = linear(%1, %2)\n"
                                   "%4 : etype f32[3, 2] = reshape(%3, shape = [3, 2])\n"
                                   "%5 : f32 = constant(value = 2)\n"
                                   "%6 W : etype f32[3, 2] = multiply(%4, %5)\n"
                                   "%7 m : edge f32[3, 2] = slice(%0, %6, by = \"edge\")\n"
                                   "output m = %7\n");
  close_analysis(p);
}

TEST(pooled_values_are_computed_with) {
  CHECK_FLAT("let p = relu(row_normalize(global_sum(g, x)) @ A);\noutput y = p;",
             "%5 : graph f32[4] = pool(%0, %1, reduce = \"sum\")\n"
             "%6 : graph f32[4] = row_normalize(%5)\n"
             "%7 : graph f32[3] = linear(%6, %3)\n"
             "%8 p : graph f32[3] = activation(%7, function = \"relu\")\n"
             "output y = %8\n");
}

TEST(values_of_graphs_are_picked_at_nodes) {
  CHECK_FLAT("let p = global_max(g, x);\nfor n in g.nodes { n.y = n.x - p[n.graph]; }\n"
             "for e in g.edges { e.a = dot(p[e.src.graph], e.dst.y); }\noutput a = e.a;",
             "%5 p : graph f32[4] = pool(%0, %1, reduce = \"max\")\n"
             "%6 : node f32[4] = slice(%0, %5, by = \"node\")\n"
             "%7 y : node f32[4] = subtract(%1, %6)\n"
             "%8 : node f32[4] = slice(%0, %5, by = \"node\")\n"
             "%9 : edge f32[4] = gather(%0, %8, end = \"src\")\n"
             "%10 : edge f32[4] = gather(%0, %7, end = \"dst\")\n"
             "%11 a : edge f32 = vector_inner(%9, %10)\n"
             "output a = %11\n");
  CHECK_ERROR(
      "let p = global_max(g, x); for e in g.edges { e.a = p[e.graph]; e.b = x[e.src.graph]; e.c = p; }",
      "7:52: error: values per type or per graph are indexed by the types and graphs of a loop: W[e.type], W[n.type], "
      "W[e.src.type], p[n.graph]; and edges, e.dst.incoming[e.type]\n"
      "7:70: error: 'x' is node f32[4], but 'e.src.graph' picks from a value per graph\n"
      "3:9: note: 'x' is declared here: node f32[4]\n"
      "7:92: error: 'p' is graph f32[4]; inside a loop it is indexed, like p[e.src.graph]\n");
  CHECK_ERROR("let p = global_max(g, x); for n in g.nodes { n.a = n.p; n.b = p[n.type]; }",
              "7:52: error: 'p' is graph f32[4]; it is indexed: p[n.graph]\n"
              "7:5: note: 'p' is declared here as a value\n"
              "7:63: error: 'p' is graph f32[4], but 'n.type' picks from a value per node type\n"
              "7:5: note: 'p' is computed here: graph f32[4]\n");
}
