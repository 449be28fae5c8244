/* gnn-to-device: operations between nodes and edges, pairs of edge type and node, parts of the
 * nodes, and graphs of a batch. All of them become SpDMM over edge lists.
 *
 *   aggregate(%g, %x node, %c constant)                 becomes   spdmm(edge list(%g, weight = %c) {in}, %x)
 *   aggregate(%g, multiply(%c, expand(%g, %p)))         becomes   spdmm(edge list(%g, pairs, weight = %c) {in}, %p): rows of edges are never written
 *   aggregate(%g, %m edge)                              becomes   spdmm(edge list(%g) {scatter_dst}, %m) */
#include "passes/gnn_to_device/gnn_to_device.h"

#include "passes/cost/gnn_choice.h"
#include "passes/gnn/rules/gnn_rewrite.h"

#include <string.h>

static bool is_scalar(MlirValue v) {
  return ir_type_elements(ir_type_of(v)) == 1;
}

/* A sum, maximum, minimum or mean over an edge list. */
static MlirValue reduced(to_device *l, to_device_edge_list_spec spec, MlirValue rows, MlirOperation op) {
  const char *reduce = ir_get_string(op, "reduce", "sum");
  spec.mean = !strcmp(reduce, "mean");
  return to_device_spdmm(l, to_device_list_edges(l, spec), rows, (MlirValue){NULL}, spec.mean ? "sum" : reduce);
}

/* value * weight at edges, where leading dimensions of both are aligned. */
static MlirValue weighted(to_device *l, MlirValue rows, ir_type type, MlirValue weight) {
  if (ir_value_is_null(weight)) return rows;
  return to_device_combine(l, "mul", rows, type, to_device_rows(l, weight), ir_type_of(weight), type);
}

/* ---- aggregate ---- */

/* The operand of an aggregate behind a factor and an expansion: rows of pairs with a constant
 * number per edge. */
typedef struct pair_rows {
  MlirValue pairs, weight, expand;
} pair_rows;

static bool match_pairs(to_device *l, MlirOperation op, pair_rows *m) {
  MlirValue value = ir_operand(op, IR_IN(gnn, aggregate, value)),
            weight = ir_operand(op, IR_IN(gnn, aggregate, weight));
  const char *end = ir_string_is(op, "direction", "in") ? "src" : "dst";
  *m = (pair_rows){.weight = weight};
  MlirOperation product = gnn_producer(value, IR_OP(gnn, multiply));
  if (!mlirOperationIsNull(product) && ir_value_is_null(weight)) {
    MlirValue a = mlirOperationGetOperand(product, 0), b = mlirOperationGetOperand(product, 1);
    bool is_left = to_device_is_constant(l, a);
    m->weight = is_left ? a : b;
    value = is_left ? b : a;
    if (ir_type_of(m->weight).kind != IR_KIND_edge) return false;
  }
  if (!ir_value_is_null(m->weight) && (!to_device_is_constant(l, m->weight) || !is_scalar(m->weight))) return false;
  MlirOperation expand = gnn_producer(value, IR_OP(gnn, expand));
  if (mlirOperationIsNull(expand) || to_device_is_constant(l, value)) return false;
  if (!ir_payload_equal(ir_type_of(value), ir_type_of(ir_result(op)))) return false;
  m->pairs = ir_operand(expand, IR_IN(gnn, expand, value));
  const char *unique = ir_unique_end(ir_type_of(m->pairs).set);
  return unique && !strcmp(unique, end);
}

static MlirValue aggregate_nodes(to_device *l, MlirOperation op) {
  MlirValue graph = ir_operand(op, IR_IN(gnn, aggregate, graph)), value = ir_operand(op, IR_IN(gnn, aggregate, value));
  MlirValue weight = ir_operand(op, IR_IN(gnn, aggregate, weight));
  const char *direction = ir_get_string(op, "direction", "in"), *reduce = ir_get_string(op, "reduce", "sum");
  bool incoming = !strcmp(direction, "in"), is_constant = !ir_value_is_null(weight) && to_device_is_constant(l, weight);
  ir_type type = ir_type_of(value);
  to_device_edge_list_spec spec = {.kind = direction, .of = graph, .mean = !strcmp(reduce, "mean")};
  const char *name = gnn_describe_value(l->p, ir_result(op));
  if (ir_value_is_null(weight) || (is_constant && is_scalar(weight))) {
    spec.weight = weight;
    pass_remark(l->p, op, "%s is an SpDMM over the edges%s", name, is_constant ? " with constant weights" : "");
    return reduced(l, spec, to_device_rows(l, value), op);
  }
  if (is_constant) {
    MlirValue edge_list = to_device_list_edges(l, spec);
    const MlirValue operands[IR_MAX_OPERANDS] = {edge_list, weight};
    if (ir_value_is_null(edge_list)) return edge_list;
    MlirValue values = ir_build_value(&l->b, IR_OP(device, constant_values), operands, NULL);
    pass_remark(l->p, op, "%s is an SpDMM over the edges with constant values for each head", name);
    return to_device_spdmm(l, edge_list, to_device_rows(l, value), values, spec.mean ? "sum" : reduce);
  }
  pass_remark(l->p, op, "%s is an SpDMM over rows of edges: its weights have no form of values", name);
  to_device_edge_list_spec gather = {.kind = incoming ? "gather_src" : "gather_dst", .of = graph};
  MlirValue rows = to_device_move(l, gather, to_device_rows(l, value));
  spec.kind = incoming ? "scatter_dst" : "scatter_src";
  return reduced(l, spec, weighted(l, rows, type, weight), op);
}

static MlirValue aggregate_edges(to_device *l, MlirOperation op) {
  MlirValue value = ir_operand(op, IR_IN(gnn, aggregate, value)),
            weight = ir_operand(op, IR_IN(gnn, aggregate, weight));
  bool incoming = ir_string_is(op, "direction", "in");
  to_device_edge_list_spec spec = {.kind = incoming ? "scatter_dst" : "scatter_src",
                                   .of = ir_operand(op, IR_IN(gnn, aggregate, graph))};
  pair_rows m;
  if (match_pairs(l, op, &m)) {
    spec.kind = incoming ? "in" : "out";
    spec.pairs = to_device_graph(l, ir_type_of(m.pairs).set);
    spec.weight = m.weight;
    pass_remark(l->p, op, "%s is an SpDMM from rows of pairs to nodes: no rows of edges are written",
                gnn_describe_value(l->p, ir_result(op)));
    return reduced(l, spec, to_device_rows(l, m.pairs), op);
  }
  MlirValue rows = to_device_rows(l, value);
  if (!ir_value_is_null(weight) && to_device_is_constant(l, weight) && is_scalar(weight))
    spec.weight = weight;
  else
    rows = weighted(l, rows, ir_type_of(value), weight);
  pass_remark(l->p, op, "%s is an SpDMM over rows of edges", gnn_describe_value(l->p, ir_result(op)));
  return reduced(l, spec, rows, op);
}

/* ---- pairs ---- */

static MlirValue lower_collapse(to_device *l, MlirOperation op) {
  MlirValue pairs = ir_operand(op, IR_IN(gnn, collapse, graph)), value = ir_operand(op, IR_IN(gnn, collapse, value));
  MlirValue weight = ir_operand(op, IR_IN(gnn, collapse, weight));
  const char *set = ir_type_of(pairs).set;
  MlirValue graph = to_device_graph(l, ir_base_set(l->p->context, set)), rows = to_device_rows(l, value);
  if (ir_value_is_null(graph)) return graph;
  bool is_node = ir_type_of(value).kind == IR_KIND_node, at_source = !strcmp(ir_unique_end(set), "dst");
  to_device_edge_list_spec spec = {.kind = "collapse", .of = graph, .pairs = pairs};
  if (ir_value_is_null(weight) || (to_device_is_constant(l, weight) && is_scalar(weight))) {
    spec.weight = weight;
    if (is_node) spec.kind = at_source ? "collapse_src" : "collapse_dst";
    return reduced(l, spec, rows, op);
  }
  to_device_edge_list_spec gather = {.kind = at_source ? "gather_src" : "gather_dst", .of = graph};
  if (is_node) rows = to_device_move(l, gather, rows);
  return reduced(l, spec, weighted(l, rows, ir_type_of(value), weight), op);
}

/* Lowers extend_edges: kept edges keep their value; new loops get a constant row of 'fill'. */
static MlirValue lower_extend(to_device *l, MlirOperation op) {
  MlirValue graph = ir_operand(op, IR_IN(gnn, extend_edges, graph)),
            value = ir_operand(op, IR_IN(gnn, extend_edges, value));
  MlirValue rows = to_device_rows(l, value), none = {NULL};
  MlirValue kept = to_device_move(l, (to_device_edge_list_spec){.kind = "extend", .of = graph}, rows);
  MlirValue base = to_device_graph(l, ir_type_of(value).set);
  double fill = ir_get_float(op, "fill", 0);
  if (fill == 0 || ir_value_is_null(base) || ir_value_is_null(kept)) return kept;
  const MlirValue operands[IR_MAX_OPERANDS] = {graph, to_device_edge_constant(l, base, gnn_build_constant(&l->b, 0))};
  const ir_attr attributes[] = {{"fill", ir_attr_float(l->p->context, fill)}, {NULL, {NULL}}};
  MlirValue loops = ir_build_value(&l->b, IR_OP(gnn, extend_edges), operands, attributes);
  return to_device_vadd(l, "add", kept, to_device_rows(l, loops), none);
}

static MlirValue lower_opposite(to_device *l, MlirOperation op) {
  to_device_edge_list_spec spec = {.kind = "opposite", .of = ir_operand(op, IR_IN(gnn, opposite_edges, graph))};
  return to_device_move(l, spec, to_device_rows(l, ir_operand(op, IR_IN(gnn, opposite_edges, value))));
}

/* ---- sets ---- */

static MlirValue lower_part(to_device *l, MlirOperation op) {
  to_device_edge_list_spec spec = {
      .kind = "part", .of = ir_operand(op, IR_IN(gnn, part, graph)), .type = ir_get_integer(op, "type", 0)};
  MlirValue rows = to_device_rows(l, ir_operand(op, IR_IN(gnn, part, value)));
  return to_device_move(l, spec, rows);
}

/* Whether `rest` has rows of other types only, so that it is 0 for this type. */
static bool is_free_of(MlirValue rest, int64_t type) {
  MlirOperation unite = gnn_producer(rest, IR_OP(gnn, unite));
  for (; !mlirOperationIsNull(unite); unite = gnn_producer(rest, IR_OP(gnn, unite))) {
    if (ir_get_integer(unite, "type", 0) == type) return false;
    rest = ir_operand(unite, IR_IN(gnn, unite, rest));
    if (ir_value_is_null(rest)) return true;
  }
  return false;
}

static MlirValue lower_unite(to_device *l, MlirOperation op) {
  MlirValue graph = ir_operand(op, IR_IN(gnn, unite, graph)), rest = ir_operand(op, IR_IN(gnn, unite, rest));
  to_device_edge_list_spec spec = {.kind = "unite", .of = graph, .type = ir_get_integer(op, "type", 0)};
  MlirValue rows = to_device_rows(l, ir_operand(op, IR_IN(gnn, unite, rows)));
  MlirValue united = to_device_move(l, spec, rows);
  if (ir_value_is_null(rest) || ir_value_is_null(united)) return united;
  MlirValue others = to_device_rows(l, rest);
  if (!is_free_of(rest, spec.type)) {
    spec.kind = "others";
    others = to_device_move(l, spec, others);
  }
  return ir_value_is_null(others) ? others : to_device_fuse_addend(l, united, others);
}

static MlirValue lower_pool(to_device *l, MlirOperation op) {
  to_device_edge_list_spec spec = {.kind = "pool", .of = ir_operand(op, IR_IN(gnn, pool, graph))};
  return reduced(l, spec, to_device_rows(l, ir_operand(op, IR_IN(gnn, pool, value))), op);
}

static MlirValue lower_total(to_device *l, MlirOperation op) {
  MlirValue value = ir_operand(op, IR_IN(gnn, total, value)), times = ir_operand(op, IR_IN(gnn, total, times));
  to_device_edge_list_spec spec = {.kind = "total", .of = ir_operand(op, IR_IN(gnn, total, graph))};
  if (ir_value_is_null(times)) return reduced(l, spec, to_device_rows(l, value), op);
  pass_remark(l->p, op, "%s is a product of rows with rows, which the host computes",
              gnn_describe_value(l->p, ir_result(op)));
  MlirValue a = to_device_rows(l, value), b = to_device_rows(l, times);
  return to_device_outer_sum(l, a, b);
}

bool to_device_edges(to_device *l, MlirOperation op) {
  MlirValue made;
  switch (ir_op_kind(op)) {
  case IR_OP(gnn, aggregate):
    made = ir_type_of(ir_operand(op, IR_IN(gnn, aggregate, value))).kind == IR_KIND_edge ? aggregate_edges(l, op)
                                                                                         : aggregate_nodes(l, op);
    break;
  case IR_OP(gnn, collapse): made = lower_collapse(l, op); break;
  case IR_OP(gnn, extend_edges): made = lower_extend(l, op); break;
  case IR_OP(gnn, opposite_edges): made = lower_opposite(l, op); break;
  case IR_OP(gnn, part): made = lower_part(l, op); break;
  case IR_OP(gnn, unite): made = lower_unite(l, op); break;
  case IR_OP(gnn, pool): made = lower_pool(l, op); break;
  case IR_OP(gnn, total): made = lower_total(l, op); break;
  default: return false;
  }
  to_device_bind(l, ir_result(op), to_device_activate(l, op, made));
  return true;
}
