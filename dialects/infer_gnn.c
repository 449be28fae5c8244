/* Result types of the graph operations: those that lead from nodes to edges, from edges to nodes, and make edge sets. */
#include "dialects/infer.h"

#include <string.h>

#define ARG(op, name) ((unsigned)IR_IN(gnn, op, name))

static bool infer_self_loops(const infer *in, ir_type *result) {
  text set = {0};
  text_printf(&set, "%s.%s", in->types[0].set, infer_string(in, "mode"));
  *result = ir_type_graph(ir_intern(in->context, text_str(&set)));
  text_free(&set);
  return true;
}

static bool infer_extend_edges(const infer *in, ir_type *result) {
  unsigned graph = ARG(extend_edges, graph), value = ARG(extend_edges, value);
  const char *base = ir_base_set(in->context, in->types[graph].set);
  if (!base)
    return infer_error(in, "graph '%s' was not made by gnn.self_loops: it has no edges to add", infer_name(in, graph));
  if (strcmp(in->types[value].set, base) != 0)
    return infer_error(in, "'%s' is per edge of '%s', but graph '%s' was made from '%s'", infer_name(in, value),
                       in->types[value].set, infer_name(in, graph), base);
  *result = in->types[value];
  result->set = in->types[graph].set;
  return true;
}

static bool infer_degree(const infer *in, ir_type *result) {
  *result = (ir_type){.kind = IR_KIND_node, .set = ir_node_set(in->context, in->types[0].set)};
  return true;
}

static bool infer_gather(const infer *in, ir_type *result) {
  unsigned graph = ARG(gather, graph), value = ARG(gather, value);
  if (!infer_check_on_graph(in, value, graph)) return false;
  *result = in->types[value];
  result->kind = IR_KIND_edge;
  result->set = in->types[graph].set;
  return true;
}

static bool infer_slice(const infer *in, ir_type *result) {
  unsigned graph = ARG(slice, graph), value = ARG(slice, value);
  bool by_edge = !strcmp(infer_string(in, "by"), "edge");
  const char *wanted = by_edge ? "etype" : "ntype", *found = in->types[value].set;
  if (strcmp(found, wanted) != 0)
    return infer_error(in, "'%s' is per %s, but slicing by %s takes a value per %s", infer_name(in, value), found,
                       by_edge ? "edge" : "node", wanted);
  *result = in->types[value];
  result->kind = by_edge ? IR_KIND_edge : IR_KIND_node;
  result->set = by_edge ? in->types[graph].set : ir_node_set(in->context, in->types[graph].set);
  return true;
}

static bool check_weight(const infer *in, unsigned value, unsigned weight, unsigned graph) {
  ir_type v = in->types[value], w = in->types[weight], shape = {0};
  if (!infer_check_on_graph(in, weight, graph)) return false;
  if (w.rank > v.rank)
    return infer_error(in, "'%s' has %u dimension%s, but '%s', which it multiplies, has only %u",
                       infer_name(in, weight), w.rank, w.rank == 1 ? "" : "s", infer_name(in, value), v.rank);
  return infer_broadcast(in, value, weight, &shape);
}

static bool infer_aggregate(const infer *in, ir_type *result) {
  unsigned graph = ARG(aggregate, graph), value = ARG(aggregate, value), weight = ARG(aggregate, weight);
  ir_type v = in->types[value];
  if (v.kind != IR_KIND_node && v.kind != IR_KIND_edge)
    return infer_error(in, "'%s' is %s, but an aggregation takes a value per node or per edge", infer_name(in, value),
                       v.kind == IR_KIND_sparse ? "sparse" : "a plain tensor");
  if (!infer_check_on_graph(in, value, graph)) return false;
  if (!mlirValueIsNull(in->values[weight]) && !check_weight(in, value, weight, graph)) return false;
  *result = v;
  result->kind = IR_KIND_node;
  result->set = ir_node_set(in->context, in->types[graph].set);
  return true;
}

static bool infer_pool(const infer *in, ir_type *result) {
  unsigned graph = ARG(pool, graph), value = ARG(pool, value);
  if (!infer_check_on_graph(in, value, graph)) return false;
  *result = in->types[value];
  result->kind = IR_KIND_per;
  result->set = ir_intern(in->context, "graph");
  return true;
}

static bool infer_constant(const infer *in, ir_type *result) {
  (void)in;
  *result = (ir_type){.kind = IR_KIND_plain};
  return true;
}

bool infer_gnn(const infer *in, ir_type *result) {
  switch (in->op) {
  case IR_OP(gnn, constant): return infer_constant(in, result);
  case IR_OP(gnn, self_loops): return infer_self_loops(in, result);
  case IR_OP(gnn, extend_edges): return infer_extend_edges(in, result);
  case IR_OP(gnn, degree): return infer_degree(in, result);
  case IR_OP(gnn, gather): return infer_gather(in, result);
  case IR_OP(gnn, slice): return infer_slice(in, result);
  case IR_OP(gnn, aggregate): return infer_aggregate(in, result);
  case IR_OP(gnn, pool): return infer_pool(in, result);
  default: return infer_layer(in, result);
  }
}
