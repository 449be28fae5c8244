/* gnn-to-inter: lowers operations between sets: edges and their pairs, all nodes and those of one
 * type, nodes and the graphs of a batch.
 *
 *   gnn.collapse(u, %v, %w)   becomes   for_edges(u) ^(p): %s = for_members(g, p) {sum} ^(e): yield at(%w, e) * at(%v, e); yield %s
 *   gnn.expand(g, %v)         becomes   for_edges(g) ^(e): yield at(%v, group(e))
 *   gnn.pieces(g, %x)         becomes   the same over the nodes of each piece
 *   gnn.pool(g, %x)           becomes   for_types(g) {graph} ^(b): %s = for_members(g, b) {sum} ^(n): yield at(%x, n); yield %s */
#include "passes/gnn_to_inter/gnn_to_inter.h"

#include "passes/gnn/rules/gnn_rewrite.h"
#include "passes/inter/inter_loops.h"

#include <string.h>

static bool begin(to_inter *l, MlirOperation op, to_inter_loop *loop) {
  return to_inter_begin(l, op, ir_type_of(ir_result(op)), loop);
}

/* The result of a loop over members with one reduction. */
static MlirValue reduced(to_inter_loop *loop, to_inter_inner *inner, MlirValue payload) {
  if (mlirValueIsNull(payload)) {
    mlirRegionDestroy(inner->region);
    return payload;
  }
  const char *reduce = ir_get_string(loop->op, "reduce", "sum");
  MlirOperation members = to_inter_inner_end(loop, inner, &payload, &reduce, 1);
  return mlirOperationIsNull(members) ? (MlirValue){NULL} : ir_build_result(&loop->b, members, 0);
}

static void lower_expand(to_inter *l, MlirOperation op) {
  MlirValue value = ir_operand(op, IR_IN(gnn, expand, value));
  to_inter_loop loop;
  if (!begin(l, op, &loop)) return;
  ir_attr end[] = {{"end", ir_attr_string(l->p->context, ir_unique_end(ir_type_of(value).set))}, {NULL, {NULL}}};
  MlirValue pair = ir_build_value(&loop.b, IR_OP(inter, group), &loop.cursor, end);
  to_inter_end(&loop, mlirValueIsNull(pair) ? pair : to_inter_at(&loop.b, value, pair));
}

static void lower_collapse(to_inter *l, MlirOperation op) {
  MlirValue graph = ir_operand(op, IR_IN(gnn, collapse, graph)), value = ir_operand(op, IR_IN(gnn, collapse, value));
  MlirValue weight = ir_operand(op, IR_IN(gnn, collapse, weight));
  const char *set = ir_type_of(graph).set, *base = ir_base_set(l->p->context, set);
  MlirValue edges = to_inter_edge_graph(l, base);
  if (mlirValueIsNull(edges)) {
    l->ok = inter_refuse(l->p, op, "no graph of this function has the edges of '%s'", base);
    return;
  }
  to_inter_loop loop;
  if (!begin(l, op, &loop)) return;
  to_inter_inner inner = to_inter_inner_begin(&loop, IR_OP(inter, for_members), edges, ir_type_cursor("edge", base));
  bool is_edge = ir_type_of(value).kind == IR_KIND_edge, from_source = !strcmp(ir_unique_end(set), "dst");
  MlirValue at = is_edge ? inner.cursor : to_inter_end_of(&inner.b, inner.cursor, from_source);
  MlirValue payload = to_inter_at(&inner.b, value, at);
  if (!mlirValueIsNull(weight))
    payload = gnn_build_binary(&inner.b, IR_OP(gnn, multiply), to_inter_at(&inner.b, weight, inner.cursor), payload);
  to_inter_end(&loop, reduced(&loop, &inner, payload));
}

static void lower_group_size(to_inter *l, MlirOperation op) {
  to_inter_loop loop;
  if (begin(l, op, &loop)) to_inter_end(&loop, ir_build_value(&loop.b, IR_OP(inter, group_size), &loop.cursor, NULL));
}

static void lower_part(to_inter *l, MlirOperation op) {
  to_inter_loop loop;
  if (!begin(l, op, &loop)) return;
  MlirValue node = ir_build_value(&loop.b, IR_OP(inter, whole_row), &loop.cursor, NULL);
  to_inter_end(&loop,
               mlirValueIsNull(node) ? node : to_inter_at(&loop.b, ir_operand(op, IR_IN(gnn, part, value)), node));
}

static void lower_unite(to_inter *l, MlirOperation op) {
  MlirValue rows = ir_operand(op, IR_IN(gnn, unite, rows)), rest = ir_operand(op, IR_IN(gnn, unite, rest));
  to_inter_loop loop;
  if (!begin(l, op, &loop)) return;
  MlirValue operands[IR_MAX_OPERANDS] = {0};
  operands[IR_IN(inter, unite, rows)] = rows;
  operands[IR_IN(inter, unite, node)] = loop.cursor;
  operands[IR_IN(inter, unite, rest)] = to_inter_payload(&loop, rest);
  to_inter_end(&loop, ir_build_value(&loop.b, IR_OP(inter, unite), operands, NULL));
}

static void lower_pool(to_inter *l, MlirOperation op) {
  MlirValue value = ir_operand(op, IR_IN(gnn, pool, value));
  to_inter_loop loop;
  if (!begin(l, op, &loop)) return;
  to_inter_inner inner =
      to_inter_inner_begin(&loop, IR_OP(inter, for_members), loop.graph, ir_type_cursor("node", ir_type_of(value).set));
  to_inter_end(&loop, reduced(&loop, &inner, to_inter_at(&inner.b, value, inner.cursor)));
}

static void lower_pieces(to_inter *l, MlirOperation op) {
  MlirValue value = ir_operand(op, IR_IN(gnn, pieces, value)), times = ir_operand(op, IR_IN(gnn, pieces, times));
  to_inter_loop loop;
  if (!begin(l, op, &loop)) return;
  to_inter_inner inner =
      to_inter_inner_begin(&loop, IR_OP(inter, for_members), loop.graph, ir_type_cursor("node", ir_type_of(value).set));
  MlirValue payload = to_inter_at(&inner.b, value, inner.cursor);
  if (!mlirValueIsNull(times))
    payload = gnn_build_binary(&inner.b, IR_OP(gnn, outer), payload, to_inter_at(&inner.b, times, inner.cursor));
  to_inter_end(&loop, reduced(&loop, &inner, payload));
}

static void lower_combine(to_inter *l, MlirOperation op) {
  to_inter_loop loop;
  MlirValue x = ir_operand(op, IR_IN(gnn, combine, x));
  ir_attr attributes[] = {{"reduce", ir_get_attr(op, "reduce")}, {NULL, {NULL}}};
  if (begin(l, op, &loop)) to_inter_end(&loop, ir_build_value(&loop.b, IR_OP(inter, combine), &x, attributes));
}

static void lower_pair(to_inter *l, MlirOperation op) {
  to_inter_loop loop;
  if (begin(l, op, &loop))
    to_inter_end(&loop, to_inter_at(&loop.b, ir_operand(op, IR_IN(gnn, pair, value)), loop.cursor));
}

bool to_inter_sets(to_inter *l, MlirOperation op) {
  switch (ir_op_kind(op)) {
  case IR_OP(gnn, expand): lower_expand(l, op); return true;
  case IR_OP(gnn, collapse): lower_collapse(l, op); return true;
  case IR_OP(gnn, group_size): lower_group_size(l, op); return true;
  case IR_OP(gnn, part): lower_part(l, op); return true;
  case IR_OP(gnn, unite): lower_unite(l, op); return true;
  case IR_OP(gnn, pool): lower_pool(l, op); return true;
  case IR_OP(gnn, pair): lower_pair(l, op); return true;
  case IR_OP(gnn, pieces): lower_pieces(l, op); return true;
  case IR_OP(gnn, combine): lower_combine(l, op); return true;
  default: return false;
  }
}
