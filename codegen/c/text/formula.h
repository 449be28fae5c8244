/* Formulas of support/elementwise.def as C text on `real`: EXP(x) becomes real_exp(x), K(0.5)
 * becomes (real)0.5, and numbers get the names in their rows. */
#ifndef GNNC_CODEGEN_C_TEXT_FORMULA_H
#define GNNC_CODEGEN_C_TEXT_FORMULA_H

#include "support/arena.h"
#include "support/elementwise.h"

/* Whether x, y, p or q occurs in a formula. */
bool c_formula_mentions(const char *formula, char name);

/* The formula applied to texts of operands: "-x" of "y[j]" is "-y[j]". `numbers` has as many
 * elements as the function takes numbers. */
const char *c_formula_apply(arena *a, elementwise_unary f, const char *x, const char *const *numbers);
/* The derivative at x with the result y, as an expression: "real_derivative_elu(y[j], 1.0f)". Only operands that
 * the derivative mentions are read; the others may be NULL. */
const char *c_formula_apply_derivative(arena *a, elementwise_unary f, const char *x, const char *y,
                                       const char *const *numbers);

/* The definition of real_NAME followed by an empty line; NULL where the formula is a function of
 * the prelude itself, as TANH(x) of tanh is. */
const char *c_formula_define_unary(arena *a, elementwise_unary f);
const char *c_formula_define_binary(arena *a, elementwise_binary f);
/* The definition of real_derivative_NAME with the operands and numbers that it mentions as parameters; NULL where
 * it mentions no operand. */
const char *c_formula_define_derivative(arena *a, elementwise_unary f);

#endif
