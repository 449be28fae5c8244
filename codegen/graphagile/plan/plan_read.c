/* The module of the device level as a plan: each value in device memory once, each operation as a layer. */
#include "codegen/graphagile/plan/plan_read.h"

#include "support/number.h"

#include <string.h>

bool graphagile_plan_check(graphagile_plan *p, status s) {
  if (!s) return true;
  if (p->error)
    status_free(s);
  else
    p->error = s;
  return false;
}

void graphagile_plan_fail(graphagile_plan *p, const graphagile_plan_layer *layer, diag_id id, const char *format, ...) {
  va_list args;
  va_start(args, format);
  const char *message = arena_vprintf(p->arena, format, args), *file = NULL;
  va_end(args);
  unsigned line = 0, column = 0;
  if (!layer && !mlirOperationIsNull(p->function))
    ir_location_position(mlirOperationGetLocation(p->function), &file, &line, &column);
  if (layer)
    diag_report_at(p->diag, layer->file, layer->line, layer->column, id, "%s", message);
  else
    diag_report_at(p->diag, file, line, column, id, "%s", message);
  p->failed = true;
}

int graphagile_plan_constant_index(graphagile_plan *p, const graphagile_plan_layer *layer, double value) {
  enum { LARGEST = 1024 };
  float number = (float)value;
  for (int i = 0; i < p->num_constants; i++)
    if (!memcmp(&p->constants[i], &number, sizeof number)) return i;
  if (p->num_constants == LARGEST) {
    graphagile_plan_fail(p, layer, DIAG_unsupported,
                         "the model has more than %d different constants, the device's table holds no more", LARGEST);
    return 0;
  }
  if (!p->constants) p->constants = arena_alloc_array(p->arena, LARGEST, sizeof *p->constants);
  p->constants[p->num_constants] = number;
  return p->num_constants++;
}

graphagile_plan_tensor *graphagile_plan_read_tensor(graphagile_plan *p, MlirValue value) {
  return ir_value_is_null(value) ? NULL : map_get_pointer(&p->values, value.ptr);
}

graphagile_plan_tensor *graphagile_plan_add_tensor(graphagile_plan *p, MlirValue rows, graphagile_plan_place place,
                                                   const char *name) {
  ir_type type = ir_type_of(rows);
  graphagile_plan_tensor *t = arena_alloc(p->arena, sizeof *t);
  *t = (graphagile_plan_tensor){
      .name = name, .set = type.set, .place = place, .width = type.dims[0], .first = -1, .last = -1};
  if (type.kind == IR_KIND_rows) graphagile_plan_check(p, program_host_set_rows(p->host, t->set, &t->rows));
  t->kind = place == GRAPHAGILE_PLAN_INPUT    ? GRAPHAGILE_KIND_input
            : place == GRAPHAGILE_PLAN_HIDDEN ? GRAPHAGILE_KIND_hidden
                                              : GRAPHAGILE_KIND_weights;
  map_set_pointer(&p->values, rows.ptr, t);
  VEC_PUSH(p->arena, &p->tensors, t);
  return t;
}

void graphagile_plan_size_tensor(graphagile_plan *p, graphagile_plan_tensor *t) {
  const int64_t width = p->device->width;
  if (t->edges || t->weight) {
    t->fibers = t->width;
    t->array_bytes = (uint64_t)number_round_up(t->rows * GRAPHAGILE_VALUE_BYTES, GRAPHAGILE_PLAN_ALIGN);
    t->bytes = t->array_bytes * (uint64_t)t->width;
  } else {
    t->fibers = number_ceil_div(t->width, width);
    t->stride = number_round_up(t->rows, width);
    t->bytes = (uint64_t)(t->fibers * t->stride * width * 4);
  }
}

static void read_relation(graphagile_plan *p, MlirOperation op) {
  graphagile_plan_edge_list *e = arena_alloc(p->arena, sizeof *e);
  e->op = op;
  e->kind = ir_get_string(op, "kind", "in");
  const char *name = ir_location_name(mlirOperationGetLocation(op));
  e->name = arena_printf(p->arena, "%s %zu", name ? name : e->kind, p->edges.count);
  if (!graphagile_plan_check(p, program_host_edge_list(p->host, op, &e->list))) return;
  for (size_t i = 0; i < p->edges.count && !e->shape; i++) {
    graphagile_plan_edge_list *other = p->edges.items[i]; /* same edges, other weights */
    if (other->list->src == e->list->src && other->list->dst == e->list->dst && other->list->edges == e->list->edges)
      e->shape = other->shape;
  }
  if (!e->shape) e->shape = arena_alloc(p->arena, sizeof *e->shape);
  const backend_options *o = p->options;
  e->is_packed = o->packed && o->device.graphagile.has_packed_edges && !e->list->has_weight;
  e->record_bytes = e->is_packed ? 4 : GRAPHAGILE_RECORD_BYTES;
  map_set_pointer(&p->values, ir_result(op).ptr, e);
  VEC_PUSH(p->arena, &p->edges, e);
}

static const char *input_name(graphagile_plan *p, MlirValue value, bool *in_weights) {
  *in_weights = false;
  if (!mlirValueIsABlockArgument(value)) return NULL;
  size_t index = (size_t)mlirBlockArgumentGetArgNumber(value);
  *in_weights = !mlirAttributeIsNull(ir_func_arg_attr(p->function, index, "gnn.space"));
  MlirAttribute name = ir_func_arg_attr(p->function, index, "gnn.name");
  if (mlirAttributeIsNull(name)) return arena_printf(p->arena, "input %zu", index);
  MlirStringRef s = mlirStringAttrGetValue(name);
  return arena_strndup(p->arena, s.data, s.length);
}

static void read_input(graphagile_plan *p, MlirOperation op) {
  MlirValue x = ir_operand(op, IR_IN(device, input, x));
  bool in_weights;
  const char *name = input_name(p, x, &in_weights);
  graphagile_plan_tensor *t = graphagile_plan_add_tensor(
      p, ir_result(op), in_weights ? GRAPHAGILE_PLAN_INPUT_WEIGHT : GRAPHAGILE_PLAN_INPUT, name);
  t->value = x;
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
  graphagile_plan_tensor *t = graphagile_plan_read_tensor(p, ir_operand(op, IR_IN(device, output, x)));
  MlirValue result = ir_result(op);
  MlirOperation end = ir_block_terminator(ir_func_body(p->function));
  if (!t) return;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(end); i++) {
    if (!mlirValueEqual(mlirOperationGetOperand(end, i), result)) continue;
    MlirAttribute name = ir_func_result_attr(p->function, (size_t)i, "gnn.name");
    MlirStringRef s =
        mlirAttributeIsNull(name) ? mlirStringRefCreateFromCString("output") : mlirStringAttrGetValue(name);
    graphagile_plan_output out = {
        .tensor = t, .name = arena_strndup(p->arena, s.data, s.length), .type = ir_type_of(result)};
    VEC_PUSH(p->arena, &p->outputs, out);
    t->is_output = true;
    if (t->place == GRAPHAGILE_PLAN_HIDDEN) t->kind = GRAPHAGILE_KIND_output;
    if (t->edges) t->edges->wants_positions = true;
  }
}

/* Rows that become fibers of `whole`: in place where a layer makes them, or where they are a concatenation themselves; else copied there. */
static void read_window(graphagile_plan *p, MlirOperation op, MlirValue value, graphagile_plan_tensor *whole,
                        int64_t begin) {
  graphagile_plan_tensor *t = graphagile_plan_read_tensor(p, value);
  if (t->place != GRAPHAGILE_PLAN_HIDDEN || t->whole) t = graphagile_plan_copy(p, op, t);
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
  read_window(p, op, b, whole, graphagile_plan_read_tensor(p, a)->width);
}

static void read_columns(graphagile_plan *p, MlirOperation op) {
  graphagile_plan_tensor *whole = graphagile_plan_read_tensor(p, ir_operand(op, IR_IN(device, columns, x)));
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

/* What has the memory lives as long as all its windows. */
void graphagile_plan_join_lives(graphagile_plan *p) {
  for (size_t i = 0; i < p->tensors.count; i++) {
    graphagile_plan_tensor *t = p->tensors.items[i], *root = graphagile_plan_root(t);
    if (root == t) continue;
    if (t->first >= 0 && (root->first < 0 || t->first < root->first)) root->first = t->first;
    if (t->last > root->last) root->last = t->last;
    root->is_output |= t->is_output;
  }
}

/* What the host could not make is reported with the place in the model that asks for it. */
static void add_place(graphagile_plan *p, MlirOperation op) {
  const char *file;
  unsigned line, column;
  if (p->error && ir_location_position(mlirOperationGetLocation(op), &file, &line, &column) && line)
    p->error = status_context(p->error, "%s:%u:%u", file, line, column);
}

static bool read_operation(graphagile_plan *p, MlirOperation op) {
  switch (ir_op_kind(op)) {
  case IR_OP(device, edges): read_relation(p, op); break;
  case IR_OP(device, input): read_input(p, op); break;
  case IR_OP(device, constant): read_constant(p, op); break;
  case IR_OP(device, constant_values): read_constant_values(p, op); break;
  case IR_OP(device, concat): read_concat(p, op); break;
  case IR_OP(device, columns): read_columns(p, op); break;
  case IR_OP(device, output): read_output(p, op); break;
  default: graphagile_plan_read_layer(p, op); break; /* those of the gnn level are the host's */
  }
  add_place(p, op);
  return !p->failed && !p->error;
}

static MlirOperation find_function(MlirOperation module) {
  MlirBlock body = mlirModuleGetBody(mlirModuleFromOperation(module));
  for (MlirOperation op = mlirBlockGetFirstOperation(body); !mlirOperationIsNull(op);
       op = mlirOperationGetNextInBlock(op))
    if (!strcmp(ir_op_name(op), "func.func")) return op;
  return (MlirOperation){NULL};
}

bool graphagile_plan_read(graphagile_plan *p) {
  p->values = (map){.arena = p->arena};
  graphagile_plan_constant_index(p, NULL, 1.0);
  p->function = find_function(p->module);
  if (mlirOperationIsNull(p->function)) {
    graphagile_plan_fail(p, NULL, DIAG_internal, "the module has no function");
    return false;
  }
  p->model = ir_func_name(p->function);
  for (MlirOperation op = mlirBlockGetFirstOperation(ir_func_body(p->function)); !mlirOperationIsNull(op);
       op = mlirOperationGetNextInBlock(op))
    if (!read_operation(p, op)) return false;
  graphagile_plan_join_lives(p);
  graphagile_plan_factor_weights(p);
  graphagile_plan_add_self_loops(p);
  graphagile_plan_join_sums(p);
  return true;
}
