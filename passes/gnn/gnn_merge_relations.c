/* gnn-merge-relations: relations that only differ by their weights become one product with a weight per edge type.
 *
 *   h + aggregate(%g.relation0, linear(%x, %wa)){mean} + aggregate(%g.relation1, linear(%x, %wb)){mean}
 *   =>  h + aggregate(%g, multiply(1 / in_degree[type], linear(gather(%g, %x){src}, slice(%g, %{wa|wb}){edge}))){sum}
 *
 * A model that repeats over relations has a product per relation, each with rows for all nodes, and a machine executes
 * each of them by itself. With a weight per type it is one product with a row per pair of edge type and node that
 * occurs, which gnn-aggregate-first, gnn-compact and the machines know. The pass looks at trees of additions.
 * It merges products that have one for each type that the graph declares: only then no edge is left out, and
 * none counts that had no product. Programs refuse graphs with more types.
 *
 * Where the model declares the ends of edges, relations may end at nodes of several types, each with a tree of its own,
 * and begin at nodes of several types, each with an x of its own: programs refuse graphs whose edges have other ends. So
 * one value has the x of each type at its nodes, and the rows of each type of the sum are those that its tree adds.
 *
 * It runs before gnn-order, which moves products, and gnn-fuse-activation, which hides additions in layers. */
#include "passes/gnn/gnn_merge_relations.h"

#include "passes/cost/gnn_choice.h"
#include "passes/gnn/rules/gnn_rewrite.h"
#include "support/map.h"

static const MlirValue none = {NULL};

/* A tree of additions, or a product that nothing is added to. */
typedef struct addition_tree {
  MlirOperation root;
  bool is_changed;
} addition_tree;

typedef struct merging {
  pass_context *p;
  MlirOperation func;
  gnn_when when;
  VEC(addition_tree) trees; /* in the order of the function */
  relation_products found;  /* the leaves that are such products */
  map replaced;             /* from a leaf to what is added instead of it; its own pointer: nothing */
} merging;

/* ---- trees ------------------------------------------------------------------------------------------------------- */

/* Whether `op` adds two values per node. */
static bool is_addition(MlirOperation op) {
  if (mlirOperationIsNull(op) || ir_op_kind(op) != IR_OP(gnn, vector_add) || gnn_activation_of(op)) return false;
  return ir_type_of(ir_result(op)).kind == IR_KIND_node;
}

/* The addition that makes `value` for nothing else than one other addition; null: `value` is a leaf. */
static MlirOperation inner_addition(MlirValue value) {
  MlirOperation op = ir_defining_op(value);
  return is_addition(op) && ir_value_has_one_use(value) ? op : (MlirOperation){NULL};
}

/* Whether no addition alone uses the result of `op`. */
static bool is_last(MlirOperation op) {
  MlirValue value = ir_result(op);
  return !ir_value_has_one_use(value) || !is_addition(mlirOpOperandGetOwner(mlirValueGetFirstUse(value)));
}

static void collect(merging *m, MlirValue value) {
  MlirOperation op = inner_addition(value);
  relation_product found;
  if (!mlirOperationIsNull(op)) {
    collect(m, ir_operand(op, 0));
    collect(m, ir_operand(op, 1));
  } else if (ir_value_has_one_use(value) && gnn_merge_match(m->func, value, &found)) {
    found.tree = m->trees.count - 1;
    VEC_PUSH(m->p->arena, &m->found, found);
  }
}

/* Whether `op` makes a product of nodes of one type that is added to nothing. It may be part of a longer product, which
 * has the layer of another relation as its x. */
static bool match_alone(const merging *m, MlirOperation op, relation_product *found) {
  bool is_end = ir_op_kind(op) == IR_OP(gnn, part) || ir_op_kind(op) == IR_OP(gnn, linear);
  if (!is_end || !is_last(op) || !gnn_merge_match(m->func, ir_result(op), found) || found->part < 0) return false;
  relation_product longer;
  MlirOpOperand use = mlirValueGetFirstUse(ir_result(op));
  MlirOperation user = mlirOpOperandIsNull(use) ? (MlirOperation){NULL} : mlirOpOperandGetOwner(use);
  return mlirOperationIsNull(user) || ir_op_kind(user) != IR_OP(gnn, linear) ||
         !gnn_merge_match(m->func, ir_result(user), &longer);
}

static void collect_trees(merging *m) {
  m->trees.count = 0;
  m->found = (relation_products){0};
  m->replaced = (map){.arena = m->p->arena};
  IR_FOR_EACH_OP(op, ir_func_body(m->func)) {
    relation_product alone;
    if (is_addition(op) && is_last(op)) {
      VEC_PUSH(m->p->arena, &m->trees, (addition_tree){.root = op});
      collect(m, ir_operand(op, 0));
      collect(m, ir_operand(op, 1));
    } else if (match_alone(m, op, &alone)) {
      alone.tree = m->trees.count;
      VEC_PUSH(m->p->arena, &m->trees, (addition_tree){.root = op});
      VEC_PUSH(m->p->arena, &m->found, alone);
    }
  }
}

/* ---- groups ------------------------------------------------------------------------------------------------------ */

/* The number of types of edges that the graph declares; 0: it names none. */
static int64_t count_types(const merging *m, MlirValue graph) {
  MlirAttribute count = ir_func_arg_attr(m->func, (size_t)mlirBlockArgumentGetArgNumber(graph), "gnn.edge_types");
  return mlirAttributeIsNull(count) ? 0 : mlirIntegerAttrGetValueInt(count);
}

/* Whether a product belongs to those of the group: products at the same nodes are leaves of one tree. */
static bool fits(const relation_product *r, const relation_products *group) {
  for (size_t i = 0; i < group->count; i++) {
    const relation_product *other = &group->items[i];
    if (other->part == r->part && other->tree != r->tree) return false;
    if (!gnn_merge_is_alike(other, r)) return false;
  }
  return true;
}

/* The first product of a type that fits; NULL where there is none, or a second one in its tree. */
static relation_product *find_next(const merging *m, int64_t type, const relation_products *group) {
  relation_product *next = NULL;
  for (size_t i = 0; i < m->found.count; i++) {
    relation_product *r = &m->found.items[i];
    if (r->is_taken || r->type != type || !fits(r, group)) continue;
    if (next && next->tree == r->tree) return NULL;
    if (!next) next = r;
  }
  return next;
}

/* The first tree that a group is part of. */
static MlirOperation first_root(const merging *m, const relation_products *group) {
  size_t first = group->items[0].tree;
  for (size_t i = 1; i < group->count; i++)
    if (group->items[i].tree < first) first = group->items[i].tree;
  return m->trees.items[first].root;
}

/* Finds the products like number `first`, in the order of their types. Returns false where there is not exactly one
 * for each type of the graph, or some x is made after the first tree. */
static bool find_group(const merging *m, size_t first, relation_products *group) {
  const relation_product *like = &m->found.items[first];
  int64_t types = count_types(m, like->graph);
  *group = (relation_products){0};
  if (types < 2 || like->is_taken || like->type != 0) return false;
  VEC_PUSH(m->p->arena, group, *like);
  if (find_next(m, 0, group) != like) return false;
  for (int64_t t = 1; t < types; t++) {
    const relation_product *next = find_next(m, t, group);
    if (!next) return false;
    VEC_PUSH(m->p->arena, group, *next);
  }
  return gnn_merge_can_stack(m->p, group) && gnn_merge_has_rows(group, first_root(m, group));
}

/* ---- the choice -------------------------------------------------------------------------------------------------- */

/* Whether one product costs less. */
static bool decide(const merging *m, const relation_products *group) {
  pass_context *p = m->p;
  const relation_product *r = &group->items[0];
  const char *name = gnn_describe_value(p, ir_result(r->linear));
  gnn_work before, after;
  if (!gnn_merge_cost(p, m->func, group, &before, &after)) {
    pass_remark(p, r->linear, "%s and those of the other relations %s one product with a weight per edge type", name,
                m->when == GNN_WHEN_never ? "would become" : "become");
    return m->when != GNN_WHEN_never;
  }
  bool is_less = after.flops <= before.flops && after.bytes <= before.bytes;
  bool is_chosen = m->when == GNN_WHEN_always || (m->when == GNN_WHEN_profitable && is_less);
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

/* Builds the product of a group, and the rows of it that each of its trees adds. */
static void merge_group(merging *m, const relation_products *group) {
  MlirOperation at = first_root(m, group);
  MlirValue merged = gnn_merge_build(m->p, at, group);
  for (size_t i = 0; i < group->count; i++) {
    const relation_product *r = &group->items[i];
    bool is_first = true;
    for (size_t k = 0; k < i; k++) is_first &= group->items[k].tree != r->tree;
    MlirValue added = is_first ? gnn_merge_rows_at(at, r, merged) : r->value;
    map_set_pointer(&m->replaced, r->value.ptr, added.ptr);
    m->trees.items[r->tree].is_changed = true;
  }
}

static void take(merging *m, const relation_products *group) {
  for (size_t i = 0; i < m->found.count; i++)
    for (size_t k = 0; k < group->count; k++)
      if (mlirValueEqual(m->found.items[i].value, group->items[k].value)) m->found.items[i].is_taken = true;
}

/* Builds everything beside the existing operations, then replaces the roots from the first to the last: what is unused
 * then, and erased, stands before the root, so that no erased operation is looked at. */
static void rewrite(merging *m) {
  MlirValue *made = arena_alloc_array(m->p->arena, m->trees.count + 1, sizeof *made);
  for (size_t i = 0; i < m->trees.count; i++) {
    MlirOperation root = m->trees.items[i].root;
    if (m->trees.items[i].is_changed) made[i] = rebuild(m, root, ir_result(root), is_addition(root));
  }
  for (size_t i = 0; i < m->trees.count; i++)
    if (m->trees.items[i].is_changed) gnn_replace(m->p, m->trees.items[i].root, made[i]);
}

/* ---- the pass ---------------------------------------------------------------------------------------------------- */

bool pass_run_merge_relations(MlirOperation root, pass_context *p) {
  merging m = {.p = p, .when = gnn_when_get(p)};
  IR_FOR_EACH_FUNC(func, root) {
    m.func = func;
    collect_trees(&m);
    for (size_t i = 0; i < m.found.count; i++) {
      relation_products group;
      if (!find_group(&m, i, &group)) continue;
      take(&m, &group);
      if (decide(&m, &group)) merge_group(&m, &group);
    }
    rewrite(&m);
  }
  return true;
}
