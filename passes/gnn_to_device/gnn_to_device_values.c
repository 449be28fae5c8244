/* gnn-to-device: numbers of edges, one per edge and head, that never become rows (values of edges).
 *
 *   %a = gather(%p) + gather(%q) {leaky_relu}     becomes   %a = sddmm(%r, src = %p, dst = %q) {add, leaky_relu}
 *   %m = aggregate(%a) {max}                      becomes   %m = spdmm(%r, values = %a) {max}
 *   %b = exp(%a - gather(%m))                     becomes   %b = sddmm(%r, dst = %m, values = %a) {sub, exp}
 *   %y = aggregate(%z, %b)                        becomes   %y = spdmm(%r, %z, values = %b)
 *
 * gnn_to_device_forms.c decides which values have this form. */
#include "passes/gnn_to_device/gnn_to_device.h"

#include "passes/cost/gnn_choice.h"
#include "passes/gnn/rules/gnn_rewrite.h"

#include <string.h>

MlirOperation to_device_runtime_gather(const to_device *l, MlirValue v) {
  MlirOperation gather = gnn_producer(v, IR_OP(gnn, gather));
  return to_device_is_constant(l, v) ? (MlirOperation){NULL} : gather;
}

bool to_device_has_values(const to_device *l, MlirValue v) {
  return map_get_pointer(&l->forms, v.ptr) != NULL;
}

/* The edges to which the values of an operation belong. */
typedef struct edges {
  to_device *l;
  MlirValue graph, edge_list;
  bool is_in; /* the edge list leads from the sources of the edges */
  int64_t heads;
} edges;

static edges edges_of(to_device *l, MlirValue v) {
  const char *direction = map_get_pointer(&l->forms, v.ptr);
  ir_type type = ir_type_of(v);
  edges e = {.l = l,
             .graph = to_device_graph(l, type.set),
             .is_in = !strcmp(direction, "in"),
             .heads = ir_type_elements(type)};
  e.edge_list = to_device_list_edges(l, (to_device_edge_list_spec){.kind = direction, .of = e.graph});
  return e;
}

/* SDDMM of the node values at both ends of each edge, or at one; a null value is left out. The
 * numbers are combined with `values`. */
static MlirValue at_ends(const edges *e, MlirValue at_source, MlirValue at_destination, MlirValue values,
                         const char *inner, const char *combine) {
  MlirValue src = e->is_in ? at_source : at_destination, dst = e->is_in ? at_destination : at_source;
  if (ir_value_is_null(e->edge_list) || (ir_value_is_null(src) && ir_value_is_null(dst))) return (MlirValue){NULL};
  if (!inner) inner = ir_value_is_null(dst) ? "src" : "dst";
  const MlirValue operands[IR_MAX_OPERANDS] = {e->edge_list, src, dst, values};
  const ir_attr attributes[] = {{"heads", ir_attr_integer(e->l->p->context, e->heads)},
                                {"inner", ir_attr_string(e->l->p->context, inner)},
                                {"combine", ir_attr_string(e->l->p->context, combine)},
                                {NULL, {NULL}}};
  MlirValue made = ir_build_value(&e->l->b, IR_OP(device, sddmm), operands, attributes);
  if (ir_value_is_null(made)) e->l->ok = false;
  return made;
}

static bool is_at_source(MlirOperation gather) {
  return ir_string_is(gather, "end", "src");
}

/* The rows that a gather reads, with a column for each head. */
static MlirValue gathered_rows(const edges *e, MlirOperation gather) {
  MlirValue value = ir_operand(gather, IR_IN(gnn, gather, value)), rows = to_device_rows(e->l, value);
  ir_type type = ir_type_of(value), wanted = ir_type_plain(1, &e->heads);
  return ir_type_elements(type) == 1 ? to_device_expand(e->l, rows, type, wanted) : rows;
}

static MlirValue with_gather(const edges *e, MlirOperation gather, MlirValue values, const char *combine) {
  MlirValue rows = gathered_rows(e, gather), none = {NULL};
  bool at_source = is_at_source(gather);
  return at_ends(e, at_source ? rows : none, at_source ? none : rows, values, NULL, combine);
}

/* A constant as values of edges with as many heads. */
static MlirValue constant_values(const edges *e, MlirValue c) {
  to_device *l = e->l;
  ir_type type = ir_type_of(c);
  if (ir_type_elements(type) != e->heads) { /* multiplied by ones for each head */
    const int64_t one[] = {1};
    MlirValue ones =
        to_device_build_selection(l, (to_device_selection){.rows = 1, .rank = 1, .shape = {e->heads}, .strides = {0}});
    c = to_device_reshape(l, c, 0, one);
    if (ir_value_is_null(ones) || ir_value_is_null(c)) return (MlirValue){NULL};
    c = gnn_build_binary(&l->b, IR_OP(gnn, multiply), c, to_device_flat(l, ones));
  }
  if (ir_type_of(c).kind == IR_KIND_plain) c = to_device_edge_constant(l, e->graph, c);
  const MlirValue operands[IR_MAX_OPERANDS] = {e->edge_list, c};
  if (ir_value_is_null(c) || ir_value_is_null(e->edge_list)) return (MlirValue){NULL};
  return ir_build_value(&l->b, IR_OP(device, constant_values), operands, NULL);
}

static MlirValue values_of(const edges *e, MlirValue v) {
  MlirValue known = {map_get_pointer(&e->l->values, v.ptr)};
  if (!ir_value_is_null(known)) return known;
  MlirOperation gather = to_device_runtime_gather(e->l, v);
  return mlirOperationIsNull(gather) ? constant_values(e, v) : with_gather(e, gather, (MlirValue){NULL}, "replace");
}

/* x f k, or k f x with `is_left`, by a function of the table. */
static MlirValue with_number(to_device *l, MlirOperation op, MlirValue x, double k, bool is_left) {
  switch (ir_op_kind(op)) {
  case IR_OP(gnn, vector_add): return to_device_map_number(l, x, "add_constant", k);
  case IR_OP(gnn, multiply): return to_device_map_number(l, x, "mul_constant", k);
  case IR_OP(gnn, subtract):
    if (is_left) return to_device_map_number(l, to_device_map(l, x, "negate"), "add_constant", k);
    return to_device_map_number(l, x, "add_constant", -k);
  case IR_OP(gnn, divide):
    if (!is_left) return to_device_map_number(l, x, "mul_constant", 1 / k);
    return to_device_map_number(l, to_device_map(l, x, "reciprocal"), "mul_constant", k);
  default: return (MlirValue){NULL};
  }
}

static MlirValue values_vadd(const edges *e, const char *function, MlirValue a, MlirValue b) {
  const ir_attr attributes[] = {{"function", ir_attr_string(e->l->p->context, function)}, {NULL, {NULL}}};
  const MlirValue operands[IR_MAX_OPERANDS] = {a, b};
  if (ir_value_is_null(a) || ir_value_is_null(b)) return (MlirValue){NULL};
  return ir_build_value(&e->l->b, IR_OP(device, values_vadd), operands, attributes);
}

static MlirValue lower_binary(const edges *e, MlirOperation op) {
  to_device *l = e->l;
  MlirValue a = mlirOperationGetOperand(op, 0), b = mlirOperationGetOperand(op, 1), none = {NULL};
  MlirOperation x = to_device_runtime_gather(l, a), y = to_device_runtime_gather(l, b);
  const char *function = to_device_function_of(op);
  bool has_x = !mlirOperationIsNull(x), has_y = !mlirOperationIsNull(y), is_sum = !strcmp(function, "add");
  if (has_x && has_y && is_sum && is_at_source(x) != is_at_source(y)) {
    MlirValue p = gathered_rows(e, x), q = gathered_rows(e, y);
    return at_ends(e, is_at_source(x) ? p : q, is_at_source(x) ? q : p, none, "add", "replace");
  }
  double k = 0;
  bool is_left = gnn_constant_get(a, &k);
  if (is_left || gnn_constant_get(b, &k)) {
    MlirValue applied = with_number(l, op, values_of(e, is_left ? b : a), k, is_left);
    if (!ir_value_is_null(applied) || !l->ok) return applied;
  }
  bool combines = ir_op_kind(op) != IR_OP(gnn, compare) && ir_op_kind(op) != IR_OP(gnn, binary);
  if (has_y && combines) return with_gather(e, y, values_of(e, a), function);
  if (has_x && combines && strcmp(function, "div") != 0) {
    MlirValue made = with_gather(e, x, values_of(e, b), function);
    return strcmp(function, "sub") != 0 ? made : to_device_map(l, made, "negate");
  }
  MlirValue left = values_of(e, a), right = values_of(e, b);
  return values_vadd(e, function, left, right);
}

static MlirValue lower_inner(const edges *e, MlirOperation op) {
  MlirOperation x = to_device_runtime_gather(e->l, mlirOperationGetOperand(op, 0)),
                y = to_device_runtime_gather(e->l, mlirOperationGetOperand(op, 1));
  MlirValue p = to_device_rows(e->l, ir_operand(x, IR_IN(gnn, gather, value)));
  MlirValue q = to_device_rows(e->l, ir_operand(y, IR_IN(gnn, gather, value)));
  if (ir_value_is_null(p) || ir_value_is_null(q)) return (MlirValue){NULL};
  return at_ends(e, is_at_source(x) ? p : q, is_at_source(x) ? q : p, (MlirValue){NULL}, "dot", "replace");
}

/* ---- aggregates ---- */

/* 1 / number of edges; 1 where there is none. */
static MlirValue inverse_degree(to_device *l, MlirValue graph, const char *direction) {
  const ir_attr attributes[] = {{"direction", ir_attr_string(l->p->context, direction)}, {NULL, {NULL}}};
  MlirValue degree = ir_build_value(&l->b, IR_OP(gnn, degree), &graph, attributes);
  degree = gnn_build_binary(&l->b, IR_OP(gnn, maximum), degree, gnn_build_constant(&l->b, 1));
  return to_device_rows(l, gnn_build_activation(&l->b, degree, "reciprocal"));
}

static bool every_node_has_an_edge(const char *set) {
  return strstr(set, ".replace") || strstr(set, ".add_remaining") || strstr(set, ".keep_one");
}

/* The sums by which each edge was to be divided; 1 at nodes without edges, whose sums are 0. */
static MlirValue divisor_rows(to_device *l, MlirOperation gather, const char *direction) {
  MlirValue graph = ir_operand(gather, IR_IN(gnn, gather, graph));
  MlirValue rows = to_device_rows(l, ir_operand(gather, IR_IN(gnn, gather, value)));
  if (ir_value_is_null(rows) || every_node_has_an_edge(ir_type_of(graph).set)) return rows;
  const ir_attr attributes[] = {{"direction", ir_attr_string(l->p->context, direction)}, {NULL, {NULL}}};
  const ir_attr equal[] = {{"predicate", ir_attr_string(l->p->context, "eq")}, {NULL, {NULL}}};
  MlirValue degree = ir_build_value(&l->b, IR_OP(gnn, degree), &graph, attributes);
  const MlirValue operands[IR_MAX_OPERANDS] = {degree, gnn_build_constant(&l->b, 0)};
  MlirValue is_alone = ir_build_value(&l->b, IR_OP(gnn, compare), operands, equal);
  return to_device_vadd(l, "add", rows, to_device_rows(l, is_alone), (MlirValue){NULL});
}

static MlirValue weighted_sum(to_device *l, MlirOperation op, MlirValue weight) {
  MlirValue value = ir_operand(op, IR_IN(gnn, aggregate, value)), divisor = {NULL};
  ir_type type = ir_type_of(value), heads = ir_type_of(weight);
  const char *direction = ir_get_string(op, "direction", "in"), *reduce = ir_get_string(op, "reduce", "sum");
  edges e = edges_of(l, weight);
  bool is_mean = !strcmp(reduce, "mean");
  if (map_get(&l->delayed, weight.ptr, 0)) {
    MlirOperation quotient = ir_defining_op(weight);
    weight = mlirOperationGetOperand(quotient, 0);
    divisor = divisor_rows(l, to_device_runtime_gather(l, mlirOperationGetOperand(quotient, 1)), direction);
  }
  pass_remark(l->p, op, "%s is an SpDMM with values of edges%s", gnn_describe_value(l->p, ir_result(op)),
              ir_value_is_null(divisor) ? "" : "; the division by their sums follows it");
  MlirValue rows = to_device_rows(l, value), values = values_of(&e, weight);
  MlirValue y = to_device_spdmm(l, e.edge_list, rows, values, is_mean ? "sum" : reduce);
  if (!ir_value_is_null(divisor)) y = to_device_combine(l, "div", y, type, divisor, heads, type);
  return y;
}

static MlirValue lower_aggregate(to_device *l, MlirOperation op) {
  MlirValue value = ir_operand(op, IR_IN(gnn, aggregate, value)),
            weight = ir_operand(op, IR_IN(gnn, aggregate, weight)), y;
  MlirValue graph = ir_operand(op, IR_IN(gnn, aggregate, graph));
  const char *reduce = ir_get_string(op, "reduce", "sum");
  bool is_mean = !strcmp(reduce, "mean");
  ir_type type = ir_type_of(value);
  if (!ir_value_is_null(weight)) {
    y = weighted_sum(l, op, weight);
  } else {
    edges e = edges_of(l, value);
    y = to_device_spdmm(l, e.edge_list, (MlirValue){NULL}, values_of(&e, value), is_mean ? "sum" : reduce);
  }
  if (!is_mean || ir_value_is_null(y)) return y;
  MlirValue inverse = inverse_degree(l, graph, ir_get_string(op, "direction", "in"));
  return to_device_combine(l, "mul", y, type, inverse, (ir_type){0}, type);
}

bool to_device_edge_values(to_device *l, MlirOperation op) {
  MlirValue result = ir_result(op), made;
  if (ir_op_kind(op) == IR_OP(gnn, aggregate)) {
    MlirValue value = ir_operand(op, IR_IN(gnn, aggregate, value)),
              weight = ir_operand(op, IR_IN(gnn, aggregate, weight));
    bool has_values = to_device_has_values(l, value) || (!ir_value_is_null(weight) && to_device_has_values(l, weight));
    if (!has_values) return false;
    made = lower_aggregate(l, op);
  } else {
    if (!to_device_has_values(l, result)) return false;
    edges e = edges_of(l, result);
    if (ir_op_kind(op) == IR_OP(gnn, vector_inner))
      made = lower_inner(&e, op);
    else if (ir_op_kind(op) == IR_OP(gnn, activation) || ir_op_kind(op) == IR_OP(gnn, reshape))
      made = values_of(&e, mlirOperationGetOperand(op, 0));
    else
      made = lower_binary(&e, op);
  }
  to_device_bind(l, result, to_device_activate(l, op, made));
  return true;
}
