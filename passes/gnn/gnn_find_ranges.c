/* gnn-find-ranges: finds the values that integer inputs may have.
 *
 *   func @m(%z: !gnn.node<"g", i32>)            =>   func @m(%z: !gnn.node<"g", i32> {gnn.range = array<i64: 0, 118>})
 *   %h = gnn.lookup(%E, %z)      E: [119, 64]
 *
 * Every lookup whose index comes from an element of an input bounds that element: from 0 to N - 1,
 * except where a bound of the lookup itself keeps the index inside. The range has two numbers per
 * element, the smallest and the largest. Programs check inputs before they run; therefore kernels
 * need no checks. Integers only move between inputs and lookups, so the elements are known. */
#include "passes/gnn/rules/gnn_integers.h"
#include "passes/gnn/rules/gnn_rewrite.h"
#include "passes/inter/inter_loops.h"

#include <inttypes.h>

/* The range of an argument so far: any i32 at first. */
static int64_t *read_range(pass_context *p, MlirOperation func, MlirValue argument, int64_t elements) {
  int64_t *range = arena_alloc_array(p->arena, (size_t)(2 * elements), sizeof *range);
  MlirAttribute before = ir_func_arg_attr(func, (size_t)mlirBlockArgumentGetArgNumber(argument), "gnn.range");
  bool is_known = !mlirAttributeIsNull(before) && mlirDenseArrayGetNumElements(before) == 2 * elements;
  for (int64_t i = 0; i < 2 * elements; i++)
    range[i] = is_known ? mlirDenseI64ArrayGetElement(before, (intptr_t)i) : i % 2 ? INT32_MAX : INT32_MIN;
  return range;
}

/* Bounds the element that is the index of a lookup, or of a sum of the rows with each index. */
static bool bound_element(pass_context *p, MlirOperation func, MlirOperation lookup) {
  bool is_sum = ir_op_kind(lookup) == IR_OP(gnn, sum_by);
  MlirValue index = ir_operand(lookup, is_sum ? IR_IN(gnn, sum_by, index) : IR_IN(gnn, lookup, index));
  if (!ir_type_of(index).is_integer) return true; /* the verifier has checked its bounds */
  gnn_origin from = gnn_find_origin(index, 0);
  if (from.element < 0) return inter_refuse(p, lookup, "the index comes from no input");
  int64_t rows = ir_type_of(is_sum ? ir_result(lookup) : ir_operand(lookup, IR_IN(gnn, lookup, table))).dims[0];
  int64_t elements = ir_type_elements(ir_type_of(from.argument));
  int64_t *range = read_range(p, func, from.argument, elements), *low = &range[2 * from.element], *high = low + 1;
  if (ir_get_integer(lookup, "low", -1) < 0 && *low < 0) *low = 0;
  if (ir_get_integer(lookup, "high", INT64_MAX) >= rows && *high >= rows) *high = rows - 1;
  ir_func_set_arg_attr(func, (size_t)mlirBlockArgumentGetArgNumber(from.argument), "gnn.range",
                       ir_attr_integers(p->context, range, (size_t)(2 * elements)));
  p->changed++;
  return true;
}

/* Checks that no result of a function is an integer: they are inputs alone. */
static bool check_results(pass_context *p, MlirOperation func) {
  MlirOperation end = ir_block_terminator(ir_func_body(func));
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(end); i++)
    if (ir_type_of(mlirOperationGetOperand(end, i)).is_integer)
      return inter_refuse(p, end, "result %td is i32, but results are f32", i);
  return true;
}

bool pass_run_find_ranges(MlirOperation root, pass_context *p) {
  bool ok = true;
  IR_FOR_EACH_FUNC(func, root) {
    ok = check_results(p, func) && ok;
    IR_FOR_EACH_OP(op, ir_func_body(func))
      if (ir_op_kind(op) == IR_OP(gnn, lookup) || ir_op_kind(op) == IR_OP(gnn, sum_by))
        ok = bound_element(p, func, op) && ok;
  }
  return ok;
}
