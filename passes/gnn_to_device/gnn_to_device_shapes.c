/* gnn-to-device: operations that rearrange or reduce the columns of a row.
 *
 *   sum over the last of [H, K]     becomes   gemm with a selection, read transposed
 *   max over the last of [H, K]     becomes   vadd {max} of the first and the last half of K, again and again
 *   concat, columns                 become    windows where fibers stay whole, else gemm with a selection */
#include "passes/gnn_to_device/gnn_to_device.h"

#include "passes/gnn/rules/gnn_rewrite.h"

#include <string.h>

/* A payload as a matrix whose columns are its last dimension. */
typedef struct matrix {
  int64_t rows, k;
} matrix;

static matrix matrix_of(ir_type type) {
  int64_t k = type.dims[type.rank - 1];
  return (matrix){ir_type_elements(type) / k, k};
}

static ir_type without_last(ir_type type) {
  type.rank--;
  return type;
}

/* Columns begin .. begin + count - 1 of each row of the matrix. */
static to_device_selection columns_of(matrix m, int64_t begin, int64_t count) {
  if (m.rows == 1)
    return (to_device_selection){.rows = m.k, .begin = begin, .rank = 1, .shape = {count}, .strides = {1}};
  return (to_device_selection){
      .rows = m.rows * m.k, .begin = begin, .rank = 2, .shape = {m.rows, count}, .strides = {m.k, 1}};
}

static MlirValue sum_last(to_device *l, MlirValue x, matrix m) {
  return to_device_place(l, x,
                         (to_device_selection){.rows = m.rows, .rank = 2, .shape = {m.rows, m.k}, .strides = {1, 0}});
}

/* The halves overlap where K is odd; an element may then be compared with itself. */
static MlirValue extreme_last(to_device *l, MlirValue x, matrix m, const char *function) {
  while (m.k > 1 && !ir_value_is_null(x)) {
    int64_t half = (m.k + 1) / 2;
    MlirValue first = to_device_select(l, x, columns_of(m, 0, half));
    MlirValue last = to_device_select(l, x, columns_of(m, m.k - half, half));
    x = to_device_vadd(l, function, first, last, (MlirValue){NULL});
    m.k = half;
  }
  return x;
}

static MlirValue lower_reduce(to_device *l, MlirOperation op) {
  MlirValue v = mlirOperationGetOperand(op, 0), x = to_device_rows(l, v);
  matrix m = matrix_of(ir_type_of(v));
  const char *function = ir_get_string(op, "function", "sum");
  if (!strcmp(function, "max") || !strcmp(function, "min")) return extreme_last(l, x, m, function);
  MlirValue sum = sum_last(l, x, m);
  return strcmp(function, "mean") != 0 ? sum : to_device_map_number(l, sum, "mul_constant", 1 / (double)m.k);
}

/* A function of rows that are also needed without it. */
static MlirValue map_copy(to_device *l, MlirValue x, const char *function) {
  if (ir_value_is_null(x)) return x;
  const ir_attr attributes[] = {{"functions", ir_attr_strings(l->p->context, &function, 1)}, {NULL, {NULL}}};
  return ir_build_value(&l->b, IR_OP(device, map), &x, attributes);
}

static MlirValue lower_softmax(to_device *l, MlirOperation op) {
  MlirValue v = mlirOperationGetOperand(op, 0), x = to_device_rows(l, v);
  ir_type type = ir_type_of(v), reduced = without_last(type);
  matrix m = matrix_of(type);
  MlirValue shifted = to_device_combine(l, "sub", x, type, extreme_last(l, x, m, "max"), reduced, type);
  if (ir_get_bool(op, "log")) {
    MlirValue sum = to_device_map(l, sum_last(l, map_copy(l, shifted, "exp"), m), "log");
    return to_device_combine(l, "sub", shifted, type, sum, reduced, type);
  }
  MlirValue e = to_device_map(l, shifted, "exp");
  return to_device_combine(l, "div", e, type, sum_last(l, e, m), reduced, type);
}

/* Lowers argmax: the least index where x is its maximum, K - max over [x == max] * (K - index). */
static MlirValue lower_argmax(to_device *l, MlirOperation op) {
  MlirValue v = mlirOperationGetOperand(op, 0), x = to_device_rows(l, v), none = {NULL};
  ir_type type = ir_type_of(v);
  matrix m = matrix_of(type);
  MlirValue is_largest = to_device_combine(l, "eq", x, type, extreme_last(l, x, m, "max"), without_last(type), type);
  const ir_attr size[] = {{"size", ir_attr_integer(l->p->context, m.k)}, {NULL, {NULL}}};
  MlirValue index = ir_build_value(&l->b, IR_OP(gnn, iota), NULL, size);
  MlirValue rest = gnn_build_binary(&l->b, IR_OP(gnn, subtract), gnn_build_constant(&l->b, (double)m.k), index);
  if (m.rows > 1)
    rest = to_device_select_constant(
        l, rest, (to_device_selection){.rows = m.k, .rank = 2, .shape = {m.rows, m.k}, .strides = {0, 1}});
  MlirValue candidates = to_device_vadd(l, "mul", is_largest, rest, none);
  MlirValue best = to_device_map(l, extreme_last(l, candidates, m, "max"), "negate");
  return to_device_map_number(l, best, "add_constant", (double)m.k);
}

static MlirValue lower_concat(to_device *l, MlirOperation op) {
  MlirValue a = mlirOperationGetOperand(op, 0), b = mlirOperationGetOperand(op, 1);
  ir_type result = ir_type_of(ir_result(op));
  matrix whole = matrix_of(result);
  int64_t left = matrix_of(ir_type_of(a)).k, right = matrix_of(ir_type_of(b)).k;
  MlirValue x = to_device_rows_in(l, a, result), y = to_device_rows_in(l, b, result);
  if (ir_value_is_null(x) || ir_value_is_null(y)) return (MlirValue){NULL};
  if (whole.rows == 1 && left % l->width == 0) return gnn_build_binary(&l->b, IR_OP(device, concat), x, y);
  x = to_device_place(l, x, columns_of(whole, 0, left));
  y = to_device_place(l, y, columns_of(whole, left, right));
  return to_device_combine(l, "add", x, result, y, result, result);
}

static MlirValue lower_columns(to_device *l, MlirOperation op) {
  MlirValue v = mlirOperationGetOperand(op, 0);
  int64_t begin = ir_get_integer(op, "begin", 0), width = ir_get_integer(op, "width", 0);
  return to_device_select(l, to_device_rows(l, v), columns_of(matrix_of(ir_type_of(v)), begin, width));
}

static MlirValue lower_transpose(to_device *l, MlirOperation op) {
  MlirValue v = mlirOperationGetOperand(op, 0);
  ir_type type = ir_type_of(v);
  int64_t n = type.dims[type.rank - 1], m = type.dims[type.rank - 2], all = ir_type_elements(type);
  return to_device_select(
      l, to_device_rows(l, v),
      (to_device_selection){.rows = all, .rank = 3, .shape = {all / (m * n), n, m}, .strides = {m * n, 1, n}});
}

static MlirValue lower_view(to_device *l, MlirOperation op) {
  MlirValue v = mlirOperationGetOperand(op, 0);
  ir_type result = ir_type_of(ir_result(op));
  to_device_selection s = {.rows = ir_type_elements(ir_type_of(v)), .begin = ir_get_integer(op, "begin", 0), .rank = 1};
  s.shape[0] = 1; /* a single number */
  if (result.rank) s.rank = result.rank;
  for (unsigned i = 0; i < result.rank; i++) {
    s.shape[i] = result.dims[i];
    s.strides[i] = ir_get_integer_at(op, "strides", i);
  }
  return to_device_select(l, to_device_rows(l, v), s);
}

/* One operand of an outer product at all elements of the product; a plain constant stays a
 * constant. */
static MlirValue outer_side(to_device *l, MlirValue v, ir_type result, bool is_left) {
  int64_t size = ir_type_elements(ir_type_of(v));
  to_device_selection s = {
      .rows = size, .rank = 2, .shape = {result.dims[0], result.dims[1]}, .strides = {is_left, !is_left}};
  bool is_plain = to_device_is_plain_constant(l, v);
  return is_plain ? to_device_select_constant(l, v, s) : to_device_select(l, to_device_rows_in(l, v, result), s);
}

static MlirValue outer(to_device *l, MlirValue left, MlirValue right, ir_type result) {
  MlirValue a = outer_side(l, left, result, true), b = outer_side(l, right, result, false);
  if (ir_value_is_null(a) || ir_value_is_null(b)) return (MlirValue){NULL};
  bool swap = ir_type_of(a).kind == IR_KIND_plain;
  return to_device_vadd(l, "mul", swap ? b : a, swap ? a : b, (MlirValue){NULL});
}

MlirValue to_device_outer(to_device *l, MlirValue a, MlirValue b) {
  ir_type result = ir_type_of(a);
  result.dims[result.rank++] = ir_type_of(b).dims[0];
  return outer(l, a, b, result);
}

bool to_device_shape(to_device *l, MlirOperation op) {
  MlirValue made;
  switch (ir_op_kind(op)) {
  case IR_OP(gnn, reduce): made = lower_reduce(l, op); break;
  case IR_OP(gnn, softmax): made = lower_softmax(l, op); break;
  case IR_OP(gnn, argmax): made = lower_argmax(l, op); break;
  case IR_OP(gnn, concat): made = lower_concat(l, op); break;
  case IR_OP(gnn, columns): made = lower_columns(l, op); break;
  case IR_OP(gnn, reshape): made = to_device_rows(l, mlirOperationGetOperand(op, 0)); break;
  case IR_OP(gnn, outer):
    made = outer(l, mlirOperationGetOperand(op, 0), mlirOperationGetOperand(op, 1), ir_type_of(ir_result(op)));
    break;
  case IR_OP(gnn, transpose): made = lower_transpose(l, op); break;
  case IR_OP(gnn, view): made = lower_view(l, op); break;
  default: return false;
  }
  to_device_bind(l, ir_result(op), made);
  return true;
}
