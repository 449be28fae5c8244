/* Numbers of bf16, the upper half of a float: 8 bits of precision, the range of float. They are storage; arithmetic
 * is that of `real`. See real.h for how parts are used. */
#include "codegen/c/prelude/block.h"

#include <stdint.h>
#include <string.h>

//@ bf16
typedef uint16_t bf16;

//@ bf16_widen
static inline real bf16_widen(bf16 x) {
  const uint32_t bits = (uint32_t)x << 16;
  float y;
  memcpy(&y, &bits, sizeof y);
  return y;
}

//@ bf16_round
/* The nearest number of bf16; of two, that with an even last bit. A NaN stays one: rounding could carry into its exponent. */
static inline bf16 bf16_round(real x) {
  const float y = (float)x;
  uint32_t bits;
  memcpy(&bits, &y, sizeof bits);
  const uint32_t rounded = bits + 0x7FFF + (bits >> 16 & 1);
  return (bf16)((y != y ? bits | 0x400000 : rounded) >> 16);
}

//@ bf16_row
/* Widens `count` numbers to `to`, which it returns. */
static inline const real *bf16_row(int64_t count, const bf16 *restrict x, real *restrict to) {
  FEATURE_LOOP
  for (int64_t k = 0; k < count; k++) to[k] = bf16_widen(x[k]);
  return to;
}
