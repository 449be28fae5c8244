/* Finds the reach of a model's outputs: the longest chain of hops from an output back to what it is
 * computed from.
 *
 *   d = degree(g)                       1 hop: the edges into the node
 *   c = rsqrt(gather(d, src))           1 from the source of the edge
 *   y = aggregate(g, x, c)              2: one to the sources, and one from there for their degrees
 *
 * Hops of an edge value are counted from each of its two ends. So the sum of a softmax over incoming
 * edges, which is read at their destination, does not make its reach longer. Reductions over the
 * nodes of each graph reach whole graphs. A loss is a sum over rows: its hops are those of its rows, and
 * that it adds all of them widens nothing. */
#include "tools/gnnc/gnnc_reach.h"

#include "support/edge_mode.h"
#include "support/map.h"
#include "support/vec.h"

#include <string.h>

/* What a value reads: everything at most `src` hops from the source of its edge and `dst` hops from
 * the destination. Both are equal at a node. -1: nothing, as a value that has no rows. */
typedef struct hops {
  int64_t src, dst;
} hops;

typedef struct finder {
  map of;     /* from a value to its hops, as one number */
  map needed; /* the values that outputs other than a loss are computed from */
  graph_reach found;
} finder;

static int64_t larger(int64_t a, int64_t b) {
  return a > b ? a : b;
}

static hops join(hops a, hops b) {
  return (hops){larger(a.src, b.src), larger(a.dst, b.dst)};
}

static const int64_t both = INT64_C(1) << 31;

static void set_hops(finder *f, MlirValue value, hops h) {
  map_set(&f->of, value.ptr, (h.src + 1) * both + h.dst + 1);
}

static hops get_hops(const finder *f, MlirValue value) {
  int64_t kept = map_get(&f->of, value.ptr, 0);
  return (hops){kept / both - 1, kept % both - 1};
}

static hops hops_of_operands(const finder *f, MlirOperation op) {
  hops made = {-1, -1};
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++)
    made = join(made, get_hops(f, mlirOperationGetOperand(op, i)));
  return made;
}

static void widen(finder *f, reach_extent extent) {
  if (f->found.extent < extent) f->found.extent = extent;
}

/* Whether edges of the graph that an operation takes are reversed edges of the caller's. */
static bool has_reversed(MlirOperation op) {
  const char *at = strchr(ir_type_of(mlirOperationGetOperand(op, 0)).set, '.');
  while (at && !edge_mode_reverses(at + 1)) at = strchr(at + 1, '.');
  return at != NULL;
}

/* Returns the hops of a reduction over the edges into a node, or out of it. `of` are those of an edge
 * value, or of a node value at the other ends. */
static int64_t reduce(finder *f, MlirOperation op, bool is_in, hops of) {
  f->found.follows_in |= is_in || has_reversed(op);
  f->found.follows_out |= !is_in || has_reversed(op);
  return larger(1, is_in ? larger(of.src + 1, of.dst) : larger(of.src, of.dst + 1));
}

/* Returns what the operands of a reduction read; a node value is at the other end of each edge. */
static hops hops_over_edges(const finder *f, MlirOperation op, bool is_in) {
  hops made = {-1, -1};
  for (intptr_t i = 1; i < mlirOperationGetNumOperands(op); i++) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    hops of = get_hops(f, operand);
    if (ir_type_of(operand).kind != IR_KIND_edge) of = is_in ? (hops){of.src, -1} : (hops){-1, of.dst};
    made = join(made, of);
  }
  return made;
}

/* Whether the set of a graph, "g.unique_src", has the edges of each pair at their sources. */
static bool is_at_source(MlirOperation op) {
  static const char suffix[] = ".unique_src";
  const char *set = ir_type_of(mlirOperationGetOperand(op, 0)).set;
  size_t length = strlen(set), ending = sizeof suffix - 1;
  return length >= ending && !strcmp(set + length - ending, suffix);
}

static bool has_rows(MlirValue value) {
  ir_kind kind = ir_type_of(value).kind;
  return kind == IR_KIND_node || kind == IR_KIND_edge || kind == IR_KIND_sparse;
}

/* Widens the reach for an operation that this file does not know: one that takes a graph, or that
 * makes one value of many rows, may read any row. */
static void widen_for_others(finder *f, MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    bool reduces = has_rows(operand) && mlirOperationGetNumResults(op) && !has_rows(ir_result(op));
    if (ir_type_of(operand).kind == IR_KIND_graph || reduces) widen(f, REACH_all);
  }
}

/* Returns the hops of a sum over all rows, which only a loss may do without reading them all. */
static hops hops_of_total(finder *f, MlirOperation op, hops before) {
  if (map_get(&f->needed, ir_result(op).ptr, 0)) widen(f, REACH_all);
  return before;
}

/* Returns the hops of an operation on groups: the edges at each node, or the nodes of each graph. The
 * order of an edge depends on all edges at its node. */
static hops hops_of_groups(finder *f, MlirOperation op, hops before) {
  if (ir_string_is(op, "over", "graph")) {
    widen(f, REACH_graphs);
    return before;
  }
  bool is_in = ir_string_is(op, "over", "in");
  int64_t over = reduce(f, op, is_in, hops_over_edges(f, op, is_in));
  if (ir_op_kind(op) == IR_OP(gnn, order)) return is_in ? (hops){-1, over} : (hops){over, -1};
  return (hops){over, over};
}

/* Returns the hops of the result of an operation. */
static hops hops_of(finder *f, MlirOperation op) {
  hops before = hops_of_operands(f, op);
  int64_t over = 0;
  bool is_in = false;
  switch ((int)ir_op_kind(op)) {
  case IR_OP(gnn, edge_set): /* of a path that leads out of the chosen nodes no edge may be missing */
    if (ir_is_run_set(ir_type_of(ir_result(op)).set)) widen(f, REACH_graphs);
    return before;
  case IR_OP(gnn, induced_edges):
  case IR_OP(gnn, unique_edges):
  case IR_OP(gnn, extend_edges):
  case IR_OP(gnn, restrict_edges):
  case IR_OP(gnn, expand):
  case IR_OP(gnn, pair):
  case IR_OP(gnn, part):
  case IR_OP(gnn, unite):
  case IR_OP(gnn, slice): return before;
  case IR_OP(gnn, gather): return ir_string_is(op, "end", "src") ? (hops){before.src, -1} : (hops){-1, before.dst};
  case IR_OP(gnn, degree):
  case IR_OP(gnn, aggregate):
    is_in = ir_string_is(op, "direction", "in");
    over = reduce(f, op, is_in, hops_over_edges(f, op, is_in));
    return (hops){over, over};
  case IR_OP(gnn, collapse):
  case IR_OP(gnn, group_size):
    is_in = !is_at_source(op);
    over = reduce(f, op, is_in, hops_over_edges(f, op, is_in));
    return is_in ? (hops){-1, over} : (hops){over, -1};
  case IR_OP(gnn, fold):
    if (ir_string_is(op, "over", "steps")) return before;
    return hops_of_groups(f, op, before);
  case IR_OP(gnn, order):
  case IR_OP(gnn, first):
  case IR_OP(gnn, quantile): return hops_of_groups(f, op, before);
  case IR_OP(gnn, opposite_edges): /* an edge out of a node whose other edges may lie outside of the part */
  case IR_OP(gnn, near_edges):     /* all nodes of a graph are compared */
  case IR_OP(gnn, top_nodes):
  case IR_OP(gnn, pool): widen(f, REACH_graphs); return before;
  case IR_OP(gnn, total): return hops_of_total(f, op, before);
  default: widen_for_others(f, op); return before;
  }
}

static void add_output(finder *f, MlirValue value) {
  hops of = get_hops(f, value);
  f->found.hops = larger(f->found.hops, larger(of.src, of.dst));
  f->found.has_edge_rows |= ir_type_of(value).kind == IR_KIND_edge;
}

static void mark_operands(finder *f, MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++)
    map_set(&f->needed, mlirOperationGetOperand(op, i).ptr, 1);
}

/* Marks what outputs are computed from, but for a loss, from the last operation to the first. */
static void mark_needed(finder *f, MlirOperation func, MlirBlock body) {
  VEC(MlirOperation) ops = {0};
  IR_FOR_EACH_OP(op, body) VEC_PUSH(f->of.arena, &ops, op);
  for (size_t k = ops.count; k-- > 0;) {
    MlirOperation op = ops.items[k];
    bool is_needed = false;
    if (!strcmp(ir_op_name(op), "func.return")) {
      for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++)
        if (mlirAttributeIsNull(ir_func_result_attr(func, (size_t)i, "gnn.loss")))
          map_set(&f->needed, mlirOperationGetOperand(op, i).ptr, 1);
      continue;
    }
    for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++)
      is_needed |= map_get(&f->needed, mlirOperationGetResult(op, i).ptr, 0) != 0;
    if (is_needed) mark_operands(f, op);
  }
}

static void find_in_function(finder *f, MlirOperation func) {
  MlirBlock body = ir_func_body(func);
  mark_needed(f, func, body);
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(body); i++)
    if (has_rows(mlirBlockGetArgument(body, i))) set_hops(f, mlirBlockGetArgument(body, i), (hops){0, 0});
  IR_FOR_EACH_OP(op, body) {
    if (!strcmp(ir_op_name(op), "func.return")) {
      for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) add_output(f, mlirOperationGetOperand(op, i));
      continue;
    }
    hops made = hops_of(f, op);
    for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++) set_hops(f, mlirOperationGetResult(op, i), made);
  }
}

graph_reach gnnc_reach_find(MlirModule module) {
  arena *a = arena_create();
  finder f = {.of = {.arena = a}, .needed = {.arena = a}};
  IR_FOR_EACH_FUNC(func, mlirModuleGetOperation(module)) find_in_function(&f, func);
  arena_destroy(a);
  return f.found;
}
