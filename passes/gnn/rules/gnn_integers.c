/* Follows integers back to the inputs that hold them: see the header.
 *
 *   %q: node i32[9]   %1 = gather(%g, %q){src}   %2 = view(%1){begin = 3}     element 0 of %2 is element 3 of %q */
#include "passes/gnn/rules/gnn_integers.h"

static int64_t element_of_columns(MlirOperation op, int64_t element) {
  ir_type to = ir_type_of(ir_result(op)), from = ir_type_of(mlirOperationGetOperand(op, 0));
  int64_t width = to.dims[to.rank - 1];
  return element / width * from.dims[from.rank - 1] + ir_get_integer(op, "begin", 0) + element % width;
}

static int64_t element_of_transpose(MlirOperation op, int64_t element) {
  ir_type to = ir_type_of(ir_result(op));
  int64_t rows = to.dims[to.rank - 2], columns = to.dims[to.rank - 1], matrix = element / (rows * columns);
  int64_t row = element / columns % rows, column = element % columns;
  return matrix * rows * columns + column * rows + row;
}

static int64_t element_of_view(MlirOperation op, int64_t element) {
  ir_type to = ir_type_of(ir_result(op));
  int64_t at = ir_get_integer(op, "begin", 0);
  for (unsigned i = to.rank; i-- > 0; element /= to.dims[i])
    at += element % to.dims[i] * ir_get_integer_at(op, "strides", i);
  return at;
}

MlirValue gnn_moved_between_rows(MlirOperation op) {
  switch (ir_op_kind(op)) {
  case IR_OP(gnn, gather): return ir_operand(op, IR_IN(gnn, gather, value));
  case IR_OP(gnn, slice): return ir_operand(op, IR_IN(gnn, slice, value));
  case IR_OP(gnn, part): return ir_operand(op, IR_IN(gnn, part, value));
  default: return (MlirValue){NULL};
  }
}

MlirValue gnn_moved_within_row(MlirOperation op) {
  switch (ir_op_kind(op)) {
  case IR_OP(gnn, reshape):
  case IR_OP(gnn, columns):
  case IR_OP(gnn, transpose):
  case IR_OP(gnn, view): return mlirOperationGetOperand(op, 0);
  default: return (MlirValue){NULL};
  }
}

gnn_origin gnn_find_origin(MlirValue value, int64_t element) {
  while (!mlirValueIsABlockArgument(value)) {
    MlirOperation op = ir_defining_op(value);
    MlirValue within = gnn_moved_within_row(op), from = gnn_moved_between_rows(op);
    if (ir_op_kind(op) == IR_OP(gnn, columns)) element = element_of_columns(op, element);
    if (ir_op_kind(op) == IR_OP(gnn, transpose)) element = element_of_transpose(op, element);
    if (ir_op_kind(op) == IR_OP(gnn, view)) element = element_of_view(op, element);
    value = ir_value_is_null(within) ? from : within;
    if (ir_value_is_null(value)) return (gnn_origin){.element = -1};
  }
  return (gnn_origin){value, element};
}
