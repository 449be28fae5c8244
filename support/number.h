/* Arithmetic on sizes and counts that C has no operators for, and a sort of numbers. */
#ifndef GNNC_SUPPORT_NUMBER_H
#define GNNC_SUPPORT_NUMBER_H

#include <stddef.h>
#include <stdint.h>

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

/* Sorts numbers in ascending order; none of them is a NaN. */
void number_sort(double *numbers, size_t count);

#endif
