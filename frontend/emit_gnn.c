/* Emits one operation per flat value, in order:
 *
 *   %3 conv1.z : node f32[16] = linear(%0, %2)     ->     %conv1.z = "gnn.linear"(%x, %conv1.W) : (...) ->
 * !gnn.node<"g", tensor<16xf32>>
 *
 * The graph and the inputs become arguments; weights become globals in the shape of the file. The graph has the numbers
 * of types that it declares: {gnn.edge_types = 3}. Where it declares one type of nodes, the nodes of this type are all
 * nodes, so that "g:0" becomes "g", and values of the one are values of the other. */
#include "frontend/emit_gnn.h"

#include "support/arena.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* An operation of the dialect has the same number in flat.h and in ir.h, because both enums begin
 * with the rows of one table. */
_Static_assert((int)FLAT_constant == (int)IR_OP(gnn, constant) && (int)FLAT_pool == (int)IR_OP(gnn, pool),
               "gnn_ops.def comes first in ir_op");

typedef struct emitter {
  MlirContext context;
  const flat_program *program;
  arena *arena;
  const char *file; /* the source's name without its folder */
  MlirValue *values;
  ir_builder body;
  bool has_one_part; /* the graph declares one type of nodes */
} emitter;

/* The number of types that the graph declares, as attribute "edge_types" or "node_types" of it; 0: none. */
static int64_t count_of_types(const flat_value *graph, const char *name) {
  for (unsigned i = 0; i < graph->attribute_count; i++)
    if (!strcmp(graph->attributes[i].name, name)) return graph->attributes[i].integer;
  return 0;
}

static ir_type type_of(const emitter *e, flat_type t) {
  static const ir_kind kinds[] = {IR_KIND_plain, IR_KIND_node, IR_KIND_edge, IR_KIND_per,
                                  IR_KIND_per,   IR_KIND_per,  IR_KIND_graph};
  static const char *const sets[] = {NULL, NULL, NULL, "etype", "ntype", "graph", NULL};
  const char *set = sets[t.domain] ? sets[t.domain] : t.set;
  ir_type type = {.kind = kinds[t.domain], .set = set ? ir_intern(e->context, set) : NULL, .rank = t.rank};
  if (e->has_one_part && type.kind == IR_KIND_node && ir_part_type(type.set) >= 0)
    type.set = ir_whole_set(e->context, type.set);
  type.is_integer = t.is_integer;
  if (t.domain == FLAT_DOMAIN_plain) type.set = NULL;
  for (unsigned i = 0; i < t.rank; i++) dim_value(e->program->dims, t.dims[i], &type.dims[i]);
  return type;
}

static const char *base_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

static MlirLocation location_of(const emitter *e, span where, const char *name) {
  if (!where.source) return ir_location_make(e->context, name, e->file, 0, 0);
  source_position at = source_find(where.source, where.begin);
  const char *file = where.source == e->program->source ? e->file : where.source->name;
  return ir_location_make(e->context, name, file, at.line, at.column);
}

/* ---- operations ---- */

static MlirAttribute attribute_of(const emitter *e, const flat_value *v, const flat_attribute *a) {
  int64_t shape[FLAT_MAX_RANK] = {0};
  int64_t size = 0, *sizes = NULL;
  switch (a->kind) {
  case FLAT_ATTRIBUTE_string: return ir_attr_string(e->context, a->string);
  case FLAT_ATTRIBUTE_number: return ir_attr_float(e->context, a->number);
  case FLAT_ATTRIBUTE_integer: return ir_attr_integer(e->context, a->integer);
  case FLAT_ATTRIBUTE_flag: return ir_attr_bool(e->context, true);
  case FLAT_ATTRIBUTE_size: dim_value(e->program->dims, a->size, &size); return ir_attr_float(e->context, (double)size);
  case FLAT_ATTRIBUTE_whole: dim_value(e->program->dims, a->size, &size); return ir_attr_integer(e->context, size);
  case FLAT_ATTRIBUTE_sizes:
    sizes = arena_alloc_array(e->arena, (size_t)a->integer + 1, sizeof *sizes);
    for (int64_t i = 0; i < a->integer; i++) dim_value(e->program->dims, a->sizes[i], &sizes[i]);
    return ir_attr_integers(e->context, sizes, (size_t)a->integer);
  case FLAT_ATTRIBUTE_shape: break;
  }
  for (unsigned i = 0; i < v->type.rank; i++) dim_value(e->program->dims, v->type.dims[i], &shape[i]);
  return ir_attr_integers(e->context, shape, v->type.rank);
}

/* Where all nodes have one type: the value whose rows are those of a part, or of what is united. */
static flat_id same_rows(const emitter *e, const flat_value *v) {
  if (!e->has_one_part) return FLAT_NONE;
  if (v->op == FLAT_part) return v->operands[IR_IN(gnn, part, value)];
  return v->op == FLAT_unite ? v->operands[IR_IN(gnn, unite, rows)] : FLAT_NONE;
}

static MlirValue emit_operation(emitter *e, const flat_value *v) {
  flat_id same = same_rows(e, v);
  if (same != FLAT_NONE) return e->values[same];
  MlirValue operands[IR_MAX_OPERANDS] = {{NULL}};
  ir_attr attributes[FLAT_MAX_ATTRIBUTES + 1] = {{NULL, {NULL}}};
  for (unsigned i = 0; i < FLAT_MAX_OPERANDS; i++)
    if (v->operands[i] != FLAT_NONE) operands[i] = e->values[v->operands[i]];
  for (unsigned i = 0; i < v->attribute_count; i++)
    attributes[i] = (ir_attr){v->attributes[i].name, attribute_of(e, v, &v->attributes[i])};
  return ir_build_value(&e->body, (ir_op)v->op, operands, attributes);
}

/* The payload of a value, as the body of a fold gets it. */
static MlirType payload_of(const emitter *e, flat_id id) {
  return ir_type_make(e->context, ir_type_payload(type_of(e, e->program->values.items[id]->type)));
}

/* Makes the values that the body of a fold reads its arguments, and emits the body. Returns the next
 * state, null after an error. */
static MlirValue emit_fold_body(emitter *e, const flat_value *v, MlirBlock block) {
  MlirValue kept[FLAT_MAX_OPERANDS] = {{NULL}}, none = {NULL};
  ir_builder outside = e->body;
  intptr_t next = 0;
  e->body = ir_builder_at_end(block, outside.location);
  e->values[v->state] = mlirBlockGetArgument(block, next++);
  if (v->step != FLAT_NONE) e->values[v->step] = mlirBlockGetArgument(block, next++);
  for (unsigned i = IR_IN(gnn, fold, value0); i < FLAT_MAX_OPERANDS && v->operands[i] != FLAT_NONE; i++) {
    kept[i] = e->values[v->operands[i]];
    e->values[v->operands[i]] = mlirBlockGetArgument(block, next++);
  }
  bool is_good = true;
  for (size_t i = 0; i < v->body_count && is_good; i++) {
    const flat_value *inner = e->program->values.items[v->body[i]];
    e->body.location = location_of(e, inner->span, inner->name);
    e->values[v->body[i]] = emit_operation(e, inner);
    is_good = !ir_value_is_null(e->values[v->body[i]]);
  }
  MlirValue yield = is_good ? e->values[v->yield] : none;
  for (unsigned i = IR_IN(gnn, fold, value0); i < FLAT_MAX_OPERANDS && v->operands[i] != FLAT_NONE; i++)
    e->values[v->operands[i]] = kept[i];
  if (is_good) ir_build_yield(&e->body, &yield, 1);
  e->body = outside;
  return yield;
}

static MlirValue emit_fold(emitter *e, const flat_value *v) {
  MlirValue operands[IR_MAX_OPERANDS] = {{NULL}};
  MlirType types[FLAT_MAX_OPERANDS + 2];
  size_t count = 0;
  MlirBlock block;
  for (unsigned i = 0; i < FLAT_MAX_OPERANDS; i++)
    if (v->operands[i] != FLAT_NONE) operands[i] = e->values[v->operands[i]];
  types[count++] = payload_of(e, v->state);
  if (v->step != FLAT_NONE) types[count++] = payload_of(e, v->step);
  for (unsigned i = IR_IN(gnn, fold, value0); i < FLAT_MAX_OPERANDS && v->operands[i] != FLAT_NONE; i++)
    types[count++] = payload_of(e, v->operands[i]);
  MlirRegion region = ir_region_create(e->context, types, count, e->body.location, &block);
  if (ir_value_is_null(emit_fold_body(e, v, block))) {
    mlirRegionDestroy(region);
    return (MlirValue){NULL};
  }
  ir_attr attributes[] = {{"over", ir_attr_string(e->context, v->attributes[0].string)}, {NULL, {NULL}}};
  MlirOperation made = ir_build(&e->body, IR_OP(gnn, fold), operands, attributes, region, (MlirType){NULL});
  return mlirOperationIsNull(made) ? (MlirValue){NULL} : ir_result(made);
}

static bool is_weight_name(const flat_program *p, const char *name) {
  for (size_t i = 0; i < p->values.count; i++)
    if (p->values.items[i]->op == FLAT_weight && !strcmp(p->values.items[i]->from, name)) return true;
  return false;
}

/* The symbol of a weight: its name in the file; "weight.gcn" where a function of model gcn has that
 * name. */
static const char *symbol_of(const emitter *e, const flat_value *weight) {
  const char *model = e->program->model;
  size_t length = strlen(model);
  bool is_prefix = !strncmp(weight->from, model, length);
  const char *rest = is_prefix ? weight->from + length : "";
  bool is_function = is_prefix && (!*rest || !strcmp(rest, ".bind") || !strcmp(rest, ".run"));
  if (!is_function) return weight->from;
  const char *symbol = arena_printf(e->arena, "weight.%s", weight->from);
  while (is_weight_name(e->program, symbol)) symbol = arena_printf(e->arena, "weight.%s", symbol);
  return symbol;
}

/* "glorot", "uniform 0.1": how training begins; null where the shape decides, and without training. */
static MlirAttribute init_of(const emitter *e, const flat_value *v) {
  int64_t fan = 1;
  if (!v->init || !e->program->is_training) return (MlirAttribute){NULL};
  double number = v->init_value;
  if (v->init_fan && dim_value(e->program->dims, v->init_fan, &fan)) number = 1 / sqrt((double)fan);
  bool has_number = v->has_init_value || v->init_fan;
  return ir_attr_string(e->context, has_number ? arena_printf(e->arena, "%s %.9g", v->init, number) : v->init);
}

static MlirValue emit_weight(emitter *e, const ir_builder *module, const flat_value *v) {
  MlirType type = ir_type_make(e->context, type_of(e, v->type));
  int64_t count = 0;
  MlirAttribute count_attribute = {NULL};
  if (v->count && dim_value(e->program->dims, v->count, &count)) count_attribute = ir_attr_integer(e->context, count);
  ir_attr attributes[] = {{"gnn.from", ir_attr_string(e->context, v->from)},
                          {"gnn.name", ir_attr_string(e->context, v->name)},
                          {"gnn.count", count_attribute},
                          {"gnn.frozen", ir_attr_bool(e->context, v->is_frozen && e->program->is_training)},
                          {"gnn.optional", ir_attr_bool(e->context, !v->is_required && e->program->is_training)},
                          {"gnn.init", init_of(e, v)},
                          {NULL, {NULL}}};
  ir_builder at = *module;
  at.location = location_of(e, v->span, v->from);
  const char *symbol = symbol_of(e, v);
  ir_build_weight(&at, symbol, type, attributes);
  return ir_build_weight_load(&e->body, symbol, type);
}

/* ---- the function ---- */

static bool is_argument(const flat_value *v) {
  return v->op == FLAT_graph || v->op == FLAT_input;
}

/* An output, or behind the last one the loss. */
static const flat_output *output_of(const flat_program *p, size_t i) {
  return i < p->outputs.count ? &p->outputs.items[i] : &p->loss;
}

/* Writes the ids of the arguments to `out`: the graph first, then the inputs in order. Returns
 * their number. */
static size_t collect_arguments(const emitter *e, flat_id *out) {
  const flat_program *p = e->program;
  size_t count = 0;
  for (int want_graph = 1; want_graph >= 0; want_graph--)
    for (size_t i = 0; i < p->values.count; i++)
      if (is_argument(p->values.items[i]) && (p->values.items[i]->op == FLAT_graph) == want_graph)
        out[count++] = (flat_id)i;
  return count;
}

/* {gnn.edge_ends = array<i64: 0, 0, 1, 0, 0, 1>, gnn.edge_types = 3, gnn.node_types = 2} */
static void set_types(const emitter *e, MlirOperation function, size_t index, const flat_value *graph) {
  static const char *const names[][2] = {{"edge_types", "gnn.edge_types"}, {"node_types", "gnn.node_types"}};
  for (size_t i = 0; i < 2; i++) {
    int64_t count = count_of_types(graph, names[i][0]);
    if (count) ir_func_set_arg_attr(function, index, names[i][1], ir_attr_integer(e->context, count));
  }
  for (unsigned i = 0; i < graph->attribute_count; i++)
    if (!strcmp(graph->attributes[i].name, "edge_ends"))
      ir_func_set_arg_attr(function, index, "gnn.edge_ends", attribute_of(e, graph, &graph->attributes[i]));
}

static MlirOperation emit_function(emitter *e, const ir_builder *module, const flat_id *arguments, size_t count) {
  const flat_program *p = e->program;
  MlirType *types = arena_alloc_array(e->arena, count + 1, sizeof *types);
  size_t result_count = p->outputs.count + (p->loss.name != NULL);
  MlirType *results = arena_alloc_array(e->arena, result_count + 1, sizeof *results);
  for (size_t i = 0; i < count; i++)
    types[i] = ir_type_make(e->context, type_of(e, p->values.items[arguments[i]]->type));
  for (size_t i = 0; i < result_count; i++)
    results[i] = ir_type_make(e->context, type_of(e, p->values.items[output_of(p, i)->value]->type));
  MlirBlock block = {NULL};
  ir_builder at = *module;
  at.location = location_of(e, p->span, NULL);
  MlirOperation function = ir_build_func(&at, p->model, types, count, results, result_count, &block);
  for (size_t i = 0; i < count; i++) {
    const flat_value *v = p->values.items[arguments[i]];
    ir_func_set_arg_attr(function, i, "gnn.name", ir_attr_string(e->context, v->name));
    if (v->from) ir_func_set_arg_attr(function, i, "gnn.from", ir_attr_string(e->context, v->from));
    if (v->from_weights) ir_func_set_arg_attr(function, i, "gnn.space", ir_attr_string(e->context, "weights"));
    if (v->op == FLAT_graph) set_types(e, function, i, v);
    if (v->is_trained && p->is_training)
      ir_func_set_arg_attr(function, i, "gnn.trained", ir_attr_bool(e->context, true));
    if (v->is_trained && v->init && p->is_training) ir_func_set_arg_attr(function, i, "gnn.init", init_of(e, v));
    e->values[arguments[i]] = mlirBlockGetArgument(block, (intptr_t)i);
    mlirBlockArgumentSetLocation(e->values[arguments[i]], location_of(e, v->span, v->name));
  }
  for (size_t i = 0; i < result_count; i++)
    ir_func_set_result_attr(function, i, "gnn.name", ir_attr_string(e->context, output_of(p, i)->name));
  if (p->loss.name) ir_func_set_result_attr(function, p->outputs.count, "gnn.loss", ir_attr_bool(e->context, true));
  e->body = ir_builder_at_end(block, at.location);
  return function;
}

static bool emit_body(emitter *e, const ir_builder *module) {
  const flat_program *p = e->program;
  for (size_t i = 0; i < p->values.count; i++) {
    const flat_value *v = p->values.items[i];
    if (is_argument(v) || v->is_inside || v->op == FLAT_state) continue;
    e->body.location = location_of(e, v->span, v->name);
    e->values[i] = v->op == FLAT_weight ? emit_weight(e, module, v)
                   : v->op == FLAT_fold ? emit_fold(e, v)
                                        : emit_operation(e, v);
    if (ir_value_is_null(e->values[i])) return false;
  }
  size_t count = p->outputs.count + (p->loss.name != NULL);
  MlirValue *results = arena_alloc_array(e->arena, count + 1, sizeof *results);
  for (size_t i = 0; i < count; i++) results[i] = e->values[output_of(p, i)->value];
  ir_build_return(&e->body, results, count);
  return true;
}

MlirModule emit_gnn_module(MlirContext context, const flat_program *program) {
  emitter e = {
      .context = context, .program = program, .arena = arena_create(), .file = base_name(program->source->name)};
  MlirLocation start = ir_location_make(context, NULL, e.file, 1, 1);
  MlirModule module = mlirModuleCreateEmpty(start);
  MlirOperation root = mlirModuleGetOperation(module);
  ir_set_attr(root, "gnn.model", ir_attr_string(context, program->model));
  ir_set_attr(root, "gnn.source", ir_attr_string(context, e.file));
  if (program->is_training) ir_set_attr(root, "gnn.training", ir_attr_bool(context, true));
  if (program->backward) ir_set_attr(root, "gnn.backward", ir_attr_string(context, program->backward));
  e.values = arena_alloc_array(e.arena, program->values.count + 1, sizeof *e.values);
  flat_id *arguments = arena_alloc_array(e.arena, program->values.count + 1, sizeof *arguments);
  size_t count = collect_arguments(&e, arguments);
  if (count && program->values.items[arguments[0]]->op == FLAT_graph)
    e.has_one_part = count_of_types(program->values.items[arguments[0]], "node_types") == 1;
  /* Weights go in front of the function. */
  ir_builder at_end = ir_builder_at_end(mlirModuleGetBody(module), start);
  MlirOperation function = emit_function(&e, &at_end, arguments, count);
  ir_builder in_front = ir_builder_before(function);
  bool is_good = emit_body(&e, &in_front);
  arena_destroy(e.arena);
  if (is_good) return module;
  mlirModuleDestroy(module);
  return (MlirModule){NULL};
}
