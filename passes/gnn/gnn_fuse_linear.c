/* gnn-fuse-linear: replaces two consecutive linear operations by one with the product of their
 * weights (linear-operator fusion; Pigeon, Section 3.4.1).
 *
 *   %y = linear(gather(%g, %x){dst}, slice(%g, %W){edge}); %z = vector_inner(%y, slice(%g, %a){edge})
 *   =>  %z = vector_inner(gather(%g, %x){dst}, slice(%g, vector_inner(%W, %a)){edge})        W a once per type, in bind
 *
 * Conditions: (1) only linear operations are between the two; (2) the row of the product is chosen
 * by finitely many types: the edge type, or pairs of edge type and node type of one end; (3) shapes
 * agree; (4) reassociation is accepted, so the pass runs from -O2 on; (5) nothing else needs y; (6)
 * it pays: R1 d1 + R2 d2 > S d12 + R2 d, where the left side has the FLOPs of the rows of both
 * operations, and the right side those of W12 and of the rows of the remaining operation. Without a
 * graph, (6) holds if the first operation disappears and the second gets no wider. */
#include "passes/gnn/gnn_fuse_linear.h"

#include "passes/cost/gnn_choice.h"
#include "passes/cost/gnn_cost.h"
#include "passes/gnn/rules/gnn_rewrite.h"
#include "passes/gnn/train/gnn_train_function.h"
#include "support/map.h"

#include <inttypes.h>
#include <string.h>

typedef struct fusing {
  pass_context *p;
  MlirOperation func;
  gnn_cost cost;
  gnn_when when;
  bool has_pairs;   /* values of type and one end will be computed once per pair (gnn-compact) */
  bool has_inputs;  /* weights may depend on inputs of the model */
  bool is_training; /* each step multiplies the weights, and has the gradients of their product */
  bool says_why;    /* in the last sweep: remarks say what was not fused, and why */
  bool failed;
} fusing;

/* ---- condition (6): costs
 * ---------------------------------------------------------------------------------------- */

/* The number of rows of an operation whose result has this type and depends on `by`. */
static double rows_of(const fusing *f, ir_type type, const char *end, unsigned by) {
  const pass_statistics *s = &f->p->statistics;
  double pairs = -1;
  const char *other = gnn_fuse_end_of(by);
  bool is_pair = end && (by & FUSE_BY_etype) && (!other || !strcmp(other, end));
  if (type.kind == IR_KIND_edge && f->has_pairs && is_pair)
    pairs = !strcmp(end, "src") ? (double)s->unique_src : (double)s->unique_dst;
  return pairs >= 0 ? pairs : gnn_cost_rows(s, type);
}

/* The end at which x is read: by the gather between the two, or by a gather before the first. */
static const char *find_end(const fuse_match *m) {
  MlirOperation gather = m->gather;
  if (mlirOperationIsNull(gather))
    gather = gnn_producer(ir_operand(m->first, IR_IN(gnn, linear, x)), IR_OP(gnn, gather));
  return mlirOperationIsNull(gather) ? NULL : ir_get_string(gather, "end", NULL);
}

/* The number of rows of W12. */
static double weight_rows(const fusing *f, unsigned by) {
  const pass_statistics *s = &f->p->statistics;
  if (by == 0) return 1;
  if (by == FUSE_BY_etype) return (double)s->num_edge_types;
  if (!(by & FUSE_BY_etype)) return (double)s->num_node_types;
  return by & FUSE_BY_src ? (double)s->pairs_src : (double)s->pairs_dst;
}

/* Computes the work before and after; false when the graph is not known well enough. */
static bool weigh(const fusing *f, const fuse_match *m, gnn_work *before, gnn_work *after) {
  const char *end = find_end(m);
  bool is_on_nodes = m->x.kind == IR_KIND_node && !mlirOperationIsNull(m->gather);
  double r1 = is_on_nodes ? gnn_cost_rows(&f->p->statistics, m->x) : rows_of(f, m->y, end, m->by);
  double r2 = rows_of(f, m->z, end, m->by), s = weight_rows(f, m->by);
  if (r1 < 0 || r2 < 0 || s < 0) return false;
  double density = gnn_cost_density_of(&f->cost, f->func, ir_operand(m->first, IR_IN(gnn, linear, x)));
  double kept = m->z.kind == IR_KIND_node ? density : 1; /* rows gathered to edges are dense */
  *before = (gnn_work){.flops = r1 * density * gnn_fuse_first_flops(m) + r2 * gnn_fuse_second_flops(m)};
  *after = (gnn_work){.flops = s * gnn_fuse_weight_flops(m) + r2 * kept * gnn_fuse_result_flops(m)};
  return true;
}

static bool is_profitable_by_structure(const fuse_match *m) {
  bool has_equal_rows = mlirOperationIsNull(m->gather);
  double before = gnn_fuse_second_flops(m) + (has_equal_rows ? gnn_fuse_first_flops(m) : 0);
  return gnn_fuse_result_flops(m) <= before;
}

/* ---- the decision ------------------------------------------------------------------------------------------------ */

static bool refuse(const fusing *f, const fuse_match *m, const char *why) {
  if (f->says_why)
    pass_remark(f->p, m->second, "%s and %s are not fused: %s", gnn_describe_value(f->p, ir_result(m->first)),
                gnn_describe_value(f->p, ir_result(m->second)), why);
  return false;
}

static const char *name_barrier(const fuse_match *m) {
  if (mlirOperationEqual(m->barrier, m->first)) return gnn_activation_of(m->first);
  const char *function = ir_get_string(m->barrier, "function", NULL);
  return function ? function : ir_op_name(m->barrier);
}

/* The number of pairs of edge type and node type for which W12 is made; 0: none; -1: unknown. */
static int64_t count_pairs(const fusing *f, unsigned by) {
  const char *end = gnn_fuse_end_of(by);
  if (!(by & FUSE_BY_etype) || !end) return 0;
  return !strcmp(end, "src") ? f->p->statistics.pairs_src : f->p->statistics.pairs_dst;
}

/* Whether a value depends on an input of the model. */
static bool needs_input(MlirValue v, map *seen) {
  if (ir_value_is_null(v) || map_get(seen, v.ptr, 0)) return false;
  map_set(seen, v.ptr, 1);
  if (mlirValueIsABlockArgument(v)) return ir_type_of(v).kind != IR_KIND_graph;
  MlirOperation op = mlirOpResultGetOwner(v);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++)
    if (needs_input(mlirOperationGetOperand(op, i), seen)) return true;
  return false;
}

static bool has_moving_weight(const fusing *f, const fuse_match *m) {
  map seen = {.arena = f->p->arena};
  bool found = needs_input(m->w1.table, &seen) || needs_input(m->w2.table, &seen);
  for (unsigned i = 0; i < m->bias_count; i++) found = found || needs_input(m->biases[i].table, &seen);
  return found;
}

static bool decide(const fusing *f, const fuse_match *m) {
  if (m->is_shared)
    return refuse(f, m,
                  arena_printf(f->p->arena, "%s is also used elsewhere (condition 5)",
                               gnn_describe_value(f->p, ir_result(m->first))));
  if (!f->has_inputs && has_moving_weight(f, m))
    return refuse(f, m, "inputs take part in their weights, whose product this target does not make in every run");
  if ((m->by & FUSE_BY_src) && (m->by & FUSE_BY_dst))
    return refuse(f, m, "their weights are chosen by the node types of both ends (condition 2)");
  if (f->is_training && count_pairs(f, m->by) != 0)
    return refuse(f, m, "a table for pairs of edge type and node type has no gradient");
  if (count_pairs(f, m->by) < 0)
    return refuse(f, m,
                  "how many pairs of edge type and node type there are is not known without a graph (condition 2)");
  gnn_work before, after;
  bool is_known = weigh(f, m, &before, &after);
  bool is_profitable = is_known ? after.flops < before.flops : is_profitable_by_structure(m);
  const char *change = is_known ? gnn_describe_change(f->p, before, after) : "the graph is not known, judged by widths";
  if (f->when != GNN_WHEN_always && !is_profitable)
    return refuse(f, m, arena_printf(f->p->arena, "%s (condition 6)", change));
  if (f->when == GNN_WHEN_never)
    return refuse(f, m, arena_printf(f->p->arena, "switched off; one product would be %s", change));
  pass_remark(f->p, m->second, "%s and %s become one product, weights multiplied once: %s",
              gnn_describe_value(f->p, ir_result(m->first)), gnn_describe_value(f->p, ir_result(m->second)), change);
  return true;
}

/* ---- the pass ---------------------------------------------------------------------------------------------------- */

/* Fuses `second` with the operation before it; returns whether it did. */
static bool try_fuse(fusing *f, MlirOperation second, int position) {
  fuse_match m;
  if (!gnn_fuse_match_find(second, position, &m)) {
    if (!mlirOperationIsNull(m.barrier))
      refuse(f, &m, arena_printf(f->p->arena, "%s is between, which is not linear (condition 1)", name_barrier(&m)));
    return false;
  }
  if (!decide(f, &m)) return false;
  MlirValue value = gnn_fuse_build(&m, count_pairs(f, m.by));
  f->failed = ir_value_is_null(value);
  if (f->failed) return false;
  gnn_replace(f->p, second, value);
  return true;
}

static bool sweep(fusing *f) {
  uint64_t before = f->p->changed;
  IR_FOR_EACH_OP_SAFE(op, ir_func_body(f->func)) {
    if (f->failed) return false;
    bool is_linear = ir_op_kind(op) == IR_OP(gnn, linear);
    if (!is_linear && ir_op_kind(op) != IR_OP(gnn, vector_inner)) continue;
    if (!try_fuse(f, op, 0) && !is_linear) try_fuse(f, op, 1);
  }
  return f->p->changed != before && !f->failed;
}

bool pass_run_fuse_linear(MlirOperation root, pass_context *p) {
  fusing f = {.p = p,
              .cost = gnn_cost_create(p),
              .when = gnn_when_get(p),
              .has_pairs = pass_option_bool(p, "compact", true),
              .is_training = train_is_wanted(root),
              .has_inputs = pass_option_bool(p, "inputs", true)};
  IR_FOR_EACH_FUNC(func, root) {
    if (f.failed) return false;
    f.func = func;
    f.says_why = false;
    while (sweep(&f)) continue;
    f.says_why = true;
    if (!f.failed && p->remarks) sweep(&f);
  }
  return !f.failed;
}
