/* Result types of the inter level: values at a cursor, and results of loops. */
#include "dialects/verify/infer.h"

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

/* The type of result `index` of a loop: the yielded payload, for each element of the loop's
 * domain. */
static bool result_of_loop(const infer *in, MlirOperation loop, int64_t index, ir_type *result) {
  ir_op op = ir_op_kind(loop);
  MlirBlock body = ir_region_block(loop);
  MlirOperation yield = mlirBlockIsNull(body) ? (MlirOperation){NULL} : ir_block_terminator(body);
  intptr_t count = mlirOperationIsNull(yield) ? 0 : mlirOperationGetNumOperands(yield);
  if (op == IR_OP(inter, softmax_incoming) && count) count--; /* without the logit */
  if (index < 0 || index >= count)
    return infer_error(in, "there is no result %" PRId64 ": the loop yields %td value%s", index, count,
                       count == 1 ? "" : "s");
  if (op == IR_OP(inter, softmax_incoming)) index++;
  *result = ir_type_payload(ir_type_of(mlirOperationGetOperand(yield, index)));
  bool is_edges = op == IR_OP(inter, for_edges), is_types = op == IR_OP(inter, for_types);
  if (op != IR_OP(inter, for_nodes) && !is_edges && !is_types) return true;
  if (mlirBlockGetNumArguments(body) != 1) return infer_error(in, "the body of the loop takes one cursor");
  ir_type cursor = ir_type_of(mlirBlockGetArgument(body, 0));
  result->kind = is_edges ? IR_KIND_edge : is_types ? IR_KIND_per : IR_KIND_node;
  result->set = is_types ? cursor.detail : cursor.set;
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

/* A per-type value is read at something that has a type, or at that type. */
static bool infer_at_type(const infer *in, unsigned value, unsigned cursor) {
  const char *per = in->types[value].set, *at = in->types[cursor].detail, *set = in->types[cursor].set;
  if (!strcmp(per, at)) return true;
  if (!strcmp(per, "graph")) return !strcmp(at, "node") ? true : expect_cursor(in, cursor, "node");
  bool is_pairs = !strncmp(per, "etype_", 6), at_pairs = !strncmp(at, "etype_", 6);
  if (at_pairs) return is_pairs ? wrong_cursor(in, value, cursor) : true;
  if (!strcmp(per, "ntype")) return expect_cursor(in, cursor, "node");
  const char *end = !strcmp(at, "edge") ? ir_unique_end(set) : NULL;
  if (is_pairs && end && strcmp(end, per + 6) != 0)
    return infer_error(in, "'%s' is per %s, but the edges of '%s' have no %s", infer_name(in, value), per, set,
                       per + 6);
  return expect_cursor(in, cursor, "edge");
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
  case IR_KIND_per: return infer_at_type(in, value, cursor);
  default: return infer_error(in, "'%s' is the same everywhere: it is used as it is", infer_name(in, value));
  }
}

/* w[k]: the type without the first dimension. */
static bool infer_row(const infer *in, ir_type *result) {
  unsigned w = ARG(row, w);
  if (!infer_check_rank(in, w, 1) || !expect_cursor(in, ARG(row, cursor), "nonzero")) return false;
  *result = ir_type_plain(in->types[w].rank - 1, in->types[w].dims + 1);
  return true;
}

/* src and dst of an edge; the edges of a unique set have one of them. */
static bool infer_end(const infer *in, ir_type *result) {
  const char *set = in->types[0].set, *end = ir_unique_end(set), *wanted = in->op == IR_OP(inter, src) ? "src" : "dst";
  *result = node_cursor(in, set);
  if (!expect_cursor(in, 0, "edge")) return false;
  return !end || !strcmp(end, wanted) || infer_error(in, "the edges of '%s' have no %s", set, wanted);
}

static bool infer_group(const infer *in, ir_type *result) {
  const char *set = in->types[0].set;
  if (!expect_cursor(in, 0, "edge")) return false;
  if (ir_base_set(in->context, set)) return infer_error(in, "the edges of '%s' are not in pairs", set);
  *result = ir_type_cursor(ir_intern(in->context, "edge"), ir_unique_set(in->context, set, infer_string(in, "end")));
  return true;
}

static bool infer_group_size(const infer *in, ir_type *result) {
  *result = (ir_type){.kind = IR_KIND_plain};
  if (!expect_cursor(in, 0, "edge")) return false;
  return ir_unique_end(in->types[0].set) || infer_error(in, "the edges of '%s' are no pairs", in->types[0].set);
}

static bool infer_whole_row(const infer *in, ir_type *result) {
  const char *whole = ir_whole_set(in->context, in->types[0].set);
  if (!expect_cursor(in, 0, "node")) return false;
  if (!whole) return infer_error(in, "'%s' is a node of all types", infer_name(in, 0));
  *result = ir_type_cursor(ir_intern(in->context, "node"), whole);
  return true;
}

static bool infer_unite(const infer *in, ir_type *result) {
  unsigned rows = ARG(unite, rows), node = ARG(unite, node), rest = ARG(unite, rest);
  const char *whole = ir_whole_set(in->context, in->types[rows].set);
  *result = ir_type_payload(in->types[rows]);
  if (!expect_cursor(in, node, "node")) return false;
  if (!whole || strcmp(whole, in->types[node].set) != 0) return wrong_cursor(in, rows, node);
  if (mlirValueIsNull(in->values[rest]) || infer_same_payload(in->types[rows], in->types[rest])) return true;
  return infer_error(in, "'%s' and '%s' differ in shape", infer_name(in, rows), infer_name(in, rest));
}

/* Checks a loop over members: the nodes of a graph of the batch, or the edges of a pair. */
static bool check_members(const infer *in) {
  unsigned graph = ARG(for_members, graph), of = ARG(for_members, of);
  const char *set = in->types[graph].set;
  ir_type c = in->types[of];
  bool has_nodes = !strcmp(c.detail, "graph") || !strcmp(c.detail, "piece");
  if (has_nodes && !strcmp(c.set, set)) return true;
  if (strcmp(c.detail, "edge") != 0 && !has_nodes)
    return infer_error(in, "'%s' is a cursor at %s, which has no members", infer_name(in, of),
                       infer_with_article(c.detail));
  const char *base = ir_base_set(in->context, c.set);
  if (!strcmp(c.detail, "edge") && ir_unique_end(c.set) && base && !strcmp(base, set)) return true;
  return infer_error(in, "'%s' is %s of '%s', whose members are not those of '%s'", infer_name(in, of),
                     infer_with_article(c.detail), c.set, set);
}

/* Checks that the node cursor of an inner loop, a degree or a row is at a node of the graph or
 * sparse input `over`. */
static bool check_node(const infer *in, unsigned node, unsigned over) {
  if (!expect_cursor(in, node, "node")) return false;
  const char *wanted = ir_node_set(in->context, in->types[over].set);
  if (!strcmp(in->types[node].set, wanted)) return true;
  return infer_error(in, "'%s' is a node of '%s', but '%s' has the nodes of '%s'", infer_name(in, node),
                     in->types[node].set, infer_name(in, over), wanted);
}

/* Checks a loop over the edges at a node; those of a unique set are at one end only. */
static bool check_edges_at(const infer *in) {
  const char *end = ir_unique_end(in->types[0].set), *wanted = in->op == IR_OP(inter, for_outgoing) ? "src" : "dst";
  if (!check_node(in, 1, 0)) return false;
  return !end || !strcmp(end, wanted) || infer_error(in, "the edges of '%s' have no %s", in->types[0].set, wanted);
}

/* Checks a fold: the node or the graph whose members it runs over, or a number of steps. */
static bool check_fold(const infer *in) {
  unsigned graph = ARG(fold, graph), of = ARG(fold, of), steps = ARG(fold, steps);
  const char *over = infer_string(in, "over");
  bool is_steps = !strcmp(over, "steps"), has_of = !mlirValueIsNull(in->values[of]);
  if (is_steps) {
    if (mlirValueIsNull(in->values[steps]) || in->types[steps].rank || has_of)
      return infer_error(in, "a fold over steps takes 'steps', one number, and no cursor");
    return true;
  }
  if (!has_of || mlirValueIsNull(in->values[graph]))
    return infer_error(in, "a fold over members needs 'graph' and 'of'");
  if (strcmp(over, "graph") != 0) return check_node(in, of, graph);
  return expect_cursor(in, of, "graph");
}

static bool infer_degree(const infer *in, ir_type *result) {
  const char *end = ir_unique_end(in->types[0].set),
             *wanted = !strcmp(infer_string(in, "direction"), "in") ? "dst" : "src";
  *result = (ir_type){.kind = IR_KIND_plain};
  if (end && strcmp(end, wanted) != 0) return infer_error(in, "the edges of '%s' have no %s", in->types[0].set, wanted);
  return check_node(in, ARG(degree, node), ARG(degree, graph));
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
  case IR_OP(inter, for_types):
  case IR_OP(inter, once): return true;
  case IR_OP(inter, for_members): return check_members(in);
  case IR_OP(inter, softmax_incoming):
  case IR_OP(inter, for_incoming):
  case IR_OP(inter, for_outgoing): return check_edges_at(in);
  case IR_OP(inter, fold): return check_fold(in);
  case IR_OP(inter, for_nonzeros): return check_node(in, 1, 0);
  case IR_OP(inter, result): return infer_loop_result(in, result);
  case IR_OP(inter, at): return infer_at(in, result);
  case IR_OP(inter, combine): return infer_combined(in, result);
  case IR_OP(inter, row): return infer_row(in, result);
  case IR_OP(inter, dense_row): return infer_dense_row(in, result);
  case IR_OP(inter, src):
  case IR_OP(inter, dst): return infer_end(in, result);
  case IR_OP(inter, group): return infer_group(in, result);
  case IR_OP(inter, group_size): return infer_group_size(in, result);
  case IR_OP(inter, whole_row): return infer_whole_row(in, result);
  case IR_OP(inter, unite): return infer_unite(in, result);
  case IR_OP(inter, dropout): return infer_dropout(in, result);
  case IR_OP(inter, degree): return infer_degree(in, result);
  default: return infer_no_rule(in);
  }
}
