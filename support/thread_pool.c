/* A thread pool: see thread_pool.h. A thread begins with its own share of a round, which is likely
 * to be in its caches, and then takes others that are still there, so that a round does not wait
 * for threads that are not awake yet. Who waits for the next round, or for the last share of this
 * one, looks for it for a while before it sleeps: rounds follow one another, and waking up takes as
 * long as 10,000 edges. */
#include "support/thread_pool.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

enum { WORTH_THREADS = 1 << 15, LOOKS = 1 << 12 };

typedef struct worker {
  thread_pool *pool;
  int share; /* its own */
} worker;

struct thread_pool {
  int workers, started; /* the caller is not started */
  pthread_mutex_t lock;
  pthread_cond_t begin, done;
  bool is_open;                           /* a round that may still be joined */
  bool is_over;                           /* no round follows */
  int asleep;                             /* threads that wait for `begin` */
  atomic_uint round;                      /* written with the lock */
  atomic_int busy;                        /* threads in the round but for the caller; written with the lock */
  atomic_bool is_taken[THREAD_POOL_MOST]; /* shares */
  void (*work)(void *user, int share, int shares);
  void *user;
  pthread_t threads[THREAD_POOL_MOST];
  worker each[THREAD_POOL_MOST];
};

static inline void relax(void) {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}

static void take_shares(thread_pool *c, int first) {
  for (int i = 0; i < c->workers; i++) {
    int share = (first + i) % c->workers;
    if (!atomic_exchange_explicit(&c->is_taken[share], true, memory_order_relaxed)) c->work(c->user, share, c->workers);
  }
}

/* Returns with the lock, when there is a round after `seen`. */
static void await_round(thread_pool *c, unsigned seen) {
  for (int i = 0; i < LOOKS && atomic_load_explicit(&c->round, memory_order_relaxed) == seen; i++) relax();
  pthread_mutex_lock(&c->lock);
  c->asleep++;
  while (atomic_load_explicit(&c->round, memory_order_relaxed) == seen) pthread_cond_wait(&c->begin, &c->lock);
  c->asleep--;
}

static void *attend(void *argument) {
  worker *me = argument;
  thread_pool *c = me->pool;
  unsigned seen = 0; /* a thread is started before the first round */
  for (;;) {
    await_round(c, seen);
    seen = atomic_load_explicit(&c->round, memory_order_relaxed);
    bool is_over = c->is_over, joins = c->is_open && !is_over;
    if (joins) atomic_fetch_add_explicit(&c->busy, 1, memory_order_relaxed);
    pthread_mutex_unlock(&c->lock);
    if (is_over) return NULL;
    if (!joins) continue;
    take_shares(c, me->share);
    pthread_mutex_lock(&c->lock);
    if (atomic_fetch_sub_explicit(&c->busy, 1, memory_order_release) == 1) pthread_cond_signal(&c->done);
    pthread_mutex_unlock(&c->lock);
  }
}

thread_pool *thread_pool_create(int workers) {
  thread_pool *c = calloc(1, sizeof *c);
  if (!c) return NULL;
  c->workers = workers < 1 ? 1 : workers > THREAD_POOL_MOST ? THREAD_POOL_MOST : workers;
  bool has_lock = !pthread_mutex_init(&c->lock, NULL);
  bool has_begin = has_lock && !pthread_cond_init(&c->begin, NULL);
  if (has_begin && !pthread_cond_init(&c->done, NULL)) return c;
  if (has_begin) pthread_cond_destroy(&c->begin);
  if (has_lock) pthread_mutex_destroy(&c->lock);
  free(c);
  return NULL;
}

/* With the lock. */
static void announce(thread_pool *c) {
  atomic_fetch_add_explicit(&c->round, 1, memory_order_relaxed);
  if (c->asleep) pthread_cond_broadcast(&c->begin);
}

void thread_pool_destroy(thread_pool *c) {
  if (!c) return;
  pthread_mutex_lock(&c->lock);
  c->is_over = true;
  announce(c);
  pthread_mutex_unlock(&c->lock);
  for (int i = 0; i < c->started; i++) pthread_join(c->threads[i], NULL);
  pthread_cond_destroy(&c->begin);
  pthread_cond_destroy(&c->done);
  pthread_mutex_destroy(&c->lock);
  free(c);
}

int thread_pool_workers(const thread_pool *c) {
  return c ? c->workers : 1;
}

static void start(thread_pool *c) {
  while (c->started < c->workers - 1) {
    worker *w = &c->each[c->started];
    *w = (worker){c, c->started + 1};
    if (pthread_create(&c->threads[c->started], NULL, attend, w) != 0) break;
    c->started++;
  }
}

/* Nobody joins any more, and who did is done. */
static void close_round(thread_pool *c) {
  pthread_mutex_lock(&c->lock);
  c->is_open = false;
  pthread_mutex_unlock(&c->lock);
  for (int i = 0; i < LOOKS && atomic_load_explicit(&c->busy, memory_order_relaxed); i++) relax();
  pthread_mutex_lock(&c->lock);
  while (atomic_load_explicit(&c->busy, memory_order_acquire)) pthread_cond_wait(&c->done, &c->lock);
  pthread_mutex_unlock(&c->lock);
}

void thread_pool_run(thread_pool *c, int64_t cost, void (*work)(void *user, int share, int shares), void *user) {
  if (thread_pool_workers(c) == 1 || cost < WORTH_THREADS) {
    work(user, 0, 1);
    return;
  }
  if (!c->started) start(c);
  pthread_mutex_lock(&c->lock);
  c->work = work;
  c->user = user;
  for (int i = 0; i < c->workers; i++) atomic_store_explicit(&c->is_taken[i], false, memory_order_relaxed);
  c->is_open = true;
  announce(c);
  pthread_mutex_unlock(&c->lock);
  take_shares(c, 0);
  close_round(c);
}

void thread_pool_cut(int64_t count, int share, int shares, int64_t *begin, int64_t *end) {
  *begin = count / shares * share + (share < count % shares ? share : count % shares);
  *end = *begin + count / shares + (share < count % shares);
}
