/* Arithmetic on `real`. Generated files hold the parts they use; a part begins at its "//@" line, and what stands before the first is for
 * reading and checking this file alone. */
#include <math.h>
#include <stdint.h>

//@ real_f32
/* Numbers inside this model. */
typedef float real;
#define real_exp expf
#define real_log logf
#define real_sqrt sqrtf
#define real_tanh tanhf
#define real_erf erff
#define real_abs fabsf

//@ real_f64
/* Numbers inside this model; the interface stays float. */
typedef double real;
#define real_exp exp
#define real_log log
#define real_sqrt sqrt
#define real_tanh tanh
#define real_erf erf
#define real_abs fabs

//@ real_max
/* The larger; a NaN wins. */
static inline real real_max(real a, real b) { return a > b || a != a ? a : b; }

//@ real_min
/* The smaller; a NaN wins. */
static inline real real_min(real a, real b) { return a < b || a != a ? a : b; }

//@ real_relu
static inline real real_relu(real x) { return x < 0 ? 0 : x; }

//@ real_leaky_relu
static inline real real_leaky_relu(real x, real slope) { return x > 0 ? x : slope * x; }

//@ real_elu
static inline real real_elu(real x, real alpha) { return x > 0 ? x : alpha * (real_exp(x) - 1); }

//@ real_sigmoid
static inline real real_sigmoid(real x) { return 1 / (1 + real_exp(-x)); }

//@ real_swish
static inline real real_swish(real x) { return x / (1 + real_exp(-x)); }

//@ real_gelu
static inline real real_gelu(real x) { return x / 2 * (1 + real_erf(x * (real)0.70710678118654752440)); }

//@ real_rsqrt
static inline real real_rsqrt(real x) { return 1 / real_sqrt(x); }

//@ real_reciprocal
static inline real real_reciprocal(real x) { return 1 / x; }
