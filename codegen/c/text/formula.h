/* Formulas of support/elementwise.def as C text on `real`: EXP(x) is real_exp(x), K(0.5) is
 * (real)0.5, numbers have the names of their rows. */
#ifndef GNNC_CODEGEN_C_TEXT_FORMULA_H
#define GNNC_CODEGEN_C_TEXT_FORMULA_H

#include "support/arena.h"
#include "support/elementwise.h"

/* The formula on operand texts: "-x" of "y[j]" is "-y[j]"; `numbers` has as many as the function
 * takes. */
const char *c_formula_apply(arena *a, elementwise_unary f, const char *x, const char *const *numbers);

/* The definition of real_NAME with an empty line behind it; NULL where the formula is a function of
 * the prelude itself, as TANH(x) of tanh is. */
const char *c_formula_define_unary(arena *a, elementwise_unary f);
const char *c_formula_define_binary(arena *a, elementwise_binary f);

#endif
