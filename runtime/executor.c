/* The pool of POSIX threads: see gnnc/executor.h.
 *
 * There is one job at a time. `claim` says which, and which part is next:
 *
 *   generation << 32 | part      open: whoever replaces it by the next number computes the part
 *   generation << 32 | CLOSED    the members of a new job are being written
 *
 * A part is claimed by compare-and-swap of the whole word, so a thread that was away while the job ended and the next one
 * began cannot claim by what it read of the old one. The caller waits for parts that others have claimed, never for
 * threads: who has claimed nothing holds nobody up. All atomics are sequentially consistent; there are few per part. */
#include "runtime/gnnc/executor.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

enum { MOST_THREADS = 1024, LINE = 64 };
#define CLOSED UINT32_MAX

/* How often a thread looks for work before it sleeps: some ten microseconds, about what waking it costs. */
enum { SPINS = 4000 };

typedef void part_body(void *data, int64_t part);

struct gnnc_pool {
  gnnc_executor executor;
  pthread_t *threads;
  int32_t num_threads; /* beside the caller's */

  atomic_bool is_taken; /* by a caller, who alone uses these two: */
  uint32_t lonely;      /* jobs in a row that nobody else took part in */
  uint32_t sleep_in;    /* jobs for which sleepers are left alone */
  _Alignas(LINE) _Atomic uint64_t claim;
  _Atomic(part_body *) body;
  _Atomic(void *) data;
  _Atomic uint32_t parts;
  _Alignas(LINE) _Atomic uint32_t done; /* parts of the job that are computed */

  _Alignas(LINE) pthread_mutex_t mutex;
  pthread_cond_t work, finished;
  atomic_int sleepers;
  atomic_bool is_waited_for; /* the caller sleeps until all parts are done */
  bool stops;
};

static inline void relax(void) {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}

static bool is_open(gnnc_pool *p) {
  uint32_t next = (uint32_t)atomic_load(&p->claim);
  return next != CLOSED && next < atomic_load(&p->parts);
}

static void finish_part(gnnc_pool *p, uint32_t parts) {
  if (atomic_fetch_add(&p->done, 1) + 1 < parts || !atomic_load(&p->is_waited_for)) return;
  pthread_mutex_lock(&p->mutex);
  pthread_cond_signal(&p->finished);
  pthread_mutex_unlock(&p->mutex);
}

/* Computes parts until there are none to claim; how many it got. */
static uint32_t take_parts(gnnc_pool *p) {
  uint32_t taken = 0;
  uint64_t claim = atomic_load(&p->claim);
  for (;;) {
    uint32_t next = (uint32_t)claim, parts = atomic_load(&p->parts);
    part_body *body = atomic_load(&p->body);
    void *data = atomic_load(&p->data);
    if (next == CLOSED || next >= parts) return taken;
    if (!atomic_compare_exchange_weak(&p->claim, &claim, claim + 1)) continue; /* `claim` is what stands there now */
    body(data, next);
    finish_part(p, parts);
    taken++;
    claim = atomic_load(&p->claim);
  }
}

/* ---- threads of the pool ---- */

/* False where the pool ends. */
static bool sleep_until_work(gnnc_pool *p) {
  pthread_mutex_lock(&p->mutex);
  atomic_fetch_add(&p->sleepers, 1); /* before it looks again: who opens a job after that sees a sleeper */
  while (!p->stops && !is_open(p)) pthread_cond_wait(&p->work, &p->mutex);
  atomic_fetch_sub(&p->sleepers, 1);
  bool goes_on = !p->stops;
  pthread_mutex_unlock(&p->mutex);
  return goes_on;
}

static void *work(void *pool) {
  gnnc_pool *p = pool;
  int idle = 0;
  for (;;) {
    if (take_parts(p)) idle = 0;
    if (++idle < SPINS)
      relax();
    else if (sleep_until_work(p))
      idle = 0;
    else
      return NULL;
  }
}

/* ---- jobs ---- */

static void open_job(gnnc_pool *p, uint32_t parts, part_body *body, void *data) {
  uint64_t generation = ((atomic_load(&p->claim) >> 32) + 1) << 32;
  atomic_store(&p->claim, generation | CLOSED);
  atomic_store(&p->parts, parts);
  atomic_store(&p->body, body);
  atomic_store(&p->data, data);
  atomic_store(&p->done, 0);
  atomic_store(&p->claim, generation);
}

/* As many sleepers as there are parts beside the caller's. Where nobody came in time for the last jobs, on a machine that
 * others keep busy or for jobs that are too short, waking is tried less and less often. */
static bool wake(gnnc_pool *p, uint32_t parts) {
  int sleepers = atomic_load(&p->sleepers);
  if (!sleepers) return false;
  if (p->sleep_in) {
    p->sleep_in--;
    return false;
  }
  pthread_mutex_lock(&p->mutex);
  if ((uint32_t)sleepers < parts)
    pthread_cond_broadcast(&p->work);
  else
    for (uint32_t i = 1; i < parts; i++) pthread_cond_signal(&p->work);
  pthread_mutex_unlock(&p->mutex);
  return true;
}

static void await_claimed(gnnc_pool *p, uint32_t parts) {
  for (int i = 0; i < SPINS; i++) {
    if (atomic_load(&p->done) == parts) return;
    relax();
  }
  pthread_mutex_lock(&p->mutex);
  atomic_store(&p->is_waited_for, true);
  while (atomic_load(&p->done) < parts) pthread_cond_wait(&p->finished, &p->mutex);
  atomic_store(&p->is_waited_for, false);
  pthread_mutex_unlock(&p->mutex);
}

static void note_company(gnnc_pool *p, bool has_woken, bool had_company) {
  enum { MOST_DOUBLINGS = 4 };
  if (had_company) {
    p->lonely = p->sleep_in = 0;
    return;
  }
  if (!has_woken) return;
  if (p->lonely < MOST_DOUBLINGS) p->lonely++;
  p->sleep_in = 1u << p->lonely;
}

static void for_parts(void *user, int64_t parts, part_body *body, void *data) {
  gnnc_pool *p = user;
  bool is_alone = parts < 2 || parts >= CLOSED || !p->num_threads || atomic_exchange(&p->is_taken, true);
  if (is_alone) {
    for (int64_t part = 0; part < parts; part++) body(data, part);
    return;
  }
  open_job(p, (uint32_t)parts, body, data);
  bool has_woken = wake(p, (uint32_t)parts);
  uint32_t taken = take_parts(p);
  await_claimed(p, (uint32_t)parts);
  note_company(p, has_woken, taken < parts);
  atomic_store(&p->is_taken, false);
}

/* ---- pools ---- */

gnnc_pool *gnnc_pool_create(int32_t width) {
  if (width < 1) width = 1;
  if (width > MOST_THREADS) width = MOST_THREADS;
  gnnc_pool *p = aligned_alloc(LINE, (sizeof *p + LINE - 1) / LINE * LINE);
  if (!p) return NULL;
  *p = (gnnc_pool){.threads = calloc((size_t)width, sizeof *p->threads)};
  pthread_mutex_init(&p->mutex, NULL);
  pthread_cond_init(&p->work, NULL);
  pthread_cond_init(&p->finished, NULL);
  if (!p->threads) {
    gnnc_pool_destroy(p);
    return NULL;
  }
  while (p->num_threads + 1 < width && !pthread_create(&p->threads[p->num_threads], NULL, work, p)) p->num_threads++;
  p->executor =
      (gnnc_executor){.size = sizeof p->executor, .user = p, .width = p->num_threads + 1, .for_parts = for_parts};
  return p;
}

void gnnc_pool_destroy(gnnc_pool *p) {
  if (!p) return;
  pthread_mutex_lock(&p->mutex);
  p->stops = true;
  pthread_cond_broadcast(&p->work);
  pthread_mutex_unlock(&p->mutex);
  for (int32_t i = 0; i < p->num_threads; i++) pthread_join(p->threads[i], NULL);
  pthread_cond_destroy(&p->finished);
  pthread_cond_destroy(&p->work);
  pthread_mutex_destroy(&p->mutex);
  free(p->threads);
  free(p);
}

const gnnc_executor *gnnc_pool_executor(const gnnc_pool *p) {
  return &p->executor;
}
