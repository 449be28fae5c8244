/* The work of operations, from the table gnn_cost.def and the statistics of the graph; see the
 * header.
 *
 *   linear: 64 -> 64 on 24,299 pairs     2 * 64 * 64 * 24299 FLOPs
 *   aggregate(value[64], weight)         2 * 64 per edge */
#include "passes/cost/gnn_cost_work.h"

#include "passes/gnn/rules/gnn_rewrite.h"

#include <string.h>

typedef enum cost_rule {
  RULE_none,
  RULE_function,
  RULE_element,
  RULE_operand,
  RULE_contraction,
  RULE_member,
  RULE_pair
} cost_rule;

typedef struct cost_row {
  cost_rule rule;
  double flops;
} cost_row;

static const cost_row costs[] = {
#define COST(operation, rule, flops, doc) [IR_OP(gnn, operation)] = {RULE_##rule, flops},
#include "passes/cost/gnn_cost.def"
#undef COST
};

enum {
  ROWS = 0
#define COST(operation, rule, flops, doc) +1
#include "passes/cost/gnn_cost.def"
#undef COST
};
_Static_assert(ROWS == IR_OP(gnn, pool) + 1 && sizeof costs / sizeof *costs == ROWS,
               "a cost for each operation of the gnn level");

double gnn_work_weight(gnn_work work) {
  return work.flops + GNN_COST_FLOPS_PER_BYTE * work.bytes;
}

gnn_work gnn_work_add(gnn_work a, gnn_work b) {
  return (gnn_work){a.flops + b.flops, a.bytes + b.bytes};
}

/* FLOPs per element of the function that an operation applies. */
static double flops_of_unary(MlirOperation op) {
  elementwise_unary function = ir_unary_of(op);
  return function == UNARY_none ? 0 : elementwise_unaries[function].flops;
}

/* FLOPs per element of the function of two numbers that an operation computes. */
static double flops_of_binary(MlirOperation op) {
  elementwise_binary function = ir_binary_of(op);
  return function == BINARY_none ? 0 : elementwise_binaries[function].flops;
}

static double elements_of(MlirValue value) {
  return (double)ir_type_elements(ir_type_of(value));
}

static bool is_mean(const char *reduce) {
  return !strcmp(reduce, "mean");
}

static bool is_sum(const char *reduce) {
  return !strcmp(reduce, "sum") || is_mean(reduce);
}

/* The table's row of an operation; one without costs for operations of other dialects. */
static cost_row cost_of(MlirOperation op) {
  ir_op kind = ir_op_kind(op);
  return (size_t)kind < sizeof costs / sizeof *costs ? costs[kind] : (cost_row){RULE_none, 0};
}

bool gnn_cost_is_guard(MlirOperation subtract) {
  if (ir_op_kind(subtract) != IR_OP(gnn, subtract)) return false;
  MlirOperation gather = gnn_producer(ir_operand(subtract, IR_IN(gnn, subtract, b)), IR_OP(gnn, gather));
  if (mlirOperationIsNull(gather)) return false;
  MlirOperation most = gnn_producer(ir_operand(gather, IR_IN(gnn, gather, value)), IR_OP(gnn, aggregate));
  if (mlirOperationIsNull(most) || !ir_string_is(most, "reduce", "max")) return false;
  return mlirValueEqual(ir_operand(most, IR_IN(gnn, aggregate, value)), ir_operand(subtract, IR_IN(gnn, subtract, a)));
}

double gnn_cost_reduction(const char *reduce, double elements, bool is_weighted) {
  return elements * ((is_sum(reduce) || !strcmp(reduce, "prod") ? 1 : 0) + (is_weighted ? 1 : 0));
}

double gnn_cost_near(double elements) {
  return costs[IR_OP(gnn, near_edges)].flops * elements;
}

static double row_of_reduce(MlirOperation op, double flops) {
  const char *function = ir_get_string(op, "function", "sum");
  if (!is_sum(function)) return 0;
  return flops * elements_of(mlirOperationGetOperand(op, 0)) + (is_mean(function) ? elements_of(ir_result(op)) : 0);
}

double gnn_cost_per_row(MlirOperation op) {
  if (mlirOperationGetNumResults(op) != 1 || gnn_cost_is_guard(op)) return 0;
  cost_row cost = cost_of(op);
  ir_op kind = ir_op_kind(op);
  double n = elements_of(ir_result(op)), activation = n * flops_of_unary(op);
  if (kind == IR_OP(gnn, reduce)) return row_of_reduce(op, cost.flops);
  switch (cost.rule) {
  case RULE_function: return n * flops_of_binary(op) + activation;
  case RULE_element: return n * cost.flops + activation;
  case RULE_operand: return elements_of(mlirOperationGetOperand(op, 0)) * cost.flops + activation;
  case RULE_contraction: {
    ir_type a = ir_type_of(mlirOperationGetOperand(op, 0)), b = ir_type_of(mlirOperationGetOperand(op, 1));
    /* both operands end in the dimension that is summed over */
    bool is_inner = kind == IR_OP(gnn, vector_inner) && a.rank < b.rank;
    ir_type x = is_inner ? b : a;
    return x.rank > 0 ? n * cost.flops * (double)x.dims[x.rank - 1] + activation : activation;
  }
  case RULE_member: return activation + (ir_string_is(op, "reduce", "mean") ? n : 0);
  default: return activation;
  }
}

/* The FLOPs of a row that is added up: each number of b meets those of a in its leading position. */
static double member_of_contract(MlirOperation op) {
  MlirValue a = ir_operand(op, IR_IN(gnn, contract, a));
  double elements = elements_of(ir_operand(op, IR_IN(gnn, contract, b)));
  if (ir_value_is_null(a)) return elements;
  ir_type x = ir_type_of(a);
  return 2 * elements * (double)(x.rank ? x.dims[x.rank - 1] : 1);
}

static double member_of_sum_by(MlirOperation op) {
  MlirValue times = ir_operand(op, IR_IN(gnn, sum_by, times));
  double elements = elements_of(ir_operand(op, IR_IN(gnn, sum_by, value)));
  return ir_value_is_null(times) ? elements : 2 * elements * elements_of(times);
}

double gnn_cost_per_member(MlirOperation op) {
  if (cost_of(op).rule != RULE_member) return 0;
  ir_op kind = ir_op_kind(op);
  if (kind == IR_OP(gnn, contract)) return member_of_contract(op);
  if (kind == IR_OP(gnn, sum_by)) return member_of_sum_by(op);
  bool is_total = kind == IR_OP(gnn, total) || kind == IR_OP(gnn, pieces);
  if (is_total && !ir_value_is_null(ir_operand(op, IR_IN(gnn, total, times)))) return 2 * elements_of(ir_result(op));
  bool is_pool = is_total || kind == IR_OP(gnn, pool);
  bool is_weighted = !is_pool && !ir_value_is_null(ir_operand(op, IR_IN(gnn, aggregate, weight)));
  return gnn_cost_reduction(ir_get_string(op, "reduce", "sum"), elements_of(ir_result(op)), is_weighted);
}

/* ---- rows -------------------------------------------------------------------------------------------------------- */

double gnn_cost_set_rows(const pass_statistics *s, const char *set) {
  if (text_ends_with(set, ".unique_src")) return (double)s->unique_src;
  if (text_ends_with(set, ".unique_dst")) return (double)s->unique_dst;
  if (s->num_edges < 0 || ir_is_run_set(set)) return -1; /* run makes its edges */
  double rows = (double)s->num_edges;
  for (const char *dot = strchr(set, '.'); dot; dot = strchr(dot + 1, '.')) {
    if (s->num_nodes < 0) return -1;
    rows += (double)s->num_nodes;
  }
  return rows;
}

static double rows_of_types(const pass_statistics *s, const char *per) {
  if (!strcmp(per, "etype")) return (double)s->num_edge_types;
  if (!strcmp(per, "ntype")) return (double)s->num_node_types;
  if (!strcmp(per, "etype_src")) return (double)s->pairs_src;
  if (!strcmp(per, "piece")) return IR_PIECES;
  return !strcmp(per, "etype_dst") ? (double)s->pairs_dst : -1;
}

double gnn_cost_rows(const pass_statistics *s, ir_type type) {
  switch (type.kind) {
  case IR_KIND_node:
  case IR_KIND_sparse: return strchr(type.set, ':') ? -1 : (double)s->num_nodes;
  case IR_KIND_edge: return gnn_cost_set_rows(s, type.set);
  case IR_KIND_per: return rows_of_types(s, type.set);
  default: return 1;
  }
}

static double members_of(const pass_statistics *s, MlirOperation op) {
  ir_op kind = ir_op_kind(op);
  bool is_total = kind == IR_OP(gnn, total) || kind == IR_OP(gnn, pieces);
  if (is_total || kind == IR_OP(gnn, pool)) return (double)s->num_nodes;
  if (kind == IR_OP(gnn, contract)) return gnn_cost_rows(s, ir_type_of(ir_operand(op, IR_IN(gnn, contract, b))));
  if (kind == IR_OP(gnn, sum_by)) return gnn_cost_rows(s, ir_type_of(ir_operand(op, IR_IN(gnn, sum_by, value))));
  ir_type graph = ir_type_of(mlirOperationGetOperand(op, 0));
  if (ir_op_kind(op) == IR_OP(gnn, aggregate)) return gnn_cost_set_rows(s, graph.set);
  return (double)s->num_edges; /* collapse: the pairs consist of the edges of the graph as given */
}

double gnn_cost_flops(const pass_statistics *s, MlirOperation op) {
  if (!gnn_is_graph_level(op)) return 0;
  double per_row = gnn_cost_per_row(op), per_member = gnn_cost_per_member(op), flops = 0;
  if (per_row > 0) {
    double rows = gnn_cost_rows(s, ir_type_of(ir_result(op)));
    if (rows < 0) return -1;
    flops += rows * per_row;
  }
  if (per_member > 0) {
    double members = members_of(s, op);
    if (members < 0) return -1;
    flops += members * per_member;
  }
  return flops;
}
