/* Evaluates folds: a state that goes from member to member in their order.
 *
 *   fold(e in n.incoming by e.t, h = zeros([H]): gru_cell(e.src.x, h))     fold(g, init, order, x) { ^(h, x): ... yield h }
 *
 * While the body is evaluated, the state is a value per member: the one before it. What the body
 * computes without the state is an ordinary value per member and stays outside of the fold; the rest
 * becomes its region. Several states are one vector, so that a fold has one result. */
#include "frontend/sema/sema_kinds.h"
#include "frontend/sema/sema_reduce.h"
#include "frontend/sema/sema_view.h"

#include <string.h>

enum { FIRST_VALUE = 4, MOST_VALUES = FLAT_MAX_OPERANDS - FIRST_VALUE }; /* operands of the fold that the body reads */

typedef struct fold {
  const ast_expr *e;
  sema_loop *loop; /* NULL: over steps */
  flat_id graph, init, order, steps;
  flat_id state, step; /* what stands for them in the body */
  flat_type *types;    /* of the single states */
  const char *over;
} fold;

/* ---- several states as one vector ---- */

static dim elements(sema *s, flat_type t) {
  dim product = dim_constant(s->dims, 1);
  for (unsigned i = 0; i < t.rank; i++) product = dim_multiply(s->dims, product, t.dims[i]);
  return product;
}

static flat_id flatten(sema *s, flat_id value, span where) {
  flat_type type = sema_type(s, value);
  if (type.rank == 1) return value;
  dim size = elements(s, type);
  type.rank = 1;
  type.dims[0] = size;
  return sema_reshape(s, value, type, where);
}

/* One vector of all values; false after an error. */
static bool pack(sema *s, const ast_expr *e, const flat_id *values, size_t count, flat_id *out) {
  *out = values[0];
  if (count == 1) return true;
  *out = flatten(s, values[0], e->span);
  for (size_t i = 1; i < count && *out != FLAT_NONE; i++) {
    flat_type type = {0};
    flat_id next = flatten(s, values[i], e->span);
    if (!sema_type_concat(s, e, e, e, sema_type(s, *out), sema_type(s, next), &type)) return false;
    *out = sema_add(s, FLAT_concat, type, e->span, (flat_id[]){*out, next}, 2);
  }
  return *out != FLAT_NONE;
}

/* State number i of the vector. */
static flat_id unpack(sema *s, const fold *f, flat_id packed, size_t i) {
  size_t count = f->e->reduce.states.count;
  flat_type whole = sema_type(s, packed), type = f->types[i];
  if (count == 1 || packed == FLAT_NONE) return packed;
  dim first = dim_constant(s->dims, 0);
  for (size_t k = 0; k < i; k++) first = dim_add(s->dims, first, elements(s, f->types[k]));
  flat_id part = sema_slice(s, packed, 0, first, elements(s, type), f->e->span);
  type.domain = whole.domain;
  type.set = whole.set;
  return type.rank == 1 ? part : sema_reshape(s, part, type, f->e->span);
}

static sema_value unpack_all(sema *s, const fold *f, flat_id packed) {
  size_t count = f->e->reduce.states.count;
  if (packed == FLAT_NONE) return sema_poisoned();
  if (count == 1) return sema_from_id(s, packed);
  sema_value *items = arena_alloc_array(s->arena, count, sizeof *items);
  for (size_t i = 0; i < count; i++) items[i] = sema_from_id(s, unpack(s, f, packed, i));
  return (sema_value){.kind = SEMA_tuple, .id = FLAT_NONE, .items = items, .count = count};
}

/* ---- before the body ---- */

/* Evaluates the first values of the states, where the fold stands. */
static bool eval_states(sema *s, fold *f) {
  const ast_argument_list *states = &f->e->reduce.states;
  if (!states->count) {
    sema_error(s, f->e->span, DIAG_arity,
               "a fold has a state with a first value: fold(e in n.incoming, h = 0: 0.5 * h + e.a)");
    return false;
  }
  flat_id *values = arena_alloc_array(s->arena, states->count, sizeof *values);
  f->types = arena_alloc_array(s->arena, states->count, sizeof *f->types);
  bool is_good = true;
  for (size_t i = 0; i < states->count; i++) {
    is_good = sema_eval_tensor(s, states->items[i].value, &values[i]) && is_good;
    if (is_good) values[i] = sema_unite(s, values[i], FLAT_NONE, states->items[i].value->span);
    if (is_good) f->types[i] = sema_type(s, values[i]);
  }
  return is_good && pack(s, f->e, values, states->count, &f->init);
}

static flat_id add_state(sema *s, flat_type type, span where) {
  return sema_add(s, FLAT_state, type, where, NULL, 0);
}

static void declare_states(sema *s, const fold *f) {
  const ast_argument_list *states = &f->e->reduce.states;
  for (size_t i = 0; i < states->count; i++)
    sema_declare(s, states->items[i].name, SEMA_BINDING_let, sema_from_id(s, unpack(s, f, f->state, i)));
}

/* ---- the body ---- */

/* Checks that what the body gives for a state has its shape; false after an error. */
static bool check_state(sema *s, const fold *f, size_t i, flat_id value, flat_type member) {
  const ast_name *name = &f->e->reduce.states.items[i].name;
  flat_type found = sema_type(s, value), wanted = f->types[i];
  bool fits = found.rank == wanted.rank;
  bool is_wider = !f->loop && member.domain == FLAT_DOMAIN_plain; /* steps are those of each row that the body reads */
  bool is_here = found.domain == FLAT_DOMAIN_plain || is_wider ||
                 (found.domain == member.domain && (!member.set || !found.set || !strcmp(found.set, member.set)));
  for (unsigned k = 0; fits && k < found.rank; k++)
    fits = sema_unify(s, wanted.dims[k], found.dims[k], f->e->span, "the body of a fold gives the next state");
  if (fits && is_here) return true;
  wanted.domain = FLAT_DOMAIN_plain;
  if (is_here) found.domain = FLAT_DOMAIN_plain;
  sema_error(s, f->e->reduce.body->span, is_here ? DIAG_shape_mismatch : DIAG_domain_mismatch,
             "state '%s' is %s, but the body gives %s for it", name->text, sema_type_text(s, wanted),
             sema_type_text(s, found));
  sema_note(s, name->span, "'%s' is declared here", name->text);
  return false;
}

/* Evaluates the body: the next state, or a layer's results for several states. */
static bool eval_body(sema *s, const fold *f, flat_type member, flat_id *out) {
  size_t count = f->e->reduce.states.count;
  const ast_expr *body = f->e->reduce.body;
  sema_value v = sema_eval(s, body);
  size_t found = v.kind == SEMA_tuple ? v.count : v.kind == SEMA_nothing ? 0 : 1;
  if (v.kind == SEMA_poison) return false;
  if (found != count) {
    sema_error(s, body->span, DIAG_arity, "the fold has %zu state%s, but its body gives %zu value%s", count,
               count == 1 ? "" : "s", found, found == 1 ? "" : "s");
    return false;
  }
  flat_id *values = arena_alloc_array(s->arena, count, sizeof *values);
  bool is_good = true;
  for (size_t i = 0; i < count; i++) {
    is_good = sema_as_tensor(s, v.kind == SEMA_tuple ? v.items[i] : v, body, &values[i]) && is_good;
    is_good = is_good && check_state(s, f, i, values[i], member);
  }
  return is_good && pack(s, f->e, values, count, out);
}

/* ---- the region ---- */

static bool is_listed(const flat_id *list, size_t count, flat_id id) {
  for (size_t i = 0; i < count; i++)
    if (list[i] == id) return true;
  return false;
}

/* Whether an operation computes each row of its result from that row of its operands. */
static bool is_row_wise(flat_op op) {
  switch (op) {
  case FLAT_linear:
  case FLAT_vector_inner:
  case FLAT_vector_add:
  case FLAT_subtract:
  case FLAT_multiply:
  case FLAT_divide:
  case FLAT_maximum:
  case FLAT_minimum:
  case FLAT_compare:
  case FLAT_binary:
  case FLAT_select:
  case FLAT_activation:
  case FLAT_batch_norm:
  case FLAT_row_normalize:
  case FLAT_reduce:
  case FLAT_softmax:
  case FLAT_argmax:
  case FLAT_concat:
  case FLAT_columns:
  case FLAT_reshape:
  case FLAT_outer:
  case FLAT_transpose:
  case FLAT_view: return true;
  default: return false;
  }
}

/* The values that depend on the state become the region; values from outside that they read become
 * operands. Constants are repeated inside. */
static bool make_region(sema *s, const fold *f, flat_value *v, flat_id yield) {
  size_t end = s->flat->values.count, first = f->state;
  bool *inside = arena_alloc_array(s->arena, end - first, sizeof *inside);
  VEC(flat_id) body = {0};
  size_t captured = 0;
  for (size_t i = first; i < end; i++) {
    flat_value *at = s->flat->values.items[i];
    inside[i - first] = i == f->state || i == f->step;
    for (size_t k = 0; k < FLAT_MAX_OPERANDS; k++)
      inside[i - first] |= at->operands[k] != FLAT_NONE && at->operands[k] >= first && inside[at->operands[k] - first];
    if (!inside[i - first] || at->op == FLAT_state) continue;
    at->is_inside = true;
    if (!is_row_wise(at->op)) {
      sema_error_in(s, at->frame, NULL, at->span, DIAG_unsupported,
                    at->op == FLAT_fold
                        ? "a fold inside of a fold cannot read the state of the outer one"
                        : "the body of a fold works on one member at a time; this needs the state at others, too");
      return false;
    }
    VEC_PUSH(s->arena, &body, (flat_id)i);
  }
  flat_id reads[MOST_VALUES];
  for (size_t i = 0; i <= body.count; i++) {
    flat_id last[] = {yield};
    const flat_id *operands = i < body.count ? sema_flat(s, body.items[i])->operands : last;
    for (size_t k = 0; k < (i < body.count ? FLAT_MAX_OPERANDS : 1); k++) {
      flat_id id = operands[k];
      if (id == FLAT_NONE || (id >= first && inside[id - first]) || is_listed(reads, captured, id)) continue;
      if (captured == MOST_VALUES) {
        sema_error(s, f->e->span, DIAG_unsupported,
                   "the body of a fold reads at most %d values that do not depend on its state; join some with concat",
                   MOST_VALUES);
        return false;
      }
      reads[captured++] = id;
    }
  }
  for (size_t i = 0; i < captured; i++) v->operands[FIRST_VALUE + i] = reads[i];
  v->body = body.items;
  v->body_count = body.count;
  v->state = f->state;
  v->step = f->step;
  v->yield = yield;
  return true;
}

static flat_id make_fold(sema *s, const fold *f, flat_type type, flat_id yield) {
  flat_id operands[] = {f->graph, f->init, f->order, f->steps};
  flat_id id = sema_add(s, FLAT_fold, type, f->e->span, operands, FIRST_VALUE);
  if (id == FLAT_NONE || !make_region(s, f, sema_flat(s, id), yield)) return FLAT_NONE;
  flat_value *v = sema_flat(s, id);
  for (size_t i = FIRST_VALUE; !f->loop && i < FLAT_MAX_OPERANDS; i++)
    if (!sema_join_domain(s, f->e, v->type, sema_type(s, v->operands[i]), &v->type)) return FLAT_NONE;
  sema_add_string(s, id, "over", f->over);
  return id;
}

/* ---- over members ---- */

/* Whether the members are those of one node of the loop around the fold, or of each graph. */
static bool has_groups(sema *s, const fold *f) {
  const sema_loop *loop = f->loop;
  if (loop->is_graphs) return true;
  const sema_loop *outer = loop->outer;
  bool is_own = loop->owner.loop && loop->owner.loop == outer && loop->owner.end == SEMA_END_self && !loop->is_group;
  if (is_own) return true;
  sema_error(s, f->e->span, DIAG_unsupported,
             "a fold runs over the edges of the node of its loop, n.incoming or n.outgoing, over the nodes of each "
             "graph, g.graphs.nodes, or over steps, t in 0..K, not over %s",
             sema_quote(s, f->e->reduce.domain));
  return false;
}

/* Whether the state begins with a value for each group: a plain one, or one per node, or per graph. */
static bool begins_per_group(sema *s, const fold *f) {
  flat_type type = sema_type(s, f->init);
  flat_domain wanted = f->loop->is_graphs ? FLAT_DOMAIN_pergraph : FLAT_DOMAIN_node;
  if (type.domain == FLAT_DOMAIN_plain || type.domain == wanted) return true;
  sema_error(s, f->e->reduce.states.items[0].value->span, DIAG_domain_mismatch,
             "the state begins with %s, but this fold has one state per %s", sema_type_text(s, type),
             f->loop->is_graphs ? "graph" : "node");
  return false;
}

static sema_value fold_members(sema *s, fold *f) {
  sema_loop *loop = f->loop = arena_alloc(s->arena, sizeof *loop);
  loop->is_reduction = true;
  bool is_good = eval_states(s, f);
  is_good = sema_eval_domain(s, f->e->reduce.domain, loop) && is_good;
  sema_enter_loop(s, loop, f->e->reduce.variable);
  is_good = is_good && loop->graph != FLAT_NONE && has_groups(s, f) && begins_per_group(s, f);
  flat_id yield = FLAT_NONE, result = FLAT_NONE;
  if (is_good) {
    f->graph = loop->graph;
    f->over = sema_members_over(loop);
    is_good = sema_eval_order(s, f->e, loop, &f->order);
  }
  flat_type type = sema_type(s, f->init), member = type;
  if (is_good) {
    member.domain = loop->is_edge ? FLAT_DOMAIN_edge : FLAT_DOMAIN_node;
    member.set = loop->is_edge ? loop->set : sema_node_set(s, loop->set);
    f->state = add_state(s, member, f->e->span);
    declare_states(s, f);
    is_good = eval_body(s, f, member, &yield);
  }
  sema_leave_loop(s, loop);
  if (is_good) result = make_fold(s, f, sema_group_type(s, loop, type), yield);
  if (result == FLAT_NONE) return sema_poisoned();
  if (loop->is_graphs) return unpack_all(s, f, result);
  sema_value at = sema_bring_node(s, loop->owner, result, f->e->span);
  return at.kind == SEMA_tensor ? unpack_all(s, f, at.id) : at;
}

/* ---- over steps ---- */

/* Evaluates 0..K: a number of steps that may differ from row to row. */
static bool eval_steps(sema *s, fold *f) {
  const ast_expr *domain = f->e->reduce.domain;
  sema_value first = sema_eval(s, domain->range.first);
  bool is_good = sema_eval_tensor(s, domain->range.last, &f->steps) && first.kind != SEMA_poison;
  if (is_good && (first.kind != SEMA_number || first.number != 0)) {
    sema_error(s, domain->range.first->span, DIAG_unsupported, "the steps of a fold begin with 0, not with %s",
               sema_quote(s, domain->range.first));
    return false;
  }
  if (is_good && f->e->reduce.key) {
    sema_error(s, f->e->reduce.key->span, DIAG_arity, "steps have their order: leave 'by' away");
    return false;
  }
  if (!is_good || !sema_type(s, f->steps).rank) return is_good;
  sema_error(s, domain->range.last->span, DIAG_shape_mismatch, "the number of steps is one number, but %s is %s",
             sema_quote(s, domain->range.last), sema_type_text(s, sema_type(s, f->steps)));
  return false;
}

static sema_value fold_steps(sema *s, fold *f) {
  flat_id yield = FLAT_NONE;
  bool is_good = eval_states(s, f) && eval_steps(s, f);
  if (!is_good) return sema_poisoned();
  f->over = "steps";
  flat_type type = sema_type(s, f->init);
  if (!sema_join_domain(s, f->e, type, sema_type(s, f->steps), &type)) return sema_poisoned();
  size_t mark = sema_open_block(s->scope);
  f->state = add_state(s, type, f->e->span);
  f->step = add_state(s, (flat_type){0}, f->e->span);
  sema_declare(s, f->e->reduce.variable, SEMA_BINDING_let, sema_from_id(s, f->step));
  declare_states(s, f);
  is_good = eval_body(s, f, type, &yield);
  sema_close_block(s->scope, mark);
  flat_id result = is_good ? make_fold(s, f, type, yield) : FLAT_NONE;
  return unpack_all(s, f, result);
}

sema_value sema_eval_fold(sema *s, const ast_expr *e) {
  fold f = {.e = e,
            .graph = FLAT_NONE,
            .init = FLAT_NONE,
            .order = FLAT_NONE,
            .steps = FLAT_NONE,
            .state = FLAT_NONE,
            .step = FLAT_NONE};
  return e->reduce.domain->kind == AST_EXPR_range ? fold_steps(s, &f) : fold_members(s, &f);
}
