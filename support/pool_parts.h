/* Parts of work that threads of a pool claim one by one, so that a part that takes long holds up no
 * other. */
#ifndef GNNC_SUPPORT_POOL_PARTS_H
#define GNNC_SUPPORT_POOL_PARTS_H

#include "support/thread_pool.h"

#include <stdint.h>

/* Calls body(user, part) once for each part 0 .. parts - 1 and returns when all are done; `cost` as
 * thread_pool_run has it. */
void pool_parts_run(thread_pool *pool, int64_t cost, int64_t parts, void (*body)(void *user, int64_t part), void *user);

/* How many parts `count` items are cut into, and where a part begins (and the one before it ends);
 * both follow from the count alone. */
int64_t pool_parts_count(int64_t count);
int64_t pool_parts_begin(int64_t count, int64_t part);

#endif
