/* inter-to-intra: lowers loops to kernels over buffers (Pigeon, Section 3.3 and 3.4.3).
 *
 *   %h = result of for_nodes(g) { linear(at(x, i), w) }      becomes     intra.gemm(g, %x, %w) { ^(i, p): store p, %h, i }
 *
 * Each function is built anew beside the old one, which has no memory: first its graphs, then its
 * buffers, then its kernels in the order of the loops. Pigeon's three scans: loops with several
 * products are split, so that each large product is a GEMM; every other loop is a traversal; the
 * rest are calls. */
#include "passes/inter_to_intra/inter_to_intra.h"

#include "passes/gnn/rules/gnn_rewrite.h"
#include "passes/inter/inter_loops.h"
#include "passes/inter_to_intra/inter_to_intra_split.h"
#include "support/edge_mode.h"

#include <string.h>

/* Lowers a kernel from the buffer of its value, the second operand, to that of its result. */
static bool lower_edge_values(to_intra *t, MlirOperation op, ir_op kind) {
  MlirValue value = ir_operand(op, 1);
  const MlirValue operands[IR_MAX_OPERANDS] = {to_intra_buffer(t, value), to_intra_buffer(t, ir_result(op))};
  ir_builder b = {
      .context = t->p->context, .block = t->body, .before = t->end, .location = mlirOperationGetLocation(op)};
  return !mlirOperationIsNull(ir_build(&b, kind, operands, NULL, (MlirRegion){NULL}, (MlirType){NULL}));
}

static bool lower_extend_edges(to_intra *t, MlirOperation op) {
  const MlirValue operands[IR_MAX_OPERANDS] = {to_intra_buffer(t, ir_operand(op, IR_IN(gnn, extend_edges, value))),
                                               to_intra_buffer(t, ir_result(op))};
  ir_attr attributes[] = {{"fill", ir_attr_float(t->p->context, ir_get_float(op, "fill", 0))}, {NULL, {NULL}}};
  ir_builder b = {
      .context = t->p->context, .block = t->body, .before = t->end, .location = mlirOperationGetLocation(op)};
  return !mlirOperationIsNull(
      ir_build(&b, IR_OP(intra, extend_edges), operands, attributes, (MlirRegion){NULL}, (MlirType){NULL}));
}

/* The buffer of a value in memory of the model, to which a value of the caller is copied. */
static MlirValue own_buffer(to_intra *t, MlirValue value, const ir_builder *b) {
  const MlirValue operands[IR_MAX_OPERANDS] = {to_intra_buffer(t, value), to_intra_copy(t, value)};
  if (mlirValueIsNull(operands[1])) return operands[0];
  if (map_get(&t->copied, value.ptr, 0)) return operands[1];
  map_set(&t->copied, value.ptr, 1);
  ir_build(b, IR_OP(intra, copy), operands, NULL, (MlirRegion){NULL}, (MlirType){NULL});
  return operands[1];
}

/* Lowers an operation that makes edges while the model runs; others are made by calls in bind. */
static bool lower_edges(to_intra *t, MlirOperation op) {
  MlirContext context = t->p->context;
  const char *set = ir_type_of(ir_result(op)).set;
  bool is_set = ir_op_kind(op) == IR_OP(gnn, edge_set), is_near = ir_op_kind(op) == IR_OP(gnn, near_edges);
  if (!ir_is_run_set(set)) return true;
  edge_mode mode = edge_mode_read(is_set ? ir_get_string(op, "mode", "") : "");
  bool is_power = mode.kind == EDGE_MODE_power, is_loops = is_set && !is_power;
  ir_builder b = {.context = context, .block = t->body, .before = t->end, .location = mlirOperationGetLocation(op)};
  MlirValue operands[IR_MAX_OPERANDS] = {{NULL}};
  if (!is_set) operands[IR_IN(intra, make_edges, value)] = own_buffer(t, mlirOperationGetOperand(op, 1), &b);
  MlirValue among = is_near ? ir_operand(op, IR_IN(gnn, near_edges, among)) : (MlirValue){NULL};
  if (!ir_value_is_null(among)) operands[IR_IN(intra, make_edges, among)] = own_buffer(t, among, &b);
  MlirAttribute none = {NULL};
  ir_attr attributes[] = {{"by", ir_attr_string(context, is_loops   ? "self_loops"
                                                         : is_power ? "power"
                                                         : is_near  ? "near"
                                                                    : "induced")},
                          {"set", ir_attr_string(context, set)},
                          {"base", ir_attr_string(context, ir_base_set(context, set))},
                          {"mode", is_loops ? ir_get_attr(op, "mode") : none},
                          {"most", is_power  ? ir_attr_integer(context, mode.number)
                                   : is_near ? ir_get_attr(op, "most")
                                             : none},
                          {"radius", is_near ? ir_get_attr(op, "radius") : none},
                          {"loop", is_near ? ir_get_attr(op, "loop") : none},
                          {NULL, {NULL}}};
  return !mlirOperationIsNull(
      ir_build(&b, IR_OP(intra, make_edges), operands, attributes, (MlirRegion){NULL}, (MlirType){NULL}));
}

static bool lower_top_nodes(to_intra *t, MlirOperation op) {
  ir_builder b = {
      .context = t->p->context, .block = t->body, .before = t->end, .location = mlirOperationGetLocation(op)};
  MlirValue among = ir_operand(op, IR_IN(gnn, top_nodes, among));
  MlirValue operands[IR_MAX_OPERANDS] = {{NULL}};
  operands[IR_IN(intra, top_nodes, score)] = own_buffer(t, ir_operand(op, IR_IN(gnn, top_nodes, score)), &b);
  operands[IR_IN(intra, top_nodes, to)] = to_intra_buffer(t, ir_result(op));
  if (!ir_value_is_null(among)) operands[IR_IN(intra, top_nodes, among)] = own_buffer(t, among, &b);
  ir_attr attributes[] = {{"ratio", ir_attr_float(t->p->context, ir_get_float(op, "ratio", 1))}, {NULL, {NULL}}};
  return !mlirOperationIsNull(
      ir_build(&b, IR_OP(intra, top_nodes), operands, attributes, (MlirRegion){NULL}, (MlirType){NULL}));
}

static bool lower_operation(to_intra *t, MlirOperation op) {
  if (inter_is_outer_loop(op)) return to_intra_kernel(t, op);
  if (ir_weight_symbol(op)) return true; /* declared before */
  switch (ir_op_kind(op)) {
  case IR_OP(gnn, edge_set):
  case IR_OP(gnn, near_edges):
  case IR_OP(gnn, induced_edges): return lower_edges(t, op);
  case IR_OP(gnn, top_nodes): return lower_top_nodes(t, op);
  case IR_OP(gnn, unique_edges):
  case IR_OP(inter, result): return true; /* declared before */
  case IR_OP(gnn, extend_edges): return lower_extend_edges(t, op);
  case IR_OP(gnn, opposite_edges): return lower_edge_values(t, op, IR_OP(intra, opposite_edges));
  case IR_OP(gnn, restrict_edges): return lower_edge_values(t, op, IR_OP(intra, restrict_edges));
  case IR_OP(gnn, contract): return to_intra_contract(t, op);
  case IR_OP(gnn, sum_by): return to_intra_sum_by(t, op);
  case IR_OP(gnn, order):
  case IR_OP(gnn, first):
  case IR_OP(gnn, place_first):
  case IR_OP(gnn, quantile): return to_intra_ordered(t, op);
  default:
    mlirEmitError(mlirOperationGetLocation(op),
                  arena_printf(t->p->arena, "%s has not been lowered to a loop", ir_op_name(op)));
    return false;
  }
}

static bool is_computed(MlirValue value) {
  MlirOperation op = ir_defining_op(value);
  return !mlirOperationIsNull(op) && ir_op_kind(op) == IR_OP(inter, result);
}

/* Copies results that no kernel stores: arguments, weights and extended edge values that are
 * returned unchanged. */
static void copy_results(to_intra *t) {
  MlirOperation end = ir_block_terminator(ir_func_body(t->old));
  ir_builder b = {.context = t->p->context, .block = t->body, .before = t->end};
  for (size_t i = 0; i < t->results.count; i++) {
    MlirValue value = mlirOperationGetOperand(end, (intptr_t)i);
    if (is_computed(value) || mlirValueIsNull(t->results.items[i])) continue;
    if (mlirValueEqual(to_intra_buffer(t, value), t->results.items[i])) continue; /* its kernel writes it there */
    const MlirValue operands[IR_MAX_OPERANDS] = {to_intra_buffer(t, value), t->results.items[i]};
    b.location = mlirValueGetLocation(value);
    ir_build(&b, IR_OP(intra, copy), operands, NULL, (MlirRegion){NULL}, (MlirType){NULL});
  }
}

/* Erases graphs that only named the set of a loop that no longer exists. */
static void erase_unused_graphs(to_intra *t) {
  for (size_t i = 0; i < t->graphs.count; i++)
    if (!ir_value_has_uses(t->graphs.items[i])) mlirOperationDestroy(ir_defining_op(t->graphs.items[i]));
}

static MlirOperation make_function(to_intra *t, const char *name, const char *phase, MlirOperation before) {
  ir_builder b = ir_builder_before(before);
  t->func = ir_build_func(&b, name, NULL, 0, NULL, 0, &t->body);
  ir_set_attr(t->func, "gnn.phase", ir_attr_string(t->p->context, phase));
  ir_builder inside = ir_builder_at_end(t->body, b.location);
  ir_build_return(&inside, NULL, 0);
  t->end = ir_block_terminator(t->body);
  return t->func;
}

static bool lower_function(to_intra *t, MlirOperation old_bind) {
  make_function(t, ir_func_name(t->old), ir_get_string(t->old, "gnn.phase", "run"), t->old);
  if (!to_intra_declare(t, old_bind)) return false;
  bool ok = true;
  MlirBlock old = ir_func_body(t->old);
  MlirOperation end = ir_block_terminator(old);
  IR_FOR_EACH_OP_BEFORE(op, old, end) ok = lower_operation(t, op) && ok;
  if (!ok) return false;
  copy_results(t);
  erase_unused_graphs(t);
  return true;
}

static to_intra begin(MlirOperation root, MlirOperation old, pass_context *p, bool is_bind) {
  to_intra t = {.p = p, .module = root, .old = old, .is_bind = is_bind};
  t.places.arena = t.stores.arena = t.weight_counts.arena = t.name_counts.arena = t.copies.arena = t.copied.arena =
      p->arena;
  return t;
}

/* Makes a bind function for a model that keeps nothing: it only prepares the graph. */
static void make_empty_bind(to_intra *t, MlirOperation run) {
  const char *name = ir_func_name(run), *dot = strrchr(name, '.');
  size_t size = dot ? (size_t)(dot - name) : strlen(name);
  make_function(t, arena_printf(t->p->arena, "%.*s.bind", (int)size, name), "bind", run);
}

/* Checks that each function has its phase, and collects those that are not bind. */
static bool find_runs(MlirOperation root, pass_context *p, to_intra_functions *runs) {
  IR_FOR_EACH_FUNC(func, root) {
    const char *phase = ir_get_string(func, "gnn.phase", "");
    if (!*phase) {
      mlirEmitError(mlirOperationGetLocation(func),
                    "the function is neither bind nor run; gnn-separate-bind comes first");
      return false;
    }
    if (strcmp(phase, "bind") != 0) VEC_PUSH(p->arena, runs, func);
  }
  return true;
}

/* Lowers one function that runs after bind. */
static bool lower_run(MlirOperation root, MlirOperation old, MlirOperation old_bind, const to_intra *bind,
                      to_intra_functions *made) {
  to_intra run = begin(root, old, bind->p, false);
  run.bound.items = bind->bound.items;
  run.bound.count = bind->bound.count;
  if (!lower_function(&run, old_bind)) return false;
  VEC_PUSH(bind->p->arena, made, run.func);
  return true;
}

bool pass_run_inter_to_intra(MlirOperation root, pass_context *p) {
  to_intra_functions runs = {0}, made = {0};
  if (!find_runs(root, p, &runs)) return false;
  MlirOperation old_bind = inter_find_phase(root, "bind");
  if (!runs.count) return true;
  if (!mlirOperationIsNull(old_bind)) to_intra_read_through(old_bind, p);
  for (size_t i = 0; i < runs.count; i++) to_intra_read_through(runs.items[i], p);
  if (!mlirOperationIsNull(old_bind)) to_intra_split_products(old_bind, p);
  for (size_t i = 0; i < runs.count; i++) to_intra_split_products(runs.items[i], p);
  to_intra bind = begin(root, old_bind, p, true);
  if (mlirOperationIsNull(old_bind))
    make_empty_bind(&bind, runs.items[0]);
  else if (!lower_function(&bind, old_bind))
    return false;
  for (size_t i = 0; i < runs.count; i++)
    if (!lower_run(root, runs.items[i], old_bind, &bind, &made)) return false;
  if (!mlirOperationIsNull(old_bind)) mlirOperationDestroy(old_bind);
  for (size_t i = 0; i < runs.count; i++) mlirOperationDestroy(runs.items[i]);
  return to_intra_prepare_graphs(p, bind.func, &made);
}
