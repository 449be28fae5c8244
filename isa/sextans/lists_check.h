/* The check of Q and of the elements of A. Several launches may have the same lists with other
 * sizes of C, so each array of A is looked at once: the element of the largest row and the one of
 * the largest column decide for all launches. */
#ifndef GNNC_ISA_SEXTANS_LISTS_CHECK_H
#define GNNC_ISA_SEXTANS_LISTS_CHECK_H

#include "isa/sextans/view.h"
#include "support/map.h"
#include "support/vec.h"

/* A number of an element, and where that is. */
typedef struct sextans_extreme {
  bool is_found;
  uint64_t value;
  int64_t window, slot;
  int pe;
} sextans_extreme;

typedef struct sextans_known_lists {
  uint64_t q, a, a_stride, windows, slots; /* what they were found from */
  sextans_extreme row;                     /* the largest row of C */
  sextans_extreme column;                  /* the largest column of the last window */
  int64_t next;                            /* the next lists with the same `a`, + 1; 0: none */
} sextans_known_lists;

/* `im` and `memory` are given; the rest begins at zero, with `memory` as the map's arena. */
typedef struct sextans_lists_checker {
  const image *im;
  arena *memory;
  VEC(sextans_known_lists) known;
  map lists_of;  /* from `a` + 1 to the number of its last lists, + 1 */
  uint64_t seen; /* elements and numbers of Q that were looked at */
} sextans_lists_checker;

/* Checks Q, the place of A, and its elements where the file has them, for a record whose sizes are
 * within their limits. */
status sextans_lists_check(sextans_lists_checker *c, const sextans_spmm *in);

#endif
