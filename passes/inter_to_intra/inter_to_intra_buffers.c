/* inter-to-intra: decides in which memory values are.
 *
 *   %h = inter.result(%l) {index = 0} : !gnn.node<"g", tensor<16xf32>>    becomes    %h = intra.buffer {space = "workspace", name = "h"}
 *
 * Results that are only read at their own element were removed before. Every other used result gets
 * a buffer: the caller's memory for results of run, the bound block for results of bind, the
 * workspace for all others. A result of run that later kernels read is stored twice, because the
 * caller's memory is only written. */
#include "passes/inter_to_intra/inter_to_intra.h"

#include "passes/gnn/rules/gnn_rewrite.h"
#include "passes/inter/inter_loops.h"
#include "support/number.h"

#include <inttypes.h>
#include <string.h>

MlirValue to_intra_buffer(const to_intra *t, MlirValue value) {
  int64_t at = map_get(&t->places, value.ptr, 0);
  return at ? t->buffers.items[at - 1] : (MlirValue){NULL};
}

MlirValue to_intra_graph(const to_intra *t, MlirValue graph) {
  int64_t at = map_get(&t->places, graph.ptr, 0);
  return at ? t->graphs.items[at - 1] : (MlirValue){NULL};
}

const to_intra_values *to_intra_targets(const to_intra *t, MlirValue result) {
  int64_t at = map_get(&t->stores, result.ptr, -1);
  return at < 0 ? NULL : &t->targets.items[at];
}

/* ---- declarations ---- */

/* The rows of a buffer: "node:g" for node values of g. */
static const char *rows_of(const to_intra *t, ir_type type) {
  switch (type.kind) {
  case IR_KIND_node: return arena_printf(t->p->arena, "node:%s", type.set);
  case IR_KIND_edge: return arena_printf(t->p->arena, "edge:%s", type.set);
  case IR_KIND_sparse: return arena_printf(t->p->arena, "nonzero:%s", type.set);
  case IR_KIND_per: return type.set;
  default: return "one";
  }
}

/* The properties of a buffer that is to be declared. */
typedef struct declaration {
  const char *space;
  const char *name;
  const char *from;
  const char *file;
  int64_t count;
  MlirAttribute range;            /* of an integer input */
  MlirAttribute init, transposed; /* of a weight of training */
  const char *role;               /* of an output of training; NULL: none */
  MlirLocation location;
} declaration;

static MlirValue declare(to_intra *t, ir_type type, const declaration *d) {
  MlirContext context = t->p->context;
  ir_type buffer = ir_type_payload(type);
  buffer.kind = IR_KIND_buffer;
  buffer.set = rows_of(t, type);
  bool has_slot = !strcmp(d->space, "bound") || !strcmp(d->space, "workspace");
  ir_attr attributes[] = {{"space", ir_attr_string(context, d->space)},
                          {"name", ir_attr_string(context, d->name)},
                          {"from", d->from ? ir_attr_string(context, d->from) : (MlirAttribute){NULL}},
                          {"file", d->file ? ir_attr_string(context, d->file) : (MlirAttribute){NULL}},
                          {"count", d->count ? ir_attr_integer(context, d->count) : (MlirAttribute){NULL}},
                          {"range", d->range},
                          {"init", d->init},
                          {"transposed", d->transposed},
                          {"role", d->role ? ir_attr_string(context, d->role) : (MlirAttribute){NULL}},
                          {"slot", has_slot ? ir_attr_integer(context, -1) : (MlirAttribute){NULL}},
                          {NULL, {NULL}}};
  ir_builder b = {.context = context, .block = t->body, .before = t->end, .location = d->location};
  return ir_result(
      ir_build(&b, IR_OP(intra, buffer), NULL, attributes, (MlirRegion){NULL}, ir_type_make(context, buffer)));
}

static void put_buffer(to_intra *t, MlirValue value, MlirValue buffer) {
  VEC_PUSH(t->p->arena, &t->buffers, buffer);
  map_set(&t->places, value.ptr, (int64_t)t->buffers.count);
}

/* What a graph declares about its types; null where it declares nothing, and for graphs that are no arguments. */
static MlirAttribute declared(const to_intra *t, MlirValue graph, const char *name) {
  if (!mlirValueIsABlockArgument(graph)) return (MlirAttribute){NULL};
  return ir_func_arg_attr(t->old, (size_t)mlirBlockArgumentGetArgNumber(graph), name);
}

static void put_graph(to_intra *t, MlirValue graph) {
  ir_builder b = {
      .context = t->p->context, .block = t->body, .before = t->end, .location = mlirValueGetLocation(graph)};
  ir_attr attributes[] = {{"set", ir_attr_string(t->p->context, ir_type_of(graph).set)},
                          {"edge_types", declared(t, graph, "gnn.edge_types")},
                          {"node_types", declared(t, graph, "gnn.node_types")},
                          {"edge_ends", declared(t, graph, "gnn.edge_ends")},
                          {NULL, {NULL}}};
  VEC_PUSH(t->p->arena, &t->graphs, ir_build_value(&b, IR_OP(intra, graph), NULL, attributes));
  map_set(&t->places, graph.ptr, (int64_t)t->graphs.count);
}

/* `wanted`, or with a number appended if another buffer of the function has that name. */
static const char *fresh_name(to_intra *t, const char *wanted) {
  wanted = ir_intern(t->p->context, wanted);
  int64_t used = map_get(&t->name_counts, wanted, 0);
  map_set(&t->name_counts, wanted, used + 1);
  if (!used) return wanted;
  return fresh_name(t, arena_printf(t->p->arena, "%s.%" PRId64, wanted, used + 1));
}

static const char *workspace_name(to_intra *t, MlirValue value) {
  const char *wanted = ir_location_name(mlirValueGetLocation(value));
  return fresh_name(t, wanted && *wanted ? wanted : "t");
}

/* ---- arguments and weights ---- */

/* An argument of training that is a weight: it changes from step to step. */
static void describe_weight(const to_intra *t, size_t index, declaration *d) {
  MlirAttribute count = ir_func_arg_attr(t->old, index, "gnn.count");
  d->space = "weight";
  d->file = NULL; /* a trained input, too, is a weight */
  d->count = mlirAttributeIsNull(count) ? 0 : mlirIntegerAttrGetValueInt(count);
  d->init = ir_func_arg_attr(t->old, index, "gnn.init");
  d->transposed = ir_func_arg_attr(t->old, index, "gnn.transposed");
}

/* Declares the buffer of an argument; `result`: the result of bind that it gets. */
static bool declare_argument(to_intra *t, int64_t result, size_t index) {
  MlirValue argument = mlirBlockGetArgument(ir_func_body(t->old), (intptr_t)index);
  ir_type type = ir_type_of(argument);
  if (type.kind == IR_KIND_graph) return true;
  declaration d = {.space = "input", .location = mlirValueGetLocation(argument)};
  d.name = ir_string_of(ir_func_arg_attr(t->old, index, "gnn.name"));
  if (!d.name) d.name = arena_printf(t->p->arena, "input%zu", index);
  if (!mlirAttributeIsNull(ir_func_arg_attr(t->old, index, "gnn.bound"))) {
    if (result < 0 || (size_t)result >= t->bound.count) {
      mlirEmitError(d.location, arena_printf(t->p->arena, "bind gives no value '%s' to run", d.name));
      return false;
    }
    d.space = "bound";
    d.name = t->bound.items[result].name;
    d.count = t->bound.items[result].count;
  } else {
    d.from = ir_string_of(ir_func_arg_attr(t->old, index, "gnn.from"));
    const char *space = ir_string_of(ir_func_arg_attr(t->old, index, "gnn.space"));
    if (space && !strcmp(space, "weights")) d.file = "weights";
    d.range = ir_func_arg_attr(t->old, index, "gnn.range");
    if (!mlirAttributeIsNull(ir_func_arg_attr(t->old, index, "gnn.weight"))) describe_weight(t, index, &d);
    if (!mlirAttributeIsNull(ir_func_arg_attr(t->old, index, "gnn.adjoint"))) d.role = "adjoint";
  }
  put_buffer(t, argument, declare(t, type, &d));
  return true;
}

static void count_weights(to_intra *t) {
  IR_FOR_EACH_OP(op, ir_region_block(t->module))
    if (ir_is_weight(op))
      map_set(&t->weight_counts, ir_get_string(op, "sym_name", ""), ir_get_integer(op, "gnn.count", 0));
}

static int64_t weight_count(const to_intra *t, MlirOperation load) {
  return map_get(&t->weight_counts, ir_weight_symbol(load), 0);
}

/* The number of rows of a value per type; 0 where it depends on the graph. `count` of gnn.first
 * is a number of values in a row, not of rows. */
static int64_t type_count(const to_intra *t, MlirValue value) {
  MlirOperation op = ir_defining_op(value);
  if (ir_type_of(value).kind != IR_KIND_per || mlirOperationIsNull(op)) return 0;
  if (to_intra_is_ordered(op)) return 0;
  if (ir_weight_symbol(op)) return weight_count(t, op);
  MlirOperation loop = ir_op_kind(op) == IR_OP(inter, result) ? ir_defining_op(mlirOperationGetOperand(op, 0)) : op;
  return number_max(0, ir_get_integer(loop, "count", 0));
}

static bool declare_weight(to_intra *t, MlirOperation load) {
  if (!t->is_bind) {
    mlirEmitError(mlirOperationGetLocation(load), "run reads a weight; gnn-separate-bind gives weights to bind alone");
    return false;
  }
  MlirValue value = ir_result(load);
  declaration d = {.space = "weight", .name = ir_weight_symbol(load), .location = mlirOperationGetLocation(load)};
  d.count = type_count(t, value);
  put_buffer(t, value, declare(t, ir_type_of(value), &d));
  return true;
}

/* ---- results ---- */

static bool is_loop_result(MlirValue value) {
  MlirOperation op = ir_defining_op(value);
  return !mlirOperationIsNull(op) && ir_op_kind(op) == IR_OP(inter, result);
}

static void add_target(to_intra *t, MlirValue value, MlirValue buffer) {
  int64_t at = map_get(&t->stores, value.ptr, -1);
  if (at < 0) {
    at = (int64_t)t->targets.count;
    VEC_PUSH(t->p->arena, &t->targets, (to_intra_values){0});
    map_set(&t->stores, value.ptr, at);
  }
  VEC_PUSH(t->p->arena, &t->targets.items[at], buffer);
}

static const char *result_name(const to_intra *t, size_t index) {
  const char *name = ir_string_of(ir_func_result_attr(t->old, index, "gnn.name"));
  MlirOperation end = ir_block_terminator(ir_func_body(t->old));
  if (!name) name = ir_location_name(mlirValueGetLocation(mlirOperationGetOperand(end, (intptr_t)index)));
  return name ? name : arena_printf(t->p->arena, "%s%zu", t->is_bind ? "bound" : "output", index);
}

/* What a result of training is; NULL for others. */
static const char *role_of(const to_intra *t, size_t index) {
  static const char *const roles[][2] = {{"gnn.loss", "loss"},
                                         {"gnn.gradient", "gradient"},
                                         {"gnn.update", "update"},
                                         {"gnn.input_gradient", "input_gradient"}};
  for (size_t i = 0; i < sizeof roles / sizeof *roles; i++)
    if (!mlirAttributeIsNull(ir_func_result_attr(t->old, index, roles[i][0]))) return roles[i][1];
  return NULL;
}

/* Whether an operation over groups or rows is a kernel by itself. */
static bool has_own_kernel(MlirOperation op) {
  return to_intra_is_ordered(op) || to_intra_adds_rows(op);
}

/* Declares the buffer of a result. Results that are computed here are stored by their kernel;
 * others are copied at the end. */
static bool declare_result(to_intra *t, size_t index) {
  MlirOperation end = ir_block_terminator(ir_func_body(t->old));
  MlirValue value = mlirOperationGetOperand(end, (intptr_t)index);
  ir_type type = ir_type_of(value);
  if (type.kind == IR_KIND_sparse)
    return inter_refuse(t->p, end, "sparse features cannot be returned; use them in a linear layer");
  if (type.kind == IR_KIND_graph) { /* a graph needs no buffer: it is known by its name */
    if (t->is_bind) VEC_PUSH(t->p->arena, &t->bound, (to_intra_bound){0});
    VEC_PUSH(t->p->arena, &t->results, (MlirValue){NULL});
    return true;
  }
  declaration d = {.space = t->is_bind ? "bound" : "output", .location = mlirValueGetLocation(value)};
  d.name = result_name(t, index);
  d.count = type_count(t, value);
  d.role = role_of(t, index);
  if (t->is_bind) d.name = fresh_name(t, d.name);
  if (t->is_bind) VEC_PUSH(t->p->arena, &t->bound, (to_intra_bound){d.name, d.count});
  MlirValue buffer = declare(t, type, &d);
  if (is_loop_result(value)) add_target(t, value, buffer);
  /* such a kernel writes where its only use is */
  MlirOperation op = ir_defining_op(value);
  bool is_own = !mlirOperationIsNull(op) && has_own_kernel(op) && ir_value_has_one_use(value);
  if (is_own) put_buffer(t, value, buffer);
  if (t->is_bind && is_loop_result(value) && mlirValueIsNull(to_intra_buffer(t, value))) put_buffer(t, value, buffer);
  VEC_PUSH(t->p->arena, &t->results, buffer);
  return true;
}

static bool is_read(MlirValue value, MlirOperation end) {
  IR_FOR_EACH_USE(use, value)
    if (!mlirOperationEqual(mlirOpOperandGetOwner(use), end)) return true;
  return false;
}

MlirValue to_intra_copy(const to_intra *t, MlirValue value) {
  return (MlirValue){map_get_pointer(&t->copies, value.ptr)};
}

/* Declares copies of the caller's values from which an operation makes edges: the routines read numbers of the model,
 * and those of the caller are float. */
static void declare_copies(to_intra *t, MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
    MlirValue value = mlirOperationGetOperand(op, i);
    if (ir_type_of(value).kind != IR_KIND_node) continue;
    MlirValue buffer = to_intra_buffer(t, value);
    if (mlirValueIsNull(buffer) || !ir_string_is(ir_defining_op(buffer), "space", "input")) continue;
    if (!mlirValueIsNull(to_intra_copy(t, value))) continue;
    declaration d = {.space = "workspace", .name = workspace_name(t, value), .location = mlirValueGetLocation(value)};
    map_set_pointer(&t->copies, value.ptr, declare(t, ir_type_of(value), &d).ptr);
  }
}

/* Declares workspace for results of loops that other kernels read, and for extended edge values. */
static void declare_workspace(to_intra *t, MlirValue value, bool stores) {
  if (!mlirValueIsNull(to_intra_buffer(t, value))) return;
  declaration d = {.space = "workspace",
                   .name = workspace_name(t, value),
                   .count = type_count(t, value),
                   .location = mlirValueGetLocation(value)};
  MlirValue buffer = declare(t, ir_type_of(value), &d);
  put_buffer(t, value, buffer);
  if (stores) add_target(t, value, buffer);
}

bool to_intra_declare(to_intra *t, MlirOperation old_bind) {
  MlirBlock old = ir_func_body(t->old);
  MlirOperation end = ir_block_terminator(old);
  size_t arguments = (size_t)mlirBlockGetNumArguments(old), results = (size_t)mlirOperationGetNumOperands(end);
  bool ok = true;
  count_weights(t);
  for (size_t i = 0; i < arguments; i++)
    if (ir_type_of(mlirBlockGetArgument(old, (intptr_t)i)).kind == IR_KIND_graph)
      put_graph(t, mlirBlockGetArgument(old, (intptr_t)i));
  IR_FOR_EACH_OP(op, old)
    if (mlirOperationGetNumResults(op) == 1 && ir_type_of(ir_result(op)).kind == IR_KIND_graph)
      put_graph(t, ir_result(op));
  const int64_t *kept = mlirOperationIsNull(old_bind) ? NULL : inter_bound_results(t->p, old_bind, t->old);
  for (size_t i = 0; i < arguments; i++) ok = declare_argument(t, kept ? kept[i] : -1, i) && ok;
  IR_FOR_EACH_OP(op, old)
    if (ir_weight_symbol(op)) ok = declare_weight(t, op) && ok;
  for (size_t i = 0; i < results; i++) ok = declare_result(t, i) && ok;
  IR_FOR_EACH_OP(op, old) {
    ir_op kind = ir_op_kind(op);
    if (kind == IR_OP(gnn, extend_edges) || kind == IR_OP(gnn, restrict_edges) || kind == IR_OP(gnn, opposite_edges) ||
        kind == IR_OP(gnn, top_nodes) || has_own_kernel(op))
      declare_workspace(t, ir_result(op), false);
    if (kind == IR_OP(gnn, near_edges) || kind == IR_OP(gnn, induced_edges) || kind == IR_OP(gnn, top_nodes))
      declare_copies(t, op);
    if (ir_op_kind(op) == IR_OP(inter, result) && mlirBlockEqual(mlirOperationGetBlock(op), old) &&
        is_read(ir_result(op), end))
      declare_workspace(t, ir_result(op), true);
  }
  return ok;
}
