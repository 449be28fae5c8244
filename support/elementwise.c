/* The rows of elementwise.def as tables and lookups; see elementwise.h. */
#include "support/elementwise.h"

#include "support/elementwise_f64.h"
#include "support/unreachable.h"

#include <stdlib.h>
#include <string.h>

#define KIND_function true
#define KIND_operator false

const elementwise_unary_info elementwise_unaries[] = {
#define UNARY(name, kind, p, p_default, q, q_default, flops, formula, derivative, reference, doc)                      \
  {#name, KIND_##kind, {{p, p_default}, {q, q_default}}, flops, #formula, #derivative, doc},
#include "support/elementwise.def"
};

const elementwise_binary_info elementwise_binaries[] = {
#define BINARY(name, operation, flops, formula, derivative_a, derivative_b, reference, doc)                            \
  {#name, #operation, flops, #formula, #derivative_a, #derivative_b, doc},
#include "support/elementwise.def"
};
_Static_assert(sizeof elementwise_unaries / sizeof *elementwise_unaries == UNARY_COUNT, "a row for each function");
_Static_assert(sizeof elementwise_binaries / sizeof *elementwise_binaries == BINARY_COUNT, "a row for each function");

elementwise_unary elementwise_unary_find(const char *name) {
  for (int i = 0; name && i < UNARY_COUNT; i++)
    if (!strcmp(elementwise_unaries[i].name, name)) return (elementwise_unary)i;
  return UNARY_none;
}

elementwise_binary elementwise_binary_find(const char *name) {
  for (int i = 0; name && i < BINARY_COUNT; i++)
    if (!strcmp(elementwise_binaries[i].name, name)) return (elementwise_binary)i;
  return BINARY_none;
}

double elementwise_unary_f64(elementwise_unary f, double x, double p, double q) {
  switch (f) {
#define UNARY(name, kind, p_name, p_default, q_name, q_default, flops, formula, derivative, reference, doc)            \
  case UNARY_##name: return unary_##name(x, p, q);
#include "support/elementwise.def"
  case UNARY_none:
  case UNARY_COUNT: break;
  }
  UNREACHABLE("the function is no row of support/elementwise.def");
}

double elementwise_binary_f64(elementwise_binary f, double a, double b) {
  switch (f) {
#define BINARY(name, operation, flops, formula, derivative_a, derivative_b, reference, doc)                            \
  case BINARY_##name: return binary_##name(a, b);
#include "support/elementwise.def"
  case BINARY_none:
  case BINARY_COUNT: break;
  }
  UNREACHABLE("the function is no row of support/elementwise.def");
}

bool elementwise_call_parse(const char *text, elementwise_call *out) {
  char name[32];
  float numbers[ELEMENTWISE_MAX_PARAMETERS] = {0, 0};
  size_t size = strcspn(text, " ");
  *out = (elementwise_call){UNARY_none, 0, 0};
  if (size >= sizeof name) return false;
  memcpy(name, text, size);
  name[size] = 0;
  elementwise_unary found = elementwise_unary_find(name);
  if (found == UNARY_none) return false;
  const char *at = text + size;
  for (int i = 0; i < elementwise_count_parameters(found); i++) {
    char *end = NULL;
    if (*at != ' ') return false;
    numbers[i] = strtof(at + 1, &end);
    if (end == at + 1) return false;
    at = end;
  }
  if (*at) return false;
  *out = (elementwise_call){found, numbers[0], numbers[1]};
  return true;
}
