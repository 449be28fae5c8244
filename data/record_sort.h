/* Stable sorts of large arrays of records by a whole number in them, in streams through memory, by
 * any number of threads. */
#ifndef GNNC_DATA_RECORD_SORT_H
#define GNNC_DATA_RECORD_SORT_H

#include "support/status.h"
#include "support/thread_pool.h"

#include <stddef.h>
#include <stdint.h>

typedef struct record_sort {
  thread_pool *pool;   /* NULL: the calling thread alone */
  int64_t count;       /* of records, at most 2^32 - 1 */
  size_t record_bytes; /* 8, 12 or 24 */
  size_t key_offset; /* of an int32_t in 0 .. num_keys - 1, or of the lower half of an int64_t that is such a number */
  int64_t num_keys;  /* at most 2^31 */
} record_sort;

/* Sorts records in rising order of the key, equal ones in their order; `spare` is room for as many.
 * `starts`, where it is not NULL, is room for num_keys + 1 numbers: records of key k become
 * starts[k] .. starts[k + 1] - 1. Fails only when memory is out. */
status record_sort_run(const record_sort *s, void *records, void *spare, int64_t *starts);

#endif
