/* gnn-to-inter: lowers an operation to operations on payloads.
 *
 *   gnn.linear(x, w, b) {activation = "relu"}   becomes   %p = gnn.linear(x, w); %q = gnn.vector_add(%p, b); %r = gnn.activation(%q) {relu}
 *
 * A fused operation becomes several simple ones, so that in later levels each operation has one
 * meaning and the work around a product is an ordinary region. */
#include "passes/gnn_to_inter/gnn_to_inter.h"

#include "passes/gnn/rules/gnn_rewrite.h"

static MlirValue build_reshape(const ir_builder *b, MlirValue x, unsigned rank, const int64_t *dims) {
  ir_attr attributes[] = {{"shape", ir_attr_integers(b->context, dims, rank)}, {NULL, {NULL}}};
  return ir_build_value(b, IR_OP(gnn, reshape), &x, attributes);
}

/* Applies a binary operation with a coefficient of the last dimension. Binary operations align
 * leading dimensions, so a payload with more dimensions is transposed: [H, N] op [N] =
 * transpose(transpose([H, N]) op [N]). */
static MlirValue along_last(const ir_builder *b, ir_op op, MlirValue x, MlirValue coefficient) {
  ir_type type = ir_type_of(x), other = ir_type_of(coefficient);
  if (type.rank <= 1 || other.rank != 1) return gnn_build_binary(b, op, x, coefficient);
  int64_t last = type.dims[type.rank - 1], rows = 1;
  for (unsigned i = 0; i + 1 < type.rank; i++) rows *= type.dims[i];
  const int64_t flat[] = {rows, last};
  MlirValue v = build_reshape(b, x, 2, flat);
  v = gnn_build_unary(b, IR_OP(gnn, transpose), v);
  v = gnn_build_binary(b, op, v, coefficient);
  v = gnn_build_unary(b, IR_OP(gnn, transpose), v);
  return build_reshape(b, v, type.rank, type.dims);
}

MlirValue to_inter_linear_tail(const ir_builder *b, MlirOperation op, MlirValue product, MlirValue bias,
                               MlirValue addend) {
  if (mlirValueIsNull(product)) return product;
  if (!mlirValueIsNull(bias)) product = along_last(b, IR_OP(gnn, vector_add), product, bias);
  if (!mlirValueIsNull(addend)) product = gnn_build_binary(b, IR_OP(gnn, vector_add), product, addend);
  return gnn_build_activation_of(b, op, product);
}

static MlirValue expand_linear(const ir_builder *b, MlirOperation op, const MlirValue *operands) {
  MlirValue product_operands[IR_MAX_OPERANDS] = {operands[IR_IN(gnn, linear, x)], operands[IR_IN(gnn, linear, w)]};
  ir_attr attributes[] = {{"transposed", ir_attr_bool(b->context, ir_get_bool(op, "transposed"))}, {NULL, {NULL}}};
  MlirValue product = ir_build_value(b, IR_OP(gnn, linear), product_operands, attributes);
  return to_inter_linear_tail(b, op, product, operands[IR_IN(gnn, linear, bias)], operands[IR_IN(gnn, linear, addend)]);
}

/* (x - mean) / sqrt(variance + epsilon) * gamma + beta, in this order of rounding. */
static MlirValue expand_batch_norm(const ir_builder *b, MlirOperation op, const MlirValue *operands) {
  MlirValue epsilon = gnn_build_constant(b, ir_get_float(op, "epsilon", 0));
  MlirValue scale = gnn_build_binary(b, IR_OP(gnn, vector_add), operands[IR_IN(gnn, batch_norm, variance)], epsilon);
  scale = gnn_build_activation(b, scale, "sqrt");
  MlirValue x =
      along_last(b, IR_OP(gnn, subtract), operands[IR_IN(gnn, batch_norm, x)], operands[IR_IN(gnn, batch_norm, mean)]);
  x = along_last(b, IR_OP(gnn, divide), x, scale);
  x = along_last(b, IR_OP(gnn, multiply), x, operands[IR_IN(gnn, batch_norm, gamma)]);
  return along_last(b, IR_OP(gnn, vector_add), x, operands[IR_IN(gnn, batch_norm, beta)]);
}

MlirValue to_inter_divisor(const ir_builder *b, MlirValue s) {
  ir_attr equal[] = {{"predicate", ir_attr_string(b->context, "eq")}, {NULL, {NULL}}};
  const MlirValue compared[IR_MAX_OPERANDS] = {s, gnn_build_constant(b, 0)};
  MlirValue empty = ir_build_value(b, IR_OP(gnn, compare), compared, equal);
  MlirValue one = gnn_build_constant(b, 1);
  const MlirValue selected[IR_MAX_OPERANDS] = {empty, one, s};
  return ir_build_value(b, IR_OP(gnn, select), selected, NULL);
}

static MlirValue expand_row_normalize(const ir_builder *b, MlirValue x) {
  ir_attr attributes[] = {{"function", ir_attr_string(b->context, "sum")}, {NULL, {NULL}}};
  MlirValue sum = ir_build_value(b, IR_OP(gnn, reduce), &x, attributes);
  if (mlirValueIsNull(sum)) return sum;
  return gnn_build_binary(b, IR_OP(gnn, divide), x, to_inter_divisor(b, sum));
}

MlirValue to_inter_expand(const ir_builder *b, MlirOperation op, const MlirValue *operands) {
  ir_attr no_activation[IR_UNARY_ATTRIBUTES];
  ir_unary_attributes((MlirOperation){NULL}, "activation", no_activation);
  switch (ir_op_kind(op)) {
  case IR_OP(gnn, linear): return expand_linear(b, op, operands);
  case IR_OP(gnn, batch_norm): return expand_batch_norm(b, op, operands);
  case IR_OP(gnn, row_normalize): return expand_row_normalize(b, operands[0]);
  case IR_OP(gnn, vector_inner):
  case IR_OP(gnn, vector_add): return gnn_build_activation_of(b, op, gnn_build_like(b, op, operands, no_activation));
  default: return gnn_build_like(b, op, operands, NULL);
  }
}
