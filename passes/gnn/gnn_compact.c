/* gnn-compact: computes values that depend on edge type and one end once per pair of these (compact
 * materialisation; Pigeon, Section 3.1.3).
 *
 *   %m = linear(gather(%g, %x){src}, slice(%g, %w){edge})                          a row per edge
 *   =>  %u = unique_edges(%g){src}; %m = expand(%g, linear(gather(%u, %x){src}, slice(%u, %w){edge}))
 *
 * Relations repeat a source many times: on FB15k-237 only 26 % of the rows differ. Operations whose
 * domain is (type, end) and that feed each other form a chain. A chain moves as a whole, and its
 * results are expanded where others read them. For a known graph a chain moves if the FLOPs and
 * bytes that it saves are worth more than reading its rows through an index; for an unknown graph,
 * if it contains a product.
 *
 * In training the adjoints count, too (Pigeon, Table 5: what helps inference need not help training): a product has two
 * more, by its weight and by its rows; the adjoint of expand is a sum over the edges of each pair. */
#include "passes/cost/gnn_choice.h"
#include "passes/gnn/gnn_domain.h"
#include "passes/gnn/rules/gnn_rewrite.h"
#include "passes/gnn/train/gnn_train_function.h"
#include "support/vec.h"

#include <string.h>

static const MlirValue none = {NULL};
static const double WORD = 4; /* bytes of a number */

/* Operations of one domain that feed each other (a set in a union-find structure). */
typedef struct chain {
  size_t parent;    /* index of the chain that it was joined to; its own index: it was not */
  MlirOperation at; /* where remarks point: the first product, else the first operation */
  gnn_work before, after;
  bool has_product, has_rows; /* a linear layer or an inner product is in it; some value is wider than a number */
  bool is_chosen;
} chain;

/* The compaction of one graph at one end. */
typedef struct compaction {
  pass_context *p;
  MlirOperation func;
  MlirValue graph;
  const char *set, *end;
  gnn_domains domains;
  unsigned domain;
  double edges, pairs;        /* numbers of edges and of pairs; -1: unknown */
  bool is_training;           /* adjoints are computed, too */
  VEC(MlirOperation) on_set;  /* operations that make values per edge, in order */
  VEC(MlirOperation) members; /* those that have the domain and work row by row */
  map chain_of;               /* from a member to the index of its chain */
  VEC(chain) chains;
  MlirValue unique; /* the set of pairs, made when it is first needed */
  map compact;      /* from an edge value to its value per pair */
} compaction;

/* ---- chains ------------------------------------------------------------------------------------------------------ */

static bool is_on_set(const compaction *c, MlirValue value) {
  ir_type type = ir_type_of(value);
  return type.kind == IR_KIND_edge && !strcmp(type.set, c->set);
}

static bool is_member(const compaction *c, MlirOperation op) {
  if (mlirOperationIsNull(op) || mlirOperationGetNumResults(op) != 1 || !ir_op_is_row_wise(ir_op_kind(op)))
    return false;
  return is_on_set(c, ir_result(op)) && gnn_domain_of(&c->domains, ir_result(op)) == c->domain;
}

static size_t find_chain(compaction *c, size_t index) {
  while (c->chains.items[index].parent != index) {
    chain *at = &c->chains.items[index];
    at->parent = c->chains.items[at->parent].parent; /* halves the path */
    index = at->parent;
  }
  return index;
}

static chain *chain_of(compaction *c, MlirOperation member) {
  return &c->chains.items[find_chain(c, (size_t)map_get(&c->chain_of, member.ptr, 0))];
}

/* Adds `op` to the chain of its operands; if they have several, these are joined. */
static void join_chains(compaction *c, MlirOperation op) {
  size_t own = c->chains.count;
  VEC_PUSH(c->p->arena, &c->chains, (chain){.parent = own, .at = op});
  map_set(&c->chain_of, op.ptr, (int64_t)own);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
    MlirOperation producer = ir_defining_op(mlirOperationGetOperand(op, i));
    if (!is_member(c, producer)) continue;
    size_t other = find_chain(c, (size_t)map_get(&c->chain_of, producer.ptr, 0));
    own = find_chain(c, own);
    size_t first = other < own ? other : own, last = other < own ? own : other;
    c->chains.items[last].parent = first; /* the first operation decides where remarks point */
  }
}

static void collect(compaction *c) {
  IR_FOR_EACH_OP(op, ir_func_body(c->func)) {
    if (mlirOperationGetNumResults(op) != 1 || !is_on_set(c, ir_result(op))) continue;
    VEC_PUSH(c->p->arena, &c->on_set, op);
    if (!is_member(c, op)) continue;
    VEC_PUSH(c->p->arena, &c->members, op);
    join_chains(c, op);
  }
}

/* ---- costs ------------------------------------------------------------------------------------------------------- */

/* Whether something outside of the chains reads the result. */
static bool is_root(const compaction *c, MlirOperation op) {
  IR_FOR_EACH_USE(use, ir_result(op))
    if (!is_member(c, mlirOpOperandGetOwner(use))) return true;
  return false;
}

/* Whether the rows of a result are stored: those of linear layers are, also in another shape. Other
 * operations are computed where their results are read. */
static bool is_stored(MlirOperation op) {
  while (!mlirOperationIsNull(op) && ir_op_kind(op) == IR_OP(gnn, reshape))
    op = ir_defining_op(ir_operand(op, IR_IN(gnn, reshape, x)));
  return !mlirOperationIsNull(op) && ir_op_kind(op) == IR_OP(gnn, linear);
}

/* Bytes that one row reads and writes: gathered rows with their index, and rows that are stored. */
static double bytes_per_row(const compaction *c, MlirOperation op) {
  bool is_product = ir_op_kind(op) == IR_OP(gnn, linear);
  double bytes = is_product ? WORD * (double)ir_type_elements(ir_type_of(ir_result(op))) : 0;
  if (ir_op_kind(op) == IR_OP(gnn, reshape)) return 0;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    MlirOperation producer = ir_defining_op(operand);
    if (!is_on_set(c, operand) || mlirOperationIsNull(producer) || ir_op_kind(producer) == IR_OP(gnn, slice)) continue;
    bool is_gather = ir_op_kind(producer) == IR_OP(gnn, gather);
    if (is_gather) bytes += WORD;
    if (is_gather || is_product || is_stored(producer)) bytes += WORD * (double)ir_type_elements(ir_type_of(operand));
  }
  return bytes;
}

static void weigh(compaction *c, MlirOperation op) {
  chain *at = chain_of(c, op);
  bool is_contraction = ir_op_kind(op) == IR_OP(gnn, linear) || ir_op_kind(op) == IR_OP(gnn, vector_inner);
  double elements = (double)ir_type_elements(ir_type_of(ir_result(op)));
  if (is_contraction && !at->has_product) at->at = op;
  at->has_product |= is_contraction;
  at->has_rows |= elements > 1;
  double passes = !c->is_training ? 1 : is_contraction ? 3 : 2; /* forward; the adjoints of its operands */
  double flops = passes * gnn_cost_per_row(op), bytes = passes * bytes_per_row(c, op);
  at->before = gnn_work_add(at->before, (gnn_work){flops * c->edges, bytes * c->edges});
  at->after = gnn_work_add(at->after, (gnn_work){flops * c->pairs, bytes * c->pairs});
  if (!is_root(c, op)) return;
  double read = WORD * elements * c->edges, index = WORD * c->edges;
  at->before.bytes += is_stored(op) ? read : 0;
  at->after.bytes += read + index + (is_stored(op) ? 0 : WORD * elements * c->pairs);
  if (!c->is_training) return;
  at->before.bytes += is_stored(op) ? read : 0; /* the adjoint per edge is written, or added up per pair */
  at->after = gnn_work_add(at->after, (gnn_work){elements * c->edges, read + index + WORD * elements * c->pairs});
}

/* ---- decision ---------------------------------------------------------------------------------------------------- */

static void decide(compaction *c, chain *at, gnn_when when) {
  pass_context *p = c->p;
  const char *name = gnn_describe_value(p, ir_result(at->at)), *end = !strcmp(c->end, "src") ? "source" : "destination";
  bool is_known = c->edges >= 0 && c->pairs >= 0;
  if (!at->has_product && !at->has_rows) return; /* single numbers are read as fast as their index */
  if (!is_known) {
    at->is_chosen = when == GNN_WHEN_always || (when == GNN_WHEN_profitable && at->has_product);
    const char *verb = at->is_chosen ? "is computed" : when == GNN_WHEN_never ? "would be computed" : "is not computed";
    pass_remark(p, at->at, "%s %s once per pair of edge type and %s%s; how many there are is not known", name, verb,
                end, when == GNN_WHEN_never ? ", if this were not switched off" : "");
    return;
  }
  bool is_profitable = gnn_work_weight(at->after) < gnn_work_weight(at->before);
  at->is_chosen = when == GNN_WHEN_always || (when == GNN_WHEN_profitable && is_profitable);
  const char *verb = at->is_chosen ? "takes" : "would take";
  const char *why = at->is_chosen            ? ""
                    : when == GNN_WHEN_never ? "; switched off"
                                             : "; reading them through an index costs more than that saves";
  pass_remark(p, at->at, "%s %s %.0f rows, one per pair of edge type and %s, instead of %.0f edges (%.1f %%): %s%s",
              name, verb, c->pairs, end, c->edges, c->edges > 0 ? 100 * c->pairs / c->edges : 100,
              gnn_describe_change(p, at->before, at->after), why);
}

/* ---- rewriting --------------------------------------------------------------------------------------------------- */

static MlirValue unique_edges(compaction *c) {
  if (!ir_value_is_null(c->unique)) return c->unique;
  ir_builder b = ir_builder_before(mlirBlockGetFirstOperation(ir_func_body(c->func)));
  b.location = mlirValueGetLocation(c->graph);
  ir_attr attributes[] = {{"end", ir_attr_string(c->p->context, c->end)}, {NULL, {NULL}}};
  c->unique = ir_build_value(&b, IR_OP(gnn, unique_edges), &c->graph, attributes);
  return c->unique;
}

/* Builds `op` on the set of pairs, where its operands of edges exist already. Null after an
 * error. */
static MlirValue build_compact(compaction *c, MlirOperation op) {
  MlirValue operands[IR_MAX_OPERANDS];
  if (ir_op_kind(op) == IR_OP(gnn, expand)) return ir_operand(op, IR_IN(gnn, expand, value));
  ir_operands(op, operands);
  for (int i = 0; i < IR_MAX_OPERANDS; i++) {
    if (ir_value_is_null(operands[i])) continue;
    if (ir_type_of(operands[i]).kind == IR_KIND_graph) operands[i] = unique_edges(c);
    if (is_on_set(c, operands[i])) operands[i] = (MlirValue){map_get_pointer(&c->compact, operands[i].ptr)};
    if (ir_value_is_null(operands[i])) return none;
  }
  ir_builder b = ir_builder_before(op);
  return gnn_build_like(&b, op, operands, NULL);
}

/* The members to rewrite: the chosen ones and those that they read, as a map from operation to
 * 1. */
static map find_needed(compaction *c) {
  map needed = {.arena = c->p->arena};
  for (size_t k = c->on_set.count; k-- > 0;) {
    MlirOperation op = c->on_set.items[k];
    if (is_member(c, op) && chain_of(c, op)->is_chosen) map_set(&needed, op.ptr, 1);
    if (!map_get(&needed, op.ptr, 0)) continue;
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
      MlirValue operand = mlirOperationGetOperand(op, i);
      if (is_on_set(c, operand)) map_set(&needed, ir_defining_op(operand).ptr, 1);
    }
  }
  return needed;
}

static MlirValue build_expand(compaction *c, MlirOperation op) {
  ir_builder b = ir_builder_before(op);
  MlirValue operands[IR_MAX_OPERANDS] = {c->graph, {map_get_pointer(&c->compact, ir_result(op).ptr)}};
  return ir_build_value(&b, IR_OP(gnn, expand), operands, NULL);
}

/* First builds everything beside the existing operations, then replaces the values that leave a
 * chain, from the last to the first. So no erased operation is looked at, and no address is used
 * again. */
static bool rewrite(compaction *c) {
  map needed = find_needed(c);
  VEC(MlirOperation) roots = {0};
  for (size_t i = 0; i < c->on_set.count; i++) {
    MlirOperation op = c->on_set.items[i];
    if (!map_get(&needed, op.ptr, 0)) continue;
    MlirValue value = build_compact(c, op);
    if (ir_value_is_null(value)) return false;
    map_set_pointer(&c->compact, ir_result(op).ptr, value.ptr);
    if (is_member(c, op) && is_root(c, op)) VEC_PUSH(c->p->arena, &roots, op);
  }
  for (size_t i = roots.count; i-- > 0;) {
    MlirValue expanded = build_expand(c, roots.items[i]);
    if (ir_value_is_null(expanded)) return false;
    gnn_replace(c->p, roots.items[i], expanded);
  }
  return true;
}

/* ---- the pass ---------------------------------------------------------------------------------------------------- */

/* Remarks on linear layers that no compaction helps, and why. */
static void remark_edge_products(pass_context *p, MlirOperation func) {
  gnn_domains domains = gnn_domains_infer(p->arena, func);
  IR_FOR_EACH_OP(op, ir_func_body(func)) {
    if (ir_op_kind(op) != IR_OP(gnn, linear) || ir_type_of(ir_result(op)).kind != IR_KIND_edge) continue;
    if (ir_base_set(p->context, ir_type_of(ir_result(op)).set)) continue;
    unsigned domain = gnn_domain_of(&domains, ir_result(op)), ends = GNN_DOMAIN_src | GNN_DOMAIN_dst;
    const char *name = gnn_describe_value(p, ir_result(op));
    if (domain & GNN_DOMAIN_edge)
      pass_remark(p, op, "%s stays per edge: it depends on values given for each edge", name);
    else if ((domain & ends) == ends)
      pass_remark(p, op, "%s stays per edge: it depends on both ends", name);
  }
}

static bool compact_end(pass_context *p, MlirOperation func, MlirValue graph, const char *end, gnn_when when) {
  const pass_statistics *s = &p->statistics;
  compaction c = {.p = p, .func = func, .graph = graph, .set = ir_type_of(graph).set, .end = end};
  c.domains = gnn_domains_infer(p->arena, func);
  c.domain = GNN_DOMAIN_type | gnn_domain_end(end);
  c.is_training = train_is_wanted(mlirOperationGetParentOperation(func));
  c.edges = (double)s->num_edges;
  c.pairs = !strcmp(end, "src") ? (double)s->unique_src : (double)s->unique_dst;
  c.chain_of.arena = c.compact.arena = p->arena;
  collect(&c);
  for (size_t i = 0; i < c.members.count; i++) weigh(&c, c.members.items[i]);
  for (size_t i = 0; i < c.chains.count; i++)
    if (c.chains.items[i].parent == i) decide(&c, &c.chains.items[i], when);
  return rewrite(&c);
}

static bool has_end(const char *ends, const char *end) {
  return strstr(ends, end) != NULL;
}

bool pass_run_compact(MlirOperation root, pass_context *p) {
  static const char *const ends[] = {"src", "dst"};
  const char *chosen = pass_option_string(p, "ends", "src,dst");
  gnn_when when = gnn_when_get(p);
  IR_FOR_EACH_FUNC(func, root) {
    if (p->remarks) remark_edge_products(p, func);
    MlirBlock body = ir_func_body(func);
    for (intptr_t i = 0; i < mlirBlockGetNumArguments(body); i++) {
      MlirValue graph = mlirBlockGetArgument(body, i);
      ir_type type = ir_type_of(graph);
      if (type.kind != IR_KIND_graph || ir_base_set(p->context, type.set)) continue;
      for (size_t k = 0; k < 2; k++)
        if (has_end(chosen, ends[k]) && !compact_end(p, func, graph, ends[k], when)) return false;
    }
  }
  return true;
}
