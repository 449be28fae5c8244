/* The sort of numbers; see number.h. */
#include "support/number.h"

#include <stdlib.h>

static int compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

void number_sort(double *numbers, size_t count) {
  qsort(numbers, count, sizeof *numbers, compare);
}
