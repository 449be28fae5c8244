/* Products that are stored as they are: gemm_rows writes them where they belong, without a block of their own in between.
 *
 *   gemm_rows(last - first, 64, 64, rows, W_packed, m + first * 64, 64);        instead of product, and a loop that copies it */
#include "codegen/c/kernel.h"

/* Rows that follow each other in memory as they do in the kernel, of the numbers that gemm_rows writes, and of no one else. */
static bool may_be_written(c_body *b, const c_buffer *buffer, int64_t reach) {
  bool is_user = c_buffer_is_user(buffer);
  if (is_user && b->model->options->is_f64) return false;
  if (is_user && buffer->rows == C_ROWS_edge && b->model->sets.items[buffer->set].has_csc) return false;
  return buffer->elements == reach && !c_access_is_shared(b, buffer);
}

const c_parameter *c_gemm_direct(c_body *b, MlirOperation gemm, int64_t reach, bool *is_all) {
  MlirBlock block = ir_region_block(gemm);
  MlirValue cursor = mlirBlockGetArgument(block, 0), product = mlirBlockGetArgument(block, 1);
  const c_parameter *found = NULL;
  int operations = 0;
  for (MlirOperation op = mlirBlockGetFirstOperation(block); !mlirOperationIsNull(op);
       op = mlirOperationGetNextInBlock(op), operations++) {
    if (ir_op_kind(op) != IR_OP(intra, store)) continue;
    if (!mlirValueEqual(ir_operand(op, IR_IN(intra, store, value)), product)) continue;
    MlirValue at = ir_operand(op, IR_IN(intra, store, cursor));
    const c_buffer *buffer = c_model_buffer(b->phase, ir_operand(op, IR_IN(intra, store, buffer)));
    if (found || !buffer || ir_value_is_null(at) || !mlirValueEqual(at, cursor)) continue;
    if (may_be_written(b, buffer, reach)) found = c_access_buffer(b, buffer->value);
  }
  *is_all = found && operations == 2; /* the store and the terminator */
  return found;
}
