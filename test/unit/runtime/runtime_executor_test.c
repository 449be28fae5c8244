/* The pool of threads computes each part once, on any thread, and ends jobs of several callers,
 * nested jobs and pools of any width. */
#include "runtime/gnnc/executor.h"
#include "unit.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { MOST_PARTS = 1024 };

typedef struct job {
  atomic_int counts[MOST_PARTS];
  atomic_int threads;
  const gnnc_executor *nested;
} job;

static void count(void *data, int64_t part) {
  job *j = data;
  atomic_fetch_add(&j->counts[part], 1);
}

static void run(const gnnc_executor *e, int64_t parts, void (*body)(void *data, int64_t part), void *data) {
  e->for_parts(e->user, parts, body, data);
}

/* The number of parts that were not computed exactly `times` times. */
static int count_wrong(const job *j, int64_t parts, int times) {
  int wrong = 0;
  for (int64_t i = 0; i < MOST_PARTS; i++) wrong += atomic_load(&j->counts[i]) != (i < parts ? times : 0);
  return wrong;
}

TEST(each_part_is_computed_once) {
  static const int32_t widths[] = {-1, 0, 1, 2, 3, 8};
  static const int64_t parts[] = {0, 1, 2, 3, 64, MOST_PARTS};
  for (size_t w = 0; w < sizeof widths / sizeof *widths; w++) {
    gnnc_pool *pool = gnnc_pool_create(widths[w]);
    const gnnc_executor *e = gnnc_pool_executor(pool);
    CHECK_INT(e->size, sizeof *e);
    CHECK(e->width >= 1 && e->width <= (widths[w] > 1 ? widths[w] : 1));
    for (size_t p = 0; p < sizeof parts / sizeof *parts; p++) {
      job j = {.threads = 0};
      enum { TIMES = 200 };
      for (int i = 0; i < TIMES; i++) run(e, parts[p], count, &j);
      CHECK_INT(count_wrong(&j, parts[p], TIMES), 0);
    }
    gnnc_pool_destroy(pool);
  }
}

/* Jobs follow each other without a pause: a late thread must not take parts of the next job as
 * parts of its own. */
TEST(many_short_jobs_have_their_own_parts) {
  enum { JOBS = 20000 };
  gnnc_pool *pool = gnnc_pool_create(4);
  job *two = calloc(2, sizeof *two);
  for (int i = 0; i < JOBS; i++) run(gnnc_pool_executor(pool), 2 + i % 3, count, &two[i % 2]);
  int64_t total = 0, expected = 0;
  for (int i = 0; i < JOBS; i++) expected += 2 + i % 3;
  for (int k = 0; k < 2; k++)
    for (int i = 0; i < MOST_PARTS; i++) total += atomic_load(&two[k].counts[i]);
  CHECK_INT(total, expected);
  free(two);
  gnnc_pool_destroy(pool);
}

static void count_nested(void *data, int64_t part) {
  job *j = data;
  (void)part;
  run(j->nested, 8, count, j);
}

TEST(a_part_may_run_parts_itself) {
  gnnc_pool *pool = gnnc_pool_create(3);
  job j = {.nested = gnnc_pool_executor(pool)};
  run(j.nested, 16, count_nested, &j);
  CHECK_INT(count_wrong(&j, 8, 16), 0);
  gnnc_pool_destroy(pool);
}

enum { CALLERS = 4, CALLS = 500 };
static const gnnc_executor *shared;

static void *call(void *data) {
  for (int i = 0; i < CALLS; i++) run(shared, 7, count, data);
  return NULL;
}

TEST(several_threads_may_use_a_pool_at_once) {
  gnnc_pool *pool = gnnc_pool_create(2);
  shared = gnnc_pool_executor(pool);
  job *jobs = calloc(CALLERS, sizeof *jobs);
  pthread_t threads[CALLERS];
  for (int i = 0; i < CALLERS; i++) CHECK(!pthread_create(&threads[i], NULL, call, &jobs[i]));
  for (int i = 0; i < CALLERS; i++) pthread_join(threads[i], NULL);
  for (int i = 0; i < CALLERS; i++) CHECK_INT(count_wrong(&jobs[i], 7, CALLS), 0);
  free(jobs);
  gnnc_pool_destroy(pool);
}

/* Each part waits for the other, so both threads of the pool must take part. */
static void meet(void *data, int64_t part) {
  job *j = data;
  (void)part;
  atomic_fetch_add(&j->threads, 1);
  while (atomic_load(&j->threads) < 2) sched_yield();
}

TEST(threads_of_the_pool_take_part) {
  gnnc_pool *pool = gnnc_pool_create(2);
  job j = {.threads = 0};
  if (gnnc_pool_executor(pool)->width == 2) {
    run(gnnc_pool_executor(pool), 2, meet, &j);
    CHECK_INT(j.threads, 2);
  }
  gnnc_pool_destroy(pool);
  gnnc_pool_destroy(NULL);
}
