/* The check of S: S_pos rises from 0 to nnz, and S_col names rows of H. Many layers may have the
 * same S with other sizes of H, so each list is looked at once: its largest column decides for all
 * layers. */
#ifndef GNNC_ISA_FUSEDGCN_CSR_CHECK_H
#define GNNC_ISA_FUSEDGCN_CSR_CHECK_H

#include "isa/fusedgcn/view.h"
#include "support/map.h"
#include "support/vec.h"

typedef struct fusedgcn_known_csr {
  uint64_t s_pos, s_col, n, nnz; /* what it was found from */
  int64_t most, at;              /* the largest column, and its non-zero; -1: there is none */
  int64_t next;                  /* the next one with the same key, + 1; 0: none */
} fusedgcn_known_csr;

/* `im` and `memory` are given; the rest begins at zero, with `memory` as the map's arena. */
typedef struct fusedgcn_csr_checker {
  const image *im;
  arena *memory;
  VEC(fusedgcn_known_csr) known;
  map csr_of;    /* from a key to the number of its last list, + 1 */
  uint64_t seen; /* numbers that were looked at */
} fusedgcn_csr_checker;

/* Checks places and numbers of S_pos and S_col of a record. */
status fusedgcn_csr_check(fusedgcn_csr_checker *c, const fusedgcn_layer *in);

#endif
