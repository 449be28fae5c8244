/* C identifiers from the model's names: "conv1.lin.weight" becomes conv1_lin_weight, "double"
 * becomes double_. */
#ifndef GNNC_CODEGEN_C_TEXT_NAMES_H
#define GNNC_CODEGEN_C_TEXT_NAMES_H

#include "support/map.h"

/* The names in scope, as a stack: a scope is left by cutting the stack back to a mark. Begin with
 * `c_names names = {.arena = a};`. */
typedef struct c_names {
  arena *arena;
  const char **items;
  size_t count;
  size_t capacity;
  map in_force; /* from a name to 1 while it is in scope */
  map next;     /* from a name to the first number that may be free as its suffix */
} c_names;

/* Returns `name` as an identifier that is no keyword and no name of the prelude; in the arena. */
const char *c_names_mangle(arena *a, const char *name);

/* Returns an identifier made from `name` that is not in scope yet, with a number behind it where
 * necessary, and puts it in scope. */
const char *c_names_add(c_names *names, const char *name);

/* Leaves every scope that was entered since `names->count` was `mark`. */
void c_names_leave(c_names *names, size_t mark);

#endif
