/* inter-fuse, first half: computes values where they are read (Pigeon, Section 3.4.2).
 *
 *   %a = for_edges: yield f(e)                                   becomes     %s = for_nodes: for_incoming: yield g(f(e))
 *   %s = for_nodes: for_incoming: yield g(at(%a, e))
 *
 * Loops are visited from the last to the first, so that a chain of edge values ends in its last
 * reader. Each body that reads a value gets one copy of it, and a value with too many readers is
 * stored, so the program grows by a constant factor at most.
 *
 * A node value that is a row of a table is read there by each reader: E[z[src]].
 *
 * A node value that is made element by element from a stored or a shorter one, and is read by one loop at its
 * own node, is computed there too: (1 + eps) * h beside the sum of its neighbours' h. */
#include "passes/inter/inter_fuse.h"

#include "passes/inter/inter_loops.h"
#include "passes/inter/inter_products.h"
#include "support/map.h"
#include "support/vec.h"

#include <inttypes.h>
#include <string.h>

/* The readers of the results of a loop. */
typedef struct readers {
  VEC(MlirValue) cursors;   /* one cursor for each body that reads */
  VEC(MlirOperation) reads; /* the inter.at operations */
  bool all_inner;           /* every reader is a loop over the edges of a node or pair */
  bool any_inner;           /* some reader is */
  bool fits;                /* nothing else uses the values */
  bool is_summed; /* some gnn.contract or gnn.sum_by does: it reads rows in memory, also those that a loop only moves */
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
  if (inter_is_inner_loop(mlirBlockGetParentOperation(inter_value_block(cursor))))
    r->any_inner = true;
  else
    r->all_inner = false;
}

static readers find_readers(pass_context *p, MlirOperation loop) {
  readers r = {.all_inner = true, .fits = true};
  IR_FOR_EACH_USE(taken, ir_result(loop)) {
    IR_FOR_EACH_USE(use, ir_result(mlirOpOperandGetOwner(taken))) {
      if (!r.fits) return r;
      MlirOperation at = mlirOpOperandGetOwner(use);
      if (ir_op_kind(at) == IR_OP(inter, at))
        add_read(p, &r, at);
      else if (ir_op_kind(at) == IR_OP(gnn, contract) || ir_op_kind(at) == IR_OP(gnn, sum_by))
        r.is_summed = true;
      else
        r.fits = false;
    }
  }
  return r;
}

/* ---- edge values ---- */

/* A number of dropout costs as much as some products: it takes a quarter of ten rounds of a generator. */
enum { MAX_WORK_PER_VALUE = 7, DROPOUT_WORK = 8 };

/* Whether an operation reads a value or finds where to read. Integers only say where. */
static bool is_access(MlirOperation op) {
  if (ir_type_of(ir_result(op)).is_integer) return true;
  switch (ir_op_kind(op)) {
  case IR_OP(gnn, lookup):
  case IR_OP(inter, at):
  case IR_OP(inter, src):
  case IR_OP(inter, dst):
  case IR_OP(inter, group):
  case IR_OP(inter, whole_row): return true;
  default: return false;
  }
}

/* Whether a loop gathers, expands or picks rows of tables, so that the values that it yields are stored
 * elsewhere. */
static bool is_copy(MlirOperation loop) {
  MlirOperation yield = ir_block_terminator(ir_region_block(loop));
  IR_FOR_EACH_OP_BEFORE(op, ir_region_block(loop), yield)
    if (!is_access(op)) return false;
  return true;
}

static int64_t work_of(MlirOperation op) {
  int64_t most = 0;
  if (is_access(op)) return 0;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
    int64_t elements = ir_type_elements(ir_type_of(mlirOperationGetOperand(op, i)));
    if (elements > most) most = elements;
  }
  return ir_op_kind(op) == IR_OP(inter, dropout) ? most * DROPOUT_WORK : most;
}

/* Whether a loop may be computed several times: element-wise work and short inner products may;
 * long ones, products with weights and inner loops are stored. */
static bool is_cheap(MlirOperation loop) {
  int64_t work = 0, values = 0;
  MlirOperation yield = ir_block_terminator(ir_region_block(loop));
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(yield); i++)
    values += ir_type_elements(ir_type_of(mlirOperationGetOperand(yield, i)));
  IR_FOR_EACH_OP_BEFORE(op, ir_region_block(loop), yield) work += work_of(op);
  return work <= MAX_WORK_PER_VALUE * values;
}

/* Whether a loop has an inner loop or a product for the GEMM template. Such a product runs over
 * rows in memory, and is never repeated for each edge of a node. */
static bool has_inner_loop_or_gemm(MlirOperation loop) {
  MlirBlock body = ir_region_block(loop);
  inter_product product;
  IR_FOR_EACH_OP(op, body)
    if (inter_product_find(op, loop, &product) || !mlirBlockIsNull(ir_region_block(op))) return true;
  return false;
}

/* The reason why the values of a loop over edges are stored; NULL where their readers compute
 * them. */
static const char *why_stored(MlirOperation loop, const readers *r, const inter_fuse_options *options) {
  if (has_inner_loop_or_gemm(loop)) return "a product with a matrix or a loop makes them";
  if (!r->fits || r->cursors.count == 0) return "they are kept, or read from another edge";
  if (!options->exchange && r->any_inner) return "the exchange of edge loops is off";
  int64_t bodies = (int64_t)r->cursors.count, limit = options->recompute_limit;
  if (is_copy(loop)) return NULL;
  if (r->is_summed) return "a sum over all rows reads them, too";
  if (bodies > 1 && !is_cheap(loop)) return "several loops read them, and computing them again costs more than reading";
  bool fits = bodies <= limit || (r->all_inner && bodies <= 2 * limit);
  return fits ? NULL : "too many loops read them";
}

/* The number of edges of a set by the statistics; -1: unknown. */
static int64_t edges_of(const pass_context *p, const char *set) {
  const char *end = ir_unique_end(set);
  if (end) return !strcmp(end, "src") ? p->statistics.unique_src : p->statistics.unique_dst;
  return ir_base_set(p->context, set) ? -1 : p->statistics.num_edges;
}

static void say_edges(pass_context *p, MlirOperation loop, const readers *r, const char *why) {
  if (!p->remarks) return;
  int64_t numbers = 0;
  MlirOperation yield = ir_block_terminator(ir_region_block(loop));
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(yield); i++)
    numbers += ir_type_elements(ir_type_of(mlirOperationGetOperand(yield, i)));
  const char *set = ir_type_of(inter_cursor_of(loop)).set;
  int64_t edges = edges_of(p, set);
  text gain = {0};
  if (edges >= 0) text_printf(&gain, ", %" PRId64 " in all", numbers * edges);
  const char *plural = numbers == 1 ? "" : "s", *verb = numbers == 1 ? "is" : "are";
  if (why)
    pass_remark(p, loop, "%" PRId64 " number%s per edge of '%s'%s %s stored: %s", numbers, plural, set, text_str(&gain),
                verb, why);
  else
    pass_remark(p, loop, "%" PRId64 " number%s per edge of '%s'%s %s not stored: %zu loop%s compute%s %s", numbers,
                plural, set, text_str(&gain), verb, r->cursors.count, r->cursors.count == 1 ? "" : "s",
                r->cursors.count == 1 ? "s" : "", numbers == 1 ? "it" : "them");
  text_free(&gain);
}

static bool inlines_edges(pass_context *p, MlirOperation loop, const readers *r, const inter_fuse_options *options) {
  const char *why = why_stored(loop, r, options);
  say_edges(p, loop, r, why);
  return !why;
}

/* ---- node values ---- */

static bool is_element_wise(MlirOperation op) {
  ir_op kind = ir_op_kind(op);
  if (ir_op_is_binary(kind)) return kind != IR_OP(gnn, compare);
  return kind == IR_OP(gnn, constant) || kind == IR_OP(gnn, activation) || kind == IR_OP(gnn, derivative) ||
         kind == IR_OP(gnn, reshape);
}

/* Whether a product multiplies the value that was read: it needs rows in memory. */
static bool feeds_linear(MlirOperation at) {
  IR_FOR_EACH_USE(use, ir_result(at))
    if (ir_op_kind(mlirOpOperandGetOwner(use)) == IR_OP(gnn, linear)) return true;
  return false;
}

/* Whether some loop reads the value at a node other than its own, or multiplies it; the value is
 * then in memory. */
static bool is_stored(MlirValue value) {
  if (mlirValueIsABlockArgument(value)) return true;
  IR_FOR_EACH_USE(use, value) {
    MlirOperation at = mlirOpOperandGetOwner(use);
    if (ir_op_kind(at) != IR_OP(inter, at) || !mlirValueIsABlockArgument(ir_operand(at, IR_IN(inter, at, cursor))))
      return true;
    if (feeds_linear(at)) return true;
  }
  return false;
}

/* The one node value that a loop reads, if it does only element-wise work on it and on values per
 * type; else null. */
static MlirValue only_operand(MlirOperation loop) {
  MlirValue operand = {NULL};
  MlirOperation yield = ir_block_terminator(ir_region_block(loop));
  IR_FOR_EACH_OP_BEFORE(op, ir_region_block(loop), yield) {
    if (is_element_wise(op)) continue;
    if (ir_op_kind(op) != IR_OP(inter, at)) return (MlirValue){NULL};
    MlirValue value = ir_operand(op, IR_IN(inter, at, value));
    if (ir_type_of(value).kind == IR_KIND_per) continue;
    bool same = mlirValueIsNull(operand) || mlirValueEqual(operand, value);
    if (!same || !mlirValueEqual(ir_operand(op, IR_IN(inter, at, cursor)), inter_cursor_of(loop)))
      return (MlirValue){NULL};
    operand = value;
  }
  bool one_result = mlirOperationGetNumOperands(yield) == 1;
  return one_result ? operand : (MlirValue){NULL};
}

/* Whether a product reads the value: it needs rows in memory. */
static bool feeds_product(const readers *r) {
  for (size_t i = 0; i < r->reads.count; i++)
    if (feeds_linear(r->reads.items[i])) return true;
  return false;
}

static bool inlines_nodes(MlirOperation loop, const readers *r) {
  if (!r->fits || r->is_summed || r->cursors.count != 1) return false;
  MlirValue operand = only_operand(loop);
  if (mlirValueIsNull(operand) || feeds_product(r)) return false;
  int64_t read = ir_type_elements(ir_type_of(operand)), made = ir_type_elements(ir_type_of(inter_yielded(loop, 0)));
  return read < made || (read == made && is_stored(operand));
}

/* Whether a loop over nodes picks rows of tables by integers that are inputs, and only loops read them,
 * at any node; then each reader picks its row itself. Products read rows in memory. */
static bool picks_rows(MlirOperation loop) {
  MlirBlock body = ir_region_block(loop);
  MlirOperation yield = ir_block_terminator(body);
  size_t lookups = 0;
  IR_FOR_EACH_OP_BEFORE(op, body, yield) {
    bool is_input =
        ir_op_kind(op) != IR_OP(inter, at) || mlirValueIsABlockArgument(ir_operand(op, IR_IN(inter, at, value)));
    if (!is_access(op) || !is_input) return false;
    lookups += ir_op_kind(op) == IR_OP(gnn, lookup);
  }
  IR_FOR_EACH_USE(taken, ir_result(loop))
    IR_FOR_EACH_USE(use, ir_result(mlirOpOperandGetOwner(taken))) {
      MlirOperation at = mlirOpOperandGetOwner(use);
      if (ir_op_kind(at) != IR_OP(inter, at) || feeds_linear(at)) return false;
    }
  return lookups > 0;
}

/* ---- the rewrite ---- */

static MlirValue mapped(const map *copies, const MlirValue *values, MlirValue value) {
  int64_t at = map_get(copies, value.ptr, -1);
  return at < 0 ? value : values[at];
}

/* Copies the body to the beginning of a reader's body, at the reader's cursor; reads at that cursor
 * then use the yielded values. */
static void inline_at(pass_context *p, MlirOperation loop, const readers *r, MlirValue cursor) {
  map copies = {.arena = p->arena};
  VEC(MlirValue) values = {0};
  map_set(&copies, inter_cursor_of(loop).ptr, 0);
  VEC_PUSH(p->arena, &values, cursor);
  MlirBlock block = inter_value_block(cursor);
  MlirOperation start = mlirBlockGetFirstOperation(block), yield = ir_block_terminator(ir_region_block(loop));
  IR_FOR_EACH_OP_BEFORE(op, ir_region_block(loop), yield) {
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

/* Copies the body to the place of each read, at its cursor. */
static void inline_picked(pass_context *p, MlirOperation loop, const readers *r) {
  MlirOperation yield = ir_block_terminator(ir_region_block(loop));
  for (size_t i = 0; i < r->reads.count; i++) {
    MlirOperation at = r->reads.items[i];
    map copies = {.arena = p->arena};
    VEC(MlirValue) values = {0};
    map_set(&copies, inter_cursor_of(loop).ptr, 0);
    VEC_PUSH(p->arena, &values, ir_operand(at, IR_IN(inter, at, cursor)));
    IR_FOR_EACH_OP_BEFORE(op, ir_region_block(loop), yield) {
      MlirOperation copy = mlirOperationClone(op);
      for (intptr_t k = 0; k < mlirOperationGetNumOperands(copy); k++)
        mlirOperationSetOperand(copy, k, mapped(&copies, values.items, mlirOperationGetOperand(copy, k)));
      mlirBlockInsertOwnedOperationBefore(mlirOperationGetBlock(at), at, copy);
      map_set(&copies, ir_result(op).ptr, (int64_t)values.count);
      VEC_PUSH(p->arena, &values, ir_result(copy));
    }
    MlirOperation result = ir_defining_op(ir_operand(at, IR_IN(inter, at, value)));
    MlirValue yielded = mlirOperationGetOperand(yield, (intptr_t)ir_get_integer(result, "index", 0));
    mlirValueReplaceAllUsesOfWith(ir_result(at), mapped(&copies, values.items, yielded));
    mlirOperationDestroy(at);
  }
}

/* All reads of the results of a loop. */
static readers all_reads(pass_context *p, MlirOperation loop) {
  readers r = {0};
  IR_FOR_EACH_USE(taken, ir_result(loop))
    IR_FOR_EACH_USE(use, ir_result(mlirOpOperandGetOwner(taken)))
      VEC_PUSH(p->arena, &r.reads, mlirOpOperandGetOwner(use));
  return r;
}

static void erase_loop(pass_context *p, MlirOperation loop) {
  inter_ops results = inter_results_of(p, loop);
  for (size_t i = 0; i < results.count; i++) mlirOperationDestroy(results.items[i]);
  mlirOperationDestroy(loop);
}

void inter_fuse_inline(MlirBlock body, pass_context *p, const inter_fuse_options *options) {
  inter_ops loops = {0};
  IR_FOR_EACH_OP(op, body)
    if (ir_op_kind(op) == IR_OP(inter, for_edges) || ir_op_kind(op) == IR_OP(inter, for_nodes))
      VEC_PUSH(p->arena, &loops, op);
  for (size_t i = loops.count; i-- > 0;) {
    MlirOperation loop = loops.items[i];
    bool is_edge = ir_op_kind(loop) == IR_OP(inter, for_edges);
    if (!is_edge && picks_rows(loop)) {
      readers all = all_reads(p, loop);
      inline_picked(p, loop, &all);
      erase_loop(p, loop);
      p->changed++;
      continue;
    }
    readers r = find_readers(p, loop);
    if (is_edge ? !inlines_edges(p, loop, &r, options) : !inlines_nodes(loop, &r)) continue;
    for (size_t k = 0; k < r.cursors.count; k++) inline_at(p, loop, &r, r.cursors.items[k]);
    if (!r.is_summed) erase_loop(p, loop);
    p->changed++;
  }
}
