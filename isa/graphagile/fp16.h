/* Conversion between fp32 and fp16 (IEEE 754 binary16), for rows with 2 bytes per number. */
#ifndef GNNC_ISA_GRAPHAGILE_FP16_H
#define GNNC_ISA_GRAPHAGILE_FP16_H

#include "support/number.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Rounds to the nearest number, ties to even. From 65520 on numbers become infinite, and all NaNs
 * become the same quiet NaN. */
static inline uint16_t graphagile_fp16_store(float number) {
  const uint32_t infinity = 255U << 23, too_large = 143U << 23, smallest_normal = 113U << 23;
  const uint32_t half = 126U << 23; /* 0.5, whose last bit has the weight 2^-24 of the last bit of subnormal numbers */
  uint32_t bits = number_bits(number), sign = bits >> 16 & 0x8000;
  bits &= 0x7fffffff;
  if (bits > infinity) return 0x7e00;
  if (bits >= too_large) return (uint16_t)(sign | 0x7c00);
  if (bits < smallest_normal) {
    float sum = number_of_bits(bits) + number_of_bits(half);
    return (uint16_t)(sign | (number_bits(sum) - half));
  }
  uint32_t is_odd = bits >> 13 & 1;
  return (uint16_t)(sign | (bits - (112U << 23) + 0xfff + is_odd) >> 13);
}

/* Exact. */
static inline float graphagile_fp16_load(uint16_t stored) {
  const uint32_t exponents = 31U << 23, smallest_normal = 113U << 23;
  uint32_t bits = (stored & 0x7fffU) << 13, exponent = bits & exponents, sign = (stored & 0x8000U) << 16;
  bits += 112U << 23;
  if (exponent == exponents) bits += 112U << 23; /* infinity or NaN */
  if (!exponent) bits = number_bits(number_of_bits(bits + (1U << 23)) - number_of_bits(smallest_normal));
  return number_of_bits(bits | sign);
}

/* Converts n numbers in memory. */
static inline void graphagile_fp16_store_all(void *to, const float *from, size_t n) {
  uint16_t *out = to;
  for (size_t i = 0; i < n; i++) out[i] = graphagile_fp16_store(from[i]);
}

static inline void graphagile_fp16_load_all(float *to, const void *from, size_t n) {
  const uint16_t *in = from;
  for (size_t i = 0; i < n; i++) to[i] = graphagile_fp16_load(in[i]);
}

#endif
