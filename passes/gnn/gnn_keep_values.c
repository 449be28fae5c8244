/* gnn-keep-values: makes values that have a name in the model outputs, so that a run can be compared
 * with another one value by value.
 *
 *   %conv1.z = gnn.linear(...)  ...  return %logits    =>    return %logits, %conv1.z   {gnn.name = "conv1.z"}
 *
 * These are values of nodes and of edges of the caller's graph; other rows have no order that the
 * caller knows. A name that several values have is left out. */
#include "passes/manager/pass.h"
#include "support/map.h"
#include "support/vec.h"

#include <string.h>

typedef VEC(MlirValue) value_list;
typedef VEC(MlirAttribute) attribute_list;

static bool has_rows_of_caller(MlirValue value) {
  ir_type type = ir_type_of(value);
  if (type.is_integer) return false; /* outputs are f32 */
  bool is_plain_set = type.set && !strpbrk(type.set, ".:");
  return (type.kind == IR_KIND_node || type.kind == IR_KIND_edge) && is_plain_set;
}

/* Counts the values that have each name. */
static void count_names(MlirBlock body, map *counts) {
  IR_FOR_EACH_OP(op, body) {
    const char *name = ir_location_name(mlirOperationGetLocation(op));
    if (name && mlirOperationGetNumResults(op)) map_set(counts, name, map_get(counts, name, 0) + 1);
  }
}

/* A dictionary with the name of a result; an empty one where it has none. */
static MlirAttribute name_attribute(MlirContext context, const char *name) {
  if (!name) return mlirDictionaryAttrGet(context, 0, NULL);
  MlirIdentifier key = mlirIdentifierGet(context, mlirStringRefCreateFromCString("gnn.name"));
  MlirNamedAttribute named = mlirNamedAttributeGet(key, ir_attr_string(context, name));
  return mlirDictionaryAttrGet(context, 1, &named);
}

/* Lists the results of the function with their names, which are taken out of `counts`. */
static void list_results(MlirOperation func, MlirOperation end, pass_context *p, map *counts, value_list *values,
                         attribute_list *names) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(end); i++) {
    const char *name = ir_string_of(ir_func_result_attr(func, (size_t)i, "gnn.name"));
    VEC_PUSH(p->arena, values, mlirOperationGetOperand(end, i));
    VEC_PUSH(p->arena, names, name_attribute(p->context, name));
    if (name) map_set(counts, name, 0);
  }
}

static void set_results(MlirOperation func, pass_context *p, const value_list *values, const attribute_list *names) {
  MlirBlock body = ir_func_body(func);
  VEC(MlirType) inputs = {0}, results = {0};
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(body); i++)
    VEC_PUSH(p->arena, &inputs, mlirValueGetType(mlirBlockGetArgument(body, i)));
  for (size_t i = 0; i < values->count; i++) VEC_PUSH(p->arena, &results, mlirValueGetType(values->items[i]));
  MlirType type =
      mlirFunctionTypeGet(p->context, (intptr_t)inputs.count, inputs.items, (intptr_t)results.count, results.items);
  ir_set_attr(func, "function_type", mlirTypeAttrGet(type));
  ir_set_attr(func, "res_attrs", mlirArrayAttrGet(p->context, (intptr_t)names->count, names->items));
  MlirOperation end = ir_block_terminator(body);
  ir_builder b = ir_builder_before(end);
  ir_build_return(&b, values->items, values->count);
  mlirOperationDestroy(end);
}

static void keep_values(MlirOperation func, pass_context *p) {
  MlirBlock body = ir_func_body(func);
  MlirOperation end = ir_block_terminator(body);
  map counts = {.arena = p->arena, .of_strings = true};
  value_list values = {0};
  attribute_list names = {0};
  count_names(body, &counts);
  list_results(func, end, p, &counts, &values, &names);
  size_t before = values.count;
  IR_FOR_EACH_OP(op, body) {
    const char *name = ir_location_name(mlirOperationGetLocation(op));
    if (!name || mlirOperationGetNumResults(op) != 1 || map_get(&counts, name, 0) != 1) continue;
    if (!has_rows_of_caller(ir_result(op))) continue;
    VEC_PUSH(p->arena, &values, ir_result(op));
    VEC_PUSH(p->arena, &names, name_attribute(p->context, name));
  }
  if (values.count == before) return;
  set_results(func, p, &values, &names);
  p->changed += values.count - before;
}

bool pass_run_keep_values(MlirOperation root, pass_context *p) {
  IR_FOR_EACH_FUNC(func, root) keep_values(func, p);
  return true;
}
