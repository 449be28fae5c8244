/* Functions and weights in a module: names, argument attributes, globals by symbol. */
#include "dialects/ir/ir_private.h"

#include <string.h>

void ir_func_set_arg_attr(MlirOperation func, size_t index, const char *name, MlirAttribute value) {
  mlirFuncSetArgAttr(func, (intptr_t)index, ir_ref(name), value);
}

void ir_func_set_result_attr(MlirOperation func, size_t index, const char *name, MlirAttribute value) {
  mlirFuncSetResultAttr(func, (intptr_t)index, ir_ref(name), value);
}

static MlirAttribute at_position(MlirOperation func, const char *list, size_t index, const char *name) {
  MlirAttribute all = ir_get_attr(func, list);
  if (mlirAttributeIsNull(all) || !mlirAttributeIsAArray(all)) return (MlirAttribute){NULL};
  if (index >= (size_t)mlirArrayAttrGetNumElements(all)) return (MlirAttribute){NULL};
  MlirAttribute one = mlirArrayAttrGetElement(all, (intptr_t)index);
  if (!mlirAttributeIsADictionary(one)) return (MlirAttribute){NULL};
  return mlirDictionaryAttrGetElementByName(one, ir_ref(name));
}

MlirAttribute ir_func_arg_attr(MlirOperation func, size_t index, const char *name) {
  return at_position(func, "arg_attrs", index, name);
}

MlirAttribute ir_func_result_attr(MlirOperation func, size_t index, const char *name) {
  return at_position(func, "res_attrs", index, name);
}

MlirBlock ir_func_body(MlirOperation func) {
  return mlirRegionGetFirstBlock(mlirOperationGetRegion(func, 0));
}

const char *ir_func_name(MlirOperation func) {
  return ir_get_string(func, "sym_name", "");
}

static MlirOperation func_from(MlirOperation op) {
  while (!mlirOperationIsNull(op) && !(!strcmp(ir_op_name(op), "func.func") && !mlirBlockIsNull(ir_region_block(op))))
    op = mlirOperationGetNextInBlock(op);
  return op;
}

MlirOperation ir_func_first(MlirOperation module) {
  return func_from(mlirBlockGetFirstOperation(ir_region_block(module)));
}

MlirOperation ir_func_next(MlirOperation func) {
  return func_from(mlirOperationGetNextInBlock(func));
}

bool ir_is_weight(MlirOperation op) {
  return strcmp(ir_op_name(op), "ml_program.global") == 0;
}

const char *ir_weight_symbol(MlirOperation load) {
  if (mlirOperationIsNull(load) || strcmp(ir_op_name(load), "ml_program.global_load_const") != 0) return NULL;
  MlirAttribute global = ir_get_attr(load, "global");
  ir_state *state = ir_state_get(mlirOperationGetContext(load));
  return ir_intern_ref(state, mlirSymbolRefAttrGetLeafReference(global));
}

MlirOperation ir_weight_find(MlirOperation module, const char *symbol) {
  IR_FOR_EACH_OP(op, ir_region_block(module))
    if (ir_is_weight(op) && ir_string_is(op, "sym_name", symbol)) return op;
  return (MlirOperation){NULL};
}
