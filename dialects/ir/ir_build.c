/* Builds operations of ours from the rows of their tables: operands by declared position, result
 * type inferred. */
#include "dialects/verify/infer.h"

#include <assert.h>
#include <stdlib.h>

ir_builder ir_builder_at_end(MlirBlock block, MlirLocation location) {
  return (ir_builder){.context = mlirLocationGetContext(location), .block = block, .location = location};
}

ir_builder ir_builder_before(MlirOperation op) {
  return (ir_builder){.context = mlirOperationGetContext(op),
                      .block = mlirOperationGetBlock(op),
                      .before = op,
                      .location = mlirOperationGetLocation(op)};
}

static void insert(const ir_builder *b, MlirOperation op) {
  mlirBlockInsertOwnedOperationBefore(b->block, b->before, op); /* a null `before` appends */
}

static void add_attribute(MlirOperationState *state, MlirContext context, const char *name, MlirAttribute value) {
  MlirNamedAttribute named = mlirNamedAttributeGet(ir_identifier(ir_state_get(context), name), value);
  mlirOperationStateAddAttributes(state, 1, &named);
}

static void add_attributes(MlirOperationState *state, MlirContext context, const ir_attr *attributes) {
  for (; attributes && attributes->name; attributes++)
    if (!mlirAttributeIsNull(attributes->value)) add_attribute(state, context, attributes->name, attributes->value);
}

static MlirOperation create(const ir_builder *b, MlirOperationState *state, const ir_attr *attributes,
                            MlirRegion region) {
  add_attributes(state, b->context, attributes);
  if (!mlirRegionIsNull(region)) mlirOperationStateAddOwnedRegions(state, 1, &region);
  MlirOperation made = mlirOperationCreate(state);
  insert(b, made);
  return made;
}

static void add_operands(MlirOperationState *state, const infer *in) {
  int32_t sizes[IR_MAX_OPERANDS] = {0};
  unsigned count = in->info->operand_count;
  for (unsigned i = 0; i < count; i++) {
    sizes[i] = !mlirValueIsNull(in->values[i]);
    assert(sizes[i] || in->info->operands[i].is_optional);
    if (sizes[i]) mlirOperationStateAddOperands(state, 1, &in->values[i]);
  }
  if (ir_op_has_segments(in->info))
    add_attribute(state, in->context, "operandSegmentSizes", mlirDenseI32ArrayGet(in->context, (intptr_t)count, sizes));
}

MlirOperation ir_build(const ir_builder *b, ir_op op, const MlirValue *operands, const ir_attr *attributes,
                       MlirRegion region, MlirType result) {
  infer in = {.context = b->context, .location = b->location, .op = op, .info = ir_op_info_get(op)};
  in.attributes = attributes;
  in.region = region;
  for (unsigned i = 0; i < in.info->operand_count; i++) {
    in.values[i] = operands[i];
    if (!mlirValueIsNull(operands[i])) in.types[i] = ir_type_of(operands[i]);
  }
  if (in.info->result_kind && mlirTypeIsNull(result)) {
    ir_type inferred = {0};
    if (infer_result(&in, &inferred)) result = ir_type_make(b->context, inferred);
    if (mlirTypeIsNull(result)) {
      if (!mlirRegionIsNull(region)) mlirRegionDestroy(region);
      return (MlirOperation){NULL};
    }
  }
  MlirOperationState state = mlirOperationStateGet(ir_ref(in.info->name), b->location);
  add_operands(&state, &in);
  if (in.info->result_kind) mlirOperationStateAddResults(&state, 1, &result);
  return create(b, &state, attributes, region);
}

MlirValue ir_build_value(const ir_builder *b, ir_op op, const MlirValue *operands, const ir_attr *attributes) {
  MlirOperation made = ir_build(b, op, operands, attributes, (MlirRegion){NULL}, (MlirType){NULL});
  return mlirOperationIsNull(made) ? (MlirValue){NULL} : ir_result(made);
}

MlirRegion ir_region_create(MlirContext context, const MlirType *arguments, size_t count, MlirLocation location,
                            MlirBlock *block) {
  (void)context;
  MlirRegion region = mlirRegionCreate();
  *block = mlirBlockCreate(0, NULL, NULL);
  for (size_t i = 0; i < count; i++) mlirBlockAddArgument(*block, arguments[i], location);
  mlirRegionAppendOwnedBlock(region, *block);
  return region;
}

static MlirOperation build_other(const ir_builder *b, const char *name, const MlirValue *operands, size_t operand_count,
                                 const MlirType *result, const ir_attr *attributes, MlirRegion region) {
  MlirOperationState state = mlirOperationStateGet(ir_ref(name), b->location);
  if (operand_count) mlirOperationStateAddOperands(&state, (intptr_t)operand_count, operands);
  if (result) mlirOperationStateAddResults(&state, 1, result);
  return create(b, &state, attributes, region);
}

void ir_build_yield(const ir_builder *b, const MlirValue *values, size_t count) {
  build_other(b, "smt.yield", values, count, NULL, NULL, (MlirRegion){NULL});
}

void ir_build_return(const ir_builder *b, const MlirValue *values, size_t count) {
  build_other(b, "func.return", values, count, NULL, NULL, (MlirRegion){NULL});
}

MlirValue ir_build_result(const ir_builder *b, MlirOperation loop, unsigned index) {
  MlirValue operands[IR_MAX_OPERANDS] = {ir_result(loop)};
  ir_attr attributes[] = {{"index", ir_attr_integer(b->context, index)}, {NULL, {NULL}}};
  return ir_build_value(b, IR_OP(inter, result), operands, attributes);
}

MlirOperation ir_build_func(const ir_builder *b, const char *name, const MlirType *arguments, size_t argument_count,
                            const MlirType *results, size_t result_count, MlirBlock *body) {
  MlirRegion region = ir_region_create(b->context, arguments, argument_count, b->location, body);
  MlirType type = mlirFunctionTypeGet(b->context, (intptr_t)argument_count, arguments, (intptr_t)result_count, results);
  ir_attr attributes[] = {
      {"sym_name", ir_attr_string(b->context, name)}, {"function_type", mlirTypeAttrGet(type)}, {NULL, {NULL}}};
  return build_other(b, "func.func", NULL, 0, NULL, attributes, region);
}

/* ---- weights ---- */

MlirOperation ir_build_weight(const ir_builder *b, const char *symbol, MlirType type, const ir_attr *attributes) {
  ir_attr own[] = {{"sym_name", ir_attr_string(b->context, symbol)},
                   {"type", mlirTypeAttrGet(type)},
                   {"value", ir_state_get(b->context)->external},
                   {"sym_visibility", ir_attr_string(b->context, "private")},
                   {NULL, {NULL}}};
  MlirOperation made = build_other(b, "ml_program.global", NULL, 0, NULL, own, (MlirRegion){NULL});
  for (; attributes && attributes->name; attributes++)
    if (!mlirAttributeIsNull(attributes->value))
      mlirOperationSetDiscardableAttributeByName(made, ir_ref(attributes->name), attributes->value);
  return made;
}

MlirValue ir_build_weight_load(const ir_builder *b, const char *symbol, MlirType type) {
  ir_attr attributes[] = {{"global", mlirFlatSymbolRefAttrGet(b->context, ir_ref(symbol))}, {NULL, {NULL}}};
  MlirOperation load = build_other(b, "ml_program.global_load_const", NULL, 0, &type, attributes, (MlirRegion){NULL});
  return ir_result(load);
}
