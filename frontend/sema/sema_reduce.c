/* Evaluates reductions: over the edges at a node, the nodes of each graph of a batch, all nodes or
 * edges.
 *
 *   sum(e in n.incoming: e.a)                      aggregate(g, a) {sum, in}
 *   median(n in g.graphs.nodes: n.x)               quantile(g, x) {q = 0.5, lower, graph}, a value per graph
 *   first(3, e in n.incoming by e.w: e.src.x)      first(g, x, order(g, w)) {count = 3, in}: node f32[3, F]
 *
 * A body that is the value of each edge's other end is taken from there, without a value per edge. */
#include "frontend/sema/sema_reduce.h"
#include "frontend/sema/sema_kinds.h"

#include <string.h>

/* ---- the reduction and what it takes ---- */

/* What is known of a reduction before its members are looked at. */
typedef struct reduction {
  const char *name; /* NULL after an error */
  dim count;        /* of first(8, ...) */
  double q;         /* of quantile(0.25, ...) */
  bool is_poison;   /* an error was reported before */
} reduction;

static bool has_argument(const char *name) {
  return sema_is_either(name, "first", "quantile");
}

static bool has_order(const char *name) {
  return sema_is_either(name, "first", "fold");
}

static void unknown_reduction(sema *s, ast_name name, const sema_binding *binding) {
  VEC(const char *) names = {0};
  for (size_t i = 0; sema_reductions[i]; i++) VEC_PUSH(s->arena, &names, sema_reductions[i]);
  static const char *const others[] = {"quantile", "first", "fold"};
  for (size_t i = 0; i < sizeof others / sizeof *others; i++) VEC_PUSH(s->arena, &names, others[i]);
  sema_error(s, name.span, DIAG_unknown_name,
             "'%s' is no reduction%s; expected sum, mean, max, min, prod, median, quantile, first or fold", name.text,
             sema_suggest(s, name.text, names.items, names.count));
  if (binding)
    sema_note(s, binding->declared, "'%s' is declared here as %s", name.text, sema_binding_text(binding->kind));
}

/* Returns the name of the reduction, or NULL after an error. */
static const char *eval_name(sema *s, ast_name name, bool *is_poison) {
  const sema_binding *binding = sema_find_name(s->scope, name.text);
  *is_poison = binding && binding->value.kind == SEMA_poison;
  if (*is_poison) return NULL;
  if (binding && binding->value.kind == SEMA_reduction) return binding->value.name;
  if (sema_is_reduction(name.text) || has_argument(name.text) || has_order(name.text)) return name.text;
  unknown_reduction(s, name, binding);
  return NULL;
}

static bool eval_q(sema *s, const ast_expr *e, double *q) {
  sema_value v = sema_eval(s, e);
  *q = v.number;
  if (v.kind == SEMA_poison) return false;
  bool is_number = v.kind == SEMA_number;
  if (is_number && v.number >= 0 && v.number <= 1) return true;
  sema_error(s, e->span, is_number ? DIAG_number_range : DIAG_not_constant,
             "the first argument of 'quantile' is a number between 0 and 1, known when the model is compiled, but %s "
             "is %s",
             sema_quote(s, e), sema_describe(s, v));
  return false;
}

/* Evaluates what stands before the variable, and checks what the reduction does not take. */
static reduction eval_reduction(sema *s, const ast_expr *e) {
  reduction r = {0};
  const ast_expr *argument = e->reduce.argument;
  const char *written = e->reduce.reduction.text;
  r.name = eval_name(s, e->reduce.reduction, &r.is_poison);
  if (!r.name) return r;
  bool is_good = true;
  if (argument && !has_argument(r.name)) {
    sema_error(s, argument->span, DIAG_arity, "'%s' takes no argument before its variable", written);
    is_good = false;
  }
  if (!argument && has_argument(r.name)) {
    bool is_first = !strcmp(r.name, "first");
    sema_error(s, e->reduce.reduction.span, DIAG_arity, "'%s' takes %s before its variable: %s", written,
               is_first ? "the number of values" : "a number between 0 and 1",
               is_first ? "first(3, e in n.incoming: e.a)" : "quantile(0.25, e in n.incoming: e.a)");
    is_good = false;
  }
  if (e->reduce.key && !has_order(r.name)) {
    sema_error(s, e->reduce.key->span, DIAG_arity, "the result of '%s' does not depend on an order: leave 'by' away",
               written);
    is_good = false;
  }
  if (e->reduce.states.count && strcmp(r.name, "fold") != 0) {
    sema_error(s, e->reduce.states.items[0].name.span, DIAG_arity, "'%s' has no state; a fold has: %s", written,
               "fold(e in n.incoming, h = 0: 0.5 * h + e.a)");
    is_good = false;
  }
  if (is_good && argument && !strcmp(r.name, "first")) is_good = (r.count = sema_eval_size(s, argument)) != NULL;
  if (is_good && argument && !strcmp(r.name, "quantile")) is_good = eval_q(s, argument, &r.q);
  if (!is_good) r.name = NULL;
  return r;
}

/* ---- groups ---- */

const char *sema_members_over(const sema_loop *loop) {
  if (loop->is_graphs) return "graph";
  return loop->owner_end == SEMA_END_dst ? "in" : "out";
}

flat_type sema_group_type(sema *s, const sema_loop *loop, flat_type value) {
  value.domain = loop->is_graphs ? FLAT_DOMAIN_pergraph : FLAT_DOMAIN_node;
  value.set = loop->is_graphs ? NULL : sema_node_set(s, sema_type(s, loop->graph).set);
  return value;
}

bool sema_eval_order(sema *s, const ast_expr *e, const sema_loop *loop, flat_id *order) {
  *order = FLAT_NONE;
  if (!e->reduce.key) return true;
  flat_id key = FLAT_NONE;
  if (!sema_eval_tensor(s, e->reduce.key, &key)) return false;
  flat_type type = sema_type(s, key);
  if (type.rank) {
    sema_error(s, e->reduce.key->span, DIAG_shape_mismatch, "an order is by one number, but %s is %s",
               sema_quote(s, e->reduce.key), sema_type_text(s, type));
    sema_note_operand(s, e->reduce.key);
    return false;
  }
  if (loop->graph == FLAT_NONE) return false;
  key = sema_spread(s, key, loop->is_edge, loop->graph, e->reduce.key->span);
  *order = sema_add(s, FLAT_order, sema_type(s, key), e->reduce.key->span, (flat_id[]){loop->graph, key}, 2);
  sema_add_string(s, *order, "over", sema_members_over(loop));
  return *order != FLAT_NONE;
}

/* The node value of which a value per edge is that of the other end, or the value itself. */
static flat_id at_other_end(sema *s, const sema_loop *loop, flat_id value) {
  const flat_value *v = sema_flat(s, value);
  if (!loop->is_edge || v->op != FLAT_gather || v->operands[0] != loop->graph) return value;
  const char *other = loop->owner_end == SEMA_END_dst ? "src" : "dst";
  return strcmp(v->attributes[0].string, other) ? value : v->operands[1];
}

static flat_id make_first(sema *s, const ast_expr *e, const sema_loop *loop, dim count, flat_id value, flat_id order) {
  flat_type type = sema_type(s, value);
  if (type.rank == FLAT_MAX_RANK) {
    sema_error(s, e->span, DIAG_shape_mismatch, "a tensor has at most %d dimensions, and %s has them already",
               FLAT_MAX_RANK, sema_quote(s, e->reduce.body));
    return FLAT_NONE;
  }
  for (unsigned i = type.rank++; i > 0; i--) type.dims[i] = type.dims[i - 1];
  type.dims[0] = count;
  flat_id from = at_other_end(s, loop, value);
  flat_id id =
      sema_add(s, FLAT_first, sema_group_type(s, loop, type), e->span, (flat_id[]){loop->graph, from, order}, 3);
  sema_add_whole(s, id, "count", count);
  sema_add_string(s, id, "over", sema_members_over(loop));
  return id;
}

static flat_id make_quantile(sema *s, const ast_expr *e, const sema_loop *loop, flat_id value, double q,
                             const char *interpolation) {
  flat_type type = sema_group_type(s, loop, sema_type(s, value));
  flat_id from = at_other_end(s, loop, value);
  flat_id id = sema_add(s, FLAT_quantile, type, e->span, (flat_id[]){loop->graph, from}, 2);
  sema_add_number(s, id, "q", q);
  sema_add_string(s, id, "interpolation", interpolation);
  sema_add_string(s, id, "over", sema_members_over(loop));
  return id;
}

static flat_id make_pool(sema *s, const ast_expr *e, const sema_loop *loop, flat_id value, const char *reduce) {
  flat_type type = sema_group_type(s, loop, sema_type(s, value));
  flat_id id = sema_add(s, FLAT_pool, type, e->span, (flat_id[]){loop->graph, value}, 2);
  sema_add_string(s, id, "reduce", reduce);
  return id;
}

/* The reduction at each group. */
static flat_id make_grouped(sema *s, const ast_expr *e, const sema_loop *loop, const reduction *r, flat_id value,
                            flat_id order) {
  if (!strcmp(r->name, "first")) return make_first(s, e, loop, r->count, value, order);
  if (!strcmp(r->name, "quantile")) return make_quantile(s, e, loop, value, r->q, "linear");
  if (!strcmp(r->name, "median")) return make_quantile(s, e, loop, value, 0.5, "lower");
  if (loop->is_graphs) return make_pool(s, e, loop, value, r->name);
  return sema_aggregate(s, loop->graph, value, r->name, sema_members_over(loop), e->span);
}

/* Whether the reduction is over groups that it does not know; an error then. */
static bool is_unsupported(sema *s, const ast_expr *e, const sema_loop *loop, const char *name) {
  bool is_plain = sema_is_either(name, "sum", "mean") || sema_is_either(name, "max", "min");
  bool is_all = !loop->is_graphs && !loop->owner.loop;
  if (is_plain || (!loop->is_group && !is_all) || (loop->is_group && !strcmp(name, "prod"))) return false;
  sema_error(s, e->span, DIAG_unsupported,
             "'%s' runs over all edges of a node, n.incoming, or the nodes of each graph, not over %s%s", name,
             sema_quote(s, e->reduce.domain),
             is_all && !loop->is_edge ? "; for the nodes of each graph write g.graphs.nodes" : "");
  return true;
}

sema_value sema_eval_reduce(sema *s, const ast_expr *e) {
  reduction r = eval_reduction(s, e);
  if (r.name && !strcmp(r.name, "fold")) return sema_eval_fold(s, e);
  if (sema_has_known_members(e->reduce.domain)) return sema_reduce_known(s, e, r.name);
  sema_loop *loop = arena_alloc(s->arena, sizeof *loop);
  loop->is_reduction = true;
  bool is_good = sema_eval_domain(s, e->reduce.domain, loop);
  sema_enter_loop(s, loop, e->reduce.variable);
  flat_id value = FLAT_NONE, order = FLAT_NONE;
  is_good = sema_eval_tensor(s, e->reduce.body, &value) && is_good;
  if (r.name) is_good = sema_eval_order(s, e, loop, &order) && is_good;
  if (is_good && loop->graph != FLAT_NONE) value = sema_spread(s, value, loop->is_edge, loop->graph, e->span);
  sema_leave_loop(s, loop);
  if (!is_good || !r.name || value == FLAT_NONE || loop->graph == FLAT_NONE) return sema_poisoned();
  if (is_unsupported(s, e, loop, r.name)) return sema_poisoned();
  if (loop->is_group) return sema_reduce_group(s, loop, value, r.name, e->span);
  if (!loop->owner.loop && !loop->is_graphs) return sema_reduce_all(s, loop, value, r.name, e->span);
  flat_id result = make_grouped(s, e, loop, &r, value, order);
  if (result == FLAT_NONE) return sema_poisoned();
  return loop->is_graphs ? sema_from_id(s, result) : sema_bring_node(s, loop->owner, result, e->span);
}
