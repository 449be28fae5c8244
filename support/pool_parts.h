/* Work in parts that the threads of a pool claim one by one, so that a slow part delays no other
 * part. */
#ifndef GNNC_SUPPORT_POOL_PARTS_H
#define GNNC_SUPPORT_POOL_PARTS_H

#include "support/thread_pool.h"

#include <stdint.h>

/* Calls body(user, part) once for each part 0 .. parts - 1 and returns when all calls have
 * returned. `cost` has the meaning of thread_pool_run. */
void pool_parts_run(thread_pool *pool, int64_t cost, int64_t parts, void (*body)(void *user, int64_t part), void *user);

/* The number of parts for `count` items (1 to 64), and the first item of a part; part
 * pool_parts_count(count) begins at `count`. Both depend on the count alone. */
int64_t pool_parts_count(int64_t count);
int64_t pool_parts_begin(int64_t count, int64_t part);

#endif
