/* A small typed graph, weights, and a module parsed from text, for tests of values that the host
 * computes. */
#ifndef GNNC_TEST_UNIT_CODEGEN_CODEGEN_HOST_FIXTURE_H
#define GNNC_TEST_UNIT_CODEGEN_CODEGEN_HOST_FIXTURE_H

#include "codegen/device/host/host.h"
#include "support/text.h"
#include "unit.h"

typedef struct fixture {
  MlirContext context;
  MlirModule module;
  tensor_set *tensors, *weights;
  graph *graph;
  thread_pool *pool;
  program_host *host;
} fixture;

/* Six nodes of types 1 0 1 0 2 0 and eight edges. Node 2 has a stored loop, the edge 2 -> 0 is
 * stored twice, node 5 has no edge. */
enum { FIXTURE_NODES = 6, FIXTURE_EDGES = 8 };
static const int32_t fixture_ends[2][FIXTURE_EDGES] = {{0, 1, 2, 2, 2, 3, 4, 1}, {1, 2, 0, 2, 0, 4, 3, 3}};
static const int32_t fixture_edge_type[FIXTURE_EDGES] = {1, 0, 2, 0, 2, 1, 0, 0};
static const int32_t fixture_node_type[FIXTURE_NODES] = {1, 0, 1, 0, 2, 0};
static const int32_t fixture_batch[FIXTURE_NODES] = {0, 0, 0, 1, 1, 1};
static const float fixture_edge_weight[FIXTURE_EDGES] = {1, 2, 3, 4, 5, 6, 7, 8};

static void fixture_add(tensor_set *set, const char *name, dtype d, int32_t rank, const int64_t *dims,
                        const void *data) {
  void *to;
  CHECK_OK(tensor_set_add(set, name, d, rank, dims, &to));
  memcpy(to, data, tensor_set_find(set, name)->bytes);
}

/* Adds a weight with the numbers 1, 2, 3, ... */
static void fixture_weight(tensor_set *set, const char *name, int32_t rank, int64_t first, int64_t second,
                           int64_t third) {
  float numbers[256];
  const int64_t dims[] = {first, second, third};
  for (int i = 0; i < 256; i++) numbers[i] = (float)(i + 1);
  fixture_add(set, name, DTYPE_F32, rank, dims, numbers);
}

/* Parses @m(%g, ...) with this body, and makes the graph and the weights a to n. */
static void fixture_begin(fixture *f, const char *globals, const char *arguments, const char *body, int threads) {
  const int64_t ends[] = {2, FIXTURE_EDGES}, edges[] = {FIXTURE_EDGES}, nodes[] = {FIXTURE_NODES};
  *f = (fixture){.context = ir_context_create(), .tensors = tensor_set_create("g.safetensors")};
  f->weights = tensor_set_create("w.safetensors");
  tensor_set_put_metadata_int(f->tensors, "num_nodes", FIXTURE_NODES);
  fixture_add(f->tensors, "edge_index", DTYPE_I32, 2, ends, fixture_ends);
  fixture_add(f->tensors, "edge_type", DTYPE_I32, 1, edges, fixture_edge_type);
  fixture_add(f->tensors, "edge_weight", DTYPE_F32, 1, edges, fixture_edge_weight);
  fixture_add(f->tensors, "node_type", DTYPE_I32, 1, nodes, fixture_node_type);
  fixture_add(f->tensors, "batch", DTYPE_I32, 1, nodes, fixture_batch);
  CHECK_OK(graph_create(f->tensors, &f->graph));
  fixture_weight(f->weights, "a", 1, 3, 0, 0);
  fixture_weight(f->weights, "b", 2, 2, 3, 0);
  fixture_weight(f->weights, "c", 3, 3, 2, 2);
  fixture_weight(f->weights, "d", 2, 3, 2, 0);
  fixture_weight(f->weights, "e", 3, 2, 2, 2);
  fixture_weight(f->weights, "n", 2, FIXTURE_NODES, 2, 0);
  text module = {0};
  text_printf(
      &module,
      "#extern = #ml_program.extern\nmodule {\n%s\nfunc.func @m(%%g: !gnn.graph<\"g\">%s) {\n%s\nreturn\n}\n}\n",
      globals, arguments, body);
  f->module = ir_parse(f->context, text_str(&module), module.size);
  CHECK(!mlirModuleIsNull(f->module));
  text_free(&module);
  f->pool = thread_pool_create(threads);
  CHECK_OK(program_host_create(f->module, f->graph, f->weights, f->pool, &f->host));
}

static void fixture_end(fixture *f) {
  program_host_destroy(f->host);
  thread_pool_destroy(f->pool);
  mlirModuleDestroy(f->module);
  ir_context_destroy(f->context);
  graph_close(f->graph);
  tensor_set_destroy(f->tensors);
  tensor_set_destroy(f->weights);
}

/* The operation `back` places before the last one; the return does not count. */
static MlirOperation fixture_last(const fixture *f, int back) {
  MlirOperation op = mlirBlockGetFirstOperation(mlirModuleGetBody(f->module));
  while (strcmp(ir_op_name(op), "func.func") != 0) op = mlirOperationGetNextInBlock(op);
  int count = 0;
  MlirBlock body = ir_func_body(op);
  for (op = mlirBlockGetFirstOperation(body); !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) count++;
  op = mlirBlockGetFirstOperation(body);
  for (int i = 0; i < count - 2 - back; i++) op = mlirOperationGetNextInBlock(op);
  return op;
}

__attribute__((unused)) static void fixture_compare(const char *file, int line, const float *found,
                                                    const float *expected, int64_t count) {
  for (int64_t i = 0; i < count; i++) {
    bool is_same = (found[i] != found[i] && expected[i] != expected[i]) || fabsf(found[i] - expected[i]) <= 1e-6f;
    if (!is_same)
      unit_fail(file, line, "number %lld is %.9g, expected %.9g", (long long)i, (double)found[i], (double)expected[i]);
  }
}

/* The last value of a body has these numbers. */
#define CHECK_BODY(globals, arguments, body, rows_, width_, ...)                                                       \
  do {                                                                                                                 \
    fixture fixture_;                                                                                                  \
    fixture_begin(&fixture_, globals, arguments, body, 1);                                                             \
    CHECK_VALUE(&fixture_, rows_, width_, __VA_ARGS__);                                                                \
    fixture_end(&fixture_);                                                                                            \
  } while (0)

#define CHECK_VALUE(f, rows_, width_, ...)                                                                             \
  do {                                                                                                                 \
    const float numbers_[] = {__VA_ARGS__};                                                                            \
    program_array found_ = {0};                                                                                        \
    CHECK_OK(program_host_evaluate((f)->host, ir_result(fixture_last(f, 0)), &found_));                                \
    CHECK_INT(found_.rows, rows_);                                                                                     \
    CHECK_INT(found_.width, width_);                                                                                   \
    CHECK_INT(sizeof numbers_ / sizeof *numbers_, (rows_) * (width_));                                                 \
    if (found_.data) fixture_compare(__FILE__, __LINE__, found_.data, numbers_, (rows_) * (width_));                   \
  } while (0)

#endif
