/* Models made for ranks: what bind and run refuse in the ghosts that a caller describes, which rows they send and await, and what they
 * return where an exchange fails. */
#include "codegen_fixture.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#pragma GCC diagnostic ignored "-Woverlength-strings"

#define ROWS "!intra.memory<\"node:g\", tensor<2xf32>>"
#define NODE "!inter.cursor<\"node\", \"g\">"
#define EDGE "!inter.cursor<\"edge\", \"g\">"
#define BUFFER(name, more) "%" name " = \"intra.buffer\"() {name = \"" name "\", " more "} : () -> " ROWS "\n"
#define KEPT BUFFER("kept", "space = \"bound\", slot = 0 : i64")
#define LOAD(to, from, cursor)                                                                                         \
  "%" to " = \"intra.load\"(%" from ", %" cursor ") : (" ROWS ", " NODE ") -> tensor<2xf32>\n"
#define STORE(value, to) "\"intra.store\"(%" value ", %" to ", %n) : (tensor<2xf32>, " ROWS ", " NODE ") -> ()\n"
#define NODES(body)                                                                                                    \
  "\"intra.traverse\"(%g) ({\n^bb0(%n: " NODE "):\n" body                                                              \
  "\"smt.yield\"() : () -> ()\n}) {domain = \"node\"} : (!gnn.graph<\"g\">) -> ()\n"
#define EXCHANGE(name, more)                                                                                           \
  "\"intra.exchange\"(%" name ") {operandSegmentSizes = array<i32: 1, 0, 0, 0>" more "} : (" ROWS ") -> ()\n"

/* bind: kept = 2 w at own nodes, and at ghosts what comes; run: t = 2 x, and y = sum over incoming edges of t[src] kept[src]. */
static const char ranks_model[] =
    "module attributes {gnn.model = \"m\", gnn.source = \"m.gnn\", gnn.ranks, gnn.bound_slots = [\"node:g x "
    "2\"]} {\n"
    "ml_program.global private @w(#ml_program.extern<tensor<2xf32>>) : tensor<2xf32>\n"
    "func.func @m.bind() attributes {gnn.phase = \"bind\", gnn.workspace_slots = []} {\n"
    "%g = \"intra.graph\"() {set = \"g\"} : () -> !gnn.graph<\"g\">\n"
    "%w = \"intra.buffer\"() {space = \"weight\", name = \"w\"} : () -> !intra.memory<\"one\", tensor<2xf32>>\n" KEPT
    "\"intra.call\"() {callee = \"adjacency\", set = \"g\", form = \"csc\", used_by = \"run\"} : () -> ()\n" NODES(
        "%v = \"intra.load\"(%w) : (!intra.memory<\"one\", tensor<2xf32>>) -> tensor<2xf32>\n%s = "
        "\"gnn.vector_add\"(%v, %v) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>\n" STORE("s", "kept"))
        EXCHANGE(
            "kept",
            "") "return\n}\n"
                "func.func @m.run() attributes {gnn.phase = \"run\", gnn.workspace_slots = [\"node:g x 2\"]} {\n"
                "%g = \"intra.graph\"() {set = \"g\"} : () -> !gnn.graph<\"g\">\n" KEPT BUFFER("x", "space = \"input\"")
                    BUFFER("y", "space = \"output\"") BUFFER("t", "space = \"workspace\", slot = 0 : i64")
                        NODES(LOAD("v", "x", "n") "%s = \"gnn.vector_add\"(%v, %v) : (tensor<2xf32>, tensor<2xf32>) -> "
                                                  "tensor<2xf32>\n" STORE("s", "t")) EXCHANGE("t", ", overlaps")
                            NODES("%l = \"inter.for_incoming\"(%g, %n) ({\n^bb1(%e: " EDGE "):\n"
                                  "%s = \"inter.src\"(%e) : (" EDGE ") -> " NODE "\n" LOAD("a", "t", "s")
                                      LOAD("b", "kept",
                                           "s") "%p = \"gnn.multiply\"(%a, %b) : (tensor<2xf32>, tensor<2xf32>) -> "
                                                "tensor<2xf32>\n"
                                                "\"smt.yield\"(%p) : (tensor<2xf32>) -> ()\n"
                                                "}) {reduce = [\"sum\"]} : (!gnn.graph<\"g\">, " NODE
                                                ") -> !inter.results\n"
                                                "%r = \"inter.result\"(%l) {index = 0 : i64} : (!inter.results) -> "
                                                "tensor<2xf32>\n" STORE("r", "y")) "return\n}\n}\n";

/* Nodes 0 to 2 are own, 0 is interior; 3 and 4 are ghosts. */
enum { NODES = 5, OWN = 3, GHOSTS = 2, EDGES = 6, WIDTH = 2 };
static const int32_t src[EDGES] = {1, 3, 0, 4, 3, 2}, dst[EDGES] = {0, 1, 1, 2, 2, 0};
static const float x[NODES * WIDTH] = {1, 2, 3, 4, 5, 6, NAN, NAN, NAN, NAN};
static const float w[WIDTH] = {1, 3};
/* t = 2 x and kept = 2 w at own nodes; at ghosts exchanges put 100 and 1000. */
static const float expected[OWN * WIDTH] = {32, 120, 100004, 100024, 200000, 200000};

/* Ranks in whose place a test stands. */
typedef struct neighbour {
  int begins, ends;
  gnnc_node_rows last;
  gnnc_result of_begin, of_end;
  int fails_at; /* the number of the exchange that fails, from 1 */
} neighbour;

static gnnc_result begin(void *user, const gnnc_node_rows *values, int32_t num_values) {
  neighbour *n = user;
  CHECK_INT(num_values, 1);
  CHECK_INT(values[0].row_bytes, WIDTH * sizeof(float));
  CHECK_INT(n->begins, n->ends);
  n->begins++;
  n->last = values[0];
  float *rows = values[0].data;
  for (int i = OWN * WIDTH; i < NODES * WIDTH; i++) rows[i] = NAN; /* nobody may read them yet */
  return n->begins == n->fails_at ? n->of_begin : GNNC_OK;
}

static gnnc_result end(void *user) {
  neighbour *n = user;
  n->ends++;
  CHECK_INT(n->begins, n->ends);
  float *rows = n->last.data;
  for (int i = OWN * WIDTH; i < NODES * WIDTH; i++) rows[i] = n->ends == 1 ? 100 : 1000;
  return n->ends == n->fails_at ? n->of_end : GNNC_OK;
}

/* A loaded model, a graph with ghosts, and blocks of its sizes. */
typedef struct ranks_fixture {
  fixture f;
  neighbour neighbour;
  gnnc_comm comm;
  gnnc_context context;
  gnnc_graph graph;
  void *bound, *workspace;
  size_t bound_size;
  int64_t index;
} ranks_fixture;

static bool ranks_begin_with(ranks_fixture *r, const char *model) {
  *r = (ranks_fixture){.index = -1};
  r->comm = (gnnc_comm){.size = sizeof r->comm,
                        .user = &r->neighbour,
                        .num_ghosts = GHOSTS,
                        .num_interior = 1,
                        .begin = begin,
                        .end = end};
  r->context = (gnnc_context){.size = sizeof r->context, .comm = &r->comm};
  r->graph = (gnnc_graph){
      .size = sizeof r->graph, .num_nodes = NODES, .num_edges = EDGES, .src = src, .dst = dst, .context = &r->context};
  if (!fixture_begin(&r->f, model, (codegen_c_options){0}, "")) return false;
  r->bound_size = r->f.info->bound_bytes(&r->graph);
  r->bound = calloc(1, r->bound_size);
  return true;
}

static bool ranks_begin(ranks_fixture *r) {
  return ranks_begin_with(r, ranks_model);
}

/* The same model, which also takes ranks that have columns. */
static bool ranks_begin_with_columns(ranks_fixture *r) {
  static const char rows[] = "gnn.ranks,", both[] = "gnn.ranks, gnn.columns,";
  char model[sizeof ranks_model + sizeof both];
  const char *at = strstr(ranks_model, rows);
  snprintf(model, sizeof model, "%.*s%s%s", (int)(at - ranks_model), ranks_model, both, at + strlen(rows));
  return ranks_begin_with(r, model);
}

static void ranks_end(ranks_fixture *r) {
  free(r->bound);
  free(r->workspace);
  fixture_end(&r->f);
}

static gnnc_result ranks_bind(ranks_fixture *r) {
  const void *weights[] = {w};
  r->neighbour.begins = r->neighbour.ends = 0;
  r->index = -1;
  return r->f.info->bind(GNNC_ABI_VERSION, &r->graph, weights, r->bound, r->bound_size, &r->index);
}

static gnnc_result ranks_run(ranks_fixture *r, const gnnc_context *context, float *y) {
  const void *inputs[] = {x};
  void *outputs[] = {y};
  free(r->workspace);
  r->workspace = malloc(r->f.info->workspace_bytes(r->bound, context));
  return r->f.info->run(r->bound, inputs, outputs, r->workspace, context);
}

TEST(rows_of_ghosts_come_in_bind_and_in_run_and_own_rows_are_computed) {
  ranks_fixture r;
  if (ranks_begin(&r)) {
    float y[NODES * WIDTH];
    for (int i = 0; i < NODES * WIDTH; i++) y[i] = -1;
    CHECK_INT(r.f.info->rank_needs, GNNC_RANKS);
    CHECK_INT(r.f.info->num_exchanges, 2);
    CHECK_INT(r.f.info->exchanges[0].in_bind, 1);
    CHECK_STR(r.f.info->exchanges[0].names, "kept");
    CHECK_INT(r.f.info->exchanges[1].in_bind, 0);
    CHECK_STR(r.f.info->exchanges[1].names, "t");
    CHECK_INT(r.f.info->exchanges[1].row_bytes, WIDTH * sizeof(float));
    CHECK_INT(ranks_bind(&r), GNNC_OK);
    CHECK_INT(r.neighbour.ends, 1);
    CHECK_INT(ranks_run(&r, &r.context, y), GNNC_OK);
    CHECK_INT(r.neighbour.ends, 2);
    for (int i = 0; i < OWN * WIDTH; i++) CHECK_NEAR(y[i], expected[i], 0);
    for (int i = OWN * WIDTH; i < NODES * WIDTH; i++) CHECK_NEAR(y[i], -1, 0); /* rows of ghosts are not written */
  }
  ranks_end(&r);
}

TEST(bind_refuses_ghosts_that_the_graph_cannot_have) {
  ranks_fixture r;
  if (ranks_begin(&r)) {
    static const int64_t counts[][2] = {{-1, 0},      {NODES + 1, 0},    {INT64_MIN, 0}, {INT64_MAX, 0},
                                        {GHOSTS, -1}, {GHOSTS, OWN + 1}, {0, NODES + 1}};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
      r.comm.num_ghosts = counts[i][0];
      r.comm.num_interior = counts[i][1];
      CHECK_INT(ranks_bind(&r), GNNC_ERROR_COUNT);
      CHECK_INT(r.neighbour.begins, 0);
    }
    r.comm = (gnnc_comm){
        .size = offsetof(gnnc_comm, rank) - 1, .user = &r.neighbour, .num_ghosts = GHOSTS, .begin = begin, .end = end};
    CHECK_INT(ranks_bind(&r), GNNC_ERROR_VERSION);
    CHECK_INT(r.index, (int64_t)offsetof(gnnc_comm, rank) - 1);
    float y[NODES * WIDTH];
    const void *inputs[] = {x};
    void *outputs[] = {y};
    CHECK_INT(r.f.info->run(r.bound, inputs, outputs, y, &r.context), GNNC_ERROR_NOT_BOUND);
  }
  ranks_end(&r);
}

TEST(bind_refuses_edges_into_ghosts_and_from_ghosts_into_interior_nodes_and_names_the_edge) {
  ranks_fixture r;
  if (ranks_begin(&r)) {
    int32_t other[EDGES];
    r.graph.dst = other;
    memcpy(other, dst, sizeof other);
    other[4] = OWN; /* the first ghost */
    CHECK_INT(ranks_bind(&r), GNNC_ERROR_EDGE_RANGE);
    CHECK_INT(r.index, 4);
    memcpy(other, dst, sizeof other);
    other[1] = 0; /* from ghost 3 */
    CHECK_INT(ranks_bind(&r), GNNC_ERROR_EDGE_RANGE);
    CHECK_INT(r.index, 1);
    r.comm.num_interior = 0;
    CHECK_INT(ranks_bind(&r), GNNC_OK);
    memcpy(other, dst, sizeof other);
    r.comm.num_interior = 2; /* node 1 has an edge from a ghost */
    CHECK_INT(ranks_bind(&r), GNNC_ERROR_EDGE_RANGE);
    CHECK_INT(r.index, 1);
    other[5] = NODES;
    CHECK_INT(ranks_bind(&r), GNNC_ERROR_EDGE_RANGE); /* no node at all comes before */
    CHECK_INT(r.index, 5);
    CHECK_INT(r.neighbour.begins, 0);
  }
  ranks_end(&r);
}

static gnnc_result transpose(void *user, const void *from, void *to, size_t strip_bytes, int32_t strips,
                             int32_t to_rows) {
  (void)user, (void)from, (void)to, (void)strip_bytes, (void)strips, (void)to_rows;
  return GNNC_OK;
}

/* All edges are there, so that some lead into ghosts; no node is interior. One rank has rows, whatever its caller says. */
TEST(bind_takes_all_edges_where_ranks_have_columns) {
  ranks_fixture r;
  static const int32_t all[EDGES] = {3, 1, 1, 2, 4, 0};
  if (ranks_begin_with_columns(&r)) {
    r.graph.dst = all;
    CHECK_INT(r.f.info->rank_needs, GNNC_RANKS | GNNC_RANKS_COLUMNS);
    r.comm.rank = 1;
    r.comm.ranks = 2;
    r.comm.num_interior = 0;
    CHECK_INT(ranks_bind(&r), GNNC_ERROR_EDGE_RANGE); /* they have rows */
    r.comm.has_columns = 1;
    CHECK_INT(ranks_bind(&r), GNNC_ERROR_NULL);
    r.comm.transpose = transpose;
    CHECK_INT(ranks_bind(&r), GNNC_OK);
    r.comm.num_interior = 1;
    CHECK_INT(ranks_bind(&r), GNNC_ERROR_COUNT);
    r.comm.num_interior = 0;
    r.comm.rank = 2;
    CHECK_INT(ranks_bind(&r), GNNC_ERROR_COUNT);
    r.comm.rank = 0;
    r.comm.ranks = 1;
    CHECK_INT(ranks_bind(&r), GNNC_ERROR_EDGE_RANGE);
    r.comm.ranks = 2;
    r.comm.size = offsetof(gnnc_comm, transpose); /* a caller of an earlier version */
    CHECK_INT(ranks_bind(&r), GNNC_ERROR_EDGE_RANGE);
  }
  ranks_end(&r);
}

TEST(run_takes_as_many_ghosts_as_bind) {
  ranks_fixture r;
  if (ranks_begin(&r)) {
    float y[NODES * WIDTH];
    const gnnc_context alone = {.size = sizeof alone}, earlier = {.size = offsetof(gnnc_context, comm)};
    gnnc_comm other = r.comm;
    const gnnc_context with_other = {.size = sizeof with_other, .comm = &other};
    CHECK_INT(ranks_bind(&r), GNNC_OK);
    for (other.num_ghosts = GHOSTS - 1; other.num_ghosts <= GHOSTS + 1; other.num_ghosts += 2)
      CHECK_INT(ranks_run(&r, &with_other, y), GNNC_ERROR_COMM);
    CHECK_INT(ranks_run(&r, &alone, y), GNNC_ERROR_COMM);
    CHECK_INT(ranks_run(&r, &earlier, y), GNNC_ERROR_COMM);
    CHECK_INT(ranks_run(&r, NULL, y), GNNC_ERROR_COMM);
    CHECK_INT(r.neighbour.begins, 1); /* that of bind */
    CHECK_INT(ranks_run(&r, &r.context, y), GNNC_OK);
  }
  ranks_end(&r);
}

TEST(what_an_exchange_returns_bind_and_run_return) {
  ranks_fixture r;
  if (ranks_begin(&r)) {
    float y[NODES * WIDTH];
    r.neighbour = (neighbour){.fails_at = 1, .of_begin = GNNC_ERROR_COMM};
    CHECK_INT(ranks_bind(&r), GNNC_ERROR_COMM);
    CHECK_INT(r.neighbour.ends, 0);
    CHECK_INT(r.f.info->workspace_bytes(r.bound, &r.context), 0); /* it is not bound */
    r.neighbour = (neighbour){.fails_at = 1, .of_end = GNNC_ERROR_STATE};
    CHECK_INT(ranks_bind(&r), GNNC_ERROR_STATE);
    r.neighbour = (neighbour){.fails_at = 2, .of_begin = GNNC_ERROR_STATE};
    CHECK_INT(ranks_bind(&r), GNNC_OK);
    CHECK_INT(ranks_run(&r, &r.context, y), GNNC_ERROR_STATE);
    r.neighbour = (neighbour){.fails_at = 2, .of_end = GNNC_ERROR_COMM};
    CHECK_INT(ranks_bind(&r), GNNC_OK);
    CHECK_INT(ranks_run(&r, &r.context, y), GNNC_ERROR_COMM);
  }
  ranks_end(&r);
}

TEST(a_rank_alone_computes_the_whole_graph) {
  ranks_fixture r;
  if (ranks_begin(&r)) {
    static const float numbers[NODES * WIDTH] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
    const void *weights[] = {w}, *inputs[] = {numbers};
    float y[NODES * WIDTH];
    void *outputs[] = {y};
    r.graph.context = NULL;
    CHECK_INT(r.f.info->bind(GNNC_ABI_VERSION, &r.graph, weights, r.bound, r.bound_size, NULL), GNNC_OK);
    r.workspace = malloc(r.f.info->workspace_bytes(r.bound, NULL));
    CHECK_INT(r.f.info->run(r.bound, inputs, outputs, r.workspace, NULL), GNNC_OK);
    for (int n = 0; n < NODES; n++)
      for (int j = 0; j < WIDTH; j++) {
        float sum = 0;
        for (int e = 0; e < EDGES; e++)
          if (dst[e] == n) sum += 4 * numbers[src[e] * WIDTH + j] * w[j];
        CHECK_NEAR(y[n * WIDTH + j], sum, 0);
      }
    CHECK_INT(r.neighbour.begins, 0);
  }
  ranks_end(&r);
}

/* ---- rows of edges ---- */

#define VALUES "!intra.memory<\"edge:g\", f32>"
#define SUMS "!intra.memory<\"node:g\", f32>"

/* bind: c = edges into the destination; ranks exchange c; run: y = sum over outgoing edges of c, times x. */
static const char edges_model[] =
    "module attributes {gnn.model = \"m\", gnn.source = \"m.gnn\", gnn.ranks, gnn.out_edges, gnn.bound_slots = "
    "[\"edge:g x 1\"]} {\n"
    "func.func @m.bind() attributes {gnn.phase = \"bind\", gnn.workspace_slots = []} {\n"
    "%g = \"intra.graph\"() {set = \"g\"} : () -> !gnn.graph<\"g\">\n"
    "%c = \"intra.buffer\"() {space = \"bound\", name = \"c\", slot = 0 : i64} : () -> " VALUES "\n"
    "\"intra.call\"() {callee = \"adjacency\", set = \"g\", form = \"csc\", used_by = \"run\"} : () -> ()\n"
    "\"intra.call\"() {callee = \"adjacency\", set = \"g\", form = \"coo\", used_by = \"run\"} : () -> ()\n"
    "\"intra.call\"() {callee = \"adjacency\", set = \"g\", form = \"csr\", used_by = \"run\"} : () -> ()\n"
    "\"intra.traverse\"(%g) ({\n^bb0(%e: " EDGE "):\n"
    "%n = \"inter.dst\"(%e) : (" EDGE ") -> " NODE "\n"
    "%d = \"inter.degree\"(%g, %n) {direction = \"in\"} : (!gnn.graph<\"g\">, " NODE ") -> f32\n"
    "\"intra.store\"(%d, %c, %e) : (f32, " VALUES ", " EDGE ") -> ()\n"
    "\"smt.yield\"() : () -> ()\n}) {domain = \"edge\"} : (!gnn.graph<\"g\">) -> ()\n"
    "\"intra.exchange_edges\"(%c) : (" VALUES ") -> ()\nreturn\n}\n"
    "func.func @m.run() attributes {gnn.phase = \"run\", gnn.workspace_slots = []} {\n"
    "%g = \"intra.graph\"() {set = \"g\"} : () -> !gnn.graph<\"g\">\n"
    "%c = \"intra.buffer\"() {space = \"bound\", name = \"c\", slot = 0 : i64} : () -> " VALUES "\n"
    "%x = \"intra.buffer\"() {space = \"input\", name = \"x\"} : () -> " SUMS "\n"
    "%y = \"intra.buffer\"() {space = \"output\", name = \"y\"} : () -> " SUMS "\n"
    "\"intra.traverse\"(%g) ({\n^bb0(%n: " NODE "):\n"
    "%l = \"inter.for_outgoing\"(%g, %n) ({\n^bb1(%e: " EDGE "):\n"
    "%a = \"intra.load\"(%c, %e) : (" VALUES ", " EDGE ") -> f32\n"
    "\"smt.yield\"(%a) : (f32) -> ()\n"
    "}) {reduce = [\"sum\"]} : (!gnn.graph<\"g\">, " NODE ") -> !inter.results\n"
    "%r = \"inter.result\"(%l) {index = 0 : i64} : (!inter.results) -> f32\n"
    "%v = \"intra.load\"(%x, %n) : (" SUMS ", " NODE ") -> f32\n"
    "%p = \"gnn.multiply\"(%r, %v) : (f32, f32) -> f32\n"
    "\"intra.store\"(%p, %y, %n) : (f32, " SUMS ", " NODE ") -> ()\n"
    "\"smt.yield\"() : () -> ()\n}) {domain = \"node\"} : (!gnn.graph<\"g\">) -> ()\nreturn\n}\n}\n";

/* Nodes 0 to 2 are own, 0 is interior; edges 1 and 4 come from ghosts, 2 and 6 lead into them. */
enum { ALL_EDGES = 7 };
static const int32_t all_src[ALL_EDGES] = {1, 3, 1, 0, 4, 2, 2}, all_dst[ALL_EDGES] = {0, 1, 4, 1, 2, 0, 3};

typedef struct edges_neighbour {
  int calls;
  gnnc_result result;
} edges_neighbour;

/* Edges of this rank have the in-degree of their destinations; the value of edge e into a ghost becomes 100 + e. */
static gnnc_result share_edges(void *user, void *data, size_t row_bytes, const int32_t *places) {
  edges_neighbour *n = user;
  static const float degrees[OWN] = {2, 2, 1};
  float *rows = data;
  n->calls++;
  CHECK_INT(row_bytes, sizeof *rows);
  CHECK(places);
  for (int32_t e = 0; places && e < ALL_EDGES; e++) {
    if (all_dst[e] < OWN)
      CHECK_NEAR(rows[places[e]], degrees[all_dst[e]], 0);
    else
      rows[places[e]] = 100 + (float)e;
  }
  return n->result;
}

typedef struct edges_fixture {
  fixture f;
  edges_neighbour neighbour;
  gnnc_comm comm;
  gnnc_context context;
  gnnc_graph graph;
  void *bound;
  size_t bound_size;
  int64_t index;
} edges_fixture;

static bool edges_begin(edges_fixture *r) {
  *r = (edges_fixture){.index = -1};
  r->comm = (gnnc_comm){.size = sizeof r->comm,
                        .user = &r->neighbour,
                        .num_ghosts = GHOSTS,
                        .num_interior = 1,
                        .begin = begin,
                        .end = end,
                        .share_edges = share_edges};
  r->context = (gnnc_context){.size = sizeof r->context, .comm = &r->comm};
  r->graph = (gnnc_graph){.size = sizeof r->graph,
                          .num_nodes = NODES,
                          .num_edges = ALL_EDGES,
                          .src = all_src,
                          .dst = all_dst,
                          .context = &r->context};
  if (!fixture_begin(&r->f, edges_model, (codegen_c_options){0}, "")) return false;
  r->bound_size = r->f.info->bound_bytes(&r->graph);
  r->bound = calloc(1, r->bound_size);
  return true;
}

static void edges_end(edges_fixture *r) {
  free(r->bound);
  fixture_end(&r->f);
}

static gnnc_result edges_bind(edges_fixture *r) {
  r->index = -1;
  return r->f.info->bind(GNNC_ABI_VERSION, &r->graph, NULL, r->bound, r->bound_size, &r->index);
}

static void edges_run(edges_fixture *r, const gnnc_context *context, float *y) {
  static const float ones[NODES] = {1, 1, 1, 1, 1};
  const void *inputs[] = {ones};
  void *outputs[] = {y};
  void *workspace = malloc(r->f.info->workspace_bytes(r->bound, context) + 1);
  CHECK_INT(r->f.info->run(r->bound, inputs, outputs, workspace, context), GNNC_OK);
  free(workspace);
}

TEST(rows_of_edges_into_ghosts_come_from_their_owners) {
  edges_fixture r;
  if (edges_begin(&r)) {
    float y[NODES] = {-1, -1, -1, -1, -1};
    CHECK_INT(r.f.info->rank_needs, GNNC_RANKS | GNNC_RANKS_OUT_EDGES | GNNC_RANKS_EDGES);
    CHECK_INT(r.f.info->num_exchanges, 1);
    CHECK_STR(r.f.info->exchanges[0].names, "c");
    CHECK_INT(r.f.info->exchanges[0].in_bind, 1);
    CHECK_INT(r.f.info->exchanges[0].of_edges, 1);
    CHECK_INT(r.f.info->exchanges[0].row_bytes, sizeof(float));
    CHECK_INT(edges_bind(&r), GNNC_OK);
    CHECK_INT(r.neighbour.calls, 1);
    edges_run(&r, &r.context, y);
    CHECK_INT(r.neighbour.calls, 1);
    static const float sums[NODES] = {2, 2 + 102, 2 + 106, -1, -1};
    for (int n = 0; n < NODES; n++) CHECK_NEAR(y[n], sums[n], 0);
    r.neighbour.result = GNNC_ERROR_COMM;
    CHECK_INT(edges_bind(&r), GNNC_ERROR_COMM);
  }
  edges_end(&r);
}

TEST(bind_refuses_ranks_that_exchange_no_rows_of_edges) {
  edges_fixture r;
  if (edges_begin(&r)) {
    r.comm.size = offsetof(gnnc_comm, share_edges);
    CHECK_INT(edges_bind(&r), GNNC_ERROR_VERSION);
    CHECK_INT(r.index, (int64_t)offsetof(gnnc_comm, share_edges));
    r.comm.size = sizeof r.comm;
    r.comm.share_edges = NULL;
    CHECK_INT(edges_bind(&r), GNNC_ERROR_NULL);
    CHECK_INT(r.neighbour.calls, 0);
    float y[NODES];
    r.graph.context = NULL; /* alone it needs none */
    CHECK_INT(edges_bind(&r), GNNC_OK);
    edges_run(&r, NULL, y);
    CHECK_NEAR(y[1], 2 + 1, 0);
  }
  edges_end(&r);
}

TEST(a_program_without_rows_of_edges_takes_ranks_that_exchange_none) {
  ranks_fixture r;
  if (ranks_begin(&r)) {
    r.comm.size = offsetof(gnnc_comm, share_edges);
    CHECK_INT(ranks_bind(&r), GNNC_OK);
  }
  ranks_end(&r);
}
