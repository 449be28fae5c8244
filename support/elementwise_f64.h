/* The functions of elementwise.def and their derivatives in double. Each is an inline function:
 * unary_relu(x, p, q), derivative_relu(x, y, p, q), binary_add(a, b), derivative_a_add(a, b, y). */
#ifndef GNNC_SUPPORT_ELEMENTWISE_F64_H
#define GNNC_SUPPORT_ELEMENTWISE_F64_H

#include <math.h>

#define WORD(name) name
#include "support/elementwise_words.h"
#define K(constant) ((double)(constant))
#define UNARY(name, kind, p_name, p_default, q_name, q_default, flops, formula, derivative, reference, doc)            \
  static inline double unary_##name(double x, double p, double q) {                                                    \
    (void)p, (void)q;                                                                                                  \
    return formula;                                                                                                    \
  }                                                                                                                    \
  static inline double derivative_##name(double x, double y, double p, double q) {                                     \
    (void)x, (void)y, (void)p, (void)q;                                                                                \
    return derivative;                                                                                                 \
  }
#define BINARY(name, operation, flops, formula, derivative_a, derivative_b, reference, doc)                            \
  static inline double binary_##name(double a, double b) {                                                             \
    return formula;                                                                                                    \
  }                                                                                                                    \
  static inline double derivative_a_##name(double a, double b, double y) {                                             \
    (void)a, (void)b, (void)y;                                                                                         \
    return derivative_a;                                                                                               \
  }                                                                                                                    \
  static inline double derivative_b_##name(double a, double b, double y) {                                             \
    (void)a, (void)b, (void)y;                                                                                         \
    return derivative_b;                                                                                               \
  }
#include "support/elementwise.def"
#define WORDS_END
#include "support/elementwise_words.h"

#endif
