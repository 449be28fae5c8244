/* Rules of gnn-canonicalize about gathers: work per edge becomes work per node, and sums of
 * gathered values become aggregates.
 *
 *   linear(gather(%g, %x){src}, %w) => gather(%g, linear(%x, %w)){src}
 *   aggregate(%g, multiply(%a, gather(%g, %z){src})){sum, in} => aggregate(%g, %z, %a){sum, in}
 *
 * A function of a gathered value is computed once per node, because there are fewer nodes than
 * edges; the numbers are bitwise the same. The other end of an edge is the source for direction in,
 * the destination for direction out. From -O2 on, rules that change rounding apply too: a * (b * z)
 * gets weight a * b, z / d gets weight 1 / d, and a factor of the node that sums is taken out of
 * the sum. */
#include "passes/gnn/rules/gnn_rewrite.h"
#include "passes/gnn/rules/gnn_rules.h"
#include "support/edge_mode.h"

#include <string.h>

static const MlirValue none = {NULL};

/* Whether every node of an edge set has an edge in both directions, so that an infinite factor
 * never multiplies an empty sum. */
static bool has_edge_at_every_node(MlirValue graph) {
  MlirOperation op = gnn_producer(graph, IR_OP(gnn, edge_set));
  return !mlirOperationIsNull(op) && edge_mode_has_loops(edge_mode_read(ir_get_string(op, "mode", "")));
}

/* ---- hoisting ---------------------------------------------------------------------------------------------------- */

/* The value behind a view: node values behind a gather, per-type values behind a slice, values of
 * pairs behind an expand. */
static MlirValue viewed(MlirOperation view) {
  switch (ir_op_kind(view)) {
  case IR_OP(gnn, gather): return ir_operand(view, IR_IN(gnn, gather, value));
  case IR_OP(gnn, slice): return ir_operand(view, IR_IN(gnn, slice, value));
  default: return ir_operand(view, IR_IN(gnn, expand, value));
  }
}

static bool is_view(ir_op kind) {
  return kind == IR_OP(gnn, gather) || kind == IR_OP(gnn, slice) || kind == IR_OP(gnn, expand);
}

static MlirOperation view_of(MlirValue value) {
  MlirOperation op = ir_defining_op(value);
  return !mlirOperationIsNull(op) && is_view(ir_op_kind(op)) ? op : (MlirOperation){NULL};
}

/* Whether two views choose their rows alike: by the same end, from types or pairs of the same
 * kind. */
static bool is_same_view(MlirOperation a, MlirOperation b) {
  if (ir_op_kind(a) != ir_op_kind(b)) return false;
  if (ir_op_kind(a) == IR_OP(gnn, gather)) return ir_string_is(a, "end", ir_get_string(b, "end", ""));
  if (ir_op_kind(a) == IR_OP(gnn, slice) && !ir_string_is(a, "by", ir_get_string(b, "by", ""))) return false;
  return !strcmp(ir_type_of(viewed(a)).set, ir_type_of(viewed(b)).set);
}

/* Whether some rows of the value behind a view may be read by none: nodes without edges, graphs without nodes. */
static bool has_idle_rows(MlirOperation view) {
  if (ir_op_kind(view) == IR_OP(gnn, slice)) return !strcmp(ir_type_of(viewed(view)).set, "graph");
  return ir_op_kind(view) == IR_OP(gnn, gather) && !has_edge_at_every_node(ir_operand(view, IR_IN(gnn, gather, graph)));
}

MlirValue gnn_rule_hoist(const pass_context *p, MlirOperation op) {
  (void)p;
  ir_op kind = ir_op_kind(op);
  if (!ir_op_is_row_wise(kind)) return none;
  MlirValue operands[IR_MAX_OPERANDS];
  MlirOperation view = {NULL};
  ir_operands(op, operands);
  for (int i = 0; i < IR_MAX_OPERANDS; i++) {
    if (ir_value_is_null(operands[i]) || ir_type_of(operands[i]).kind == IR_KIND_plain) continue;
    MlirOperation other = view_of(operands[i]);
    if (mlirOperationIsNull(other)) return none;
    if (mlirOperationIsNull(view)) view = other;
    if (!is_same_view(view, other)) return none;
    operands[i] = viewed(other);
  }
  if (mlirOperationIsNull(view) || (has_idle_rows(view) && gnn_has_pole(op, operands))) return none;
  ir_builder b = ir_builder_before(op);
  MlirValue value = gnn_build_like(&b, op, operands, NULL);
  if (ir_value_is_null(value)) return none;
  MlirValue again[IR_MAX_OPERANDS] = {mlirOperationGetOperand(view, 0), value};
  return gnn_build_like(&b, view, again, NULL);
}

/* ---- raising ----------------------------------------------------------------------------------------------------- */

/* The aggregate that is being rewritten. */
typedef struct raising {
  const pass_context *p;
  MlirOperation op;
  MlirValue operands[IR_MAX_OPERANDS];
  const char *other_end; /* the end of an edge from which node values come */
  const char *own_end;
  bool is_linear; /* sum or mean */
} raising;

/* The node value gathered from `end`; else null. */
static MlirValue gathered(MlirValue value, const char *end) {
  MlirOperation gather = gnn_producer(value, IR_OP(gnn, gather));
  if (mlirOperationIsNull(gather) || !ir_string_is(gather, "end", end)) return none;
  return ir_operand(gather, IR_IN(gnn, gather, value));
}

/* Whether `weight` may multiply `value` without changing its shape. */
static bool is_weight_for(MlirValue weight, MlirValue value) {
  ir_type w = ir_type_of(weight), v = ir_type_of(value);
  if (w.kind != IR_KIND_edge || w.rank > v.rank) return false;
  for (unsigned i = 0; i < w.rank; i++)
    if (w.dims[i] != v.dims[i]) return false;
  return true;
}

static MlirValue aggregate_of(const raising *r, MlirValue value, MlirValue weight) {
  MlirValue operands[IR_MAX_OPERANDS] = {r->operands[IR_IN(gnn, aggregate, graph)], value, weight};
  ir_builder b = ir_builder_before(r->op);
  return gnn_build_like(&b, r->op, operands, NULL);
}

/* Rewrites weight * gather(z). */
static MlirValue raise_product(const raising *r, MlirValue weight, MlirValue value) {
  MlirValue z = gathered(value, r->other_end);
  if (!ir_value_is_null(z)) return is_weight_for(weight, z) ? aggregate_of(r, z, weight) : none;
  MlirOperation inner = gnn_producer(value, IR_OP(gnn, multiply));
  if (mlirOperationIsNull(inner) || r->p->opt_level < 2) return none;
  for (int i = 0; i < 2; i++) { /* weight * (inner weight * gather(z)) */
    MlirValue inner_weight = ir_operand(inner, i);
    z = gathered(ir_operand(inner, 1 - i), r->other_end);
    if (ir_value_is_null(z) || !is_weight_for(weight, z) || !is_weight_for(inner_weight, z)) continue;
    ir_builder b = ir_builder_before(r->op);
    return aggregate_of(r, z, gnn_build_binary(&b, IR_OP(gnn, multiply), weight, inner_weight));
  }
  return none;
}

/* Rewrites gather(z) / d. */
static MlirValue raise_quotient(const raising *r, MlirOperation quotient) {
  MlirValue z = gathered(ir_operand(quotient, IR_IN(gnn, divide, a)), r->other_end);
  MlirValue divisor = ir_operand(quotient, IR_IN(gnn, divide, b));
  if (r->p->opt_level < 2 || ir_value_is_null(z) || !is_weight_for(divisor, z)) return none;
  ir_builder b = ir_builder_before(r->op);
  return aggregate_of(r, z, gnn_build_activation(&b, divisor, "reciprocal"));
}

/* Rewrites factor(own end) * value to factor * aggregate(value), where the aggregate is linear. */
static MlirValue take_factor_out(const raising *r, MlirValue factor, MlirValue value) {
  MlirValue c = gathered(factor, r->own_end);
  if (r->p->opt_level < 2 || !r->is_linear || ir_value_is_null(c)) return none;
  if (gnn_activation_of(r->op) || !has_edge_at_every_node(r->operands[IR_IN(gnn, aggregate, graph)])) return none;
  ir_type v = ir_type_of(value);
  if (v.kind != IR_KIND_edge || !ir_payload_equal(v, ir_type_of(ir_result(r->op)))) return none;
  MlirValue sum = aggregate_of(r, value, none);
  ir_builder b = ir_builder_before(r->op);
  return ir_value_is_null(sum) ? none : gnn_build_binary(&b, IR_OP(gnn, multiply), c, sum);
}

MlirValue gnn_rule_raise(const pass_context *p, MlirOperation op) {
  if (ir_op_kind(op) != IR_OP(gnn, aggregate)) return none;
  bool is_in = ir_string_is(op, "direction", "in");
  raising r = {.p = p,
               .op = op,
               .other_end = is_in ? "src" : "dst",
               .own_end = is_in ? "dst" : "src",
               .is_linear = gnn_is_sum_or_mean(op)};
  ir_operands(op, r.operands);
  MlirValue value = r.operands[IR_IN(gnn, aggregate, value)], weight = r.operands[IR_IN(gnn, aggregate, weight)];
  MlirValue z = gathered(value, r.other_end);
  if (!ir_value_is_null(z)) return aggregate_of(&r, z, weight);
  if (!ir_value_is_null(weight)) return none;
  MlirOperation quotient = gnn_producer(value, IR_OP(gnn, divide));
  if (!mlirOperationIsNull(quotient)) return raise_quotient(&r, quotient);
  MlirOperation product = gnn_producer(value, IR_OP(gnn, multiply));
  if (mlirOperationIsNull(product)) return none;
  MlirValue a = ir_operand(product, IR_IN(gnn, multiply, a)), b = ir_operand(product, IR_IN(gnn, multiply, b));
  MlirValue (*const ways[])(const raising *, MlirValue, MlirValue) = {take_factor_out, raise_product};
  for (size_t i = 0; i < 2; i++) {
    MlirValue result = ways[i](&r, a, b);
    if (ir_value_is_null(result)) result = ways[i](&r, b, a);
    if (!ir_value_is_null(result)) return result;
  }
  return none;
}
