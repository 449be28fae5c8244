/* Matrices of a program as numbers: edge lists as entries, and the weights of products. */
#ifndef GNNC_CODEGEN_DEVICE_MATRIX_H
#define GNNC_CODEGEN_DEVICE_MATRIX_H

#include "codegen/device/host/host.h"
#include "support/arena.h"

/* A sparse matrix as entries in any order: row is the destination of an edge, col its source. An
 * entry may occur several times. */
typedef struct matrix_entries {
  int64_t rows, cols, count;
  const int32_t *row, *col; /* [count] */
  const float *value;       /* [count]; NULL: unknown */
} matrix_entries;

/* Reads the entries of an edge list in its order; the self loops of the list follow its other edges.
 * Values are read where has_values is set, and are 1 where the list has no weights. Arrays are in the
 * arena. */
status matrix_read_entries(arena *a, program_host *host, const program_edge_list *l, bool has_values,
                           matrix_entries *out);

/* A sparse matrix in CSR form; the columns of a row ascend. */
typedef struct matrix_csr {
  int64_t rows, cols, count;
  const int32_t *pos, *col; /* [rows + 1], [count] */
  const float *value;       /* [count]; NULL: unknown */
  const int32_t *entry_of;  /* [count] the entry of each non-zero */
} matrix_csr;

/* Sorts entries by row and column, stable. Arrays are in the arena. */
status matrix_sort(arena *a, const matrix_entries *m, matrix_csr *out);
status matrix_identity(arena *a, int64_t rows, matrix_csr *out);

/* Reads the weights of a product of rows with `k` columns and a result with `n`: [types][k][n], where
 * a constant that is not per type is repeated, and so is a single number. `is_transposed`: the
 * constant is stored [n, k]. *out is in the arena; NULL where there are neither types nor rows. */
status matrix_read_weights(arena *a, program_host *host, MlirValue w, bool is_transposed, int64_t types, int64_t k,
                           int64_t n, const float **out);

/* Reads the numbers of rows that are a device.constant, *out = [rows, width]; NULL without has_data.
 * *is_found is false where the rows are none, or are not simply its numbers in the order of the
 * device. */
status matrix_read_rows(program_host *host, MlirValue rows, bool has_data, const float **out, bool *is_found);

/* The same as weights for a bias: [types][n]. */
status matrix_read_bias(arena *a, program_host *host, MlirValue bias, int64_t types, int64_t n, const float **out);

#endif
