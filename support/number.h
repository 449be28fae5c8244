/* Whole numbers: the smaller or larger of two, quotients and multiples rounded up. */
#ifndef GNNC_SUPPORT_NUMBER_H
#define GNNC_SUPPORT_NUMBER_H

#include <stdint.h>

static inline int64_t number_min(int64_t a, int64_t b) {
  return a < b ? a : b;
}

static inline int64_t number_max(int64_t a, int64_t b) {
  return a > b ? a : b;
}

/* a / b rounded up, for a >= 0 and b > 0. */
static inline int64_t number_ceil_div(int64_t a, int64_t b) {
  return (a + b - 1) / b;
}

/* The smallest multiple of b that is not below a, for a >= 0 and b > 0. */
static inline int64_t number_round_up(int64_t a, int64_t b) {
  return number_ceil_div(a, b) * b;
}

#endif
