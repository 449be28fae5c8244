/* Adjoints of choices among the members of groups: edges at a node, nodes of a graph of a batch.
 *
 *   y[n] = lo[n] + t[n] (hi[n] - lo[n])       dx[m] = (1 - t) dy[n] where x[m] is lo[n], t dy[n] where it is hi[n]
 *
 *   y[n] = the first values of group n        dx[m] = dy[n][k] where m is member k of group n, else 0
 *
 * Members that are equal share. t comes from the result, so that both agree about the neighbours. */
#include "passes/gnn/train/gnn_adjoint.h"

#include "passes/gnn/rules/gnn_rewrite.h"

#include <string.h>

#define OPERAND(op, name) o->operands[IR_IN(gnn, op, name)]

/* The groups of an operation over members, and the value of each member. */
typedef struct groups {
  gnn_adjoint *a;
  MlirOperation op;
  MlirValue graph, value, member; /* member: of a quantile alone */
  const char *over;
  bool is_gathered; /* value is per node, member per edge */
} groups;

static const char *other_end(const groups *g) {
  return !strcmp(g->over, "in") ? "src" : "dst";
}

_Static_assert(IR_IN(gnn, first, graph) == IR_IN(gnn, quantile, graph) &&
                   IR_IN(gnn, first, value) == IR_IN(gnn, quantile, value),
               "operations over members have the same first operands");

static groups groups_of(const gnn_adjoint_op *o) {
  groups g = {.a = o->a, .op = o->op, .graph = OPERAND(quantile, graph), .value = OPERAND(quantile, value)};
  g.over = ir_get_string(o->op, "over", "in");
  g.is_gathered = strcmp(g.over, "graph") != 0 && ir_type_of(g.value).kind == IR_KIND_node;
  return g;
}

/* The sum over the members of each group. */
static MlirValue sum_of(const groups *g, MlirValue x) {
  if (strcmp(g->over, "graph") != 0) return gnn_adjoint_sum_at(g->a, g->graph, x, (MlirValue){NULL}, g->over);
  const MlirValue operands[IR_MAX_OPERANDS] = {g->graph, x};
  ir_attr attributes[] = {{"reduce", ir_attr_string(g->a->b.context, "sum")}, {NULL, {NULL}}};
  return ir_build_value(&g->a->b, IR_OP(gnn, pool), operands, attributes);
}

/* A value of each group, at its members. */
static MlirValue at_members(const groups *g, MlirValue x) {
  const char *end = !strcmp(g->over, "in") ? "dst" : "src";
  if (strcmp(g->over, "graph") != 0) return gnn_build_gather(&g->a->b, g->graph, x, end);
  const MlirValue operands[IR_MAX_OPERANDS] = {g->graph, x};
  ir_attr attributes[] = {{"by", ir_attr_string(g->a->b.context, "node")}, {NULL, {NULL}}};
  return ir_build_value(&g->a->b, IR_OP(gnn, slice), operands, attributes);
}

/* The member below the quantile; `is_above`: the one above, which is below that of the negated values from the other side. */
static MlirValue neighbour(const groups *g, bool is_above) {
  const gnn_adjoint *a = g->a;
  double q = ir_get_float(g->op, "q", 0);
  ir_attr changes[] = {{"interpolation", ir_attr_string(a->b.context, "lower")},
                       {"q", ir_attr_float(a->b.context, is_above ? 1 - q : q)},
                       {NULL, {NULL}}};
  const MlirValue operands[IR_MAX_OPERANDS] = {g->graph,
                                               is_above ? gnn_adjoint_unary(a, g->value, "negate") : g->value};
  MlirValue found = gnn_build_like(&a->b, g->op, operands, changes);
  return is_above ? gnn_adjoint_unary(a, found, "negate") : found;
}

/* Adds d per member to the value, of which several members may have the same row. */
static void add_members(const groups *g, MlirValue d) {
  const char *direction = !strcmp(other_end(g), "src") ? "out" : "in";
  if (g->is_gathered) d = gnn_adjoint_sum_at(g->a, g->graph, d, (MlirValue){NULL}, direction);
  gnn_adjoint_add(g->a, g->value, d);
}

/* Adds d, per group, to the members that are `chosen`. */
static void add_to_members(const groups *g, MlirValue chosen, MlirValue d) {
  gnn_adjoint *a = g->a;
  MlirValue won = gnn_adjoint_compare(a, g->member, at_members(g, chosen), "eq");
  MlirValue count = gnn_adjoint_binary(a, IR_OP(gnn, maximum), sum_of(g, won), gnn_adjoint_constant(a, 1));
  MlirValue share = at_members(g, gnn_adjoint_binary(a, IR_OP(gnn, divide), d, count));
  add_members(g, gnn_adjoint_binary(a, IR_OP(gnn, multiply), share, won));
}

void gnn_adjoint_of_quantile(gnn_adjoint_op *o) {
  gnn_adjoint *a = o->a;
  groups g = groups_of(o);
  g.member = g.is_gathered ? gnn_build_gather(&a->b, g.graph, g.value, other_end(&g)) : g.value;
  if (ir_string_is(o->op, "interpolation", "lower")) {
    add_to_members(&g, o->result, o->d);
    return;
  }
  MlirValue low = neighbour(&g, false), high = neighbour(&g, true);
  MlirValue width = gnn_adjoint_divisor(a, gnn_adjoint_binary(a, IR_OP(gnn, subtract), high, low));
  MlirValue way = gnn_adjoint_binary(a, IR_OP(gnn, subtract), o->result, low);
  MlirValue above =
      gnn_adjoint_binary(a, IR_OP(gnn, multiply), o->d, gnn_adjoint_binary(a, IR_OP(gnn, divide), way, width));
  add_to_members(&g, low, gnn_adjoint_binary(a, IR_OP(gnn, subtract), o->d, above));
  add_to_members(&g, high, above);
}

void gnn_adjoint_of_first(gnn_adjoint_op *o) {
  groups g = groups_of(o);
  const MlirValue operands[IR_MAX_OPERANDS] = {g.graph, o->d, OPERAND(first, order)};
  ir_attr attributes[] = {{"over", ir_get_attr(o->op, "over")}, {NULL, {NULL}}};
  add_members(&g, ir_build_value(&o->a->b, IR_OP(gnn, place_first), operands, attributes));
}

void gnn_adjoint_of_place_first(gnn_adjoint_op *o) {
  MlirValue value = OPERAND(place_first, value);
  const MlirValue operands[IR_MAX_OPERANDS] = {OPERAND(place_first, graph), o->d, OPERAND(place_first, order)};
  ir_attr attributes[] = {{"over", ir_get_attr(o->op, "over")},
                          {"count", ir_attr_integer(o->a->b.context, ir_type_of(value).dims[0])},
                          {NULL, {NULL}}};
  gnn_adjoint_add(o->a, value, ir_build_value(&o->a->b, IR_OP(gnn, first), operands, attributes));
}
