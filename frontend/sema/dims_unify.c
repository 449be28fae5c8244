/* Solves equations between symbolic sizes. An equation is solved at once when one symbol can be
 * isolated, is deferred when none can, and is a conflict when no positive sizes satisfy it.
 *
 *   H*C = 64 waits; H := 8 wakes it up and gives C := 8. 2*F = 33 is false. */
#include "frontend/sema/dims.h"

static int64_t greatest_common_divisor(int64_t a, int64_t b) {
  if (a < 0) a = a == INT64_MIN ? INT64_MAX : -a;
  if (b < 0) b = b == INT64_MIN ? INT64_MAX : -b;
  while (b) {
    int64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

static uint32_t count_symbol(const dim_term *t, uint32_t symbol) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < t->degree; i++) count += t->symbols[i] == symbol;
  return count;
}

static bool all_terms_hold(dim d, uint32_t symbol) {
  for (uint32_t i = 0; i < d->count; i++)
    if (!count_symbol(&d->terms[i], symbol)) return false;
  return true;
}

static dim_term without_symbol(dim_system *s, const dim_term *t, uint32_t symbol) {
  uint32_t *symbols = arena_alloc_array(s->arena, t->degree, sizeof *symbols);
  uint32_t kept = 0;
  bool is_removed = false;
  for (uint32_t i = 0; i < t->degree; i++) {
    if (!is_removed && t->symbols[i] == symbol)
      is_removed = true;
    else
      symbols[kept++] = t->symbols[i];
  }
  return (dim_term){t->coefficient, kept, symbols};
}

/* Divides d = 0 by the common factor of all terms: 2*H*C - 2*H*D becomes C - D. Sizes are positive,
 * so the solutions stay the same. */
static dim reduce(dim_system *s, dim d) {
  dim_poly *p = arena_alloc(s->arena, sizeof *p + d->count * sizeof(dim_term));
  p->count = d->count;
  int64_t divisor = 0;
  for (uint32_t i = 0; i < d->count; i++) {
    p->terms[i] = d->terms[i];
    divisor = greatest_common_divisor(divisor, d->terms[i].coefficient);
  }
  for (uint32_t i = 0; i < p->count && divisor > 1; i++) p->terms[i].coefficient /= divisor;
  for (uint32_t i = 0; i < p->terms[0].degree;) {
    uint32_t symbol = p->terms[0].symbols[i];
    if (!all_terms_hold(p, symbol)) {
      i++;
      continue;
    }
    for (uint32_t j = 0; j < p->count; j++) p->terms[j] = without_symbol(s, &p->terms[j], symbol);
  }
  return p;
}

/* Finds the term that is one symbol of degree one with coefficient 1 or -1, where no other term
 * contains the symbol. Of several it takes the newest symbol, so that names of the model remain
 * rather than names of a layer. Returns the index of the term, or -1. */
static int find_isolated(dim d) {
  int best = -1;
  for (uint32_t i = 0; i < d->count; i++) {
    const dim_term *t = &d->terms[i];
    if (t->degree != 1 || (t->coefficient != 1 && t->coefficient != -1)) continue;
    bool is_alone = true;
    for (uint32_t j = 0; j < d->count && is_alone; j++) is_alone = j == i || !count_symbol(&d->terms[j], t->symbols[0]);
    if (is_alone && (best < 0 || t->symbols[0] > d->terms[best].symbols[0])) best = (int)i;
  }
  return best;
}

static bool has_one_sign(dim d) {
  for (uint32_t i = 1; i < d->count; i++)
    if ((d->terms[i].coefficient > 0) != (d->terms[0].coefficient > 0)) return false;
  return true;
}

static void pass_hint_on(dim_system *s, dim value, const char *hint) {
  dim_symbol *other = dim_as_symbol(s, value);
  if (other && !other->hint) other->hint = hint;
}

/* Binds a symbol; `stated` holds both sides of the equation from which the binding follows. */
static void bind(dim_system *s, uint32_t symbol, dim value, const dim *stated, dim_origin origin) {
  dim_symbol *record = &s->symbols.items[symbol];
  record->binding = value;
  record->origin = origin;
  record->causes[0] = stated[0];
  record->causes[1] = stated[1];
  pass_hint_on(s, value, record->hint);
  for (size_t i = 0; i < record->waiting.count; i++) VEC_PUSH(s->arena, &s->agenda, record->waiting.items[i]);
}

/* Solves d = 0, without deferring it or waking other equations; d NULL: the difference is too large
 * to be represented. */
static dim_outcome solve(dim_system *s, dim d, const dim *stated, dim_origin origin) {
  if (!d) return DIM_conflict;
  if (d->count == 0) return DIM_equal;
  d = reduce(s, d);
  if (has_one_sign(d)) return DIM_conflict; /* a lone constant, or a sum of positive sizes */
  int isolated = find_isolated(d);
  if (isolated < 0) {
    bool is_linear_in_one = d->count == 2 && d->terms[0].degree == 1 && d->terms[1].degree == 0;
    return is_linear_in_one ? DIM_conflict : DIM_deferred; /* 2*F = 33 */
  }
  dim_poly *rest = arena_alloc(s->arena, sizeof *rest + d->count * sizeof(dim_term));
  for (uint32_t i = 0; i < d->count; i++) {
    if ((int)i == isolated) continue;
    dim_term t = d->terms[i];
    if (d->terms[isolated].coefficient == 1) t.coefficient = -t.coefficient;
    rest->terms[rest->count++] = t;
  }
  bind(s, d->terms[isolated].symbols[0], rest, stated, origin);
  return DIM_bound;
}

static void wait_for_symbols(dim_system *s, uint32_t constraint, dim d) {
  for (uint32_t i = 0; d && i < d->count; i++)
    for (uint32_t j = 0; j < d->terms[i].degree; j++)
      VEC_PUSH(s->arena, &s->symbols.items[d->terms[i].symbols[j]].waiting, constraint);
}

/* Looks again at equations that waited for symbols bound just now. */
static void run_agenda(dim_system *s) {
  while (s->agenda.count) {
    uint32_t index = s->agenda.items[--s->agenda.count];
    dim_constraint *c = &s->constraints.items[index];
    if (c->is_done) continue;
    dim difference = dim_subtract(s, dim_resolve(s, c->a), dim_resolve(s, c->b));
    dim_outcome outcome = solve(s, difference, (dim[]){c->a, c->b}, c->origin);
    c->is_done = outcome != DIM_deferred;
    if (outcome == DIM_deferred) wait_for_symbols(s, index, difference);
    if (outcome == DIM_conflict) VEC_PUSH(s->arena, &s->failures, index);
  }
}

void dim_defer(dim_system *s, dim a, dim b, dim_origin origin) {
  VEC_PUSH(s->arena, &s->constraints, (dim_constraint){.a = a, .b = b, .origin = origin});
  wait_for_symbols(s, (uint32_t)s->constraints.count - 1, dim_resolve(s, a));
  wait_for_symbols(s, (uint32_t)s->constraints.count - 1, dim_resolve(s, b));
}

dim_outcome dim_unify(dim_system *s, dim a, dim b, dim_origin origin) {
  dim resolved_a = dim_resolve(s, a);
  dim resolved_b = dim_resolve(s, b);
  if (!resolved_a || !resolved_b || resolved_a == resolved_b) return DIM_equal;
  dim difference = dim_subtract(s, resolved_a, resolved_b);
  dim_outcome outcome = solve(s, difference, (dim[]){a, b}, origin);
  if (outcome == DIM_deferred) dim_defer(s, a, b, origin);
  run_agenda(s);
  return outcome;
}
