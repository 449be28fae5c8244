/* Adjoint of a softmax over the edges at a node.
 *
 *   a = softmax(l), y[n] = sum over edges into n of a v:      dl = a (d - delta[dst]), delta[n] = sum over edges into n of a d
 *
 * The maximum only guards exp, so that it has no part in the derivative.
 *
 * Where each result that depends on a is a multiple of it, no pass over edges computes delta: a d is
 * the sum of what a has in them, dy y for each y, because y is what a weighs. So delta[n] = dy[n] . y[n]. */
#include "passes/gnn/train/gnn_adjoint_softmax.h"
#include "passes/gnn/train/gnn_adjoint.h"

#include "passes/cost/gnn_cost_work.h"
#include "passes/gnn/rules/gnn_rewrite.h"

#include <string.h>

MlirValue gnn_adjoint_softmax_logits(MlirOperation op) {
  MlirValue none = {NULL}, e = mlirOperationGetOperand(op, 0);
  MlirOperation exp = gnn_producer(e, IR_OP(gnn, activation));
  MlirOperation gather = gnn_producer(mlirOperationGetOperand(op, 1), IR_OP(gnn, gather));
  if (mlirOperationIsNull(exp) || mlirOperationIsNull(gather) || !ir_string_is(exp, "function", "exp")) return none;
  MlirOperation sum = gnn_producer(ir_operand(gather, IR_IN(gnn, gather, value)), IR_OP(gnn, aggregate));
  bool is_dst = ir_string_is(gather, "end", "dst");
  if (mlirOperationIsNull(sum) || !ir_string_is(sum, "reduce", "sum") || gnn_activation_of(sum) ||
      !ir_string_is(sum, "direction", is_dst ? "in" : "out") ||
      !mlirValueEqual(ir_operand(sum, IR_IN(gnn, aggregate, value)), e) ||
      !ir_value_is_null(ir_operand(sum, IR_IN(gnn, aggregate, weight))))
    return none;
  MlirOperation guard = gnn_producer(mlirOperationGetOperand(exp, 0), IR_OP(gnn, subtract));
  if (mlirOperationIsNull(guard) || !gnn_cost_is_guard(guard)) return none;
  return mlirOperationGetOperand(guard, 0);
}

/* ---- delta from the sums that the softmax weighs ---- */

/* The most values whose uses are followed, and sums. */
enum { MAX_FOLLOWED = 64 };

/* The results that are multiples of a softmax. */
typedef struct multiples {
  gnn_adjoint *a;
  MlirOperation sum; /* the sum of the exponentials, over the same edges at the same nodes */
  ir_type type;      /* of the softmax */
  MlirValue y[MAX_FOLLOWED], dy[MAX_FOLLOWED];
  size_t count;
  unsigned budget;
} multiples;

/* Takes a sum y that has as many numbers as the softmax, or a row for each of them. */
static bool take_sum(multiples *m, MlirValue y, MlirValue dy) {
  ir_type type = ir_type_of(y);
  if (type.rank < m->type.rank || type.rank > m->type.rank + 1 || !ir_type_equal(type, ir_type_of(dy))) return false;
  if (m->count == MAX_FOLLOWED) return false;
  m->y[m->count] = y;
  m->dy[m->count++] = dy;
  return true;
}

/* Whether an aggregate sums over the same edges as the softmax. */
static bool is_same_sum(const multiples *m, MlirOperation op) {
  return gnn_is_sum_or_mean(op) && !gnn_activation_of(op) &&
         ir_string_is(op, "direction", ir_get_string(m->sum, "direction", "in")) &&
         mlirValueEqual(mlirOperationGetOperand(op, 0), mlirOperationGetOperand(m->sum, 0));
}

/* Follows the uses of a multiple x of the softmax to the sums over edges. False where a use is no multiple of x. */
static bool follow(multiples *m, MlirValue x) {
  if (m->budget-- == 0) return false;
  IR_FOR_EACH_USE(use, x) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    if (mlirOperationGetNumResults(op) != 1) return false;
    MlirValue y = ir_result(op), dy = {map_get_pointer(&m->a->of, y.ptr)};
    if (!gnn_adjoint_is_active(m->a, y) || ir_value_is_null(dy))
      continue; /* it is an adjoint, or the loss does not read it */
    bool is_followed = false;
    switch (ir_op_kind(op)) {
    case IR_OP(gnn, aggregate): is_followed = is_same_sum(m, op) && take_sum(m, y, dy); break;
    case IR_OP(gnn, divide): is_followed = mlirOpOperandGetOperandNumber(use) == 0 && follow(m, y); break;
    case IR_OP(gnn, multiply):
    case IR_OP(gnn, dropout): is_followed = follow(m, y); break;
    default: break;
    }
    if (!is_followed) return false;
  }
  return true;
}

/* delta from the results that a weighs; null where another result depends on a. */
static MlirValue delta_of_results(gnn_adjoint_op *o, MlirOperation sum) {
  multiples m = {.a = o->a, .sum = sum, .type = ir_type_of(o->result), .budget = MAX_FOLLOWED};
  MlirValue delta = {NULL};
  if (!follow(&m, o->result)) return delta;
  for (size_t i = 0; i < m.count; i++) {
    ir_op kind = ir_type_of(m.y[i]).rank == m.type.rank ? IR_OP(gnn, multiply) : IR_OP(gnn, vector_inner);
    MlirValue inner = gnn_adjoint_binary(o->a, kind, m.dy[i], m.y[i]);
    delta = i ? gnn_adjoint_binary(o->a, IR_OP(gnn, vector_add), delta, inner) : inner;
  }
  return delta;
}

void gnn_adjoint_add_softmax(gnn_adjoint_op *o, MlirValue logits) {
  gnn_adjoint *a = o->a;
  MlirOperation gather = ir_defining_op(o->operands[1]);
  MlirOperation sum = ir_defining_op(ir_operand(gather, IR_IN(gnn, gather, value)));
  MlirValue graph = ir_operand(sum, IR_IN(gnn, aggregate, graph)), delta = delta_of_results(o, sum);
  if (ir_value_is_null(delta)) {
    MlirValue weighted = gnn_adjoint_binary(a, IR_OP(gnn, multiply), o->result, o->d);
    delta = gnn_adjoint_sum_at(a, graph, weighted, (MlirValue){NULL}, ir_get_string(sum, "direction", "in"));
  }
  MlirValue mean = gnn_build_gather(&a->b, graph, delta, ir_get_string(gather, "end", "dst"));
  MlirValue rest = gnn_adjoint_binary(a, IR_OP(gnn, subtract), o->d, mean);
  gnn_adjoint_add(a, logits, gnn_adjoint_binary(a, IR_OP(gnn, multiply), o->result, rest));
}
