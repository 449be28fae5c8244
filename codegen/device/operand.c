#include "codegen/device/operand.h"

enum { MOST_DEPTH = 8 };

static bool has_selection(MlirValue v, int depth) {
  if (ir_value_is_null(v) || mlirValueIsABlockArgument(v)) return false;
  MlirOperation op = mlirOpResultGetOwner(v);
  if (ir_op_kind(op) == IR_OP(gnn, selection)) return true;
  for (intptr_t i = 0; depth && i < mlirOperationGetNumOperands(op); i++)
    if (has_selection(mlirOperationGetOperand(op, i), depth - 1)) return true;
  return false;
}

bool operand_has_selection(MlirValue matrix) {
  return has_selection(matrix, MOST_DEPTH);
}

MlirOperation operand_edges(MlirValue value) {
  for (;;) {
    MlirOperation op = ir_defining_op(value);
    if (mlirOperationIsNull(op)) return op;
    switch (ir_op_kind(op)) {
    case IR_OP(device, edges): return op;
    case IR_OP(device, constant_values): value = ir_operand(op, IR_IN(device, constant_values, edges)); break;
    case IR_OP(device, sddmm): value = ir_operand(op, IR_IN(device, sddmm, edges)); break;
    case IR_OP(device, values_vadd): value = ir_operand(op, IR_IN(device, values_vadd, a)); break;
    case IR_OP(device, map): value = ir_operand(op, IR_IN(device, map, x)); break;
    default: return (MlirOperation){0};
    }
  }
}

bool operand_is_copy(MlirOperation op) {
  if (mlirOperationIsNull(op) || ir_op_kind(op) != IR_OP(device, spdmm)) return false;
  if (!ir_string_is(op, "reduce", "sum") || ir_value_is_null(ir_operand(op, IR_IN(device, spdmm, in)))) return false;
  if (!ir_value_is_null(ir_operand(op, IR_IN(device, spdmm, values)))) return false;
  MlirOperation edges = operand_edges(ir_operand(op, IR_IN(device, spdmm, edges)));
  if (!ir_value_is_null(ir_operand(edges, IR_IN(device, edges, weight))) || ir_get_bool(edges, "mean")) return false;
  return ir_choice_has(IR_COPY_KINDS, ir_get_string(edges, "kind", ""));
}

bool operand_is_plain_copy(MlirOperation op) {
  return operand_is_copy(op) && !ir_get_array_size(op, "functions") &&
         ir_value_is_null(ir_operand(op, IR_IN(device, spdmm, bias))) &&
         ir_value_is_null(ir_operand(op, IR_IN(device, spdmm, addend)));
}
