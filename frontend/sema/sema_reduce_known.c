/* Reductions whose members are known when the model is compiled: they are unrolled, as `repeat` is.
 *
 *   sum(r in g.relations: conv(r, x, 8) from "convs.{r}")        the values of all relations, added in their order
 *   max(k in 0..K: n.h[k])                                       the largest of K values
 *
 * Over no members a sum is the number 0 and a product 1; the other reductions have no value there. */
#include "frontend/sema/sema_kinds.h"
#include "frontend/sema/sema_reduce.h"

#include <inttypes.h>
#include <string.h>

bool sema_has_known_members(const ast_expr *domain) {
  return domain->kind == AST_EXPR_range ||
         (domain->kind == AST_EXPR_field && sema_is_either(domain->field.name.text, "relations", "node_types"));
}

bool sema_eval_members(sema *s, const ast_expr *first, const ast_expr *last, sema_members *out) {
  *out = (sema_members){0};
  if (!last) {
    sema_value *items = NULL;
    size_t count = 0;
    bool is_good = sema_list_of_types(s, first, &items, &count);
    *out = (sema_members){items, 0, (int64_t)count};
    return is_good;
  }
  int64_t end = 0;
  bool is_good = sema_eval_known(s, first, "the first step", &out->first);
  is_good = sema_eval_known(s, last, "the end of the steps", &end) && is_good;
  if (!is_good || end <= out->first) return is_good;
  out->count = (int64_t)((uint64_t)end - (uint64_t)out->first);
  if ((uint64_t)end - (uint64_t)out->first <= SEMA_MAX_REPEAT) return true;
  sema_error(s, last->span, DIAG_repeat_bounds, "%" PRId64 " .. %" PRId64 " has more than %d steps", out->first, end,
             SEMA_MAX_REPEAT);
  return false;
}

sema_value sema_member(sema *s, const sema_members *m, int64_t i) {
  return m->items ? m->items[i] : sema_from_number(s, (double)(m->first + i), true);
}

static sema_value eval_body(sema *s, const ast_expr *e, sema_value member) {
  size_t mark = sema_open_block(s->scope);
  sema_declare(s, e->reduce.variable, SEMA_BINDING_index, member);
  sema_value v = sema_eval(s, e->reduce.body);
  sema_close_block(s->scope, mark);
  flat_id id = FLAT_NONE;
  if (v.kind == SEMA_number || v.kind == SEMA_size) return v;
  return sema_as_tensor(s, v, e->reduce.body, &id) ? sema_from_id(s, id) : sema_poisoned();
}

/* The larger or the smaller of two values. */
static sema_value choose(sema *s, const ast_expr *e, bool is_max, sema_value a, sema_value b) {
  const ast_expr *body = e->reduce.body;
  flat_id ids[2] = {FLAT_NONE, FLAT_NONE};
  flat_type type = {0};
  bool is_good = sema_as_tensor(s, a, body, &ids[0]);
  is_good = sema_as_tensor(s, b, body, &ids[1]) && is_good;
  if (!is_good || !sema_type_binary(s, e, body, body, sema_type(s, ids[0]), sema_type(s, ids[1]), &type))
    return sema_poisoned();
  return sema_from_id(s, sema_add(s, is_max ? FLAT_maximum : FLAT_minimum, type, e->span, ids, 2));
}

static sema_value combine(sema *s, const ast_expr *e, const char *reduce, sema_value a, sema_value b) {
  if (sema_is_either(reduce, "max", "min")) return choose(s, e, !strcmp(reduce, "max"), a, b);
  ast_binary op = !strcmp(reduce, "prod") ? AST_BINARY_multiply : AST_BINARY_add;
  return sema_eval_operator(s, e, op, e->reduce.body, a, e->reduce.body, b);
}

static bool check(sema *s, const ast_expr *e, const char *reduce, const sema_members *m) {
  bool is_sum = sema_is_either(reduce, "sum", "prod");
  if (!is_sum && !sema_is_either(reduce, "max", "min") && strcmp(reduce, "mean") != 0) {
    sema_error(s, e->reduce.reduction.span, DIAG_unsupported,
               "'%s' does not run over %s; expected sum, mean, max, min or prod", e->reduce.reduction.text,
               sema_quote(s, e->reduce.domain));
    return false;
  }
  if (m->count || is_sum) return true;
  sema_error(s, e->reduce.domain->span, DIAG_repeat_bounds, "%s has no members, of which '%s' could be taken",
             sema_quote(s, e->reduce.domain), e->reduce.reduction.text);
  return false;
}

sema_value sema_reduce_known(sema *s, const ast_expr *e, const char *reduce) {
  const ast_expr *domain = e->reduce.domain;
  bool is_range = domain->kind == AST_EXPR_range;
  sema_members m;
  if (!sema_eval_members(s, is_range ? domain->range.first : domain, is_range ? domain->range.last : NULL, &m) ||
      !reduce || !check(s, e, reduce, &m)) {
    (void)eval_body(s, e, sema_poisoned());
    return sema_poisoned();
  }
  if (!m.count) (void)eval_body(s, e, sema_poisoned()); /* to check it */
  sema_value result = sema_from_number(s, !strcmp(reduce, "prod"), false);
  for (int64_t i = 0; i < m.count && sema_step(s, e->span) && result.kind != SEMA_poison; i++) {
    sema_value v = eval_body(s, e, sema_member(s, &m, i));
    result = i ? combine(s, e, reduce, result, v) : v;
  }
  if (strcmp(reduce, "mean") != 0) return result;
  sema_value count = sema_from_number(s, (double)m.count, false);
  return sema_eval_operator(s, e, AST_BINARY_divide, e->reduce.body, result, domain, count);
}
