/* inter-canonicalize: the canonical form of loops (Pigeon, Section 3.4.2): one used result per
 * loop, no copies.
 *
 *   results and operations nobody uses                      go
 *   for n: yield at(x, n)                                   is x
 *   once: yield 1 + eps  (a number)                         moves into the loops that read it
 *   dst(e) inside a loop over the incoming edges of n       is n
 *
 * Loops that were made from single operations are small; after this pass each computes one thing
 * that is used, as inter-fuse expects. */
#include "passes/inter/inter_loops.h"
#include "passes/inter/inter_simplify.h"

#include "passes/gnn/rules/gnn_rewrite.h"
#include "support/vec.h"

enum { MAX_INLINED_OPS = 8, MAX_INLINED_USERS = 4 };

/* ---- loops that repeat a value ---- */

/* The value that result `index` of an outer loop copies element by element; null if the loop
 * computes something. */
static MlirValue repeated(MlirOperation loop, unsigned index, MlirType type) {
  MlirValue yielded = inter_yielded(loop, index);
  if (ir_op_kind(loop) == IR_OP(inter, once)) {
    bool outside = !mlirBlockEqual(inter_value_block(yielded), ir_region_block(loop));
    return outside ? yielded : (MlirValue){NULL};
  }
  MlirOperation at = ir_defining_op(yielded);
  if (mlirOperationIsNull(at) || ir_op_kind(at) != IR_OP(inter, at)) return (MlirValue){NULL};
  MlirValue value = ir_operand(at, IR_IN(inter, at, value));
  bool own = mlirValueEqual(ir_operand(at, IR_IN(inter, at, cursor)), inter_cursor_of(loop));
  return own && mlirTypeEqual(mlirValueGetType(value), type) ? value : (MlirValue){NULL};
}

static void forward_results(pass_context *p, MlirOperation loop) {
  IR_FOR_EACH_USE(use, ir_result(loop)) {
    MlirOperation result = mlirOpOperandGetOwner(use);
    if (!ir_value_has_uses(ir_result(result))) continue;
    unsigned index = (unsigned)ir_get_integer(result, "index", 0);
    MlirValue value = repeated(loop, index, mlirValueGetType(ir_result(result)));
    if (mlirValueIsNull(value)) continue;
    mlirValueReplaceAllUsesOfWith(ir_result(result), value);
    p->changed++;
  }
}

/* ---- numbers computed once ---- */

typedef struct number_users {
  MlirOperation loops[MAX_INLINED_USERS];
  size_t count;
  bool fits;
} number_users;

/* Finds the loops that capture the result; `fits` is false when something else uses it. */
static number_users find_users(MlirValue number, MlirBlock body) {
  number_users users = {.fits = true};
  IR_FOR_EACH_USE(use, number) {
    if (!users.fits) break;
    MlirOperation owner = mlirOpOperandGetOwner(use), loop = inter_ancestor_in(owner, body);
    if (mlirOperationEqual(owner, loop) || !inter_is_outer_loop(loop)) users.fits = false;
    size_t k = 0;
    while (k < users.count && !mlirOperationEqual(users.loops[k], loop)) k++;
    if (k == MAX_INLINED_USERS)
      users.fits = false;
    else if (k == users.count)
      users.loops[users.count++] = loop;
  }
  return users;
}

static bool is_small_number(MlirOperation loop) {
  MlirBlock block = ir_region_block(loop);
  MlirOperation yield = ir_block_terminator(block);
  if (mlirOperationGetNumOperands(yield) != 1 || ir_type_of(mlirOperationGetOperand(yield, 0)).rank != 0) return false;
  size_t count = 0;
  IR_FOR_EACH_OP_BEFORE(op, block, yield) {
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++)
      if (ir_type_elements(ir_type_of(mlirOperationGetOperand(op, i))) != 1) return false;
    if (++count > MAX_INLINED_OPS) return false;
  }
  return true;
}

/* Copies the body of a loop `once` to the beginning of another loop's body; returns the copy of the
 * value that it yields. */
static MlirValue copy_into(pass_context *p, MlirOperation once, MlirOperation loop) {
  MlirOperation start = mlirBlockGetFirstOperation(ir_region_block(loop));
  MlirOperation yield = ir_block_terminator(ir_region_block(once));
  VEC(MlirOperation) from = {0};
  VEC(MlirOperation) to = {0};
  IR_FOR_EACH_OP_BEFORE(op, ir_region_block(once), yield) {
    MlirOperation copy = mlirOperationClone(op);
    mlirBlockInsertOwnedOperationBefore(ir_region_block(loop), start, copy);
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(copy); i++)
      for (size_t k = 0; k < from.count; k++)
        if (mlirValueEqual(mlirOperationGetOperand(copy, i), ir_result(from.items[k])))
          mlirOperationSetOperand(copy, i, ir_result(to.items[k]));
    VEC_PUSH(p->arena, &from, op);
    VEC_PUSH(p->arena, &to, copy);
  }
  MlirValue yielded = mlirOperationGetOperand(yield, 0);
  for (size_t k = 0; k < from.count; k++)
    if (mlirValueEqual(yielded, ir_result(from.items[k]))) return ir_result(to.items[k]);
  return yielded;
}

static void inline_number(pass_context *p, MlirOperation once) {
  if (!ir_value_has_one_use(ir_result(once)) || !is_small_number(once)) return;
  MlirValue number = ir_result(mlirOpOperandGetOwner(mlirValueGetFirstUse(ir_result(once))));
  number_users users = find_users(number, mlirOperationGetBlock(once));
  if (!users.fits) return;
  for (size_t k = 0; k < users.count; k++) {
    MlirValue copy = copy_into(p, once, users.loops[k]);
    VEC(MlirOpOperand) reads = {0};
    IR_FOR_EACH_USE(use, number)
      if (mlirOperationEqual(inter_ancestor_in(mlirOpOperandGetOwner(use), mlirOperationGetBlock(once)),
                             users.loops[k]))
        VEC_PUSH(p->arena, &reads, use);
    for (size_t i = 0; i < reads.count; i++)
      mlirOperationSetOperand(mlirOpOperandGetOwner(reads.items[i]), mlirOpOperandGetOperandNumber(reads.items[i]),
                              copy);
    p->changed++;
  }
}

/* ---- the pass ---- */

static void canonicalize_function(MlirOperation func, pass_context *p) {
  MlirBlock body = ir_func_body(func);
  VEC(MlirOperation) loops = {0};
  IR_FOR_EACH_OP(op, body)
    if (inter_is_outer_loop(op)) VEC_PUSH(p->arena, &loops, op);
  for (size_t i = 0; i < loops.count; i++) {
    inter_fold_ends(p, ir_region_block(loops.items[i]));
    forward_results(p, loops.items[i]);
    if (ir_op_kind(loops.items[i]) == IR_OP(inter, once)) inline_number(p, loops.items[i]);
  }
  for (size_t i = loops.count; i-- > 0;)
    if (!inter_prune_results(p, loops.items[i])) inter_erase_dead(p, ir_region_block(loops.items[i]));
}

bool pass_run_inter_canonicalize(MlirOperation root, pass_context *p) {
  IR_FOR_EACH_FUNC(func, root) canonicalize_function(func, p);
  return true;
}
