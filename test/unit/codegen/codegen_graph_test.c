/* Generated loops over edges and stored entries, edge sets, types and orders of edges agree with
 * plain loops over the caller's edge list. */
#include "codegen_fixture.h"

#define MODULE(slots) "module attributes {gnn.model = \"m\", gnn.source = \"m.gnn\", gnn.bound_slots = [" slots "]} {\n"
#define BIND "func.func @m.bind() attributes {gnn.phase = \"bind\", gnn.workspace_slots = []} {\n"
#define RUN(slots) "func.func @m.run() attributes {gnn.phase = \"run\", gnn.workspace_slots = [" slots "]} {\n"
#define GRAPH(name, set) "%" name " = \"intra.graph\"() {set = \"" set "\"} : () -> !gnn.graph<\"" set "\">\n"
#define BUFFER(name, attributes, rows, payload)                                                                        \
  "%" name " = \"intra.buffer\"() {" attributes ", name = \"" name "\"} : () -> !intra.memory<\"" rows "\", " payload  \
  ">\n"
#define CALL(attributes) "\"intra.call\"() {" attributes "} : () -> ()\n"
#define NODE_LOOP(graph, set) "\"intra.traverse\"(%" graph ") ({\n^bb0(%n: !inter.cursor<\"node\", \"g\">):\n"
#define EDGE_LOOP(graph, set) "\"intra.traverse\"(%" graph ") ({\n^bb0(%e: !inter.cursor<\"edge\", \"" set "\">):\n"
#define END_LOOP(domain, set)                                                                                          \
  "\"smt.yield\"() : () -> ()\n}) {domain = \"" domain "\"} : (!gnn.graph<\"" set "\">) -> ()\n"
#define LOAD(to, buffer, rows, payload, cursor, kind, set)                                                             \
  "%" to " = \"intra.load\"(%" buffer ", %" cursor ") : (!intra.memory<\"" rows "\", " payload                         \
  ">, !inter.cursor<\"" kind "\", \"" set "\">) -> " payload "\n"
#define STORE(value, buffer, rows, payload, cursor, kind, set)                                                         \
  "\"intra.store\"(%" value ", %" buffer ", %" cursor ") : (" payload ", !intra.memory<\"" rows "\", " payload         \
  ">, !inter.cursor<\"" kind "\", \"" set "\">) -> ()\n"
#define END "return\n}\n"

/* 9 nodes: node 0 has no edges, node 5 only outgoing ones, node 3 has one loop, node 7 has two,
 * and some edges are stored twice. */
enum { NODES = 9, EDGES = 18, WIDTH = 3 };
static const int32_t src[EDGES] = {5, 1, 2, 3, 3, 8, 4, 5, 7, 7, 6, 2, 1, 1, 8, 4, 6, 7};
static const int32_t dst[EDGES] = {1, 2, 1, 3, 4, 4, 8, 8, 7, 7, 2, 6, 2, 2, 6, 1, 3, 8};
static const gnnc_graph graph = {
    .size = sizeof(gnnc_graph), .num_nodes = NODES, .num_edges = EDGES, .src = src, .dst = dst};

static float x[NODES * WIDTH], a[EDGES], found[8][(NODES + EDGES) * WIDTH];

static void fill(void) {
  fixture_fill(x, NODES * WIDTH, 3);
  fixture_fill(a, EDGES, 5);
  memset(found, 0x7f, sizeof found);
}

static void check_rows(const float *values, const float *expected, size_t count, const char *what) {
  for (size_t i = 0; i < count; i++) {
    if (fabsf(values[i] - expected[i]) <= 1e-5f) continue;
    unit_fail(__FILE__, __LINE__, "%s: element %d is %.9g, expected %.9g", what, (int)i, (double)values[i],
              (double)expected[i]);
    return;
  }
}

/* y[n] reduces a[e] * x[other end of e] over the edges at n; kind is 0 sum, 1 mean, 2 max, 3
 * min. */
static void reduce_edges(const int32_t *at, const int32_t *other, int kind, float *y) {
  for (int n = 0; n < NODES; n++)
    for (int j = 0; j < WIDTH; j++) {
      double acc = 0;
      int count = 0;
      for (int e = 0; e < EDGES; e++) {
        if (at[e] != n) continue;
        double v = (double)a[e] * (double)x[other[e] * WIDTH + j];
        acc = !count ? v : kind < 2 ? acc + v : kind == 2 ? fmax(acc, v) : fmin(acc, v);
        count++;
      }
      y[n * WIDTH + j] = (float)(kind == 1 && count ? acc / count : acc);
    }
}

#define T3 "tensor<3xf32>"
#define REDUCING_LOOP(op, end, adjacency)                                                                              \
  MODULE("")                                                                                                           \
  BIND GRAPH("g", "g") CALL("callee = \"adjacency\", set = \"g\", form = \"" adjacency "\", used_by = \"run\"")        \
      END RUN("") GRAPH("g", "g") BUFFER("x", "space = \"input\"", "node:g", T3)                                       \
          BUFFER("a", "space = \"input\"", "edge:g", "f32") BUFFER("y0", "space = \"output\"", "node:g", T3) BUFFER(   \
              "y1", "space = \"output\"", "node:g", T3) BUFFER("y2", "space = \"output\"", "node:g",                   \
                                                               T3) BUFFER("y3", "space = \"output\"", "node:g", T3)    \
              BUFFER("d", "space = \"output\"", "node:g", "f32") NODE_LOOP(                                            \
                  "g",                                                                                                 \
                  "g") "%l = \"inter." op "\"(%g, %n) ({\n^bb1(%e: !inter.cursor<\"edge\", \"g\">):\n"                 \
                       "%s = \"inter." end                                                                             \
                       "\"(%e) : (!inter.cursor<\"edge\", \"g\">) -> !inter.cursor<\"node\", \"g\">\n" LOAD(           \
                           "v", "x", "node:g", T3, "s", "node", "g")                                                   \
                           LOAD("w", "a", "edge:g", "f32", "e", "edge",                                                \
                                "g") "%m = \"gnn.multiply\"(%w, %v) : (f32, " T3 ") -> " T3 "\n"                       \
                                     "\"smt.yield\"(%m, %m, %m, %m, %w) : (" T3 ", " T3 ", " T3 ", " T3                \
                                     ", f32) -> ()\n"                                                                  \
                                     "}) {reduce = [\"sum\", \"mean\", \"max\", \"min\", \"max\"]} : "                 \
                                     "(!gnn.graph<\"g\">, !inter.cursor<\"node\", \"g\">) -> !inter.results\n"         \
                                     "%r0 = \"inter.result\"(%l) {index = 0 : i64} : (!inter.results) -> " T3 "\n"     \
                                     "%r1 = \"inter.result\"(%l) {index = 1 : i64} : (!inter.results) -> " T3 "\n"     \
                                     "%r2 = \"inter.result\"(%l) {index = 2 : i64} : (!inter.results) -> " T3 "\n"     \
                                     "%r3 = \"inter.result\"(%l) {index = 3 : i64} : (!inter.results) -> " T3 "\n"     \
                                     "%r4 = \"inter.result\"(%l) {index = 4 : i64} : (!inter.results) -> f32\n" STORE( \
                                         "r0", "y0", "node:g", T3, "n", "node", "g")                                   \
                                         STORE("r1", "y1", "node:g", T3, "n", "node", "g")                             \
                                             STORE("r2", "y2", "node:g", T3, "n", "node", "g")                         \
                                                 STORE("r3", "y3", "node:g", T3, "n", "node", "g")                     \
                                                     STORE("r4", "d", "node:g", "f32", "n", "node", "g")               \
                                                         END_LOOP("node", "g") END "}"

static void check_reducing(const char *ir, const int32_t *at, const int32_t *other, bool is_f64) {
  static float expected[NODES * WIDTH];
  fixture f;
  fill();
  if (fixture_begin(&f, ir, (codegen_c_options){.is_f64 = is_f64}, "")) {
    const void *inputs[] = {x, a};
    void *outputs[] = {found[0], found[1], found[2], found[3], found[4]};
    CHECK_INT(fixture_run(&f, &graph, NULL, inputs, outputs, 1), GNNC_OK);
    for (int kind = 0; kind < 4; kind++) {
      reduce_edges(at, other, kind, expected);
      check_rows(found[kind], expected, NODES * WIDTH, f.info->outputs[kind].name);
    }
    CHECK_NEAR(found[4][0], 0, 0);
  }
  fixture_end(&f);
}

TEST(incoming_edges_are_reduced_by_every_reduction_and_none_gives_zero) {
  check_reducing(REDUCING_LOOP("for_incoming", "src", "csc"), dst, src, false);
  check_reducing(REDUCING_LOOP("for_incoming", "src", "csc"), dst, src, true);
}

TEST(outgoing_edges_are_reduced_by_every_reduction_and_none_gives_zero) {
  check_reducing(REDUCING_LOOP("for_outgoing", "dst", "csr"), src, dst, false);
}

/* A loop over edges reads and writes in the caller's order, although the graph is also stored by
 * destination. */
static const char edges_ir[] =
    MODULE("") BIND GRAPH("g", "g") CALL("callee = \"adjacency\", set = \"g\", form = \"csc\", used_by = \"run\"") CALL(
        "callee = \"adjacency\", set = \"g\", form = \"csr\", used_by = \"run\"")
        CALL("callee = \"adjacency\", set = \"g\", form = \"coo\", used_by = \"run\"") END RUN("\"edge:g x 1\"") GRAPH(
            "g", "g") BUFFER("x", "space = \"input\"", "node:g", T3) BUFFER("a", "space = \"input\"", "edge:g", "f32")
            BUFFER("y", "space = \"output\"", "edge:g", T3) BUFFER("c", "space = \"output\"", "edge:g", "f32") BUFFER(
                "d", "space = \"output\"", "node:g", "f32") BUFFER("o", "space = \"output\"", "node:g", "f32")
                BUFFER("t", "space = \"workspace\", slot = 0 : i64", "edge:g", "f32") EDGE_LOOP(
                    "g",
                    "g") "%s = \"inter.src\"(%e) : (!inter.cursor<\"edge\", \"g\">) -> !inter.cursor<\"node\", \"g\">\n"
                         "%d_ = \"inter.dst\"(%e) : (!inter.cursor<\"edge\", \"g\">) -> !inter.cursor<\"node\", "
                         "\"g\">\n" LOAD("u", "x", "node:g", T3, "s", "node", "g") LOAD("v", "x", "node:g", T3, "d_",
                                                                                        "node", "g")
                             LOAD("w", "a", "edge:g", "f32", "e", "edge",
                                  "g") "%p = \"gnn.subtract\"(%u, %v) : (" T3 ", " T3 ") -> " T3
                                       "\n%q = \"gnn.multiply\"(%w, %p) : (f32, " T3 ") -> " T3
                                       "\n" STORE("q", "y", "edge:g", T3, "e", "edge", "g")
                                           STORE("w", "t", "edge:g", "f32", "e", "edge", "g") END_LOOP(
                                               "edge", "g") "\"intra.copy\"(%t, %c) : "
                                                            "(!intra.memory<\"edge:g\", f32>, "
                                                            "!intra.memory<\"edge:g\", f32>) -> ()\n" NODE_LOOP(
                                                                "g", "g") "%i = \"inter.degree\"(%g, %n) {direction "
                                                                          "= \"in\"} : (!gnn.graph<\"g\">, "
                                                                          "!inter.cursor<\"node\", \"g\">) -> f32\n"
                                                                          "%k = \"inter.degree\"(%g, %n) {direction "
                                                                          "= \"out\"} : (!gnn.graph<\"g\">, "
                                                                          "!inter.cursor<\"node\", \"g\">) -> "
                                                                          "f32\n" STORE("i", "d", "node:g", "f32", "n",
                                                                                        "node", "g")
                                                                              STORE("k", "o", "node:g", "f32", "n",
                                                                                    "node", "g") END_LOOP("node", "g")
                                                                                  END "}";

TEST(edge_values_are_in_the_callers_order) {
  fixture f;
  fill();
  if (fixture_begin(&f, edges_ir, (codegen_c_options){0}, "")) {
    const void *inputs[] = {x, a};
    void *outputs[] = {found[0], found[1], found[2], found[3]};
    CHECK_INT(fixture_run(&f, &graph, NULL, inputs, outputs, 1), GNNC_OK);
    float y[EDGES * WIDTH], in[NODES] = {0}, out[NODES] = {0};
    for (int e = 0; e < EDGES; e++) {
      in[dst[e]]++;
      out[src[e]]++;
      for (int j = 0; j < WIDTH; j++) y[e * WIDTH + j] = a[e] * (x[src[e] * WIDTH + j] - x[dst[e] * WIDTH + j]);
    }
    check_rows(found[0], y, EDGES * WIDTH, "y");
    check_rows(found[1], a, EDGES, "c");
    check_rows(found[2], in, NODES, "in degree");
    check_rows(found[3], out, NODES, "out degree");
  }
  fixture_end(&f);
}

/* Weighted sums on the graph with self loops: kept edges have their value, new loops have 10. */
#define LOOPS(mode, slots, from_space, from_copy)                                                                      \
  MODULE(slots)                                                                                                        \
  BIND GRAPH("g", "g") GRAPH("s", "g." mode) CALL(                                                                     \
      "callee = \"edge_set\", set = \"g." mode "\", base = \"g\", mode = \"" mode                                      \
      "\"") CALL("callee = \"adjacency\", set = \"g." mode "\", form = \"csc\", used_by = \"run\"")                    \
      CALL("callee = \"adjacency\", set = \"g\", form = \"csc\", used_by = \"run\"") END RUN("\"edge:g." mode          \
                                                                                             " x 1\", \"edge:g x 1\"") \
          GRAPH("g", "g") GRAPH("s", "g." mode) BUFFER("a", "space = \"input\"", "edge:g", "f32") BUFFER(              \
              "y", "space = \"output\"", "node:g", "f32") BUFFER("d", "space = \"output\"", "node:g", "f32")           \
              BUFFER("w", "space = \"workspace\", slot = 0 : i64", "edge:g." mode, "f32") BUFFER(                      \
                  "c", "space = \"workspace\", slot = 1 : i64", "edge:g",                                              \
                  "f32") "\"intra.copy\"(%a, %c) : (!intra.memory<\"edge:g\", f32>, !intra.memory<\"edge:g\", f32>) "  \
                         "-> ()\n"                                                                                     \
                         "\"intra.extend_edges\"(%" from_space                                                         \
                         ", %w) {fill = 10.0 : f64} : (!intra.memory<\"edge:g\", f32>, !intra.memory<\"edge:g." mode   \
                         "\", f32>) -> ()\n" NODE_LOOP(                                                                \
                             "s", "g." mode) "%l = \"inter.for_incoming\"(%s, %n) ({\n^bb1(%e: "                       \
                                             "!inter.cursor<\"edge\", \"g." mode "\">):\n" LOAD(                       \
                                                 "v", "w", "edge:g." mode, "f32", "e", "edge",                         \
                                                 "g." mode) "\"smt.yield\"(%v) : (f32) -> ()\n}) {reduce = "           \
                                                            "[\"sum\"]} : (!gnn.graph<\"g." mode                       \
                                                            "\">, !inter.cursor<\"node\", \"g\">) -> !inter.results\n" \
                                                            "%r = \"inter.result\"(%l) {index = 0 : i64} : "           \
                                                            "(!inter.results) -> f32\n"                                \
                                                            "%i = \"inter.degree\"(%s, %n) {direction = \"in\"} : "    \
                                                            "(!gnn.graph<\"g." mode                                    \
                                                            "\">, !inter.cursor<\"node\", \"g\">) -> f32\n" STORE(     \
                                                                "r", "y", "node:g", "f32", "n", "node", "g")           \
                                                                STORE("i", "d", "node:g", "f32", "n", "node", "g")     \
                                                                    END_LOOP("node", "g." mode) END "}"

/* Keeps the last `most` stored loops of each node, or all of them where `most` is -1. */
static void check_self_loops(const char *ir, int most) {
  fixture f;
  fill();
  if (fixture_begin(&f, ir, (codegen_c_options){0}, "")) {
    const void *inputs[] = {a};
    void *outputs[] = {found[0], found[1]};
    CHECK_INT(fixture_run(&f, &graph, NULL, inputs, outputs, 1), GNNC_OK);
    float y[NODES] = {0}, degree[NODES] = {0};
    int last[NODES];
    for (int n = 0; n < NODES; n++) last[n] = -1;
    for (int e = 0; e < EDGES; e++)
      if (src[e] == dst[e]) last[dst[e]] = e;
    for (int e = 0; e < EDGES; e++) {
      if (src[e] == dst[e] && (!most || (most == 1 && e != last[dst[e]]))) continue;
      y[dst[e]] += a[e];
      degree[dst[e]]++;
    }
    for (int n = 0; n < NODES; n++) {
      if (most && last[n] >= 0) continue;
      y[n] += 10;
      degree[n]++;
    }
    check_rows(found[0], y, NODES, "sum");
    check_rows(found[1], degree, NODES, "degree");
  }
  fixture_end(&f);
}

TEST(self_loops_are_added_where_missing_and_kept_edges_keep_their_values) {
  check_self_loops(LOOPS("add_remaining", "", "a", ""), -1);
  check_self_loops(LOOPS("add_remaining", "", "c", ""), -1);
}
TEST(of_several_self_loops_the_last_is_kept) {
  check_self_loops(LOOPS("keep_one", "", "a", ""), 1);
  check_self_loops(LOOPS("keep_one", "", "c", ""), 1);
}
TEST(self_loops_are_replaced_and_kept_edges_keep_their_values) {
  check_self_loops(LOOPS("replace", "", "a", ""), 0);
  check_self_loops(LOOPS("replace", "", "c", ""), 0);
}

/* A product with W[e.type] and B[n.type]. */
static const char types_ir[] = MODULE(
    "\"etype x 9\", \"ntype x 3\"") "ml_program.global private @w(#ml_program.extern) : !gnn.per<\"etype\", "
                                    "tensor<3x3xf32>> {gnn.from = \"w\", gnn.count = 4 : i64}\n"
                                    "ml_program.global private @b(#ml_program.extern) : !gnn.per<\"ntype\", "
                                    "tensor<3xf32>> {gnn.from = \"b\", gnn.count = 2 : i64}\n" BIND GRAPH(
                                        "g", "g") BUFFER("w", "space = \"weight\", count = 4 : i64", "etype",
                                                         "tensor<3x3xf32>")
                                        BUFFER(
                                            "b", "space = \"weight\", count = 2 : i64", "ntype",
                                            T3) "%kw = \"intra.buffer\"() {space = \"bound\", slot = 0 : i64, name = "
                                                "\"w\", count = 4 : i64} : () -> !intra.memory<\"etype\", "
                                                "tensor<3x3xf32>>\n"
                                                "%kb = \"intra.buffer\"() {space = \"bound\", slot = 1 : i64, name = "
                                                "\"b\", count = 2 : i64} : () -> !intra.memory<\"ntype\", " T3
                                                ">\n" CALL("callee = \"adjacency\", set = \"g\", form = \"csc\", "
                                                           "used_by = \"run\"") CALL("callee = \"types\", set = \"g\", "
                                                                                     "form = \"edge\", used_by = "
                                                                                     "\"run\"")
                                                    CALL(
                                                        "callee = \"types\", set = \"g\", form = \"node\", used_by = "
                                                        "\"run\"") "\"intra.copy\"(%w, %kw) : "
                                                                   "(!intra.memory<\"etype\", "
                                                                   "tensor<3x3xf32>>, !intra.memory<\"etype\", "
                                                                   "tensor<3x3xf32>>) -> ()\n"
                                                                   "\"intra.copy\"(%b, %kb) : "
                                                                   "(!intra.memory<\"ntype\", " T3
                                                                   ">, !intra.memory<\"ntype\", " T3
                                                                   ">) -> ()\n" END RUN("") GRAPH(
                                                                       "g",
                                                                       "g") "%kw = \"intra.buffer\"() {space = "
                                                                            "\"bound\", "
                                                                            "slot = 0 : i64, name = \"w\", count = 4 : "
                                                                            "i64} : () -> !intra.memory<\"etype\", "
                                                                            "tensor<3x3xf32>>\n"
                                                                            "%kb = \"intra.buffer\"() {space = "
                                                                            "\"bound\", "
                                                                            "slot = 1 : i64, name = \"b\", count = 2 : "
                                                                            "i64} : () -> !intra.memory<\"ntype\", " T3
                                                                            ">\n" BUFFER(
                                                                                "x", "space = \"input\"", "node:g",
                                                                                T3) BUFFER("y", "space = \"output\"",
                                                                                           "node:g", T3)
                                                                                NODE_LOOP(
                                                                                    "g",
                                                                                    "g") "%l = "
                                                                                         "\"inter.for_incoming\"(%g, "
                                                                                         "%n) ({\n^bb1(%e: "
                                                                                         "!inter.cursor<\"edge\", "
                                                                                         "\"g\">):\n"
                                                                                         "%s = \"inter.src\"(%e) : "
                                                                                         "(!inter.cursor<\"edge\", "
                                                                                         "\"g\">) "
                                                                                         "-> !inter.cursor<\"node\", "
                                                                                         "\"g\">\n" LOAD(
                                                                                             "v", "x", "node:g", T3,
                                                                                             "s", "node", "g")
                                                                                             LOAD(
                                                                                                 "m", "kw", "etype",
                                                                                                 "tensor<3x3xf32>", "e",
                                                                                                 "edge",
                                                                                                 "g") "%p = "
                                                                                                      "\"gnn.linear\"(%"
                                                                                                      "v, "
                                                                                                      "%m) "
                                                                                                      "{operandSegmentS"
                                                                                                      "izes"
                                                                                                      " = array<i32: "
                                                                                                      "1, 1, "
                                                                                                      "0, 0>} : (" T3
                                                                                                      ", "
                                                                                                      "tensor<3x3xf32>)"
                                                                                                      " "
                                                                                                      "-> " T3 "\n"
                                                                                                      "\"smt.yield\"(%"
                                                                                                      "p) : "
                                                                                                      "(" T3
                                                                                                      ") -> ()\n}) "
                                                                                                      "{reduce "
                                                                                                      "= [\"sum\"]} : "
                                                                                                      "(!gnn.graph<"
                                                                                                      "\"g\">, "
                                                                                                      "!inter.cursor<"
                                                                                                      "\"node\", "
                                                                                                      "\"g\">) "
                                                                                                      "-> "
                                                                                                      "!inter.results\n"
                                                                                                      "%r = "
                                                                                                      "\"inter."
                                                                                                      "result\"(%l)"
                                                                                                      " {index = 0 : "
                                                                                                      "i64} "
                                                                                                      ": "
                                                                                                      "(!inter.results)"
                                                                                                      " "
                                                                                                      "-> " T3
                                                                                                      "\n" LOAD(
                                                                                                          "c", "kb",
                                                                                                          "ntype", T3,
                                                                                                          "n", "node",
                                                                                                          "g") "%z = "
                                                                                                               "\"gnn."
                                                                                                               "vector_"
                                                                                                               "add\"(%"
                                                                                                               "r, "
                                                                                                               "%c) : "
                                                                                                               "(" T3
                                                                                                               ", " T3
                                                                                                               ") "
                                                                                                               "-> " T3
                                                                                                               "\n" STORE(
                                                                                                                   "z",
                                                                                                                   "y",
                                                                                                                   "nod"
                                                                                                                   "e:"
                                                                                                                   "g",
                                                                                                                   T3,
                                                                                                                   "n",
                                                                                                                   "nod"
                                                                                                                   "e",
                                                                                                                   "g")
                                                                                                                   END_LOOP(
                                                                                                                       "nod"
                                                                                                                       "e",
                                                                                                                       "g")
                                                                                                                       END
    "}";

TEST(weights_are_chosen_by_the_type_of_the_edge_or_node) {
  fixture f;
  static float w[4 * 9], b[2 * 3], y[NODES * WIDTH];
  int32_t edge_type[EDGES], node_type[NODES];
  fill();
  fixture_fill(w, 36, 11);
  fixture_fill(b, 6, 12);
  for (int e = 0; e < EDGES; e++) edge_type[e] = e * 7 % 4;
  for (int n = 0; n < NODES; n++) node_type[n] = n % 2;
  gnnc_graph typed = graph;
  if (fixture_begin(&f, types_ir, (codegen_c_options){0}, "")) {
    const void *weights[] = {w, b}, *inputs[] = {x};
    void *outputs[] = {found[0]};
    int64_t index = 0;
    size_t size = f.info->bound_bytes(&typed);
    void *bound = malloc(size);
    CHECK_INT(f.info->bind(GNNC_ABI_VERSION, &typed, weights, bound, size, &index), GNNC_ERROR_NULL);
    CHECK_INT(index, 5);
    typed.edge_type = edge_type;
    typed.node_type = node_type;
    edge_type[6] = 4;
    CHECK_INT(f.info->bind(GNNC_ABI_VERSION, &typed, weights, bound, size, &index), GNNC_ERROR_TYPE_RANGE);
    CHECK_INT(index, 6);
    edge_type[6] = 2;
    node_type[5] = -1;
    CHECK_INT(f.info->bind(GNNC_ABI_VERSION, &typed, weights, bound, size, &index), GNNC_ERROR_TYPE_RANGE);
    CHECK_INT(index, 5);
    node_type[5] = 1;
    free(bound);
    CHECK_INT(fixture_run(&f, &typed, weights, inputs, outputs, 1), GNNC_OK);
    for (int n = 0; n < NODES; n++)
      for (int j = 0; j < WIDTH; j++) {
        double sum = (double)b[node_type[n] * 3 + j];
        for (int e = 0; e < EDGES; e++)
          for (int k = 0; dst[e] == n && k < 3; k++)
            sum += (double)x[src[e] * 3 + k] * (double)w[edge_type[e] * 9 + k * 3 + j];
        y[n * WIDTH + j] = (float)sum;
      }
    check_rows(found[0], y, NODES * WIDTH, "y");
  }
  fixture_end(&f);
}

/* Rows stored as CSR: x @ w with the row's sum, the dense row, and the refusal of arrays that
 * are no CSR. */
static const char sparse_ir[] = MODULE("") RUN("") GRAPH("g", "g") BUFFER(
    "x", "space = \"input\"", "nonzero:g", "tensor<4xf32>") BUFFER("w", "space = \"input\"", "one", "tensor<4x3xf32>")
    BUFFER("v", "space = \"input\"", "one", "tensor<4xf32>") BUFFER("y", "space = \"output\"", "node:g", T3) BUFFER(
        "z", "space = \"output\"", "node:g", "f32") BUFFER("d", "space = \"output\"", "node:g", "tensor<4xf32>")
        NODE_LOOP("g",
                  "g") "%l = \"intra.nonzeros\"(%x, %n) ({\n^bb1(%k: !inter.cursor<\"nonzero\", \"g\">):\n"
                       "%t = \"intra.load\"(%x, %k) : (!intra.memory<\"nonzero:g\", tensor<4xf32>>, "
                       "!inter.cursor<\"nonzero\", \"g\">) -> f32\n"
                       "%r = \"intra.load_row\"(%w, %k) : (!intra.memory<\"one\", tensor<4x3xf32>>, "
                       "!inter.cursor<\"nonzero\", \"g\">) -> " T3 "\n"
                       "%q = \"intra.load_row\"(%v, %k) : (!intra.memory<\"one\", tensor<4xf32>>, "
                       "!inter.cursor<\"nonzero\", \"g\">) -> f32\n"
                       "%m = \"gnn.multiply\"(%t, %r) : (f32, " T3 ") -> " T3
                       "\n%o = \"gnn.multiply\"(%t, %q) : (f32, f32) -> f32\n"
                       "\"smt.yield\"(%m, %o) : (" T3
                       ", f32) -> ()\n}) {reduce = [\"sum\", \"sum\"]} : (!intra.memory<\"nonzero:g\", tensor<4xf32>>, "
                       "!inter.cursor<\"node\", \"g\">) -> !inter.results\n"
                       "%a = \"inter.result\"(%l) {index = 0 : i64} : (!inter.results) -> " T3 "\n"
                       "%b = \"inter.result\"(%l) {index = 1 : i64} : (!inter.results) -> f32\n"
                       "%c = \"intra.dense_row\"(%x, %n) : (!intra.memory<\"nonzero:g\", tensor<4xf32>>, "
                       "!inter.cursor<\"node\", \"g\">) -> tensor<4xf32>\n" STORE(
                           "a", "y", "node:g", T3, "n", "node", "g") STORE("b", "z", "node:g", "f32", "n", "node", "g")
                           STORE("c", "d", "node:g", "tensor<4xf32>", "n", "node", "g") END_LOOP("node", "g") END "}";

TEST(sparse_rows_are_multiplied_and_made_dense_and_checked) {
  static const int64_t indptr[] = {0, 2, 2, 5};
  int32_t indices[] = {1, 3, 0, 2, 2};
  static const float data[] = {2, -1, 0.5f, 3, 4};
  static const float v[] = {1, 10, 100, 1000}, w[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
  const gnnc_csr csr = {indptr, indices, data};
  const gnnc_graph nodes = {.size = sizeof nodes, .num_nodes = 3};
  fixture f;
  if (fixture_begin(&f, sparse_ir, (codegen_c_options){0}, "")) {
    const void *inputs[] = {&csr, w, v};
    void *outputs[] = {found[0], found[1], found[2]};
    CHECK_INT(f.info->inputs[0].is_sparse, 1);
    CHECK_INT(fixture_run(&f, &nodes, NULL, inputs, outputs, 1), GNNC_OK);
    static const float y[] = {-2, -1, 0, 0, 0, 0, 49.5f, 57, 64.5f}, z[] = {-980, 0, 700.5f};
    static const float d[] = {0, 2, 0, -1, 0, 0, 0, 0, 0.5f, 0, 7, 0};
    check_rows(found[0], y, 9, "y");
    check_rows(found[1], z, 3, "z");
    check_rows(found[2], d, 12, "dense");
    indices[3] = 4;
    CHECK_INT(fixture_run(&f, &nodes, NULL, inputs, outputs, 1), GNNC_ERROR_CSR);
  }
  fixture_end(&f);
}
