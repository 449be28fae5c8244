/* Formulas as C text: see formula.h.
 *
 *   x > 0 ? x : p * EXPM1(x)     becomes     x > 0 ? x : alpha * real_expm1(x)     with p called alpha */
#include "codegen/c/text/formula.h"

#include "support/text.h"

#include <ctype.h>
#include <string.h>

/* The replacements of a formula's words; NULL: the word stays. */
typedef struct words {
  const char *x, *y, *p, *q;
} words;

static bool is_word(char c) {
  return isalnum((unsigned char)c) || c == '_';
}

/* Appends a word and what belongs to it; returns the rest of the formula. K(0.5) loses its
 * parentheses. */
static const char *append_word(text *out, const char *at, size_t size, const words *w) {
  const char *const names[] = {"x", "y", "p", "q"}, *const values[] = {w->x, w->y, w->p, w->q};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (size == 1 && *at == *names[i] && values[i]) {
      text_append(out, values[i]);
      return at + size;
    }
  if (!isupper((unsigned char)*at)) {
    text_append_bytes(out, at, size);
    return at + size;
  }
  if (size == 1 && *at == 'K') {
    const char *number = at + strlen("K("), *end = strchr(number, ')');
    text_printf(out, "(real)%.*s", (int)(end - number), number);
    return end + 1;
  }
  text_append(out, "real_");
  for (size_t i = 0; i < size; i++) text_printf(out, "%c", tolower((unsigned char)at[i]));
  return at + size;
}

static const char *translate(arena *a, const char *formula, const words *w) {
  text made = {0};
  for (const char *at = formula; *at;) {
    size_t size = 0;
    bool is_number = isdigit((unsigned char)*at);
    while (is_word(at[size]) || (is_number && at[size] == '.')) size++;
    if (size && !is_number) {
      at = append_word(&made, at, size, w);
    } else {
      text_append_bytes(&made, at, size ? size : 1);
      at += size ? size : 1;
    }
  }
  const char *kept = arena_strdup(a, text_str(&made));
  text_free(&made);
  return kept;
}

bool c_formula_mentions(const char *formula, char name) {
  for (const char *at = formula; (at = strchr(at, name)); at++)
    if ((at == formula || !is_word(at[-1])) && !is_word(at[1])) return true;
  return false;
}

const char *c_formula_apply(arena *a, elementwise_unary f, const char *x, const char *const *numbers) {
  int count = elementwise_count_parameters(f);
  words w = {.x = x, .p = count > 0 ? numbers[0] : NULL, .q = count > 1 ? numbers[1] : NULL};
  return translate(a, elementwise_unaries[f].formula, &w);
}

static const char *define(arena *a, const char *name, const char *parameters, const char *operands, const char *body) {
  if (!strcmp(body, arena_printf(a, "real_%s(%s)", name, operands))) return NULL;
  return arena_printf(a, "static ALWAYS_INLINE real real_%s(%s) {\n  return %s;\n}\n\n", name, parameters, body);
}

const char *c_formula_define_unary(arena *a, elementwise_unary f) {
  const elementwise_unary_info *row = &elementwise_unaries[f];
  const char *parameters = "real x";
  words w = {.p = row->parameters[0].name, .q = row->parameters[1].name};
  for (int i = 0; i < elementwise_count_parameters(f); i++)
    parameters = arena_printf(a, "%s, real %s", parameters, row->parameters[i].name);
  return define(a, row->name, parameters, "x", translate(a, row->formula, &w));
}

const char *c_formula_define_binary(arena *a, elementwise_binary f) {
  const elementwise_binary_info *row = &elementwise_binaries[f];
  return define(a, row->name, "real a, real b", "a, b", translate(a, row->formula, &(words){0}));
}

/* Whether a derivative is a function of its operands; others are numbers, which need no function. */
static bool is_of_operands(const char *derivative) {
  return c_formula_mentions(derivative, 'x') || c_formula_mentions(derivative, 'y');
}

const char *c_formula_apply_derivative(arena *a, elementwise_unary f, const char *x, const char *y,
                                       const char *const *numbers) {
  const elementwise_unary_info *row = &elementwise_unaries[f];
  int count = elementwise_count_parameters(f);
  const words w = {.x = x, .y = y, .p = count > 0 ? numbers[0] : NULL, .q = count > 1 ? numbers[1] : NULL};
  if (!is_of_operands(row->derivative)) return arena_printf(a, "(%s)", translate(a, row->derivative, &w));
  const char *const names = "xypq", *const values[] = {w.x, w.y, w.p, w.q};
  const char *call = arena_printf(a, "real_derivative_%s(", row->name), *comma = "";
  for (int i = 0; i < 4; i++) {
    if (!c_formula_mentions(row->derivative, names[i])) continue;
    call = arena_printf(a, "%s%s%s", call, comma, values[i]);
    comma = ", ";
  }
  return arena_printf(a, "%s)", call);
}

const char *c_formula_define_derivative(arena *a, elementwise_unary f) {
  const elementwise_unary_info *row = &elementwise_unaries[f];
  const words w = {.p = row->parameters[0].name, .q = row->parameters[1].name};
  const char *const names = "xypq", *const called[] = {"x", "y", w.p, w.q};
  const char *parameters = "";
  for (int i = 0; i < 4; i++)
    if (c_formula_mentions(row->derivative, names[i]))
      parameters = arena_printf(a, "%s%sreal %s", parameters, *parameters ? ", " : "", called[i]);
  if (!is_of_operands(row->derivative)) return NULL;
  return define(a, arena_printf(a, "derivative_%s", row->name), parameters, "", translate(a, row->derivative, &w));
}
