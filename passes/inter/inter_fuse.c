/* inter-fuse: merges loops over the same nodes, edges or types (Pigeon, Section 3.3.4 and 3.4.2).
 *
 *   %r = for_nodes(g) ^(i): yield relu(at(x, i))            becomes     %l:2 = for_nodes(g) ^(i): %a = relu(at(x, i)); yield %a, dot(%a, w)
 *   %s = for_nodes(g) ^(j): yield dot(at(%r, j), w)
 *
 * A value that one loop makes and another reads at its own cursor needs no memory. A value that is
 * read at another element (a source, for example) must be complete before; the two loops then stay
 * apart. Groups of merged loops are numbered in order of execution; a loop joins an earlier group
 * if everything else that it needs comes from groups with smaller numbers. Each operand is looked
 * at once, so the time is nearly linear.
 *
 * Precedence: a product with a weight (GEMM) begins a loop of its own, which takes in only
 * element-wise work at the same row. */
#include "passes/inter/inter_fuse.h"

#include "passes/gnn/rules/gnn_rewrite.h"
#include "passes/inter/inter_loops.h"
#include "passes/inter/inter_products.h"
#include "passes/inter/inter_simplify.h"
#include "support/map.h"
#include "support/vec.h"

#include <string.h>

/* Limits of a group: operations in a body, and elements of a row that is kept between two
 * operations of a loop; longer rows are stored. */
enum { MAX_BODY_OPS = 512, MAX_ROW_ELEMENTS = 16384 };

/* Loops that run as one; the number of a group is its position in the order of execution. */
typedef struct group {
  VEC(MlirOperation) members;
  ir_op kind;        /* for_nodes, for_edges or for_types; IR_OTHER: the operation stays alone */
  MlirType iterates; /* the type of its cursor */
  int64_t count;     /* number of types */
  bool is_gemm;
  bool is_again; /* of values that the backward pass computes again */
  bool is_large; /* yields a row that is too large to be kept */
  size_t ops;
} group;

typedef struct fusion {
  pass_context *p;
  MlirBlock body;
  VEC(group) groups;
  map number;  /* from an operation of the function to its group */
  map readers; /* from a value to the last group that reads it at its own cursor or in an inner loop */
} fusion;

/* What a loop is, and which groups it depends on. */
typedef struct needs {
  fusion *f;
  MlirOperation loop;
  ir_op kind;
  MlirType iterates;
  int64_t count;
  bool is_again;
  bool is_gemm, is_heavy; /* heavy: has inner loops, or products per element */
  size_t ops;
  int64_t earliest; /* groups with smaller numbers must come before: the loop may join only this group or a later one */
  int64_t own;      /* the last group whose values it reads at its own cursor; -1: none */
  int64_t shared;   /* the last group that reads a value which it reads too; -1: none */
} needs;

/* ---- the needs of a loop ---- */

/* Whether a group and a loop are over the same elements. */
static bool same_domain(const group *g, const needs *n) {
  return g->kind == n->kind && n->kind != IR_OTHER && mlirTypeEqual(g->iterates, n->iterates) && g->count == n->count;
}

static void need_value(needs *n, MlirOperation op, intptr_t position) {
  MlirValue value = mlirOperationGetOperand(op, position);
  if (!mlirBlockEqual(inter_value_block(value), n->f->body)) return;
  bool is_read = ir_op_kind(op) == IR_OP(inter, at) && position == 0;
  if (is_read) {
    int64_t shared = map_get(&n->f->readers, value.ptr, -1);
    if (shared > n->shared) n->shared = shared;
  }
  MlirOperation definition = ir_defining_op(value);
  if (mlirOperationIsNull(definition)) return;
  int64_t from = map_get(&n->f->number, definition.ptr, -1);
  if (from < 0 || !n->f->groups.items) return;
  const group *g = &n->f->groups.items[from];
  bool own = is_read && !g->is_large && same_domain(g, n) &&
             mlirValueEqual(mlirOperationGetOperand(op, 1), inter_cursor_of(n->loop));
  if (own && from > n->own) n->own = from;
  int64_t earliest = own ? from : from + 1;
  if (earliest > n->earliest) n->earliest = earliest;
}

static void need_operands(MlirOperation op, void *user) {
  needs *n = user;
  n->ops++;
  if (inter_product_is_gemm(op, n->loop))
    n->is_gemm = true;
  else if (ir_op_kind(op) == IR_OP(gnn, linear) || inter_is_inner_loop(op))
    n->is_heavy = true;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) need_value(n, op, i);
}

static needs needs_of(fusion *f, MlirOperation loop) {
  needs n = {.f = f, .loop = loop, .kind = ir_op_kind(loop), .own = -1, .shared = -1};
  n.is_again = ir_get_bool(loop, "gnn.again");
  if (inter_is_outer_loop(loop) && n.kind != IR_OP(inter, once)) {
    n.iterates = mlirValueGetType(inter_cursor_of(loop));
    n.count = ir_get_integer(loop, "count", 0);
  } else {
    n.kind = IR_OTHER;
  }
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(loop); i++) need_value(&n, loop, i);
  if (!mlirBlockIsNull(ir_region_block(loop))) inter_walk(ir_region_block(loop), need_operands, &n);
  return n;
}

/* ---- groups ---- */

static bool can_join(const fusion *f, const needs *n, int64_t number) {
  if (number < 0 || number < n->earliest || n->kind == IR_OTHER || n->is_gemm) return false;
  const group *g = &f->groups.items[number];
  if (n->is_again && !g->is_again) return false; /* it would be computed early, and kept */
  if (!same_domain(g, n) || g->ops + n->ops > MAX_BODY_OPS) return false;
  return !g->is_gemm || (!n->is_heavy && number == n->own);
}

static void note_read(MlirOperation op, void *user) {
  const needs *n = user;
  if (ir_op_kind(op) != IR_OP(inter, at)) return;
  MlirValue value = ir_operand(op, IR_IN(inter, at, value));
  if (mlirBlockEqual(inter_value_block(value), n->f->body)) map_set(&n->f->readers, value.ptr, n->own);
}

static bool yields_large_row(MlirOperation loop) {
  MlirOperation yield = ir_block_terminator(ir_region_block(loop));
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(yield); i++)
    if (ir_type_elements(ir_type_of(mlirOperationGetOperand(yield, i))) > MAX_ROW_ELEMENTS) return true;
  return false;
}

static void place(fusion *f, MlirOperation op) {
  needs n = needs_of(f, op);
  if (n.kind == IR_OTHER && n.earliest == 0) return; /* it needs no loop, and stays before all of them */
  int64_t number = can_join(f, &n, n.own) ? n.own : can_join(f, &n, n.shared) ? n.shared : -1;
  if (number < 0) {
    number = (int64_t)f->groups.count;
    VEC_PUSH(f->p->arena, &f->groups,
             (group){.kind = n.kind, .iterates = n.iterates, .count = n.count, .is_again = n.is_again});
  }
  group *g = &f->groups.items[number];
  VEC_PUSH(f->p->arena, &g->members, op);
  g->is_gemm = g->is_gemm || n.is_gemm;
  g->is_large = g->is_large || (n.kind != IR_OTHER && yields_large_row(op));
  g->ops += n.ops;
  n.own = number;
  if (n.kind != IR_OTHER) inter_walk(ir_region_block(op), note_read, &n);
  map_set(&f->number, op.ptr, number);
  if (mlirOperationGetNumResults(op) != 1) return;
  IR_FOR_EACH_USE(use, ir_result(op))
    if (ir_op_kind(mlirOpOperandGetOwner(use)) == IR_OP(inter, result))
      map_set(&f->number, mlirOpOperandGetOwner(use).ptr, number);
}

/* ---- merged loops ---- */

/* Makes the reads of a member's result at the cursor, which all members share now, use the value
 * itself. */
static void forward_reads(pass_context *p, MlirOperation member, MlirOperation result, MlirValue cursor) {
  MlirValue yielded = inter_yielded(member, (unsigned)ir_get_integer(result, "index", 0));
  inter_ops reads = {0};
  IR_FOR_EACH_USE(use, ir_result(result)) {
    MlirOperation at = mlirOpOperandGetOwner(use);
    if (ir_op_kind(at) == IR_OP(inter, at) && mlirValueEqual(ir_operand(at, IR_IN(inter, at, cursor)), cursor))
      VEC_PUSH(p->arena, &reads, at);
  }
  for (size_t i = 0; i < reads.count; i++) {
    mlirValueReplaceAllUsesOfWith(ir_result(reads.items[i]), yielded);
    mlirOperationDestroy(reads.items[i]);
  }
}

static void move_body(MlirOperation member, MlirBlock block) {
  MlirOperation yield = ir_block_terminator(ir_region_block(member));
  IR_FOR_EACH_OP_SAFE(op, ir_region_block(member)) {
    if (mlirOperationEqual(op, yield)) break;
    mlirOperationRemoveFromParent(op);
    mlirBlockAppendOwnedOperation(block, op);
  }
}

/* Builds one loop for all members of a group, before `end`. */
static void merge_group(fusion *f, group *g, MlirOperation end) {
  pass_context *p = f->p;
  MlirOperation first = g->members.items[0];
  MlirType type = mlirValueGetType(inter_cursor_of(first));
  MlirBlock block;
  MlirRegion region = ir_region_create(p->context, &type, 1, mlirOperationGetLocation(first), &block);
  MlirValue cursor = mlirBlockGetArgument(block, 0);
  for (size_t i = 0; i < g->members.count; i++)
    mlirValueReplaceAllUsesOfWith(inter_cursor_of(g->members.items[i]), cursor);
  inter_ops kept = {0};
  VEC(MlirValue) yields = {0};
  for (size_t i = 0; i < g->members.count; i++) {
    MlirOperation member = g->members.items[i];
    inter_ops results = inter_results_of(p, member);
    for (size_t k = 0; k < results.count; k++) forward_reads(p, member, results.items[k], cursor);
    for (size_t k = 0; k < results.count; k++) {
      if (!ir_value_has_uses(ir_result(results.items[k]))) continue;
      VEC_PUSH(p->arena, &kept, results.items[k]);
      VEC_PUSH(p->arena, &yields, inter_yielded(member, (unsigned)ir_get_integer(results.items[k], "index", 0)));
    }
    move_body(member, block);
  }
  ir_builder inside = ir_builder_at_end(block, mlirOperationGetLocation(first));
  ir_build_yield(&inside, yields.items, yields.count);
  MlirOperation merged = inter_build_like(first, region, (MlirAttribute){NULL}, f->body, end);
  ir_builder after = {.context = p->context, .block = f->body, .before = end};
  for (size_t k = 0; k < kept.count; k++) {
    after.location = mlirOperationGetLocation(kept.items[k]);
    mlirValueReplaceAllUsesOfWith(ir_result(kept.items[k]), ir_build_result(&after, merged, (unsigned)k));
  }
  for (size_t i = g->members.count; i-- > 0;) {
    inter_ops results = inter_results_of(p, g->members.items[i]);
    for (size_t k = 0; k < results.count; k++) mlirOperationDestroy(results.items[k]);
    mlirOperationDestroy(g->members.items[i]);
  }
  g->members.items[0] = merged;
  pass_remark(p, merged, "%zu loops run as one", g->members.count);
  p->changed += g->members.count - 1;
}

/* Moves a group to the end of the function; called in order of execution. */
static void emit_group(fusion *f, group *g, MlirOperation end) {
  if (g->members.count > 1) {
    merge_group(f, g, end);
  } else {
    inter_ops results = {0};
    if (g->kind != IR_OTHER || inter_is_outer_loop(g->members.items[0]))
      results = inter_results_of(f->p, g->members.items[0]);
    mlirOperationMoveBefore(g->members.items[0], end);
    for (size_t k = results.count; k-- > 0;) mlirOperationMoveBefore(results.items[k], end);
  }
  if (!inter_is_outer_loop(g->members.items[0])) return;
  MlirBlock body = ir_region_block(g->members.items[0]);
  inter_fold_ends(f->p, body);
  inter_hoist(f->p, body);
  inter_merge_inner(f->p, body);
  inter_merge_equal(f->p, body);
  inter_erase_dead(f->p, body);
}

void inter_fuse_merge_loops(MlirBlock body, pass_context *p) {
  fusion f = {.p = p, .body = body, .number = {.arena = p->arena}, .readers = {.arena = p->arena}};
  MlirOperation end = ir_block_terminator(body);
  IR_FOR_EACH_OP_BEFORE(op, body, end)
    if (ir_op_kind(op) != IR_OP(inter, result)) place(&f, op);
  for (size_t i = 0; i < f.groups.count; i++) emit_group(&f, &f.groups.items[i], end);
}

static void fold_function(MlirBlock body, pass_context *p) {
  VEC(MlirOperation) loops = {0};
  IR_FOR_EACH_OP(op, body)
    if (inter_is_outer_loop(op)) VEC_PUSH(p->arena, &loops, op);
  for (size_t i = 0; i < loops.count; i++) inter_fold_ends(p, ir_region_block(loops.items[i]));
  for (size_t i = loops.count; i-- > 0;)
    if (!inter_prune_results(p, loops.items[i])) inter_erase_dead(p, ir_region_block(loops.items[i]));
}

bool pass_run_inter_fuse(MlirOperation root, pass_context *p) {
  inter_fuse_options options = {.recompute_limit = pass_option_integer(p, "recompute-limit", 2),
                                .exchange = pass_option_bool(p, "exchange", true)};
  IR_FOR_EACH_FUNC(func, root) {
    MlirBlock body = ir_func_body(func);
    fold_function(body, p);
    inter_fuse_inline(body, p, &options);
    fold_function(body, p);
    inter_fuse_merge_loops(body, p);
  }
  return true;
}
