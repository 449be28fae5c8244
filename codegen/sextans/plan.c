/* Chooses how the operations of the device become launches.
 *
 *   spdmm                 A = the edge list, B = the rows
 *   spdmm with values     the same; the host writes the values of a head into the slots before its launch
 *   gemm, form rows       A = the rows with all numbers as non-zeros, B = the weights
 *   gemm, form weights    A = the weights transposed, B = the rows transposed, C = the result transposed */
#include "codegen/sextans/program.h"

#include "codegen/device/steps/place.h"

/* Whether all users of a copy are products that read through it. */
static bool is_read_through(const sextans_program *p, MlirOperation copy) {
  MlirValue rows = ir_result(copy);
  for (MlirOpOperand use = mlirValueGetFirstUse(rows); !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    int64_t number = map_get(&p->operation_of, mlirOpOperandGetOwner(use).ptr, 0);
    const sextans_operation *o = number ? &p->operations.items[number - 1] : NULL;
    if (!o || o->form != SEXTANS_FORM_rows || ir_op_kind(o->op) != IR_OP(device, gemm)) return false;
    if (!o->source_row || !mlirValueEqual(ir_operand(o->op, IR_IN(device, gemm, in)), rows)) return false;
    MlirValue addend = ir_operand(o->op, IR_IN(device, gemm, addend));
    if (!ir_value_is_null(addend) && mlirValueEqual(addend, rows)) return false;
  }
  return true;
}

/* Takes copies from the host that nobody reads any more. */
static void drop_copies(const sextans_program *p) {
  IR_FOR_EACH_OP(op, ir_func_body(p->steps->function))
    if (operand_is_plain_copy(op) && place_is_on_host(op) && is_read_through(p, op))
      ir_set_attr(op, "unit", ir_attr_string(mlirOperationGetContext(op), "device"));
}

status sextans_plan_operations(sextans_program *p) {
  IR_FOR_EACH_OP(op, ir_func_body(p->steps->function)) {
    if (!place_is_step(op) || place_is_on_host(op)) continue;
    sextans_operation o = {.op = op, .layer = (int32_t)p->operations.count, .heads = 1};
    RETURN_IF_ERROR(ir_op_kind(op) == IR_OP(device, gemm) ? sextans_plan_gemm(p, &o) : sextans_plan_spdmm(p, &o));
    sextans_store_reserve(p, &o);
    VEC_PUSH(p->arena, &p->operations, o);
    map_set(&p->operation_of, op.ptr, (int64_t)p->operations.count);
  }
  drop_copies(p);
  return STATUS_OK;
}
