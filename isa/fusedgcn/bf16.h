/* bfloat16 numbers as FusedGCN computes with them: the upper 16 bits of an fp32 number.
 *
 * The device keeps them in fp32. A sum or product of two such numbers in fp32, rounded once more to
 * 8 bits, is the exactly rounded one, because 24 >= 2 * 8 + 2. Denormal numbers and -0 are +0, for
 * the device and in conversions; NaN is 0x7fc0. */
#ifndef GNNC_ISA_FUSEDGCN_BF16_H
#define GNNC_ISA_FUSEDGCN_BF16_H

#include "isa/fusedgcn/device.h"
#include "support/number.h"

#include <stdint.h>
#include <string.h>

enum { BF16_NAN = 0x7fc0, BF16_ONE = 0x3f80 };

#define BF16_EXPONENT UINT32_C(0x7f800000) /* of the fp32 number */

/* A number of the device's memory. */
static inline float bf16_load(uint16_t bits) {
  uint32_t word = (uint32_t)bits << 16;
  return number_of_bits(word & BF16_EXPONENT ? word : 0);
}

/* Rounds to the nearest number of 8 bits, to even in the middle. A NaN whose lower 16 bits are 0
 * stays what it is; all NaNs that arithmetic with loaded numbers makes are of that kind. */
static inline float bf16_round(float x) {
  uint32_t word = number_bits(x);
  word = (word + 0x7fff + (word >> 16 & 1)) & 0xffff0000;
  return number_of_bits(word & BF16_EXPONENT ? word : 0);
}

/* The bits of a number that was loaded or rounded. */
static inline uint16_t bf16_store(float x) {
  return x == x ? (uint16_t)(number_bits(x) >> 16) : BF16_NAN;
}

/* Converts any fp32 number: to the nearest, or without the lower 16 bits. */
static inline uint16_t bf16_nearest(float x) {
  return x == x ? bf16_store(bf16_round(x)) : BF16_NAN;
}

static inline uint16_t bf16_truncate(float x) {
  return x == x ? bf16_store(bf16_load((uint16_t)(number_bits(x) >> 16))) : BF16_NAN;
}

static inline uint16_t bf16_convert(fusedgcn_conversion conversion, float x) {
  return conversion == FUSEDGCN_CONVERSION_truncate ? bf16_truncate(x) : bf16_nearest(x);
}

#endif
