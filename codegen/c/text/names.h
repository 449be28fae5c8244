/* C identifiers from the model's names: "conv1.lin.weight" becomes conv1_lin_weight, "double"
 * becomes double_. */
#ifndef GNNC_CODEGEN_C_TEXT_NAMES_H
#define GNNC_CODEGEN_C_TEXT_NAMES_H

#include "support/map.h"

/* The names in force, as a stack: a scope is left by cutting it back to a mark. `c_names names =
 * {.arena = a};` */
typedef struct c_names {
  arena *arena;
  const char **items;
  size_t count;
  size_t capacity;
  map in_force; /* name -> 1 while it is */
  map next;     /* name -> the first number that may be free behind it, since a scope was left last */
} c_names;

/* Returns `name` as an identifier that is no keyword and none of the prelude's words; owned by the
 * arena. */
const char *c_names_mangle(arena *a, const char *name);

/* Returns an identifier made of `name` that is not in force, and puts it in force; a number is
 * added where needed. */
const char *c_names_add(c_names *names, const char *name);

/* Leaves every scope entered since `names->count` was `mark`. */
void c_names_leave(c_names *names, size_t mark);

#endif
