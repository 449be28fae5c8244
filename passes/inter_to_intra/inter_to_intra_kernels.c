/* inter-to-intra: makes an outer loop an instance of a template; its body keeps its operations and
 * gets loads and stores.
 *
 *   for_nodes(g) ^(i): gnn.linear(at(%x, i), %w), epilogue      becomes    intra.gemm(g, %x, %w) ^(i, p): epilogue of p; store
 *   any other loop                                              becomes    intra.traverse(g) ^(i): ...; store
 *   inter.at(%v, c)    intra.load(%v, c)        a captured %b    intra.load(%b), once for each kernel
 *
 * After the split before, a loop is over rows with one product, or a traversal. */
#include "passes/inter_to_intra/inter_to_intra.h"

#include "passes/gnn/rules/gnn_rewrite.h"
#include "passes/inter/inter_loops.h"
#include "passes/inter/inter_products.h"
#include "passes/inter/inter_simplify.h"

#include <string.h>

typedef struct kernel {
  to_intra *t;
  MlirOperation loop;
  MlirOperation linear; /* of a GEMM; else null */
  inter_product product;
  MlirBlock block;
  MlirValue cursor;
  MlirOperation yield;
  map loads; /* from a captured value to 1 + index in `loaded` */
  to_intra_values loaded;
} kernel;

/* ---- the template ---- */

/* The only product of a loop, if everything around it can be an epilogue: no other product, and
 * loops over the edges of a node only before a large product. Else null. */
static MlirOperation find_gemm(MlirOperation loop, inter_product *product) {
  MlirOperation found = {NULL};
  MlirBlock body = ir_region_block(loop);
  bool has_inner_loop = false;
  IR_FOR_EACH_OP(op, body) {
    if (inter_is_inner_loop(op)) {
      if (!mlirOperationIsNull(found) || !inter_is_sum(op)) return (MlirOperation){NULL};
      has_inner_loop = true;
    }
    if (ir_op_kind(op) != IR_OP(gnn, linear)) continue;
    if (!mlirOperationIsNull(found) || !inter_product_find(op, loop, product) || mlirValueIsNull(product->a))
      return (MlirOperation){NULL};
    if (has_inner_loop && !inter_product_is_large(op)) return (MlirOperation){NULL};
    found = op;
  }
  return found;
}

static void move_body(kernel *k) {
  MlirBlock from = ir_region_block(k->loop);
  IR_FOR_EACH_OP_SAFE(op, from) {
    mlirOperationRemoveFromParent(op);
    mlirBlockAppendOwnedOperation(k->block, op);
  }
  k->yield = ir_block_terminator(k->block);
}

/* The new block of the body; its arguments replace the loop's cursor and the product. */
static MlirRegion begin(kernel *k) {
  MlirContext context = k->t->p->context;
  MlirType types[2];
  size_t count = 0;
  MlirValue old_cursor = inter_cursor_of(k->loop);
  if (!mlirValueIsNull(old_cursor)) types[count++] = mlirValueGetType(old_cursor);
  if (!mlirOperationIsNull(k->linear)) types[count++] = mlirValueGetType(ir_result(k->linear));
  MlirRegion region = ir_region_create(context, types, count, mlirOperationGetLocation(k->loop), &k->block);
  if (!mlirValueIsNull(old_cursor)) {
    k->cursor = mlirBlockGetArgument(k->block, 0);
    mlirValueReplaceAllUsesOfWith(old_cursor, k->cursor);
  }
  move_body(k);
  if (!mlirOperationIsNull(k->linear))
    mlirValueReplaceAllUsesOfWith(ir_result(k->linear), mlirBlockGetArgument(k->block, 1));
  return region;
}

/* ---- the body ---- */

static bool is_old(const kernel *k, MlirValue value) {
  return mlirBlockEqual(inter_value_block(value), ir_func_body(k->t->old));
}

/* The node whose type or graph selects the row of a value per type. For a node of a part it is that
 * node among all nodes. */
static MlirValue selecting_cursor(const ir_builder *b, MlirOperation at) {
  MlirValue value = mlirOperationGetOperand(at, 0), cursor = mlirOperationGetOperand(at, 1);
  bool of_part = ir_type_of(value).kind == IR_KIND_per && ir_whole_set(b->context, ir_type_of(cursor).set);
  return of_part ? ir_build_value(b, IR_OP(inter, whole_row), &cursor, NULL) : cursor;
}

/* Replaces a read by operation `with` (intra.load or another read) of the buffer of operand 0, at
 * operand 1. */
static void replace_read(kernel *k, MlirOperation op, ir_op with) {
  ir_builder b = ir_builder_before(op);
  const MlirValue operands[IR_MAX_OPERANDS] = {to_intra_buffer(k->t, mlirOperationGetOperand(op, 0)),
                                               selecting_cursor(&b, op)};
  MlirOperation read = ir_build(&b, with, operands, NULL, (MlirRegion){NULL}, mlirValueGetType(ir_result(op)));
  mlirValueReplaceAllUsesOfWith(ir_result(op), ir_result(read));
  mlirOperationDestroy(op);
}

/* Replaces inter.combine, which reads all rows of a buffer. */
static void replace_combine(kernel *k, MlirOperation op) {
  ir_builder b = ir_builder_before(op);
  MlirValue buffer = to_intra_buffer(k->t, mlirOperationGetOperand(op, 0));
  ir_attr attributes[] = {{"reduce", ir_get_attr(op, "reduce")}, {NULL, {NULL}}};
  mlirValueReplaceAllUsesOfWith(ir_result(op), ir_build_value(&b, IR_OP(intra, combine), &buffer, attributes));
  mlirOperationDestroy(op);
}

static void replace_nonzeros(kernel *k, MlirOperation op) {
  const MlirValue operands[IR_MAX_OPERANDS] = {to_intra_buffer(k->t, mlirOperationGetOperand(op, 0)),
                                               mlirOperationGetOperand(op, 1)};
  MlirRegion region = mlirRegionCreate();
  mlirRegionTakeBody(region, mlirOperationGetRegion(op, 0));
  ir_attr attributes[] = {{"reduce", ir_get_attr(op, "reduce")}, {NULL, {NULL}}};
  ir_builder b = ir_builder_before(op);
  MlirOperation made =
      ir_build(&b, IR_OP(intra, nonzeros), operands, attributes, region, mlirValueGetType(ir_result(op)));
  mlirValueReplaceAllUsesOfWith(ir_result(op), ir_result(made));
  mlirOperationDestroy(op);
}

/* Replaces inter.unite: reads the row of a part at a node of the whole graph. */
static void replace_unite(kernel *k, MlirOperation op) {
  const MlirValue operands[IR_MAX_OPERANDS] = {to_intra_buffer(k->t, ir_operand(op, IR_IN(inter, unite, rows))),
                                               ir_operand(op, IR_IN(inter, unite, node)),
                                               ir_operand(op, IR_IN(inter, unite, rest))};
  ir_builder b = ir_builder_before(op);
  MlirValue row = ir_build_value(&b, IR_OP(intra, unite), operands, NULL);
  mlirValueReplaceAllUsesOfWith(ir_result(op), row);
  mlirOperationDestroy(op);
}

/* Replaces a captured value of the function: a graph by its new graph, a plain tensor by a load at
 * the beginning of the kernel. */
static void replace_captured(kernel *k, MlirOperation op, intptr_t position) {
  MlirValue value = mlirOperationGetOperand(op, position);
  if (ir_type_of(value).kind == IR_KIND_graph) {
    mlirOperationSetOperand(op, position, to_intra_graph(k->t, value));
    return;
  }
  int64_t at = map_get(&k->loads, value.ptr, 0);
  if (!at) {
    const MlirValue operands[IR_MAX_OPERANDS] = {to_intra_buffer(k->t, value)};
    ir_builder b = ir_builder_before(mlirBlockGetFirstOperation(k->block));
    b.location = mlirValueGetLocation(value);
    MlirOperation load = ir_build(&b, IR_OP(intra, load), operands, NULL, (MlirRegion){NULL}, mlirValueGetType(value));
    VEC_PUSH(k->t->p->arena, &k->loaded, ir_result(load));
    at = (int64_t)k->loaded.count;
    map_set(&k->loads, value.ptr, at);
  }
  mlirOperationSetOperand(op, position, k->loaded.items[at - 1]);
}

typedef struct op_list {
  arena *arena;
  VEC(MlirOperation) ops;
} op_list;

static void collect(MlirOperation op, void *user) {
  op_list *list = user;
  VEC_PUSH(list->arena, &list->ops, op);
}

/* Makes a fold read its order from the buffer, place by place, and other captured values as before. */
static void replace_fold_operands(kernel *k, MlirOperation op) {
  MlirValue order = ir_operand(op, IR_IN(inter, fold, order));
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    if (!mlirValueIsNull(order) && mlirValueEqual(operand, order))
      mlirOperationSetOperand(op, i, to_intra_buffer(k->t, order));
    else if (is_old(k, operand))
      replace_captured(k, op, i);
  }
}

static void rewrite(kernel *k, MlirOperation op) {
  switch (ir_op_kind(op)) {
  case IR_OP(inter, fold): replace_fold_operands(k, op); return;
  case IR_OP(inter, at): replace_read(k, op, IR_OP(intra, load)); return;
  case IR_OP(inter, row):
    if (is_old(k, ir_operand(op, IR_IN(inter, row, w)))) replace_read(k, op, IR_OP(intra, load_row));
    return; /* else the matrix is read in the body */
  case IR_OP(inter, combine): replace_combine(k, op); return;
  case IR_OP(inter, dense_row): replace_read(k, op, IR_OP(intra, dense_row)); return;
  case IR_OP(inter, for_nonzeros): replace_nonzeros(k, op); return;
  case IR_OP(inter, unite):
    for (intptr_t i = 2; i < mlirOperationGetNumOperands(op); i++)
      if (is_old(k, mlirOperationGetOperand(op, i))) replace_captured(k, op, i);
    replace_unite(k, op);
    return;
  default: break;
  }
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++)
    if (is_old(k, mlirOperationGetOperand(op, i))) replace_captured(k, op, i);
}

/* Replaces the yield by stores of the yielded values. */
static void store_results(kernel *k) {
  inter_ops results = inter_results_of(k->t->p, k->loop);
  ir_builder b = ir_builder_before(k->yield);
  for (size_t r = 0; r < results.count; r++) {
    MlirOperation result = results.items[r];
    const to_intra_values *targets = to_intra_targets(k->t, ir_result(result));
    MlirValue value = mlirOperationGetOperand(k->yield, (intptr_t)ir_get_integer(result, "index", 0));
    b.location = mlirOperationGetLocation(result);
    for (size_t i = 0; targets && i < targets->count; i++) {
      const MlirValue operands[IR_MAX_OPERANDS] = {value, targets->items[i], k->cursor};
      ir_build(&b, IR_OP(intra, store), operands, NULL, (MlirRegion){NULL}, (MlirType){NULL});
    }
  }
  ir_build_yield(&b, NULL, 0);
  mlirOperationDestroy(k->yield);
}

/* The place of the new kernel. */
static ir_builder kernel_builder(const kernel *k) {
  return (ir_builder){.context = k->t->p->context,
                      .block = k->t->body,
                      .before = k->t->end,
                      .location = mlirOperationGetLocation(k->loop)};
}

/* Builds the GEMM with its operands and attributes, and erases its linear layer and what only that
 * used. */
static MlirOperation end_gemm(kernel *k, MlirValue graph, MlirRegion region) {
  const inter_product *product = &k->product;
  MlirContext context = k->t->p->context;
  const MlirValue operands[IR_MAX_OPERANDS] = {graph, to_intra_buffer(k->t, product->a),
                                               to_intra_buffer(k->t, product->w)};
  bool gathers = strcmp(product->gather, "none") != 0;
  ir_attr attributes[] = {{"transposed", ir_attr_bool(context, ir_get_bool(k->linear, "transposed"))},
                          {"gather", gathers ? ir_attr_string(context, product->gather) : (MlirAttribute){NULL}},
                          {"batch", ir_attr_bool(context, product->batch)},
                          {NULL, {NULL}}};
  mlirOperationDestroy(k->linear);
  inter_erase_dead(k->t->p, k->block);
  ir_builder b = kernel_builder(k);
  return ir_build(&b, IR_OP(intra, gemm), operands, attributes, region, (MlirType){NULL});
}

static const char *domain_of(MlirOperation loop) {
  switch (ir_op_kind(loop)) {
  case IR_OP(inter, for_nodes): return "node";
  case IR_OP(inter, for_edges): return "edge";
  case IR_OP(inter, for_types): return ir_get_string(loop, "per", "etype");
  default: return "one";
  }
}

static MlirOperation end_traverse(kernel *k, MlirValue graph, MlirRegion region) {
  MlirContext context = k->t->p->context;
  bool is_types = ir_op_kind(k->loop) == IR_OP(inter, for_types);
  int64_t count = is_types ? ir_get_integer(k->loop, "count", 0) : 0;
  ir_attr attributes[] = {{"domain", ir_attr_string(context, domain_of(k->loop))},
                          {"count", is_types ? ir_attr_integer(context, count) : (MlirAttribute){NULL}},
                          {NULL, {NULL}}};
  const MlirValue operands[IR_MAX_OPERANDS] = {graph};
  ir_builder b = kernel_builder(k);
  return ir_build(&b, IR_OP(intra, traverse), operands, attributes, region, (MlirType){NULL});
}

static bool stores_anything(const to_intra *t, MlirOperation loop) {
  IR_FOR_EACH_USE(use, ir_result(loop))
    if (to_intra_targets(t, ir_result(mlirOpOperandGetOwner(use)))) return true;
  return false;
}

bool to_intra_kernel(to_intra *t, MlirOperation loop) {
  if (!stores_anything(t, loop)) return true;
  kernel k = {.t = t, .loop = loop, .loads = {.arena = t->p->arena}};
  k.linear = find_gemm(loop, &k.product);
  bool is_gemm = !mlirOperationIsNull(k.linear);
  MlirValue graph = {NULL};
  if (ir_op_kind(loop) != IR_OP(inter, once)) graph = to_intra_graph(t, mlirOperationGetOperand(loop, 0));
  MlirRegion region = begin(&k);
  op_list list = {.arena = t->p->arena};
  MlirOperation made = {NULL};
  if (is_gemm) made = end_gemm(&k, graph, region);
  inter_walk(k.block, collect, &list);
  for (size_t i = 0; i < list.ops.count; i++) rewrite(&k, list.ops.items[i]);
  store_results(&k);
  if (!is_gemm) made = end_traverse(&k, graph, region);
  t->p->changed++;
  return !mlirOperationIsNull(made);
}
