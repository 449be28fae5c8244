/* A pool of threads. A job consists of parts, which the calling thread and the threads of the pool
 * claim from a counter. Nobody waits for a thread that has not begun a part, so a thread that
 * another program keeps from running costs no time.
 *
 * Starting a thread takes about as long as computing 50,000 edges. A pool therefore starts its
 * threads once, on its first job with several parts. */
#ifndef GNNC_SUPPORT_THREAD_POOL_H
#define GNNC_SUPPORT_THREAD_POOL_H

#include <stdint.h>

typedef struct thread_pool thread_pool;

enum { THREAD_POOL_MOST_WORKERS = 1024, THREAD_POOL_MOST_SHARES = 64 };

/* Returns a pool of `workers` threads, the calling thread included, owned by the caller; a number
 * outside of 1 .. THREAD_POOL_MOST_WORKERS is replaced by the nearest one inside. No thread starts
 * yet. Returns NULL when memory is out. */
thread_pool *thread_pool_create(int workers);
/* Ends the threads and frees the pool, which may be NULL. No job may be under way. */
void thread_pool_destroy(thread_pool *c);

/* Starts the threads now, before the first job. Returns the number of workers, the calling thread
 * included: fewer than requested if the system refuses to start more threads. While a job is under
 * way it returns the requested number. */
int thread_pool_start(thread_pool *c);

/* Calls body(data, part) once for each part 0 .. parts - 1, in any order and on any threads, and
 * returns when all calls have returned. Several threads may call this at once, also from within a
 * body: the first call gets the threads of the pool, the others compute their parts alone. */
void thread_pool_for_parts(thread_pool *c, int64_t parts, void (*body)(void *data, int64_t part), void *data);

/* ---- work on arrays, divided into as many shares as there are workers ---- */

/* Returns the number of workers, at most THREAD_POOL_MOST_SHARES; 1 if c is NULL. */
int thread_pool_shares(const thread_pool *c);

/* Calls work(user, share, shares) once for each share 0 .. shares - 1 and returns when all calls
 * have returned. `shares` is thread_pool_shares(c), or 1 when `cost` is too small for threads;
 * `cost` counts edges, or items that take about as long. */
void thread_pool_run(thread_pool *c, int64_t cost, void (*work)(void *user, int share, int shares), void *user);

/* Computes the items [*begin, *end) of 0 .. count - 1 that belong to a share. */
void thread_pool_cut(int64_t count, int share, int shares, int64_t *begin, int64_t *end);

#endif
