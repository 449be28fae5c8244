/* Edges grouped by one of their ends, in time linear in nodes and edges. */
#ifndef GNNC_DATA_CSR_H
#define GNNC_DATA_CSR_H

#include "support/arena.h"
#include "support/status.h"

#include <stdint.h>

/* Entries of row r are indptr[r] .. indptr[r + 1] - 1, in rising order of edge_id. */
typedef struct csr {
  int64_t rows, entries;
  int64_t *indptr;  /* [rows + 1] */
  int32_t *indices; /* [entries] the other end */
  int32_t *edge_id; /* [entries] position in the edge list */
} csr;

/* Groups by `row` (each in 0 .. rows - 1, unchecked). Incoming edges: row = dst, column = src.
 * Fails when memory is out or there are more than INT32_MAX edges. */
status csr_build(arena *a, int64_t rows, int64_t entries, const int32_t *row, const int32_t *column, csr *out);

#endif
