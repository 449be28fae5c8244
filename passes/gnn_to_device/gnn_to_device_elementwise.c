/* gnn-to-device: element-wise operations.
 *
 *   %z * 0.5          becomes   {functions = ["mul_constant 0.5"]} of the operation that makes %z
 *   %z + %bias        becomes   the bias of the product or sum that makes %z, else vadd {add} with a constant row
 *   %y + %eps * %z    becomes   scaled_add, where %y is a sum over edges that %z can follow into memory
 *   %s[H] * %z[H, C]  becomes   vadd {mul} of %z and %s @ selection, which repeats each column C times */
#include "passes/gnn_to_device/gnn_to_device.h"

#include "passes/gnn/rules/gnn_rewrite.h"

#include <string.h>

const char *to_device_function_of(MlirOperation op) {
  elementwise_binary function = ir_binary_of(op);
  return function == BINARY_none ? "" : elementwise_binaries[function].name;
}

/* The function g with f(a, b) = g(b, a); NULL where there is none. */
static const char *mirrored(const char *function) {
  static const char *const pairs[][2] = {{"add", "add"}, {"mul", "mul"}, {"max", "max"}, {"min", "min"}, {"eq", "eq"},
                                         {"ne", "ne"},   {"lt", "gt"},   {"gt", "lt"},   {"le", "ge"},   {"ge", "le"}};
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
    if (!strcmp(function, pairs[i][0])) return pairs[i][1];
  return NULL;
}

/* ---- rows with rows ---- */

/* Makes a + b part of the product or sum that makes a or b. */
static MlirValue fuse_sum(to_device *l, MlirValue a, MlirValue b) {
  if (!l->is_fusing || mlirValueEqual(a, b) || to_device_width(a) != to_device_width(b)) return (MlirValue){NULL};
  MlirValue fused = to_device_fuse_addend(l, a, b);
  return ir_value_is_null(fused) ? to_device_fuse_addend(l, b, a) : fused;
}

MlirValue to_device_combine(to_device *l, const char *function, MlirValue a, ir_type a_type, MlirValue b,
                            ir_type b_type, ir_type wanted) {
  MlirValue none = {NULL};
  if (ir_value_is_null(a) || ir_value_is_null(b)) return none;
  int64_t width = ir_type_elements(wanted), left = to_device_width(a), right = to_device_width(b);
  if (!strcmp(function, "add")) {
    MlirValue fused = fuse_sum(l, a, b);
    if (!ir_value_is_null(fused)) return fused;
  }
  if (left == width && right == 1) return to_device_vadd(l, function, a, b, none);
  if (left == 1 && right == width) {
    const char *mirror = mirrored(function);
    if (mirror) return to_device_vadd(l, mirror, b, a, none);
    if (!strcmp(function, "sub")) return to_device_map(l, to_device_vadd(l, "sub", b, a, none), "negate");
  }
  a = to_device_expand(l, a, a_type, wanted);
  b = to_device_expand(l, b, b_type, wanted);
  return to_device_vadd(l, function, a, b, none);
}

/* ---- rows with constants ---- */

/* x f k, or k f x with `is_left`, where a function of the table computes that; else null. */
static MlirValue apply_number(to_device *l, const char *function, MlirValue x, double k, bool is_left) {
  if (!strcmp(function, "add")) return to_device_map_number(l, x, "add_constant", k);
  if (!strcmp(function, "mul")) return to_device_map_number(l, x, "mul_constant", k);
  if (!strcmp(function, "sub")) {
    if (!is_left) return to_device_map_number(l, x, "add_constant", -k);
    return to_device_map_number(l, to_device_map(l, x, "negate"), "add_constant", k);
  }
  if (strcmp(function, "div") != 0) return (MlirValue){NULL};
  if (!is_left) return to_device_map_number(l, x, "mul_constant", 1 / k);
  x = to_device_map(l, x, "reciprocal");
  return k == 1 ? x : to_device_map_number(l, x, "mul_constant", k);
}

/* Rows that all hold `c`: needed where c is the first operand of a function that is not
 * symmetric. */
static MlirValue constant_rows(to_device *l, MlirValue c, ir_type wanted) {
  MlirValue rows = to_device_rows_in(l, c, wanted);
  return ir_value_is_null(rows) ? rows : to_device_expand(l, rows, ir_type_of(c), wanted);
}

static MlirValue with_constant(to_device *l, const char *function, MlirValue x, ir_type x_type, MlirValue c,
                               bool is_left, ir_type wanted) {
  MlirValue none = {NULL};
  double k = 0;
  if (ir_value_is_null(x)) return x;
  x = to_device_expand(l, x, x_type, wanted);
  if (gnn_constant_get(c, &k)) {
    MlirValue applied = apply_number(l, function, x, k, is_left);
    if (!ir_value_is_null(applied) || !l->ok) return applied;
  }
  if (ir_type_elements(ir_type_of(c)) > 1) c = to_device_expand_constant(l, c, wanted);
  if (!strcmp(function, "add") && ir_type_elements(ir_type_of(c)) == to_device_width(x)) {
    MlirValue fused = to_device_fuse_bias(l, x, c);
    if (!ir_value_is_null(fused)) return fused;
  }
  if (!is_left) return to_device_vadd(l, function, x, c, none);
  const char *mirror = mirrored(function);
  if (mirror) return to_device_vadd(l, mirror, x, c, none);
  if (!strcmp(function, "sub")) return to_device_map(l, to_device_vadd(l, "sub", x, c, none), "negate");
  if (!strcmp(function, "div")) return to_device_vadd(l, "mul", to_device_map(l, x, "reciprocal"), c, none);
  return to_device_vadd(l, function, constant_rows(l, c, wanted), x, none);
}

/* The product of a value and one number that the host knows; null for others. */
static MlirOperation scaled(const to_device *l, MlirValue v, MlirValue *factor, MlirValue *x) {
  MlirOperation product = gnn_producer(v, IR_OP(gnn, multiply)), none = {NULL};
  if (mlirOperationIsNull(product) || !ir_value_has_one_use(v) || to_device_is_constant(l, v)) return none;
  MlirValue a = mlirOperationGetOperand(product, 0), b = mlirOperationGetOperand(product, 1);
  bool is_left = to_device_is_plain_constant(l, a);
  *factor = is_left ? a : b;
  *x = is_left ? b : a;
  double k;
  bool fits = to_device_is_plain_constant(l, *factor) && ir_type_elements(ir_type_of(*factor)) == 1 &&
              !gnn_constant_get(*factor, &k);
  return fits && ir_type_of(*x).kind == ir_type_of(v).kind ? product : none;
}

/* Lowers (1 + eps) * h + the sum over neighbours, as GIN has it: the scaled rows are added when the
 * sums are stored. Null for others. */
static MlirValue lower_scaled_sum(to_device *l, MlirOperation op) {
  MlirValue factor = {NULL}, x = {NULL}, sums = {NULL}, none = {NULL};
  for (int i = 0; i < 2 && ir_value_is_null(sums); i++)
    if (!mlirOperationIsNull(scaled(l, mlirOperationGetOperand(op, i), &factor, &x)))
      sums = mlirOperationGetOperand(op, 1 - i);
  if (ir_value_is_null(sums) || mlirOperationIsNull(gnn_producer(sums, IR_OP(gnn, aggregate)))) return none;
  MlirValue y = to_device_rows(l, sums);
  if (ir_value_is_null(y) || !to_device_is_exclusive(l, y)) return none;
  const MlirValue operands[IR_MAX_OPERANDS] = {y, to_device_rows(l, x), factor};
  if (ir_value_is_null(operands[1]) || !ir_type_equal(ir_type_of(y), ir_type_of(operands[1]))) return none;
  return ir_build_value(&l->b, IR_OP(device, scaled_add), operands, NULL);
}

static MlirValue lower_binary(to_device *l, MlirOperation op) {
  if (ir_op_kind(op) == IR_OP(gnn, vector_add)) {
    MlirValue made = lower_scaled_sum(l, op);
    if (!ir_value_is_null(made)) return made;
  }
  MlirValue a = mlirOperationGetOperand(op, 0), b = mlirOperationGetOperand(op, 1);
  ir_type result = ir_type_of(ir_result(op)), a_type = ir_type_of(a), b_type = ir_type_of(b);
  const char *function = to_device_function_of(op);
  if (to_device_is_plain_constant(l, b))
    return with_constant(l, function, to_device_rows_in(l, a, result), a_type, b, false, result);
  if (to_device_is_plain_constant(l, a))
    return with_constant(l, function, to_device_rows_in(l, b, result), b_type, a, true, result);
  MlirValue x = to_device_rows_in(l, a, result), y = to_device_rows_in(l, b, result);
  return to_device_combine(l, function, x, a_type, y, b_type, result);
}

/* ---- select ---- */

static MlirValue full_rows(to_device *l, MlirValue v, ir_type result) {
  return to_device_expand(l, to_device_rows_in(l, v, result), ir_type_of(v), result);
}

static MlirValue lower_select(to_device *l, MlirOperation op) {
  MlirValue condition = ir_operand(op, IR_IN(gnn, select, condition)), a = ir_operand(op, IR_IN(gnn, select, a)),
            b = ir_operand(op, IR_IN(gnn, select, b)), none = {NULL};
  ir_type result = ir_type_of(ir_result(op));
  MlirValue chosen = full_rows(l, condition, result);
  if (to_device_is_plain_constant(l, a) &&
      !to_device_is_plain_constant(l, b)) { /* with negated condition, because rows must be the first operand */
    if (ir_value_is_null(chosen)) return chosen;
    chosen = to_device_vadd(l, "eq", chosen, gnn_build_constant(&l->b, 0), none);
    MlirValue other = a;
    a = b;
    b = other;
  }
  MlirValue x = full_rows(l, a, result), y = b;
  if (!to_device_is_plain_constant(l, b))
    y = full_rows(l, b, result);
  else if (ir_type_elements(ir_type_of(b)) > 1)
    y = to_device_expand_constant(l, b, result);
  return ir_value_is_null(chosen) ? chosen : to_device_vadd(l, "select", x, y, chosen);
}

MlirValue to_device_divisor(to_device *l, MlirValue s) {
  MlirValue none = {NULL};
  if (ir_value_is_null(s)) return s;
  return to_device_vadd(l, "add", s, to_device_vadd(l, "eq", s, gnn_build_constant(&l->b, 0), none), none);
}

bool to_device_elementwise(to_device *l, MlirOperation op) {
  MlirValue made;
  switch (ir_op_kind(op)) {
  case IR_OP(gnn, activation): made = to_device_rows(l, mlirOperationGetOperand(op, 0)); break;
  case IR_OP(gnn, select): made = lower_select(l, op); break;
  default:
    if (!ir_op_is_binary(ir_op_kind(op))) return false;
    made = lower_binary(l, op);
  }
  to_device_bind(l, ir_result(op), to_device_activate(l, op, made));
  return true;
}
