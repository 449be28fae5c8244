/* inter-to-intra, scan 1: gives every large product a loop that the GEMM template can take (Pigeon,
 * Section 3.4.3: GEMM before traversal).
 *
 *   for_edges(g) ^(e): z = x[src e] @ w[e], q = x[dst e] @ w[e]        becomes     for_edges(g) ^(e): yield x[src e] @ w[e]
 *                      yield z . q                                                 for_edges(g) ^(e): q = x[dst e] @ w[e], yield z[e] . q
 *
 * The operations that depend on one product alone become its epilogue, as far as fewer numbers are
 * then stored. Operations that need several products become part of the epilogue of the product
 * with the largest results, which are then never stored; behind inner loops they are a traversal. A
 * row that is computed in the body is stored first, because a product reads rows from memory. A
 * product whose rows are too wide to be kept between two operations is stored without an
 * epilogue. */
#include "passes/inter_to_intra/inter_to_intra_split.h"

#include "passes/gnn/rules/gnn_rewrite.h"
#include "passes/inter/inter_loops.h"
#include "passes/inter/inter_products.h"
#include "passes/inter/inter_simplify.h"
#include "support/map.h"
#include "support/vec.h"

#include <inttypes.h>
#include <string.h>

/* The most numbers of a row that may be stored for a product, for each number of its result. */
enum { MOST_STORED = 4 };
/* The widest row for which a product has an epilogue: kernels keep eight such rows and more at a
 * time. */
enum { WIDEST_EPILOGUE = 2032 };

/* What an operation of the body depends on: the number of a product, or one of these. */
enum { NEEDS_NOTHING = -1, NEEDS_MORE = -2 };

typedef struct body_op {
  MlirOperation op;
  int64_t piece; /* the one product on which it depends; NEEDS_NOTHING; or NEEDS_MORE: several, or an inner loop */
  bool is_taken; /* it is part of its product's loop */
} body_op;

typedef struct body {
  pass_context *p;
  MlirOperation loop;
  VEC(body_op) ops;
  VEC(size_t) products; /* indices in `ops` */
  map position;         /* from an operation to 1 + index in `ops` */
  bool has_inner_loop, has_other_product;
  bool has_other_loop; /* one behind a product, or not over the edges of a node */
} body;

typedef VEC(MlirValue) value_list;

/* ---- dependences ---- */

static int64_t position_of(const body *b, MlirOperation op) {
  return mlirOperationIsNull(op) ? -1 : map_get(&b->position, op.ptr, 0) - 1;
}

static void join(body_op *at, int64_t piece) {
  if (piece == NEEDS_NOTHING || at->piece == piece) return;
  at->piece = at->piece == NEEDS_NOTHING ? piece : NEEDS_MORE;
}

typedef struct use_scan {
  body *b;
  body_op *at;
} use_scan;

static void join_operands(MlirOperation op, void *user) {
  use_scan *s = user;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
    int64_t from = position_of(s->b, ir_defining_op(mlirOperationGetOperand(op, i)));
    if (from >= 0) join(s->at, s->b->ops.items[from].piece);
  }
}

/* Whether a product is large and its rows are in memory or may be stored; rows of edges may only
 * where they are small compared with the product itself. */
static bool is_worth_a_loop(const body *b, MlirOperation linear) {
  inter_product product;
  if (!inter_product_is_large(linear) || !inter_product_find(linear, b->loop, &product)) return false;
  if (!mlirValueIsNull(product.a)) return true;
  MlirValue row = ir_operand(linear, IR_IN(gnn, linear, x));
  if (position_of(b, ir_defining_op(row)) < 0) return false;
  int64_t stored = ir_type_elements(ir_type_of(row)), made = ir_type_elements(ir_type_of(ir_result(linear)));
  return ir_op_kind(b->loop) != IR_OP(inter, for_edges) || stored <= MOST_STORED * made;
}

static body look_at(pass_context *p, MlirOperation loop) {
  body b = {.p = p, .loop = loop, .position = {.arena = p->arena}};
  MlirBlock block = ir_region_block(loop);
  MlirOperation end = ir_block_terminator(block);
  IR_FOR_EACH_OP_BEFORE(op, block, end) {
    body_op at = {.op = op, .piece = NEEDS_NOTHING};
    use_scan s = {&b, &at};
    join_operands(op, &s);
    bool has_body = !mlirBlockIsNull(ir_region_block(op)), is_linear = ir_op_kind(op) == IR_OP(gnn, linear);
    if (has_body) {
      at.piece = NEEDS_MORE;
      b.has_inner_loop = true;
      b.has_other_loop |= b.products.count > 0 || !inter_is_sum(op);
    } else if (is_linear && is_worth_a_loop(&b, op)) {
      at.piece = (int64_t)b.products.count;
      VEC_PUSH(p->arena, &b.products, b.ops.count);
    } else if (is_linear) {
      at.piece = NEEDS_MORE;
      b.has_other_product = true;
    }
    map_set(&b.position, op.ptr, (int64_t)b.ops.count + 1);
    VEC_PUSH(p->arena, &b.ops, at);
  }
  return b;
}

static bool is_wide(const body *b, size_t piece) {
  return ir_type_elements(ir_type_of(ir_result(b->ops.items[b->products.items[piece]].op))) > WIDEST_EPILOGUE;
}

/* Whether a loop is one product with an epilogue of the template. Loops over the edges of a node
 * before its product, which do not need it, are part of the epilogue. */
static bool is_gemm(const body *b) {
  if (b->products.count != 1 || b->has_other_loop || b->has_other_product) return false;
  if (!is_wide(b, 0)) return true;
  for (size_t i = b->products.items[0] + 1; i < b->ops.count; i++)
    if (b->ops.items[i].piece != NEEDS_NOTHING) return false;
  return true;
}

/* ---- moving a part of a loop to a loop of its own ---- */

static MlirOperation same_in(MlirBlock copy, MlirBlock block, MlirOperation wanted) {
  MlirOperation at = mlirBlockGetFirstOperation(copy);
  IR_FOR_EACH_OP_BEFORE(op, block, wanted) at = mlirOperationGetNextInBlock(at);
  return at;
}

/* Makes the results of the loop that are this value refer to the new loop. */
static void redirect_results(body *b, MlirValue value, MlirValue made) {
  inter_ops results = inter_results_of(b->p, b->loop);
  for (size_t i = 0; i < results.count; i++) {
    unsigned index = (unsigned)ir_get_integer(results.items[i], "index", 0);
    if (!mlirValueEqual(inter_yielded(b->loop, index), value)) continue;
    mlirOperationSetLocation(ir_defining_op(made), mlirOperationGetLocation(results.items[i]));
    mlirValueReplaceAllUsesOfWith(ir_result(results.items[i]), made);
  }
}

/* Makes the body read the value from memory. */
static void read_instead(body *b, MlirValue value, MlirValue made) {
  ir_builder at = ir_builder_before(ir_defining_op(value));
  const MlirValue operands[IR_MAX_OPERANDS] = {made, inter_cursor_of(b->loop)};
  mlirValueReplaceAllUsesOfWith(value, ir_build_value(&at, IR_OP(inter, at), operands, NULL));
}

static bool is_used_in_body(MlirValue value, MlirOperation yield) {
  IR_FOR_EACH_USE(use, value)
    if (!mlirOperationEqual(mlirOpOperandGetOwner(use), yield)) return true;
  return false;
}

/* Builds a loop before this one that yields the values, and makes this one read them; erases what
 * is then unused. Returns the new loop. */
static MlirOperation take_out(body *b, const value_list *values) {
  MlirBlock block = ir_region_block(b->loop);
  MlirOperation copy = mlirOperationClone(b->loop);
  mlirBlockInsertOwnedOperationBefore(mlirOperationGetBlock(b->loop), b->loop, copy);
  mlirOperationSetLocation(copy, mlirOperationGetLocation(ir_defining_op(values->items[0])));
  MlirBlock inside = ir_region_block(copy);
  value_list yields = {0};
  for (size_t i = 0; i < values->count; i++)
    VEC_PUSH(b->p->arena, &yields, ir_result(same_in(inside, block, ir_defining_op(values->items[i]))));
  MlirOperation old_yield = ir_block_terminator(inside);
  ir_builder end = ir_builder_before(old_yield);
  ir_build_yield(&end, yields.items, yields.count);
  mlirOperationDestroy(old_yield);
  inter_erase_dead(b->p, inside);
  ir_builder after = ir_builder_before(b->loop);
  for (size_t i = 0; i < values->count; i++) {
    after.location = mlirValueGetLocation(values->items[i]);
    MlirValue made = ir_build_result(&after, copy, (unsigned)i);
    redirect_results(b, values->items[i], made);
    if (is_used_in_body(values->items[i], ir_block_terminator(block))) read_instead(b, values->items[i], made);
  }
  b->p->changed++;
  return copy;
}

/* ---- computed rows ---- */

/* Marks the inner loops and products that `op` needs and others need too: they are computed once,
 * and stored with it. */
static void mark_needed(body *b, MlirOperation op, bool *needed);

static void mark_operand(MlirOperation op, body *b, bool *needed) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
    MlirOperation from = ir_defining_op(mlirOperationGetOperand(op, i));
    if (position_of(b, from) >= 0) mark_needed(b, from, needed);
  }
}

typedef struct mark_scan {
  body *b;
  bool *needed;
} mark_scan;

static void mark_inside(MlirOperation op, void *user) {
  mark_scan *m = user;
  mark_operand(op, m->b, m->needed);
}

static void mark_needed(body *b, MlirOperation op, bool *needed) {
  size_t at = (size_t)position_of(b, op);
  if (needed[at]) return;
  needed[at] = true;
  mark_operand(op, b, needed);
  mark_scan m = {b, needed};
  if (!mlirBlockIsNull(ir_region_block(op))) inter_walk(ir_region_block(op), mark_inside, &m);
}

static bool is_used_elsewhere(const body *b, MlirValue value, const bool *needed) {
  MlirBlock block = ir_region_block(b->loop);
  IR_FOR_EACH_USE(use, value) {
    int64_t at = position_of(b, inter_ancestor_in(mlirOpOperandGetOwner(use), block));
    if (at < 0 || !needed[at]) return true;
  }
  return false;
}

static bool is_costly(const body *b, MlirOperation op) {
  if (ir_op_kind(op) == IR_OP(gnn, linear)) return true;
  if (ir_op_kind(op) != IR_OP(inter, result)) return false;
  return position_of(b, ir_defining_op(mlirOperationGetOperand(op, 0))) >= 0;
}

/* Stores the first row that a large product needs and the body computes; false when there is none.
 * `*made` is the loop that stores it, or null where that loop needs no further splitting. */
static bool take_out_row(body *b, MlirOperation *made) {
  *made = (MlirOperation){NULL};
  for (size_t i = 0; i < b->products.count; i++) {
    MlirOperation linear = b->ops.items[b->products.items[i]].op;
    inter_product product;
    if (!inter_product_find(linear, b->loop, &product) || !mlirValueIsNull(product.a)) continue;
    MlirOperation row = ir_defining_op(ir_operand(linear, IR_IN(gnn, linear, x)));
    if (position_of(b, row) < 0) continue;
    if (to_intra_reshape_row(b->p, b->loop, row)) return true;
    bool *needed = arena_alloc_array(b->p->arena, b->ops.count, sizeof *needed);
    memset(needed, 0, b->ops.count * sizeof *needed);
    mark_needed(b, row, needed);
    value_list values = {0};
    VEC_PUSH(b->p->arena, &values, ir_result(row));
    for (size_t k = 0; k < b->ops.count; k++) {
      MlirOperation op = b->ops.items[k].op;
      if (needed[k] && !mlirOperationEqual(op, row) && is_costly(b, op) && is_used_elsewhere(b, ir_result(op), needed))
        VEC_PUSH(b->p->arena, &values, ir_result(op));
    }
    *made = take_out(b, &values);
    return true;
  }
  return false;
}

/* ---- epilogues ---- */

static bool is_of_piece(const body *b, MlirOperation op, int64_t piece) {
  int64_t at = position_of(b, op);
  return at >= 0 && b->ops.items[at].piece == piece && b->ops.items[at].is_taken;
}

/* Whether a value must be stored for the rest of the body: it is used outside of its product's
 * loop. A result of the loop is stored in any case. */
static bool is_boundary(const body *b, MlirValue value, int64_t piece) {
  MlirBlock block = ir_region_block(b->loop);
  IR_FOR_EACH_USE(use, value)
    if (!is_of_piece(b, inter_ancestor_in(mlirOpOperandGetOwner(use), block), piece)) return true;
  return false;
}

static bool is_yielded(const body *b, MlirValue value) {
  MlirOperation yield = ir_block_terminator(ir_region_block(b->loop));
  IR_FOR_EACH_USE(use, value)
    if (mlirOperationEqual(mlirOpOperandGetOwner(use), yield)) return true;
  return false;
}

static int64_t elements_of(MlirOperation op) {
  return ir_type_elements(ir_type_of(ir_result(op)));
}

/* The numbers that must be stored in addition when `op` leaves its product's loop: those of its
 * operands that are not stored yet. */
static int64_t added_by_leaving(const body *b, MlirOperation op, int64_t piece) {
  int64_t added = 0;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    MlirOperation from = ir_defining_op(operand);
    if (is_of_piece(b, from, piece) && !is_boundary(b, operand, piece)) added += elements_of(from);
  }
  return added;
}

/* Puts everything that depends on one product alone into its epilogue, then removes operations that
 * would store more than they save. Wide rows get no epilogue. */
static void choose_epilogue(body *b, int64_t piece) {
  size_t product = b->products.items[piece];
  b->ops.items[product].is_taken = true;
  if (is_wide(b, (size_t)piece)) return;
  for (size_t i = product; i < b->ops.count; i++)
    if (b->ops.items[i].piece == piece) b->ops.items[i].is_taken = true;
  for (size_t i = b->ops.count; --i > product;) {
    body_op *at = &b->ops.items[i];
    if (at->piece != piece || is_yielded(b, ir_result(at->op)) || !is_boundary(b, ir_result(at->op), piece)) continue;
    if (added_by_leaving(b, at->op, piece) < elements_of(at->op)) at->is_taken = false;
  }
}

static value_list boundary_of(const body *b, int64_t piece, int64_t *cost) {
  value_list values = {0};
  *cost = 0;
  for (size_t i = b->products.items[piece]; i < b->ops.count; i++) {
    if (!is_of_piece(b, b->ops.items[i].op, piece)) continue;
    MlirValue value = ir_result(b->ops.items[i].op);
    if (!is_boundary(b, value, piece)) continue;
    VEC_PUSH(b->p->arena, &values, value);
    if (is_used_in_body(value, ir_block_terminator(ir_region_block(b->loop)))) *cost += elements_of(b->ops.items[i].op);
  }
  return values;
}

/* ---- the scan ---- */

static void take_out_products(body *b) {
  size_t count = b->products.count, stays = count;
  value_list *values = arena_alloc_array(b->p->arena, count, sizeof *values);
  int64_t *costs = arena_alloc_array(b->p->arena, count, sizeof *costs);
  int64_t largest = -1;
  bool may_stay = !b->has_inner_loop && !b->has_other_product;
  for (size_t i = 0; i < count; i++) {
    choose_epilogue(b, (int64_t)i);
    values[i] = boundary_of(b, (int64_t)i, &costs[i]);
    if (!may_stay || is_wide(b, i) || costs[i] <= largest) continue;
    largest = costs[i];
    stays = i;
  }
  for (size_t i = 0; i < count; i++) {
    if (i == stays || !values[i].count) continue;
    pass_remark(b->p, b->ops.items[b->products.items[i]].op,
                "this product is a kernel of its own; numbers stored per row for the rest of its loop: %" PRId64,
                costs[i]);
    take_out(b, &values[i]);
  }
}

/* Computed rows are stored first, so that each remaining loop has products of stored rows only. */
static void split_loop(pass_context *p, MlirOperation loop) {
  if (inter_prune_results(p, loop)) return;
  inter_erase_dead(p, ir_region_block(loop));
  body b = look_at(p, loop);
  if (!b.products.count) return;
  MlirOperation rows;
  if (take_out_row(&b, &rows)) {
    if (!mlirOperationIsNull(rows)) split_loop(p, rows);
    split_loop(p, loop);
    return;
  }
  if (is_gemm(&b)) return;
  take_out_products(&b);
  if (!inter_prune_results(p, loop)) inter_erase_dead(p, ir_region_block(loop));
}

void to_intra_split_products(MlirOperation func, pass_context *p) {
  inter_ops loops = {0};
  MlirBlock block = ir_func_body(func);
  IR_FOR_EACH_OP(op, block)
    if (inter_is_outer_loop(op) && ir_op_kind(op) != IR_OP(inter, once)) VEC_PUSH(p->arena, &loops, op);
  for (size_t i = 0; i < loops.count; i++) split_loop(p, loops.items[i]);
}
