/* Which functions of gathered values may be computed per node before a function is differentiated.
 *
 *   divide(gather(%e), gather(%sum))      stays, while      multiply(gather(%x), 2)      becomes      gather(multiply(%x, 2))
 *
 * A node without edges has a quotient, too, once it is computed per node: 1 / 0 where the sum is one over its edges. No
 * edge reads it, but its derivative is infinite, and 0 times infinity is no number. Therefore functions that may be
 * infinite stay at the edges until the adjoints are there; the sweep after that computes them per node. */
#include "passes/gnn/rules/gnn_rewrite.h"
#include "passes/gnn/rules/gnn_rules.h"

#include <string.h>

/* How many operations are looked through for an infinite factor. */
enum { MOST_STEPS = 8 };

/* Whether an operation may give an infinite number, or have an infinite derivative, for finite ones that are not rare:
 * those of nodes without edges, where sums and maxima are 0. */
static bool has_pole(MlirOperation op) {
  static const char *const functions[] = {"log", "log1p", "sqrt", "rsqrt", "reciprocal"};
  ir_op kind = ir_op_kind(op);
  if (kind == IR_OP(gnn, divide) || kind == IR_OP(gnn, binary)) return true;
  if (kind != IR_OP(gnn, activation)) return false;
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
    if (ir_string_is(op, "function", functions[i])) return true;
  /* exp(x - largest of the edges) is at most 1 at edges alone */
  return ir_string_is(op, "function", "exp") &&
         !mlirOperationIsNull(gnn_producer(mlirOperationGetOperand(op, 0), IR_OP(gnn, subtract)));
}

/* Whether a value per node is made by such operations. */
static bool is_infinite(MlirValue value, int depth) {
  MlirOperation op = ir_defining_op(value);
  if (mlirOperationIsNull(op) || !ir_op_is_row_wise(ir_op_kind(op))) return false;
  if (has_pole(op)) return true;
  for (intptr_t i = 0; depth > 0 && i < mlirOperationGetNumOperands(op); i++)
    if (is_infinite(mlirOperationGetOperand(op, i), depth - 1)) return true;
  return false;
}

static bool is_differentiated_later(MlirOperation op) {
  MlirOperation func = mlirOperationGetParentOperation(op), module = mlirOperationGetParentOperation(func);
  if (mlirOperationIsNull(module) || mlirAttributeIsNull(ir_get_attr(module, "gnn.training"))) return false;
  if (!mlirAttributeIsNull(ir_get_attr(func, "gnn.phase"))) return false;
  size_t results = (size_t)mlirOperationGetNumOperands(ir_block_terminator(ir_func_body(func)));
  for (size_t i = 0; i < results; i++)
    if (!mlirAttributeIsNull(ir_func_result_attr(func, i, "gnn.gradient")) ||
        !mlirAttributeIsNull(ir_func_result_attr(func, i, "gnn.input_gradient")))
      return false;
  return true;
}

bool gnn_has_pole(MlirOperation op, const MlirValue *operands) {
  if (!is_differentiated_later(op)) return false;
  if (has_pole(op)) return true;
  for (int i = 0; i < IR_MAX_OPERANDS; i++)
    if (!ir_value_is_null(operands[i]) && is_infinite(operands[i], MOST_STEPS)) return true;
  return false;
}
