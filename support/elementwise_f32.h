/* The functions of elementwise.def in fp32. Each is an inline function: unary_relu(x, p, q),
 * binary_add(a, b). */
#ifndef GNNC_SUPPORT_ELEMENTWISE_F32_H
#define GNNC_SUPPORT_ELEMENTWISE_F32_H

#include <math.h>

#define WORD(name) name##f
#include "support/elementwise_words.h"
#define K(constant) ((float)(constant))
#define UNARY(name, kind, p_name, p_default, q_name, q_default, flops, formula, derivative, reference, doc)            \
  static inline float unary_##name(float x, float p, float q) {                                                        \
    (void)p, (void)q;                                                                                                  \
    return formula;                                                                                                    \
  }
#define BINARY(name, operation, flops, formula, derivative_a, derivative_b, reference, doc)                            \
  static inline float binary_##name(float a, float b) {                                                                \
    return formula;                                                                                                    \
  }
#include "support/elementwise.def"
#define WORDS_END
#include "support/elementwise_words.h"

#endif
