/* gnn-recompute: computes cheap values of the forward pass again where the backward pass reads them.
 *
 *   %h = relu(%y + %b) ... %dW = contract(%dz, %h), dot(%dy, %y)      =>      %h = relu(%y + %b) ...
 *                                                                             %h2 = relu(%y + %b) {gnn.again}, %dW = contract(%dz, %h2)
 *
 * A value of nodes is computed again where the backward pass keeps what it is made of anyway: then one row per node less lives
 * through the whole step. Values of edges that are made of such values and those at ends of edges are computed again, too.
 * inter-fuse does not merge what is computed again with the loops of the forward pass. */
#include "passes/gnn/rules/gnn_rewrite.h"
#include "passes/gnn/train/gnn_recompute_order.h"
#include "passes/gnn/train/gnn_train_function.h"

#include "support/map.h"
#include "support/vec.h"

#include <string.h>

typedef struct recompute {
  pass_context *p;
  map forward; /* the operations on which the loss depends */
  map at_hand; /* those whose results the backward pass has or may compute again, as marked before anything is copied */
  map again;   /* from a value to its copy */
} recompute;

static bool is_forward(const recompute *r, MlirOperation op) {
  return !mlirOperationIsNull(op) && map_get_pointer(&r->forward, op.ptr);
}

/* Whether an operation costs little beside reading and writing what it makes. */
static bool is_cheap(MlirOperation op) {
  if (mlirOperationIsNull(op) || mlirOperationGetNumResults(op) != 1 || !gnn_recompute_is_of_rows(ir_result(op)))
    return false;
  ir_op kind = ir_op_kind(op);
  bool is_node = ir_type_of(ir_result(op)).kind == IR_KIND_node;
  if (kind == IR_OP(gnn, gather)) return true;
  if (kind == IR_OP(gnn, vector_inner))
    return is_node && ir_type_of(mlirOperationGetOperand(op, 1)).kind == IR_KIND_plain;
  bool is_binary = ir_op_is_binary(kind) && kind != IR_OP(gnn, compare);
  return is_binary || kind == IR_OP(gnn, activation) || kind == IR_OP(gnn, reshape);
}

/* Whether the backward pass reads a value. */
static bool is_read_later(const recompute *r, MlirValue value) {
  IR_FOR_EACH_USE(use, value) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    if (mlirOperationGetNumResults(op) && !is_forward(r, op)) return true;
  }
  return false;
}

/* Whether an operation only gives another shape to a row that is not cheap, which the backward pass reads in this shape alone. */
static bool is_kept_shape(const recompute *r, MlirOperation op) {
  if (ir_op_kind(op) != IR_OP(gnn, reshape) || !is_read_later(r, ir_result(op))) return false;
  MlirValue row = mlirOperationGetOperand(op, 0);
  return !is_cheap(ir_defining_op(row)) && !is_read_later(r, row);
}

/* Whether the backward pass has a value without computing it again, or may compute it again from such values. */
static bool is_at_hand(const recompute *r, MlirValue value) {
  MlirOperation op = ir_defining_op(value);
  return !gnn_recompute_is_of_rows(value) || !is_forward(r, op) || map_get_pointer(&r->at_hand, op.ptr);
}

static bool may_compute_again(const recompute *r, MlirOperation op) {
  if (!is_cheap(op)) return is_read_later(r, ir_result(op));
  if (is_kept_shape(r, op)) return true;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++)
    if (!is_at_hand(r, mlirOperationGetOperand(op, i))) return false;
  return true;
}

/* Marks the operations on which the losses depend: from the last to the first. */
static void mark_forward(recompute *r, const train_results *results, MlirBlock body) {
  VEC(MlirOperation) ops = {0};
  for (size_t i = 0; i < results->count; i++) {
    MlirOperation op = ir_defining_op(results->items[i].value);
    bool is_loss = !mlirAttributeIsNull(train_attribute(results->items[i].attributes, "gnn.loss"));
    if (is_loss && !mlirOperationIsNull(op)) map_set_pointer(&r->forward, op.ptr, op.ptr);
  }
  IR_FOR_EACH_OP(op, body) VEC_PUSH(r->p->arena, &ops, op);
  for (size_t k = ops.count; k-- > 0;) {
    MlirOperation op = ops.items[k];
    if (!is_forward(r, op)) continue;
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
      MlirOperation from = ir_defining_op(mlirOperationGetOperand(op, i));
      if (!mlirOperationIsNull(from)) map_set_pointer(&r->forward, from.ptr, from.ptr);
    }
  }
}

/* Marks what is at hand: from the first operation to the last, so that each is looked at once. */
static void mark_at_hand(recompute *r, MlirBlock body) {
  IR_FOR_EACH_OP(op, body)
    if (is_forward(r, op) && mlirOperationGetNumResults(op) == 1 && may_compute_again(r, op))
      map_set_pointer(&r->at_hand, op.ptr, op.ptr);
}

/* The copy of a value for the backward pass, before `where`; the value itself where it is kept. */
static MlirValue again(recompute *r, MlirValue value, MlirOperation where) {
  MlirOperation op = ir_defining_op(value);
  MlirValue known = {map_get_pointer(&r->again, value.ptr)};
  if (!ir_value_is_null(known)) return known;
  if (!is_forward(r, op) || !is_cheap(op) || is_kept_shape(r, op) || !is_at_hand(r, value)) return value;
  MlirOperation copy = mlirOperationClone(op);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(copy); i++)
    mlirOperationSetOperand(copy, i, again(r, mlirOperationGetOperand(op, i), where));
  mlirBlockInsertOwnedOperationBefore(mlirOperationGetBlock(where), where, copy);
  ir_set_attr(copy, "gnn.again", ir_attr_bool(r->p->context, true));
  map_set_pointer(&r->again, value.ptr, ir_result(copy).ptr);
  r->p->changed++;
  return ir_result(copy);
}

static void recompute_function(pass_context *p, MlirOperation func) {
  recompute r = {.p = p, .forward.arena = p->arena, .at_hand.arena = p->arena, .again.arena = p->arena};
  train_results results = train_results_of(p, func);
  mark_forward(&r, &results, ir_func_body(func));
  gnn_recompute_order(p, func, &r.forward);
  gnn_recompute_ops ops = gnn_recompute_backward(p, func, &r.forward);
  mark_at_hand(&r, ir_func_body(func));
  for (size_t i = 0; i < ops.count; i++)
    for (intptr_t k = 0; k < mlirOperationGetNumOperands(ops.items[i]); k++) {
      MlirValue value = mlirOperationGetOperand(ops.items[i], k);
      if (gnn_recompute_is_of_rows(value)) mlirOperationSetOperand(ops.items[i], k, again(&r, value, ops.items[i]));
    }
}

bool pass_run_recompute(MlirOperation root, pass_context *p) {
  if (!train_is_wanted(root)) return true;
  IR_FOR_EACH_FUNC(func, root)
    if (ir_string_is(func, "gnn.phase", "gradients")) recompute_function(p, func);
  return true;
}
