/* Polynomials of symbolic sizes: arithmetic, substitution, printing. Terms are kept in one order
 * (higher degree first, then by symbols), so that equal sizes are equal term by term. Overflow and
 * absurd lengths give NULL, never a wrong number. */
#include "frontend/sema/dims.h"

#include <inttypes.h>
#include <string.h>

enum { MAX_TERMS = 64, MAX_DEGREE = 16 };

dim_system *dim_system_create(arena *a) {
  dim_system *s = arena_alloc(a, sizeof *s);
  s->arena = a;
  return s;
}

static dim_poly *new_poly(dim_system *s, size_t capacity) {
  return arena_alloc(s->arena, sizeof(dim_poly) + capacity * sizeof(dim_term));
}

dim dim_constant(dim_system *s, int64_t value) {
  dim_poly *p = new_poly(s, 1);
  if (value == 0) return p;
  p->count = 1;
  p->terms[0] = (dim_term){.coefficient = value};
  return p;
}

static dim symbol_as_dim(dim_system *s, const uint32_t *symbol) {
  dim_poly *p = new_poly(s, 1);
  p->count = 1;
  p->terms[0] = (dim_term){.coefficient = 1, .degree = 1, .symbols = symbol};
  return p;
}

dim dim_new_symbol(dim_system *s, const char *name, span declared) {
  uint32_t *symbol = arena_alloc(s->arena, sizeof *symbol);
  *symbol = (uint32_t)s->symbols.count;
  VEC_PUSH(s->arena, &s->symbols, (dim_symbol){.name = name, .declared = declared});
  return symbol_as_dim(s, symbol);
}

static int compare_terms(const dim_term *a, const dim_term *b) {
  if (a->degree != b->degree) return a->degree > b->degree ? -1 : 1;
  for (uint32_t i = 0; i < a->degree; i++)
    if (a->symbols[i] != b->symbols[i]) return a->symbols[i] < b->symbols[i] ? -1 : 1;
  return 0;
}

/* Inserts a term into a sum under construction, in the order of terms. Returns false on overflow or
 * when the sum grows too long. */
static bool add_term(dim_poly *p, dim_term t) {
  uint32_t i = 0;
  while (i < p->count && compare_terms(&p->terms[i], &t) < 0) i++;
  if (i < p->count && compare_terms(&p->terms[i], &t) == 0) {
    if (__builtin_add_overflow(p->terms[i].coefficient, t.coefficient, &p->terms[i].coefficient)) return false;
    if (p->terms[i].coefficient == 0) {
      memmove(&p->terms[i], &p->terms[i + 1], (p->count - i - 1) * sizeof(dim_term));
      p->count--;
    }
    return true;
  }
  if (p->count == MAX_TERMS) return false;
  memmove(&p->terms[i + 1], &p->terms[i], (p->count - i) * sizeof(dim_term));
  p->terms[i] = t;
  p->count++;
  return true;
}

static size_t bounded(size_t terms) {
  return terms < MAX_TERMS ? terms : MAX_TERMS;
}

static dim add_scaled(dim_system *s, dim a, dim b, int64_t scale) {
  if (!a || !b) return NULL;
  dim_poly *p = new_poly(s, bounded((size_t)a->count + b->count));
  memcpy(p->terms, a->terms, a->count * sizeof(dim_term));
  p->count = a->count;
  for (uint32_t i = 0; i < b->count; i++) {
    dim_term t = b->terms[i];
    if (__builtin_mul_overflow(t.coefficient, scale, &t.coefficient) || !add_term(p, t)) return NULL;
  }
  return p;
}

dim dim_add(dim_system *s, dim a, dim b) {
  return add_scaled(s, a, b, 1);
}
dim dim_subtract(dim_system *s, dim a, dim b) {
  return add_scaled(s, a, b, -1);
}

/* Multiplies two terms. Returns false on overflow or when the degree exceeds MAX_DEGREE. */
static bool multiply_terms(dim_system *s, const dim_term *a, const dim_term *b, dim_term *out) {
  out->degree = a->degree + b->degree;
  if (out->degree > MAX_DEGREE || __builtin_mul_overflow(a->coefficient, b->coefficient, &out->coefficient))
    return false;
  if (!a->degree || !b->degree) {
    out->symbols = a->degree ? a->symbols : b->symbols;
    return true;
  }
  uint32_t *symbols = arena_alloc_array(s->arena, out->degree, sizeof *symbols);
  for (uint32_t i = 0, j = 0; i + j < out->degree;) {
    bool take_a = j == b->degree || (i < a->degree && a->symbols[i] <= b->symbols[j]);
    symbols[i + j] = take_a ? a->symbols[i] : b->symbols[j];
    if (take_a)
      i++;
    else
      j++;
  }
  out->symbols = symbols;
  return true;
}

dim dim_multiply(dim_system *s, dim a, dim b) {
  if (!a || !b) return NULL;
  dim_poly *p = new_poly(s, bounded((size_t)a->count * b->count));
  for (uint32_t i = 0; i < a->count; i++) {
    for (uint32_t j = 0; j < b->count; j++) {
      dim_term t;
      if (!multiply_terms(s, &a->terms[i], &b->terms[j], &t) || !add_term(p, t)) return NULL;
    }
  }
  return p;
}

static bool has_bound_symbol(const dim_system *s, dim d) {
  for (uint32_t i = 0; i < d->count; i++)
    for (uint32_t j = 0; j < d->terms[i].degree; j++)
      if (s->symbols.items[d->terms[i].symbols[j]].binding) return true;
  return false;
}

dim dim_resolve(dim_system *s, dim d) {
  if (!d || !has_bound_symbol(s, d)) return d;
  dim sum = dim_constant(s, 0);
  for (uint32_t i = 0; i < d->count && sum; i++) {
    const dim_term *t = &d->terms[i];
    dim product = dim_constant(s, t->coefficient);
    for (uint32_t j = 0; j < t->degree && product; j++) {
      dim_symbol *symbol = &s->symbols.items[t->symbols[j]];
      if (symbol->binding) {
        dim known = dim_resolve(s, symbol->binding);
        s->symbols.items[t->symbols[j]].binding = known ? known : symbol->binding; /* shorter chains next time */
        product = dim_multiply(s, product, known);
      } else {
        product = dim_multiply(s, product, symbol_as_dim(s, &t->symbols[j]));
      }
    }
    sum = dim_add(s, sum, product);
  }
  return sum;
}

static bool is_constant(dim d, int64_t *value) {
  if (d->count == 0) {
    *value = 0;
    return true;
  }
  *value = d->terms[0].coefficient;
  return d->count == 1 && d->terms[0].degree == 0;
}

bool dim_value(dim_system *s, dim d, int64_t *value) {
  d = dim_resolve(s, d);
  return d && is_constant(d, value);
}

dim_symbol *dim_as_symbol(dim_system *s, dim d) {
  if (!d || d->count != 1 || d->terms[0].degree != 1 || d->terms[0].coefficient != 1) return NULL;
  return &s->symbols.items[d->terms[0].symbols[0]];
}

/* Returns a / b for one term b, or NULL when b does not divide every term of a. */
static dim divide_by_term(dim_system *s, dim a, const dim_term *b) {
  dim_poly *p = new_poly(s, a->count);
  for (uint32_t i = 0; i < a->count; i++) {
    const dim_term *t = &a->terms[i];
    if (t->coefficient % b->coefficient != 0 || t->degree < b->degree) return NULL;
    uint32_t *symbols = arena_alloc_array(s->arena, t->degree + 1u, sizeof *symbols);
    uint32_t kept = 0;
    uint32_t taken = 0;
    for (uint32_t j = 0; j < t->degree; j++) {
      if (taken < b->degree && t->symbols[j] == b->symbols[taken])
        taken++;
      else
        symbols[kept++] = t->symbols[j];
    }
    if (taken != b->degree) return NULL;
    if (!add_term(p, (dim_term){t->coefficient / b->coefficient, kept, symbols})) return NULL;
  }
  return p;
}

dim dim_divide(dim_system *s, dim a, dim b, dim_origin origin) {
  a = dim_resolve(s, a);
  b = dim_resolve(s, b);
  if (!a || !b || b->count == 0) return NULL;
  if (b->count == 1) {
    int64_t divisor = b->terms[0].coefficient;
    dim quotient = divisor == -1 ? NULL : divide_by_term(s, a, &b->terms[0]);
    if (quotient) return quotient;
  }
  int64_t value_a = 0;
  int64_t value_b = 0;
  if (is_constant(a, &value_a) && is_constant(b, &value_b)) return NULL;
  text name = {0};
  text_append(&name, "(");
  dim_print(s, a, &name);
  text_append(&name, ") / (");
  dim_print(s, b, &name);
  text_append(&name, ")");
  dim quotient = dim_new_symbol(s, text_keep(&name, s->arena), origin.where);
  dim product = dim_multiply(s, quotient, b);
  if (!product) return NULL;
  dim_defer(s, product, a, origin); /* F itself stays free: messages show F, not H * (F / H) */
  return quotient;
}

void dim_print_stated(dim_system *s, dim d, text *out) {
  if (d->count == 0) text_append(out, "0");
  for (uint32_t i = 0; i < d->count; i++) {
    const dim_term *t = &d->terms[i];
    bool is_negative = t->coefficient < 0;
    if (i)
      text_append(out, is_negative ? " - " : " + ");
    else if (is_negative)
      text_append(out, "-");
    uint64_t size = is_negative ? 0 - (uint64_t)t->coefficient : (uint64_t)t->coefficient;
    if (size != 1 || t->degree == 0) text_printf(out, "%" PRIu64 "%s", size, t->degree ? "*" : "");
    for (uint32_t j = 0; j < t->degree; j++)
      text_printf(out, "%s%s", j ? "*" : "", s->symbols.items[t->symbols[j]].name);
  }
}

void dim_print(dim_system *s, dim d, text *out) {
  dim known = dim_resolve(s, d);
  if (known)
    dim_print_stated(s, known, out);
  else if (d)
    dim_print_stated(s, d, out); /* its value is too large to be written down */
  else
    text_append(out, "?");
}
