/* What a rank has not got: edges out of its nodes, the edges of ghosts, and all nodes at once. */
#include "passes/intra/intra_distribute.h"

#include "passes/inter/inter_loops.h"
#include "support/edge_mode.h"

#include <string.h>

bool intra_is_at_source(MlirValue cursor) {
  MlirOperation made = mlirValueIsNull(cursor) ? (MlirOperation){NULL} : ir_defining_op(cursor);
  return !mlirOperationIsNull(made) && ir_op_kind(made) == IR_OP(inter, src);
}

/* The texts of refusals, each the end of "--ranks: a rank has no ...". */
static const char out_edges[] = "edges out of its nodes, which this reads";
static const char all_nodes[] = "nodes but its own, and this reads all at once";
static const char ghost_types[] = "rows of other ranks by the type of the node, which this reads";
static const char ghost_edges[] = "edges into nodes of other ranks, and this counts them";

/* Whether an edge set has reversed edges, or paths, whose ends other ranks know. */
static bool is_reversed(MlirOperation call) {
  const char *mode = ir_get_string(call, "mode", "");
  return edge_mode_reverses(mode) || edge_mode_read(mode).kind == EDGE_MODE_power;
}

/* Whether a loop is over the nodes of a graph of a batch ("graph"), or of a piece of all nodes ("piece"). */
static bool is_over_members(MlirOperation loop, const char *of) {
  return ir_op_kind(loop) == IR_OP(inter, for_members) &&
         !strcmp(ir_type_of(ir_operand(loop, IR_IN(inter, for_members, of))).detail, of);
}

static bool is_of_sources(MlirValue pair) {
  const char *end = ir_unique_end(ir_type_of(pair).set);
  return end && !strcmp(end, "src");
}

static bool is_over(MlirOperation op, const char *over) {
  return ir_string_is(op, "over", over);
}

/* Why a rank cannot do an operation; NULL: it can. */
static const char *find_reason(MlirOperation op) {
  switch (ir_op_kind(op)) {
  case IR_OP(inter, for_outgoing):
  case IR_OP(intra, opposite_edges): return out_edges;
  case IR_OP(intra, contract):
  case IR_OP(intra, sum_by):
  case IR_OP(intra, combine):
  case IR_OP(intra, make_edges):
  case IR_OP(intra, top_nodes): return all_nodes;
  case IR_OP(inter, degree):
    if (ir_string_is(op, "direction", "out")) return out_edges;
    return intra_is_at_source(ir_operand(op, IR_IN(inter, degree, node))) ? ghost_edges : NULL;
  case IR_OP(intra, unite): return intra_is_at_source(ir_operand(op, IR_IN(intra, unite, node))) ? ghost_types : NULL;
  case IR_OP(inter, group_size):
    return is_of_sources(ir_operand(op, IR_IN(inter, group_size, pair))) ? out_edges : NULL;
  case IR_OP(inter, for_members):
    if (is_over_members(op, "graph")) return NULL;
    if (is_over_members(op, "piece")) return all_nodes;
    return is_of_sources(ir_operand(op, IR_IN(inter, for_members, of))) ? out_edges : NULL;
  case IR_OP(inter, fold):
  case IR_OP(intra, order):
  case IR_OP(intra, first):
  case IR_OP(intra, place_first):
  case IR_OP(intra, quantile): return is_over(op, "out") ? out_edges : NULL;
  case IR_OP(intra, call):
    return ir_string_is(op, "callee", "edge_set") && is_reversed(op) ? out_edges
           : ir_string_is(op, "callee", "opposite")                  ? out_edges
                                                                     : NULL;
  default: return NULL;
  }
}

typedef struct checking {
  pass_context *p;
  bool is_good, reads_graphs;
} checking;

static void check(MlirOperation op, void *user) {
  checking *c = user;
  c->reads_graphs |= is_over_members(op, "graph") || is_over(op, "graph");
  const char *reason = c->is_good ? find_reason(op) : NULL;
  if (reason) c->is_good = inter_refuse(c->p, op, "--ranks: a rank has no %s", reason);
}

bool intra_check_ranks(pass_context *p, MlirBlock body, bool *reads_graphs) {
  checking c = {p, true, false};
  inter_walk(body, check, &c);
  *reads_graphs |= c.reads_graphs;
  return c.is_good;
}
