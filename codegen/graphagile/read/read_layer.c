/* Makes a layer from an operation of the device level: its operands, constants and functions. */
#include "codegen/graphagile/read/read_layer.h"

#include "codegen/device/operand.h"
#include "codegen/graphagile/fuse/fuse_epilogue.h"
#include "codegen/graphagile/plan/plan_links.h"

#include <string.h>

/* The number of an attribute's text in the instruction set's list of values
 * (GRAPHAGILE_VALUES_*). */
static int attribute_of(graphagile_plan *p, const graphagile_plan_layer *layer, const char *attribute, int kind) {
  const char *said = ir_get_string(layer->op, attribute, "");
  uint64_t value = 0;
  if (!isa_find_value(&graphagile_isa, kind, said, &value))
    graphagile_plan_fail(p, layer, DIAG_internal, "%s has %s '%s'", ir_op_name(layer->op), attribute, said);
  return (int)value;
}

/* Reads one function, such as "leaky_relu 0.2", that an operation applies to its result. */
static graphagile_plan_function read_function(graphagile_plan *p, const graphagile_plan_layer *layer,
                                              const char *said) {
  elementwise_call call = {.function = UNARY_none};
  uint64_t function = GRAPHAGILE_FUNCTION_none;
  bool is_known = elementwise_call_parse(said, &call);
  const char *name = is_known ? elementwise_unaries[call.function].name : said;
  if (!is_known || !isa_find_value(&graphagile_isa, GRAPHAGILE_VALUES_FUNCTION, name, &function))
    graphagile_plan_fail(p, layer, DIAG_internal, "%s has function '%s'", ir_op_name(layer->op), said);
  graphagile_plan_function f = {.function = (int)function};
  if (is_known && elementwise_count_parameters(call.function))
    f.param = graphagile_plan_constant_index(p, layer, (double)call.p);
  return f;
}

static void read_functions(graphagile_plan *p, graphagile_plan_layer *layer) {
  size_t count = ir_get_array_size(layer->op, "functions");
  layer->functions = count ? arena_alloc_array(p->arena, count, sizeof *layer->functions) : NULL;
  for (size_t i = 0; i < count; i++) {
    graphagile_plan_function f = read_function(p, layer, ir_get_string_at(layer->op, "functions", i));
    if (f.function != GRAPHAGILE_FUNCTION_none) layer->functions[layer->num_functions++] = f;
  }
}

/* Reads one row of constants that is as wide as the layer's result; where the value is per type,
 * it has one row per segment. */
static graphagile_plan_constant read_row(const graphagile_plan *p, const graphagile_plan_layer *layer, MlirValue value,
                                         const graphagile_plan_segments *segments) {
  graphagile_plan_constant c = {.value = value, .types = 1, .depth = 1, .width = layer->result->width};
  if (ir_value_is_null(value)) return (graphagile_plan_constant){0};
  ir_type type = ir_type_of(value);
  c.fibers = layer->result->fibers;
  c.name = arena_printf(p->arena, "%s.bias", layer->name);
  c.is_one = ir_type_elements(ir_type_payload(type)) == 1;
  if (type.kind == IR_KIND_per) c.types = segments->count;
  c.type_bytes = (uint64_t)(c.fibers * p->device->width * 4);
  c.bytes = c.type_bytes * (uint64_t)c.types;
  return c;
}

/* Reads the segments of the layer's rows, where a value is per type. */
static void read_segments(graphagile_plan *p, const graphagile_plan_layer *layer, MlirValue value,
                          graphagile_plan_segments *out) {
  if (ir_value_is_null(value) || out->count) return;
  ir_type type = ir_type_of(value);
  if (type.kind != IR_KIND_per) return;
  graphagile_plan_check(p,
                        program_host_set_segments(p->host, layer->result->set, type.set, &out->count, &out->offsets));
}

/* Reads the matrix. In each group of fibers the bias is stored before the first row of the
 * matrix, if one load can bring both. */
static void read_matrix(graphagile_plan *p, const graphagile_plan_layer *layer, graphagile_plan_gemm *g) {
  MlirValue w = ir_operand(layer->op, IR_IN(device, gemm, w));
  graphagile_plan_constant *c = &g->matrix, *bias = &g->start.bias;
  *c = (graphagile_plan_constant){.value = w, .types = 1, .depth = g->in->width, .width = layer->result->width};
  c->name = arena_printf(p->arena, "%s.weight", layer->name);
  c->is_transposed = ir_get_bool(layer->op, "transposed");
  c->has_zeros = operand_has_selection(w);
  c->fibers = layer->result->fibers;
  if (ir_type_of(w).kind == IR_KIND_per) c->types = g->segments.count;
  if (bias->types == c->types && !p->options->paper && p->device->weight_rows > p->device->width && c->depth) {
    bias->is_merged = true;
    c->head = 1;
  }
  c->type_bytes = (uint64_t)(c->fibers * p->device->width * (c->depth + c->head) * 4);
  c->bytes = c->type_bytes * (uint64_t)c->types;
}

static void read_gemm(graphagile_plan *p, graphagile_plan_layer *layer) {
  MlirOperation op = layer->op;
  MlirValue w = ir_operand(op, IR_IN(device, gemm, w)), bias = ir_operand(op, IR_IN(device, gemm, bias));
  graphagile_plan_gemm g = {.in = graphagile_plan_find_tensor(p, ir_operand(op, IR_IN(device, gemm, in)))};
  g.start.addend = graphagile_plan_find_tensor(p, ir_operand(op, IR_IN(device, gemm, addend)));
  read_segments(p, layer, w, &g.segments);
  read_segments(p, layer, bias, &g.segments);
  g.start.bias = read_row(p, layer, bias, &g.segments);
  read_matrix(p, layer, &g);
  layer->kind = GRAPHAGILE_PLAN_gemm;
  layer->gemm = g;
  layer->multiply_adds = (uint64_t)(layer->result->rows * g.matrix.depth * g.matrix.width);
}

/* Adds a layer that multiplies `values` by the edge list's own weights; returns the product. */
static graphagile_plan_tensor *read_own_weights(graphagile_plan *p, const graphagile_plan_layer *layer,
                                                graphagile_plan_edge_list *edges, graphagile_plan_tensor *values) {
  const program_edge_list *list = edges->list;
  graphagile_plan_tensor *own = arena_alloc(p->arena, sizeof *own), *product = arena_alloc(p->arena, sizeof *product);
  int index = (int)p->layers.count;
  *own = (graphagile_plan_tensor){.name = arena_printf(p->arena, "%s.weights", layer->name),
                                  .place = GRAPHAGILE_PLAN_CONSTANT,
                                  .weight = edges,
                                  .rows = list->edges,
                                  .width = 1,
                                  .first = -1,
                                  .last = index,
                                  .kind = GRAPHAGILE_KIND_values};
  *product = (graphagile_plan_tensor){.name = arena_printf(p->arena, "%s.values", layer->name),
                                      .place = GRAPHAGILE_PLAN_HIDDEN,
                                      .edges = edges,
                                      .rows = list->edges,
                                      .width = values->width,
                                      .first = index,
                                      .last = index + 1,
                                      .kind = GRAPHAGILE_KIND_values};
  edges->wants_positions = true;
  graphagile_plan_size_tensor(p, own);
  graphagile_plan_size_tensor(p, product);
  VEC_PUSH(p->arena, &p->tensors, own);
  VEC_PUSH(p->arena, &p->tensors, product);
  graphagile_plan_layer made = *layer;
  made.kind = GRAPHAGILE_PLAN_values;
  made.name = product->name;
  made.result = product;
  made.values = (graphagile_plan_values){.edges = edges, .a = values, .b = own, .function = GRAPHAGILE_VECTOR_mul};
  if (values->last < index) values->last = index;
  VEC_PUSH(p->arena, &p->layers, made);
  return product;
}

static graphagile_plan_edge_list *read_edges(const graphagile_plan *p, MlirValue edges) {
  return map_get_pointer(&p->values, edges.ptr);
}

static void read_spdmm(graphagile_plan *p, graphagile_plan_layer *layer) {
  MlirOperation op = layer->op;
  MlirValue bias = ir_operand(op, IR_IN(device, spdmm, bias));
  graphagile_plan_spdmm s = {.edges = read_edges(p, ir_operand(op, IR_IN(device, spdmm, edges)))};
  s.values = graphagile_plan_find_tensor(p, ir_operand(op, IR_IN(device, spdmm, values)));
  if (s.values && s.edges->list->has_weight) s.values = read_own_weights(p, layer, s.edges, s.values);
  s.in = graphagile_plan_find_tensor(p, ir_operand(op, IR_IN(device, spdmm, in)));
  s.start.addend = graphagile_plan_find_tensor(p, ir_operand(op, IR_IN(device, spdmm, addend)));
  s.reduce = attribute_of(p, layer, "reduce", GRAPHAGILE_VALUES_REDUCE);
  s.start.bias = read_row(p, layer, bias, &(graphagile_plan_segments){0});
  if (!ir_value_is_null(bias) && ir_type_of(bias).kind == IR_KIND_per)
    graphagile_plan_fail(p, layer, DIAG_internal, "%s has a bias per type", ir_op_name(op));
  layer->kind = GRAPHAGILE_PLAN_spdmm;
  layer->spdmm = s;
  layer->multiply_adds = (uint64_t)(s.edges->list->edges * layer->result->width);
}

static void read_sddmm(graphagile_plan *p, graphagile_plan_layer *layer) {
  MlirOperation op = layer->op;
  layer->kind = GRAPHAGILE_PLAN_sddmm;
  layer->sddmm =
      (graphagile_plan_sddmm){.edges = read_edges(p, ir_operand(op, IR_IN(device, sddmm, edges))),
                              .src = graphagile_plan_find_tensor(p, ir_operand(op, IR_IN(device, sddmm, src))),
                              .dst = graphagile_plan_find_tensor(p, ir_operand(op, IR_IN(device, sddmm, dst))),
                              .values = graphagile_plan_find_tensor(p, ir_operand(op, IR_IN(device, sddmm, values))),
                              .inner = attribute_of(p, layer, "inner", GRAPHAGILE_VALUES_INNER),
                              .combine = attribute_of(p, layer, "combine", GRAPHAGILE_VALUES_COMBINE)};
  int64_t columns = graphagile_plan_rows_of(&layer->sddmm)->width;
  layer->multiply_adds = (uint64_t)(layer->sddmm.edges->list->edges * columns);
}

static void read_vadd(graphagile_plan *p, graphagile_plan_layer *layer) {
  MlirOperation op = layer->op;
  MlirValue b = ir_operand(op, IR_IN(device, vadd, b));
  graphagile_plan_vadd v = {.a = graphagile_plan_find_tensor(p, ir_operand(op, IR_IN(device, vadd, a)))};
  v.condition = graphagile_plan_find_tensor(p, ir_operand(op, IR_IN(device, vadd, condition)));
  v.function = attribute_of(p, layer, "function", GRAPHAGILE_VALUES_VECTOR);
  v.scale = graphagile_plan_constant_index(p, layer, ir_get_float(op, "scale", 1.0));
  if (ir_type_of(b).kind == IR_KIND_rows) {
    v.b = graphagile_plan_find_tensor(p, b);
    v.is_bcast = ir_get_bool(op, "bcast") && layer->result->width > 1;
  } else {
    read_segments(p, layer, b, &v.segments);
    v.row = read_row(p, layer, b, &v.segments);
  }
  layer->kind = GRAPHAGILE_PLAN_vadd;
  layer->vadd = v;
}

/* The factor is an entry of the constant table. A program that is only counted has no weights;
 * then the factor is 1. */
static void read_scaled_add(graphagile_plan *p, graphagile_plan_layer *layer) {
  MlirOperation op = layer->op;
  program_array factor = {0};
  layer->kind = GRAPHAGILE_PLAN_vadd;
  layer->vadd =
      (graphagile_plan_vadd){.a = graphagile_plan_find_tensor(p, ir_operand(op, IR_IN(device, scaled_add, a))),
                             .b = graphagile_plan_find_tensor(p, ir_operand(op, IR_IN(device, scaled_add, b))),
                             .function = GRAPHAGILE_VECTOR_add};
  if (p->options->no_data) return;
  if (!graphagile_plan_check(
          p, program_host_evaluate(p->host, ir_operand(op, IR_IN(device, scaled_add, factor)), &factor)))
    return;
  layer->vadd.scale = graphagile_plan_constant_index(p, layer, (double)factor.data[0]);
}

static void read_values_vadd(graphagile_plan *p, graphagile_plan_layer *layer) {
  MlirOperation op = layer->op;
  graphagile_plan_tensor *a = graphagile_plan_find_tensor(p, ir_operand(op, IR_IN(device, values_vadd, a)));
  layer->kind = GRAPHAGILE_PLAN_values;
  layer->values =
      (graphagile_plan_values){.edges = a->edges,
                               .a = a,
                               .b = graphagile_plan_find_tensor(p, ir_operand(op, IR_IN(device, values_vadd, b))),
                               .function = attribute_of(p, layer, "function", GRAPHAGILE_VALUES_VECTOR)};
}

static void read_map(graphagile_plan *p, graphagile_plan_layer *layer) {
  graphagile_plan_tensor *x = graphagile_plan_find_tensor(p, ir_operand(layer->op, IR_IN(device, map, x)));
  layer->kind = x->edges ? GRAPHAGILE_PLAN_values : GRAPHAGILE_PLAN_map;
  if (x->edges)
    layer->values = (graphagile_plan_values){.edges = x->edges, .a = x};
  else
    layer->map.in = x;
}

static void note_use(graphagile_plan_tensor *t, int index) {
  if (t->last < index) t->last = index;
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
  graphagile_plan_layer layer = {.op = op, .kind = GRAPHAGILE_PLAN_map, .name = t->name, .result = copy, .map.in = t};
  ir_location_position(mlirOperationGetLocation(op), &layer.file, &layer.line, &layer.column);
  note_use(t, index);
  VEC_PUSH(p->arena, &p->tensors, copy);
  VEC_PUSH(p->arena, &p->layers, layer);
  return copy;
}

/* Makes the tensor of a layer's result. The size of rows is known before `read`; the size of
 * values of edges is that of the edge list, which `read` finds. */
static void read_result(graphagile_plan *p, graphagile_plan_layer *layer,
                        void (*read)(graphagile_plan *p, graphagile_plan_layer *layer)) {
  MlirValue value = ir_result(layer->op);
  layer->result = graphagile_plan_add_tensor(p, value, GRAPHAGILE_PLAN_HIDDEN, layer->name);
  if (ir_type_of(value).kind != IR_KIND_values) {
    graphagile_plan_size_tensor(p, layer->result);
    read(p, layer);
    return;
  }
  read(p, layer);
  graphagile_plan_edge_list *edges = graphagile_plan_edges_of(layer);
  layer->result->edges = edges;
  layer->result->rows = edges->list->edges;
  layer->result->kind = GRAPHAGILE_KIND_values;
  graphagile_plan_size_tensor(p, layer->result);
}

static void add_layer(graphagile_plan *p, const graphagile_plan_layer *layer) {
  graphagile_plan_tensor *operands[GRAPHAGILE_PLAN_MAX_OPERANDS];
  int index = (int)p->layers.count, count = graphagile_plan_operands(layer, operands);
  layer->result->first = layer->result->last = index;
  for (int i = 0; i < count; i++) note_use(operands[i], index);
  VEC_PUSH(p->arena, &p->layers, *layer);
}

void graphagile_read_layer(graphagile_plan *p, MlirOperation op) {
  static const struct {
    ir_op op;
    void (*read)(graphagile_plan *p, graphagile_plan_layer *layer);
  } readers[] = {{IR_OP(device, gemm), read_gemm},
                 {IR_OP(device, spdmm), read_spdmm},
                 {IR_OP(device, sddmm), read_sddmm},
                 {IR_OP(device, vadd), read_vadd},
                 {IR_OP(device, scaled_add), read_scaled_add},
                 {IR_OP(device, map), read_map},
                 {IR_OP(device, values_vadd), read_values_vadd}};
  ir_op kind = ir_op_kind(op);
  size_t at = 0;
  while (at < sizeof readers / sizeof readers[0] && readers[at].op != kind) at++;
  if (at == sizeof readers / sizeof readers[0]) return;
  MlirLocation where = mlirOperationGetLocation(op);
  graphagile_plan_layer layer = {.op = op, .name = ir_location_name(where)};
  ir_location_position(where, &layer.file, &layer.line, &layer.column);
  if (!layer.name) layer.name = arena_printf(p->arena, "value %zu", p->layers.count);
  read_result(p, &layer, readers[at].read);
  read_functions(p, &layer);
  if (!graphagile_fuse_epilogue(p, &layer)) add_layer(p, &layer);
}
