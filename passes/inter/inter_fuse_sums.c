/* inter-fuse-sums: computes sums over edges in the loop of the product to which they are added.
 *
 *   %s = for_nodes(g) ^(i): yield sum over incoming(i) of at(%m, src)     becomes     %h = for_nodes(g) ^(i): %s = sum over incoming(i)
 *   %h = for_nodes(g) ^(i): yield linear(at(%x, i), %w) + at(%s, i)                                           yield linear(at(%x, i), %w) + %s
 *
 * inter-to-intra makes a GEMM instance of the loop, whose epilogue has the inner loop. So the sums
 * are neither stored nor read again. The pass leaves sums that are the rows of the product, because a
 * product reads rows from memory; and products with a large matrix, which the rows that are gathered
 * between two blocks would drive out of the cache; and short sums. */
#include "passes/inter/inter_loops.h"
#include "passes/inter/inter_products.h"
#include "passes/inter/inter_simplify.h"

#include <string.h>

/* Numbers of a matrix that stays in the second-level cache (64 KiB); of the widest row that a kernel
 * keeps between a product and its epilogue; and of a cache line: shorter sums cost less to store
 * than the rows that the product takes from the cache meanwhile. */
enum { MOST_WEIGHTS = 1 << 14, WIDEST_ROW = 1 << 9, SHORTEST_ROW = 16 };

/* What the body of a loop has. */
typedef struct contents {
  MlirOperation loop;
  MlirOperation linear; /* the first product; null: none */
  int products;
  bool has_sum, has_other_loop; /* inner loops over the edges of a node, and others */
} contents;

static void look_at(MlirOperation op, void *user) {
  contents *c = user;
  if (inter_is_sum(op))
    c->has_sum = true;
  else if (!mlirBlockIsNull(ir_region_block(op)))
    c->has_other_loop = true;
  if (ir_op_kind(op) != IR_OP(gnn, linear)) return;
  if (!c->products++) c->linear = op;
}

static contents contents_of(MlirOperation loop) {
  contents c = {.loop = loop};
  inter_walk(ir_region_block(loop), look_at, &c);
  return c;
}

static int64_t elements_of(MlirValue value) {
  return ir_type_elements(ir_type_of(value));
}

/* The large product of stored rows that is all the work of a loop; false: there is none, or more. */
static bool find_product(MlirOperation loop, bool is_forced, inter_product *product) {
  contents c = contents_of(loop);
  if (c.products != 1 || c.has_sum || c.has_other_loop || !inter_product_find(c.linear, loop, product)) return false;
  if (mlirValueIsNull(product->a) || !inter_product_is_large(c.linear)) return false;
  int64_t width = elements_of(ir_result(c.linear));
  if (width > WIDEST_ROW) return false;
  return is_forced ||
         (width >= SHORTEST_ROW && elements_of(ir_operand(c.linear, IR_IN(gnn, linear, w))) <= MOST_WEIGHTS);
}

/* Whether all that a loop makes is read in `reader` alone, at its own cursor, and not as the row of
 * its product. */
static bool is_read_in(pass_context *p, MlirOperation loop, MlirOperation reader, MlirValue row) {
  inter_ops results = inter_results_of(p, loop);
  for (size_t i = 0; i < results.count; i++) {
    MlirValue result = ir_result(results.items[i]);
    if (mlirValueEqual(result, row) || elements_of(result) > WIDEST_ROW) return false;
    IR_FOR_EACH_USE(use, result) {
      MlirOperation at = mlirOpOperandGetOwner(use);
      if (ir_op_kind(at) != IR_OP(inter, at) || !mlirBlockEqual(mlirOperationGetBlock(at), ir_region_block(reader)))
        return false;
      if (!mlirValueEqual(ir_operand(at, IR_IN(inter, at, cursor)), inter_cursor_of(reader))) return false;
    }
  }
  return results.count > 0;
}

/* Whether `loop` makes sums for `reader`, over the same nodes, and can be part of it. */
static bool makes_sums_for(pass_context *p, MlirOperation loop, MlirOperation reader, MlirValue row) {
  if (ir_op_kind(loop) != IR_OP(inter, for_nodes)) return false;
  if (!mlirTypeEqual(mlirValueGetType(inter_cursor_of(loop)), mlirValueGetType(inter_cursor_of(reader)))) return false;
  if (ir_get_bool(loop, "gnn.again") != ir_get_bool(reader, "gnn.again")) return false;
  contents c = contents_of(loop);
  return c.has_sum && !c.has_other_loop && !c.products && is_read_in(p, loop, reader, row);
}

/* The loop whose sums `reader` may compute itself; null: none. */
static MlirOperation find_sums(pass_context *p, MlirOperation reader, MlirValue row) {
  MlirBlock body = ir_region_block(reader);
  IR_FOR_EACH_OP(op, body) {
    if (ir_op_kind(op) != IR_OP(inter, at)) continue;
    MlirOperation result = ir_defining_op(ir_operand(op, IR_IN(inter, at, value)));
    if (mlirOperationIsNull(result) || ir_op_kind(result) != IR_OP(inter, result)) continue;
    MlirOperation loop = ir_defining_op(ir_operand(result, IR_IN(inter, result, results)));
    if (makes_sums_for(p, loop, reader, row)) return loop;
  }
  return (MlirOperation){NULL};
}

/* Moves the body of `loop` to the beginning of `reader`, which then reads the values themselves. */
static void take_in(pass_context *p, MlirOperation loop, MlirOperation reader) {
  MlirBlock from = ir_region_block(loop), to = ir_region_block(reader);
  MlirOperation first = mlirBlockGetFirstOperation(to), yield = ir_block_terminator(from);
  mlirValueReplaceAllUsesOfWith(inter_cursor_of(loop), inter_cursor_of(reader));
  inter_ops results = inter_results_of(p, loop), reads = {0};
  for (size_t i = 0; i < results.count; i++) {
    MlirValue made = mlirOperationGetOperand(yield, (intptr_t)ir_get_integer(results.items[i], "index", 0));
    IR_FOR_EACH_USE(use, ir_result(results.items[i])) {
      MlirOperation read = mlirOpOperandGetOwner(use);
      mlirValueReplaceAllUsesOfWith(ir_result(read), made);
      VEC_PUSH(p->arena, &reads, read);
    }
  }
  IR_FOR_EACH_OP_SAFE(op, from) {
    if (mlirOperationEqual(op, yield)) break;
    mlirOperationMoveBefore(op, first);
  }
  for (size_t i = 0; i < reads.count; i++) mlirOperationDestroy(reads.items[i]);
  for (size_t i = 0; i < results.count; i++) mlirOperationDestroy(results.items[i]);
  mlirOperationDestroy(loop);
  inter_merge_equal(p, to);
  inter_erase_dead(p, to);
}

static void fuse_in(pass_context *p, MlirBlock body, bool is_forced) {
  VEC(MlirOperation) readers = {0};
  VEC(MlirValue) rows = {0};
  inter_product product;
  IR_FOR_EACH_OP(op, body) {
    if (ir_op_kind(op) != IR_OP(inter, for_nodes) || !find_product(op, is_forced, &product)) continue;
    VEC_PUSH(p->arena, &readers, op);
    VEC_PUSH(p->arena, &rows, product.a);
  }
  for (size_t i = 0; i < readers.count; i++) {
    MlirOperation loop = find_sums(p, readers.items[i], rows.items[i]);
    if (mlirOperationIsNull(loop)) continue;
    pass_remark(p, loop, "these sums are computed behind the product to which they are added, and not stored");
    take_in(p, loop, readers.items[i]);
    p->changed++;
  }
}

bool pass_run_inter_fuse_sums(MlirOperation root, pass_context *p) {
  bool is_forced = !strcmp(pass_option_string(p, "when", "automatic"), "always");
  IR_FOR_EACH_FUNC(func, root) fuse_in(p, ir_func_body(func), is_forced);
  return true;
}
