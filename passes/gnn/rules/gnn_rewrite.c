/* Reads, builds and replaces operations of the gnn dialect; see the header. */
#include "passes/gnn/rules/gnn_rewrite.h"

#include "support/vec.h"

#include <string.h>

bool gnn_is_graph_level(MlirOperation op) {
  return ir_op_kind(op) <= IR_OP(gnn, pool);
}

MlirOperation gnn_producer(MlirValue value, ir_op kind) {
  if (ir_value_is_null(value)) return (MlirOperation){NULL};
  MlirOperation op = ir_defining_op(value);
  if (mlirOperationIsNull(op) || ir_op_kind(op) != kind) return (MlirOperation){NULL};
  return op;
}

bool gnn_constant_get(MlirValue value, double *number) {
  MlirOperation op = gnn_producer(value, IR_OP(gnn, constant));
  if (mlirOperationIsNull(op)) return false;
  *number = ir_get_float(op, "value", 0);
  return true;
}

MlirValue gnn_build_constant(const ir_builder *b, double number) {
  ir_attr attributes[] = {{"value", ir_attr_float(b->context, number)}, {NULL, {NULL}}};
  return ir_build_value(b, IR_OP(gnn, constant), NULL, attributes);
}

MlirValue gnn_build_unary(const ir_builder *b, ir_op op, MlirValue x) {
  return ir_build_value(b, op, &x, NULL);
}

MlirValue gnn_build_binary(const ir_builder *b, ir_op op, MlirValue x, MlirValue y) {
  MlirValue operands[IR_MAX_OPERANDS] = {x, y};
  return ir_build_value(b, op, operands, NULL);
}

MlirValue gnn_build_activation(const ir_builder *b, MlirValue x, const char *function) {
  ir_attr attributes[] = {{"function", ir_attr_string(b->context, function)}, {NULL, {NULL}}};
  return ir_build_value(b, IR_OP(gnn, activation), &x, attributes);
}

MlirValue gnn_build_activation_of(const ir_builder *b, MlirOperation layer, MlirValue x) {
  if (!gnn_activation_of(layer) || ir_value_is_null(x)) return x;
  ir_attr attributes[IR_UNARY_ATTRIBUTES];
  ir_unary_attributes(layer, "function", attributes);
  return ir_build_value(b, IR_OP(gnn, activation), &x, attributes);
}

MlirValue gnn_build_gather(const ir_builder *b, MlirValue graph, MlirValue value, const char *end) {
  MlirValue operands[IR_MAX_OPERANDS] = {graph, value};
  ir_attr attributes[] = {{"end", ir_attr_string(b->context, end)}, {NULL, {NULL}}};
  return ir_build_value(b, IR_OP(gnn, gather), operands, attributes);
}

static const ir_attr *find_change(const ir_attr *changes, const char *name) {
  for (; changes && changes->name; changes++)
    if (strcmp(changes->name, name) == 0) return changes;
  return NULL;
}

MlirValue gnn_build_like(const ir_builder *b, MlirOperation like, const MlirValue *operands, const ir_attr *changes) {
  enum { MAX_ATTRIBUTES = 16 };
  const ir_op_info *info = ir_op_info_get(ir_op_kind(like));
  ir_attr attributes[MAX_ATTRIBUTES + 1];
  unsigned count = 0;
  for (unsigned i = 0; i < info->attribute_count && count < MAX_ATTRIBUTES; i++) {
    const char *name = info->attributes[i].name;
    const ir_attr *change = find_change(changes, name);
    MlirAttribute value = change ? change->value : ir_get_attr(like, name);
    if (!mlirAttributeIsNull(value)) attributes[count++] = (ir_attr){name, value};
  }
  attributes[count] = (ir_attr){NULL, {NULL}};
  return ir_build_value(b, ir_op_kind(like), operands, attributes);
}

void gnn_erase_dead(pass_context *p, MlirOperation op) {
  VEC(MlirOperation) work = {0};
  VEC_PUSH(p->arena, &work, op);
  while (work.count > 0) {
    MlirOperation dead = work.items[--work.count];
    if (!ir_op_is_pure(dead) || mlirOperationGetNumResults(dead) != 1) continue;
    if (ir_value_has_uses(ir_result(dead))) continue;
    VEC(MlirOperation) producers = {0};
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(dead); i++) {
      MlirOperation producer = ir_defining_op(mlirOperationGetOperand(dead, i));
      bool seen = mlirOperationIsNull(producer);
      for (size_t k = 0; k < producers.count; k++) seen = seen || mlirOperationEqual(producers.items[k], producer);
      if (!seen) VEC_PUSH(p->arena, &producers, producer);
    }
    mlirOperationDestroy(dead);
    for (size_t k = 0; k < producers.count; k++)
      if (!ir_value_has_uses(mlirOperationGetResult(producers.items[k], 0)))
        VEC_PUSH(p->arena, &work, producers.items[k]);
  }
}

void gnn_replace(pass_context *p, MlirOperation op, MlirValue value) {
  mlirValueReplaceAllUsesOfWith(ir_result(op), value);
  gnn_erase_dead(p, op);
  p->changed++;
}

void gnn_func_update_type(pass_context *p, MlirOperation func) {
  MlirBlock body = ir_func_body(func);
  MlirOperation end = ir_block_terminator(body);
  intptr_t input_count = mlirBlockGetNumArguments(body), result_count = mlirOperationGetNumOperands(end);
  MlirType *inputs = arena_alloc_array(p->arena, (size_t)input_count, sizeof *inputs);
  MlirType *results = arena_alloc_array(p->arena, (size_t)result_count, sizeof *results);
  for (intptr_t i = 0; i < input_count; i++) inputs[i] = mlirValueGetType(mlirBlockGetArgument(body, i));
  for (intptr_t i = 0; i < result_count; i++) results[i] = mlirValueGetType(mlirOperationGetOperand(end, i));
  MlirType type = mlirFunctionTypeGet(p->context, input_count, inputs, result_count, results);
  ir_set_attr(func, "function_type", mlirTypeAttrGet(type));
}

bool gnn_is_sum_or_mean(MlirOperation op) {
  return ir_string_is(op, "reduce", "sum") || ir_string_is(op, "reduce", "mean");
}

const char *gnn_activation_of(MlirOperation op) {
  return ir_get_string(op, "activation", NULL);
}
