/* Generated code for typed graphs agrees with definitions written here: pairs of edge type and
 * node, pairs of types, members, segments, nodes of one type, graphs of a batch, and the fused
 * softmax. Edges are stored by destination and in the caller's order. */
#include "codegen_fixture.h"

enum { NODES = 57, EDGES = 400, ETYPES = 5, NTYPES = 3, GRAPHS = 4, WIDTH = 6, OUT = 5 };

/* ---- text ---- */

#define CURSOR(kind, set) "!inter.cursor<\"" kind "\", \"" set "\">"
#define MEMORY(rows, payload) "!intra.memory<\"" rows "\", " payload ">"
#define GRAPH(set) "!gnn.graph<\"" set "\">"
#define V6 "tensor<6xf32>"
#define V5 "tensor<5xf32>"
#define W65 "tensor<6x5xf32>"
#define NODE CURSOR("node", "g")
#define EDGE CURSOR("edge", "g")
#define PAIR_SRC CURSOR("edge", "g.unique_src")
#define PAIR_DST CURSOR("edge", "g.unique_dst")
#define BUFFER(variable, space, attributes, rows, payload)                                                             \
  variable " = \"intra.buffer\"() {space = \"" space "\", " attributes "} : () -> " MEMORY(rows, payload) "\n"
#define CALL(callee, set, attributes)                                                                                  \
  "\"intra.call\"() {callee = \"" callee "\", set = \"" set "\", " attributes "} : () -> ()\n"
#define LOAD(to, buffer, rows, payload, at, cursor)                                                                    \
  to " = \"intra.load\"(" buffer ", " at ") : (" MEMORY(rows, payload) ", " cursor ") -> " payload "\n"
#define STORE(value, payload, buffer, rows, at, cursor)                                                                \
  "\"intra.store\"(" value ", " buffer ", " at ") : (" payload ", " MEMORY(rows, payload) ", " cursor ") -> ()\n"
#define YIELD0 "\"smt.yield\"() : () -> ()\n"
#define YIELD1(value, payload) "\"smt.yield\"(" value ") : (" payload ") -> ()\n"
#define RESULT(to, loop, number, payload)                                                                              \
  to " = \"inter.result\"(" loop ") {index = " number " : i64} : (!inter.results) -> " payload "\n"
#define TRAVERSE(graph, set, domain, cursor, body)                                                                     \
  "\"intra.traverse\"(" graph ") ({\n^bb0(%i: " cursor "):\n" body YIELD0 "}) {" domain "} : (" GRAPH(set) ") -> ()\n"
#define INCOMING(to, op, graph, set, attributes, body)                                                                 \
  to " = \"inter." op "\"(" graph ", %i) ({\n" body "})" attributes " : (" GRAPH(set) ", " NODE ") -> "                \
                                                                                      "!inter.results\n"

#define SUM_PAIRS(op, reduce, group, at)                                                                               \
  INCOMING("%l", op, "%g", "g", " {reduce = [\"" reduce "\"]}",                                                        \
           "^bb0(%e: " EDGE "):\n%u = \"inter.group\"(%e) {end = \"" group "\"} : (" EDGE ") -> " PAIR_SRC             \
           "\n" LOAD("%m", "%messages", "edge:g.unique_src", V5, "%u", PAIR_SRC) YIELD1("%m", V5))                     \
  RESULT("%s", "%l", "0", V5) STORE("%s", V5, at, "node:g", "%i", NODE)

#define GEMM(a, a_rows, b, b_rows, graph, set, attributes, cursor, body)                                               \
  "\"intra.gemm\"(" graph ", " a ", " b ") ({\n^bb0(%i: " cursor ", %y: " V5 "):\n" body YIELD0 "}) {" attributes      \
  "} : (" GRAPH(set) ", " MEMORY(a_rows, V6) ", " MEMORY(b_rows, W65) ") -> ()\n"

#define SOFTMAX(logits, logit, payload, value)                                                                         \
  INCOMING(                                                                                                            \
      "%l", "softmax_incoming", "%g", "g", "",                                                                         \
      "^bb0(%e: " EDGE                                                                                                 \
      "):\n" LOAD("%b", logits, "edge:g", logit, "%e", EDGE) "%s = \"inter.src\"(%e) : (" EDGE ") -> " NODE "\n" LOAD( \
          "%v", "%x", "node:g", V6, "%s", NODE) "%z = \"gnn.reshape\"(%v) {shape = array<i64: 2, 3>} : (" V6           \
                                                ") -> tensor<2x3xf32>\n"                                               \
                                                "\"smt.yield\"(%b, " value ") : (" logit ", " payload ") -> ()\n")     \
  RESULT("%r", "%l", "0", payload)

/* The model consists of pieces, some of which are left out where edges stay in the caller's
 * order. */
typedef struct piece {
  bool needs_csc;
  const char *text;
} piece;

/* clang-format off */
static const piece pieces[] = {
    {false,
     "module attributes {gnn.model = \"m\", gnn.source = \"m.gnn\",\n"
     "  gnn.bound_slots = [\"etype x 30\", \"etype_src x 30\", \"etype x 1\"]} {\n"
     "ml_program.global private @we(#ml_program.extern<tensor<6x5xf32>>) : !gnn.per<\"etype\", " W65
     "> {gnn.from = \"we\", gnn.count = 5 : i64}\n"
     "ml_program.global private @wn(#ml_program.extern<tensor<6xf32>>) : !gnn.per<\"ntype\", " V6
     "> {gnn.from = \"wn\", gnn.count = 3 : i64}\n"
     "func.func @m.bind() attributes {gnn.phase = \"bind\", gnn.workspace_slots = []} {\n"
     "%g = \"intra.graph\"() {set = \"g\"} : () -> " GRAPH("g") "\n"
     BUFFER("%we", "weight", "name = \"we\"", "etype", W65)
     BUFFER("%wn", "weight", "name = \"wn\"", "ntype", V6)
     BUFFER("%kept", "bound", "slot = 0 : i64, count = 5 : i64, name = \"kept\"", "etype", W65)
     BUFFER("%both", "bound", "slot = 1 : i64, count = 15 : i64, name = \"both\"", "etype_src", W65)
     CALL("unique", "g.unique_src", "base = \"g\"")
     CALL("unique", "g.unique_dst", "base = \"g\"")
     CALL("adjacency", "g", "form = \"coo\"")
     CALL("types", "g", "form = \"edge\"")
     CALL("types", "g", "form = \"node\"")
     CALL("types", "g", "form = \"etype_src\"")
     CALL("types", "g.unique_src", "form = \"etype_src\"")
     CALL("adjacency", "g.unique_src", "form = \"coo\"")
     CALL("adjacency", "g.unique_dst", "form = \"coo\"")
     CALL("adjacency", "g.unique_dst", "form = \"csc\"")
     CALL("types", "g.unique_src", "form = \"edge\"")
     CALL("types", "g.unique_dst", "form = \"edge\"")
     CALL("segments", "g.unique_src", "form = \"edge\"")
     CALL("segments", "g.unique_dst", "form = \"edge\"")
     CALL("segments", "g", "form = \"edge\"")
     CALL("segments", "g", "form = \"etype_src\"")
     CALL("segments", "g.unique_src", "form = \"etype_src\"")
     CALL("groups", "g.unique_src", "base = \"g\", form = \"pair\"")
     CALL("groups", "g.unique_dst", "base = \"g\", form = \"members\"")
     CALL("batch", "g", "form = \"graph\"")
     CALL("batch", "g", "form = \"members\"")
     CALL("parts", "g", "form = \"nodes\", mode = \"2\"")
     CALL("parts", "g", "form = \"place\", mode = \"2\"")},
    {true,
     CALL("adjacency", "g", "form = \"csc\"")},
    {false,
     "\"intra.copy\"(%we, %kept) : (" MEMORY("etype", W65) ", " MEMORY("etype", W65) ") -> ()\n"
     TRAVERSE("%g", "g", "domain = \"etype_src\", count = 15 : i64", CURSOR("etype_src", "g"),
     LOAD("%a", "%we", "etype", W65, "%i", CURSOR("etype_src", "g"))
     LOAD("%b", "%wn", "ntype", V6, "%i", CURSOR("etype_src", "g"))
     "%c = \"gnn.multiply\"(%b, %a) : (" V6 ", " W65 ") -> " W65 "\n"
     STORE("%c", W65, "%both", "etype_src", "%i", CURSOR("etype_src", "g")))
     "return\n}\n"},
    {false,
     "func.func @m.run() attributes {gnn.phase = \"run\", gnn.workspace_slots = [\"edge:g.unique_src x 5\", "
     "\"edge:g.unique_dst x 6\", \"edge:g.unique_dst x 5\", \"graph x 6\"]} {\n"
     "%g = \"intra.graph\"() {set = \"g\"} : () -> " GRAPH("g") "\n"
     "%gs = \"intra.graph\"() {set = \"g.unique_src\"} : () -> " GRAPH("g.unique_src") "\n"
     "%gd = \"intra.graph\"() {set = \"g.unique_dst\"} : () -> " GRAPH("g.unique_dst") "\n"
     BUFFER("%x", "input", "name = \"x\"", "node:g", V6)
     BUFFER("%p", "input", "name = \"p\"", "node:g:2", V6)
     BUFFER("%a", "input", "name = \"a\"", "edge:g", "f32")
     BUFFER("%h", "input", "name = \"h\"", "edge:g", "tensor<2xf32>")
     BUFFER("%o0", "output", "name = \"o0\"", "node:g", V5)
     BUFFER("%o1", "output", "name = \"o1\"", "node:g", V5)
     BUFFER("%o2", "output", "name = \"o2\"", "edge:g", V5)
     BUFFER("%o3", "output", "name = \"o3\"", "edge:g", V5)
     BUFFER("%o4", "output", "name = \"o4\"", "node:g", V6)
     BUFFER("%o5", "output", "name = \"o5\"", "node:g", V6)
     BUFFER("%o6", "output", "name = \"o6\"", "node:g", V6)
     BUFFER("%o7", "output", "name = \"o7\"", "node:g", "tensor<2x3xf32>")
     BUFFER("%kept", "bound", "slot = 0 : i64, count = 5 : i64, name = \"kept\"", "etype", W65)
     BUFFER("%both", "bound", "slot = 1 : i64, count = 15 : i64, name = \"both\"", "etype_src", W65)
     BUFFER("%messages", "workspace", "slot = 0 : i64, name = \"messages\"", "edge:g.unique_src", V5)
     BUFFER("%sums", "workspace", "slot = 1 : i64, name = \"sums\"", "edge:g.unique_dst", V6)
     BUFFER("%made", "workspace", "slot = 2 : i64, name = \"made\"", "edge:g.unique_dst", V5)
     BUFFER("%pool", "workspace", "slot = 3 : i64, name = \"pool\"", "graph", V6)},
    {false,
     GEMM("%x", "node:g", "%both", "etype_src", "%gs", "g.unique_src", "gather = \"src\"", PAIR_SRC,
     STORE("%y", V5, "%messages", "edge:g.unique_src", "%i", PAIR_SRC))},
    {true,
     TRAVERSE("%g", "g", "domain = \"node\"", NODE, SUM_PAIRS("for_incoming", "sum", "src", "%o0"))},
    {false,
     TRAVERSE("%gd", "g.unique_dst", "domain = \"edge\"", PAIR_DST,
     "%l = \"inter.for_members\"(%g, %i) ({\n^bb0(%e: " EDGE "):\n%s = \"inter.src\"(%e) : (" EDGE ") -> " NODE "\n"
     LOAD("%v", "%x", "node:g", V6, "%s", NODE) YIELD1("%v", V6)
     "}) {reduce = [\"sum\"]} : (" GRAPH("g") ", " PAIR_DST ") -> !inter.results\n" RESULT("%t", "%l", "0", V6)
     "%c = \"inter.group_size\"(%i) : (" PAIR_DST ") -> f32\n%q = \"gnn.divide\"(%t, %c) : (" V6 ", f32) -> " V6 "\n"
     STORE("%q", V6, "%sums", "edge:g.unique_dst", "%i", PAIR_DST))},
    {false,
     GEMM("%sums", "edge:g.unique_dst", "%kept", "etype", "%gd", "g.unique_dst", "gather = \"none\"", PAIR_DST,
     STORE("%y", V5, "%made", "edge:g.unique_dst", "%i", PAIR_DST))},
    {false,
     TRAVERSE("%g", "g", "domain = \"node\"", NODE,
     INCOMING("%l", "for_incoming", "%gd", "g.unique_dst", " {reduce = [\"max\"]}", "^bb0(%u: " PAIR_DST "):\n"
     LOAD("%m", "%made", "edge:g.unique_dst", V5, "%u", PAIR_DST) YIELD1("%m", V5))
     RESULT("%s", "%l", "0", V5) STORE("%s", V5, "%o1", "node:g", "%i", NODE))},
    {false,
     GEMM("%x", "node:g", "%kept", "etype", "%g", "g", "gather = \"dst\"", EDGE,
     STORE("%y", V5, "%o2", "edge:g", "%i", EDGE))},
    {false,
     TRAVERSE("%g", "g", "domain = \"edge\"", EDGE, LOAD("%w", "%both", "etype_src", W65, "%i", EDGE)
     "%s = \"inter.src\"(%i) : (" EDGE ") -> " NODE "\n" LOAD("%v", "%x", "node:g", V6, "%s", NODE)
     "%y = \"gnn.linear\"(%v, %w) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (" V6 ", " W65 ") -> " V5 "\n"
     STORE("%y", V5, "%o3", "edge:g", "%i", EDGE))},
    {false,
     TRAVERSE("%g", "g", "domain = \"graph\", count = -1 : i64", CURSOR("graph", "g"),
     "%l = \"inter.for_members\"(%g, %i) ({\n^bb0(%n: " NODE "):\n" LOAD("%v", "%x", "node:g", V6, "%n", NODE)
     YIELD1("%v", V6) "}) {reduce = [\"mean\"]} : (" GRAPH("g") ", " CURSOR("graph", "g") ") -> !inter.results\n"
     RESULT("%s", "%l", "0", V6) STORE("%s", V6, "%pool", "graph", "%i", CURSOR("graph", "g")))},
    {false,
     TRAVERSE("%g", "g", "domain = \"node\"", NODE, LOAD("%b", "%pool", "graph", V6, "%i", NODE)
     STORE("%b", V6, "%o4", "node:g", "%i", NODE))},
    {false,
     TRAVERSE("%g", "g", "domain = \"node\"", NODE, LOAD("%v", "%x", "node:g", V6, "%i", NODE)
     "%u = \"intra.unite\"(%p, %i, %v) : (" MEMORY("node:g:2", V6) ", " NODE ", " V6 ") -> " V6 "\n"
     STORE("%u", V6, "%o5", "node:g", "%i", NODE))},
    {true,
     TRAVERSE("%g", "g", "domain = \"node\"", NODE, SOFTMAX("%a", "f32", V6, "%v") STORE("%r", V6, "%o6", "node:g", "%i", NODE))},
    {true,
     TRAVERSE("%g", "g", "domain = \"node\"", NODE,
     SOFTMAX("%h", "tensor<2xf32>", "tensor<2x3xf32>",
     "%z") STORE("%r", "tensor<2x3xf32>", "%o7", "node:g", "%i", NODE))},
    {false,
     "return\n}\n}\n"},
};
/* clang-format on */

static char *build(bool has_csc) {
  text ir = {0};
  for (size_t i = 0; i < sizeof pieces / sizeof pieces[0]; i++)
    if (has_csc || !pieces[i].needs_csc) text_append(&ir, pieces[i].text);
  char *made = malloc(ir.size + 1);
  memcpy(made, text_str(&ir), ir.size + 1);
  text_free(&ir);
  return made;
}

/* ---- the graph ---- */

static int32_t src[EDGES], dst[EDGES], edge_type[EDGES], node_type[NODES], batch[NODES];
static float x[NODES * WIDTH], parts[NODES * WIDTH], a[EDGES], h[EDGES * 2];
static float we[ETYPES * WIDTH * OUT], wn[NTYPES * WIDTH];

/* The edges of node 3 fill three chunks of a softmax, nodes from 50 on have no edge, no edge has
 * type 1, and pairs repeat. */
static void make_graph(void) {
  unsigned seed = 7;
  for (int e = 0; e < EDGES; e++) {
    seed = seed * 1664525u + 1013904223u;
    src[e] = (int32_t)(seed >> 9) % (e % 3 ? 50 : 8);
    dst[e] = e % 2 ? 3 : (int32_t)(seed >> 17) % 50;
    edge_type[e] = (int32_t)(seed >> 13) % ETYPES;
    if (edge_type[e] == 1) edge_type[e] = 4;
  }
  for (int n = 0; n < NODES; n++) {
    node_type[n] = (n * 5 + n / 7) % NTYPES;
    batch[n] = n * 3 / NODES + (n % 11 == 0);
  }
  fixture_fill(x, NODES * WIDTH, 1);
  fixture_fill(parts, NODES * WIDTH, 2);
  fixture_fill(a, EDGES, 3);
  fixture_fill(h, EDGES * 2, 4);
  fixture_fill(we, ETYPES * WIDTH * OUT, 5);
  fixture_fill(wn, NTYPES * WIDTH, 6);
  a[1] = 90; /* forces the softmax to rescale the sum so far */
}

static gnnc_graph graph(void) {
  return (gnnc_graph){sizeof(gnnc_graph), NODES, EDGES, src, dst, edge_type, node_type, batch, GRAPHS, NULL};
}

/* ---- expected values ---- */

enum { OUTPUTS = 8 };
static float found[OUTPUTS][EDGES * WIDTH];
static double wanted[OUTPUTS][EDGES * WIDTH];

/* x times the weight of an edge type, scaled by the node type where `scale` is not NULL. */
static void multiply(const double *row, int type, const float *scale, double *to) {
  for (int j = 0; j < OUT; j++) {
    to[j] = 0;
    for (int k = 0; k < WIDTH; k++)
      to[j] += row[k] * (double)we[(type * WIDTH + k) * OUT + j] * (scale ? (double)scale[k] : 1);
  }
}

static void row_of(int node, double *to) {
  for (int k = 0; k < WIDTH; k++) to[k] = (double)x[node * WIDTH + k];
}

static void want_edges(void) {
  for (int e = 0; e < EDGES; e++) {
    double row[WIDTH];
    row_of(dst[e], row);
    multiply(row, edge_type[e], NULL, &wanted[2][e * OUT]);
    row_of(src[e], row);
    multiply(row, edge_type[e], wn + node_type[src[e]] * WIDTH, &wanted[3][e * OUT]);
    for (int j = 0; j < OUT; j++) wanted[0][dst[e] * OUT + j] += wanted[3][e * OUT + j];
  }
}

/* The maximum over edge types of the product of that type with the mean of its sources. */
static void want_groups(int n) {
  bool any = false;
  for (int t = 0; t < ETYPES; t++) {
    double sum[WIDTH] = {0}, y[OUT];
    int count = 0;
    for (int e = 0; e < EDGES; e++) {
      if (dst[e] != n || edge_type[e] != t) continue;
      count++;
      for (int k = 0; k < WIDTH; k++) sum[k] += (double)x[src[e] * WIDTH + k];
    }
    if (!count) continue;
    for (int k = 0; k < WIDTH; k++) sum[k] /= count;
    multiply(sum, t, NULL, y);
    for (int j = 0; j < OUT; j++)
      if (!any || y[j] > wanted[1][n * OUT + j]) wanted[1][n * OUT + j] = y[j];
    any = true;
  }
}

static void want_softmax(int n, int head, int heads, const float *logits, int output) {
  double top = -INFINITY, sum = 0;
  for (int e = 0; e < EDGES; e++)
    if (dst[e] == n) top = fmax(top, (double)logits[e * heads + head]);
  for (int e = 0; e < EDGES; e++)
    if (dst[e] == n) sum += exp((double)logits[e * heads + head] - top);
  int each = WIDTH / heads;
  for (int e = 0; e < EDGES; e++)
    for (int c = 0; dst[e] == n && c < each; c++)
      wanted[output][n * WIDTH + head * each + c] +=
          exp((double)logits[e * heads + head] - top) / sum * (double)x[src[e] * WIDTH + head * each + c];
}

static void want_nodes(void) {
  int count[GRAPHS] = {0}, place = 0;
  double sums[GRAPHS][WIDTH] = {{0}};
  for (int n = 0; n < NODES; n++) {
    count[batch[n]]++;
    for (int k = 0; k < WIDTH; k++) sums[batch[n]][k] += (double)x[n * WIDTH + k];
  }
  for (int n = 0; n < NODES; n++) {
    const float *row = node_type[n] == 2 ? parts + place++ * WIDTH : x + n * WIDTH;
    for (int k = 0; k < WIDTH; k++) {
      wanted[4][n * WIDTH + k] = sums[batch[n]][k] / count[batch[n]];
      wanted[5][n * WIDTH + k] = (double)row[k];
    }
    want_groups(n);
    want_softmax(n, 0, 1, a, 6);
    want_softmax(n, 0, 2, h, 7);
    want_softmax(n, 1, 2, h, 7);
  }
}

/* ---- running ---- */

static const void *const weights[] = {we, wn};
static const void *const inputs[] = {x, parts, a, h};

static void check_outputs(const char *what, bool has_csc, double tolerance) {
  static const int sizes[OUTPUTS] = {NODES * OUT,   NODES * OUT,   EDGES * OUT,   EDGES * OUT,
                                     NODES * WIDTH, NODES * WIDTH, NODES * WIDTH, NODES * WIDTH};
  static const bool needs_csc[OUTPUTS] = {[0] = true, [6] = true, [7] = true};
  for (int o = 0; o < OUTPUTS; o++)
    for (int i = 0; i < sizes[o] && (has_csc || !needs_csc[o]); i++) {
      if (fabs((double)found[o][i] - wanted[o][i]) <= tolerance * (1 + fabs(wanted[o][i]))) continue;
      unit_fail(__FILE__, __LINE__, "%s: o%d[%d] is %.9g, expected %.9g", what, o, i, (double)found[o][i],
                wanted[o][i]);
      break;
    }
}

static void run_model(bool has_csc, const char *what, codegen_c_options options, const char *flags, int threads) {
  fixture f;
  make_graph();
  memset(wanted, 0, sizeof wanted);
  want_edges();
  want_nodes();
  gnnc_graph g = graph();
  void *outputs[OUTPUTS];
  for (int o = 0; o < OUTPUTS; o++) outputs[o] = found[o];
  char *ir = build(has_csc);
  if (fixture_begin(&f, ir, options, flags)) {
    CHECK_INT(fixture_run(&f, &g, weights, inputs, outputs, threads), GNNC_OK);
    check_outputs(what, has_csc, options.is_f64 ? 1e-6 : 1e-5);
  }
  free(ir);
  fixture_end(&f);
}

TEST(typed_kernels_compute_what_they_say) {
  run_model(true, "by destination", (codegen_c_options){0}, "", 1);
}

TEST(edges_in_the_order_of_the_caller_do_as_well) {
  run_model(false, "by number", (codegen_c_options){0}, "", 1);
}

TEST(doubles_too) {
  run_model(true, "f64", (codegen_c_options){.is_f64 = true}, "", 1);
}

#if !defined(__clang__)
TEST(threads_change_nothing) {
  static float first[OUTPUTS][EDGES * WIDTH];
  run_model(true, "one thread", (codegen_c_options){0}, "", 1);
  memcpy(first, found, sizeof first);
  run_model(true, "three threads", (codegen_c_options){0}, "", 3);
  CHECK_INT(memcmp(first, found, sizeof first), 0);
}
#endif

/* ---- the tables, and the refusals of bind ---- */

static gnnc_result bind(const fixture *f, const gnnc_graph *g, int64_t *index) {
  size_t size = f->info->bound_bytes(g);
  void *bound = malloc(size);
  gnnc_result result = f->info->bind(GNNC_ABI_VERSION, g, weights, bound, size, index);
  free(bound);
  return result;
}

TEST(graphs_that_do_not_fit_are_refused) {
  fixture f;
  int64_t index = -1;
  make_graph();
  gnnc_graph g = graph();
  char *ir = build(true);
  if (fixture_begin(&f, ir, (codegen_c_options){0}, "")) {
    CHECK_INT(f.info->inputs[1].rows, GNNC_ROWS_PART);
    CHECK_INT(f.info->inputs[1].count, 2);
    node_type[4] = NTYPES;
    CHECK_INT(bind(&f, &g, &index), GNNC_ERROR_TYPE_RANGE);
    CHECK_INT(index, 4);
    make_graph();
    edge_type[9] = -1;
    CHECK_INT(bind(&f, &g, &index), GNNC_ERROR_TYPE_RANGE);
    CHECK_INT(index, 9);
    make_graph();
    batch[2] = GRAPHS;
    CHECK_INT(bind(&f, &g, &index), GNNC_ERROR_TYPE_RANGE);
    CHECK_INT(index, 2);
    make_graph();
    g.node_type = NULL;
    CHECK_INT(bind(&f, &g, &index), GNNC_ERROR_NULL);
    CHECK_INT(index, 6);
  }
  free(ir);
  fixture_end(&f);
}

/* The model has space for the pairs of types of the graph for which it was compiled. */
TEST(a_pair_of_types_too_many_is_refused) {
  fixture f;
  int64_t index = -1;
  make_graph();
  gnnc_graph g = graph();
  char *ir = build(true);
  for (char *at = ir; (at = strstr(at, "count = 15"));) memcpy(at, "count = 11", strlen("count = 11"));
  if (fixture_begin(&f, ir, (codegen_c_options){0}, "")) {
    CHECK_INT(bind(&f, &g, &index), GNNC_ERROR_TYPE_RANGE);
    CHECK(index >= 0 && edge_type[index] == 4 && node_type[src[index]] == 2);
    for (int n = 0; n < NODES; n++)
      if (node_type[n] == 2) node_type[n] = 1;
    CHECK_INT(bind(&f, &g, &index), GNNC_OK);
  }
  free(ir);
  fixture_end(&f);
}

/* A graph may have no edges, and no nodes. */
TEST(empty_graphs_are_bound_and_run) {
  fixture f;
  make_graph();
  void *outputs[OUTPUTS];
  for (int o = 0; o < OUTPUTS; o++) outputs[o] = found[o];
  char *ir = build(true);
  if (fixture_begin(&f, ir, (codegen_c_options){0}, "")) {
    gnnc_graph g = {sizeof g, NODES, 0, src, dst, edge_type, node_type, batch, GRAPHS, NULL};
    CHECK_INT(fixture_run(&f, &g, weights, inputs, outputs, 1), GNNC_OK);
    for (int i = 0; i < NODES * OUT; i++) CHECK(found[0][i] == 0 && found[1][i] == 0 && found[6][i] == 0);
    g.num_nodes = 0;
    CHECK_INT(fixture_run(&f, &g, weights, inputs, outputs, 1), GNNC_OK);
  }
  free(ir);
  fixture_end(&f);
}

static double softmax_of(const fixture *f, float value) {
  gnnc_graph g = graph();
  void *outputs[OUTPUTS];
  for (int o = 0; o < OUTPUTS; o++) outputs[o] = found[o];
  make_graph();
  for (int e = 0; e < EDGES; e++)
    if (dst[e] == 3 && (e == 399 || isinf(value))) a[e] = value;
  CHECK_INT(fixture_run(f, &g, weights, inputs, outputs, 1), GNNC_OK);
  return (double)found[6][3 * WIDTH];
}

/* A softmax that subtracts the maximum first gives NaN here, too. */
TEST(a_softmax_without_a_number_is_none) {
  fixture f;
  char *ir = build(true);
  if (fixture_begin(&f, ir, (codegen_c_options){0}, "")) {
    CHECK(isnan(softmax_of(&f, NAN)));
    CHECK(isnan(softmax_of(&f, -INFINITY)));
    CHECK(isnan(softmax_of(&f, INFINITY)));
  }
  free(ir);
  fixture_end(&f);
}
