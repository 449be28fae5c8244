/* gnn-merge-relations: relations that only differ by their weights become one product with a weight per edge type.
 *
 *   h + aggregate(%g.relation0, linear(%x, %wa)){mean} + aggregate(%g.relation1, linear(%x, %wb)){mean}
 *   =>  h + aggregate(%g, multiply(1 / in_degree[type], linear(gather(%g, %x){src}, slice(%g, %{wa|wb}){edge}))){sum}
 *
 * A model that repeats over relations has a product per relation, each with rows for all nodes, and a machine executes
 * each of them by itself. With a weight per type it is one product with a row per pair of edge type and node that
 * occurs, which gnn-aggregate-first, gnn-compact and the machines know. The pass looks at trees of additions per node.
 * It merges products of one x that have one for each type that the graph declares: only then no edge is left out, and
 * none counts that had no product. Programs refuse graphs with more types.
 *
 * It runs before gnn-order, which moves products, and gnn-fuse-activation, which hides additions in layers. */
#include "passes/gnn/gnn_merge_relations.h"

#include "passes/cost/gnn_choice.h"
#include "passes/cost/gnn_cost.h"
#include "passes/gnn/rules/gnn_rewrite.h"
#include "support/edge_mode.h"
#include "support/map.h"

#include <string.h>

static const MlirValue none = {NULL};

typedef struct merging {
  pass_context *p;
  MlirOperation func;
  gnn_when when;
  relation_products found; /* the leaves of a tree of additions that are such products */
  map replaced;            /* from a leaf to what is added instead of it; its own pointer: nothing */
} merging;

/* ---- the match --------------------------------------------------------------------------------------------------- */

/* Whether `op` adds two values per node of all types. */
static bool is_addition(MlirOperation op) {
  if (mlirOperationIsNull(op) || ir_op_kind(op) != IR_OP(gnn, vector_add) || gnn_activation_of(op)) return false;
  ir_type type = ir_type_of(ir_result(op));
  return type.kind == IR_KIND_node && ir_part_type(type.set) < 0;
}

/* The addition that makes `value` for nothing else than one other addition; null: `value` is a leaf. */
static MlirOperation inner_addition(MlirValue value) {
  MlirOperation op = ir_defining_op(value);
  return is_addition(op) && ir_value_has_one_use(value) ? op : (MlirOperation){NULL};
}

/* Whether `op` is an addition that is not part of another one's tree. */
static bool is_root(MlirOperation op) {
  if (!is_addition(op)) return false;
  MlirValue value = ir_result(op);
  return !ir_value_has_one_use(value) || !is_addition(mlirOpOperandGetOwner(mlirValueGetFirstUse(value)));
}

static bool is_bare_sum(MlirOperation op) {
  return gnn_is_sum_or_mean(op) && !gnn_activation_of(op) &&
         ir_value_is_null(ir_operand(op, IR_IN(gnn, aggregate, weight)));
}

static bool is_bare_linear(MlirOperation op) {
  return !gnn_activation_of(op) && ir_value_is_null(ir_operand(op, IR_IN(gnn, linear, bias))) &&
         ir_value_is_null(ir_operand(op, IR_IN(gnn, linear, addend)));
}

/* Reads the graph and the type of the edges over which r->sum runs. */
static bool read_relation(relation_product *r) {
  MlirOperation set = gnn_producer(ir_operand(r->sum, IR_IN(gnn, aggregate, graph)), IR_OP(gnn, edge_set));
  if (mlirOperationIsNull(set)) return false;
  edge_mode mode = edge_mode_read(ir_get_string(set, "mode", ""));
  r->graph = ir_operand(set, IR_IN(gnn, edge_set, graph));
  r->type = mode.number;
  return mode.kind == EDGE_MODE_relation && mlirValueIsABlockArgument(r->graph);
}

static bool match_product(MlirValue value, relation_product *r) {
  *r = (relation_product){.value = value};
  r->sum = gnn_producer(value, IR_OP(gnn, aggregate));
  r->linear = gnn_producer(value, IR_OP(gnn, linear));
  bool is_sum_last = !mlirOperationIsNull(r->sum);
  if (!is_sum_last && mlirOperationIsNull(r->linear)) return false;
  MlirValue between =
      is_sum_last ? ir_operand(r->sum, IR_IN(gnn, aggregate, value)) : ir_operand(r->linear, IR_IN(gnn, linear, x));
  if (is_sum_last)
    r->linear = gnn_producer(between, IR_OP(gnn, linear));
  else
    r->sum = gnn_producer(between, IR_OP(gnn, aggregate));
  if (mlirOperationIsNull(r->sum) || mlirOperationIsNull(r->linear)) return false;
  if (!ir_value_has_one_use(value) || !ir_value_has_one_use(between)) return false;
  r->x = is_sum_last ? ir_operand(r->linear, IR_IN(gnn, linear, x)) : ir_operand(r->sum, IR_IN(gnn, aggregate, value));
  MlirOperation load = ir_defining_op(ir_operand(r->linear, IR_IN(gnn, linear, w)));
  bool is_weight = !mlirOperationIsNull(load) && ir_weight_symbol(load);
  return is_weight && ir_type_of(r->x).kind == IR_KIND_node && is_bare_sum(r->sum) && is_bare_linear(r->linear) &&
         read_relation(r);
}

/* Whether two products only differ by their type and the values of their weights. */
static bool is_alike(const relation_product *a, const relation_product *b) {
  static const char *const words[] = {"reduce", "direction"};
  for (size_t i = 0; i < 2; i++)
    if (!ir_string_is(a->sum, words[i], ir_get_string(b->sum, words[i], ""))) return false;
  ir_type v = ir_type_of(ir_operand(a->linear, IR_IN(gnn, linear, w)));
  ir_type w = ir_type_of(ir_operand(b->linear, IR_IN(gnn, linear, w)));
  return mlirValueEqual(a->graph, b->graph) && mlirValueEqual(a->x, b->x) && ir_type_equal(v, w) &&
         ir_get_bool(a->linear, "transposed") == ir_get_bool(b->linear, "transposed");
}

static void collect(merging *m, MlirValue value) {
  MlirOperation op = inner_addition(value);
  relation_product found;
  if (!mlirOperationIsNull(op)) {
    collect(m, ir_operand(op, 0));
    collect(m, ir_operand(op, 1));
  } else if (match_product(value, &found)) {
    VEC_PUSH(m->p->arena, &m->found, found);
  }
}

/* The number of types of edges that the graph declares; 0: it names none. */
static int64_t count_types(const merging *m, MlirValue graph) {
  MlirAttribute count = ir_func_arg_attr(m->func, (size_t)mlirBlockArgumentGetArgNumber(graph), "gnn.edge_types");
  return mlirAttributeIsNull(count) ? 0 : mlirIntegerAttrGetValueInt(count);
}

/* Finds the products like number `first`, in the order of their types. Returns false where there is not exactly one
 * for each type of the graph. */
static bool find_group(const merging *m, size_t first, relation_products *group) {
  const relation_product *like = &m->found.items[first];
  int64_t types = count_types(m, like->graph);
  *group = (relation_products){0};
  for (int64_t t = 0; t < types; t++) {
    size_t before = group->count;
    for (size_t i = 0; i < m->found.count; i++) {
      const relation_product *r = &m->found.items[i];
      if (r->type == t && is_alike(like, r)) VEC_PUSH(m->p->arena, group, *r);
    }
    if (group->count != before + 1) return false;
  }
  return types > 1 && gnn_merge_can_stack(m->p, group);
}

/* ---- the choice -------------------------------------------------------------------------------------------------- */

static double fewer(double a, double b) {
  return a < 0 || (b >= 0 && b < a) ? b : a;
}

/* Whether one product costs less. It has a row per pair of edge type and node, those with edges alone; so it only
 * costs more where x is sparse, which values at edges are not. */
static bool decide(const merging *m, const relation_products *group) {
  pass_context *p = m->p;
  const pass_statistics *s = &p->statistics;
  const relation_product *r = &group->items[0];
  gnn_cost cost = gnn_cost_create(p);
  double per_row = gnn_cost_per_row(r->linear), types = (double)group->count;
  double rows =
      pass_option_bool(p, "compact", true) ? fewer((double)s->unique_src, (double)s->unique_dst) : (double)s->num_edges;
  const char *name = gnn_describe_value(p, ir_result(r->linear));
  if (s->num_nodes <= 0 || rows < 0) {
    pass_remark(p, r->linear, "%s and those of the other relations %s one product with a weight per edge type", name,
                m->when == GNN_WHEN_never ? "would become" : "become");
    return m->when != GNN_WHEN_never;
  }
  gnn_work before = {.flops = types * per_row * cost.nodes * gnn_cost_density_of(&cost, m->func, r->x)};
  gnn_work after = {.flops = per_row * rows};
  bool is_chosen = m->when == GNN_WHEN_always || (m->when == GNN_WHEN_profitable && after.flops <= before.flops);
  pass_remark(p, r->linear, "%s and those of the other relations %s one product with a weight per edge type: %s%s",
              name,
              is_chosen                   ? "become"
              : m->when == GNN_WHEN_never ? "would become"
                                          : "do not become",
              gnn_describe_change(p, before, after), m->when == GNN_WHEN_never ? "; switched off" : "");
  return is_chosen;
}

/* ---- the rewrite ------------------------------------------------------------------------------------------------- */

/* Builds the tree again before `at`, without the leaves that are merged; null where nothing of it is left. The value
 * of a merged product stands where the first of its leaves stood. */
static MlirValue rebuild(const merging *m, MlirOperation at, MlirValue value, bool is_root) {
  MlirOperation op = is_root ? ir_defining_op(value) : inner_addition(value);
  if (mlirOperationIsNull(op)) {
    void *other = map_get_pointer(&m->replaced, value.ptr);
    return other == value.ptr ? none : other ? (MlirValue){other} : value;
  }
  MlirValue sides[IR_MAX_OPERANDS] = {rebuild(m, at, ir_operand(op, 0), false),
                                      rebuild(m, at, ir_operand(op, 1), false)};
  if (ir_value_is_null(sides[0]) || ir_value_is_null(sides[1])) return sides[ir_value_is_null(sides[0])];
  if (mlirValueEqual(sides[0], ir_operand(op, 0)) && mlirValueEqual(sides[1], ir_operand(op, 1))) return value;
  ir_builder b = ir_builder_before(at);
  b.location = mlirOperationGetLocation(op);
  return gnn_build_like(&b, op, sides, NULL);
}

static void merge_group(merging *m, MlirOperation root, const relation_products *group) {
  MlirValue merged = gnn_merge_build(m->p, root, group);
  for (size_t i = 0; i < group->count; i++)
    map_set_pointer(&m->replaced, group->items[i].value.ptr, group->items[i].value.ptr);
  map_set_pointer(&m->replaced, group->items[0].value.ptr, merged.ptr);
}

static void merge_tree(merging *m, MlirOperation root) {
  m->found = (relation_products){0};
  m->replaced = (map){.arena = m->p->arena};
  collect(m, ir_operand(root, 0));
  collect(m, ir_operand(root, 1));
  bool is_changed = false;
  for (size_t i = 0; i < m->found.count; i++) {
    relation_products group;
    bool is_first = m->found.items[i].type == 0; /* each group has one product of type 0 */
    if (!is_first || !find_group(m, i, &group) || !decide(m, &group)) continue;
    merge_group(m, root, &group);
    is_changed = true;
  }
  if (is_changed) gnn_replace(m->p, root, rebuild(m, root, ir_result(root), true));
}

/* ---- the pass ---------------------------------------------------------------------------------------------------- */

bool pass_run_merge_relations(MlirOperation root, pass_context *p) {
  merging m = {.p = p, .when = gnn_when_get(p)};
  IR_FOR_EACH_FUNC(func, root) {
    m.func = func;
    IR_FOR_EACH_OP_SAFE(op, ir_func_body(func)) {
      if (is_root(op)) merge_tree(&m, op);
    }
  }
  return true;
}
