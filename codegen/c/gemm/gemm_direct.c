/* Products that are stored as they are: gemm_rows writes them directly into the result, without a
 * block in between.
 *
 *   gemm_rows(last - first, 64, 64, rows, W_packed, m + first * 64, 64);        instead of product, and a loop that copies it */
#include "codegen/c/gemm/gemm_direct.h"

#include "codegen/c/body/parameter.h"

/* Whether gemm_rows may write into a buffer: its rows follow one another in memory as those of the
 * kernel do, they have the size that gemm_rows writes, and no other operation uses them. */
static bool may_be_written(c_body *b, const c_buffer *buffer, int64_t reach) {
  bool is_user = c_buffer_is_user(buffer);
  if (is_user && b->model->options->is_f64) return false;
  if (buffer->is_bf16) return false;
  if (is_user && buffer->rows == C_ROWS_edge && b->model->sets.items[buffer->set].has_csc) return false;
  return buffer->elements == reach && !c_parameter_is_shared(b, buffer);
}

const c_parameter *c_gemm_direct_find(c_body *b, const c_product *p, bool *is_all) {
  const c_parameter *found = NULL;
  int operations = 0;
  IR_FOR_EACH_OP(op, p->block) {
    operations++;
    if (ir_op_kind(op) != IR_OP(intra, store)) continue;
    if (!mlirValueEqual(ir_operand(op, IR_IN(intra, store, value)), p->value)) continue;
    MlirValue at = ir_operand(op, IR_IN(intra, store, cursor));
    const c_buffer *buffer = c_model_buffer(b->phase, ir_operand(op, IR_IN(intra, store, buffer)));
    if (found || !buffer || ir_value_is_null(at) || !mlirValueEqual(at, p->cursor)) continue;
    if (may_be_written(b, buffer, p->reach)) found = c_parameter_buffer(b, buffer->value);
  }
  *is_all = found && operations == 2; /* the store and the terminator are all */
  return found;
}
