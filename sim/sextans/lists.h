/* The lists of A of a launch, decoded once for all passes. */
#ifndef GNNC_SIM_SEXTANS_LISTS_H
#define GNNC_SIM_SEXTANS_LISTS_H

#include "isa/sextans/view.h"

/* A non-zero as a PE executes it. */
typedef struct sextans_item {
  uint32_t sum;    /* place among the sums of all PEs: pe * rows of a PE + its row */
  uint32_t column; /* in its window */
  float value;
} sextans_item;

typedef struct sextans_decoded {
  bool is_known;  /* the elements were there, and count and of_pe are theirs */
  uint64_t count; /* non-zeros */
  uint64_t of_pe[SEXTANS_PES];
  uint64_t *first;     /* [windows + 1] the items of each window; NULL: items were not wanted */
  sextans_item *items; /* [count] by window, PE, slot */
} sextans_decoded;

/* Checks that every non-zero has a row of C and a column of its window, and that non-zeros of a row
 * are at least `distance` slots apart within a window; the error names window, slot, PE and row.
 * Elements are checked here, too, because the host may have written them after the check of the
 * image. Without data in `v`, every slot counts as a non-zero. wants_items: they are decoded. The
 * caller frees *out, also after an error. */
status sextans_lists_decode(const sextans_view *v, const sextans_spmm *in, const sextans_device *d, bool wants_items,
                            sextans_decoded *out);
void sextans_lists_free(sextans_decoded *lists);

/* Rows of C that the PE with most rows has. */
static inline uint64_t sextans_rows_of_pe(uint64_t m) {
  return (m + SEXTANS_PES - 1) / SEXTANS_PES;
}

#endif
