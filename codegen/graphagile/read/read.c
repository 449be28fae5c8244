/* Makes a plan from a module of the device level. Each value in device memory becomes one
 * tensor, each operation one layer. */
#include "codegen/graphagile/read/read.h"

#include "codegen/device/interface.h"
#include "codegen/device/steps/place.h"
#include "codegen/graphagile/fuse/fuse_factors.h"
#include "codegen/graphagile/fuse/fuse_joins.h"
#include "codegen/graphagile/fuse/fuse_self_loops.h"
#include "codegen/graphagile/plan/plan_compact.h"
#include "codegen/graphagile/plan/plan_half.h"
#include "codegen/graphagile/read/read_host.h"
#include "codegen/graphagile/read/read_layer.h"
#include "support/number.h"

#include <string.h>

static void read_relation(graphagile_plan *p, MlirOperation op) {
  graphagile_plan_edge_list *e = arena_alloc(p->arena, sizeof *e);
  e->op = op;
  e->kind = ir_get_string(op, "kind", "in");
  const char *name = ir_location_name(mlirOperationGetLocation(op));
  e->name = arena_printf(p->arena, "%s %zu", name ? name : e->kind, p->edges.count);
  if (!graphagile_plan_check(p, program_host_edge_list(p->host, op, &e->list))) return;
  for (size_t i = 0; i < p->edges.count && !e->shape; i++) {
    graphagile_plan_edge_list *other = p->edges.items[i]; /* the same edges with other weights */
    if (other->list->src == e->list->src && other->list->dst == e->list->dst && other->list->edges == e->list->edges)
      e->shape = other->shape;
  }
  if (!e->shape) e->shape = arena_alloc(p->arena, sizeof *e->shape);
  const graphagile_options *o = p->options;
  e->is_packed = o->packed && o->device.graphagile.has_packed_edges && !e->list->has_weight;
  e->record_bytes = e->is_packed ? GRAPHAGILE_VALUE_BYTES : graphagile_plan_weighted_bytes(p);
  map_set_pointer(&p->values, ir_result(op).ptr, e);
  VEC_PUSH(p->arena, &p->edges, e);
}

static void read_input(graphagile_plan *p, MlirOperation op) {
  graphagile_plan_place place = interface_is_weight(op) ? GRAPHAGILE_PLAN_INPUT_WEIGHT : GRAPHAGILE_PLAN_INPUT;
  graphagile_plan_tensor *t = graphagile_plan_add_tensor(p, ir_result(op), place, interface_input(p->arena, op).name);
  t->value = ir_operand(op, IR_IN(device, input, x));
  t->input = op;
  graphagile_plan_size_tensor(p, t);
}

static void read_constant(graphagile_plan *p, MlirOperation op) {
  MlirValue x = ir_operand(op, IR_IN(device, constant, x));
  const char *name = ir_location_name(mlirOperationGetLocation(op));
  graphagile_plan_tensor *t =
      graphagile_plan_add_tensor(p, ir_result(op), GRAPHAGILE_PLAN_CONSTANT, name ? name : "constant");
  t->value = x;
  graphagile_plan_size_tensor(p, t);
}

static void read_constant_values(graphagile_plan *p, MlirOperation op) {
  graphagile_plan_edge_list *e = map_get_pointer(&p->values, ir_operand(op, IR_IN(device, constant_values, edges)).ptr);
  const char *name = ir_location_name(mlirOperationGetLocation(op));
  graphagile_plan_tensor *t =
      graphagile_plan_add_tensor(p, ir_result(op), GRAPHAGILE_PLAN_CONSTANT, name ? name : "values");
  if (!e) return;
  t->value = ir_operand(op, IR_IN(device, constant_values, x));
  t->edges = e;
  t->rows = e->list->edges;
  e->wants_positions = true;
  graphagile_plan_size_tensor(p, t);
}

static void read_output(graphagile_plan *p, MlirOperation op) {
  MlirValue x = ir_operand(op, IR_IN(device, output, x)), result = ir_result(op);
  graphagile_plan_tensor *t = place_is_on_host(ir_defining_op(x)) ? NULL : graphagile_plan_find_tensor(p, x);
  MlirOperation end = ir_block_terminator(ir_func_body(p->function));
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(end); i++) {
    if (!mlirValueEqual(mlirOperationGetOperand(end, i), result)) continue;
    graphagile_plan_output out = {.tensor = t, .index = (size_t)i};
    VEC_PUSH(p->arena, &p->outputs, out);
    if (!t) continue;
    t->is_output = true;
    if (t->place == GRAPHAGILE_PLAN_HIDDEN) t->kind = GRAPHAGILE_KIND_output;
    if (t->edges) t->edges->wants_positions = true;
  }
}

/* Makes a value a window of `whole`, from column `begin` on. The result of a layer or a concatenation
 * becomes the window itself; inputs, constants and windows of others are copied there. */
static void read_window(graphagile_plan *p, MlirOperation op, MlirValue value, graphagile_plan_tensor *whole,
                        int64_t begin) {
  graphagile_plan_tensor *t = graphagile_plan_find_tensor(p, value);
  if (t->place != GRAPHAGILE_PLAN_HIDDEN || t->whole) t = graphagile_read_copy(p, op, t);
  t->whole = whole;
  t->window = begin / p->device->width;
  if (begin % p->device->width)
    graphagile_plan_fail(p, NULL, DIAG_internal, "device.concat at column %lld, no multiple of %d", (long long)begin,
                         p->device->width);
}

static void read_concat(graphagile_plan *p, MlirOperation op) {
  MlirValue a = ir_operand(op, IR_IN(device, concat, a)), b = ir_operand(op, IR_IN(device, concat, b));
  const char *name = ir_location_name(mlirOperationGetLocation(op));
  graphagile_plan_tensor *whole =
      graphagile_plan_add_tensor(p, ir_result(op), GRAPHAGILE_PLAN_HIDDEN, name ? name : "concat");
  graphagile_plan_size_tensor(p, whole);
  read_window(p, op, a, whole, 0);
  read_window(p, op, b, whole, graphagile_plan_find_tensor(p, a)->width);
}

static void read_columns(graphagile_plan *p, MlirOperation op) {
  graphagile_plan_tensor *whole = graphagile_plan_find_tensor(p, ir_operand(op, IR_IN(device, columns, x)));
  graphagile_plan_tensor *t = graphagile_plan_add_tensor(p, ir_result(op), whole->place, whole->name);
  int64_t begin = ir_get_integer(op, "begin", 0);
  graphagile_plan_size_tensor(p, t);
  t->whole = whole;
  t->kind = whole->kind;
  t->window = begin / p->device->width;
  if (begin % p->device->width)
    graphagile_plan_fail(p, NULL, DIAG_internal, "device.columns at column %lld, no multiple of %d", (long long)begin,
                         p->device->width);
}

/* Adds the line of the model to an error of the host, which evaluates constants without knowing
 * who asks for them. */
static void add_place(graphagile_plan *p, MlirOperation op) {
  const char *file;
  unsigned line, column;
  if (p->error && ir_location_position(mlirOperationGetLocation(op), &file, &line, &column) && line)
    p->error = status_context(p->error, "%s:%u:%u", file, line, column);
}

/* Whether the device executes nothing for an operation. */
static bool is_unneeded(const graphagile_plan *p, MlirOperation op) {
  if (!p->has_host || mlirOperationGetNumResults(op) != 1 || ir_op_kind(op) == IR_OP(device, output)) return false;
  return !place_is_on_host(op) && !place_needs(&p->needs, ir_result(op));
}

static bool read_operation(graphagile_plan *p, MlirOperation op) {
  if (is_unneeded(p, op)) return true;
  if (place_is_on_host(op)) {
    graphagile_read_host(p, op);
    return !p->failed && !p->error;
  }
  switch (ir_op_kind(op)) {
  case IR_OP(device, edges): read_relation(p, op); break;
  case IR_OP(device, input): read_input(p, op); break;
  case IR_OP(device, constant): read_constant(p, op); break;
  case IR_OP(device, constant_values): read_constant_values(p, op); break;
  case IR_OP(device, concat): read_concat(p, op); break;
  case IR_OP(device, columns): read_columns(p, op); break;
  case IR_OP(device, output): read_output(p, op); break;
  default: graphagile_read_layer(p, op); break; /* operations of the gnn level are evaluated by the host */
  }
  add_place(p, op);
  return !p->failed && !p->error;
}

bool graphagile_read_module(graphagile_plan *p) {
  p->values = (map){.arena = p->arena};
  graphagile_plan_constant_index(p, NULL, 1.0);
  p->function = ir_func_first(p->module);
  if (mlirOperationIsNull(p->function)) {
    graphagile_plan_fail(p, NULL, DIAG_internal, "the module has no function");
    return false;
  }
  p->model = ir_func_name(p->function);
  p->has_host = place_has_host(p->function);
  if (p->has_host) p->needs = place_find_needs(p->arena, p->function);
  IR_FOR_EACH_OP(op, ir_func_body(p->function))
    if (!read_operation(p, op)) return false;
  graphagile_plan_join_lives(p);
  graphagile_fuse_factors(p);
  graphagile_fuse_self_loops(p);
  graphagile_fuse_joins(p);
  graphagile_plan_compact(p);
  graphagile_plan_halve(p);
  return true;
}
