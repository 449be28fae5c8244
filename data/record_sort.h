/* Stable sorts of large arrays of records by a whole-number key. The sorts stream through memory
 * and run on several threads. */
#ifndef GNNC_DATA_RECORD_SORT_H
#define GNNC_DATA_RECORD_SORT_H

#include "support/status.h"
#include "support/thread_pool.h"

#include <stddef.h>
#include <stdint.h>

typedef struct record_sort {
  thread_pool *pool;   /* NULL: only the calling thread */
  int64_t count;       /* of records, at most 2^32 - 1 */
  size_t record_bytes; /* 8, 12 or 24 */
  size_t key_offset;   /* of an int32_t key in 0 .. num_keys - 1, or of the lower half of such an int64_t */
  int64_t num_keys;    /* at most 2^31 */
} record_sort;

/* Sorts the records in ascending order of the key; equal ones keep their order. `spare` is scratch
 * memory for as many records. `starts`, if not NULL, receives num_keys + 1 numbers: the records of
 * key k are starts[k] .. starts[k + 1] - 1. Fails only when memory is out. */
status record_sort_run(const record_sort *s, void *records, void *spare, int64_t *starts);

#endif
