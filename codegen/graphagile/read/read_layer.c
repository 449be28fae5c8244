/* Operations of the device level as layers of a plan: operands, constants, functions. */
#include "codegen/graphagile/read/read_layer.h"

#include "codegen/graphagile/fuse/fuse_epilogue.h"

#include <stdlib.h>
#include <string.h>

typedef struct name_value {
  const char *name;
  int value;
} name_value;

#define ENUM(kind, name, value) {#kind "_" #name, value},
static const name_value names[] = {
#include "isa/graphagile/graphagile.def"
#include "support/number.h"
    {NULL, 0}};

/* The value of "KIND_name", -1 where there is none. */
static int value_of(const char *kind, const char *name, size_t length) {
  size_t prefix = strlen(kind);
  for (const name_value *n = names; n->name; n++)
    if (!strncmp(n->name, kind, prefix) && n->name[prefix] == '_' && !strncmp(n->name + prefix + 1, name, length) &&
        !n->name[prefix + 1 + length])
      return n->value;
  return -1;
}

static int attribute_of(graphagile_plan *p, const graphagile_plan_layer *layer, const char *attribute,
                        const char *kind) {
  const char *said = ir_get_string(layer->op, attribute, "");
  int value = value_of(kind, said, strlen(said));
  if (value < 0)
    graphagile_plan_fail(p, layer, DIAG_internal, "%s has %s '%s'", ir_op_name(layer->op), attribute, said);
  return value < 0 ? 0 : value;
}

static void read_functions(graphagile_plan *p, graphagile_plan_layer *layer) {
  size_t count = ir_get_array_size(layer->op, "functions");
  layer->functions = count ? arena_alloc_array(p->arena, count, sizeof *layer->functions) : NULL;
  for (size_t i = 0; i < count; i++) {
    const char *said = ir_get_string_at(layer->op, "functions", i);
    const char *space = strchr(said, ' ');
    size_t length = space ? (size_t)(space - said) : strlen(said);
    int function = length ? value_of("FUNCTION", said, length) : GRAPHAGILE_FUNCTION_none;
    if (function < 0)
      graphagile_plan_fail(p, layer, DIAG_internal, "%s has function '%s'", ir_op_name(layer->op), said);
    if (function <= GRAPHAGILE_FUNCTION_none) continue;
    int param = space ? graphagile_plan_constant_index(p, layer, strtod(space + 1, NULL)) : 0;
    layer->functions[layer->num_functions++] = (graphagile_plan_function){function, param};
  }
}

/* A constant with `width` columns per type, and its segments where it is per type. */
static void read_bias(graphagile_plan *p, graphagile_plan_layer *layer, MlirValue value, int64_t width) {
  if (ir_value_is_null(value)) return;
  ir_type type = ir_type_of(value);
  const int64_t lanes = p->device->width;
  graphagile_plan_constant *c = &layer->bias;
  *c = (graphagile_plan_constant){
      .value = value, .types = 1, .depth = 1, .width = width, .fibers = number_ceil_div(width, lanes)};
  c->name = arena_printf(p->arena, "%s.bias", layer->name);
  c->is_one = ir_type_elements(ir_type_payload(type)) == 1;
  if (type.kind == IR_KIND_per) c->types = layer->segments;
  c->type_bytes = (uint64_t)(c->fibers * lanes * 4);
  c->bytes = c->type_bytes * (uint64_t)c->types;
}

static void read_segments(graphagile_plan *p, graphagile_plan_layer *layer, MlirValue value) {
  if (ir_value_is_null(value) || layer->segments) return;
  ir_type type = ir_type_of(value);
  if (type.kind != IR_KIND_per) return;
  graphagile_plan_check(
      p, program_host_set_segments(p->host, layer->result->set, type.set, &layer->segments, &layer->offsets));
}

/* Whether a selection of columns took part in a matrix: the pass makes block-diagonal ones of a few operations. */
static bool has_selection(MlirValue v, int depth) {
  if (ir_value_is_null(v) || mlirValueIsABlockArgument(v)) return false;
  MlirOperation op = mlirOpResultGetOwner(v);
  if (ir_op_kind(op) == IR_OP(gnn, selection)) return true;
  for (intptr_t i = 0; depth && i < mlirOperationGetNumOperands(op); i++)
    if (has_selection(mlirOperationGetOperand(op, i), depth - 1)) return true;
  return false;
}

static void read_gemm(graphagile_plan *p, graphagile_plan_layer *layer) {
  MlirOperation op = layer->op;
  MlirValue w = ir_operand(op, IR_IN(device, gemm, w)), bias = ir_operand(op, IR_IN(device, gemm, bias));
  layer->kind = GRAPHAGILE_PLAN_GEMM;
  layer->in = graphagile_plan_find_tensor(p, ir_operand(op, IR_IN(device, gemm, in)));
  layer->addend = graphagile_plan_find_tensor(p, ir_operand(op, IR_IN(device, gemm, addend)));
  read_segments(p, layer, w);
  read_segments(p, layer, bias);
  read_bias(p, layer, bias, layer->result->width);
  graphagile_plan_constant *c = &layer->matrix;
  *c = (graphagile_plan_constant){.value = w, .types = 1, .depth = layer->in->width, .width = layer->result->width};
  c->name = arena_printf(p->arena, "%s.weight", layer->name);
  enum { MOST_DEPTH = 8 };
  c->is_transposed = ir_get_bool(op, "transposed");
  c->has_zeros = has_selection(w, MOST_DEPTH);
  c->fibers = layer->result->fibers;
  if (ir_type_of(w).kind == IR_KIND_per) c->types = layer->segments;
  if (layer->bias.types == c->types && !p->options->paper && p->device->weight_rows > p->device->width && c->depth) {
    layer->bias.is_merged = true; /* one load brings both */
    c->head = 1;
  }
  c->type_bytes = (uint64_t)(c->fibers * p->device->width * (c->depth + c->head) * 4);
  c->bytes = c->type_bytes * (uint64_t)c->types;
  layer->multiply_adds = (uint64_t)(layer->result->rows * c->depth * c->width);
}

/* values * the edge list's own weights, as a layer before. */
static void read_own_weights(graphagile_plan *p, graphagile_plan_layer *layer) {
  const program_edge_list *list = layer->edges->list;
  graphagile_plan_tensor *own = arena_alloc(p->arena, sizeof *own), *product = arena_alloc(p->arena, sizeof *product);
  int index = (int)p->layers.count;
  *own = (graphagile_plan_tensor){.name = arena_printf(p->arena, "%s.weights", layer->name),
                                  .place = GRAPHAGILE_PLAN_CONSTANT,
                                  .weight = layer->edges,
                                  .rows = list->edges,
                                  .width = 1,
                                  .first = -1,
                                  .last = index,
                                  .kind = GRAPHAGILE_KIND_values};
  *product = (graphagile_plan_tensor){.name = arena_printf(p->arena, "%s.values", layer->name),
                                      .place = GRAPHAGILE_PLAN_HIDDEN,
                                      .edges = layer->edges,
                                      .rows = list->edges,
                                      .width = layer->values->width,
                                      .first = index,
                                      .last = index + 1,
                                      .kind = GRAPHAGILE_KIND_values};
  layer->edges->wants_positions = true;
  graphagile_plan_size_tensor(p, own);
  graphagile_plan_size_tensor(p, product);
  VEC_PUSH(p->arena, &p->tensors, own);
  VEC_PUSH(p->arena, &p->tensors, product);
  graphagile_plan_layer made = *layer;
  made.kind = GRAPHAGILE_PLAN_VALUES;
  made.name = product->name;
  made.in = layer->values;
  made.other = own;
  made.values = made.addend = NULL;
  made.result = product;
  made.operation = GRAPHAGILE_VECTOR_mul;
  if (made.in->last < index) made.in->last = index;
  VEC_PUSH(p->arena, &p->layers, made);
  layer->values = product;
}

static void read_spdmm(graphagile_plan *p, graphagile_plan_layer *layer) {
  MlirOperation op = layer->op;
  layer->kind = GRAPHAGILE_PLAN_SPDMM;
  layer->edges = map_get_pointer(&p->values, ir_operand(op, IR_IN(device, spdmm, edges)).ptr);
  layer->values = graphagile_plan_find_tensor(p, ir_operand(op, IR_IN(device, spdmm, values)));
  if (layer->values && layer->edges->list->has_weight) read_own_weights(p, layer);
  layer->in = graphagile_plan_find_tensor(p, ir_operand(op, IR_IN(device, spdmm, in)));
  layer->addend = graphagile_plan_find_tensor(p, ir_operand(op, IR_IN(device, spdmm, addend)));
  layer->operation = attribute_of(p, layer, "reduce", "REDUCE");
  read_segments(p, layer, ir_operand(op, IR_IN(device, spdmm, bias)));
  read_bias(p, layer, ir_operand(op, IR_IN(device, spdmm, bias)), layer->result->width);
  if (layer->segments) graphagile_plan_fail(p, layer, DIAG_internal, "%s has a bias per type", ir_op_name(op));
  layer->multiply_adds = (uint64_t)(layer->edges->list->edges * layer->result->width);
}

static void read_sddmm(graphagile_plan *p, graphagile_plan_layer *layer) {
  MlirOperation op = layer->op;
  layer->kind = GRAPHAGILE_PLAN_SDDMM;
  layer->edges = map_get_pointer(&p->values, ir_operand(op, IR_IN(device, sddmm, edges)).ptr);
  layer->in = graphagile_plan_find_tensor(p, ir_operand(op, IR_IN(device, sddmm, src)));
  layer->other = graphagile_plan_find_tensor(p, ir_operand(op, IR_IN(device, sddmm, dst)));
  layer->values = graphagile_plan_find_tensor(p, ir_operand(op, IR_IN(device, sddmm, values)));
  layer->operation = attribute_of(p, layer, "inner", "INNER");
  layer->combine = attribute_of(p, layer, "combine", "COMBINE");
  const graphagile_plan_tensor *rows = layer->in ? layer->in : layer->other;
  layer->multiply_adds = (uint64_t)(layer->edges->list->edges * rows->width);
}

static void read_vadd(graphagile_plan *p, graphagile_plan_layer *layer) {
  MlirOperation op = layer->op;
  MlirValue b = ir_operand(op, IR_IN(device, vadd, b));
  layer->kind = GRAPHAGILE_PLAN_VADD;
  layer->in = graphagile_plan_find_tensor(p, ir_operand(op, IR_IN(device, vadd, a)));
  layer->condition = graphagile_plan_find_tensor(p, ir_operand(op, IR_IN(device, vadd, condition)));
  layer->operation = attribute_of(p, layer, "function", "VECTOR");
  layer->scale = graphagile_plan_constant_index(p, layer, ir_get_float(op, "scale", 1.0));
  if (ir_type_of(b).kind == IR_KIND_rows) {
    layer->other = graphagile_plan_find_tensor(p, b);
    layer->is_bcast = ir_get_bool(op, "bcast") && layer->result->width > 1;
  } else {
    read_segments(p, layer, b);
    read_bias(p, layer, b, layer->result->width);
  }
}

/* The factor is a constant of the table; where a program is only counted nobody has its weights, and it is 1. */
static void read_scaled_add(graphagile_plan *p, graphagile_plan_layer *layer) {
  MlirOperation op = layer->op;
  program_array factor = {0};
  layer->kind = GRAPHAGILE_PLAN_VADD;
  layer->in = graphagile_plan_find_tensor(p, ir_operand(op, IR_IN(device, scaled_add, a)));
  layer->other = graphagile_plan_find_tensor(p, ir_operand(op, IR_IN(device, scaled_add, b)));
  layer->operation = GRAPHAGILE_VECTOR_add;
  if (p->options->no_data) return;
  if (!graphagile_plan_check(
          p, program_host_evaluate(p->host, ir_operand(op, IR_IN(device, scaled_add, factor)), &factor)))
    return;
  layer->scale = graphagile_plan_constant_index(p, layer, (double)factor.data[0]);
}

static void read_values_vadd(graphagile_plan *p, graphagile_plan_layer *layer) {
  MlirOperation op = layer->op;
  layer->kind = GRAPHAGILE_PLAN_VALUES;
  layer->in = graphagile_plan_find_tensor(p, ir_operand(op, IR_IN(device, values_vadd, a)));
  layer->other = graphagile_plan_find_tensor(p, ir_operand(op, IR_IN(device, values_vadd, b)));
  layer->edges = layer->in->edges;
  layer->operation = attribute_of(p, layer, "function", "VECTOR");
}

static void read_map(graphagile_plan *p, graphagile_plan_layer *layer) {
  layer->in = graphagile_plan_find_tensor(p, ir_operand(layer->op, IR_IN(device, map, x)));
  layer->kind = layer->in->edges ? GRAPHAGILE_PLAN_VALUES : GRAPHAGILE_PLAN_MAP;
  layer->edges = layer->in->edges;
}

static void note_use(graphagile_plan_tensor *t, int index) {
  if (t && t->last < index) t->last = index;
}

graphagile_plan_tensor *graphagile_read_copy(graphagile_plan *p, MlirOperation op, graphagile_plan_tensor *t) {
  int index = (int)p->layers.count;
  graphagile_plan_tensor *copy = arena_alloc(p->arena, sizeof *copy);
  *copy = *t;
  copy->place = GRAPHAGILE_PLAN_HIDDEN;
  copy->kind = GRAPHAGILE_KIND_hidden;
  copy->is_output = false;
  copy->whole = NULL;
  copy->first = copy->last = index;
  graphagile_plan_layer layer = {.op = op, .kind = GRAPHAGILE_PLAN_MAP, .name = t->name, .in = t, .result = copy};
  ir_location_position(mlirOperationGetLocation(op), &layer.file, &layer.line, &layer.column);
  note_use(t, index);
  VEC_PUSH(p->arena, &p->tensors, copy);
  VEC_PUSH(p->arena, &p->layers, layer);
  return copy;
}

void graphagile_read_layer(graphagile_plan *p, MlirOperation op) {
  static void (*const readers[])(graphagile_plan *, graphagile_plan_layer *) = {
      read_gemm, read_spdmm, read_sddmm, read_vadd, read_scaled_add, read_map, read_values_vadd};
  static const ir_op ops[] = {IR_OP(device, gemm),       IR_OP(device, spdmm),      IR_OP(device, sddmm),
                              IR_OP(device, vadd),       IR_OP(device, scaled_add), IR_OP(device, map),
                              IR_OP(device, values_vadd)};
  ir_op kind = ir_op_kind(op);
  size_t at = 0;
  while (at < sizeof ops / sizeof ops[0] && ops[at] != kind) at++;
  if (at == sizeof ops / sizeof ops[0]) return;
  MlirLocation where = mlirOperationGetLocation(op);
  graphagile_plan_layer layer = {.op = op, .name = ir_location_name(where)};
  ir_location_position(where, &layer.file, &layer.line, &layer.column);
  if (!layer.name) layer.name = arena_printf(p->arena, "value %zu", p->layers.count);
  layer.result = graphagile_plan_add_tensor(p, ir_result(op), GRAPHAGILE_PLAN_HIDDEN, layer.name);
  bool is_values = ir_type_of(ir_result(op)).kind == IR_KIND_values;
  if (!is_values) graphagile_plan_size_tensor(p, layer.result);
  readers[at](p, &layer);
  if (is_values) {
    layer.result->edges = layer.edges;
    layer.result->rows = layer.edges->list->edges;
    layer.result->kind = GRAPHAGILE_KIND_values;
    graphagile_plan_size_tensor(p, layer.result);
  }
  read_functions(p, &layer);
  if (graphagile_fuse_epilogue(p, &layer)) return;
  int index = (int)p->layers.count;
  layer.result->first = layer.result->last = index;
  graphagile_plan_tensor *read[] = {layer.in, layer.other, layer.condition, layer.values, layer.addend};
  for (size_t i = 0; i < sizeof read / sizeof read[0]; i++) note_use(read[i], index);
  VEC_PUSH(p->arena, &p->layers, layer);
}
