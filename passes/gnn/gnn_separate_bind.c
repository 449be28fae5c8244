/* gnn-separate-bind: splits a model into bind, which computes once what depends on graph and
 * weights alone, and run.
 *
 *   @gcn(%g, %x) { %d = degree(%g); %w = load @w; %s = multiply(%x, %d); linear(%s, %w) }
 *   =>  @gcn.bind(%g) -> (%d, %w)      @gcn.run(%g, %d {gnn.bound}, %w {gnn.bound}, %x)
 *
 * An operation belongs to bind when its operands do. Constants, and views of bound values (gathers,
 * slices, parts: one load per row), belong to neither phase: they are repeated where they are used,
 * so that run gets a value per node and not its copy per edge, a matrix per edge type and not one
 * per edge. Values of bind that run uses are passed under a name, which is the same in both
 * functions. Weights that a linear layer of run reads transposed are transposed by bind, because
 * dense and sparse products read rows of [K, N] in order. With hoist=false bind only keeps weights
 * and makes edge sets; everything that computes is left to run, which shows what hoisting is
 * worth. */
#include "passes/cost/gnn_choice.h"
#include "passes/gnn/gnn_names.h"
#include "passes/gnn/rules/gnn_rewrite.h"
#include "support/map.h"
#include "support/vec.h"

#include <string.h>

typedef enum phase_kind { PHASE_run, PHASE_bind, PHASE_any } phase_kind;

typedef struct separation {
  pass_context *p;
  MlirOperation func;
  MlirBlock body;
  bool is_hoisting;
  map phases;              /* from a value to its phase; a value that is not in the map belongs to run */
  map crossing;            /* the values that run gets from bind, mapped to themselves */
  VEC(MlirValue) frontier; /* the same values in the order of definition */
} separation;

static phase_kind phase_of(const separation *s, MlirValue value) {
  const phase_kind *found = map_get_pointer(&s->phases, value.ptr);
  return found ? *found : PHASE_run;
}

static void set_phase(separation *s, MlirValue value, phase_kind phase) {
  static const phase_kind kinds[] = {[PHASE_run] = PHASE_run, [PHASE_bind] = PHASE_bind, [PHASE_any] = PHASE_any};
  map_set_pointer(&s->phases, value.ptr, &kinds[phase]);
}

/* ---- the phase of each operation
 * --------------------------------------------------------------------------------- */

static phase_kind classify(const separation *s, MlirOperation op) {
  if (ir_weight_symbol(op)) return PHASE_bind;
  if (!gnn_is_graph_level(op)) return PHASE_run;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++)
    if (phase_of(s, mlirOperationGetOperand(op, i)) == PHASE_run) return PHASE_run;
  bool is_graph = ir_type_of(ir_result(op)).kind == IR_KIND_graph;
  if (is_graph && ir_is_run_set(ir_type_of(ir_result(op)).set)) return PHASE_run; /* also where bind has the values */
  switch (ir_op_kind(op)) {
  case IR_OP(gnn, top_nodes): return PHASE_run;
  case IR_OP(gnn, constant):
  case IR_OP(gnn, gather):
  case IR_OP(gnn, part):
  case IR_OP(gnn, lookup): /* a row of W[degree] may be a matrix, and there is one for each node */
  case IR_OP(gnn, slice): return PHASE_any;
  default: return s->is_hoisting || is_graph ? PHASE_bind : PHASE_run;
  }
}

static void classify_all(separation *s) {
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(s->body); i++) {
    MlirValue argument = mlirBlockGetArgument(s->body, i);
    if (ir_type_of(argument).kind == IR_KIND_graph) set_phase(s, argument, PHASE_bind);
  }
  IR_FOR_EACH_OP(op, s->body)
    if (mlirOperationGetNumResults(op) == 1) set_phase(s, mlirOperationGetResult(op, 0), classify(s, op));
}

/* Lets the linear layers of run read their bound weights as [K, N]. */
static void transpose_weights(separation *s) {
  map transposed = {.arena = s->p->arena};
  IR_FOR_EACH_OP_SAFE(op, s->body) {
    if (ir_op_kind(op) != IR_OP(gnn, linear) || !ir_get_bool(op, "transposed")) continue;
    MlirValue operands[IR_MAX_OPERANDS];
    ir_operands(op, operands);
    MlirValue *w = &operands[IR_IN(gnn, linear, w)];
    if (phase_of(s, ir_result(op)) != PHASE_run || phase_of(s, *w) != PHASE_bind) continue;
    ir_builder b = ir_builder_before(op);
    MlirValue turned = {map_get_pointer(&transposed, w->ptr)};
    if (ir_value_is_null(turned)) {
      ir_builder at = b;
      at.location = mlirValueGetLocation(*w);
      turned = gnn_build_unary(&at, IR_OP(gnn, transpose), *w);
      map_set_pointer(&transposed, w->ptr, turned.ptr);
      set_phase(s, turned, PHASE_bind);
    }
    *w = turned;
    ir_attr changes[] = {{"transposed", {NULL}}, {NULL, {NULL}}};
    gnn_replace(s->p, op, gnn_build_like(&b, op, operands, changes));
  }
}

/* ---- the values that run gets from bind
 * -------------------------------------------------------------------------- */

/* Notes that run uses `value`: it is passed, or the bound value of which it is a view is. */
static void need(separation *s, MlirValue value) {
  if (mlirValueIsABlockArgument(value)) return;
  phase_kind phase = phase_of(s, value);
  if (phase == PHASE_bind) map_set_pointer(&s->crossing, value.ptr, value.ptr);
  if (phase != PHASE_any) return;
  MlirOperation op = ir_defining_op(value);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) need(s, mlirOperationGetOperand(op, i));
}

static void find_frontier(separation *s) {
  IR_FOR_EACH_OP(op, s->body) {
    bool is_end = mlirOperationGetNumResults(op) != 1;
    if (!is_end && phase_of(s, mlirOperationGetResult(op, 0)) != PHASE_run) continue;
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) need(s, mlirOperationGetOperand(op, i));
  }
  IR_FOR_EACH_OP(op, s->body) {
    if (mlirOperationGetNumResults(op) != 1) continue;
    MlirValue value = mlirOperationGetResult(op, 0);
    if (map_get_pointer(&s->crossing, value.ptr)) VEC_PUSH(s->p->arena, &s->frontier, value);
  }
}

/* ---- the two functions ------------------------------------------------------------------------------------------- */

typedef VEC(MlirType) type_list;
typedef VEC(MlirAttribute) attribute_list;

/* A function that is being made: the place of new operations, and the copies of the model's
 * values. */
typedef struct half {
  const separation *s;
  MlirOperation func;
  MlirBlock body;
  map values;
  attribute_list arguments, results;
} half;

static void put(half *h, MlirValue from, MlirValue to) {
  map_set_pointer(&h->values, from.ptr, to.ptr);
}

static void clone(half *h, MlirOperation op);

/* The copy of `value` in this function; values that belong to neither phase are repeated when they
 * are first needed. */
static MlirValue get(half *h, MlirValue value) {
  MlirValue here = {map_get_pointer(&h->values, value.ptr)};
  if (!ir_value_is_null(here)) return here;
  clone(h, ir_defining_op(value));
  return (MlirValue){map_get_pointer(&h->values, value.ptr)};
}

static void clone(half *h, MlirOperation op) {
  MlirOperation copy = mlirOperationClone(op);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++)
    mlirOperationSetOperand(copy, i, get(h, mlirOperationGetOperand(op, i)));
  mlirBlockAppendOwnedOperation(h->body, copy);
  if (mlirOperationGetNumResults(op) == 1) put(h, mlirOperationGetResult(op, 0), mlirOperationGetResult(copy, 0));
}

/* Begins @model.<suffix> before the model function. */
static half start_half(const separation *s, const char *suffix, const type_list *arguments, const type_list *results) {
  half h = {.s = s, .values = {.arena = s->p->arena}};
  ir_builder b = ir_builder_before(s->func);
  const char *name = arena_printf(s->p->arena, "%s.%s", ir_func_name(s->func), suffix);
  h.func = ir_build_func(&b, name, arguments->items, arguments->count, results->items, results->count, &h.body);
  for (intptr_t i = 0; i < mlirOperationGetNumDiscardableAttributes(s->func); i++) {
    MlirNamedAttribute attribute = mlirOperationGetDiscardableAttribute(s->func, i);
    mlirOperationSetDiscardableAttributeByName(h.func, mlirIdentifierStr(attribute.name), attribute.attribute);
  }
  mlirOperationSetDiscardableAttributeByName(h.func, mlirStringRefCreateFromCString("gnn.phase"),
                                             ir_attr_string(s->p->context, suffix));
  return h;
}

/* {gnn.name = "x"}, with gnn.bound for bound values. */
static MlirAttribute name_attributes(MlirContext context, const char *name, bool is_bound) {
  MlirIdentifier key = mlirIdentifierGet(context, mlirStringRefCreateFromCString("gnn.name"));
  MlirIdentifier bound = mlirIdentifierGet(context, mlirStringRefCreateFromCString("gnn.bound"));
  MlirNamedAttribute list[] = {mlirNamedAttributeGet(key, ir_attr_string(context, name)),
                               mlirNamedAttributeGet(bound, ir_attr_bool(context, true))};
  return mlirDictionaryAttrGet(context, is_bound ? 2 : 1, list);
}

/* The attributes of one argument or result of the model function; `list` is "arg_attrs" or
 * "res_attrs". */
static MlirAttribute old_attributes(const separation *s, const char *list, intptr_t index) {
  MlirAttribute all = ir_get_attr(s->func, list);
  if (mlirAttributeIsNull(all) || !mlirAttributeIsAArray(all)) return mlirDictionaryAttrGet(s->p->context, 0, NULL);
  return mlirArrayAttrGetElement(all, index);
}

/* Sets the attributes of all arguments or results at once, because setting them one by one copies
 * the list each time. */
static void set_attributes(const half *h, const char *list, const attribute_list *attributes) {
  if (attributes->count == 0) return;
  MlirAttribute all = mlirArrayAttrGet(h->s->p->context, (intptr_t)attributes->count, attributes->items);
  ir_set_attr(h->func, list, all);
}

/* Makes the next argument of `h` the copy of argument `from` of the model function. */
static void take_argument(half *h, intptr_t from) {
  MlirValue argument = mlirBlockGetArgument(h->s->body, from);
  MlirValue here = mlirBlockGetArgument(h->body, (intptr_t)h->arguments.count);
  mlirBlockArgumentSetLocation(here, mlirValueGetLocation(argument));
  VEC_PUSH(h->s->p->arena, &h->arguments, old_attributes(h->s, "arg_attrs", from));
  put(h, argument, here);
}

/* Makes the next argument of `h` the copy of the bound value `value`. */
static void take_bound(half *h, MlirValue value, const char *name) {
  MlirContext context = h->s->p->context;
  MlirValue here = mlirBlockGetArgument(h->body, (intptr_t)h->arguments.count);
  MlirLocation where = mlirValueGetLocation(value);
  if (mlirLocationIsAName(where)) where = mlirLocationNameGetChildLoc(where);
  mlirBlockArgumentSetLocation(here, mlirLocationNameGet(context, mlirStringRefCreateFromCString(name), where));
  VEC_PUSH(h->s->p->arena, &h->arguments, name_attributes(context, name, true));
  put(h, value, here);
}

static bool is_graph_argument(const separation *s, intptr_t i) {
  return ir_type_of(mlirBlockGetArgument(s->body, i)).kind == IR_KIND_graph;
}

/* The arguments of the model function that are graphs (or that are not), in order. */
static void list_arguments(const separation *s, bool graphs, type_list *types) {
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(s->body); i++)
    if (is_graph_argument(s, i) == graphs)
      VEC_PUSH(s->p->arena, types, mlirValueGetType(mlirBlockGetArgument(s->body, i)));
}

static void take_arguments(half *h, bool graphs) {
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(h->s->body); i++)
    if (is_graph_argument(h->s, i) == graphs) take_argument(h, i);
}

static void list_frontier(const separation *s, type_list *types) {
  for (size_t i = 0; i < s->frontier.count; i++) VEC_PUSH(s->p->arena, types, mlirValueGetType(s->frontier.items[i]));
}

static void build_bind(const separation *s, const char *const *names) {
  type_list arguments = {0}, results = {0};
  list_arguments(s, true, &arguments);
  list_frontier(s, &results);
  half h = start_half(s, "bind", &arguments, &results);
  take_arguments(&h, true);
  set_attributes(&h, "arg_attrs", &h.arguments);
  MlirValue *values = arena_alloc_array(s->p->arena, s->frontier.count, sizeof *values);
  for (size_t i = 0; i < s->frontier.count; i++) {
    values[i] = get(&h, s->frontier.items[i]);
    VEC_PUSH(s->p->arena, &h.results, name_attributes(s->p->context, names[i], false));
  }
  set_attributes(&h, "res_attrs", &h.results);
  ir_builder end = ir_builder_at_end(h.body, mlirOperationGetLocation(ir_block_terminator(s->body)));
  ir_build_return(&end, values, s->frontier.count);
}

static void build_run(const separation *s, const char *const *names) {
  type_list arguments = {0}, results = {0};
  MlirOperation end = ir_block_terminator(s->body);
  list_arguments(s, true, &arguments);
  list_frontier(s, &arguments);
  list_arguments(s, false, &arguments);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(end); i++)
    VEC_PUSH(s->p->arena, &results, mlirValueGetType(mlirOperationGetOperand(end, i)));
  half h = start_half(s, "run", &arguments, &results);
  take_arguments(&h, true);
  for (size_t i = 0; i < s->frontier.count; i++) take_bound(&h, s->frontier.items[i], names[i]);
  take_arguments(&h, false);
  set_attributes(&h, "arg_attrs", &h.arguments);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(end); i++)
    VEC_PUSH(s->p->arena, &h.results, old_attributes(s, "res_attrs", i));
  set_attributes(&h, "res_attrs", &h.results);
  IR_FOR_EACH_OP(op, s->body)
    if (mlirOperationGetNumResults(op) != 1 || phase_of(s, mlirOperationGetResult(op, 0)) == PHASE_run) clone(&h, op);
}

/* Readable, unique names for the values that run gets from bind, different from those of arguments
 * and results. */
static const char *const *name_frontier(const separation *s) {
  gnn_names names = {.arena = s->p->arena, .used = {.arena = s->p->arena}};
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(s->body); i++)
    gnn_names_reserve(&names, ir_func_arg_attr(s->func, (size_t)i, "gnn.name"));
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(ir_block_terminator(s->body)); i++)
    gnn_names_reserve(&names, ir_func_result_attr(s->func, (size_t)i, "gnn.name"));
  const char **list = arena_alloc_array(s->p->arena, s->frontier.count, sizeof *list);
  for (size_t i = 0; i < s->frontier.count; i++) list[i] = gnn_names_add(&names, s->frontier.items[i]);
  return list;
}

/* Remarks on what bind computes. Weights are passed as they are; every other value saves work in
 * each run. */
static void remark_frontier(const separation *s) {
  for (size_t i = 0; i < s->frontier.count; i++) {
    MlirOperation op = ir_defining_op(s->frontier.items[i]);
    if (!ir_weight_symbol(op))
      pass_remark(s->p, op, "%s is computed once, by bind", gnn_describe_value(s->p, s->frontier.items[i]));
  }
}

static void separate(pass_context *p, MlirOperation func) {
  separation s = {.p = p, .func = func, .body = ir_func_body(func)};
  s.is_hoisting = pass_option_bool(p, "hoist", true);
  s.phases.arena = s.crossing.arena = p->arena;
  classify_all(&s);
  if (s.is_hoisting) transpose_weights(&s);
  find_frontier(&s);
  remark_frontier(&s);
  const char *const *names = name_frontier(&s);
  build_bind(&s, names);
  build_run(&s, names);
  mlirOperationDestroy(func);
  p->changed++;
}

/* Whether a function has loops. Loops capture values from outside, so a function must be separated
 * before it is lowered to loops. */
static bool has_loops(MlirOperation func) {
  IR_FOR_EACH_OP(op, ir_func_body(func)) {
    if (mlirOperationGetNumRegions(op) && ir_op_kind(op) != IR_OP(gnn, fold)) return true;
  }
  return false;
}

bool pass_run_separate_bind(MlirOperation root, pass_context *p) {
  MlirOperation next;
  for (MlirOperation func = ir_func_first(root); !mlirOperationIsNull(func); func = next) {
    next = ir_func_next(func);
    if (!ir_get_string(func, "gnn.phase", NULL) && !has_loops(func)) separate(p, func);
  }
  return true;
}
