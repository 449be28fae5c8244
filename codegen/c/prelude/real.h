/* Arithmetic on `real`. Generated files hold the parts they use; a part begins at its "//@ name" line (f32 or f64 behind it:
 * for that arithmetic alone), and what stands before the first says what the parts rely on. */
#include <math.h>
#include <stdint.h>
#include <string.h>

//@ real f32
/* Numbers inside this model. */
typedef float real;
#define real_log logf
#define real_sqrt sqrtf
#define real_abs fabsf

//@ real f64
/* Numbers inside this model; the interface stays float. */
typedef double real;
#define real_log log
#define real_sqrt sqrt
#define real_tanh tanh
#define real_erf erf
#define real_abs fabs

//@ ALWAYS_INLINE
/* For functions of one element, which a loop calls and vectorises; and for those whose constant arguments decide about loops: one copy for
 * each set of constants. */
#if defined(__GNUC__)
#define ALWAYS_INLINE inline __attribute__((always_inline))
#else
#define ALWAYS_INLINE inline
#endif

//@ real_exp f32
/* e to the x within 1.1 units in the last place, without branches, so that loops over features vectorise: x = n ln 2 + r, |r| <= ln 2 / 2,
 * a polynomial for e to the r, times 2 to the n in two steps (the result may be subnormal or infinite). */
static ALWAYS_INLINE real real_exp(real x) {
  x = x > 89.0f ? 89.0f : x;
  x = x < -104.0f ? -104.0f : x;
  float shifted = x * 1.44269504f + 12582912.0f; /* 1.5 * 2^23: the sum is rounded to a whole number */
#if defined(__GNUC__) && __FLT_EVAL_METHOD__ != 0
  const volatile float rounded = shifted; /* without -std=c17 registers would keep more digits */
  shifted = rounded;
#endif
  const float n = shifted - 12582912.0f;
  const float r = (x - n * 0.693145752f) - n * 1.42860677e-6f;
  float y = 1.38889e-3f + r * 1.98412698e-4f;
  y = 8.33333333e-3f + r * y;
  y = 4.16666666e-2f + r * y;
  y = 1.66666667e-1f + r * y;
  y = 0.5f + r * y;
  y = 1.0f + (r + (r * r) * y);
  int32_t bits, half;
  memcpy(&bits, &shifted, sizeof bits);
  bits -= 0x4B400000;
  half = bits / 2;
  const uint32_t power_0 = (uint32_t)(half + 127) << 23, power_1 = (uint32_t)(bits - half + 127) << 23;
  float scale_0, scale_1;
  memcpy(&scale_0, &power_0, sizeof scale_0);
  memcpy(&scale_1, &power_1, sizeof scale_1);
  return y * scale_0 * scale_1;
}

//@ real_exp f64
static ALWAYS_INLINE real real_exp(real x) {
  return exp(x);
}

//@ real_tanh f32
/* Within 1.4 units in the last place, without branches: an odd polynomial near 0 (Cephes), else from e to the 2 x. */
static ALWAYS_INLINE real real_tanh(real x) {
  const real a = fabsf(x), s = x * x;
  real p = 2.06390888e-2f + s * -5.70498873e-3f;
  p = -5.37397156e-2f + s * p;
  p = 1.33314422e-1f + s * p;
  p = -3.33332819e-1f + s * p;
  const real small = x + x * (s * p), large = copysignf(1 - 2 / (1 + real_exp(a + a)), x);
  return a < 0.625f ? small : large;
}

//@ real_erf f32
/* Within 1.2 units in the last place, without branches: an odd polynomial near 0, else 1 - e to a polynomial. */
static ALWAYS_INLINE real real_erf(real x) {
  const real a = fabsf(x), s = x * x;
  real p = 4.99119423e-3f + s * -5.96761703e-4f;
  p = -2.67681349e-2f + s * p;
  p = 1.12819925e-1f + s * p;
  p = -3.76125336e-1f + s * p;
  p = 1.28379166e-1f + s * p;
  const real r = 3.83197126e-4f + a * -1.72853470e-5f, t = 2.42546219e-2f + a * -3.88396438e-3f;
  real q = t + s * r;
  q = -1.06777877e-1f + a * q;
  q = -6.34846687e-1f + a * q;
  q = -1.28717512e-1f + a * q;
  const real small = x + x * p, large = copysignf(1 - real_exp(a * q - a), x);
  return a > 0.927734375f ? large : small;
}

//@ real_expm1 f32
#define real_expm1 expm1f

//@ real_expm1 f64
#define real_expm1 expm1

//@ real_log1p f32
#define real_log1p log1pf

//@ real_log1p f64
#define real_log1p log1p

//@ real_sin f32
#define real_sin sinf

//@ real_sin f64
#define real_sin sin

//@ real_cos f32
#define real_cos cosf

//@ real_cos f64
#define real_cos cos

//@ real_floor f32
#define real_floor floorf

//@ real_floor f64
#define real_floor floor

//@ real_round f32
#define real_round rintf

//@ real_round f64
#define real_round rint

//@ real_pow f32
#define real_pow powf

//@ real_pow f64
#define real_pow pow

//@ real_atan2 f32
#define real_atan2 atan2f

//@ real_atan2 f64
#define real_atan2 atan2

//@ real_max
/* The larger; a NaN wins. */
static ALWAYS_INLINE real real_max(real a, real b) {
  return a > b || a != a ? a : b;
}

//@ real_min
/* The smaller; a NaN wins. */
static ALWAYS_INLINE real real_min(real a, real b) {
  return a < b || a != a ? a : b;
}

//@ real_scaled
/* d times a derivative that may be infinite: 0 where d is 0. */
static ALWAYS_INLINE real real_scaled(real d, real slope) {
  return d == 0 ? 0 : d * slope;
}

//@ real_select
/* Both choices are values before the condition decides: gcc 12 compiles loops over a[j] and b[j] wrongly where it reads them under
 * a mask. */
static ALWAYS_INLINE real real_select(real condition, real yes, real no) {
  return condition != 0 ? yes : no;
}

//@ real_functions
/* Not a part: here come real_relu, real_softplus, ..., made from the formulas of support/elementwise.def, in its order. A part
 * of this file that has the name takes the place of the formula. So real_max and real_min have a comment, and real_elu does not
 * call expm1, which does not vectorise: it is less exact near 0. */

//@ real_elu
static ALWAYS_INLINE real real_elu(real x, real alpha) {
  return x > 0 ? x : alpha * (real_exp(x) - 1);
}

//@ real_leaky_relu
/* Which sign x has is hard to predict. With a slope of at most 1 the result is the larger of x and its multiple, without a branch. */
static ALWAYS_INLINE real real_leaky_relu(real x, real slope) {
  const real y = slope * x;
  if (slope > 0 && slope <= 1) return y > x ? y : x;
  return x > 0 ? x : y;
}

//@ dot
/* The inner product of two rows in sixteen partial sums, the same on machines with shorter vectors. */
static ALWAYS_INLINE real dot(int64_t n, const real *restrict a, const real *restrict b) {
  real part[16] = {0};
  const int64_t whole = n / 16 * 16;
  for (int64_t k = 0; k < whole; k += 16) {
    for (int l = 0; l < 16; l++) part[l] += a[k + l] * b[k + l];
  }
  for (int64_t l = 0; l < n % 16; l++) part[l] += a[whole + l] * b[whole + l];
  for (int l = 0; l < 8; l++) part[l] += part[l + 8];
  for (int l = 0; l < 4; l++) part[l] += part[l + 4];
  return (part[0] + part[2]) + (part[1] + part[3]);
}

//@ real_combined
/* The sum of two numbers ('+'), the larger ('>') or the smaller one ('<'). */
static ALWAYS_INLINE real real_combined(char how, real a, real b) {
  return how == '+' ? a + b : how == '>' ? real_max(a, b) : real_min(a, b);
}

//@ combine_pieces
/* The results of 64 pieces of `count` numbers each, combined in a binary tree; how: as real_combined. */
static ALWAYS_INLINE void combine_pieces(int64_t count, const real *x, real *y, const char how) {
  for (int64_t begin = 0; begin < count; begin += 16) {
    const int64_t width = count - begin < 16 ? count - begin : 16;
    real t[32][16];
    for (int64_t i = 0; i < 32; i++)
      for (int64_t k = 0; k < width; k++)
        t[i][k] = real_combined(how, x[2 * i * count + begin + k], x[(2 * i + 1) * count + begin + k]);
    for (int64_t n = 16; n; n /= 2)
      for (int64_t i = 0; i < n; i++)
        for (int64_t k = 0; k < width; k++) t[i][k] = real_combined(how, t[2 * i][k], t[2 * i + 1][k]);
    for (int64_t k = 0; k < width; k++) y[begin + k] = t[0][k];
  }
}

//@ whole_between
/* A whole number as the index of a row, but at least low and at most high; NaN is low. */
static inline int64_t whole_between(real x, int64_t low, int64_t high) {
  if (!(x > (real)low)) return low;
  return x < (real)high ? (int64_t)x : high;
}

//@ index_between
static inline int64_t index_between(int32_t x, int32_t low, int32_t high) {
  const int32_t least = x > low ? x : low;
  return least < high ? least : high;
}
