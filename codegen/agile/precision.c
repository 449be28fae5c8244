#include "codegen/agile/precision.h"

#include <math.h>

int agile_precision_of(const agile_program *p, const char *set, int64_t row, int64_t count, int64_t f) {
  (void)p;
  (void)set;
  (void)row;
  (void)count;
  (void)f;
  return AGILE_PRECISION_float_32;
}

agile_steps agile_precision_steps(const agile_program *p, const agile_list *l, const agile_constant *w, int64_t f,
                                  int64_t lo, int64_t hi) {
  agile_steps s = {0};
  (void)w;
  for (int64_t r = lo; r < hi; r++)
    s.mask |= UINT64_C(1) << agile_precision_of(p, l->set, r, agile_list_count(l, r), f);
  return s;
}
