/* Symbolic sizes: polynomials over named symbols with integer coefficients, and the equations
 * between them.
 *
 *   weight W : f32[F, H*C];    F, H, C are symbols; the file has [1433, 64]: F := 1433, and H*C = 64 waits for H or C
 *   dim H = 8;                 H := 8, and with it C := 8
 *
 * Sizes are positive. A dim that is NULL is an unknown size after an error; it agrees with every
 * size. */
#ifndef GNNC_FRONTEND_SEMA_DIMS_H
#define GNNC_FRONTEND_SEMA_DIMS_H

#include "support/arena.h"
#include "support/source.h"
#include "support/text.h"
#include "support/vec.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One term: coefficient * symbols[0] * symbols[1] ...; symbols ascend and may repeat. */
typedef struct dim_term {
  int64_t coefficient;
  uint32_t degree;
  const uint32_t *symbols;
} dim_term;

/* A sum of terms; no two terms have the same symbols, and no coefficient is zero; immutable. */
typedef struct dim_poly {
  uint32_t count;
  dim_term terms[];
} dim_poly;
typedef const dim_poly *dim;

/* The reason why two sizes are equal; kept with the bindings that follow from it. */
typedef struct dim_origin {
  span where;
  const char *text; /* "'W' is declared f32[F, 64]"; NULL = nothing to say */
  const void *user; /* carried along for the caller */
} dim_origin;

typedef struct dim_symbol {
  const char *name;
  span declared;
  dim binding;           /* NULL = free */
  dim_origin origin;     /* of the binding */
  dim causes[2];         /* both sides of the equation that bound it, as they were stated */
  const char *hint;      /* the source that could bind it: "tensor 'lin.weight' of the weights"; NULL = unknown */
  bool is_reported;      /* for the caller: an error about it was reported */
  bool is_option;        /* --dim can name it */
  VEC(uint32_t) waiting; /* constraints to look at again once it is bound */
} dim_symbol;

/* An equation that could not be solved when it was stated. */
typedef struct dim_constraint {
  dim a;
  dim b;
  dim_origin origin;
  bool is_done;
} dim_constraint;

/* A set of symbols with their bindings and equations; lives in its arena. */
typedef struct dim_system {
  arena *arena;
  VEC(dim_symbol) symbols;
  VEC(dim_constraint) constraints;
  VEC(uint32_t) failures; /* constraints found false after they were deferred */
  VEC(uint32_t) agenda;   /* scratch: constraints to look at again */
} dim_system;

dim_system *dim_system_create(arena *a);

dim dim_constant(dim_system *s, int64_t value);
/* Returns a new free symbol as a size. */
dim dim_new_symbol(dim_system *s, const char *name, span declared);

/* Arithmetic; NULL when an operand is NULL or the result is too large to be a size. */
dim dim_add(dim_system *s, dim a, dim b);
dim dim_subtract(dim_system *s, dim a, dim b);
dim dim_multiply(dim_system *s, dim a, dim b);
/* Returns the exact quotient: a new symbol when it is not known yet, NULL when it is not an
 * integer. */
dim dim_divide(dim_system *s, dim a, dim b, dim_origin origin);

/* Returns `d` with every bound symbol replaced by its binding. */
dim dim_resolve(dim_system *s, dim d);
/* Returns true and sets *value when `d` is a known number. */
bool dim_value(dim_system *s, dim d, int64_t *value);
/* Returns the symbol when `d` is one symbol alone, else NULL. Bound symbols are not resolved. */
dim_symbol *dim_as_symbol(dim_system *s, dim d);

typedef enum dim_outcome {
  DIM_equal,    /* known before                                              */
  DIM_bound,    /* true from now on: a symbol was bound                      */
  DIM_deferred, /* kept as an equation until more is known                   */
  DIM_conflict, /* false: no positive sizes satisfy it                       */
} dim_outcome;

/* States a = b. Binding a symbol may make deferred equations false: those are appended to
 * `failures`. */
dim_outcome dim_unify(dim_system *s, dim a, dim b, dim_origin origin);

/* Keeps a = b as an equation until a symbol of it is bound. */
void dim_defer(dim_system *s, dim a, dim b, dim_origin origin);

/* Appends the size as text, "2*F + 1", with bound symbols replaced by their bindings. */
void dim_print(dim_system *s, dim d, text *out);
/* Appends a size that is not NULL as it was stated, without later bindings. */
void dim_print_stated(dim_system *s, dim d, text *out);

#endif
