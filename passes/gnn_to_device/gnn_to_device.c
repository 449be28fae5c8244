/* gnn-to-device: lowers what depends on inputs to layers over rows of device memory (kernel
 * mapping; GraphAGILE, Section VI-F).
 *
 *   %z = gnn.linear(%x, %w)                 becomes   %x0 = device.input(%x); %z = device.gemm(%x0, %w)
 *   %y = gnn.aggregate(%g, %z, %c)          becomes   %r = device.edges(%g, weight = %c) {in}; %y = device.spdmm(%r, %z)
 *   return %y                               becomes   %o = device.output(%y); return %o
 *
 * Operations that depend on graph and weights alone (%c) stay as they are: the host evaluates them
 * when the program is compiled. Operations are lowered in order. The rows of a value are made where
 * they are first read, and operations that are unused in the end are erased. */
#include "passes/gnn_to_device/gnn_to_device.h"
#include "passes/inter/inter_loops.h"

#include "passes/gnn/rules/gnn_rewrite.h"

#include <string.h>

/* ---- what stays on the host ---- */

static bool depends_on_inputs(const to_device *l, MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++)
    if (!to_device_is_constant(l, mlirOperationGetOperand(op, i))) return true;
  return false;
}

static void classify(to_device *l) {
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(l->body); i++) {
    MlirValue argument = mlirBlockGetArgument(l->body, i);
    if (ir_type_of(argument).kind == IR_KIND_graph)
      VEC_PUSH(l->p->arena, &l->graphs, argument);
    else
      map_set(&l->runtime, argument.ptr, 1);
  }
  IR_FOR_EACH_OP(op, l->body) {
    if (mlirOperationGetNumResults(op) != 1) continue;
    if (ir_type_of(ir_result(op)).kind == IR_KIND_graph) VEC_PUSH(l->p->arena, &l->graphs, ir_result(op));
    if (depends_on_inputs(l, op)) map_set(&l->runtime, ir_result(op).ptr, 1);
  }
}

/* What an operation is called in the language, where no machine and no evaluation for machines knows
 * it; NULL for others. */
static const char *unknown_to_machines(MlirOperation op) {
  switch ((int)ir_op_kind(op)) {
  case IR_OP(gnn, order): return "an order ('by')";
  case IR_OP(gnn, first): return "'first'";
  case IR_OP(gnn, place_first): return "the gradient of 'first'";
  case IR_OP(gnn, sum_by): return "the gradient of a lookup";
  case IR_OP(gnn, fold): return "a fold";
  case IR_OP(gnn, quantile):
    return ir_string_is(op, "interpolation", "lower") && ir_get_float(op, "q", 0) == 0.5 ? "a median" : "a quantile";
  default: return ir_string_is(op, "reduce", "prod") ? "the reduction 'prod'" : NULL;
  }
}

static bool refuse_unknown(to_device *l) {
  IR_FOR_EACH_OP(op, l->body) {
    const char *what = unknown_to_machines(op);
    if (what) l->ok = inter_refuse(l->p, op, "%s has no form on machines; --target=c runs it", what);
  }
  return l->ok;
}

/* ---- operations ---- */

/* Whether an operation is lowered only where rows of it are read; until then its operands have a
 * use ahead. */
static bool is_lazy(const to_device *l, MlirOperation op) {
  ir_op kind = ir_op_kind(op);
  if (kind == IR_OP(gnn, gather) || kind == IR_OP(gnn, slice) || kind == IR_OP(gnn, expand)) return true;
  return map_get(&l->delayed, ir_result(op).ptr, 0) != 0;
}

static void lower(to_device *l, MlirOperation op) {
  if (is_lazy(l, op)) return;
  l->current = op;
  l->b = ir_builder_before(op);
  to_device_consume(l, op);
  if (to_device_edge_values(l, op) || to_device_elementwise(l, op) || to_device_layer(l, op) ||
      to_device_shape(l, op) || to_device_edges(l, op) || to_device_integers(l, op))
    return;
  l->ok = inter_refuse(l->p, op,
                       "%s of values that inputs take part in has no form on devices; the C target can compute it",
                       ir_op_name(op) + strlen("gnn."));
}

/* The form in which the device has a result. */
static MlirValue device_value(to_device *l, MlirValue v) {
  if (to_device_has_values(l, v)) return (MlirValue){map_get_pointer(&l->values, v.ptr)};
  return to_device_rows(l, v);
}

static void lower_outputs(to_device *l, MlirOperation end) {
  l->current = end;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(end) && l->ok; i++) {
    MlirValue v = mlirOperationGetOperand(end, i);
    l->b = ir_builder_before(end);
    MlirValue x = device_value(l, v);
    if (ir_value_is_null(x)) return;
    l->b.location = mlirValueGetLocation(v);
    MlirOperation made = ir_build(&l->b, IR_OP(device, output), &x, NULL, (MlirRegion){NULL}, mlirValueGetType(v));
    if (mlirOperationIsNull(made))
      l->ok = false;
    else
      mlirOperationSetOperand(end, i, ir_result(made));
  }
}

/* Erases from the end, so that operations which only erased operations used are erased too. */
static void erase_unused(to_device *l) {
  VEC(MlirOperation) ops = {0};
  IR_FOR_EACH_OP(op, l->body) VEC_PUSH(l->p->arena, &ops, op);
  for (size_t i = ops.count; i-- > 0;) {
    MlirOperation op = ops.items[i];
    if (mlirOperationGetNumResults(op) != 1 || !ir_op_is_removable(op)) continue;
    if (!ir_value_has_uses(ir_result(op))) mlirOperationDestroy(op);
  }
}

static bool lower_function(MlirOperation func, pass_context *p) {
  arena *a = p->arena;
  to_device l = {.p = p, .func = func, .body = ir_func_body(func), .ok = true};
  l.runtime.arena = l.rows.arena = l.values.arena = l.pending.arena = l.forms.arena = l.delayed.arena = l.merges.arena =
      a;
  l.width = pass_option_integer(p, "width", 16);
  l.is_dividing_later = pass_option_bool(p, "divide-later", true) && p->opt_level >= 2;
  l.is_fusing = pass_option_bool(p, "fuse", true);
  to_device_raise_integers(&l);
  classify(&l);
  if (!l.graphs.count) return inter_refuse(p, func, "a model without a graph has nothing to run on a device");
  if (!refuse_unknown(&l)) return false;
  if (pass_option_bool(p, "values", true)) to_device_choose_forms(&l);
  if (pass_option_bool(p, "merge", true) && p->opt_level >= 2) to_device_choose_merges(&l);
  VEC(MlirOperation) ops = {0};
  IR_FOR_EACH_OP(op, l.body)
    if (gnn_is_graph_level(op) && !to_device_is_constant(&l, ir_result(op))) VEC_PUSH(a, &ops, op);
  for (size_t i = 0; i < ops.count && l.ok; i++) lower(&l, ops.items[i]);
  if (l.ok) lower_outputs(&l, ir_block_terminator(l.body));
  if (l.ok) erase_unused(&l);
  p->changed++;
  return l.ok;
}

/* Whether the function has rows already, because the pass has run. */
static bool is_lowered(MlirOperation func) {
  IR_FOR_EACH_OP(op, ir_func_body(func))
    if (ir_op_kind(op) == IR_OP(device, output)) return true;
  return false;
}

/* What the language calls an operation whose result only generated C can make: the edges of a graph that values decide
 * about. NULL for others. */
static const char *name_run_graph(MlirOperation op) {
  switch (ir_op_kind(op)) {
  case IR_OP(gnn, near_edges): return strstr(ir_type_of(ir_result(op)).set, ".knn_") ? "knn_graph" : "radius_graph";
  case IR_OP(gnn, induced_edges): return "induced_subgraph";
  case IR_OP(gnn, top_nodes): return "top_k";
  default: return NULL;
  }
}

/* Refuses graphs that are made while the model runs: edge lists of machines are made when it is compiled. */
static bool has_run_graph(MlirOperation root, pass_context *p) {
  bool found = false;
  IR_FOR_EACH_FUNC(func, root)
    IR_FOR_EACH_OP(op, ir_func_body(func)) {
      const char *name = name_run_graph(op);
      if (!name) continue;
      found =
          !inter_refuse(p, op,
                        "'%s' makes a graph while the model runs, and no machine does; --target=c compiles the model "
                        "to C, which does",
                        name);
    }
  return found;
}

bool pass_run_to_device(MlirOperation root, pass_context *p) {
  bool ok = true;
  if (has_run_graph(root, p)) return false;
  IR_FOR_EACH_FUNC(func, root)
    if (!is_lowered(func)) ok = lower_function(func, p) && ok;
  return ok;
}
