/* Threads that stand ready: work on arrays is cut into as many shares as there are workers.
 * Starting a thread costs what 50,000 edges cost; a thread pool is started once, on the first work
 * that is worth it. */
#ifndef GNNC_SUPPORT_THREAD_POOL_H
#define GNNC_SUPPORT_THREAD_POOL_H

#include <stdint.h>

typedef struct thread_pool thread_pool;

enum { THREAD_POOL_MOST = 64 };

/* A thread pool of `workers` (1 .. THREAD_POOL_MOST, else clamped), the caller counted. No thread
 * starts yet. NULL when memory is out. */
thread_pool *thread_pool_create(int workers);
void thread_pool_destroy(thread_pool *c); /* NULL is allowed */

/* How many workers there are; 1 without a thread pool. */
int thread_pool_workers(const thread_pool *c);

/* Calls work(user, share, shares) once for each share 0 .. shares - 1 and returns when all are
 * done. `shares` is the number of workers, or 1 where `cost`, in edges or what takes as long, is
 * too little for threads. The caller takes shares, too; all of them where threads cannot be started
 * or come late. One round at a time. */
void thread_pool_run(thread_pool *c, int64_t cost, void (*work)(void *user, int share, int shares), void *user);

/* The part [*begin, *end) of 0 .. count - 1 that a share gets. */
void thread_pool_cut(int64_t count, int share, int shares, int64_t *begin, int64_t *end);

#endif
