/* Reads operations by the names in their table row: operands, attributes, regions, purity. */
#include "dialects/ir/ir_private.h"

#include <assert.h>
#include <string.h>

/* ---- kinds of operations ---- */

/* The row of an operation; NULL for operations of other dialects. */
static const ir_op_info *find_info(MlirOperation op) {
  const void *name = mlirOperationGetName(op).ptr;
  size_t place = ir_recent_place(name);
  if (ir_recent_ops.keys[place] != name) {
    ir_recent_ops.values[place] = ir_map_get(&ir_state_get(mlirOperationGetContext(op))->ops, name);
    ir_recent_ops.keys[place] = name;
  }
  return ir_recent_ops.values[place];
}

ir_op ir_op_kind(MlirOperation op) {
  const ir_op_info *info = find_info(op);
  return info ? (ir_op)(info - ir_op_info_get((ir_op)0)) : IR_OTHER;
}

const char *ir_op_name(MlirOperation op) {
  return mlirIdentifierStr(mlirOperationGetName(op)).data; /* MLIR ends its identifiers with a NUL */
}

static bool is_named(MlirOperation op, const char *name) {
  return mlirStringRefEqual(mlirIdentifierStr(mlirOperationGetName(op)), ir_ref(name));
}

static bool has_effects(MlirOperation op, bool reads_are_effects);

/* Whether the body of a loop has effects. Bodies end in smt.yield, which only passes values on. */
static bool body_has_effects(MlirOperation op, bool reads_are_effects) {
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); r++) {
    MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, r));
    for (; !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block)) {
      IR_FOR_EACH_OP(inner, block)
        if (!is_named(inner, "smt.yield") && has_effects(inner, reads_are_effects)) return true;
    }
  }
  return false;
}

static bool has_effects(MlirOperation op, bool reads_are_effects) {
  ir_op kind = ir_op_kind(op);
  if (kind == IR_OTHER) return !is_named(op, "ml_program.global_load_const");
  const ir_op_info *info = ir_op_info_get(kind);
  if (!info->is_pure && (reads_are_effects || !info->is_read)) return true;
  return info->region_name && body_has_effects(op, reads_are_effects);
}

bool ir_op_is_pure(MlirOperation op) {
  return !has_effects(op, true);
}
bool ir_op_is_removable(MlirOperation op) {
  return !has_effects(op, false);
}

bool ir_op_is_row_wise(ir_op kind) {
  switch (kind) {
  case IR_OP(gnn, linear):
  case IR_OP(gnn, vector_inner):
  case IR_OP(gnn, select):
  case IR_OP(gnn, activation):
  case IR_OP(gnn, derivative):
  case IR_OP(gnn, batch_norm):
  case IR_OP(gnn, row_normalize):
  case IR_OP(gnn, reduce):
  case IR_OP(gnn, softmax):
  case IR_OP(gnn, argmax):
  case IR_OP(gnn, concat):
  case IR_OP(gnn, columns):
  case IR_OP(gnn, reshape):
  case IR_OP(gnn, outer):
  case IR_OP(gnn, view):
  case IR_OP(gnn, lookup):
  case IR_OP(gnn, convert):
  case IR_OP(gnn, transpose): return true;
  default: return ir_op_is_binary(kind);
  }
}

/* ---- operands ---- */

intptr_t ir_operand_position(MlirOperation op, int declared_position) {
  const ir_op_info *info = find_info(op);
  assert(info);
  intptr_t present = mlirOperationGetNumOperands(op);
  assert(declared_position >= 0 && (unsigned)declared_position < info->operand_count);
  if (present == info->operand_count) return declared_position;
  if (ir_op_has_segments(info)) {
    MlirAttribute sizes = ir_get_attr(op, "operandSegmentSizes");
    intptr_t at = 0;
    for (int i = 0; i < declared_position; i++) at += mlirDenseI32ArrayGetElement(sizes, i);
    return mlirDenseI32ArrayGetElement(sizes, declared_position) ? at : -1;
  }
  intptr_t at = 0;
  for (int i = 0; i < declared_position; i++) at += !info->operands[i].is_optional;
  return info->operands[declared_position].is_optional ? -1 : at;
}

void ir_operands(MlirOperation op, MlirValue operands[IR_MAX_OPERANDS]) {
  const ir_op_info *info = find_info(op);
  assert(info);
  intptr_t present = mlirOperationGetNumOperands(op), at = 0;
  bool is_whole = present == info->operand_count;
  MlirAttribute sizes = {NULL};
  if (!is_whole && ir_op_has_segments(info)) sizes = ir_get_attr(op, "operandSegmentSizes");
  for (unsigned i = 0; i < IR_MAX_OPERANDS; i++) {
    bool is_there = i < info->operand_count;
    if (is_there && !is_whole && info->operands[i].is_optional)
      is_there = sizes.ptr && mlirDenseI32ArrayGetElement(sizes, i);
    operands[i] = is_there ? mlirOperationGetOperand(op, at++) : (MlirValue){NULL};
  }
}

MlirValue ir_operand(MlirOperation op, int declared_position) {
  intptr_t at = ir_operand_position(op, declared_position);
  return at < 0 ? (MlirValue){NULL} : mlirOperationGetOperand(op, at);
}

void ir_set_operand(MlirOperation op, int declared_position, MlirValue value) {
  intptr_t at = ir_operand_position(op, declared_position);
  assert(at >= 0);
  mlirOperationSetOperand(op, at, value);
}

/* ---- attributes ---- */

MlirAttribute ir_get_attr(MlirOperation op, const char *name) {
  return mlirOperationGetAttributeByName(op, ir_ref(name));
}

void ir_set_attr(MlirOperation op, const char *name, MlirAttribute value) {
  mlirOperationSetAttributeByName(op, ir_ref(name), value);
}

const char *ir_string_of(MlirAttribute attribute) {
  if (mlirAttributeIsNull(attribute) || !mlirAttributeIsAString(attribute)) return NULL;
  ir_state *state = ir_state_get(mlirAttributeGetContext(attribute));
  return ir_intern_ref(state, mlirStringAttrGetValue(attribute));
}

const char *ir_get_string(MlirOperation op, const char *name, const char *fallback) {
  const char *said = ir_string_of(ir_get_attr(op, name));
  return said ? said : fallback;
}

bool ir_string_is(MlirOperation op, const char *name, const char *value) {
  MlirAttribute a = ir_get_attr(op, name);
  return !mlirAttributeIsNull(a) && mlirAttributeIsAString(a) &&
         mlirStringRefEqual(mlirStringAttrGetValue(a), ir_ref(value));
}

double ir_get_float(MlirOperation op, const char *name, double fallback) {
  MlirAttribute a = ir_get_attr(op, name);
  return mlirAttributeIsNull(a) || !mlirAttributeIsAFloat(a) ? fallback : mlirFloatAttrGetValueDouble(a);
}

int64_t ir_get_integer(MlirOperation op, const char *name, int64_t fallback) {
  MlirAttribute a = ir_get_attr(op, name);
  return mlirAttributeIsNull(a) || !mlirAttributeIsAInteger(a) ? fallback : mlirIntegerAttrGetValueInt(a);
}

bool ir_get_bool(MlirOperation op, const char *name) {
  return !mlirAttributeIsNull(ir_get_attr(op, name));
}

size_t ir_get_array_size(MlirOperation op, const char *name) {
  MlirAttribute a = ir_get_attr(op, name);
  if (mlirAttributeIsNull(a)) return 0;
  if (mlirAttributeIsADenseI64Array(a)) return (size_t)mlirDenseArrayGetNumElements(a);
  return mlirAttributeIsAArray(a) ? (size_t)mlirArrayAttrGetNumElements(a) : 0;
}

const char *ir_get_string_at(MlirOperation op, const char *name, size_t index) {
  if (index >= ir_get_array_size(op, name)) return NULL;
  MlirAttribute a = ir_get_attr(op, name);
  if (!mlirAttributeIsAArray(a)) return NULL;
  return ir_string_of(mlirArrayAttrGetElement(a, (intptr_t)index));
}

int64_t ir_get_integer_at(MlirOperation op, const char *name, size_t index) {
  MlirAttribute a = ir_get_attr(op, name);
  assert(index < ir_get_array_size(op, name) && mlirAttributeIsADenseI64Array(a));
  return mlirDenseI64ArrayGetElement(a, (intptr_t)index);
}

/* ---- values and blocks ---- */

MlirValue ir_result(MlirOperation op) {
  return mlirOperationGetResult(op, 0);
}

MlirOperation ir_defining_op(MlirValue value) {
  return mlirValueIsAOpResult(value) ? mlirOpResultGetOwner(value) : (MlirOperation){NULL};
}

bool ir_value_is_null(MlirValue value) {
  return mlirValueIsNull(value);
}

bool ir_value_has_uses(MlirValue value) {
  return !mlirOpOperandIsNull(mlirValueGetFirstUse(value));
}

bool ir_value_has_one_use(MlirValue value) {
  MlirOpOperand use = mlirValueGetFirstUse(value);
  return !mlirOpOperandIsNull(use) && mlirOpOperandIsNull(mlirOpOperandGetNextUse(use));
}

size_t ir_value_use_count(MlirValue value) {
  size_t count = 0;
  IR_FOR_EACH_USE(use, value) count++;
  return count;
}

bool ir_buffer_is_bf16(MlirValue buffer) {
  return ir_string_is(ir_defining_op(buffer), "format", "bf16");
}

bool ir_buffer_may_be_bf16(MlirValue buffer) {
  IR_FOR_EACH_USE(use, buffer) {
    ir_op user = ir_op_kind(mlirOpOperandGetOwner(use));
    bool is_a = user == IR_OP(intra, gemm) && mlirOpOperandGetOperandNumber(use) == IR_IN(intra, gemm, a);
    bool is_row = user == IR_OP(intra, load) || user == IR_OP(intra, store) || user == IR_OP(intra, unite) ||
                  user == IR_OP(intra, exchange) || user == IR_OP(intra, exchange_edges);
    if (!is_a && !is_row) return false;
  }
  return true;
}

MlirBlock ir_region_block(MlirOperation op) {
  if (mlirOperationGetNumRegions(op) != 1) return (MlirBlock){NULL};
  return mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 0));
}

MlirOperation ir_block_terminator(MlirBlock block) {
  return mlirBlockGetTerminator(block);
}

MlirOperation ir_op_next(MlirOperation op) {
  return mlirOperationIsNull(op) ? op : mlirOperationGetNextInBlock(op);
}
