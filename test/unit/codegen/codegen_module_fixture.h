/* Compiles modules of the device level for a machine, runs them on simulated devices, and compares the
 * output with that of the target host, whose steps compute the same module on the host:
 *
 *   module_case c = {.body = "...", .out = "!rows24", .products = 1};
 *   module_run_everywhere(&c, "sextans", devices, DEVICES);
 *
 * The body ends in a value %y of the type `out`. All inputs and weights are whole numbers, so sums
 * are the same bits in any order, as long as they are exact in the numbers of the machine. */
#ifndef GNNC_TEST_UNIT_CODEGEN_CODEGEN_MODULE_FIXTURE_H
#define GNNC_TEST_UNIT_CODEGEN_CODEGEN_MODULE_FIXTURE_H

#include "codegen/backend.h"
#include "codegen/device/host/host.h"
#include "isa/machine.h"
#include "runtime/program.h"
#include "support/text.h"
#include "unit.h"

#include <unistd.h>

enum { MODULE_NODES = 150, MODULE_EDGES = 700, MODULE_WIDTH = 16, MODULE_TYPES = 4, MODULE_FEATURES = 40 };

typedef struct module_case {
  const char *body;  /* operations; "%y" is the output */
  const char *out;   /* "!rows24", or "!edges24" */
  int products;      /* operations that the device executes; -1: any number */
  int launches;      /* records on the default device but the last; 0: any number */
  bool has_infinity; /* column 5 of x is infinite */
  bool no_nodes;
  bool has_many_features;                  /* of the sparse input: 12 per node, else at most one */
  int most;                                /* the largest number of inputs and weights; 0: 3 */
  const char *remark;                      /* -Rpass=place has these words; NULL: any */
  int remark_on;                           /* the device that says so */
  void (*check_remarks)(const char *said); /* for all devices; NULL: nothing */
  feature off;                             /* a switch that is off, where it is not 0 */
} module_case;

/* ---- the module ---- */

#define MODULE_GLOBAL(name, type, more)                                                                                \
  "ml_program.global private @" name "(#ml_program.extern) : " type " {gnn.from = \"" name "\", gnn.name = \"" name    \
  "\"" more "}\n"
#define MODULE_LOAD(name, type) "%" name " = ml_program.global_load_const @" name " : " type "\n"
#define MODULE_WEIGHTS(M)                                                                                              \
  M("w", "tensor<16x24xf32>", "")                                                                                      \
  M("v", "tensor<24x16xf32>", "")                                                                                      \
  M("few", "tensor<16x24xf32>", "")                                                                                    \
  M("large", "tensor<16x96xf32>", "")                                                                                  \
  M("back", "tensor<96x24xf32>", "")                                                                                   \
  M("square", "tensor<16x16xf32>", "")                                                                                 \
  M("bias16", "tensor<16xf32>", "")                                                                                    \
  M("columns", "tensor<40x24xf32>", "")                                                                                \
  M("b", "tensor<24xf32>", "")                                                                                         \
  M("tall", "tensor<150x24xf32>", "")                                                                                  \
  M("t", "!gnn.per<\"etype\", tensor<16x24xf32>>", ", gnn.count = 4 : i64")                                            \
  M("s", "!gnn.per<\"etype\", tensor<16x32xf32>>", ", gnn.count = 4 : i64")                                            \
  M("c", "!gnn.per<\"etype\", tensor<24xf32>>", ", gnn.count = 4 : i64")
#define MODULE_LOAD_OF(name, type, more) MODULE_LOAD(name, type)

static const char module_types[] = "!graph = !gnn.graph<\"g\">\n"
                                   "!in = !device.edge_list<\"g\", \"g\">\n"
                                   "!features = !gnn.sparse<\"g\", tensor<40xf32>>\n"
                                   "!stored = !device.edge_list<\"columns\", \"g\">\n"
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
#define MODULE_OP(result, op, operands, attributes, types)                                                             \
  "%" result " = \"device." op "\"(" operands ") {" attributes "} : " types "\n"
#define MODULE_X "%x0 = \"device.input\"(%x) : (!node16) -> !rows16\n"
#define MODULE_U "%u0 = \"device.input\"(%u) : (!edge16) -> !edges16\n"
#define MODULE_EDGES(name, kind, type)                                                                                 \
  "%" name " = \"device.edges\"(%g) {kind = \"" kind                                                                   \
  "\", operandSegmentSizes = array<i32: 1, 0, 0>} : (!graph) -> " type "\n"
#define MODULE_IN MODULE_EDGES("r", "in", "!in")
#define MODULE_WEIGHTED                                                                                                \
  "%q = \"device.edges\"(%g, %k) {kind = \"in\", operandSegmentSizes = array<i32: 1, 0, 1>} : (!graph, !weight) -> "   \
  "!in\n"
#define MODULE_SEGMENTS(numbers) "operandSegmentSizes = array<i32: " numbers ">"

static void module_module(const module_case *c, text *out) {
  const char *name = c->out + 1;
  text_append(out, module_types);
  text_append(out, "module attributes {gnn.model = \"m\", gnn.source = \"m.gnn\"} {\n" MODULE_WEIGHTS(MODULE_GLOBAL));
  text_append(out, "func.func @m(%g: !graph {gnn.name = \"g\"}, %x: !node16 {gnn.from = \"x\", gnn.name = \"x\"}, "
                   "%u: !edge16 {gnn.from = \"u\", gnn.name = \"u\"}, "
                   "%features: !features {gnn.from = \"f\", gnn.name = \"f\"}, "
                   "%k: !weight {gnn.from = \"edge_weight\", gnn.name = \"k\"})");
  text_printf(out, " -> (!out_%s {gnn.name = \"y\"}) {\n", name);
  text_append(out, MODULE_WEIGHTS(MODULE_LOAD_OF));
  text_append(out, c->body);
  text_printf(out, "%%o = \"device.output\"(%%y) : (!%s) -> !out_%s\nreturn %%o : !out_%s\n}\n}\n", name, name, name);
}

/* ---- data ---- */

static uint32_t module_random(uint32_t *seed, uint32_t below) {
  *seed = *seed * 1664525 + 1013904223;
  return (uint32_t)((uint64_t)(*seed >> 8) * below >> 24);
}

static void *module_add(tensor_set *set, const char *name, dtype d, int32_t rank, int64_t first, int64_t second,
                        int64_t third) {
  const int64_t dims[] = {first, second, third};
  void *to = NULL;
  CHECK_OK(tensor_set_add(set, name, d, rank, dims, &to));
  return to;
}

static void module_fill(const module_case *c, tensor_set *set, const char *name, int32_t rank, int64_t first,
                        int64_t second, int64_t third) {
  static uint32_t seed;
  float *to = module_add(set, name, DTYPE_F32, rank, first, second, third);
  int64_t count = first * (rank > 1 ? second : 1) * (rank > 2 ? third : 1);
  seed = (uint32_t)name[0] * 977;
  for (int64_t i = 0; to && i < count; i++) {
    int most = c->most ? c->most : 3;
    to[i] = (float)module_random(&seed, 2 * (uint32_t)most + 1) - (float)most;
    if (!strcmp(name, "s") && fabsf(to[i]) < 1) to[i] = (float)most + 1; /* the host leaves zeros of blocks out, too */
  }
}

/* Stores features at ascending columns. */
static void module_add_features(const module_case *c, tensor_set *set, int64_t nodes) {
  int64_t each = c->has_many_features ? 12 : 1, count = 0;
  int32_t *begin = module_add(set, "f_indptr", DTYPE_I32, 1, nodes + 1, 0, 0);
  for (int64_t n = 0; n <= nodes; n++) {
    begin[n] = (int32_t)count;
    if (n % 4) count += each;
  }
  count = begin[nodes];
  int32_t *at = module_add(set, "f_indices", DTYPE_I32, 1, count, 0, 0);
  for (int64_t n = 0; n < nodes; n++)
    for (int32_t i = begin[n]; i < begin[n + 1]; i++) at[i] = (int32_t)((i - begin[n]) * 3 + n % 4);
  if (count) at[count - 1] = MODULE_FEATURES - 1;
  module_fill(c, set, "f_data", 1, count, 0, 0);
}

/* Some destinations have many edges and the last nodes none; types 0, 1 and 3 have edges; every
 * seventh weight is 0. */
static tensor_set *module_graph(const module_case *c) {
  tensor_set *set = tensor_set_create("g.safetensors");
  int64_t nodes = c->no_nodes ? 0 : MODULE_NODES, edges = c->no_nodes ? 0 : MODULE_EDGES;
  uint32_t seed = 5;
  tensor_set_put_metadata_int(set, "num_nodes", nodes);
  int32_t *ends = module_add(set, "edge_index", DTYPE_I32, 2, 2, edges, 0);
  int32_t *types = module_add(set, "edge_type", DTYPE_I32, 1, edges, 0, 0);
  module_fill(c, set, "edge_weight", 1, edges, 0, 0);
  module_fill(c, set, "x", 2, nodes, MODULE_WIDTH, 0);
  module_fill(c, set, "u", 2, edges, MODULE_WIDTH, 0);
  module_add_features(c, set, nodes);
  for (int64_t e = 0; e < edges; e++) {
    uint32_t to = module_random(&seed, MODULE_NODES - 10);
    ends[e] = (int32_t)module_random(&seed, MODULE_NODES);
    ends[edges + e] = (int32_t)(e % 3 ? to : to * to / 1400);
    types[e] = (int32_t)(e % 5 ? e % 2 : 3);
  }
  float *x = (float *)(uintptr_t)tensor_set_find(set, "x")->data;
  for (int64_t n = 0; c->has_infinity && n < nodes; n++) x[n * MODULE_WIDTH + 5] = n % 2 ? INFINITY : -INFINITY;
  return set;
}

static tensor_set *module_weights(const module_case *c) {
  tensor_set *set = tensor_set_create("w.safetensors");
  module_fill(c, set, "w", 2, MODULE_WIDTH, 24, 0);
  module_fill(c, set, "v", 2, 24, MODULE_WIDTH, 0);
  module_fill(c, set, "b", 1, 24, 0, 0);
  module_fill(c, set, "few", 2, MODULE_WIDTH, 24, 0);
  float *few = (float *)(uintptr_t)tensor_set_find(set, "few")->data;
  for (int64_t i = 0; i < MODULE_WIDTH * 24; i++)
    if (i % 24 % MODULE_WIDTH != i / 24) few[i] = 0; /* a column reads one of x */
  module_fill(c, set, "large", 2, MODULE_WIDTH, 96, 0);
  module_fill(c, set, "back", 2, 96, 24, 0);
  module_fill(c, set, "square", 2, MODULE_WIDTH, MODULE_WIDTH, 0);
  module_fill(c, set, "bias16", 1, MODULE_WIDTH, 0, 0);
  module_fill(c, set, "columns", 2, MODULE_FEATURES, 24, 0);
  module_fill(c, set, "tall", 2, MODULE_NODES, 24, 0);
  module_fill(c, set, "t", 3, MODULE_TYPES, MODULE_WIDTH, 24);
  module_fill(c, set, "s", 3, MODULE_TYPES, MODULE_WIDTH, 32);
  module_fill(c, set, "c", 2, MODULE_TYPES, 24, 0);
  return set;
}

/* ---- compiling and running ---- */

/* The program of a target, and what it computes. */
typedef struct module_result {
  tensor_set *outputs;
  size_t products;
  uint64_t records;
  uint64_t link_bytes, cycles;
  uint64_t bytes;  /* of .features */
  char said[4000]; /* remarks */
} module_result;

static void module_take_message(void *user, diag_severity severity, diag_id id, const char *file, unsigned line,
                                unsigned column, const char *message) {
  module_result *result = user;
  size_t used = strlen(result->said);
  (void)id;
  (void)file;
  (void)line;
  (void)column;
  if (severity == DIAG_SEVERITY_error) unit_fail(__FILE__, __LINE__, "%s", message);
  snprintf(result->said + used, sizeof result->said - used, "%s\n", message);
}

static status module_execute(const image *im, const graph *g, module_result *out) {
  char path[] = "codegen_module_XXXXXX";
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
  if (!failed) out->cycles = program_session_statistics(s)->cycles;
  if (!failed) out->link_bytes = program_session_host_statistics(s)->link_bytes;
  program_session_destroy(s);
  program_close(p);
  if (file >= 0) close(file);
  unlink(path);
  return failed;
}

static module_result module_run(const module_case *c, const device *d, const char *target, int threads) {
  module_result result = {0};
  backend_options options = {
      .target = backend_find(target), .device = *d, .threads = threads, .remarks = strcmp(target, "host") != 0};
  arena *memory = arena_create();
  tensor_set *tensors = module_graph(c), *weights = module_weights(c);
  thread_pool *pool = thread_pool_create(threads);
  MlirContext context = ir_context_create();
  text words = {0}, json = {0};
  if (c->off) options.features.given[c->off] = FEATURE_WHEN_never;
  module_module(c, &words);
  MlirModule module = ir_parse(context, text_str(&words), words.size);
  graph *g = NULL;
  program_host *host = NULL;
  image im;
  program_manifest manifest = {.model = "m"};
  status error = STATUS_OK;
  diag *diagnostics = diag_create(stdout);
  diag_set_sink(diagnostics, module_take_message, &result);
  CHECK(!mlirModuleIsNull(module));
  CHECK_OK(graph_create(tensors, &g));
  if (!mlirModuleIsNull(module)) CHECK_OK(program_host_create(module, g, weights, pool, &host));
  if (host && options.target->compile(module, host, &options, "", diagnostics, memory, &im, &manifest, NULL, &error)) {
    program_manifest_write(&manifest, &json);
    im.sections[IMAGE_PROGRAM] = (image_section){.size = json.size, .data = (const unsigned char *)text_str(&json)};
    im.graph_fingerprint = graph_fingerprint(g);
    result.products = manifest.layers.count;
    result.records = im.sections[IMAGE_TEXT].size / d->machine->isa->insn_bytes;
    result.bytes = im.sections[IMAGE_FEATURES].size;
    CHECK_OK(module_execute(&im, g, &result));
  }
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

static void module_compare(const module_result *found, const module_result *expected, const char *device_name) {
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

/* A device: the default one, and changes of it. */
typedef struct module_device {
  const char *name, *edits[8];
} module_device;

static inline void module_run_everywhere(const module_case *c, const char *target, const module_device *devices,
                                         size_t count) {
  device d;
  device_default(&d, backend_find("host")->machine);
  module_result expected = module_run(c, &d, "host", 1);
  for (size_t i = 0; i < count; i++) {
    device_default(&d, backend_find(target)->machine);
    for (int k = 0; k < 8 && devices[i].edits[k]; k++) CHECK_OK(device_edit(&d, devices[i].edits[k]));
    module_result found = module_run(c, &d, target, 1 + (int)(i % 2));
    module_compare(&found, &expected, devices[i].name);
    if (c->products >= 0) CHECK_INT(found.products, c->products);
    if (!i && c->launches) CHECK_INT(found.records, c->launches + 1);
    if (c->check_remarks) c->check_remarks(found.said);
    if (c->remark && (int)i == c->remark_on) CHECK_HAS(found.said, c->remark);
    tensor_set_destroy(found.outputs);
  }
  tensor_set_destroy(expected.outputs);
}

#endif
