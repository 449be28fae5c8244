/* The pool of threads does every share of every round once, before the round returns, even where
 * rounds follow each other at once. */
#include "support/thread_pool.h"
#include "unit.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>

enum { ROUNDS = 3000, MUCH = 1 << 20, ITEMS = 1000 };

typedef struct work_round {
  int number;
  int shares;                         /* the argument of do_share; share 0 writes it */
  int done[THREAD_POOL_MOST_SHARES];  /* the last round in which each share was done */
  int times[THREAD_POOL_MOST_SHARES]; /* how often each share was done */
} work_round;

static void do_share(void *user, int share, int shares) {
  work_round *r = user;
  r->done[share] = r->number;
  r->times[share]++;
  if (share == 0) r->shares = shares;
}

TEST(every_share_of_a_round_is_done_once) {
  for (int workers = 1; workers <= 5; workers++) {
    thread_pool *pool = thread_pool_create(workers);
    work_round r = {0};
    CHECK_INT(thread_pool_shares(pool), workers);
    for (r.number = 1; r.number <= ROUNDS; r.number++) {
      thread_pool_run(pool, MUCH, do_share, &r);
      if (workers > 1) CHECK_INT(r.shares, workers);
      for (int s = 0; s < workers; s++) {
        CHECK_INT(r.done[s], r.number);
        CHECK_INT(r.times[s], r.number);
      }
    }
    thread_pool_destroy(pool);
  }
}

TEST(little_work_is_done_by_the_caller) {
  thread_pool *pool = thread_pool_create(4);
  work_round r = {.number = 1};
  thread_pool_run(pool, 1, do_share, &r);
  CHECK_INT(r.shares, 1);
  CHECK_INT(r.times[0], 1);
  thread_pool_run(NULL, MUCH, do_share, &r);
  CHECK_INT(r.times[0], 2);
  thread_pool_destroy(pool);
  thread_pool_destroy(NULL);
}

typedef struct signals {
  pthread_t caller;
  atomic_int strangers, open; /* shares on other threads; those of them that do not block SIGTERM */
} signals;

static void look_at_signals(void *user, int share, int shares) {
  (void)share, (void)shares;
  signals *s = user;
  sigset_t blocked;
  for (int i = 0; i < 1000 && pthread_equal(pthread_self(), s->caller) && !atomic_load(&s->strangers); i++) usleep(100);
  if (pthread_equal(pthread_self(), s->caller)) return;
  pthread_sigmask(SIG_BLOCK, NULL, &blocked);
  atomic_fetch_add(&s->open, sigismember(&blocked, SIGTERM) != 1);
  atomic_fetch_add(&s->strangers, 1);
}

TEST(signals_are_for_threads_of_the_program) {
  thread_pool *pool = thread_pool_create(2);
  signals s = {.caller = pthread_self()};
  for (int i = 0; i < 100 && !atomic_load(&s.strangers); i++) thread_pool_run(pool, MUCH, look_at_signals, &s);
  CHECK(atomic_load(&s.strangers) > 0);
  CHECK_INT(atomic_load(&s.open), 0);
  thread_pool_destroy(pool);
}

TEST(shares_cover_everything_once) {
  for (int shares = 1; shares < 9; shares++) {
    int64_t begin, end, last = 0;
    for (int s = 0; s < shares; s++, last = end) {
      thread_pool_cut(ITEMS, s, shares, &begin, &end);
      CHECK_INT(begin, last);
    }
    CHECK_INT(last, ITEMS);
  }
}
