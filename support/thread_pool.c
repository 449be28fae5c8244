/* A pool of threads that claim the parts of one job at a time: see thread_pool.h.
 *
 * `claim` identifies the current job and its next part:
 *
 *   generation << 32 | part      open: the thread that replaces this word by the next number computes the part
 *   generation << 32 | CLOSED    the caller is writing the members of a new job
 *
 * A thread claims a part by compare-and-swap of the whole word. A thread that was suspended while
 * one job ended and the next one began therefore cannot claim a part with values of the old job.
 * The caller waits for claimed parts, never for threads. All atomics are sequentially consistent;
 * there are few operations per part. */
#include "support/thread_pool.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

enum { WORTH_THREADS = 1 << 15, LINE = 64 };
#define CLOSED UINT32_MAX

/* The number of times that a thread looks for work before it sleeps: about ten microseconds, which
 * is about the time to wake it. Jobs often follow one another within that time. */
enum { SPINS = 4000 };

typedef void part_body(void *data, int64_t part);

struct thread_pool {
  int workers;
  int num_threads; /* started threads; only the owner of `is_taken` reads and writes it */
  bool has_started;
  pthread_t *threads; /* [workers - 1] */

  atomic_bool is_taken;  /* true while a caller runs a job; only this caller uses the next two members */
  uint32_t alone;        /* consecutive jobs for which threads were woken and none came in time */
  uint32_t jobs_unwoken; /* number of further jobs that wake no thread */
  _Alignas(LINE) _Atomic uint64_t claim;
  _Atomic(part_body *) body;
  _Atomic(void *) data;
  _Atomic uint32_t parts;
  _Alignas(LINE) _Atomic uint32_t done; /* finished parts of the job */

  _Alignas(LINE) pthread_mutex_t mutex;
  pthread_cond_t work, finished;
  atomic_int numbered; /* threads that have a number */
  atomic_int sleepers;
  atomic_bool is_waited_for; /* the caller sleeps until all parts are finished */
  bool stops;
};

static inline void relax(void) {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}

static bool is_open(thread_pool *c) {
  uint32_t next = (uint32_t)atomic_load(&c->claim);
  return next != CLOSED && next < atomic_load(&c->parts);
}

static void finish_part(thread_pool *c, uint32_t parts) {
  if (atomic_fetch_add(&c->done, 1) + 1 < parts || !atomic_load(&c->is_waited_for)) return;
  pthread_mutex_lock(&c->mutex);
  pthread_cond_signal(&c->finished);
  pthread_mutex_unlock(&c->mutex);
}

/* Computes parts until none is left to claim; returns how many this thread computed. */
static uint32_t take_parts(thread_pool *c) {
  uint32_t taken = 0;
  uint64_t claim = atomic_load(&c->claim);
  for (;;) {
    uint32_t next = (uint32_t)claim, parts = atomic_load(&c->parts);
    part_body *body = atomic_load(&c->body);
    void *data = atomic_load(&c->data);
    if (next == CLOSED || next >= parts) return taken;
    if (!atomic_compare_exchange_weak(&c->claim, &claim, claim + 1)) continue; /* `claim` now has the current value */
    body(data, next);
    finish_part(c, parts);
    taken++;
    claim = atomic_load(&c->claim);
  }
}

/* ---- threads ---- */

/* Sleeps until a job is open; false when the pool ends. */
static bool sleep_until_work(thread_pool *c) {
  pthread_mutex_lock(&c->mutex);
  /* The thread counts itself before it looks again, so that a caller that opens a job after that
   * look sees a sleeper. */
  atomic_fetch_add(&c->sleepers, 1);
  while (!c->stops && !is_open(c)) pthread_cond_wait(&c->work, &c->mutex);
  atomic_fetch_sub(&c->sleepers, 1);
  bool goes_on = !c->stops;
  pthread_mutex_unlock(&c->mutex);
  return goes_on;
}

/* The number of this thread in its pool; the calling thread has 0. */
static _Thread_local int thread_number;

static void *attend(void *pool) {
  thread_pool *c = pool;
  thread_number = 1 + atomic_fetch_add(&c->numbered, 1);
  int idle = 0;
  for (;;) {
    if (take_parts(c)) idle = 0;
    if (++idle < SPINS)
      relax();
    else if (sleep_until_work(c))
      idle = 0;
    else
      return NULL;
  }
}

/* Blocks signals in the threads of the pool, except for those that a thread causes itself. A
 * handler then runs in a thread of the program, which may have blocked signals while it creates a
 * file or waits for a child. */
static void block_signals(sigset_t *before) {
  sigset_t blocked;
  sigfillset(&blocked);
  const int of_the_thread[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS, SIGPROF};
  for (size_t i = 0; i < sizeof of_the_thread / sizeof *of_the_thread; i++) sigdelset(&blocked, of_the_thread[i]);
  pthread_sigmask(SIG_BLOCK, &blocked, before);
}

static void start(thread_pool *c) {
  if (c->has_started) return;
  c->has_started = true;
  c->threads = calloc((size_t)c->workers, sizeof *c->threads);
  if (!c->threads) return; /* the caller works alone */
  sigset_t before;
  block_signals(&before);
  while (c->num_threads + 1 < c->workers && !pthread_create(&c->threads[c->num_threads], NULL, attend, c))
    c->num_threads++;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
}

/* ---- jobs ---- */

static void open_job(thread_pool *c, uint32_t parts, part_body *body, void *data) {
  uint64_t generation = ((atomic_load(&c->claim) >> 32) + 1) << 32;
  atomic_store(&c->claim, generation | CLOSED);
  atomic_store(&c->parts, parts);
  atomic_store(&c->body, body);
  atomic_store(&c->data, data);
  atomic_store(&c->done, 0);
  atomic_store(&c->claim, generation);
}

/* Wakes as many sleepers as there are parts beside the caller's. If no thread came in time for the
 * last jobs, because other programs keep the machine busy or because the jobs are short, it wakes
 * threads less and less often. Returns whether it woke threads. */
static bool wake(thread_pool *c, uint32_t parts) {
  int sleepers = atomic_load(&c->sleepers);
  if (!sleepers) return false;
  if (c->jobs_unwoken) {
    c->jobs_unwoken--;
    return false;
  }
  pthread_mutex_lock(&c->mutex);
  if ((uint32_t)sleepers < parts)
    pthread_cond_broadcast(&c->work);
  else
    for (uint32_t i = 1; i < parts; i++) pthread_cond_signal(&c->work);
  pthread_mutex_unlock(&c->mutex);
  return true;
}

static void await_claimed(thread_pool *c, uint32_t parts) {
  for (int i = 0; i < SPINS; i++) {
    if (atomic_load(&c->done) == parts) return;
    relax();
  }
  pthread_mutex_lock(&c->mutex);
  atomic_store(&c->is_waited_for, true);
  while (atomic_load(&c->done) < parts) pthread_cond_wait(&c->finished, &c->mutex);
  atomic_store(&c->is_waited_for, false);
  pthread_mutex_unlock(&c->mutex);
}

static void note_company(thread_pool *c, bool has_woken, bool had_company) {
  enum { MOST_DOUBLINGS = 4 };
  if (had_company) {
    c->alone = c->jobs_unwoken = 0;
    return;
  }
  if (!has_woken) return;
  if (c->alone < MOST_DOUBLINGS) c->alone++;
  c->jobs_unwoken = 1u << c->alone;
}

void thread_pool_for_parts(thread_pool *c, int64_t parts, part_body *body, void *data) {
  bool is_alone = !c || c->workers == 1 || parts < 2 || parts >= CLOSED || atomic_exchange(&c->is_taken, true);
  if (is_alone) {
    for (int64_t part = 0; part < parts; part++) body(data, part);
    return;
  }
  start(c);
  open_job(c, (uint32_t)parts, body, data);
  bool has_woken = wake(c, (uint32_t)parts);
  uint32_t taken = take_parts(c);
  await_claimed(c, (uint32_t)parts);
  note_company(c, has_woken, taken < parts);
  atomic_store(&c->is_taken, false);
}

/* ---- pools ---- */

thread_pool *thread_pool_create(int workers) {
  thread_pool *c = aligned_alloc(LINE, (sizeof *c + LINE - 1) / LINE * LINE);
  if (!c) return NULL;
  *c = (thread_pool){.workers = workers < 1                          ? 1
                                : workers > THREAD_POOL_MOST_WORKERS ? THREAD_POOL_MOST_WORKERS
                                                                     : workers};
  bool has_mutex = !pthread_mutex_init(&c->mutex, NULL);
  bool has_work = has_mutex && !pthread_cond_init(&c->work, NULL);
  if (has_work && !pthread_cond_init(&c->finished, NULL)) return c;
  if (has_work) pthread_cond_destroy(&c->work);
  if (has_mutex) pthread_mutex_destroy(&c->mutex);
  free(c);
  return NULL;
}

int thread_pool_start(thread_pool *c) {
  bool is_busy = atomic_exchange(&c->is_taken, true);
  if (is_busy) return c->workers; /* the job that is under way has started them */
  start(c);
  int workers = c->num_threads + 1;
  atomic_store(&c->is_taken, false);
  return workers;
}

void thread_pool_destroy(thread_pool *c) {
  if (!c) return;
  pthread_mutex_lock(&c->mutex);
  c->stops = true;
  pthread_cond_broadcast(&c->work);
  pthread_mutex_unlock(&c->mutex);
  for (int i = 0; i < c->num_threads; i++) pthread_join(c->threads[i], NULL);
  pthread_cond_destroy(&c->finished);
  pthread_cond_destroy(&c->work);
  pthread_mutex_destroy(&c->mutex);
  free(c->threads);
  free(c);
}

/* ---- shares ---- */

typedef struct shared_work {
  void (*work)(void *user, int share, int shares);
  void *user;
  int shares;
  atomic_bool is_taken[THREAD_POOL_MOST_SHARES];
} shared_work;

/* A claimed part stands for any share that nobody has taken. A thread tries the share of its own
 * number first, which it had in the job before and whose data are likely to be in its caches. */
static void run_share(void *data, int64_t part) {
  (void)part;
  shared_work *w = data;
  int share = thread_number % w->shares;
  while (atomic_exchange(&w->is_taken[share], true)) share = (share + 1) % w->shares;
  w->work(w->user, share, w->shares);
}

int thread_pool_shares(const thread_pool *c) {
  if (!c) return 1;
  return c->workers < THREAD_POOL_MOST_SHARES ? c->workers : THREAD_POOL_MOST_SHARES;
}

void thread_pool_run(thread_pool *c, int64_t cost, void (*work)(void *user, int share, int shares), void *user) {
  shared_work w = {.work = work, .user = user, .shares = cost < WORTH_THREADS ? 1 : thread_pool_shares(c)};
  thread_pool_for_parts(c, w.shares, run_share, &w);
}

void thread_pool_cut(int64_t count, int share, int shares, int64_t *begin, int64_t *end) {
  *begin = count / shares * share + (share < count % shares ? share : count % shares);
  *end = *begin + count / shares + (share < count % shares);
}
