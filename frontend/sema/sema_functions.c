/* Builds one table of support/elementwise.def and functions.def. */
#include "frontend/sema/sema_functions.h"

#include <string.h>

#define PRESENCE_required true
#define PRESENCE_optional false

/* Expands a row of elementwise.def that is called by its name. A parameter without a name ends the
 * parameters of a row. */
#define IF_function(...) __VA_ARGS__
#define IF_operator(...)
#define FUNCTION_OF_ONE(name, p, p_default, q, q_default, doc)                                                         \
  {#name,                                                                                                              \
   SEMA_HANDLER_unary,                                                                                                 \
   #name,                                                                                                              \
   doc,                                                                                                                \
   {{"x", SEMA_PARAMETER_value, true, 0},                                                                              \
    {p, SEMA_PARAMETER_number, false, p_default},                                                                      \
    {q, SEMA_PARAMETER_number, false, q_default},                                                                      \
    {NULL, SEMA_PARAMETER_value, false, 0}}},

/* The other binary functions have operators, or names with a second meaning: max(x). */
#define IF_binary(...) __VA_ARGS__
#define IF_vector_add(...)
#define IF_subtract(...)
#define IF_multiply(...)
#define IF_divide(...)
#define IF_maximum(...)
#define IF_minimum(...)
#define IF_compare(...)
#define FUNCTION_OF_TWO(name, doc)                                                                                     \
  {#name,                                                                                                              \
   SEMA_HANDLER_binary,                                                                                                \
   #name,                                                                                                              \
   doc,                                                                                                                \
   {{"a", SEMA_PARAMETER_value, true, 0},                                                                              \
    {"b", SEMA_PARAMETER_value, true, 0},                                                                              \
    {NULL, SEMA_PARAMETER_value, false, 0}}},

static const sema_function table[] = {
#define UNARY(name, kind, p, p_default, q, q_default, flops, formula, derivative, reference, doc)                      \
  IF_##kind(FUNCTION_OF_ONE(name, p, p_default, q, q_default, doc))
#define BINARY(name, operation, flops, formula, derivative_a, derivative_b, reference, doc)                            \
  IF_##operation(FUNCTION_OF_TWO(name, doc))
#include "support/elementwise.def"
#define FUNCTION(name, handler, op, summary)                                                                           \
  {                                                                                                                    \
    #name, SEMA_HANDLER_##handler, op, summary, {
#define PARAM(function, name, kind, presence, fallback) {#name, SEMA_PARAMETER_##kind, PRESENCE_##presence, fallback},
#define END(function) {NULL, SEMA_PARAMETER_value, false, 0}}                                                          \
  }                                                                                                                    \
  ,
#include "frontend/functions.def"
#undef FUNCTION
#undef PARAM
#undef END
};

const sema_function *sema_function_table(size_t *count) {
  *count = sizeof table / sizeof *table;
  return table;
}

const sema_function *sema_function_find(const char *name) {
  for (size_t i = 0; i < sizeof table / sizeof *table; i++)
    if (!strcmp(table[i].name, name)) return &table[i];
  return NULL;
}

size_t sema_function_arity(const sema_function *f) {
  size_t count = 0;
  while (f->parameters[count].name) count++;
  return count;
}

const char *const sema_reductions[] = {"sum", "mean", "max", "min", "prod", "median", NULL};

bool sema_is_reduction(const char *name) {
  for (size_t i = 0; sema_reductions[i]; i++)
    if (!strcmp(sema_reductions[i], name)) return true;
  return false;
}
