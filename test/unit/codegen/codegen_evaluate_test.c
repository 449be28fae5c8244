/* Constant values of the gnn level have the values that were worked out by hand, on the
 * fixture's graph of six nodes. */
#include "codegen_host_fixture.h"

#define NODE(t) "!gnn.node<\"g\", " t ">"
#define EDGE(t) "!gnn.edge<\"g\", " t ">"
#define PER(k, t) "!gnn.per<\"" k "\", " t ">"
#define GRAPH(s) "!gnn.graph<\"" s "\">"
#define UNIQUE(end, t) "!gnn.edge<\"g.unique_" end "\", " t ">"
#define GLOBAL(name, type, more)                                                                                       \
  "ml_program.global private @" name "(#extern) : " type " {gnn.from = \"" name "\", gnn.name = \"" name "\"" more "}" \
  "\n"
#define LOAD(name, type) "%" name " = ml_program.global_load_const @" name " : " type "\n"
#define ONE(result, op, x, attributes, from, to)                                                                       \
  "%" result " = \"gnn." op "\"(%" x ") {" attributes "} : (" from ") -> " to "\n"
#define TWO(result, op, x, y, attributes, from, other, to)                                                             \
  "%" result " = \"gnn." op "\"(%" x ", %" y ") {" attributes "} : (" from ", " other ") -> " to "\n"
#define LINEAR "operandSegmentSizes = array<i32: 1, 1, 0, 0>"

#define A GLOBAL("a", "tensor<3xf32>", "")
#define B GLOBAL("b", "tensor<2x3xf32>", "")
#define C GLOBAL("c", PER("etype", "tensor<2x2xf32>"), ", gnn.count = 3 : i64")
#define D GLOBAL("d", PER("ntype", "tensor<2xf32>"), ", gnn.count = 3 : i64")
#define E GLOBAL("e", "tensor<2x2x2xf32>", "")
#define LOAD_A LOAD("a", "tensor<3xf32>")
#define LOAD_B LOAD("b", "tensor<2x3xf32>")
#define LOAD_C LOAD("c", PER("etype", "tensor<2x2xf32>"))
#define LOAD_D LOAD("d", PER("ntype", "tensor<2xf32>"))
#define LOAD_E LOAD("e", "tensor<2x2x2xf32>")
#define WEIGHT ", %w: " EDGE("f32") " {gnn.from = \"edge_weight\", gnn.name = \"w\"}"

#define LOOPS(mode) ONE("s", "edge_set", "g", "mode = \"" mode "\"", GRAPH("g"), GRAPH("g." mode))
#define DEGREE(direction) ONE("degree", "degree", "g", "direction = \"" direction "\"", GRAPH("g"), NODE("f32"))
#define PAIRS(end) ONE("u", "unique_edges", "g", "end = \"" end "\"", GRAPH("g"), GRAPH("g.unique_" end))

TEST(degrees_count_duplicates_and_loops) {
  CHECK_BODY("", "", DEGREE("in"), 6, 1, 2, 1, 2, 2, 1, 0);
  CHECK_BODY("", "", DEGREE("out"), 6, 1, 1, 2, 3, 1, 1, 0);
}

#define LOOPED(mode) "!gnn.edge<\"g." mode "\", f32>"
#define NORM(mode)                                                                                                     \
  LOOPS(mode)                                                                                                          \
  ONE("1", "degree", "s", "direction = \"in\"", GRAPH("g." mode), NODE("f32"))                                         \
  TWO("2", "gather", "s", "1", "end = \"src\"", GRAPH("g." mode), NODE("f32"), LOOPED(mode))                           \
  TWO("3", "gather", "s", "1", "end = \"dst\"", GRAPH("g." mode), NODE("f32"), LOOPED(mode))                           \
  TWO("4", "multiply", "2", "3", "", LOOPED(mode), LOOPED(mode), LOOPED(mode))                                         \
  ONE("5", "activation", "4", "function = \"rsqrt\"", LOOPED(mode), LOOPED(mode))

static void check_norm(const char *body, const float *expected, int64_t edges, int threads) {
  fixture f;
  program_array found = {0};
  fixture_begin(&f, "", "", body, threads);
  CHECK_OK(program_host_evaluate(f.host, ir_result(fixture_last(&f, 0)), &found));
  CHECK_INT(found.rows, edges);
  if (found.rows == edges) fixture_compare(__FILE__, __LINE__, found.data, expected, edges);
  fixture_end(&f);
}

TEST(the_normalisation_of_gcn_is_a_tree_over_edges) {
  static const float in[] = {3, 2, 2, 3, 2, 1}; /* in-degrees with the added loops */
  static const int32_t more[] = {0, 1, 3, 4, 5};
  float expected[13], replaced[13];
  for (int e = 0; e < 8; e++) expected[e] = 1 / sqrtf(in[fixture_ends[0][e]] * in[fixture_ends[1][e]]);
  for (int i = 0; i < 5; i++) expected[8 + i] = 1 / in[more[i]];
  check_norm(NORM("add_remaining"), expected, 13, 1);
  check_norm(NORM("add_remaining"), expected, 13, 3);
  for (int e = 0; e < 7; e++) replaced[e] = expected[e < 3 ? e : e + 1]; /* without the stored loop */
  for (int n = 0; n < 6; n++) replaced[7 + n] = 1 / in[n];
  check_norm(NORM("replace"), replaced, 13, 1);
}

#define EXTEND(mode)                                                                                                   \
  LOOPS(mode) TWO("x", "extend_edges", "s", "w", "fill = 0.5 : f64", GRAPH("g." mode), EDGE("f32"), LOOPED(mode))

TEST(new_loops_get_the_fill_value) {
  CHECK_BODY("", WEIGHT, EXTEND("add_remaining"), 13, 1, 1, 2, 3, 4, 5, 6, 7, 8, .5f, .5f, .5f, .5f, .5f);
  CHECK_BODY("", WEIGHT, EXTEND("keep_one"), 13, 1, 1, 2, 3, 4, 5, 6, 7, 8, .5f, .5f, .5f, .5f, .5f);
  CHECK_BODY("", WEIGHT, EXTEND("replace"), 13, 1, 1, 2, 3, 5, 6, 7, 8, .5f, .5f, .5f, .5f, .5f, .5f);
}

#define AGGREGATE(reduce)                                                                                              \
  TWO("x", "aggregate", "g", "w", "direction = \"in\", reduce = \"" reduce "\"", GRAPH("g"), EDGE("f32"), NODE("f32"))

TEST(reductions_over_no_edges_are_0) {
  CHECK_BODY("", WEIGHT, AGGREGATE("sum"), 6, 1, 8, 1, 6, 15, 6, 0);
  CHECK_BODY("", WEIGHT, AGGREGATE("mean"), 6, 1, 4, 1, 3, 7.5f, 6, 0);
  CHECK_BODY("", WEIGHT, AGGREGATE("max"), 6, 1, 5, 1, 4, 8, 6, 0);
  CHECK_BODY("", WEIGHT, AGGREGATE("min"), 6, 1, 3, 1, 2, 7, 6, 0);
}

TEST(a_weighted_aggregate_takes_the_other_end) {
  CHECK_BODY("", WEIGHT,
             DEGREE("out") "%x = \"gnn.aggregate\"(%g, %degree, %w) {direction = \"in\", reduce = \"sum\", activation "
                           "= \"negate\"} : (" GRAPH("g") ", " NODE("f32") ", " EDGE("f32") ") -> " NODE("f32") "\n",
             6, 1, -24, -1, -16, -23, -6, 0);
}

TEST(leading_dimensions_align) {
  CHECK_BODY(A B, "",
             LOAD_A LOAD_B ONE("t", "transpose", "b", "", "tensor<2x3xf32>", "tensor<3x2xf32>")
                 TWO("x", "multiply", "a", "t", "", "tensor<3xf32>", "tensor<3x2xf32>", "tensor<3x2xf32>"),
             1, 6, 1, 4, 4, 10, 9, 18);
  CHECK_BODY("", WEIGHT,
             DEGREE("in") TWO("1", "gather", "g", "degree", "end = \"src\"", GRAPH("g"), NODE("f32"), EDGE("f32"))
                 TWO("x", "compare", "1", "w", "predicate = \"lt\"", EDGE("f32"), EDGE("f32"), EDGE("f32")),
             8, 1, 0, 1, 1, 1, 1, 1, 1, 1);
}

TEST(products_have_four_shapes) {
  CHECK_BODY(A B, "",
             LOAD_A LOAD_B TWO("x", "linear", "a", "b", LINEAR ", transposed", "tensor<3xf32>", "tensor<2x3xf32>",
                               "tensor<2xf32>"),
             1, 2, 14, 32);
  CHECK_BODY(B C, "",
             LOAD_B LOAD_C TWO("x", "linear", "c", "b", LINEAR, PER("etype", "tensor<2x2xf32>"), "tensor<2x3xf32>",
                               PER("etype", "tensor<2x3xf32>")),
             3, 6, 9, 12, 15, 19, 26, 33, 29, 40, 51, 39, 54, 69, 49, 68, 87, 59, 82, 105);
  CHECK_BODY(C E, "",
             LOAD_C LOAD_E TWO("x", "linear", "c", "e", LINEAR, PER("etype", "tensor<2x2xf32>"), "tensor<2x2x2xf32>",
                               PER("etype", "tensor<2x2xf32>")),
             3, 4, 7, 10, 43, 50, 23, 34, 91, 106, 39, 58, 139, 162);
  CHECK_BODY(E, "",
             LOAD_E TWO("x", "linear", "e", "e", LINEAR, "tensor<2x2x2xf32>", "tensor<2x2x2xf32>", "tensor<2x2x2xf32>"),
             1, 8, 7, 10, 15, 22, 67, 78, 91, 106);
}

TEST(inner_products_and_the_last_dimension) {
#define EEE "tensor<2x2x2xf32>"
#define EE "tensor<2x2xf32>"
  CHECK_BODY(E, "", LOAD_E TWO("x", "vector_inner", "e", "e", "activation = \"sqrt\"", EEE, EEE, EE), 1, 4, sqrtf(5), 5,
             sqrtf(61), sqrtf(113));
  CHECK_BODY(E, "", LOAD_E ONE("x", "reduce", "e", "function = \"mean\"", EEE, EE), 1, 4, 1.5f, 3.5f, 5.5f, 7.5f);
  CHECK_BODY(E, "", LOAD_E ONE("x", "reduce", "e", "function = \"max\"", EEE, EE), 1, 4, 2, 4, 6, 8);
  CHECK_BODY(E, "", LOAD_E ONE("x", "argmax", "e", "", EEE, EE), 1, 4, 1, 1, 1, 1);
  CHECK_BODY(A, "", LOAD_A ONE("x", "softmax", "a", "", "tensor<3xf32>", "tensor<3xf32>"), 1, 3, 0.0900305733f,
             0.244728476f, 0.665240943f);
  CHECK_BODY(A, "", LOAD_A ONE("x", "row_normalize", "a", "", "tensor<3xf32>", "tensor<3xf32>"), 1, 3, 1 / 6.0f,
             1 / 3.0f, 0.5f);
  CHECK_BODY(E, "", LOAD_E ONE("x", "columns", "e", "begin = 1 : i64, width = 1 : i64", EEE, "tensor<2x2x1xf32>"), 1, 4,
             2, 4, 6, 8);
  CHECK_BODY(B E, "",
             LOAD_B ONE("t", "columns", "b", "begin = 0 : i64, width = 1 : i64", "tensor<2x3xf32>", "tensor<2x1xf32>")
                 TWO("x", "concat", "b", "t", "", "tensor<2x3xf32>", "tensor<2x1xf32>", "tensor<2x4xf32>"),
             1, 8, 1, 2, 3, 1, 4, 5, 6, 4);
  CHECK_BODY(A, "", LOAD_A TWO("x", "outer", "a", "a", "", "tensor<3xf32>", "tensor<3xf32>", "tensor<3x3xf32>"), 1, 9,
             1, 2, 3, 2, 4, 6, 3, 6, 9);
}

TEST(batch_normalisation_is_along_the_last_dimension) {
  CHECK_BODY(A B, "",
             LOAD_A LOAD_B "%x = \"gnn.batch_norm\"(%b, %a, %a, %a, %a) {epsilon = 1.0 : f64} : (tensor<2x3xf32>, "
                           "tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3xf32>\n",
             1, 6, 1, 2, 3, 3 / sqrtf(2) + 1, 6 / sqrtf(3) + 2, 7.5f);
}

TEST(selections_pick_columns) {
  CHECK_BODY("", "",
             "%x = \"gnn.selection\"() {rows = 4 : i64, shape = array<i64: 2, 3>, strides = array<i64: 2, 1>, begin = "
             "1 : i64} : () -> tensor<4x6xf32>\n",
             1, 24, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0);
  CHECK_BODY("", "", "%x = \"gnn.iota\"() {size = 4 : i64} : () -> tensor<4xf32>\n", 1, 4, 0, 1, 2, 3);
}

/* The order of edges is by edge type, then type of the source, then source: 3 (0, 2) 1 (1, 0) 7
 * (1, 0) 6 (2, 0)... (the fixture has the graph). */
TEST(pairs_are_ordered_by_type_of_edge_type_of_node_and_node) {
  CHECK_BODY("", "", PAIRS("src") ONE("x", "group_size", "u", "", GRAPH("g.unique_src"), UNIQUE("src", "f32")), 6, 1, 2,
             1, 1, 1, 1, 2);
  CHECK_BODY("", WEIGHT,
             PAIRS("src") TWO("x", "collapse", "u", "w", "reduce = \"sum\"", GRAPH("g.unique_src"), EDGE("f32"),
                              UNIQUE("src", "f32")),
             6, 1, 10, 4, 7, 6, 1, 8);
  CHECK_BODY("", "",
             PAIRS("src") ONE("1", "group_size", "u", "", GRAPH("g.unique_src"), UNIQUE("src", "f32"))
                 TWO("x", "expand", "g", "1", "", GRAPH("g"), UNIQUE("src", "f32"), EDGE("f32")),
             8, 1, 1, 2, 2, 1, 2, 1, 1, 2);
}

TEST(types_choose_rows_of_tables) {
  CHECK_BODY(C, "",
             LOAD_C ONE("r", "reduce", "c", "function = \"sum\"", PER("etype", "tensor<2x2xf32>"),
                        PER("etype", "tensor<2xf32>")) TWO("x", "slice", "g", "r", "by = \"edge\"", GRAPH("g"),
                                                           PER("etype", "tensor<2xf32>"), EDGE("tensor<2xf32>")),
             8, 2, 11, 15, 3, 7, 19, 23, 3, 7, 19, 23, 11, 15, 3, 7, 3, 7);
  CHECK_BODY(D, "",
             LOAD_D TWO("x", "slice", "g", "d", "by = \"node\"", GRAPH("g"), PER("ntype", "tensor<2xf32>"),
                        NODE("tensor<2xf32>")),
             6, 2, 3, 4, 1, 2, 3, 4, 1, 2, 5, 6, 1, 2);
  /* The pairs (edge type, type of the source) are (0, 0) (0, 1) (0, 2) (1, 0) (1, 1) (2, 1). */
  CHECK_BODY(D, "",
             LOAD_D TWO("x", "pair", "g", "d", "end = \"src\", count = 9 : i64", GRAPH("g"),
                        PER("ntype", "tensor<2xf32>"), PER("etype_src", "tensor<2xf32>")),
             6, 2, 1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 3, 4);
}

TEST(parts_are_nodes_of_one_type) {
#define PART(t) "!gnn.node<\"g:1\", " t ">"
  CHECK_BODY("", "",
             DEGREE("out") TWO("x", "part", "g", "degree", "type = 1 : i64", GRAPH("g"), NODE("f32"), PART("f32")), 2,
             1, 1, 3);
  CHECK_BODY("", "",
             DEGREE("out") TWO("p", "part", "g", "degree", "type = 1 : i64", GRAPH("g"), NODE("f32"), PART("f32"))
                 ONE("q", "activation", "p", "function = \"negate\"", PART("f32"),
                     PART("f32")) "%x = \"gnn.unite\"(%g, %q, %degree) {type = 1 : i64} : "
                                  "(" GRAPH("g") ", " PART("f32") ", " NODE("f32") ") -> " NODE("f32") "\n",
             6, 1, -1, 2, -3, 1, 1, 0);
}

TEST(pools_reduce_the_nodes_of_each_graph) {
  CHECK_BODY("", "",
             DEGREE("out")
                 TWO("x", "pool", "g", "degree", "reduce = \"max\"", GRAPH("g"), NODE("f32"), PER("graph", "f32")),
             2, 1, 3, 1);
}

TEST(weights_that_do_not_fit_are_refused) {
  fixture f;
  program_array found;
  fixture_begin(&f, GLOBAL("a", "tensor<4xf32>", ""), "", LOAD("a", "tensor<4xf32>"), 1);
  CHECK_FAILS(program_host_evaluate(f.host, ir_result(fixture_last(&f, 0)), &found),
              "'a' has shape [3], the model takes [4] for 'a'");
  fixture_end(&f);
  fixture_begin(&f, GLOBAL("z", "tensor<4xf32>", ""), "", LOAD("z", "tensor<4xf32>"), 1);
  CHECK_FAILS(program_host_evaluate(f.host, ir_result(fixture_last(&f, 0)), &found), "w.safetensors: no tensor 'z'");
  fixture_end(&f);
}
