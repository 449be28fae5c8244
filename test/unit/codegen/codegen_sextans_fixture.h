/* Compiles modules of the device level for Sextans, runs them on a simulated device, and compares the
 * output with that of the target host, whose steps compute the same module on the host:
 *
 *   sextans_case c = {.body = "...", .out = "!rows24", .products = 1};
 *   sextans_run_everywhere(&c);
 *
 * The body ends in a value %y of the type `out`. All inputs and weights are whole numbers, so sums
 * are the same bits in any order. The devices are the default one, and small ones that cut the
 * matrices into windows, rows into blocks, and that have or lack each extension. */
#ifndef GNNC_TEST_UNIT_CODEGEN_CODEGEN_SEXTANS_FIXTURE_H
#define GNNC_TEST_UNIT_CODEGEN_CODEGEN_SEXTANS_FIXTURE_H

#include "codegen/backend.h"
#include "codegen/device/host/host.h"
#include "isa/sextans/sextans.h"
#include "runtime/program.h"
#include "support/text.h"
#include "unit.h"

#include <unistd.h>

enum { SEXTANS_NODES = 150, SEXTANS_EDGES = 700, SEXTANS_WIDTH = 16, SEXTANS_TYPES = 4 };

typedef struct sextans_case {
  const char *body;  /* operations; "%y" is the output */
  const char *out;   /* "!rows24", or "!edges24" */
  int products;      /* operations that the device executes */
  int launches;      /* on the default device; 0: any number */
  bool has_infinity; /* column 5 of x is infinite */
  bool no_nodes;
} sextans_case;

/* ---- the module ---- */

#define SEXTANS_GLOBAL(name, type, more)                                                                               \
  "ml_program.global private @" name "(#ml_program.extern) : " type " {gnn.from = \"" name "\", gnn.name = \"" name    \
  "\"" more "}\n"
#define SEXTANS_LOAD(name, type) "%" name " = ml_program.global_load_const @" name " : " type "\n"
#define SEXTANS_WEIGHTS(M)                                                                                             \
  M("w", "tensor<16x24xf32>", "")                                                                                      \
  M("v", "tensor<24x16xf32>", "")                                                                                      \
  M("b", "tensor<24xf32>", "")                                                                                         \
  M("tall", "tensor<150x24xf32>", "")                                                                                  \
  M("t", "!gnn.per<\"etype\", tensor<16x24xf32>>", ", gnn.count = 4 : i64")                                            \
  M("s", "!gnn.per<\"etype\", tensor<16x32xf32>>", ", gnn.count = 4 : i64")                                            \
  M("c", "!gnn.per<\"etype\", tensor<24xf32>>", ", gnn.count = 4 : i64")
#define SEXTANS_LOAD_OF(name, type, more) SEXTANS_LOAD(name, type)

static const char sextans_types[] = "!graph = !gnn.graph<\"g\">\n"
                                    "!in = !device.edge_list<\"g\", \"g\">\n"
                                    "!gather = !device.edge_list<\"g\", \"g.edges\">\n"
                                    "!rows6 = !device.rows<\"g\", 6>\n"
                                    "!rows16 = !device.rows<\"g\", 16>\n"
                                    "!rows24 = !device.rows<\"g\", 24>\n"
                                    "!rows96 = !device.rows<\"g\", 96>\n"
                                    "!edges16 = !device.rows<\"g.edges\", 16>\n"
                                    "!edges24 = !device.rows<\"g.edges\", 24>\n"
                                    "!edges32 = !device.rows<\"g.edges\", 32>\n"
                                    "!values1 = !device.values<\"g\", \"g\", 1>\n"
                                    "!values2 = !device.values<\"g\", \"g\", 2>\n"
                                    "!values3 = !device.values<\"g\", \"g\", 3>\n"
                                    "!per24 = !gnn.per<\"etype\", tensor<16x24xf32>>\n"
                                    "!per32 = !gnn.per<\"etype\", tensor<16x32xf32>>\n"
                                    "!row_per24 = !gnn.per<\"etype\", tensor<24xf32>>\n"
                                    "!weight = !gnn.edge<\"g\", f32>\n"
                                    "!node16 = !gnn.node<\"g\", tensor<16xf32>>\n"
                                    "!edge16 = !gnn.edge<\"g\", tensor<16xf32>>\n"
                                    "!out_rows6 = !gnn.node<\"g\", tensor<6xf32>>\n"
                                    "!out_rows16 = !gnn.node<\"g\", tensor<16xf32>>\n"
                                    "!out_rows24 = !gnn.node<\"g\", tensor<24xf32>>\n"
                                    "!out_rows96 = !gnn.node<\"g\", tensor<96xf32>>\n"
                                    "!out_edges24 = !gnn.edge<\"g\", tensor<24xf32>>\n"
                                    "!out_edges32 = !gnn.edge<\"g\", tensor<32xf32>>\n";

/* Operations that bodies begin with. */
#define SEXTANS_OP(result, op, operands, attributes, types)                                                            \
  "%" result " = \"device." op "\"(" operands ") {" attributes "} : " types "\n"
#define SEXTANS_X "%x0 = \"device.input\"(%x) : (!node16) -> !rows16\n"
#define SEXTANS_U "%u0 = \"device.input\"(%u) : (!edge16) -> !edges16\n"
#define SEXTANS_EDGES(name, kind, type)                                                                                \
  "%" name " = \"device.edges\"(%g) {kind = \"" kind                                                                   \
  "\", operandSegmentSizes = array<i32: 1, 0, 0>} : (!graph) -> " type "\n"
#define SEXTANS_IN SEXTANS_EDGES("r", "in", "!in")
#define SEXTANS_WEIGHTED                                                                                               \
  "%q = \"device.edges\"(%g, %k) {kind = \"in\", operandSegmentSizes = array<i32: 1, 0, 1>} : (!graph, !weight) -> "   \
  "!in\n"
#define SEXTANS_SEGMENTS(numbers) "operandSegmentSizes = array<i32: " numbers ">"

static void sextans_module(const sextans_case *c, text *out) {
  const char *name = c->out + 1;
  text_append(out, sextans_types);
  text_append(out, "module attributes {gnn.model = \"m\", gnn.source = \"m.gnn\"} {\n" SEXTANS_WEIGHTS(SEXTANS_GLOBAL));
  text_append(out, "func.func @m(%g: !graph {gnn.name = \"g\"}, %x: !node16 {gnn.from = \"x\", gnn.name = \"x\"}, "
                   "%u: !edge16 {gnn.from = \"u\", gnn.name = \"u\"}, "
                   "%k: !weight {gnn.from = \"edge_weight\", gnn.name = \"k\"})");
  text_printf(out, " -> (!out_%s {gnn.name = \"y\"}) {\n", name);
  text_append(out, SEXTANS_WEIGHTS(SEXTANS_LOAD_OF));
  text_append(out, c->body);
  text_printf(out, "%%o = \"device.output\"(%%y) : (!%s) -> !out_%s\nreturn %%o : !out_%s\n}\n}\n", name, name, name);
}

/* ---- data ---- */

static uint32_t sextans_random(uint32_t *seed, uint32_t below) {
  *seed = *seed * 1664525 + 1013904223;
  return (uint32_t)((uint64_t)(*seed >> 8) * below >> 24);
}

static void *sextans_add(tensor_set *set, const char *name, dtype d, int32_t rank, int64_t first, int64_t second,
                         int64_t third) {
  const int64_t dims[] = {first, second, third};
  void *to = NULL;
  CHECK_OK(tensor_set_add(set, name, d, rank, dims, &to));
  return to;
}

static void sextans_fill(tensor_set *set, const char *name, int32_t rank, int64_t first, int64_t second,
                         int64_t third) {
  static uint32_t seed;
  float *to = sextans_add(set, name, DTYPE_F32, rank, first, second, third);
  int64_t count = first * (rank > 1 ? second : 1) * (rank > 2 ? third : 1);
  seed = (uint32_t)name[0] * 977;
  for (int64_t i = 0; to && i < count; i++) {
    to[i] = (float)sextans_random(&seed, 7) - 3.0F;
    if (!strcmp(name, "s") && fabsf(to[i]) < 1) to[i] = 4; /* the host leaves zeros of blocks out, too */
  }
}

/* Some destinations have many edges and the last nodes none; types 0, 1 and 3 have edges; every
 * seventh weight is 0. */
static tensor_set *sextans_graph(const sextans_case *c) {
  tensor_set *set = tensor_set_create("g.safetensors");
  int64_t nodes = c->no_nodes ? 0 : SEXTANS_NODES, edges = c->no_nodes ? 0 : SEXTANS_EDGES;
  uint32_t seed = 5;
  tensor_set_put_metadata_int(set, "num_nodes", nodes);
  int32_t *ends = sextans_add(set, "edge_index", DTYPE_I32, 2, 2, edges, 0);
  int32_t *types = sextans_add(set, "edge_type", DTYPE_I32, 1, edges, 0, 0);
  sextans_fill(set, "edge_weight", 1, edges, 0, 0);
  sextans_fill(set, "x", 2, nodes, SEXTANS_WIDTH, 0);
  sextans_fill(set, "u", 2, edges, SEXTANS_WIDTH, 0);
  for (int64_t e = 0; e < edges; e++) {
    uint32_t to = sextans_random(&seed, SEXTANS_NODES - 10);
    ends[e] = (int32_t)sextans_random(&seed, SEXTANS_NODES);
    ends[edges + e] = (int32_t)(e % 3 ? to : to * to / 1400);
    types[e] = (int32_t)(e % 5 ? e % 2 : 3);
  }
  float *x = (float *)(uintptr_t)tensor_set_find(set, "x")->data;
  for (int64_t n = 0; c->has_infinity && n < nodes; n++) x[n * SEXTANS_WIDTH + 5] = n % 2 ? INFINITY : -INFINITY;
  return set;
}

static tensor_set *sextans_weights(void) {
  tensor_set *set = tensor_set_create("w.safetensors");
  sextans_fill(set, "w", 2, SEXTANS_WIDTH, 24, 0);
  sextans_fill(set, "v", 2, 24, SEXTANS_WIDTH, 0);
  sextans_fill(set, "b", 1, 24, 0, 0);
  sextans_fill(set, "tall", 2, SEXTANS_NODES, 24, 0);
  sextans_fill(set, "t", 3, SEXTANS_TYPES, SEXTANS_WIDTH, 24);
  sextans_fill(set, "s", 3, SEXTANS_TYPES, SEXTANS_WIDTH, 32);
  sextans_fill(set, "c", 2, SEXTANS_TYPES, 24, 0);
  return set;
}

/* ---- compiling and running ---- */

/* The program of a target, and what it computes. */
typedef struct sextans_result {
  tensor_set *outputs;
  size_t products;
  uint64_t records;
  uint64_t link_bytes;
} sextans_result;

static void sextans_take_message(void *user, diag_severity severity, diag_id id, const char *file, unsigned line,
                                 unsigned column, const char *message) {
  (void)severity;
  (void)id;
  (void)file;
  (void)line;
  (void)column;
  snprintf(user, 400, "%s", message);
}

static status sextans_execute(const image *im, const graph *g, sextans_result *out) {
  char path[] = "codegen_sextans_XXXXXX";
  int file = mkstemp(path);
  program_binary *p = NULL;
  program_session *s = NULL;
  const program_request request = {.graph = g, .simulation = {.level = SIM_L1}};
  status failed = image_write(im, path);
  if (!failed) failed = program_open(path, &p);
  if (!failed) failed = program_session_create(p, &request, &s);
  for (int i = 0; i < 2 && !failed; i++) failed = program_session_run(s); /* the second run finds old numbers */
  out->outputs = tensor_set_create("y.safetensors");
  if (!failed) failed = program_session_read(s, out->outputs);
  if (!failed) out->link_bytes = program_session_host_statistics(s)->link_bytes;
  program_session_destroy(s);
  program_close(p);
  if (file >= 0) close(file);
  unlink(path);
  return failed;
}

static sextans_result sextans_run(const sextans_case *c, const device *d, const char *target, int threads) {
  sextans_result result = {0};
  backend_options options = {.target = backend_find(target), .device = *d, .threads = threads};
  arena *memory = arena_create();
  tensor_set *tensors = sextans_graph(c), *weights = sextans_weights();
  thread_pool *pool = thread_pool_create(threads);
  MlirContext context = ir_context_create();
  text words = {0}, json = {0};
  char message[400] = "";
  sextans_module(c, &words);
  MlirModule module = ir_parse(context, text_str(&words), words.size);
  graph *g = NULL;
  program_host *host = NULL;
  image im;
  program_manifest manifest = {.model = "m"};
  status error = STATUS_OK;
  diag *diagnostics = diag_create(stdout);
  diag_set_sink(diagnostics, sextans_take_message, message);
  CHECK(!mlirModuleIsNull(module));
  CHECK_OK(graph_create(tensors, &g));
  if (!mlirModuleIsNull(module)) CHECK_OK(program_host_create(module, g, weights, pool, &host));
  if (host && options.target->compile(module, host, &options, "", diagnostics, memory, &im, &manifest, NULL, &error)) {
    program_manifest_write(&manifest, &json);
    im.sections[IMAGE_PROGRAM] = (image_section){.size = json.size, .data = (const unsigned char *)text_str(&json)};
    im.graph_fingerprint = graph_fingerprint(g);
    result.products = manifest.layers.count;
    result.records = im.sections[IMAGE_TEXT].size / SEXTANS_INSN_BYTES;
    CHECK_OK(sextans_execute(&im, g, &result));
  }
  CHECK_STR(message, "");
  CHECK_OK(error);
  text_free(&json);
  text_free(&words);
  diag_destroy(diagnostics);
  program_host_destroy(host);
  if (!mlirModuleIsNull(module)) mlirModuleDestroy(module);
  ir_context_destroy(context);
  thread_pool_destroy(pool);
  graph_close(g);
  tensor_set_destroy(tensors);
  tensor_set_destroy(weights);
  arena_destroy(memory);
  return result;
}

/* ---- comparing ---- */

static void sextans_compare(const sextans_result *found, const sextans_result *expected, const char *device_name) {
  const tensor *y = found->outputs ? tensor_set_find(found->outputs, "y") : NULL;
  const tensor *z = expected->outputs ? tensor_set_find(expected->outputs, "y") : NULL;
  CHECK(y && z && y->count == z->count);
  for (int64_t i = 0; y && z && i < y->count; i++) {
    float a, b;
    memcpy(&a, y->data + (size_t)i * sizeof a, sizeof a);
    memcpy(&b, z->data + (size_t)i * sizeof b, sizeof b);
    if ((a != a && b != b) || (a <= b && a >= b)) continue;
    unit_fail(__FILE__, __LINE__, "%s: number %lld is %g, expected %g", device_name, (long long)i, (double)a,
              (double)b);
    return;
  }
}

static const struct {
  const char *name, *edits[5];
} sextans_devices[] = {
    {"default", {NULL}},
    {"tiny", {"window=16", "depth=2", "distance=3"}},
    {"one row per PE", {"window=16", "depth=1", "distance=64"}},
    {"reads C", {"window=48", "depth=64", "distance=1", "has_no_c=false"}},
    {"reads C in blocks", {"window=16", "depth=1", "distance=2", "has_no_c=false"}},
    {"two buffers", {"window=32", "depth=2", "has_two_b=true"}},
};

static inline void sextans_run_everywhere(const sextans_case *c) {
  device d;
  device_default(&d, backend_find("host")->machine);
  sextans_result expected = sextans_run(c, &d, "host", 1);
  for (size_t i = 0; i < sizeof sextans_devices / sizeof *sextans_devices; i++) {
    device_default(&d, backend_find("sextans")->machine);
    for (int k = 0; k < 5 && sextans_devices[i].edits[k]; k++) CHECK_OK(device_edit(&d, sextans_devices[i].edits[k]));
    sextans_result found = sextans_run(c, &d, "sextans", 1 + (int)(i % 2));
    sextans_compare(&found, &expected, sextans_devices[i].name);
    CHECK_INT(found.products, c->products);
    if (!i && c->launches) CHECK_INT(found.records, c->launches + 1);
    tensor_set_destroy(found.outputs);
  }
  tensor_set_destroy(expected.outputs);
}

#endif
