/* Counts the terms of the products and sums of a model, after the passes of the gnn level at -O2.
 *
 *   linear: nodes x sparse[1433] -> 16, 49,216 entries    49216 * 16
 *   aggregate: 13,264 edges of f32[16]                    13264 * 16
 *
 * What depends on the graph and the weights alone counts nothing, because programs hold its result:
 * degrees, coefficients of edges, products of weights. Host steps count the same terms
 * (runtime/steps/cost.c). */
#include "tools/gnnc/gnnc_useful.h"

#include "frontend/emit_gnn.h"
#include "passes/cost/gnn_cost_work.h"
#include "passes/manager/pass_manager.h"
#include "support/map.h"
#include "tools/gnnc/gnnc_counts.h"

#include <math.h>
#include <string.h>

typedef struct counter {
  gnnc_counts_graph graph;
  arena *arena;
  map varying; /* values that depend on an input, by their address */
} counter;

/* Returns the number of rows of a value; -1 when unknown. Those of nodes and edges are counted in
 * the graph itself, with the self loops that a model adds. */
static double rows_of(const counter *c, ir_type type) {
  const char *domain = type.kind == IR_KIND_node ? "node" : type.kind == IR_KIND_edge ? "edge" : NULL;
  const intra_counts none = {0};
  if (type.kind == IR_KIND_per && !strcmp(type.set, "graph"))
    return (double)gnnc_counts_rows(&none, &c->graph, "graph");
  if (!domain) return gnn_cost_rows(&c->graph.statistics, type);
  return (double)gnnc_counts_rows(&none, &c->graph, arena_printf(c->arena, "%s:%s", domain, type.set));
}

/* Returns the number of edges, or of nodes, that a sum adds up. */
static double members_of(const counter *c, MlirOperation op) {
  if (ir_op_kind(op) == IR_OP(gnn, pool) || ir_op_kind(op) == IR_OP(gnn, total))
    return (double)c->graph.statistics.num_nodes;
  if (ir_op_kind(op) == IR_OP(gnn, collapse)) return (double)c->graph.statistics.num_edges;
  ir_type edges = {.kind = IR_KIND_edge, .set = ir_type_of(mlirOperationGetOperand(op, 0)).set};
  return rows_of(c, edges);
}

/* Returns the number of elements that are multiplied for each element of a product, over all rows;
 * of sparse rows only the stored ones. */
static double terms_of(const counter *c, MlirOperation op) {
  ir_type a = ir_type_of(mlirOperationGetOperand(op, 0)), b = ir_type_of(mlirOperationGetOperand(op, 1));
  bool is_inner = ir_op_kind(op) == IR_OP(gnn, vector_inner) && a.rank < b.rank;
  ir_type x = is_inner ? b : a;
  double depth = x.rank ? (double)x.dims[x.rank - 1] : 1, rows = rows_of(c, ir_type_of(ir_result(op)));
  double density = a.kind == IR_KIND_sparse ? c->graph.statistics.feature_density : 1;
  return rows < 0 || density < 0 ? -1 : round(rows * depth * density);
}

/* Returns the multiply-adds of an operation; -1 when unknown. */
static double multiply_adds_of(const counter *c, MlirOperation op) {
  double terms = 0;
  switch ((int)ir_op_kind(op)) {
  case IR_OP(gnn, linear):
  case IR_OP(gnn, vector_inner): terms = terms_of(c, op); break;
  case IR_OP(gnn, aggregate):
  case IR_OP(gnn, collapse):
  case IR_OP(gnn, pool):
  case IR_OP(gnn, total):
    if (ir_string_is(op, "reduce", "max") || ir_string_is(op, "reduce", "min")) return 0;
    terms = members_of(c, op);
    break;
  default: return 0;
  }
  return terms < 0 ? -1 : terms * (double)ir_type_elements(ir_type_of(ir_result(op)));
}

static bool is_varying(const counter *c, MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++)
    if (map_get(&c->varying, mlirOperationGetOperand(op, i).ptr, 0)) return true;
  return false;
}

static void set_varying(counter *c, MlirValue value) {
  if (ir_type_of(value).kind != IR_KIND_graph) map_set(&c->varying, value.ptr, 1);
}

static int64_t count_function(counter *c, MlirOperation func) {
  MlirBlock body = ir_func_body(func);
  double sum = 0;
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(body); i++) set_varying(c, mlirBlockGetArgument(body, i));
  for (MlirOperation op = mlirBlockGetFirstOperation(body); !mlirOperationIsNull(op);
       op = mlirOperationGetNextInBlock(op)) {
    if (!is_varying(c, op)) continue;
    for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++) set_varying(c, mlirOperationGetResult(op, i));
    double more = multiply_adds_of(c, op);
    if (more < 0) return -1;
    sum += more;
  }
  return sum < 0x1p62 ? (int64_t)sum : -1;
}

static int64_t count_module(counter *c, MlirModule module) {
  MlirBlock body = mlirModuleGetBody(module);
  for (MlirOperation op = mlirBlockGetFirstOperation(body); !mlirOperationIsNull(op);
       op = mlirOperationGetNextInBlock(op))
    if (!strcmp(ir_op_name(op), "func.func")) return count_function(c, op);
  return -1;
}

/* Runs the passes of the gnn level as -O2 does without any switch. */
static bool run_passes(gnnc_driver *r, MlirModule module) {
  backend_options options = r->options.code;
  options.features = (feature_set){0};
  options.opt_level = 2;
  pass_pipeline pipeline = {0};
  pass_run settings = {.diag = r->diag, .statistics = r->files.statistics, .opt_level = 2, .is_unverified = true};
  return pass_pipeline_parse(r->arena, r->context, pipeline_text(r->arena, &options, PIPELINE_gnn), r->diag,
                             &pipeline) &&
         pass_pipeline_run(mlirModuleGetOperation(module), &pipeline, &settings);
}

int64_t gnnc_useful_multiply_adds(gnnc_driver *r) {
  if (r->has_useful) return r->useful;
  r->has_useful = true;
  r->useful = -1;
  MlirModule module = emit_gnn_module(r->context, r->flat);
  arena *a = arena_create();
  counter c = {.graph = {r->files.graph, r->files.statistics}, .arena = a, .varying = {.arena = a}};
  if (!mlirModuleIsNull(module) && run_passes(r, module)) r->useful = count_module(&c, module);
  arena_destroy(a);
  if (!mlirModuleIsNull(module)) mlirModuleDestroy(module);
  gnnc_driver_time(r, "count useful work");
  return r->useful;
}
