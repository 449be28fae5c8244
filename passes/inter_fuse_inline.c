/* inter-fuse, first half: values are computed where they are read.
 *
 *   %a = for_edges: yield f(e)                                   becomes     %s = for_nodes: for_incoming: yield g(f(e))
 *   %s = for_nodes: for_incoming: yield g(at(%a, e))
 *
 * Loops are taken from the last to the first, so that a chain of edge values ends in its last reader; each body that reads a value gets one
 * copy of it, and a value with too many readers is stored: the copies stay within a constant factor of the program.
 *
 * A node value made element by element from one that is stored anyway, and read by one loop at its own node, is computed there
 * too: (1 + eps) * h beside the sum of its neighbours' h. */
#include "passes/inter_fuse.h"

#include "passes/inter_loops.h"
#include "support/map.h"
#include "support/vec.h"

/* Who reads the results of a loop. */
typedef struct readers {
  VEC(MlirValue) cursors;   /* each once; the body that a cursor belongs to is the reader */
  VEC(MlirOperation) reads; /* the inter.at operations */
  bool all_inner;           /* every reader is a loop over the edges of a node */
  bool fits;                /* nothing else uses the values */
} readers;

static void add_read(pass_context *p, readers *r, MlirOperation at) {
  MlirValue cursor = ir_operand(at, IR_IN(inter, at, cursor));
  VEC_PUSH(p->arena, &r->reads, at);
  if (!mlirValueIsABlockArgument(cursor)) {
    r->fits = false;
    return;
  }
  for (size_t i = 0; i < r->cursors.count; i++)
    if (mlirValueEqual(r->cursors.items[i], cursor)) return;
  VEC_PUSH(p->arena, &r->cursors, cursor);
  if (!inter_is_inner_loop(mlirBlockGetParentOperation(inter_value_block(cursor)))) r->all_inner = false;
}

static readers find_readers(pass_context *p, MlirOperation loop) {
  readers r = {.all_inner = true, .fits = true};
  MlirOpOperand taken = mlirValueGetFirstUse(ir_result(loop));
  for (; !mlirOpOperandIsNull(taken); taken = mlirOpOperandGetNextUse(taken)) {
    MlirOpOperand use = mlirValueGetFirstUse(ir_result(mlirOpOperandGetOwner(taken)));
    for (; r.fits && !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
      MlirOperation at = mlirOpOperandGetOwner(use);
      if (ir_op_kind(at) == IR_OP(inter, at))
        add_read(p, &r, at);
      else
        r.fits = false;
    }
  }
  return r;
}

/* ---- edge values ---- */

enum { MAX_WORK_PER_VALUE = 7 };

static int64_t work_of(MlirOperation op) {
  int64_t most = 0;
  if (ir_op_kind(op) == IR_OP(inter, at) || ir_op_kind(op) == IR_OP(inter, src) || ir_op_kind(op) == IR_OP(inter, dst))
    return 0;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
    int64_t elements = ir_type_elements(ir_type_of(mlirOperationGetOperand(op, i)));
    if (elements > most) most = elements;
  }
  return most;
}

/* Element-wise work and short inner products may be done again; long ones, products with weights and inner loops are stored. */
static bool is_cheap(MlirOperation loop) {
  int64_t work = 0, values = 0;
  MlirOperation yield = ir_block_terminator(ir_region_block(loop));
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(yield); i++)
    values += ir_type_elements(ir_type_of(mlirOperationGetOperand(yield, i)));
  for (MlirOperation op = mlirBlockGetFirstOperation(ir_region_block(loop)); !mlirOperationEqual(op, yield);
       op = mlirOperationGetNextInBlock(op))
    work += work_of(op);
  return work <= MAX_WORK_PER_VALUE * values;
}

static bool has_inner_loop_or_gemm(MlirOperation loop) {
  MlirBlock body = ir_region_block(loop);
  for (MlirOperation op = mlirBlockGetFirstOperation(body); !mlirOperationIsNull(op);
       op = mlirOperationGetNextInBlock(op))
    if (inter_is_gemm(op, loop) || !mlirBlockIsNull(ir_region_block(op))) return true;
  return false;
}

static bool inlines_edges(MlirOperation loop, const readers *r, int64_t limit) {
  if (!r->fits || r->cursors.count == 0 || has_inner_loop_or_gemm(loop)) return false;
  int64_t bodies = (int64_t)r->cursors.count;
  if (bodies > 1 && !is_cheap(loop)) return false;
  return bodies <= limit || (r->all_inner && bodies <= 2 * limit);
}

/* ---- node values ---- */

static bool is_element_wise(MlirOperation op) {
  switch (ir_op_kind(op)) {
  case IR_OP(gnn, constant):
  case IR_OP(gnn, vector_add):
  case IR_OP(gnn, subtract):
  case IR_OP(gnn, multiply):
  case IR_OP(gnn, divide):
  case IR_OP(gnn, maximum):
  case IR_OP(gnn, minimum):
  case IR_OP(gnn, activation):
  case IR_OP(gnn, reshape): return true;
  default: return false;
  }
}

/* True when some loop reads the value at a node that is not its own: then it is in memory. */
static bool is_stored(MlirValue value) {
  if (mlirValueIsABlockArgument(value)) return true;
  for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation at = mlirOpOperandGetOwner(use);
    if (ir_op_kind(at) != IR_OP(inter, at) || !mlirValueIsABlockArgument(ir_operand(at, IR_IN(inter, at, cursor))))
      return true;
  }
  return false;
}

/* The one node value that the loop reads when it does nothing else but element-wise work on it; null otherwise. */
static MlirValue only_operand(MlirOperation loop) {
  MlirValue operand = {NULL};
  MlirOperation yield = ir_block_terminator(ir_region_block(loop));
  for (MlirOperation op = mlirBlockGetFirstOperation(ir_region_block(loop)); !mlirOperationEqual(op, yield);
       op = mlirOperationGetNextInBlock(op)) {
    if (is_element_wise(op)) continue;
    if (ir_op_kind(op) != IR_OP(inter, at)) return (MlirValue){NULL};
    MlirValue value = ir_operand(op, IR_IN(inter, at, value));
    bool same = mlirValueIsNull(operand) || mlirValueEqual(operand, value);
    if (!same || !mlirValueEqual(ir_operand(op, IR_IN(inter, at, cursor)), inter_cursor_of(loop)))
      return (MlirValue){NULL};
    operand = value;
  }
  bool one_result = mlirOperationGetNumOperands(yield) == 1;
  return one_result ? operand : (MlirValue){NULL};
}

/* A product reads rows from memory. */
static bool feeds_product(const readers *r) {
  for (size_t i = 0; i < r->reads.count; i++) {
    MlirOpOperand use = mlirValueGetFirstUse(ir_result(r->reads.items[i]));
    for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use))
      if (ir_op_kind(mlirOpOperandGetOwner(use)) == IR_OP(gnn, linear)) return true;
  }
  return false;
}

static bool inlines_nodes(MlirOperation loop, const readers *r) {
  if (!r->fits || r->cursors.count != 1) return false;
  MlirValue operand = only_operand(loop);
  if (mlirValueIsNull(operand) || !is_stored(operand) || feeds_product(r)) return false;
  return ir_type_elements(ir_type_of(operand)) <= ir_type_elements(ir_type_of(inter_yielded(loop, 0)));
}

/* ---- the rewrite ---- */

static MlirValue mapped(const map *copies, const MlirValue *values, MlirValue value) {
  int64_t at = map_get(copies, value.ptr, -1);
  return at < 0 ? value : values[at];
}

/* Copies the body to the start of a reader's, at its cursor; then the reads at that cursor take what it yields. */
static void inline_at(pass_context *p, MlirOperation loop, const readers *r, MlirValue cursor) {
  map copies = {.arena = p->arena};
  VEC(MlirValue) values = {0};
  map_set(&copies, inter_cursor_of(loop).ptr, 0);
  VEC_PUSH(p->arena, &values, cursor);
  MlirBlock block = inter_value_block(cursor);
  MlirOperation start = mlirBlockGetFirstOperation(block), yield = ir_block_terminator(ir_region_block(loop));
  for (MlirOperation op = mlirBlockGetFirstOperation(ir_region_block(loop)); !mlirOperationEqual(op, yield);
       op = mlirOperationGetNextInBlock(op)) {
    MlirOperation copy = mlirOperationClone(op);
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(copy); i++)
      mlirOperationSetOperand(copy, i, mapped(&copies, values.items, mlirOperationGetOperand(copy, i)));
    mlirBlockInsertOwnedOperationBefore(block, start, copy);
    map_set(&copies, ir_result(op).ptr, (int64_t)values.count);
    VEC_PUSH(p->arena, &values, ir_result(copy));
  }
  for (size_t i = 0; i < r->reads.count; i++) {
    MlirOperation at = r->reads.items[i];
    if (mlirOperationIsNull(at) || !mlirValueEqual(ir_operand(at, IR_IN(inter, at, cursor)), cursor)) continue;
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

void inter_fuse_inline(MlirBlock body, pass_context *p, int64_t recompute_limit) {
  inter_ops loops = {0};
  for (MlirOperation op = mlirBlockGetFirstOperation(body); !mlirOperationIsNull(op);
       op = mlirOperationGetNextInBlock(op))
    if (ir_op_kind(op) == IR_OP(inter, for_edges) || ir_op_kind(op) == IR_OP(inter, for_nodes))
      VEC_PUSH(p->arena, &loops, op);
  for (size_t i = loops.count; i-- > 0;) {
    MlirOperation loop = loops.items[i];
    readers r = find_readers(p, loop);
    bool is_edge = ir_op_kind(loop) == IR_OP(inter, for_edges);
    if (is_edge ? !inlines_edges(loop, &r, recompute_limit) : !inlines_nodes(loop, &r)) continue;
    for (size_t k = 0; k < r.cursors.count; k++) inline_at(p, loop, &r, r.cursors.items[k]);
    erase_loop(p, loop);
    p->changed++;
  }
}
