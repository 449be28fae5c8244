/* gnn-order: exchanges Aggregate and Linear where that costs less (computation order optimisation;
 * GraphAGILE, Section VI-C, Algorithm 5, Theorems 1 and 2).
 *
 *   linear(aggregate(%g, %x: node f32[1433]), %w: f32[1433, 16])  =>  aggregate(%g, linear(%x, %w))    or the reverse
 *
 * A pair of layers is exchanged when the first has no other child, the second no other parent, the
 * reduction is linear (sum or mean; edge weights are scalars), and equations (12) and (13),
 * extended by density, say that it is cheaper. A bias of the linear layer stays behind the pair.
 * Upwards, a linear layer moves past everything linear between it and one value at once:
 * aggregates, scalings, and sums of such. So GIN's (1 + eps) * x + sum(x) is projected first,
 * although x has two children. Each exchange strictly lowers the cost, so the sweeps over the
 * function end. A chain of K aggregates is passed in one step upwards, or in one sweep
 * downwards. */
#include "passes/cost/gnn_choice.h"
#include "passes/cost/gnn_cost.h"
#include "passes/gnn/rules/gnn_rewrite.h"

static const MlirValue none = {NULL};

typedef struct order {
  pass_context *p;
  MlirOperation func;
  gnn_cost cost;
  bool is_explaining; /* no exchange is possible any more: remarks say why layers stay */
} order;

/* The operations between a linear layer and the value to which it could be applied; all are linear
 * in that value. */
typedef struct stretch {
  MlirValue leaf;
  double edges;    /* sum over all aggregates */
  double elements; /* number of element-wise operations over the nodes */
} stretch;

static bool is_width_of_node(ir_type type) {
  return type.kind == IR_KIND_node && type.rank == 1;
}

/* Whether a layer is a dense linear layer over nodes with one matrix for all; its widths. */
static bool is_plain_linear(MlirOperation op, double *f1, double *f2) {
  ir_type x = ir_type_of(ir_operand(op, IR_IN(gnn, linear, x))), w = ir_type_of(ir_operand(op, IR_IN(gnn, linear, w)));
  ir_type y = ir_type_of(ir_result(op));
  if (!is_width_of_node(x) || !is_width_of_node(y) || w.kind != IR_KIND_plain || w.rank != 2) return false;
  if (mlirShapedTypeIsDynamicSize(x.dims[0]) || mlirShapedTypeIsDynamicSize(y.dims[0])) return false;
  *f1 = (double)x.dims[0];
  *f2 = (double)y.dims[0];
  return true;
}

/* Whether Theorem 1 applies: a sum or mean of node values, with at most one number as weight of an
 * edge, and no activation. */
static bool is_linear_aggregate(MlirOperation op) {
  if (!gnn_is_sum_or_mean(op)) return false;
  MlirValue weight = ir_operand(op, IR_IN(gnn, aggregate, weight));
  if (!ir_value_is_null(weight) && ir_type_of(weight).rank != 0) return false;
  return is_width_of_node(ir_type_of(ir_operand(op, IR_IN(gnn, aggregate, value))));
}

/* ---- linear upwards: linear(f(x)) => f(linear(x)) ---------------------------------------------------------------- */

/* The position of the operand that is scaled by a number per model or per node; -1: none. */
static int scaled_operand(MlirOperation multiply) {
  ir_type a = ir_type_of(ir_operand(multiply, 0)), b = ir_type_of(ir_operand(multiply, 1));
  if (is_width_of_node(a) && b.rank == 0) return 0;
  return is_width_of_node(b) && a.rank == 0 ? 1 : -1;
}

static stretch look_through(const order *o, MlirValue value);

static stretch look_through_sum(const order *o, MlirOperation op, stretch leaf) {
  MlirValue a = ir_operand(op, 0), b = ir_operand(op, 1);
  if (!is_width_of_node(ir_type_of(a)) || !is_width_of_node(ir_type_of(b))) return leaf;
  stretch left = look_through(o, a), right = look_through(o, b);
  if (!mlirValueEqual(left.leaf, right.leaf)) return leaf;
  return (stretch){left.leaf, left.edges + right.edges, left.elements + right.elements + 1};
}

/* Finds the value in which `value` is linear, as far up as every operation between has one use. */
static stretch look_through(const order *o, MlirValue value) {
  stretch leaf = {value, 0, 0}, inner;
  MlirOperation op = ir_defining_op(value);
  if (mlirOperationIsNull(op) || !ir_value_has_one_use(value)) return leaf;
  int scaled;
  switch (ir_op_kind(op)) {
  case IR_OP(gnn, aggregate):
    if (!is_linear_aggregate(op) || gnn_activation_of(op)) return leaf;
    inner = look_through(o, ir_operand(op, IR_IN(gnn, aggregate, value)));
    inner.edges += gnn_cost_edges(&o->cost, ir_type_of(ir_operand(op, IR_IN(gnn, aggregate, graph))).set);
    return inner;
  case IR_OP(gnn, multiply):
    if ((scaled = scaled_operand(op)) < 0) return leaf;
    inner = look_through(o, ir_operand(op, scaled));
    inner.elements++;
    return inner;
  case IR_OP(gnn, vector_add): return gnn_activation_of(op) ? leaf : look_through_sum(o, op, leaf);
  case IR_OP(gnn, subtract): return look_through_sum(o, op, leaf);
  default: return leaf;
  }
}

/* Rebuilds `value` with `to` in the place of `leaf`. */
static MlirValue rebuild(const ir_builder *b, MlirValue value, MlirValue leaf, MlirValue to) {
  if (mlirValueEqual(value, leaf)) return to;
  MlirOperation op = ir_defining_op(value);
  MlirValue operands[IR_MAX_OPERANDS];
  ir_operands(op, operands);
  int first = 0, last = 1; /* of a sum, both operands */
  if (ir_op_kind(op) == IR_OP(gnn, aggregate)) first = last = IR_IN(gnn, aggregate, value);
  if (ir_op_kind(op) == IR_OP(gnn, multiply)) first = last = scaled_operand(op) == 1;
  for (int i = first; i <= last; i++) {
    operands[i] = rebuild(b, operands[i], leaf, to);
    if (ir_value_is_null(operands[i])) return none;
  }
  ir_builder here = *b;
  here.location = mlirOperationGetLocation(op);
  return gnn_build_like(&here, op, operands, NULL);
}

/* Applies to `value` what follows the product in the linear layer: bias, then activation. */
static MlirValue finish_linear(const ir_builder *b, MlirOperation linear, MlirValue value) {
  MlirValue bias = ir_operand(linear, IR_IN(gnn, linear, bias));
  if (!ir_value_is_null(bias)) value = gnn_build_binary(b, IR_OP(gnn, vector_add), value, bias);
  return gnn_build_activation_of(b, linear, value);
}

/* Whether an exchange pays; writes the remark. Without a graph, costs compare widths alone and mean
 * nothing as numbers. */
static bool is_worth_it(const order *o, MlirOperation layer, const char *what, double before, double after) {
  bool is_cheaper = after < before;
  if (is_cheaper == o->is_explaining) return false;
  const char *name = gnn_describe_value(o->p, ir_result(layer));
  const char *verb = is_cheaper ? "becomes" : "does not become";
  if (o->p->statistics.num_nodes <= 0)
    pass_remark(o->p, layer, "%s %s %s, by the widths alone: no graph is known", name, verb, what);
  else
    pass_remark(o->p, layer, "%s %s %s: %.3f -> %.3f MFLOP", name, verb, what, before * 1e-6, after * 1e-6);
  return is_cheaper;
}

static bool move_linear_up(const order *o, MlirOperation linear) {
  double f1, f2;
  if (!is_plain_linear(linear, &f1, &f2)) return false;
  MlirValue x = ir_operand(linear, IR_IN(gnn, linear, x));
  if (!ir_value_is_null(ir_operand(linear, IR_IN(gnn, linear, addend)))) return false; /* a second parent */
  stretch between = look_through(o, x);
  if (mlirValueEqual(between.leaf, x) || between.edges <= 0) return false;
  const gnn_cost *c = &o->cost;
  double density = gnn_cost_density_of(c, o->func, between.leaf);
  double before = gnn_cost_aggregate(f1, between.edges) + between.elements * gnn_cost_elementwise(c, f1) +
                  gnn_cost_linear(c, f1, f2, 1); /* (12) */
  double after = gnn_cost_linear(c, f1, f2, density) + gnn_cost_aggregate(f2, between.edges) +
                 between.elements * gnn_cost_elementwise(c, f2); /* (13) */
  if (!is_worth_it(o, linear, "a sum of products", before, after)) return false;
  ir_builder b = ir_builder_before(linear);
  MlirValue operands[IR_MAX_OPERANDS] = {between.leaf, ir_operand(linear, IR_IN(gnn, linear, w))};
  ir_attr bare[IR_UNARY_ATTRIBUTES];
  ir_unary_attributes((MlirOperation){NULL}, "activation", bare);
  MlirValue projected = gnn_build_like(&b, linear, operands, bare);
  if (ir_value_is_null(projected)) return false;
  MlirValue value = rebuild(&b, x, between.leaf, projected);
  if (!ir_value_is_null(value)) value = finish_linear(&b, linear, value);
  if (ir_value_is_null(value)) return false;
  gnn_replace(o->p, linear, value);
  return true;
}

/* ---- linear downwards: aggregate(linear(x)) => linear(aggregate(x)) ---------------------------------------------- */

static bool move_linear_down(const order *o, MlirOperation aggregate) {
  double f1, f2;
  MlirValue between = ir_operand(aggregate, IR_IN(gnn, aggregate, value));
  MlirOperation linear = gnn_producer(between, IR_OP(gnn, linear));
  if (mlirOperationIsNull(linear) || !ir_value_has_one_use(between)) return false;
  if (!is_linear_aggregate(aggregate) || !is_plain_linear(linear, &f1, &f2) || gnn_activation_of(linear)) return false;
  if (!ir_value_is_null(ir_operand(linear, IR_IN(gnn, linear, bias)))) return false;
  if (!ir_value_is_null(ir_operand(linear, IR_IN(gnn, linear, addend)))) return false;
  const gnn_cost *c = &o->cost;
  MlirValue graph = ir_operand(aggregate, IR_IN(gnn, aggregate, graph)), x = ir_operand(linear, IR_IN(gnn, linear, x));
  double edges = gnn_cost_edges(c, ir_type_of(graph).set);
  double before = gnn_cost_linear(c, f1, f2, gnn_cost_density_of(c, o->func, x)) + gnn_cost_aggregate(f2, edges);
  double after = gnn_cost_aggregate(f1, edges) + gnn_cost_linear(c, f1, f2, 1);
  if (!is_worth_it(o, aggregate, "a product of sums", before, after)) return false;
  ir_builder b = ir_builder_before(aggregate);
  MlirValue inner[IR_MAX_OPERANDS] = {graph, x, ir_operand(aggregate, IR_IN(gnn, aggregate, weight))};
  ir_attr bare[IR_UNARY_ATTRIBUTES];
  ir_unary_attributes((MlirOperation){NULL}, "activation", bare);
  MlirValue sum = gnn_build_like(&b, aggregate, inner, bare);
  if (ir_value_is_null(sum)) return false;
  MlirValue outer[IR_MAX_OPERANDS] = {sum, ir_operand(linear, IR_IN(gnn, linear, w))};
  MlirValue value = gnn_build_like(&b, linear, outer, NULL);
  value = gnn_build_activation_of(&b, aggregate, value);
  if (ir_value_is_null(value)) return false;
  gnn_replace(o->p, aggregate, value);
  return true;
}

/* ---- sweeps ------------------------------------------------------------------------------------------------------ */

static bool sweep(const order *o, uint64_t limit) {
  uint64_t before = o->p->changed;
  IR_FOR_EACH_OP_SAFE(op, ir_func_body(o->func)) {
    if (o->p->changed >= limit) return false;
    if (ir_op_kind(op) == IR_OP(gnn, linear)) move_linear_up(o, op);
    if (ir_op_kind(op) == IR_OP(gnn, aggregate)) move_linear_down(o, op);
  }
  return o->p->changed != before;
}

bool pass_run_order(MlirOperation root, pass_context *p) {
  int64_t limit = pass_option_integer(p, "max-iterations", 1000000);
  order o = {.p = p, .cost = gnn_cost_create(p)};
  IR_FOR_EACH_FUNC(func, root) {
    o.func = func;
    uint64_t before = p->changed;
    o.is_explaining = false;
    while (sweep(&o, limit < 0 ? 0 : (uint64_t)limit)) continue;
    /* The reverse of the last exchange is not worth a remark. */
    o.is_explaining = p->remarks && p->changed == before;
    if (o.is_explaining) sweep(&o, UINT64_MAX);
  }
  return true;
}
