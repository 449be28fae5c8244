/* Threads that stand ready. A job is cut into parts; the calling thread and the threads of the pool
 * claim the parts from a counter, and nobody waits for a thread that has not begun a part. So a
 * thread that another program keeps from running costs nothing.
 *
 * Starting a thread costs what 50,000 edges cost; a pool starts its threads once, on the first job
 * that is worth it. */
#ifndef GNNC_SUPPORT_THREAD_POOL_H
#define GNNC_SUPPORT_THREAD_POOL_H

#include <stdint.h>

typedef struct thread_pool thread_pool;

enum { THREAD_POOL_MOST_WORKERS = 1024, THREAD_POOL_MOST_SHARES = 64 };

/* A pool of `workers` (1 .. THREAD_POOL_MOST_WORKERS, else the nearest of these), the calling thread
 * counted. No thread starts yet. NULL when memory is out. */
thread_pool *thread_pool_create(int workers);
/* Ends the threads. No job may be under way. NULL is allowed. */
void thread_pool_destroy(thread_pool *c);

/* Starts the threads now rather than on the first job; returns how many workers there are, the
 * calling thread counted: fewer than asked for where the system gives no more threads. */
int thread_pool_start(thread_pool *c);

/* Calls body(data, part) once for each part 0 .. parts - 1, in any order and from any threads, and
 * returns when all calls have returned. Several threads may call this at once, also from within a
 * body: the first has the threads of the pool, the others work alone meanwhile. */
void thread_pool_for_parts(thread_pool *c, int64_t parts, void (*body)(void *data, int64_t part), void *data);

/* ---- work on arrays, cut into as many shares as there are workers ---- */

/* As many shares as workers, at most THREAD_POOL_MOST_SHARES; 1 without a pool. */
int thread_pool_shares(const thread_pool *c);

/* Calls work(user, share, shares) once for each share 0 .. shares - 1 and returns when all are
 * done. `shares` is thread_pool_shares, or 1 where `cost`, in edges or what takes as long, is too
 * little for threads. */
void thread_pool_run(thread_pool *c, int64_t cost, void (*work)(void *user, int share, int shares), void *user);

/* The part [*begin, *end) of 0 .. count - 1 that a share gets. */
void thread_pool_cut(int64_t count, int share, int shares, int64_t *begin, int64_t *end);

#endif
