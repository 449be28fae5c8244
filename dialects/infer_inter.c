/* Result types of the inter level: what a cursor gives, what a loop leaves behind. */
#include "dialects/infer.h"

#include <inttypes.h>
#include <string.h>

#define ARG(op, name) ((unsigned)IR_IN(inter, op, name))

static ir_type node_cursor(const infer *in, const char *edge_set) {
  return ir_type_cursor(ir_intern(in->context, "node"), ir_node_set(in->context, edge_set));
}

static bool expect_cursor(const infer *in, unsigned operand, const char *kind) {
  if (!strcmp(in->types[operand].detail, kind)) return true;
  return infer_error(in, "'%s' is a cursor at %s, but this takes a cursor at %s", infer_name(in, operand),
                     infer_with_article(in->types[operand].detail), infer_with_article(kind));
}

/* Result `index` of a loop: the yielded payload, gathered over the domain the loop runs over. */
static bool result_of_loop(const infer *in, MlirOperation loop, int64_t index, ir_type *result) {
  ir_op op = ir_op_kind(loop);
  MlirBlock body = ir_region_block(loop);
  MlirOperation yield = mlirBlockIsNull(body) ? (MlirOperation){NULL} : ir_block_terminator(body);
  intptr_t count = mlirOperationIsNull(yield) ? 0 : mlirOperationGetNumOperands(yield);
  if (index < 0 || index >= count)
    return infer_error(in, "there is no result %" PRId64 ": the loop yields %td value%s", index, count,
                       count == 1 ? "" : "s");
  *result = ir_type_payload(ir_type_of(mlirOperationGetOperand(yield, index)));
  if (op != IR_OP(inter, for_nodes) && op != IR_OP(inter, for_edges)) return true;
  ir_type graph = ir_type_of(mlirOperationGetOperand(loop, 0));
  bool is_edges = op == IR_OP(inter, for_edges);
  result->kind = is_edges ? IR_KIND_edge : IR_KIND_node;
  result->set = is_edges ? graph.set : ir_node_set(in->context, graph.set);
  return true;
}

static bool infer_loop_result(const infer *in, ir_type *result) {
  MlirOperation loop = ir_defining_op(in->values[0]);
  MlirAttribute index = infer_attribute(in, "index");
  if (mlirOperationIsNull(loop) || ir_op_kind(loop) == IR_OTHER || !mlirOperationGetNumRegions(loop))
    return infer_error(in, "results are taken directly from the loop that yields them");
  return result_of_loop(in, loop, mlirIntegerAttrGetValueInt(index), result);
}

static bool wrong_cursor(const infer *in, unsigned value, unsigned cursor) {
  text found = {0};
  ir_type_print(&found, in->types[value]);
  infer_error(in, "'%s' is %s of '%s', but the cursor is at %s of '%s'", infer_name(in, value), text_str(&found),
              in->types[value].set, infer_with_article(in->types[cursor].detail), in->types[cursor].set);
  text_free(&found);
  return false;
}

static bool infer_at(const infer *in, ir_type *result) {
  unsigned value = ARG(at, value), cursor = ARG(at, cursor);
  ir_type v = in->types[value], c = in->types[cursor];
  *result = ir_type_payload(v);
  switch (v.kind) {
  case IR_KIND_node: return (!strcmp(c.detail, "node") && !strcmp(c.set, v.set)) || wrong_cursor(in, value, cursor);
  case IR_KIND_edge: return (!strcmp(c.detail, "edge") && !strcmp(c.set, v.set)) || wrong_cursor(in, value, cursor);
  case IR_KIND_sparse:
    *result = (ir_type){.kind = IR_KIND_plain};
    return (!strcmp(c.detail, "nonzero") && !strcmp(c.set, v.set)) || wrong_cursor(in, value, cursor);
  case IR_KIND_per:
    if (!strcmp(v.set, "etype")) return expect_cursor(in, cursor, "edge");
    if (!strcmp(v.set, "ntype")) return expect_cursor(in, cursor, "node");
    return infer_error(in, "'%s' is per graph, which no cursor selects", infer_name(in, value));
  default: return infer_error(in, "'%s' is the same everywhere: it is used as it is", infer_name(in, value));
  }
}

/* w[k]: the first dimension gone. */
static bool infer_row(const infer *in, ir_type *result) {
  unsigned w = ARG(row, w);
  if (!infer_check_rank(in, w, 1) || !expect_cursor(in, ARG(row, cursor), "nonzero")) return false;
  *result = ir_type_plain(in->types[w].rank - 1, in->types[w].dims + 1);
  return true;
}

static bool infer_end(const infer *in, ir_type *result) {
  *result = node_cursor(in, in->types[0].set);
  return expect_cursor(in, 0, "edge");
}

/* The node cursor of an inner loop, a degree or a row is of the nodes of the graph or sparse input `over`. */
static bool check_node(const infer *in, unsigned node, unsigned over) {
  if (!expect_cursor(in, node, "node")) return false;
  const char *wanted = ir_node_set(in->context, in->types[over].set);
  if (!strcmp(in->types[node].set, wanted)) return true;
  return infer_error(in, "'%s' is a node of '%s', but '%s' has the nodes of '%s'", infer_name(in, node),
                     in->types[node].set, infer_name(in, over), wanted);
}

static bool infer_dense_row(const infer *in, ir_type *result) {
  *result = ir_type_payload(in->types[ARG(dense_row, x)]);
  return check_node(in, ARG(dense_row, node), ARG(dense_row, x));
}

bool infer_inter(const infer *in, ir_type *result) {
  *result = (ir_type){.kind = IR_KIND_results};
  switch (in->op) {
  case IR_OP(inter, for_nodes):
  case IR_OP(inter, for_edges):
  case IR_OP(inter, once): return true;
  case IR_OP(inter, for_incoming):
  case IR_OP(inter, for_outgoing):
  case IR_OP(inter, for_nonzeros): return check_node(in, 1, 0);
  case IR_OP(inter, result): return infer_loop_result(in, result);
  case IR_OP(inter, at): return infer_at(in, result);
  case IR_OP(inter, row): return infer_row(in, result);
  case IR_OP(inter, dense_row): return infer_dense_row(in, result);
  case IR_OP(inter, src):
  case IR_OP(inter, dst): return infer_end(in, result);
  case IR_OP(inter, degree):
    *result = (ir_type){.kind = IR_KIND_plain};
    return check_node(in, ARG(degree, node), ARG(degree, graph));
  default: return infer_no_rule(in);
  }
}
