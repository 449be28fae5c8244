/* functions.def as a table. */
#include "frontend/sema/sema_functions.h"

#include <string.h>

#define PRESENCE_required true
#define PRESENCE_optional false

static const sema_function table[] = {
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

bool sema_is_reduction(const char *name) {
  return !strcmp(name, "sum") || !strcmp(name, "mean") || !strcmp(name, "max") || !strcmp(name, "min");
}
