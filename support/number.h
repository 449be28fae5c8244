/* Arithmetic on sizes and counts that C has no operators for, the bits of an fp32 number, and a sort of numbers. */
#ifndef GNNC_SUPPORT_NUMBER_H
#define GNNC_SUPPORT_NUMBER_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline int64_t number_min(int64_t a, int64_t b) {
  return a < b ? a : b;
}

static inline int64_t number_max(int64_t a, int64_t b) {
  return a > b ? a : b;
}

/* Returns a / b rounded up, for a >= 0 and b > 0. */
static inline int64_t number_ceil_div(int64_t a, int64_t b) {
  return a / b + (a % b != 0);
}

/* Returns the smallest multiple of b that is at least a, for a >= 0 and b > 0. */
static inline int64_t number_round_up(int64_t a, int64_t b) {
  return number_ceil_div(a, b) * b;
}

/* The bits of an fp32 number, and the number with these bits. */
static inline uint32_t number_bits(float number) {
  uint32_t bits;
  memcpy(&bits, &number, sizeof bits);
  return bits;
}

static inline float number_of_bits(uint32_t bits) {
  float number;
  memcpy(&number, &bits, sizeof number);
  return number;
}

/* Sorts numbers in ascending order; none of them is a NaN. */
void number_sort(double *numbers, size_t count);

#endif
