/* What a rank has not got: the edges of ghosts, and all nodes or edges at once. */
#include "passes/intra/intra_distribute.h"

#include "passes/inter/inter_loops.h"
#include "support/edge_mode.h"

#include <string.h>

/* The edges of a pair are where the pair is, which is where the edge is that has it. */
intra_edges intra_edges_of(MlirValue edge) {
  if (!mlirValueIsABlockArgument(edge)) {
    MlirOperation made = ir_defining_op(edge);
    return ir_op_kind(made) == IR_OP(inter, group) ? intra_edges_of(ir_operand(made, IR_IN(inter, group, edge)))
                                                   : INTRA_EDGES_all;
  }
  MlirOperation loop = mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(edge));
  switch (ir_op_kind(loop)) {
  case IR_OP(inter, fold):
  case IR_OP(inter, softmax_incoming):
  case IR_OP(inter, for_incoming): return INTRA_EDGES_in;
  case IR_OP(inter, for_outgoing): return INTRA_EDGES_out;
  case IR_OP(inter, for_members): {
    MlirValue of = ir_operand(loop, IR_IN(inter, for_members, of));
    return !strcmp(ir_type_of(of).detail, "edge") ? intra_edges_of(of) : INTRA_EDGES_all;
  }
  default: return INTRA_EDGES_all;
  }
}

bool intra_has_ghosts_at_destinations(const intra_rank_needs *needs) {
  return needs->out_edges || needs->all_edges;
}

bool intra_is_at_ghost(MlirValue cursor, const intra_rank_needs *needs) {
  MlirOperation made = mlirValueIsNull(cursor) ? (MlirOperation){NULL} : ir_defining_op(cursor);
  if (mlirOperationIsNull(made)) return false;
  if (ir_op_kind(made) == IR_OP(inter, src))
    return intra_edges_of(ir_operand(made, IR_IN(inter, src, edge))) != INTRA_EDGES_out;
  if (ir_op_kind(made) == IR_OP(inter, dst))
    return intra_has_ghosts_at_destinations(needs) &&
           intra_edges_of(ir_operand(made, IR_IN(inter, dst, edge))) != INTRA_EDGES_in;
  return false;
}

bool intra_lacks_edges_of(MlirValue node) {
  MlirOperation made = ir_defining_op(node);
  return !mlirOperationIsNull(made) && ir_op_kind(made) == IR_OP(inter, dst) &&
         intra_edges_of(ir_operand(made, IR_IN(inter, dst, edge))) == INTRA_EDGES_all;
}

/* The texts of refusals, each the end of "--ranks: a rank has no ...". */
static const char out_edges[] = "edges out of its nodes in this order, and this reads them";
static const char out_ghosts[] = "edges out of nodes of other ranks, which this reads";
static const char all_nodes[] = "nodes but its own, and this reads all at once";
static const char all_edges[] = "sums over pairs of edge type and node or by pairs of types, and this is "
                                "one; -fno-compact makes no pairs";
static const char src_pairs[] =
    "edges of a pair of edge type and source in the order of one process, which this reads; "
    "-fno-compact makes no pairs";
static const char dst_pairs[] = "edges into nodes of other ranks, and this reads them by type";
static const char all_rows[] = "sums by index over the rows of all ranks, and this is one";
static const char row_weights[] =
    "weights with a row for each edge, graph or node of one type in training, and this is one";
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

const char *intra_edges_of_sum(MlirOperation contract) {
  const char *rows = ir_type_of(ir_operand(contract, IR_IN(intra, contract, b))).set;
  const bool is_gathered = ir_get_string(contract, "gather_a", NULL) || ir_get_string(contract, "gather_b", NULL);
  if (is_gathered) return ir_type_of(ir_operand(contract, IR_IN(intra, contract, graph))).set;
  return !strncmp(rows, "edge:", 5) ? rows + 5 : NULL;
}

bool intra_is_sum_over_types(MlirOperation contract) {
  const char *rows = ir_type_of(ir_operand(contract, IR_IN(intra, contract, b))).set;
  return !intra_edges_of_sum(contract) && (!strcmp(rows, "etype") || !strcmp(rows, "ntype"));
}

/* Whether a sum is over rows of the graphs of a batch. */
static bool is_over_graphs(MlirOperation contract) {
  return !intra_edges_of_sum(contract) &&
         !strcmp(ir_type_of(ir_operand(contract, IR_IN(intra, contract, b))).set, "graph");
}

/* Whether the rows that a sum adds up are those of nodes, of edges into them, or of graphs of a batch, which are in the cell of their
 * nodes, and its sums one, or one for each type of edges or nodes. Others are over pairs or nodes of one type, or for pairs of types, which
 * each rank numbers on its own. */
static bool is_by_cells(MlirOperation contract) {
  const char *rows = ir_type_of(ir_operand(contract, IR_IN(intra, contract, b))).set;
  const char *to = ir_type_of(ir_operand(contract, IR_IN(intra, contract, to))).set;
  const char *edges = intra_edges_of_sum(contract);
  const bool is_known = edges ? !ir_unique_end(edges) : !strncmp(rows, "node:", 5) && ir_part_type(rows + 5) < 0;
  if (is_over_graphs(contract)) return !strcmp(to, "one");
  return is_known && (!strcmp(to, "one") || !strcmp(to, edges ? "etype" : "ntype"));
}

/* Why a rank cannot read the edges of pairs: those of a source are in the order of destinations, which each rank numbers on its own, and
 * those into a ghost are not all there. A kernel over all pairs may read what there is: its results lack pairs at ghosts. */
static const char *find_reason_of_pair(MlirValue pair) {
  if (is_of_sources(pair)) return src_pairs;
  return intra_edges_of(pair) == INTRA_EDGES_out ? dst_pairs : NULL;
}

/* Why a rank cannot count the edges of a node at one end of an edge. */
static const char *find_reason_of_degree(MlirOperation degree, const intra_rank_needs *needs) {
  MlirValue node = ir_operand(degree, IR_IN(inter, degree, node));
  if (!intra_is_at_ghost(node, needs)) return NULL;
  if (ir_string_is(degree, "direction", "out")) return out_ghosts;
  return intra_lacks_edges_of(node) ? NULL : ghost_edges;
}

/* Whether a buffer is a weight with rows of the graph that no rank could give to the others: those of nodes are exchanged as values of
 * nodes are. */
static bool is_weight_of_rows(MlirOperation buffer) {
  const char *rows = ir_type_of(ir_result(buffer)).set;
  const bool is_of_part = !strncmp(rows, "node:", 5) && ir_part_type(rows + 5) >= 0;
  return ir_string_is(buffer, "space", "weight") &&
         (is_of_part || !strncmp(rows, "edge:", 5) || !strcmp(rows, "graph"));
}

/* Why a rank cannot do an operation; NULL: it can. */
static const char *find_reason(MlirOperation op, const intra_rank_needs *needs) {
  switch (ir_op_kind(op)) {
  case IR_OP(inter, for_outgoing):
    return intra_is_at_ghost(ir_operand(op, IR_IN(inter, for_outgoing, node)), needs) ? out_ghosts : NULL;
  case IR_OP(intra, buffer): return needs->is_training && is_weight_of_rows(op) ? row_weights : NULL;
  case IR_OP(intra, opposite_edges): return out_edges;
  case IR_OP(intra, contract): return is_by_cells(op) || intra_is_sum_over_types(op) ? NULL : all_edges;
  case IR_OP(intra, sum_by): return all_rows;
  case IR_OP(intra, make_edges):
  case IR_OP(intra, top_nodes): return all_nodes;
  case IR_OP(inter, degree): return find_reason_of_degree(op, needs);
  case IR_OP(intra, unite):
    return intra_is_at_ghost(ir_operand(op, IR_IN(intra, unite, node)), needs) ? ghost_types : NULL;
  case IR_OP(inter, group_size): return find_reason_of_pair(ir_operand(op, IR_IN(inter, group_size, pair)));
  case IR_OP(inter, for_members):
    if (is_over_members(op, "graph") || is_over_members(op, "piece")) return NULL;
    return find_reason_of_pair(ir_operand(op, IR_IN(inter, for_members, of)));
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

static void find_needs(MlirOperation op, void *user) {
  intra_rank_needs *needs = user;
  ir_op kind = ir_op_kind(op);
  needs->whole_graphs |= is_over_members(op, "graph") || is_over(op, "graph");
  needs->whole_graphs |= kind == IR_OP(intra, contract) && is_over_graphs(op);
  needs->out_edges |=
      kind == IR_OP(inter, for_outgoing) || (kind == IR_OP(inter, degree) && ir_string_is(op, "direction", "out"));
  needs->cells |= kind == IR_OP(intra, contract) || kind == IR_OP(intra, combine) || is_over_members(op, "piece");
}

void intra_find_rank_needs(MlirBlock body, intra_rank_needs *needs) {
  inter_walk(body, find_needs, needs);
}

typedef struct checking {
  pass_context *p;
  const intra_rank_needs *needs;
  bool is_good;
} checking;

static void check(MlirOperation op, void *user) {
  checking *c = user;
  const char *reason = c->is_good ? find_reason(op, c->needs) : NULL;
  if (reason) c->is_good = inter_refuse(c->p, op, "--ranks: a rank has no %s", reason);
}

bool intra_check_ranks(pass_context *p, MlirBlock body, const intra_rank_needs *needs) {
  checking c = {p, needs, true};
  inter_walk(body, check, &c);
  return c.is_good;
}
