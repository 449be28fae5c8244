/* gnn-fold-batch-norm: folds a batch norm into the weights of a linear layer (BatchNorm Fusion,
 * GraphAGILE, Section VI-D).
 *
 *   batch_norm(linear(%x, %w, %b), mean, variance, gamma, beta)  =>  linear(%x, %w * s, (%b - mean) * s + beta)
 *   linear(batch_norm(%x, ...), %w, %b)                          =>  linear(%x, s * %w, %b + t @ %w)
 *   batch_norm(%x, ...)                                          =>  %x * s + t
 *
 * with s = gamma / sqrt(variance + epsilon) and t = beta - mean * s. There may be a bias between
 * the layer and its batch norm, and aggregates, because a scaled column stays scaled under sums and
 * means. The new weights are operations on plain tensors, so they are computed once, when weights
 * are bound. */
#include "passes/gnn/rules/gnn_rewrite.h"

static const MlirValue none = {NULL};

typedef struct coefficients {
  MlirValue scale; /* s */
  MlirValue shift; /* t */
} coefficients;

/* What a batch norm normalises, where it can be folded into a layer before it. */
typedef struct target {
  MlirValue sum;  /* an aggregate over a linear layer, or the layer itself */
  MlirValue bias; /* added to the sum before the batch norm; null: none */
} target;

static MlirValue add(const ir_builder *b, MlirValue x, MlirValue y) {
  return gnn_build_binary(b, IR_OP(gnn, vector_add), x, y);
}
static MlirValue multiply(const ir_builder *b, MlirValue x, MlirValue y) {
  return gnn_build_binary(b, IR_OP(gnn, multiply), x, y);
}

static coefficients build_coefficients(const ir_builder *b, MlirOperation norm) {
  MlirValue epsilon = gnn_build_constant(b, ir_get_float(norm, "epsilon", 0));
  MlirValue variance = ir_operand(norm, IR_IN(gnn, batch_norm, variance));
  MlirValue scale = gnn_build_activation(b, add(b, variance, epsilon), "rsqrt");
  coefficients c = {.scale = multiply(b, ir_operand(norm, IR_IN(gnn, batch_norm, gamma)), scale)};
  MlirValue moved = multiply(b, ir_operand(norm, IR_IN(gnn, batch_norm, mean)), c.scale);
  c.shift = gnn_build_binary(b, IR_OP(gnn, subtract), ir_operand(norm, IR_IN(gnn, batch_norm, beta)), moved);
  return c;
}

static bool is_vector(MlirValue value) {
  ir_type type = ir_type_of(value);
  return type.rank == 1 && (type.kind == IR_KIND_node || type.kind == IR_KIND_edge || type.kind == IR_KIND_plain);
}

/* Whether a linear layer has one matrix for all rows. */
static bool has_plain_weights(MlirOperation linear) {
  ir_type w = ir_type_of(ir_operand(linear, IR_IN(gnn, linear, w)));
  return w.kind == IR_KIND_plain && w.rank == 2 && is_vector(ir_operand(linear, IR_IN(gnn, linear, x)));
}

/* ---- into the layer before --------------------------------------------------------------------------------------- */

/* Whether the columns of `value` can be scaled by scaling weights that nothing else uses. */
static bool can_scale(MlirValue value) {
  for (;;) {
    if (!ir_value_has_one_use(value) || !is_vector(value)) return false;
    MlirOperation aggregate = gnn_producer(value, IR_OP(gnn, aggregate));
    if (mlirOperationIsNull(aggregate)) break;
    if (gnn_activation_of(aggregate) || !gnn_is_sum_or_mean(aggregate)) return false;
    value = ir_operand(aggregate, IR_IN(gnn, aggregate, value));
  }
  MlirOperation linear = gnn_producer(value, IR_OP(gnn, linear));
  return !mlirOperationIsNull(linear) && has_plain_weights(linear) && !gnn_activation_of(linear) &&
         ir_value_is_null(ir_operand(linear, IR_IN(gnn, linear, addend)));
}

static bool is_bias(MlirValue value) {
  return ir_type_of(value).kind == IR_KIND_plain && ir_type_of(value).rank == 1;
}

static bool find_target(MlirOperation norm, target *t) {
  *t = (target){ir_operand(norm, IR_IN(gnn, batch_norm, x)), none};
  MlirOperation sum = gnn_producer(t->sum, IR_OP(gnn, vector_add));
  if (!mlirOperationIsNull(sum) && ir_value_has_one_use(t->sum) && !gnn_activation_of(sum)) {
    MlirValue a = ir_operand(sum, 0), b = ir_operand(sum, 1);
    if (is_bias(b))
      *t = (target){a, b};
    else if (is_bias(a))
      *t = (target){b, a};
  }
  return can_scale(t->sum);
}

/* Builds `linear` with the columns of its weights, and its bias, scaled; adds `shift` to the bias
 * unless it is null. */
static MlirValue scale_linear(const ir_builder *b, MlirOperation linear, MlirValue scale, MlirValue shift) {
  MlirValue operands[IR_MAX_OPERANDS];
  ir_operands(linear, operands);
  MlirValue *w = &operands[IR_IN(gnn, linear, w)], *bias = &operands[IR_IN(gnn, linear, bias)];
  if (!ir_get_bool(linear, "transposed")) *w = gnn_build_unary(b, IR_OP(gnn, transpose), *w);
  *w = multiply(b, *w, scale); /* rows of the stored [N, K] are columns of the matrix */
  if (!ir_value_is_null(*bias)) *bias = multiply(b, *bias, scale);
  if (!ir_value_is_null(shift)) *bias = ir_value_is_null(*bias) ? shift : add(b, *bias, shift);
  ir_attr changes[] = {{"transposed", ir_attr_bool(b->context, true)}, {NULL, {NULL}}};
  return gnn_build_like(b, linear, operands, changes);
}

static MlirValue scale_sum(const ir_builder *b, MlirValue value, MlirValue scale, MlirValue shift) {
  MlirOperation op = ir_defining_op(value);
  ir_builder here = *b;
  here.location = mlirOperationGetLocation(op);
  if (ir_op_kind(op) == IR_OP(gnn, linear)) return scale_linear(&here, op, scale, shift);
  MlirValue operands[IR_MAX_OPERANDS];
  ir_operands(op, operands);
  MlirValue *inner = &operands[IR_IN(gnn, aggregate, value)];
  *inner = scale_sum(b, *inner, scale, none);
  MlirValue sum = ir_value_is_null(*inner) ? none : gnn_build_like(&here, op, operands, NULL);
  return ir_value_is_null(shift) || ir_value_is_null(sum) ? sum : add(b, sum, shift);
}

static MlirValue fold_up(MlirOperation norm, const target *t) {
  ir_builder b = ir_builder_before(norm);
  coefficients c = build_coefficients(&b, norm);
  if (!ir_value_is_null(t->bias)) c.shift = add(&b, multiply(&b, t->bias, c.scale), c.shift);
  return scale_sum(&b, t->sum, c.scale, c.shift);
}

/* ---- into the layer after, or on its own ------------------------------------------------------------------------- */

/* The batch norm that `linear` can take in: it has no other use and cannot be folded into a layer
 * before it. */
static MlirOperation norm_before(MlirOperation linear) {
  MlirValue x = ir_operand(linear, IR_IN(gnn, linear, x));
  MlirOperation norm = gnn_producer(x, IR_OP(gnn, batch_norm));
  if (mlirOperationIsNull(norm) || !ir_value_has_one_use(x) || !has_plain_weights(linear)) return (MlirOperation){NULL};
  return norm;
}

static MlirValue fold_down(MlirOperation linear, MlirOperation norm) {
  ir_builder b = ir_builder_before(linear);
  coefficients c = build_coefficients(&b, norm);
  MlirValue operands[IR_MAX_OPERANDS];
  ir_operands(linear, operands);
  MlirValue *w = &operands[IR_IN(gnn, linear, w)], *bias = &operands[IR_IN(gnn, linear, bias)];
  if (ir_get_bool(linear, "transposed")) *w = gnn_build_unary(&b, IR_OP(gnn, transpose), *w);
  MlirValue product[IR_MAX_OPERANDS] = {c.shift, *w};
  MlirValue constant = ir_build_value(&b, IR_OP(gnn, linear), product, NULL);
  *bias = ir_value_is_null(*bias) ? constant : add(&b, *bias, constant);
  *w = multiply(&b, *w, c.scale);
  operands[IR_IN(gnn, linear, x)] = ir_operand(norm, IR_IN(gnn, batch_norm, x));
  ir_attr changes[] = {{"transposed", {NULL}}, {NULL, {NULL}}};
  return gnn_build_like(&b, linear, operands, changes);
}

static bool is_taken_by_next(MlirOperation norm) {
  MlirOpOperand use = mlirValueGetFirstUse(ir_result(norm));
  if (mlirOpOperandIsNull(use)) return false;
  MlirOperation user = mlirOpOperandGetOwner(use);
  return ir_op_kind(user) == IR_OP(gnn, linear) && mlirOperationEqual(norm_before(user), norm);
}

static MlirValue expand(MlirOperation norm) {
  ir_builder b = ir_builder_before(norm);
  coefficients c = build_coefficients(&b, norm);
  return add(&b, multiply(&b, ir_operand(norm, IR_IN(gnn, batch_norm, x)), c.scale), c.shift);
}

static void rewrite_op(pass_context *p, MlirOperation op) {
  MlirValue value = none;
  target t;
  if (ir_op_kind(op) == IR_OP(gnn, batch_norm)) {
    if (!is_vector(ir_result(op))) return; /* only here do coefficients align with leading dimensions */
    if (find_target(op, &t))
      value = fold_up(op, &t);
    else if (!is_taken_by_next(op))
      value = expand(op);
  } else if (ir_op_kind(op) == IR_OP(gnn, linear) && !mlirOperationIsNull(norm_before(op))) {
    value = fold_down(op, norm_before(op));
  }
  if (!ir_value_is_null(value)) gnn_replace(p, op, value);
}

bool pass_run_fold_batch_norm(MlirOperation root, pass_context *p) {
  IR_FOR_EACH_FUNC(func, root) {
    IR_FOR_EACH_OP_SAFE(op, ir_func_body(func)) {
      rewrite_op(p, op);
    }
  }
  return true;
}
