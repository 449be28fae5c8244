/* Counting sort of the edges by one end: count, prefix sum, fill in edge order, so that entries of
 * a row keep it. */
#include "data/csr.h"

#include <inttypes.h>

status csr_build(arena *a, int64_t rows, int64_t entries, const int32_t *row, const int32_t *column, csr *out) {
  if (entries > INT32_MAX)
    return status_error(STATUS_CODE_unsupported, "%" PRId64 " edges, at most %d are supported", entries, INT32_MAX);
  *out = (csr){.rows = rows, .entries = entries};
  out->indptr = arena_try_alloc_array(a, (size_t)rows + 2, sizeof *out->indptr);
  out->indices = arena_try_alloc_array(a, (size_t)entries, sizeof *out->indices);
  out->edge_id = arena_try_alloc_array(a, (size_t)entries, sizeof *out->edge_id);
  if (!out->indptr || !out->indices || !out->edge_id)
    return status_error(STATUS_CODE_memory, "the rows of %" PRId64 " edges do not fit into memory", entries);
  int64_t *next = out->indptr + 1; /* next[r] ends up as the end of row r, which is indptr[r + 1] */
  for (int64_t e = 0; e < entries; e++) next[row[e] + 1]++;
  for (int64_t r = 0; r < rows; r++) next[r + 1] += next[r];
  for (int64_t e = 0; e < entries; e++) {
    int64_t slot = next[row[e]]++;
    out->indices[slot] = column[e];
    out->edge_id[slot] = (int32_t)e;
  }
  return STATUS_OK;
}
