/* gnn-to-inter: products of sparse or normalised rows of features, and of those from which dropout takes entries.
 *
 *   gnn.linear(row_normalize(xs), w)   becomes   for n: s = sum of the stored entries, y = sum of entry * w[column]; yield y / s
 *
 * A normalised row is a multiple of the row, so the product is divided instead of the entries: a
 * sparse row has no room for new entries, and a dense row would be written and read again. Rows that
 * are gathered at pairs of edge type and node are read at the end of the pair, where they are stored,
 * and the entry selects a row of the weight of the pair's type. A
 * product with sparse rows needs the weight as [K, N]; a transposed weight is transposed once, in
 * bind where that is possible. */
#include "passes/gnn_to_inter/gnn_to_inter.h"
#include "passes/inter/inter_loops.h"

#include "passes/gnn/rules/gnn_rewrite.h"
#include "support/vec.h"

#include <string.h>

/* What stands between a stored input and a product: row normalisations and dropouts, from the input outwards. */
typedef struct row_chain {
  MlirValue x;         /* the stored input */
  MlirOperation reads; /* the gather that reads its rows at pairs; null: none */
  VEC(MlirOperation) ops;
  unsigned normalisations;
} row_chain;

static bool is_normalisation(MlirOperation op) {
  return ir_op_kind(op) == IR_OP(gnn, row_normalize);
}

static row_chain find_chain(arena *a, MlirValue x) {
  row_chain chain = {.x = x, .reads = gnn_producer(x, IR_OP(gnn, gather))};
  if (ir_type_of(x).kind != IR_KIND_sparse) chain.reads = (MlirOperation){NULL};
  if (!mlirOperationIsNull(chain.reads)) chain.x = ir_operand(chain.reads, IR_IN(gnn, gather, value));
  VEC(MlirOperation) inwards = {0};
  for (;;) {
    MlirOperation op = ir_defining_op(chain.x);
    bool is_dropout =
        !mlirOperationIsNull(op) && ir_op_kind(op) == IR_OP(gnn, dropout) && ir_type_of(chain.x).kind == IR_KIND_sparse;
    if (mlirOperationIsNull(op) || (!is_dropout && !is_normalisation(op))) break;
    VEC_PUSH(a, &inwards, op);
    chain.x = mlirOperationGetOperand(op, 0);
    chain.normalisations += !is_dropout;
  }
  for (size_t i = inwards.count; i-- > 0;) VEC_PUSH(a, &chain.ops, inwards.items[i]);
  return chain;
}

/* The numbers of a row that the loop over its entries adds up: entry * w[column] and, for each normalisation, the
 * entry that it divides. Equal entries are added up once. */
enum { MOST_SUMS = 16 };

typedef struct row_sums {
  MlirValue yields[MOST_SUMS];
  unsigned first, count;  /* first: the first yield that belongs to a normalisation */
  unsigned of[MOST_SUMS]; /* normalisation -> the yield that it divides by */
} row_sums;

static const char *const all_sums[MOST_SUMS] = {"sum", "sum", "sum", "sum", "sum", "sum", "sum", "sum",
                                                "sum", "sum", "sum", "sum", "sum", "sum", "sum", "sum"};

/* A dropout of the entry at a cursor over the entries of node `node`. */
static MlirValue drop_entry(const ir_builder *b, MlirOperation op, MlirValue entry, MlirValue cursor, MlirValue node) {
  const MlirValue operands[IR_MAX_OPERANDS] = {entry, cursor, node};
  ir_attr attributes[] = {{"p", ir_get_attr(op, "p")}, {"site", ir_get_attr(op, "site")}, {NULL, {NULL}}};
  return ir_build_value(b, IR_OP(inter, dropout), operands, attributes);
}

/* The entry behind the chain, without the divisions, and the sums for these. */
static MlirValue follow_chain(const ir_builder *b, const row_chain *chain, MlirValue entry, MlirValue cursor,
                              MlirValue node, row_sums *sums) {
  unsigned normalisation = 0;
  for (size_t i = 0; i < chain->ops.count; i++) {
    if (!is_normalisation(chain->ops.items[i])) {
      entry = drop_entry(b, chain->ops.items[i], entry, cursor, node);
      continue;
    }
    bool is_new = sums->count == sums->first || !mlirValueEqual(sums->yields[sums->count - 1], entry);
    if (is_new) sums->yields[sums->count++] = entry;
    sums->of[normalisation++] = sums->count - 1;
  }
  return entry;
}

/* Divides y, a linear function of the row, once for each normalisation: by the sum of the row as it is there, which is
 * the sum of the entries divided as often as they were before. */
static MlirValue divide_by_sums(const ir_builder *b, MlirValue y, MlirOperation loop, const row_sums *sums,
                                unsigned normalisations) {
  MlirValue divisors[MOST_SUMS];
  for (unsigned i = 0; i < normalisations; i++) {
    MlirValue sum = ir_build_result(b, loop, sums->of[i]);
    for (unsigned k = 0; k < i; k++) sum = gnn_build_binary(b, IR_OP(gnn, divide), sum, divisors[k]);
    divisors[i] = to_inter_divisor(b, sum);
    y = gnn_build_binary(b, IR_OP(gnn, divide), y, divisors[i]);
  }
  return y;
}

/* Divides y, a linear function of a dense row, as often as the row was normalised; `sum` is that of the stored row. */
static MlirValue normalise(const ir_builder *b, MlirValue y, MlirValue sum, unsigned times) {
  for (unsigned i = 0; i < times; i++) {
    MlirValue divisor = to_inter_divisor(b, sum);
    y = gnn_build_binary(b, IR_OP(gnn, divide), y, divisor);
    if (i + 1 < times) sum = gnn_build_binary(b, IR_OP(gnn, divide), sum, divisor);
  }
  return y;
}

/* The weight as [K, N], or one for each pair; a transposed one is transposed by a loop `once` before the operation. */
static MlirValue weight_rows(to_inter *l, MlirOperation op, const row_chain *chain) {
  MlirValue w = ir_operand(op, IR_IN(gnn, linear, w));
  bool is_typed = !mlirOperationIsNull(chain->reads) && !ir_get_bool(op, "transposed");
  if (is_typed) return w;
  if (ir_type_of(w).kind != IR_KIND_plain) {
    l->ok = inter_refuse(l->p, op,
                         "sparse features times a weight that differs from node to node are not lowered yet; "
                         "compile with dense features");
    return w;
  }
  if (!ir_get_bool(op, "transposed")) return w;
  ir_builder b = ir_builder_before(op);
  MlirBlock block;
  MlirRegion region = ir_region_create(b.context, NULL, 0, b.location, &block);
  ir_builder inside = ir_builder_at_end(block, b.location);
  MlirValue turned = gnn_build_unary(&inside, IR_OP(gnn, transpose), w);
  if (mlirValueIsNull(turned)) l->ok = false;
  ir_build_yield(&inside, &turned, 1);
  MlirOperation once = ir_build(&b, IR_OP(inter, once), NULL, NULL, region, (MlirType){NULL});
  return ir_build_result(&b, once, 0);
}

static void lower_linear(to_inter *l, MlirOperation op) {
  row_chain chain = find_chain(l->p->arena, ir_operand(op, IR_IN(gnn, linear, x)));
  MlirValue w = weight_rows(l, op, &chain), x = chain.x;
  if (chain.normalisations >= MOST_SUMS) l->ok = inter_refuse(l->p, op, "the row is normalised too often");
  if (!l->ok) return;
  to_inter_loop loop;
  if (!to_inter_begin(l, op, ir_type_of(ir_result(op)), &loop)) return;
  MlirValue node = loop.cursor;
  if (!mlirOperationIsNull(chain.reads)) {
    node = to_inter_end_of(&loop.b, loop.cursor, ir_string_is(chain.reads, "end", "src"));
    w = to_inter_payload(&loop, w);
  }
  to_inter_inner inner =
      to_inter_inner_begin(&loop, IR_OP(inter, for_nonzeros), x, ir_type_cursor("nonzero", ir_type_of(x).set));
  inner.operands[IR_IN(inter, for_nonzeros, node)] = node;
  row_sums sums = {.first = 1, .count = 1};
  MlirValue entry = to_inter_at(&inner.b, x, inner.cursor);
  const MlirValue row_operands[IR_MAX_OPERANDS] = {w, inner.cursor};
  MlirValue row = ir_build_value(&inner.b, IR_OP(inter, row), row_operands, NULL);
  entry = follow_chain(&inner.b, &chain, entry, inner.cursor, node, &sums);
  sums.yields[0] = gnn_build_binary(&inner.b, IR_OP(gnn, multiply), entry, row);
  MlirOperation entries = to_inter_inner_end(&loop, &inner, sums.yields, all_sums, sums.count);
  MlirValue y = ir_build_result(&loop.b, entries, 0);
  y = divide_by_sums(&loop.b, y, entries, &sums, chain.normalisations);
  MlirValue bias = to_inter_payload(&loop, ir_operand(op, IR_IN(gnn, linear, bias)));
  MlirValue addend = to_inter_payload(&loop, ir_operand(op, IR_IN(gnn, linear, addend)));
  to_inter_end(&loop, to_inter_linear_tail(&loop.b, op, y, bias, addend));
}

static void lower_densify(to_inter *l, MlirOperation op) {
  row_chain chain = find_chain(l->p->arena, ir_operand(op, IR_IN(gnn, densify, x)));
  MlirValue x = chain.x;
  if (chain.ops.count != chain.normalisations)
    l->ok = inter_refuse(l->p, op, "dropout of sparse features is read by products alone");
  if (!l->ok) return;
  to_inter_loop loop;
  if (!to_inter_begin(l, op, ir_type_of(ir_result(op)), &loop)) return;
  const MlirValue operands[IR_MAX_OPERANDS] = {x, loop.cursor};
  MlirValue row = ir_build_value(&loop.b, IR_OP(inter, dense_row), operands, NULL);
  ir_attr sum[] = {{"function", ir_attr_string(l->p->context, "sum")}, {NULL, {NULL}}};
  for (unsigned i = 0; i < chain.normalisations; i++) {
    MlirValue divisor = to_inter_divisor(&loop.b, ir_build_value(&loop.b, IR_OP(gnn, reduce), &row, sum));
    row = gnn_build_binary(&loop.b, IR_OP(gnn, divide), row, divisor);
  }
  to_inter_end(&loop, row);
}

void to_inter_normalized_linear(to_inter *l, MlirOperation op) {
  row_chain chain = find_chain(l->p->arena, ir_operand(op, IR_IN(gnn, linear, x)));
  MlirValue x = chain.x;
  to_inter_loop loop;
  if (!to_inter_begin(l, op, ir_type_of(ir_result(op)), &loop)) return;
  MlirValue row = to_inter_payload(&loop, x), w = to_inter_payload(&loop, ir_operand(op, IR_IN(gnn, linear, w)));
  const MlirValue operands[IR_MAX_OPERANDS] = {row, w};
  ir_attr attributes[] = {{"transposed", ir_attr_bool(l->p->context, ir_get_bool(op, "transposed"))}, {NULL, {NULL}}};
  MlirValue y = ir_build_value(&loop.b, IR_OP(gnn, linear), operands, attributes);
  ir_attr sum[] = {{"function", ir_attr_string(l->p->context, "sum")}, {NULL, {NULL}}};
  if (!mlirValueIsNull(y))
    y = normalise(&loop.b, y, ir_build_value(&loop.b, IR_OP(gnn, reduce), &row, sum), chain.normalisations);
  MlirValue bias = to_inter_payload(&loop, ir_operand(op, IR_IN(gnn, linear, bias)));
  MlirValue addend = to_inter_payload(&loop, ir_operand(op, IR_IN(gnn, linear, addend)));
  to_inter_end(&loop, to_inter_linear_tail(&loop.b, op, y, bias, addend));
}

/* y divided by the sums of the row at the loop's node, once for each normalisation of the chain. */
static MlirValue divide_row(to_inter_loop *loop, const row_chain *chain, MlirValue y) {
  if (ir_type_of(chain->x).kind != IR_KIND_sparse) {
    MlirValue row = to_inter_payload(loop, chain->x);
    ir_attr sum[] = {{"function", ir_attr_string(loop->b.context, "sum")}, {NULL, {NULL}}};
    return normalise(&loop->b, y, ir_build_value(&loop->b, IR_OP(gnn, reduce), &row, sum), chain->normalisations);
  }
  to_inter_inner inner = to_inter_inner_begin(loop, IR_OP(inter, for_nonzeros), chain->x,
                                              ir_type_cursor("nonzero", ir_type_of(chain->x).set));
  row_sums sums = {0};
  follow_chain(&inner.b, chain, to_inter_at(&inner.b, chain->x, inner.cursor), inner.cursor, loop->cursor, &sums);
  MlirOperation entries = to_inter_inner_end(loop, &inner, sums.yields, all_sums, sums.count);
  return divide_by_sums(&loop->b, y, entries, &sums, chain->normalisations);
}

/* Lets the kernel of a sum drop the entries of its sparse rows. */
static bool drop_entries(to_inter *l, MlirOperation op, const row_chain *chain) {
  unsigned dropouts = 0;
  for (size_t i = 0; i < chain->ops.count; i++) {
    if (is_normalisation(chain->ops.items[i])) continue;
    ir_set_attr(op, TO_INTER_DROPOUT_P, ir_get_attr(chain->ops.items[i], "p"));
    ir_set_attr(op, TO_INTER_DROPOUT_SITE, ir_get_attr(chain->ops.items[i], "site"));
    dropouts++;
  }
  if (dropouts > 1)
    l->ok =
        inter_refuse(l->p, op, "sparse features have two dropouts one after the other; compile with dense features");
  return dropouts <= 1;
}

/* Gives a sum over rows the graph that has them; false where the function has none. */
static bool set_graph_of_rows(to_inter *l, MlirOperation op, ir_type rows) {
  bool is_edge = rows.kind == IR_KIND_edge;
  if (rows.kind == IR_KIND_per) return true; /* of any graph of the function */
  MlirValue graph = is_edge ? to_inter_edge_graph(l, rows.set) : to_inter_node_graph(l, rows.set);
  if (mlirValueIsNull(graph)) {
    l->ok =
        inter_refuse(l->p, op, "no graph of this function has the %s of '%s'", is_edge ? "edges" : "nodes", rows.set);
    return false;
  }
  mlirOperationSetOperand(op, 0, graph);
  return true;
}

void to_inter_sum_by(to_inter *l, MlirOperation op) {
  set_graph_of_rows(l, op, ir_type_of(ir_operand(op, IR_IN(gnn, sum_by, value))));
}

void to_inter_contract(to_inter *l, MlirOperation op) {
  MlirValue a = ir_operand(op, IR_IN(gnn, contract, a)), b = ir_operand(op, IR_IN(gnn, contract, b));
  ir_type rows = ir_type_of(b);
  if (!set_graph_of_rows(l, op, rows) || rows.kind == IR_KIND_per || ir_value_is_null(a)) return;
  row_chain chain = find_chain(l->p->arena, a);
  if (!chain.ops.count || chain.normalisations >= MOST_SUMS || !drop_entries(l, op, &chain)) return;
  mlirOperationSetOperand(op, IR_IN(gnn, contract, a), chain.x);
  l->p->changed++;
  to_inter_loop loop;
  if (!chain.normalisations || !to_inter_begin(l, op, rows, &loop)) return;
  MlirValue divided = to_inter_close(&loop, divide_row(&loop, &chain, to_inter_payload(&loop, b)));
  if (!mlirValueIsNull(divided)) mlirOperationSetOperand(op, IR_IN(gnn, contract, b), divided);
}

void to_inter_sparse(to_inter *l, MlirOperation op) {
  switch (ir_op_kind(op)) {
  case IR_OP(gnn, linear): lower_linear(l, op); break;
  case IR_OP(gnn, densify): lower_densify(l, op); break;
  case IR_OP(gnn, dropout):
  case IR_OP(gnn, gather):
  case IR_OP(gnn, row_normalize): break; /* its users read through it */
  default:
    l->ok = inter_refuse(l->p, op, "%s of sparse features is not lowered yet; compile with dense features",
                         ir_op_name(op) + strlen("gnn."));
  }
}

/* ---- weights in bind ---- */

/* Whether every use reads the value as the transposed weight of a product with sparse rows. */
static bool only_transposed_rows(MlirValue w) {
  IR_FOR_EACH_USE(use, w) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    if (ir_op_kind(op) != IR_OP(gnn, linear) || !ir_get_bool(op, "transposed")) return false;
    if (mlirOpOperandGetOperandNumber(use) != IR_IN(gnn, linear, w)) return false;
    if (ir_type_of(ir_operand(op, IR_IN(gnn, linear, x))).kind != IR_KIND_sparse) return false;
  }
  return ir_value_has_uses(w);
}

void to_inter_transpose_in_bind(MlirOperation module, pass_context *p) {
  MlirOperation bind = inter_find_phase(module, "bind"), run = inter_find_phase(module, "run");
  if (mlirOperationIsNull(bind) || mlirOperationIsNull(run)) return;
  MlirBlock body = ir_func_body(run);
  MlirOperation end = ir_block_terminator(ir_func_body(bind));
  const int64_t *results = inter_bound_results(p, bind, run);
  for (size_t i = 0; i < (size_t)mlirBlockGetNumArguments(body); i++) {
    MlirValue w = mlirBlockGetArgument(body, (intptr_t)i);
    if (results[i] < 0 || !only_transposed_rows(w)) continue;
    MlirValue kept = mlirOperationGetOperand(end, results[i]);
    ir_builder b = ir_builder_before(end);
    b.location = mlirValueGetLocation(kept);
    MlirValue turned = gnn_build_unary(&b, IR_OP(gnn, transpose), kept);
    if (mlirValueIsNull(turned)) continue;
    mlirOperationSetOperand(end, results[i], turned);
    mlirValueSetType(w, mlirValueGetType(turned));
    IR_FOR_EACH_USE(use, w)
      mlirOperationRemoveAttributeByName(mlirOpOperandGetOwner(use), mlirStringRefCreateFromCString("transposed"));
    p->changed++;
  }
  gnn_func_update_type(p, bind);
  gnn_func_update_type(p, run);
}
