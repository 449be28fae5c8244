/* Arithmetic on sizes and counts that C has no operator for, and sorting of numbers. */
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

/* a / b rounded up, for a >= 0 and b > 0. */
static inline int64_t number_ceil_div(int64_t a, int64_t b) {
  return a / b + (a % b != 0);
}

/* The least multiple of b that is not less than a, for a >= 0 and b > 0. */
static inline int64_t number_round_up(int64_t a, int64_t b) {
  return number_ceil_div(a, b) * b;
}

/* Sorts in rising order. */
void number_sort(double *numbers, size_t count);

#endif
