/* The record of a launch, without its addresses. */
#ifndef GNNC_CODEGEN_SEXTANS_RECORD_H
#define GNNC_CODEGEN_SEXTANS_RECORD_H

#include "codegen/sextans/lists.h"
#include "isa/sextans/sextans.h"
#include "support/number.h"

/* A launch of lists on n columns; B and C have `all` columns, of which the launch takes n. */
static inline sextans_spmm sextans_record(const sextans_lists *l, int64_t n, int64_t all, float alpha, float beta) {
  return (sextans_spmm){.n = (uint64_t)n,
                        .m = (uint64_t)l->rows,
                        .k = (uint64_t)l->cols,
                        .windows = (uint64_t)l->windows,
                        .slots = (uint64_t)l->slots,
                        .alpha = number_bits(alpha),
                        .beta = number_bits(beta),
                        .a_stride = (uint64_t)sextans_a_bytes(l->slots),
                        .b_stride = (uint64_t)sextans_b_bytes(l->cols, all),
                        .c_stride = (uint64_t)sextans_c_bytes(l->rows, all)};
}

#endif
