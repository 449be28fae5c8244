/* A model of training with a weight of each kind, in IR of the intra level: its loss is half the sum of a w^2. */
#ifndef GNNC_TEST_UNIT_CODEGEN_CODEGEN_TRAIN_FIXTURE_H
#define GNNC_TEST_UNIT_CODEGEN_CODEGEN_TRAIN_FIXTURE_H

#include "codegen_fixture.h"

#pragma GCC diagnostic ignored "-Woverlength-strings"

/* The weights in their order. Embedding has a row per node, relation one per edge type. */
enum { TRAIN_matrix, TRAIN_relation, TRAIN_embedding, TRAIN_mean, TRAIN_scale, TRAIN_WEIGHTS };
enum { TRAIN_NODES = 3, TRAIN_EDGES = 4, TRAIN_TYPES = 2, TRAIN_DEPTH = 3, TRAIN_WIDTH = 2 };

#define TRAIN_BUFFER(name, more, rows, type)                                                                           \
  "%" name " = \"intra.buffer\"() {" more "} : () -> !intra.memory<\"" rows "\", " type ">\n"
#define TRAIN_WEIGHT(name, rows, type, more)                                                                           \
  TRAIN_BUFFER(name, "space = \"weight\", name = \"" name "\", from = \"file." name "\"" more, rows, type)
#define TRAIN_RESULT(id, name, role, rows, type)                                                                       \
  TRAIN_BUFFER(id, "space = \"output\", name = \"" name "\"" role, rows, type)
#define TRAIN_ARGUMENTS                                                                                                \
  "%g = \"intra.graph\"() {set = \"g\"} : () -> !gnn.graph<\"g\">\n" TRAIN_BUFFER(                                     \
      "x", "space = \"input\", name = \"x\", from = \"x\"", "node:g", "tensor<3xf32>")                                 \
      TRAIN_BUFFER("a", "space = \"input\", name = \"a\", from = \"a\"", "one", "tensor<3x2xf32>")                     \
          TRAIN_WEIGHT("matrix", "one", "tensor<3x2xf32>", "")                                                         \
              TRAIN_WEIGHT("relation", "etype", "tensor<2xf32>", ", count = 2 : i64, init = \"uniform 0.25\"")         \
                  TRAIN_WEIGHT("embedding", "node:g", "tensor<2xf32>", "")                                             \
                      TRAIN_WEIGHT("mean", "one", "tensor<2xf32>", ", init = \"ones\"")                                \
                          TRAIN_WEIGHT("scale", "one", "f32", ", init = \"normal 3\"")
/* %<to> = %<from> at the cursor. */
#define TRAIN_LOAD(to, from, rows, type, cursor)                                                                       \
  "%" to " = \"intra.load\"(%" from ", %c) : (!intra.memory<\"" rows "\", " type ">, !inter.cursor<\"" cursor          \
  "\", \"g\">) -> " type "\n"
#define TRAIN_LOAD_ONE(to, from, type)                                                                                 \
  "%" to " = \"intra.load\"(%" from ") : (!intra.memory<\"one\", " type ">) -> " type "\n"
#define TRAIN_STORE_ONE(value, to, type)                                                                               \
  "\"intra.store\"(%" value ", %" to ") : (" type ", !intra.memory<\"one\", " type ">) -> ()\n"
#define TRAIN_ONCE(body)                                                                                               \
  "\"intra.traverse\"() ({\n" body "\"smt.yield\"() : () -> ()\n}) {domain = \"one\"} : () -> ()\n"
/* The gradient of a weight with rows is the weight. */
#define TRAIN_SELF(weight, result, rows, cursor, more)                                                                 \
  "\"intra.traverse\"(%g) ({\n^bb0(%c: !inter.cursor<\"" cursor                                                        \
  "\", \"g\">):\n" TRAIN_LOAD("v", weight, rows, "tensor<2xf32>",                                                      \
                              cursor) "\"intra.store\"(%v, %" result ", %c) : (tensor<2xf32>, !intra.memory<\"" rows   \
                                      "\", tensor<2xf32>>, !inter.cursor<\"" cursor "\", \"g\">) -> ()\n"              \
                                      "\"smt.yield\"() : () -> ()\n}) {domain = \"" cursor "\"" more                   \
                                      "} : (!gnn.graph<\"g\">) -> ()\n"
/* The product of the rows of x and the matrix. */
#define TRAIN_PRODUCT(to)                                                                                              \
  "\"intra.gemm\"(%g, %x, %matrix) ({\n^bb0(%c: !inter.cursor<\"node\", \"g\">, %p: tensor<2xf32>):\n"                 \
  "\"intra.store\"(%p, %" to                                                                                           \
  ", %c) : (tensor<2xf32>, !intra.memory<\"node:g\", tensor<2xf32>>, !inter.cursor<\"node\", \"g\">) -> ()\n"          \
  "\"smt.yield\"() : () -> ()\n}) {gather = \"none\"} : (!gnn.graph<\"g\">, !intra.memory<\"node:g\", "                \
  "tensor<3xf32>>, !intra.memory<\"one\", tensor<3x2xf32>>) -> ()\n"
#define TRAIN_LOSS                                                                                                     \
  TRAIN_LOAD_ONE("w", "matrix", "tensor<3x2xf32>")                                                                     \
  TRAIN_LOAD_ONE("f", "a", "tensor<3x2xf32>")                                                                          \
  "%d = \"gnn.multiply\"(%f, %w) : (tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>\n"                            \
  "%e = \"gnn.multiply\"(%d, %w) : (tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>\n"                            \
  "%r = \"gnn.reduce\"(%e) {function = \"sum\"} : (tensor<3x2xf32>) -> tensor<3xf32>\n"                                \
  "%s = \"gnn.reduce\"(%r) {function = \"sum\"} : (tensor<3xf32>) -> f32\n"                                            \
  "%h = \"gnn.activation\"(%s) {function = \"mul_constant\", p = 0.5 : f64} : (f32) -> f32\n"

static const char train_model[] =
    "module attributes {gnn.model = \"m\", gnn.source = \"m.gnn\", gnn.training, gnn.bound_slots = []} {\n"
    "func.func @m.bind() attributes {gnn.phase = \"bind\", gnn.workspace_slots = []} {\n"
    "%g = \"intra.graph\"() {set = \"g\"} : () -> !gnn.graph<\"g\">\n"
    "\"intra.call\"() {callee = \"types\", set = \"g\", form = \"edge\", used_by = \"run\"} : () -> ()\n"
    "return\n}\n"
    "func.func @m.gradients() attributes {gnn.phase = \"gradients\", gnn.workspace_slots = [\"node:g x 2\"]} "
    "{\n" TRAIN_ARGUMENTS TRAIN_RESULT("nll", "nll", ", role = \"loss\"", "one", "f32") TRAIN_RESULT(
        "d_matrix", "matrix", ", role = \"gradient\"", "one",
        "tensor<3x2xf32>") TRAIN_BUFFER("d_relation",
                                        "space = \"output\", name = \"relation\", role = \"gradient\", count = 2 : "
                                        "i64",
                                        "etype", "tensor<2xf32>")
        TRAIN_RESULT("d_embedding", "embedding", ", role = \"gradient\"", "node:g",
                     "tensor<2xf32>") TRAIN_RESULT("new_mean", "mean", ", role = \"update\"", "one", "tensor<2xf32>")
            TRAIN_BUFFER("t", "space = \"workspace\", name = \"t\", slot = 0 : i64", "node:g", "tensor<2xf32>")
                TRAIN_PRODUCT("t") TRAIN_ONCE(TRAIN_LOSS TRAIN_STORE_ONE("d", "d_matrix", "tensor<3x2xf32>")
                                                  TRAIN_STORE_ONE("h", "nll", "f32"))
                    TRAIN_SELF("relation", "d_relation", "etype", "etype", ", count = 2 : i64")
                        TRAIN_SELF("embedding", "d_embedding", "node:g", "node", "") TRAIN_ONCE(TRAIN_LOAD_ONE(
                            "v", "mean",
                            "tensor<2xf32>") "%n = \"gnn.activation\"(%v) "
                                             "{function = \"mul_constant\", p = "
                                             "0.5 : f64} : (tensor<2xf32>) -> "
                                             "tensor<2xf32>\n" TRAIN_STORE_ONE(
                                                 "n", "new_mean",
                                                 "tensor<2xf32>")) "return\n}\n"
                                                                   "func.func @m.evaluate() attributes {gnn.phase = "
                                                                   "\"evaluate\", gnn.workspace_slots = [\"node:g x "
                                                                   "7\"]} {\n" TRAIN_ARGUMENTS TRAIN_RESULT(
                                                                       "y", "y", "", "node:g", "tensor<2xf32>")
                                                                       TRAIN_RESULT("nll", "nll", ", role = \"loss\"",
                                                                                    "one", "f32") TRAIN_PRODUCT("y")
                                                                           TRAIN_ONCE(TRAIN_LOSS TRAIN_STORE_ONE(
                                                                               "h", "nll", "f32")) "return\n}\n}\n";

/* A loaded model with its graph and its numbers, bound. */
typedef struct train_fixture {
  fixture f;
  const gnnc_train_info *info;
  float x[TRAIN_NODES * TRAIN_DEPTH], a[TRAIN_DEPTH * TRAIN_WIDTH];
  float matrix[TRAIN_DEPTH * TRAIN_WIDTH], relation[TRAIN_TYPES * 2], embedding[TRAIN_NODES * 2], mean[2], scale;
  float *weights[TRAIN_WEIGHTS];
  const void *inputs[2];
  void *bound, *workspace, *state;
} train_fixture;

static bool train_begin(train_fixture *t, codegen_c_options options, const char *flags) {
  static const int32_t src[] = {0, 2, 2, 1}, dst[] = {1, 1, 0, 1}, type[] = {0, 1, 1, 0};
  const gnnc_graph graph = {.size = sizeof graph,
                            .num_nodes = TRAIN_NODES,
                            .num_edges = TRAIN_EDGES,
                            .src = src,
                            .dst = dst,
                            .edge_type = type};
  *t = (train_fixture){.info = NULL};
  if (!fixture_load(&t->f, train_model, options, flags)) return false;
  void *symbol = dlsym(t->f.handle, "m_train_info");
  const gnnc_train_info *(*info)(void);
  memcpy(&info, &symbol, sizeof info);
  t->info = info();
  size_t size = t->info->bound_bytes(&graph);
  t->bound = malloc(size);
  CHECK_INT(t->info->bind(GNNC_ABI_VERSION, &graph, t->bound, size, NULL), GNNC_OK);
  t->workspace = malloc(t->info->workspace_bytes(t->bound, NULL));
  t->state = malloc(t->info->state_bytes(t->bound));
  float *const weights[TRAIN_WEIGHTS] = {t->matrix, t->relation, t->embedding, t->mean, &t->scale};
  memcpy(t->weights, weights, sizeof weights);
  t->inputs[0] = t->x;
  t->inputs[1] = t->a;
  fixture_fill(t->x, TRAIN_NODES * TRAIN_DEPTH, 1);
  fixture_fill(t->a, TRAIN_DEPTH * TRAIN_WIDTH, 2);
  for (int i = 0; i < TRAIN_DEPTH * TRAIN_WIDTH; i++) t->a[i] = fabsf(t->a[i]) + 0.25f;
  CHECK_INT(t->info->initialize(t->bound, t->weights, 1), GNNC_OK);
  CHECK_INT(t->info->reset(t->bound, t->state), GNNC_OK);
  return true;
}

static void train_end(train_fixture *t) {
  free(t->bound);
  free(t->workspace);
  free(t->state);
  fixture_end(&t->f);
}

#endif
