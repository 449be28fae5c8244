/* Result types of operations on groups of members in an order: the edges at each node, the nodes of
 * each graph of a batch.
 *
 *   gnn.first(%g, %x : edge f32[4]) {count = 3, over = "in"} : node f32[3, 4] */
#include "dialects/verify/infer_order.h"

#include <string.h>

#define ARG(op, name) ((unsigned)IR_IN(gnn, op, name))

/* Sets the domain of a result with a row per group. */
static void set_groups(const infer *in, ir_type *result) {
  bool is_graph = !strcmp(infer_string(in, "over"), "graph");
  result->kind = is_graph ? IR_KIND_per : IR_KIND_node;
  result->set = is_graph ? ir_intern(in->context, "graph") : ir_node_set(in->context, in->types[0].set);
}

/* Checks that a value has a row per member: per edge of the graph, or per node of a graph of a
 * batch. With `ends` a value per node is that of the other end of each edge. */
static bool check_members(const infer *in, unsigned value, bool ends) {
  const char *over = infer_string(in, "over");
  bool is_graph = !strcmp(over, "graph"), is_edge = in->types[value].kind == IR_KIND_edge;
  if (!infer_check_on_graph(in, value, 0)) return false;
  if (ir_unique_end(in->types[0].set)) return infer_error(in, "the edges of '%s' have no order", in->types[0].set);
  if (is_graph ? !is_edge : is_edge || ends) return true;
  return infer_error(in, "'%s' is per %s, but the members of a %s are %s", infer_name(in, value),
                     is_edge ? "edge" : "node", is_graph ? "graph" : "node", is_graph ? "its nodes" : "edges");
}

bool infer_order(const infer *in, ir_type *result) {
  unsigned key = ARG(order, key);
  *result = in->types[key];
  if (!check_members(in, key, false)) return false;
  return !result->rank || infer_error(in, "'%s' has %u dimension%s, but a key is one number", infer_name(in, key),
                                      result->rank, result->rank == 1 ? "" : "s");
}

bool infer_check_order(const infer *in, unsigned order) {
  if (mlirValueIsNull(in->values[order])) return true;
  if (!check_members(in, order, false)) return false;
  return !in->types[order].rank || infer_error(in, "'%s' is no order: it has dimensions", infer_name(in, order));
}

bool infer_first(const infer *in, ir_type *result) {
  unsigned value = ARG(first, value);
  MlirAttribute count = infer_attribute(in, "count");
  int64_t rows = mlirIntegerAttrGetValueInt(count);
  if (!check_members(in, value, true) || !infer_check_order(in, ARG(first, order))) return false;
  *result = in->types[value];
  if (result->rank == IR_MAX_RANK) return infer_error(in, "a shape has at most %d dimensions", IR_MAX_RANK);
  if (rows < 1 || rows > INT32_MAX) return infer_error(in, "'count' cannot be %lld", (long long)rows);
  for (unsigned i = result->rank++; i > 0; i--) result->dims[i] = result->dims[i - 1];
  result->dims[0] = rows;
  set_groups(in, result);
  return true;
}

bool infer_place_first(const infer *in, ir_type *result) {
  unsigned value = ARG(place_first, value);
  bool is_graph = !strcmp(infer_string(in, "over"), "graph");
  if (ir_unique_end(in->types[0].set)) return infer_error(in, "the edges of '%s' have no order", in->types[0].set);
  if (!infer_check_rank(in, value, 1) || !infer_check_order(in, ARG(place_first, order))) return false;
  *result = in->types[value];
  ir_type group = *result;
  set_groups(in, &group);
  if (result->kind != group.kind || strcmp(result->set, group.set) != 0)
    return infer_error(in, "'%s' is not per group", infer_name(in, value));
  result->kind = is_graph ? IR_KIND_node : IR_KIND_edge;
  result->set = is_graph ? ir_node_set(in->context, in->types[0].set) : in->types[0].set;
  result->rank--;
  for (unsigned i = 0; i < result->rank; i++) result->dims[i] = result->dims[i + 1];
  return true;
}

bool infer_quantile(const infer *in, ir_type *result) {
  unsigned value = ARG(quantile, value);
  double q = mlirFloatAttrGetValueDouble(infer_attribute(in, "q"));
  if (!check_members(in, value, true)) return false;
  *result = in->types[value];
  set_groups(in, result);
  return (q >= 0 && q <= 1) || infer_error(in, "'q' cannot be %g: it is between 0 and 1", q);
}

/* ---- folds ---- */

/* Joins a value into the domain of the rows of a fold over steps. */
static bool join_rows(const infer *in, unsigned operand, ir_type *result) {
  infer so_far = *in;
  if (mlirValueIsNull(in->values[operand])) return true;
  so_far.types[ARG(fold, init)] = *result;
  return infer_join_domain(&so_far, ARG(fold, init), operand, result);
}

static bool infer_fold_of_steps(const infer *in, ir_type *result) {
  unsigned steps = ARG(fold, steps);
  if (mlirValueIsNull(in->values[steps]) || in->types[steps].rank)
    return infer_error(in, "a fold over steps needs 'steps', one number");
  if (!mlirValueIsNull(in->values[ARG(fold, order)])) return infer_error(in, "steps have no 'order'");
  for (unsigned i = steps; i < IR_MAX_OPERANDS; i++)
    if (!join_rows(in, i, result)) return false;
  return true;
}

bool infer_fold(const infer *in, ir_type *result) {
  unsigned init = ARG(fold, init);
  *result = in->types[init];
  if (!strcmp(infer_string(in, "over"), "steps")) return infer_fold_of_steps(in, result);
  if (mlirValueIsNull(in->values[ARG(fold, graph)])) return infer_error(in, "a fold over members needs 'graph'");
  if (!mlirValueIsNull(in->values[ARG(fold, steps)])) return infer_error(in, "a fold over members has no 'steps'");
  if (!infer_check_order(in, ARG(fold, order))) return false;
  for (unsigned i = ARG(fold, value0); i < IR_MAX_OPERANDS; i++)
    if (!mlirValueIsNull(in->values[i]) && in->types[i].kind != IR_KIND_plain && !check_members(in, i, false))
      return false;
  ir_type group = *result;
  set_groups(in, &group);
  bool fits = result->kind == IR_KIND_plain || (result->kind == group.kind && !strcmp(result->set, group.set));
  *result = group;
  return fits || infer_error(in, "'%s' is neither plain nor per group", infer_name(in, init));
}
