/* Adjoints of operations between nodes, edges and types.
 *
 *   y[n] = sum over edges into n of w[e] x[src(e)]    dx[u] = sum over edges out of u of w[e] dy[dst(e)]
 *                                                     dw[e] = dy[dst(e)] . x[src(e)]
 *
 * The adjoint of a sum over incoming edges is a sum over outgoing ones: no edge is written, and the
 * order of each sum stays that of the file. */
#include "passes/gnn/train/gnn_adjoint.h"

#include "passes/gnn/rules/gnn_rewrite.h"

#include <string.h>

#define OPERAND(op, name) o->operands[IR_IN(gnn, op, name)]

static MlirValue build_part(const gnn_adjoint *a, MlirOperation like, ir_op kind, MlirValue value) {
  const MlirValue operands[IR_MAX_OPERANDS] = {mlirOperationGetOperand(like, 0), value};
  ir_attr attributes[] = {{"type", ir_get_attr(like, "type")}, {NULL, {NULL}}};
  return ir_build_value(&a->b, kind, operands, attributes);
}

void gnn_adjoint_of_gather(gnn_adjoint_op *o) {
  const char *direction = ir_string_is(o->op, "end", "src") ? "out" : "in";
  gnn_adjoint_add(o->a, OPERAND(gather, value),
                  gnn_adjoint_sum_at(o->a, OPERAND(gather, graph), o->d, (MlirValue){NULL}, direction));
}

void gnn_adjoint_of_extend_edges(gnn_adjoint_op *o) {
  const MlirValue operands[IR_MAX_OPERANDS] = {OPERAND(extend_edges, graph), o->d};
  gnn_adjoint_add(o->a, OPERAND(extend_edges, value),
                  ir_build_value(&o->a->b, IR_OP(gnn, restrict_edges), operands, NULL));
}

void gnn_adjoint_of_restrict_edges(gnn_adjoint_op *o) {
  const MlirValue operands[IR_MAX_OPERANDS] = {OPERAND(restrict_edges, graph), o->d};
  ir_attr attributes[] = {{"fill", ir_attr_float(o->a->b.context, 0)}, {NULL, {NULL}}};
  gnn_adjoint_add(o->a, OPERAND(restrict_edges, value),
                  ir_build_value(&o->a->b, IR_OP(gnn, extend_edges), operands, attributes));
}

/* The edge in the opposite direction of that in the opposite direction is the edge itself. */
void gnn_adjoint_of_opposite_edges(gnn_adjoint_op *o) {
  const MlirValue operands[IR_MAX_OPERANDS] = {OPERAND(opposite_edges, graph), o->d};
  gnn_adjoint_add(o->a, OPERAND(opposite_edges, value),
                  ir_build_value(&o->a->b, IR_OP(gnn, opposite_edges), operands, NULL));
}

void gnn_adjoint_of_expand(gnn_adjoint_op *o) {
  MlirValue pairs = gnn_adjoint_graph_of(o->a, OPERAND(expand, value));
  const MlirValue operands[IR_MAX_OPERANDS] = {pairs, o->d};
  ir_attr attributes[] = {{"reduce", ir_attr_string(o->a->b.context, "sum")}, {NULL, {NULL}}};
  gnn_adjoint_add(o->a, OPERAND(expand, value), ir_build_value(&o->a->b, IR_OP(gnn, collapse), operands, attributes));
}

void gnn_adjoint_of_part(gnn_adjoint_op *o) {
  gnn_adjoint_add(o->a, OPERAND(part, value), build_part(o->a, o->op, IR_OP(gnn, unite), o->d));
}

void gnn_adjoint_of_unite(gnn_adjoint_op *o) {
  MlirValue rows = build_part(o->a, o->op, IR_OP(gnn, part), o->d);
  gnn_adjoint_add(o->a, OPERAND(unite, rows), rows);
  if (!gnn_adjoint_is_active(o->a, OPERAND(unite, rest))) return;
  ir_type type = ir_type_of(o->d);
  MlirValue zero = gnn_adjoint_constant(o->a, 0), none = gnn_adjoint_zeros(o->a, type.rank, type.dims);
  ir_attr attributes[] = {{"type", ir_get_attr(o->op, "type")}, {NULL, {NULL}}};
  const MlirValue operands[IR_MAX_OPERANDS] = {OPERAND(unite, graph), gnn_adjoint_select(o->a, zero, rows, none), o->d};
  gnn_adjoint_add(o->a, OPERAND(unite, rest), ir_build_value(&o->a->b, IR_OP(gnn, unite), operands, attributes));
}

/* Sums of the rows of each type. Where a linear layer multiplies by the slice, its rule has added to
 * the table itself, so that no row gets a matrix. */
void gnn_adjoint_of_slice(gnn_adjoint_op *o) {
  MlirValue table = OPERAND(slice, value);
  const char *per = ir_type_of(table).set;
  if (strcmp(per, "graph") != 0) {
    MlirValue sum = gnn_adjoint_contract(o->a, (MlirValue){NULL}, o->d, false, per, gnn_adjoint_count(o->a, table));
    gnn_adjoint_add(o->a, table, sum);
    return;
  }
  const MlirValue operands[IR_MAX_OPERANDS] = {OPERAND(slice, graph), o->d};
  ir_attr attributes[] = {{"reduce", ir_attr_string(o->a->b.context, "sum")}, {NULL, {NULL}}};
  gnn_adjoint_add(o->a, table, ir_build_value(&o->a->b, IR_OP(gnn, pool), operands, attributes));
}

/* ---- reductions over edges ---- */

/* A reduction over the edges at nodes (aggregate) or pairs (collapse). */
typedef struct reduction {
  gnn_adjoint *a;
  MlirValue graph; /* whose edges are reduced */
  MlirValue value, weight;
  const char *end, *other;   /* the end at which edges are reduced, and the one from which node values come */
  bool is_pairs, is_at_node; /* is_at_node: value is per node, at `other` */
} reduction;

static reduction reduction_of(const gnn_adjoint_op *o) {
  reduction r = {.a = o->a, .value = OPERAND(aggregate, value), .weight = OPERAND(aggregate, weight)};
  r.is_pairs = ir_op_kind(o->op) == IR_OP(gnn, collapse);
  r.is_at_node = ir_type_of(r.value).kind == IR_KIND_node;
  r.graph = OPERAND(aggregate, graph);
  bool is_dst =
      r.is_pairs ? !strcmp(ir_unique_end(ir_type_of(r.graph).set), "dst") : ir_string_is(o->op, "direction", "in");
  r.end = is_dst ? "dst" : "src";
  r.other = is_dst ? "src" : "dst";
  if (r.is_pairs) {
    const char *base = ir_base_set(o->a->b.context, ir_type_of(r.graph).set);
    r.graph = (MlirValue){map_get_pointer(&o->a->graphs, base)};
  }
  return r;
}

/* A value of the nodes or pairs that were reduced to, at each edge. */
static MlirValue at_edges(const reduction *r, MlirValue x) {
  if (!r->is_pairs) return gnn_build_gather(&r->a->b, r->graph, x, r->end);
  const MlirValue operands[IR_MAX_OPERANDS] = {r->graph, x};
  return ir_build_value(&r->a->b, IR_OP(gnn, expand), operands, NULL);
}

static MlirValue value_at_edges(const reduction *r) {
  return r->is_at_node ? gnn_build_gather(&r->a->b, r->graph, r->value, r->other) : r->value;
}

/* Adds `d` per edge, the adjoint of weight * value, to both. */
static void add_at_edges(const reduction *r, MlirValue d) {
  bool has_weight = !ir_value_is_null(r->weight);
  if (has_weight) gnn_adjoint_add_product(r->a, r->weight, d, value_at_edges(r));
  if (!gnn_adjoint_is_active(r->a, r->value)) return;
  if (has_weight) d = gnn_adjoint_binary(r->a, IR_OP(gnn, multiply), r->weight, d);
  if (r->is_at_node) {
    const char *direction = !strcmp(r->other, "src") ? "out" : "in";
    d = gnn_adjoint_sum_at(r->a, r->graph, d, (MlirValue){NULL}, direction);
  }
  gnn_adjoint_add(r->a, r->value, d);
}

/* Of a sum; d is the adjoint at nodes or pairs. */
static void add_sum(const reduction *r, MlirValue d) {
  add_at_edges(r, at_edges(r, d));
}

static MlirValue count_edges(const gnn_adjoint_op *o, const reduction *r) {
  if (r->is_pairs) return gnn_build_unary(&o->a->b, IR_OP(gnn, group_size), OPERAND(aggregate, graph));
  ir_attr attributes[] = {{"direction", ir_get_attr(o->op, "direction")}, {NULL, {NULL}}};
  MlirValue count = ir_build_value(&o->a->b, IR_OP(gnn, degree), &OPERAND(aggregate, graph), attributes);
  return gnn_adjoint_binary(o->a, IR_OP(gnn, maximum), count, gnn_adjoint_constant(o->a, 1));
}

/* Of a maximum or minimum: edges that reach it share equally, as PyTorch's scatter_reduce does. */
static void add_extreme(const gnn_adjoint_op *o, const reduction *r) {
  MlirValue v = value_at_edges(r);
  if (!ir_value_is_null(r->weight)) v = gnn_adjoint_binary(o->a, IR_OP(gnn, multiply), r->weight, v);
  MlirValue won = gnn_adjoint_compare(o->a, v, at_edges(r, o->result), "eq");
  ir_attr changes[] = {{"reduce", ir_attr_string(o->a->b.context, "sum")}, {NULL, {NULL}}};
  const MlirValue operands[IR_MAX_OPERANDS] = {OPERAND(aggregate, graph), won};
  MlirValue winners = gnn_build_like(&o->a->b, o->op, operands, changes);
  winners = gnn_adjoint_binary(o->a, IR_OP(gnn, maximum), winners, gnn_adjoint_constant(o->a, 1));
  MlirValue share = gnn_adjoint_binary(o->a, IR_OP(gnn, divide), o->d, winners);
  add_at_edges(r, gnn_adjoint_binary(o->a, IR_OP(gnn, multiply), at_edges(r, share), won));
}

void gnn_adjoint_of_aggregate(gnn_adjoint_op *o) {
  reduction r = reduction_of(o);
  const char *reduce = ir_get_string(o->op, "reduce", "sum");
  if (!strcmp(reduce, "prod"))
    gnn_adjoint_refuse(o->a, o->op, "a product over edges cannot be differentiated");
  else if (!strcmp(reduce, "sum"))
    add_sum(&r, o->d);
  else if (!strcmp(reduce, "mean"))
    add_sum(&r, gnn_adjoint_binary(o->a, IR_OP(gnn, divide), o->d, count_edges(o, &r)));
  else
    add_extreme(o, &r);
}

/* ---- reductions over nodes ---- */

/* The sum, over the same nodes, of a value that is 1 where `like` has a row. */
static MlirValue count_members(const gnn_adjoint_op *o, MlirValue ones) {
  ir_attr changes[] = {{"reduce", ir_attr_string(o->a->b.context, "sum")}, {NULL, {NULL}}};
  const MlirValue operands[IR_MAX_OPERANDS] = {OPERAND(pool, graph), ones};
  MlirValue count = gnn_build_like(&o->a->b, o->op, operands, changes);
  return gnn_adjoint_binary(o->a, IR_OP(gnn, maximum), count, gnn_adjoint_constant(o->a, 1));
}

/* A value that does not depend on nodes, or is per graph, at each node. */
static MlirValue at_nodes(const gnn_adjoint_op *o, MlirValue x) {
  if (ir_op_kind(o->op) == IR_OP(gnn, total)) return x;
  const MlirValue operands[IR_MAX_OPERANDS] = {OPERAND(pool, graph), x};
  ir_attr attributes[] = {{"by", ir_attr_string(o->a->b.context, "node")}, {NULL, {NULL}}};
  return ir_build_value(&o->a->b, IR_OP(gnn, slice), operands, attributes);
}

/* 1 at each node. */
static MlirValue ones_of(const gnn_adjoint_op *o) {
  ir_attr in[] = {{"direction", ir_attr_string(o->a->b.context, "in")}, {NULL, {NULL}}};
  MlirValue degree = ir_build_value(&o->a->b, IR_OP(gnn, degree), &OPERAND(pool, graph), in);
  MlirValue one = gnn_adjoint_constant(o->a, 1);
  return gnn_adjoint_select(o->a, degree, one, one);
}

void gnn_adjoint_of_pool(gnn_adjoint_op *o) {
  MlirValue value = OPERAND(pool, value);
  const char *reduce = ir_get_string(o->op, "reduce", "sum");
  if (!strcmp(reduce, "prod")) {
    gnn_adjoint_refuse(o->a, o->op, "a product over nodes cannot be differentiated");
  } else if (!strcmp(reduce, "sum")) {
    gnn_adjoint_add(o->a, value, at_nodes(o, o->d));
  } else if (!strcmp(reduce, "mean")) {
    gnn_adjoint_add(o->a, value,
                    at_nodes(o, gnn_adjoint_binary(o->a, IR_OP(gnn, divide), o->d, count_members(o, ones_of(o)))));
  } else {
    MlirValue won = gnn_adjoint_compare(o->a, value, at_nodes(o, o->result), "eq");
    MlirValue share = gnn_adjoint_binary(o->a, IR_OP(gnn, divide), o->d, count_members(o, won));
    gnn_adjoint_add(o->a, value, gnn_adjoint_binary(o->a, IR_OP(gnn, multiply), won, at_nodes(o, share)));
  }
}

void gnn_adjoint_of_total(gnn_adjoint_op *o) {
  MlirValue times = OPERAND(total, times), value = OPERAND(total, value);
  if (ir_value_is_null(times)) {
    gnn_adjoint_of_pool(o);
    return;
  }
  MlirValue d = o->d;
  if (ir_string_is(o->op, "reduce", "mean"))
    d = gnn_adjoint_binary(o->a, IR_OP(gnn, divide), d, count_members(o, ones_of(o)));
  if (gnn_adjoint_is_active(o->a, value)) gnn_adjoint_add(o->a, value, gnn_adjoint_linear(o->a, times, d, true));
  if (gnn_adjoint_is_active(o->a, times)) gnn_adjoint_add(o->a, times, gnn_adjoint_linear(o->a, value, d, false));
}
