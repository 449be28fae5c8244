/* inter-fuse, first half: edge values are computed where they are read.
 *
 *   %a = for_edges: yield f(e)                                   becomes     %s = for_nodes: for_incoming: yield g(f(e))
 *   %s = for_nodes: for_incoming: yield g(at(%a, e))
 *
 * Loops are taken from the last to the first, so that a chain of edge values ends in its last reader; each body that reads a value gets one
 * copy of it, and a value with too many readers is stored: the copies stay within a constant factor of the program. */
#include "passes/inter_fuse.h"

#include "passes/inter_loops.h"
#include "passes/inter_map.h"
#include "support/vec.h"

/* One body that reads values of the loop at one cursor. */
typedef struct reader {
  MlirBlock block;
  MlirValue cursor;
} reader;

typedef struct readers {
  VEC(reader) list;
  VEC(MlirOperation) reads; /* the inter.at operations */
  bool all_inner;           /* every reader is a loop over the edges of a node */
  bool fits;                /* nothing else uses the values */
} readers;

static void add_reader(pass_context *p, readers *r, MlirOperation at) {
  MlirBlock block = mlirOperationGetBlock(at);
  MlirValue cursor = ir_operand(at, IR_IN(inter, at, cursor));
  VEC_PUSH(p->arena, &r->reads, at);
  for (size_t i = 0; i < r->list.count; i++)
    if (mlirBlockEqual(r->list.items[i].block, block) && mlirValueEqual(r->list.items[i].cursor, cursor)) return;
  VEC_PUSH(p->arena, &r->list, (reader){block, cursor});
  if (!inter_is_inner_loop(mlirBlockGetParentOperation(block))) r->all_inner = false;
}

static readers find_readers(pass_context *p, MlirOperation loop) {
  readers r = {.all_inner = true, .fits = true};
  MlirOpOperand taken = mlirValueGetFirstUse(ir_result(loop));
  for (; !mlirOpOperandIsNull(taken); taken = mlirOpOperandGetNextUse(taken)) {
    MlirOpOperand use = mlirValueGetFirstUse(ir_result(mlirOpOperandGetOwner(taken)));
    for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
      MlirOperation at = mlirOpOperandGetOwner(use);
      if (ir_op_kind(at) == IR_OP(inter, at)) add_reader(p, &r, at);
      else r.fits = false;
    }
  }
  return r;
}

/* Products and inner loops are worth storing. */
static bool is_cheap(MlirOperation loop) {
  MlirBlock body = ir_region_block(loop);
  for (MlirOperation op = mlirBlockGetFirstOperation(body); !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    if (ir_op_kind(op) == IR_OP(gnn, linear) || !mlirBlockIsNull(ir_region_block(op))) return false;
  return true;
}

static bool is_worth_it(MlirOperation loop, const readers *r, int64_t limit) {
  if (!r->fits || r->list.count == 0 || !is_cheap(loop)) return false;
  int64_t bodies = (int64_t)r->list.count;
  return bodies <= limit || (r->all_inner && bodies <= 2 * limit);
}

static MlirValue mapped(const inter_map *copies, const MlirValue *values, MlirValue value) {
  int64_t at = inter_map_get(copies, value.ptr, -1);
  return at < 0 ? value : values[at];
}

/* Copies the body to the start of a reader's block, at its cursor; then the reads at that cursor take what it yields. */
static void inline_into(pass_context *p, MlirOperation loop, const readers *r, reader where) {
  inter_map copies = {.arena = p->arena};
  VEC(MlirValue) values = {0};
  inter_map_put(&copies, inter_cursor_of(loop).ptr, 0);
  VEC_PUSH(p->arena, &values, where.cursor);
  MlirOperation start = mlirBlockGetFirstOperation(where.block), yield = ir_block_terminator(ir_region_block(loop));
  for (MlirOperation op = mlirBlockGetFirstOperation(ir_region_block(loop)); !mlirOperationEqual(op, yield);
       op = mlirOperationGetNextInBlock(op)) {
    MlirOperation copy = mlirOperationClone(op);
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(copy); i++)
      mlirOperationSetOperand(copy, i, mapped(&copies, values.items, mlirOperationGetOperand(copy, i)));
    mlirBlockInsertOwnedOperationBefore(where.block, start, copy);
    inter_map_put(&copies, ir_result(op).ptr, (int64_t)values.count);
    VEC_PUSH(p->arena, &values, ir_result(copy));
  }
  for (size_t i = 0; i < r->reads.count; i++) {
    MlirOperation at = r->reads.items[i];
    if (mlirOperationIsNull(at) || !mlirBlockEqual(mlirOperationGetBlock(at), where.block)) continue;
    if (!mlirValueEqual(ir_operand(at, IR_IN(inter, at, cursor)), where.cursor)) continue;
    MlirOperation result = ir_defining_op(ir_operand(at, IR_IN(inter, at, value)));
    MlirValue yielded = mlirOperationGetOperand(yield, (intptr_t)ir_get_integer(result, "index", 0));
    mlirValueReplaceAllUsesOfWith(ir_result(at), mapped(&copies, values.items, yielded));
    mlirOperationDestroy(at);
    r->reads.items[i] = (MlirOperation){NULL};
  }
}

static void erase_loop(pass_context *p, MlirOperation loop) {
  inter_ops results = inter_results_of(p, loop);
  for (size_t i = 0; i < results.count; i++) mlirOperationDestroy(results.items[i]);
  mlirOperationDestroy(loop);
}

void inter_fuse_inline_edges(MlirBlock body, pass_context *p, int64_t recompute_limit) {
  VEC(MlirOperation) loops = {0};
  for (MlirOperation op = mlirBlockGetFirstOperation(body); !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    if (ir_op_kind(op) == IR_OP(inter, for_edges)) VEC_PUSH(p->arena, &loops, op);
  for (size_t i = loops.count; i-- > 0;) {
    readers r = find_readers(p, loops.items[i]);
    if (!is_worth_it(loops.items[i], &r, recompute_limit)) continue;
    for (size_t k = 0; k < r.list.count; k++) inline_into(p, loops.items[i], &r, r.list.items[k]);
    erase_loop(p, loops.items[i]);
    p->changed++;
  }
}
