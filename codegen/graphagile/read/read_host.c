#include "codegen/graphagile/read/read_host.h"

#include "codegen/device/operand.h"
#include "codegen/device/steps/place.h"

bool graphagile_read_is_made(MlirValue value) {
  ir_kind kind = ir_type_of(value).kind;
  MlirOperation op = ir_defining_op(value);
  if ((kind != IR_KIND_rows && kind != IR_KIND_values) || mlirOperationIsNull(op) || place_is_on_host(op)) return false;
  switch (ir_op_kind(op)) {
  case IR_OP(device, input):
  case IR_OP(device, constant):
  case IR_OP(device, constant_values): return false; /* the host evaluates constants, so it has them already */
  default: return true;
  }
}

/* Collects the operands of a host step that a device layer makes; these move to the host. */
static void read_operands(graphagile_plan *p, graphagile_plan_layer *layer) {
  int index = (int)p->layers.count;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(layer->op); i++) {
    MlirValue value = mlirOperationGetOperand(layer->op, i);
    if (!graphagile_read_is_made(value)) continue;
    graphagile_plan_tensor *t = graphagile_plan_find_tensor(p, value);
    layer->host.operands[layer->host.num_operands++] = t;
    if (t->last < index) t->last = index;
    if (t->edges) t->edges->wants_positions = true;
  }
}

/* Adds a tensor for the result of a host step where a device layer reads it. */
static void read_result(graphagile_plan *p, graphagile_plan_layer *layer) {
  MlirValue value = ir_result(layer->op);
  if (!place_needs(&p->needs, value)) return;
  graphagile_plan_tensor *t = graphagile_plan_add_tensor(p, value, GRAPHAGILE_PLAN_HIDDEN, layer->name);
  if (ir_type_of(value).kind == IR_KIND_values) {
    t->edges = map_get_pointer(&p->values, ir_result(operand_edges(value)).ptr);
    t->rows = t->edges->list->edges;
    t->kind = GRAPHAGILE_KIND_values;
    t->edges->wants_positions = true;
  }
  graphagile_plan_size_tensor(p, t);
  t->first = t->last = (int)p->layers.count;
  layer->result = t;
}

void graphagile_read_host(graphagile_plan *p, MlirOperation op) {
  MlirLocation where = mlirOperationGetLocation(op);
  graphagile_plan_layer layer = {.op = op, .kind = GRAPHAGILE_PLAN_host, .name = ir_location_name(where)};
  ir_location_position(where, &layer.file, &layer.line, &layer.column);
  if (!layer.name) layer.name = arena_printf(p->arena, "value %zu", p->layers.count);
  read_operands(p, &layer);
  read_result(p, &layer);
  VEC_PUSH(p->arena, &p->layers, layer);
}
