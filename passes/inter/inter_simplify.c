/* Removes unused results and operations, known ends and invariants of a loop.
 *
 *   for_incoming(g, n) ^(e): at(x, dst(e)) ...     becomes    %a = at(x, n); for_incoming(g, n) ^(e): %a ...
 *
 * The results of a loop are opaque to MLIR, so its own passes do none of this. */
#include "passes/inter/inter_simplify.h"

#include "passes/inter/inter_loops.h"
#include "support/vec.h"

#include <string.h>

/* ---- results ---- */

/* The number of values that a loop yields before its results: the logit of a softmax is no
 * result. */
static size_t yields_before(MlirOperation loop) {
  return ir_op_kind(loop) == IR_OP(inter, softmax_incoming);
}

/* Keeps the yields and reductions of used results; inter.result operations get the new
 * positions. */
static void keep_results(pass_context *p, MlirOperation loop, const bool *used, size_t count) {
  MlirOperation yield = ir_block_terminator(ir_region_block(loop));
  size_t first = yields_before(loop), k = 0;
  MlirValue *kept = arena_alloc_array(p->arena, count + first, sizeof *kept);
  const char **reductions = arena_alloc_array(p->arena, count, sizeof *reductions);
  int64_t *position = arena_alloc_array(p->arena, count, sizeof *position);
  bool reduces = inter_is_inner_loop(loop) && !first;
  if (first) kept[0] = mlirOperationGetOperand(yield, 0);
  for (size_t i = 0; i < count; i++) {
    position[i] = (int64_t)k;
    if (!used[i]) continue;
    if (reduces) reductions[k] = ir_get_string_at(loop, "reduce", i);
    kept[first + k++] = mlirOperationGetOperand(yield, (intptr_t)(first + i));
  }
  ir_builder b = ir_builder_before(yield);
  ir_build_yield(&b, kept, first + k);
  mlirOperationDestroy(yield);
  if (reduces) ir_set_attr(loop, "reduce", ir_attr_strings(p->context, reductions, k));
  IR_FOR_EACH_USE(use, ir_result(loop)) {
    MlirOperation result = mlirOpOperandGetOwner(use);
    int64_t index = position[ir_get_integer(result, "index", 0)];
    ir_set_attr(result, "index", ir_attr_integer(p->context, index));
  }
}

/* Finds which results of a loop are used; inter.result operations without uses are erased. */
static size_t live_results(pass_context *p, MlirOperation loop, bool *used) {
  inter_ops results = inter_results_of(p, loop);
  size_t live = 0;
  for (size_t i = 0; i < results.count; i++) {
    bool *is_used = &used[ir_get_integer(results.items[i], "index", 0)];
    if (!ir_value_has_uses(ir_result(results.items[i]))) {
      mlirOperationDestroy(results.items[i]);
    } else if (!*is_used) {
      *is_used = true;
      live++;
    }
  }
  return live;
}

bool inter_prune_results(pass_context *p, MlirOperation loop) {
  size_t yields = (size_t)mlirOperationGetNumOperands(ir_block_terminator(ir_region_block(loop)));
  size_t count = yields - yields_before(loop);
  bool *used = arena_alloc_array(p->arena, count + 1, sizeof *used);
  size_t live = live_results(p, loop, used);
  if (live == count && count > 0) return false;
  p->changed++;
  if (live == 0) {
    mlirOperationDestroy(loop);
    return true;
  }
  keep_results(p, loop, used, count);
  return false;
}

static bool is_dead(MlirOperation op) {
  if (mlirOperationGetNumResults(op) != 1 || ir_value_has_uses(ir_result(op))) return false;
  return ir_op_is_removable(op);
}

void inter_erase_dead(pass_context *p, MlirBlock body) {
  VEC(MlirOperation) ops = {0};
  IR_FOR_EACH_OP(op, body) VEC_PUSH(p->arena, &ops, op);
  /* Results come after their loop, so a loop is visited when its unused results are erased. */
  for (size_t i = ops.count; i-- > 0;) {
    MlirOperation op = ops.items[i];
    if (ir_op_kind(op) == IR_OP(inter, result)) continue;
    if (inter_is_inner_loop(op)) {
      if (!inter_prune_results(p, op)) inter_erase_dead(p, ir_region_block(op));
    } else if (is_dead(op)) {
      mlirOperationDestroy(op);
      p->changed++;
    }
  }
}

/* ---- known ends ---- */

/* Whether an operation inside a loop over edges leads from its cursor back to the node or pair of
 * the loop. */
static bool leads_back(MlirOperation loop, MlirOperation step) {
  switch (ir_op_kind(loop)) {
  case IR_OP(inter, softmax_incoming):
  case IR_OP(inter, for_incoming): return ir_op_kind(step) == IR_OP(inter, dst);
  case IR_OP(inter, for_outgoing): return ir_op_kind(step) == IR_OP(inter, src);
  case IR_OP(inter, fold):
    return (ir_string_is(loop, "over", "in") && ir_op_kind(step) == IR_OP(inter, dst)) ||
           (ir_string_is(loop, "over", "out") && ir_op_kind(step) == IR_OP(inter, src));
  case IR_OP(inter, for_members): {
    const char *end = ir_unique_end(ir_type_of(ir_operand(loop, IR_IN(inter, for_members, of))).set);
    return end && ir_op_kind(step) == IR_OP(inter, group) && ir_string_is(step, "end", end);
  }
  default: return false;
  }
}

static void fold_end(MlirOperation op, void *user) {
  pass_context *p = user;
  if (!inter_is_inner_loop(op)) return;
  MlirOpOperand use = mlirValueGetFirstUse(inter_cursor_of(op)), next;
  for (; !mlirOpOperandIsNull(use); use = next) {
    next = mlirOpOperandGetNextUse(use);
    MlirOperation step = mlirOpOperandGetOwner(use);
    if (!leads_back(op, step) || !ir_value_has_uses(ir_result(step))) continue;
    mlirValueReplaceAllUsesOfWith(ir_result(step), mlirOperationGetOperand(op, 1));
    p->changed++;
  }
}

void inter_fold_ends(pass_context *p, MlirBlock body) {
  inter_walk(body, fold_end, p);
}

/* ---- invariants ---- */

static bool uses_block(MlirOperation op, MlirBlock block) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++)
    if (mlirBlockEqual(inter_value_block(mlirOperationGetOperand(op, i)), block)) return true;
  return false;
}

static void hoist_from(MlirOperation loop, void *user) {
  pass_context *p = user;
  if (!inter_is_inner_loop(loop)) return;
  MlirBlock body = ir_region_block(loop);
  IR_FOR_EACH_OP_SAFE(op, body) {
    if (!ir_op_is_pure(op) || !mlirBlockIsNull(ir_region_block(op)) || uses_block(op, body)) continue;
    mlirOperationMoveBefore(op, loop);
    p->changed++;
  }
}

void inter_hoist(pass_context *p, MlirBlock body) {
  inter_walk(body, hoist_from, p);
}
