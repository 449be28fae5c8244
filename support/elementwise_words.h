/* The functions of <math.h> that the formulas of elementwise.def use, in the number type of the
 * including file. That file defines WORD: with
 *
 *   #define WORD(name) name##f
 *
 * EXP(x) is expf(x). A second inclusion with WORDS_END defined removes the names again. */
#ifndef WORDS_END
#define EXP WORD(exp)
#define EXPM1 WORD(expm1)
#define LOG WORD(log)
#define LOG1P WORD(log1p)
#define SQRT WORD(sqrt)
#define TANH WORD(tanh)
#define ERF WORD(erf)
#define SIN WORD(sin)
#define COS WORD(cos)
#define ABS WORD(fabs)
#define FLOOR WORD(floor)
#define ROUND WORD(rint)
#define POW WORD(pow)
#define ATAN2 WORD(atan2)
#else
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
#undef WORD
#undef WORDS_END
#endif
