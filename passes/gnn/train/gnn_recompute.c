/* gnn-recompute: computes cheap values of the forward pass again where the backward pass reads them.
 *
 *   %h = relu(%y + %b) ... %dW = contract(%dz, %h), dot(%dy, %y)      =>      %h = relu(%y + %b) ...
 *                                                                             %h2 = relu(%y + %b) {gnn.again}, %dW = contract(%dz, %h2)
 *
 * A value of nodes is computed again where the backward pass keeps what it is made of anyway: then one row per node less lives
 * through the whole step. Values of edges that are made of such values and those at ends of edges are computed again, too.
 * inter-fuse does not merge what is computed again with the loops of the forward pass. */
#include "passes/gnn/rules/gnn_rewrite.h"
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

static bool is_of_rows(MlirValue value) {
  ir_kind kind = ir_type_of(value).kind;
  return kind == IR_KIND_node || kind == IR_KIND_edge;
}

/* Whether an operation costs little beside reading and writing what it makes. */
static bool is_cheap(MlirOperation op) {
  if (mlirOperationIsNull(op) || mlirOperationGetNumResults(op) != 1 || !is_of_rows(ir_result(op))) return false;
  ir_op kind = ir_op_kind(op);
  bool is_node = ir_type_of(ir_result(op)).kind == IR_KIND_node;
  if (kind == IR_OP(gnn, gather)) return true;
  if (kind == IR_OP(gnn, vector_inner))
    return is_node && ir_type_of(mlirOperationGetOperand(op, 1)).kind == IR_KIND_plain;
  bool is_sum = ir_op_is_binary(kind) && kind != IR_OP(gnn, compare);
  return is_sum || kind == IR_OP(gnn, activation) || kind == IR_OP(gnn, reshape);
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
  return !is_of_rows(value) || !is_forward(r, op) || map_get_pointer(&r->at_hand, op.ptr);
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

/* ---- the order of the backward pass ---- */

/* A sum over rows that are read in another shape, too, sums them in that shape: they are stored once. */
static void share_shape(recompute *r, MlirOperation contract) {
  MlirValue y = ir_operand(contract, IR_IN(gnn, contract, b));
  if (!ir_value_is_null(ir_operand(contract, IR_IN(gnn, contract, a))) || ir_get_bool(contract, "batch")) return;
  MlirOperation reshape = {NULL};
  IR_FOR_EACH_USE(use, y)
    if (ir_op_kind(mlirOpOperandGetOwner(use)) == IR_OP(gnn, reshape)) reshape = mlirOpOperandGetOwner(use);
  if (mlirOperationIsNull(reshape)) return;
  ir_type type = ir_type_of(ir_result(contract));
  if (mlirOperationIsBeforeInBlock(contract, reshape)) /* what reads the sum may stand between them */
    mlirOperationMoveBefore(reshape, contract);
  ir_builder b = ir_builder_before(contract);
  const MlirValue operands[IR_MAX_OPERANDS] = {mlirOperationGetOperand(contract, 0), {NULL}, ir_result(reshape)};
  MlirValue sum = gnn_build_like(&b, contract, operands, NULL);
  ir_attr shape[] = {{"shape", ir_attr_integers(b.context, type.dims, type.rank)}, {NULL, {NULL}}};
  mlirValueReplaceAllUsesOfWith(ir_result(contract), ir_build_value(&b, IR_OP(gnn, reshape), &sum, shape));
  mlirOperationDestroy(contract);
  r->p->changed++;
}

/* A row of which a contraction reads another shape is read in that shape by its other readers, too: it is stored once. */
static void share_row(recompute *r, MlirOperation reshape) {
  MlirValue row = mlirOperationGetOperand(reshape, 0), made = ir_result(reshape);
  MlirOperation from = ir_defining_op(row);
  bool is_contracted = false;
  IR_FOR_EACH_USE(use, made) is_contracted |= ir_op_kind(mlirOpOperandGetOwner(use)) == IR_OP(gnn, contract);
  if (!is_contracted || mlirOperationIsNull(from) || is_forward(r, from) || !is_of_rows(row) ||
      ir_value_has_one_use(row))
    return;
  mlirOperationMoveAfter(reshape, from);
  ir_type type = ir_type_of(row);
  ir_builder b = ir_builder_before(mlirOperationGetNextInBlock(reshape));
  ir_attr shape[] = {{"shape", ir_attr_integers(b.context, type.dims, type.rank)}, {NULL, {NULL}}};
  MlirValue back = ir_build_value(&b, IR_OP(gnn, reshape), &made, shape);
  mlirValueReplaceAllUsesOfWith(row, back);
  mlirOperationSetOperand(reshape, 0, row);
  r->p->changed++;
}

/* Moves values of edges of the backward pass to their first use. */
static void sink_edges(MlirOperation op) {
  if (mlirOperationGetNumResults(op) != 1 || ir_type_of(ir_result(op)).kind != IR_KIND_edge) return;
  MlirOperation first = {NULL};
  IR_FOR_EACH_USE(use, ir_result(op)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (mlirOperationIsNull(first) || mlirOperationIsBeforeInBlock(user, first)) first = user;
  }
  if (!mlirOperationIsNull(first)) mlirOperationMoveBefore(op, first);
}

/* The operation before which a copy goes that `op` reads: behind its last operand of the backward pass, so that a copy which a contraction
 * and the product beside it read is made before both. */
static MlirOperation place_for(MlirOperation op) {
  if (ir_op_kind(op) != IR_OP(gnn, contract)) return op;
  MlirOperation last = {NULL};
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
    MlirOperation from = ir_defining_op(mlirOperationGetOperand(op, i));
    if (mlirOperationIsNull(from)) continue;
    if (mlirOperationIsNull(last) || mlirOperationIsBeforeInBlock(last, from)) last = from;
  }
  return mlirOperationIsNull(last) ? op : mlirOperationGetNextInBlock(last);
}

typedef VEC(MlirOperation) op_list;

/* The operations of the backward pass in their order. */
static op_list backward_of(const recompute *r, MlirOperation func) {
  op_list ops = {0};
  MlirOperation end = ir_block_terminator(ir_func_body(func));
  IR_FOR_EACH_OP_BEFORE(op, ir_func_body(func), end)
    if (!is_forward(r, op)) VEC_PUSH(r->p->arena, &ops, op);
  return ops;
}

static void recompute_function(pass_context *p, MlirOperation func) {
  recompute r = {.p = p, .forward.arena = p->arena, .at_hand.arena = p->arena, .again.arena = p->arena};
  train_results results = train_results_of(p, func);
  mark_forward(&r, &results, ir_func_body(func));
  op_list ops = backward_of(&r, func);
  for (size_t i = 0; i < ops.count; i++)
    if (ir_op_kind(ops.items[i]) == IR_OP(gnn, contract)) share_shape(&r, ops.items[i]);
  ops = backward_of(&r, func);
  for (size_t i = 0; i < ops.count; i++)
    if (ir_op_kind(ops.items[i]) == IR_OP(gnn, reshape)) share_row(&r, ops.items[i]);
  ops = backward_of(&r, func);
  for (size_t i = ops.count; i-- > 0;) sink_edges(ops.items[i]);
  for (size_t i = 0; i < ops.count; i++) {
    MlirOperation place = place_for(ops.items[i]);
    if (!mlirOperationEqual(place, ops.items[i])) mlirOperationMoveBefore(ops.items[i], place);
  }
  ops = backward_of(&r, func);
  mark_at_hand(&r, ir_func_body(func));
  for (size_t i = 0; i < ops.count; i++)
    for (intptr_t k = 0; k < mlirOperationGetNumOperands(ops.items[i]); k++) {
      MlirValue value = mlirOperationGetOperand(ops.items[i], k);
      if (is_of_rows(value)) mlirOperationSetOperand(ops.items[i], k, again(&r, value, ops.items[i]));
    }
}

bool pass_run_recompute(MlirOperation root, pass_context *p) {
  if (!train_is_wanted(root)) return true;
  IR_FOR_EACH_FUNC(func, root)
    if (ir_string_is(func, "gnn.phase", "gradients")) recompute_function(p, func);
  return true;
}
