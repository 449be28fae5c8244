/* Adjoints of element-wise operations and of those along the last dimension. */
#include "passes/gnn/train/gnn_adjoint.h"
#include "passes/gnn/train/gnn_adjoint_softmax.h"

#include "passes/gnn/rules/gnn_rewrite.h"

#include <ctype.h>
#include <string.h>

#define OPERAND(op, name) o->operands[IR_IN(gnn, op, name)]

static MlirValue multiply(const gnn_adjoint *a, MlirValue x, MlirValue y) {
  return gnn_adjoint_binary(a, IR_OP(gnn, multiply), x, y);
}

static MlirValue divide(const gnn_adjoint *a, MlirValue x, MlirValue y) {
  return gnn_adjoint_binary(a, IR_OP(gnn, divide), x, y);
}

void gnn_adjoint_of_vector_add(gnn_adjoint_op *o) {
  gnn_adjoint_add(o->a, o->operands[0], o->d);
  gnn_adjoint_add(o->a, o->operands[1], o->d);
}

void gnn_adjoint_of_subtract(gnn_adjoint_op *o) {
  gnn_adjoint_add(o->a, o->operands[0], o->d);
  if (gnn_adjoint_is_active(o->a, o->operands[1]))
    gnn_adjoint_add(o->a, o->operands[1], gnn_adjoint_unary(o->a, o->d, "negate"));
}

void gnn_adjoint_of_multiply(gnn_adjoint_op *o) {
  gnn_adjoint_add_product(o->a, o->operands[0], o->d, o->operands[1]);
  gnn_adjoint_add_product(o->a, o->operands[1], o->d, o->operands[0]);
}

void gnn_adjoint_of_divide(gnn_adjoint_op *o) {
  MlirValue logits = gnn_adjoint_softmax_logits(o->op);
  if (!ir_value_is_null(logits)) {
    gnn_adjoint_add_softmax(o, logits);
    return;
  }
  MlirValue q = divide(o->a, o->d, o->operands[1]);
  gnn_adjoint_add(o->a, o->operands[0], q);
  if (gnn_adjoint_is_active(o->a, o->operands[1]))
    gnn_adjoint_add_product(o->a, o->operands[1], gnn_adjoint_unary(o->a, q, "negate"), o->result);
}

/* Of maximum and minimum: the whole of d where an operand is larger (smaller), half where both are
 * equal. */
void gnn_adjoint_of_larger(gnn_adjoint_op *o) {
  bool is_max = ir_op_kind(o->op) == IR_OP(gnn, maximum);
  MlirValue zero = gnn_adjoint_constant(o->a, 0);
  MlirValue half = multiply(o->a, o->d, gnn_adjoint_constant(o->a, 0.5));
  MlirValue is_equal = gnn_adjoint_compare(o->a, o->operands[0], o->operands[1], "eq");
  for (int i = 0; i < 2; i++) {
    if (!gnn_adjoint_is_active(o->a, o->operands[i])) continue;
    const char *wins = is_max == (i == 0) ? "gt" : "lt";
    MlirValue won = gnn_adjoint_compare(o->a, o->operands[0], o->operands[1], wins);
    MlirValue d = gnn_adjoint_select(o->a, is_equal, half, gnn_adjoint_select(o->a, won, o->d, zero));
    gnn_adjoint_add(o->a, o->operands[i], d);
  }
}

/* a ^ b: b a^(b - 1), 0 where b is 0; and y log a, 0 where a is 0 and y has no pole. */
static void add_power(gnn_adjoint_op *o) {
  gnn_adjoint *a = o->a;
  MlirValue x = o->operands[0], e = o->operands[1], zero = gnn_adjoint_constant(a, 0);
  if (gnn_adjoint_is_active(a, x)) {
    MlirValue less = gnn_adjoint_binary(a, IR_OP(gnn, subtract), e, gnn_adjoint_constant(a, 1));
    const MlirValue operands[IR_MAX_OPERANDS] = {x, less};
    MlirValue slope = multiply(a, e, gnn_build_like(&a->b, o->op, operands, NULL));
    slope = gnn_adjoint_select(a, gnn_adjoint_compare(a, e, zero, "eq"), zero, slope);
    gnn_adjoint_add_product(a, x, o->d, slope);
  }
  if (!gnn_adjoint_is_active(a, e)) return;
  MlirValue is_zero = multiply(a, gnn_adjoint_compare(a, x, zero, "eq"), gnn_adjoint_compare(a, e, zero, "ge"));
  MlirValue slope = multiply(a, o->result, gnn_adjoint_unary(a, x, "log"));
  gnn_adjoint_add_product(a, e, o->d, gnn_adjoint_select(a, is_zero, zero, slope));
}

/* The angle of the point (x, y): its derivatives are x / r^2 and -y / r^2, 0 at the origin. */
static void add_angle(gnn_adjoint_op *o) {
  gnn_adjoint *a = o->a;
  MlirValue y = o->operands[0], x = o->operands[1];
  MlirValue square = gnn_adjoint_binary(a, IR_OP(gnn, vector_add), multiply(a, y, y), multiply(a, x, x));
  MlirValue q = divide(a, o->d, gnn_adjoint_divisor(a, square));
  gnn_adjoint_add_product(a, y, q, x);
  gnn_adjoint_add_product(a, x, gnn_adjoint_unary(a, q, "negate"), y);
}

void gnn_adjoint_of_binary(gnn_adjoint_op *o) {
  switch (ir_binary_of(o->op)) {
  case BINARY_pow: add_power(o); return;
  case BINARY_atan2: add_angle(o); return;
  default: gnn_adjoint_refuse(o->a, o->op, "this function of two numbers cannot be differentiated");
  }
}

void gnn_adjoint_of_select(gnn_adjoint_op *o) {
  MlirValue zero = gnn_adjoint_constant(o->a, 0), condition = OPERAND(select, condition);
  MlirValue a = OPERAND(select, a), b = OPERAND(select, b);
  if (gnn_adjoint_is_active(o->a, a)) gnn_adjoint_add(o->a, a, gnn_adjoint_select(o->a, condition, o->d, zero));
  if (gnn_adjoint_is_active(o->a, b)) gnn_adjoint_add(o->a, b, gnn_adjoint_select(o->a, condition, zero, o->d));
}

/* Whether a formula has the word `name`, of one letter. */
static bool has_word(const char *formula, char name) {
  for (const char *at = formula; *at; at++) {
    bool begins = at == formula || !(isalnum((unsigned char)at[-1]) || at[-1] == '_');
    if (begins && *at == name && !(isalnum((unsigned char)at[1]) || at[1] == '_')) return true;
  }
  return false;
}

void gnn_adjoint_of_activation(gnn_adjoint_op *o) {
  elementwise_unary function = ir_unary_of(o->op);
  if (function == UNARY_none) return;
  const char *derivative = elementwise_unaries[function].derivative;
  MlirValue none = {NULL}, x = o->operands[0];
  if (!strcmp(derivative, "0")) return;
  if (function == UNARY_negate || function == UNARY_add_constant || function == UNARY_mul_constant) {
    MlirValue same = function == UNARY_add_constant ? o->d : gnn_build_like(&o->a->b, o->op, &o->d, NULL);
    gnn_adjoint_add(o->a, x, same);
    return;
  }
  /* where alpha > 0, elu has the sign of its operand, which need not be kept for it */
  bool is_sign_kept = function == UNARY_elu && ir_get_float(o->op, "alpha", 1) > 0;
  MlirValue read = is_sign_kept ? o->result : x;
  const MlirValue operands[IR_MAX_OPERANDS] = {o->d, has_word(derivative, 'x') ? read : none,
                                               has_word(derivative, 'y') ? o->result : none};
  ir_attr attributes[IR_UNARY_ATTRIBUTES];
  ir_unary_attributes(o->op, "function", attributes);
  gnn_adjoint_add(o->a, x, ir_build_value(&o->a->b, IR_OP(gnn, derivative), operands, attributes));
}

/* The same site chooses the same elements. */
void gnn_adjoint_of_dropout(gnn_adjoint_op *o) {
  gnn_adjoint_add(o->a, o->operands[0], gnn_build_like(&o->a->b, o->op, &o->d, NULL));
}

/* ---- along the last dimension ---- */

void gnn_adjoint_of_reduce(gnn_adjoint_op *o) {
  MlirValue x = o->operands[0];
  ir_type type = ir_type_of(x);
  int64_t width = type.dims[type.rank - 1];
  const char *function = ir_get_string(o->op, "function", "sum");
  if (!strcmp(function, "sum")) {
    gnn_adjoint_add(o->a, x, gnn_adjoint_spread(o->a, o->d, width));
  } else if (!strcmp(function, "mean")) {
    MlirValue share = divide(o->a, o->d, gnn_adjoint_constant(o->a, (double)width));
    gnn_adjoint_add(o->a, x, gnn_adjoint_spread(o->a, share, width));
  } else {
    MlirValue won = gnn_adjoint_compare(o->a, x, o->result, "eq");
    MlirValue share = divide(o->a, o->d, gnn_adjoint_reduce(o->a, won, "sum"));
    gnn_adjoint_add(o->a, x, multiply(o->a, won, share));
  }
}

void gnn_adjoint_of_softmax(gnn_adjoint_op *o) {
  MlirValue y = o->result, d = o->d;
  if (ir_get_bool(o->op, "log")) {
    MlirValue sum = gnn_adjoint_reduce(o->a, d, "sum");
    MlirValue rest = multiply(o->a, gnn_adjoint_unary(o->a, y, "exp"), sum);
    gnn_adjoint_add(o->a, o->operands[0], gnn_adjoint_binary(o->a, IR_OP(gnn, subtract), d, rest));
    return;
  }
  MlirValue mean = gnn_adjoint_binary(o->a, IR_OP(gnn, vector_inner), y, d);
  gnn_adjoint_add(o->a, o->operands[0], multiply(o->a, y, gnn_adjoint_binary(o->a, IR_OP(gnn, subtract), d, mean)));
}

/* y = x / s with s the sum of the row; rows whose sum is 0 stay as they are. */
void gnn_adjoint_of_row_normalize(gnn_adjoint_op *o) {
  MlirValue sum = gnn_adjoint_reduce(o->a, o->operands[0], "sum"), zero = gnn_adjoint_constant(o->a, 0);
  MlirValue mean = gnn_adjoint_binary(o->a, IR_OP(gnn, vector_inner), o->d, o->result);
  mean = gnn_adjoint_select(o->a, gnn_adjoint_compare(o->a, sum, zero, "eq"), zero, mean);
  MlirValue rest = gnn_adjoint_binary(o->a, IR_OP(gnn, subtract), o->d, mean);
  gnn_adjoint_add(o->a, o->operands[0], divide(o->a, rest, gnn_adjoint_divisor(o->a, sum)));
}

/* Adds a value [..., K], per row, to a coefficient [K] of all rows. */
static void add_to_coefficient(gnn_adjoint_op *o, MlirValue coefficient, MlirValue d) {
  if (!gnn_adjoint_is_active(o->a, coefficient)) return;
  ir_type type = ir_type_of(d);
  if (type.rank > 1) {
    int64_t last = type.dims[type.rank - 1];
    const int64_t rows[] = {ir_type_elements(type) / last, last};
    d = gnn_adjoint_reduce(o->a, gnn_adjoint_transpose(o->a, gnn_adjoint_reshape(o->a, d, 2, rows)), "sum");
  }
  gnn_adjoint_add(o->a, coefficient, d);
}

/* y = gamma c r + beta with c = x - mean and r = 1 / sqrt(variance + epsilon). The statistics are
 * operands like others: in training they depend on x. */
void gnn_adjoint_of_batch_norm(gnn_adjoint_op *o) {
  gnn_adjoint *a = o->a;
  ir_type type = ir_type_of(o->result);
  MlirValue gamma = OPERAND(batch_norm, gamma), x = OPERAND(batch_norm, x);
  MlirValue epsilon = gnn_adjoint_constant(a, ir_get_float(o->op, "epsilon", 0));
  MlirValue r = gnn_adjoint_binary(a, IR_OP(gnn, vector_add), OPERAND(batch_norm, variance), epsilon);
  r = gnn_adjoint_unary(a, r, "rsqrt");
  MlirValue scale = gnn_adjoint_along_last(a, multiply(a, gamma, r), type);
  MlirValue dx = multiply(a, o->d, scale), mean = gnn_adjoint_along_last(a, OPERAND(batch_norm, mean), type);
  MlirValue centred = gnn_adjoint_binary(a, IR_OP(gnn, subtract), x, mean);
  MlirValue dgamma = multiply(a, multiply(a, o->d, centred), gnn_adjoint_along_last(a, r, type));
  gnn_adjoint_add(a, x, dx);
  add_to_coefficient(o, gamma, dgamma);
  add_to_coefficient(o, OPERAND(batch_norm, beta), o->d);
  add_to_coefficient(o, OPERAND(batch_norm, mean), gnn_adjoint_unary(a, dx, "negate"));
  MlirValue slope = multiply(a, multiply(a, gamma, multiply(a, r, r)), gnn_adjoint_constant(a, -0.5));
  add_to_coefficient(o, OPERAND(batch_norm, variance), multiply(a, dgamma, gnn_adjoint_along_last(a, slope, type)));
}
