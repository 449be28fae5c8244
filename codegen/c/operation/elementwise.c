/* Element-wise operations, and operations that move elements. Each is written into the loop of its
 * only user, or computed at its own place.
 *
 *   %v = gnn.vector_add(%y, %b)            for (int64_t j = 0; j < 16; j++)
 *   %h = gnn.activation(%v) relu      =>     h[j] = real_relu(y[j] + b[j]);        %v is used once, %h several times */
#include "codegen/c/operation/elementwise.h"

#include "codegen/c/body/place.h"
#include "codegen/c/body/scalar.h"

#include <string.h>

/* Whether the only user reads each element once, so that the expression may be written there. */
static bool is_pulled(MlirValue value, MlirOperation op) {
  if (!c_body_has_near_user(value, op)) return false;
  MlirOperation user = mlirOpOperandGetOwner(mlirValueGetFirstUse(value));
  ir_op kind = ir_op_kind(user);
  unsigned rank = ir_type_of(value).rank;
  /* The cost of an operand of lower rank is smaller in a loop of its own than between two loops. */
  if (rank && c_scalar_is_elementwise(kind) && ir_type_of(ir_result(user)).rank > rank) return false;
  if (kind == IR_OP(gnn, vector_inner)) {
    unsigned ranks[2] = {ir_type_of(ir_operand(user, 0)).rank, ir_type_of(ir_operand(user, 1)).rank};
    return rank == (ranks[0] > ranks[1] ? ranks[0] : ranks[1]);
  }
  return c_scalar_is_elementwise(kind) || kind == IR_OP(intra, store) || kind == IR_OP(gnn, concat) ||
         kind == IR_OP(gnn, reduce) || kind == IR_OP(gnn, argmax) || !strcmp(ir_op_name(user), "smt.yield");
}

static void emit_scalar(c_body *b, MlirOperation op, const char *factor) {
  MlirValue value = ir_result(op);
  const char *operands[IR_MAX_OPERANDS];
  for (intptr_t i = 0; i < c_scalar_count_operands(op); i++)
    operands[i] = c_body_find(b, mlirOperationGetOperand(op, i))->text;
  if (factor) operands[1] = factor;
  const char *expression = c_scalar_expression(b, op, operands);
  if (!is_pulled(value, op)) {
    c_target target = {.base = c_body_name(b, value, "t")};
    c_target_assign(b, (c_target){.base = arena_printf(b->model->arena, "const real %s", target.base)}, NULL,
                    expression);
    expression = target.base;
  }
  c_body_define(b, value, C_FORM_scalar, expression);
}

/* Leaves the operation to its user, or writes its computation now. */
static void emit_pending(c_body *b, MlirOperation op, bool may_wait, const char *factors) {
  MlirValue value = ir_result(op);
  c_body_define(b, value, C_FORM_pending, factors);
  if (!may_wait || !is_pulled(value, op)) c_place_in_memory(b, value);
}

void c_elementwise_emit_with(c_body *b, MlirOperation op, const char *factors) {
  if (ir_type_of(ir_result(op)).rank)
    emit_pending(b, op, true, factors);
  else
    emit_scalar(b, op, factors);
}

void c_elementwise_emit(c_body *b, MlirOperation op) {
  c_elementwise_emit_with(b, op, NULL);
}

void c_elementwise_emit_constant(c_body *b, MlirOperation op) {
  c_body_define(b, ir_result(op), C_FORM_scalar, c_scalar_literal(b, ir_get_float(op, "value", 0)));
}

void c_elementwise_emit_moved(c_body *b, MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) c_place_in_memory(b, mlirOperationGetOperand(op, i));
  emit_pending(b, op, true, NULL);
}

void c_elementwise_emit_view(c_body *b, MlirOperation op) {
  MlirValue value = ir_result(op), x = ir_operand(op, IR_IN(gnn, view, x));
  if (ir_type_of(x).rank) c_place_in_memory(b, x);
  if (ir_type_of(value).rank) {
    emit_pending(b, op, true, NULL);
    return;
  }
  const c_value *from = c_body_find(b, x);
  const char *element = from->text;
  if (from->form != C_FORM_scalar)
    element =
        c_body_element_at(b, from, arena_printf(b->model->arena, "%lld", (long long)ir_get_integer(op, "begin", 0)));
  c_body_define(b, value, C_FORM_scalar, element);
}

void c_elementwise_emit_reshape(c_body *b, MlirOperation op) {
  MlirValue value = ir_result(op), x = ir_operand(op, IR_IN(gnn, reshape, x));
  c_value *from = c_body_find(b, x);
  if (from->form == C_FORM_scalar) {
    c_body_define(b, value, C_FORM_scalar, from->text);
    return;
  }
  if (from->form != C_FORM_memory) c_place_in_memory(b, x);
  from = c_body_find(b, x);
  if (!ir_type_of(value).rank) {
    c_body_define(b, value, C_FORM_scalar, c_body_element_at(b, from, "0"));
    return;
  }
  c_value *made = c_body_define(b, value, C_FORM_memory, from->text);
  made->home = from->home;
  made->is_float = from->is_float;
  made->is_bf16 = from->is_bf16;
}

void c_elementwise_emit_concat(c_body *b, MlirOperation op) {
  MlirValue value = ir_result(op);
  MlirOperation user = {NULL};
  if (ir_value_has_one_use(value)) user = mlirOpOperandGetOwner(mlirValueGetFirstUse(value));
  bool may_wait = !mlirOperationIsNull(user) && !c_scalar_is_elementwise(ir_op_kind(user)) &&
                  ir_op_kind(user) != IR_OP(gnn, vector_inner) && ir_op_kind(user) != IR_OP(gnn, reduce) &&
                  ir_op_kind(user) != IR_OP(gnn, argmax);
  emit_pending(b, op, may_wait, NULL);
}
