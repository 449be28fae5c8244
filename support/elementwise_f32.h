/* The functions of elementwise.def in fp32, one inline function each: unary_relu(x, p, q),
 * binary_add(a, b). */
#ifndef GNNC_SUPPORT_ELEMENTWISE_F32_H
#define GNNC_SUPPORT_ELEMENTWISE_F32_H

#include <math.h>

#define EXP expf
#define EXPM1 expm1f
#define LOG logf
#define LOG1P log1pf
#define SQRT sqrtf
#define TANH tanhf
#define ERF erff
#define SIN sinf
#define COS cosf
#define ABS fabsf
#define FLOOR floorf
#define ROUND rintf
#define POW powf
#define ATAN2 atan2f
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
#undef EXP
#undef EXPM1
#undef LOG
#undef LOG1P
#undef SQRT
#undef TANH
#undef ERF
#undef SIN
#undef COS
#undef ABS
#undef FLOOR
#undef ROUND
#undef POW
#undef ATAN2
#undef K

#endif
