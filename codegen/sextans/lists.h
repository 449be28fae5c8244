/* Lists of non-zeros for Sextans: a sparse matrix is cut, assigned to the PEs, scheduled and packed
 * as the device reads it.
 *
 *   matrix -> sorted entries -> virtual rows -> PEs -> slots -> elements in channels
 *             sort.c           cut.c           assign.c schedule.c pack.c
 *
 * Two non-zeros of a row must be D slots apart (Sextans, Section 3.3), so a long row bounds the
 * length of a list, and the longest of the 64 lists of a window counts for all of them. The
 * published host program gives row r to PE r mod 64 and schedules greedily. SEXTANS_RULE_best cuts
 * a row with many non-zeros in one window into virtual rows, which the host adds up at the end,
 * gives virtual rows to PEs with all windows in view, and schedules each list optimally. No file of
 * these needs LLVM. */
#ifndef GNNC_CODEGEN_SEXTANS_LISTS_H
#define GNNC_CODEGEN_SEXTANS_LISTS_H

#include "isa/sextans/format.h"
#include "support/arena.h"
#include "support/status.h"
#include "support/thread_pool.h"

/* A sparse matrix as entries in any order; an entry may occur several times. */
typedef struct sextans_matrix {
  int64_t rows, cols, count;
  const int32_t *row, *col;
  const float *value; /* NULL: values are unknown, the host writes them before a launch */
} sextans_matrix;

typedef enum sextans_rule { SEXTANS_RULE_best, SEXTANS_RULE_published } sextans_rule;

/* The parts of SEXTANS_RULE_best. Without all of them it is the published rule. */
typedef enum sextans_part {
  SEXTANS_PART_cut = 1,      /* long rows are cut */
  SEXTANS_PART_assign = 2,   /* rows go to PEs with all windows in view; without: row r to PE r mod 64 */
  SEXTANS_PART_schedule = 4, /* shortest lists */
  SEXTANS_PART_columns = 8,  /* columns without non-zeros are left out */
  SEXTANS_PART_all = 15
} sextans_part;

typedef struct sextans_lists_options {
  sextans_rule rule;
  uint32_t without; /* sextans_part: parts of the best rule that are not used */
  int64_t n;        /* columns of B: choices are made for this number */
  bool keeps_rows;  /* rows without non-zeros are rows of C, too; the published rule always keeps them */
  bool keeps_zeros; /* entries of value +0.0 are kept */
  thread_pool *pool;
} sextans_lists_options;

/* The lists of one launch: all rows of the matrix, or a block of them. */
typedef struct sextans_lists {
  int64_t rows, cols; /* m and k of the launch */
  int64_t windows, slots;
  int64_t count;         /* non-zeros */
  const int32_t *q;      /* [windows + 1] */
  const int32_t *row_of; /* [rows] the matrix's row of each row of C; -1: none. Several rows of C with the same row are
                             * its pieces, whose sum is the result; the first one takes C_in */
  const int32_t *column_of; /* [cols] the matrix's column of each row of B; NULL: the same numbers */
  uint64_t *a;              /* SEXTANS_A_CHANNELS channels of slots * SEXTANS_LANES elements */
  const int32_t *entry_of;  /* [count] the matrix's entry of each non-zero in the order of `a`; NULL where values are
                             * known */
  int64_t ideal;            /* least possible number of slots: the sum over windows of ceil(non-zeros / 64) */
  int64_t extra_rows;       /* pieces of rows beyond the first */
  int64_t piece;            /* most non-zeros of a row in a window, where rows were cut; 0: they were not */
  uint64_t cycles;          /* of a launch with n columns, at level 1 */
} sextans_lists;

/* Makes the lists of a matrix. There are several blocks of rows where the matrix has more rows than
 * the PEs hold (64 * depth); all blocks have the same rows of B. Results are in the arena, and do
 * not depend on the number of threads. Fails for indices outside of the matrix, and where memory is
 * out. */
status sextans_lists_build(arena *a, const sextans_device *d, const sextans_matrix *m, const sextans_lists_options *o,
                           sextans_lists **out, int64_t *num_blocks);

/* The same for a matrix whose entries are all non-zeros with unknown values; entry r cols + c is that
 * of row r and column c. For matrices that suits_dense accepts, where no other lists are shorter. */
status sextans_lists_build_dense(arena *a, const sextans_device *d, int64_t rows, int64_t cols,
                                 const sextans_lists_options *o, sextans_lists **out, int64_t *num_blocks);
/* Whether each PE has as many rows, in each block, as non-zeros of a row must be slots apart. */
bool sextans_lists_suits_dense(const sextans_device *d, int64_t rows);

#endif
