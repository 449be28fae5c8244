/* Adds arguments and results to functions: see gnn_train_function.h. */
#include "passes/gnn/train/gnn_train_function.h"

#include "passes/gnn/rules/gnn_rewrite.h"

static MlirIdentifier identifier(MlirContext context, const char *name) {
  return mlirIdentifierGet(context, mlirStringRefCreateFromCString(name));
}

MlirAttribute train_attributes(MlirContext context, const ir_attr *list) {
  enum { MOST = 16 };
  MlirNamedAttribute entries[MOST];
  intptr_t count = 0;
  for (; list->name; list++)
    if (!mlirAttributeIsNull(list->value) && count < MOST)
      entries[count++] = mlirNamedAttributeGet(identifier(context, list->name), list->value);
  return mlirDictionaryAttrGet(context, count, entries);
}

MlirAttribute train_attributes_with(MlirAttribute dictionary, const char *name, MlirAttribute value) {
  enum { MOST = 16 };
  MlirContext context = mlirAttributeGetContext(dictionary);
  MlirNamedAttribute entries[MOST];
  intptr_t count = mlirDictionaryAttrGetNumElements(dictionary);
  for (intptr_t i = 0; i < count && i + 1 < MOST; i++) entries[i] = mlirDictionaryAttrGetElement(dictionary, i);
  entries[count] = mlirNamedAttributeGet(identifier(context, name), value);
  return mlirDictionaryAttrGet(context, count + 1, entries);
}

MlirAttribute train_attribute(MlirAttribute dictionary, const char *name) {
  return mlirDictionaryAttrGetElementByName(dictionary, mlirStringRefCreateFromCString(name));
}

/* The dictionary of entry `index` of "arg_attrs" or "res_attrs"; an empty one where it is absent. */
static MlirAttribute entry_of(MlirOperation func, const char *list, intptr_t index) {
  MlirAttribute all = ir_get_attr(func, list);
  if (mlirAttributeIsNull(all) || !mlirAttributeIsAArray(all) || index >= mlirArrayAttrGetNumElements(all))
    return mlirDictionaryAttrGet(mlirOperationGetContext(func), 0, NULL);
  return mlirArrayAttrGetElement(all, index);
}

train_results train_results_of(pass_context *p, MlirOperation func) {
  train_results results = {0};
  MlirOperation end = ir_block_terminator(ir_func_body(func));
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(end); i++) {
    train_result result = {mlirOperationGetOperand(end, i), entry_of(func, "res_attrs", i)};
    VEC_PUSH(p->arena, &results, result);
  }
  return results;
}

void train_set_results(pass_context *p, MlirOperation func, const train_results *results) {
  MlirOperation end = ir_block_terminator(ir_func_body(func));
  MlirValue *values = arena_alloc_array(p->arena, results->count + 1, sizeof *values);
  MlirAttribute *attributes = arena_alloc_array(p->arena, results->count + 1, sizeof *attributes);
  for (size_t i = 0; i < results->count; i++) {
    values[i] = results->items[i].value;
    attributes[i] = results->items[i].attributes;
  }
  ir_builder b = ir_builder_before(end);
  ir_build_return(&b, values, results->count);
  mlirOperationDestroy(end);
  gnn_func_update_type(p, func);
  ir_set_attr(func, "res_attrs", mlirArrayAttrGet(p->context, (intptr_t)results->count, attributes));
}

MlirValue train_add_argument(pass_context *p, MlirOperation func, MlirType type, MlirLocation where,
                             MlirAttribute attributes) {
  MlirBlock body = ir_func_body(func);
  intptr_t count = mlirBlockGetNumArguments(body);
  MlirAttribute *all = arena_alloc_array(p->arena, (size_t)count + 1, sizeof *all);
  for (intptr_t i = 0; i < count; i++) all[i] = entry_of(func, "arg_attrs", i);
  all[count] = attributes;
  MlirValue argument = mlirBlockAddArgument(body, type, where);
  gnn_func_update_type(p, func);
  ir_set_attr(func, "arg_attrs", mlirArrayAttrGet(p->context, count + 1, all));
  return argument;
}

bool train_is_wanted(MlirOperation module) {
  return !mlirAttributeIsNull(ir_get_attr(module, "gnn.training"));
}

const char *train_backward_of(MlirOperation module) {
  return ir_get_string(module, "gnn.backward", NULL);
}
