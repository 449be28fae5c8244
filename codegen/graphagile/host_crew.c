/* A crew: see host_crew.h. Workers sleep on one condition; a round has a number, so that nobody works twice. */
#include "codegen/graphagile/host_crew.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

enum { WORTH_THREADS = 1 << 17 };

typedef struct worker {
  host_crew *crew;
  int share;
} worker;

struct host_crew {
  int workers, started; /* the caller is not started */
  pthread_mutex_t lock;
  pthread_cond_t begin, done;
  uint64_t round;
  int busy;
  bool is_over;
  void (*work)(void *user, int share, int shares);
  void *user;
  pthread_t threads[HOST_CREW_MOST];
  worker each[HOST_CREW_MOST];
};

static void *attend(void *argument) {
  const worker *me = argument;
  host_crew *c = me->crew;
  uint64_t seen = 0;
  pthread_mutex_lock(&c->lock);
  for (;;) {
    while (c->round == seen && !c->is_over) pthread_cond_wait(&c->begin, &c->lock);
    if (c->is_over) break;
    seen = c->round;
    void (*work)(void *, int, int) = c->work;
    void *user = c->user;
    pthread_mutex_unlock(&c->lock);
    work(user, me->share, c->workers);
    pthread_mutex_lock(&c->lock);
    if (--c->busy == 0) pthread_cond_signal(&c->done);
  }
  pthread_mutex_unlock(&c->lock);
  return NULL;
}

host_crew *host_crew_create(int workers) {
  host_crew *c = calloc(1, sizeof *c);
  if (!c) return NULL;
  c->workers = workers < 1 ? 1 : workers > HOST_CREW_MOST ? HOST_CREW_MOST : workers;
  bool has_lock = !pthread_mutex_init(&c->lock, NULL);
  bool has_begin = has_lock && !pthread_cond_init(&c->begin, NULL);
  if (has_begin && !pthread_cond_init(&c->done, NULL)) return c;
  if (has_begin) pthread_cond_destroy(&c->begin);
  if (has_lock) pthread_mutex_destroy(&c->lock);
  free(c);
  return NULL;
}

void host_crew_destroy(host_crew *c) {
  if (!c) return;
  pthread_mutex_lock(&c->lock);
  c->is_over = true;
  pthread_cond_broadcast(&c->begin);
  pthread_mutex_unlock(&c->lock);
  for (int i = 0; i < c->started; i++) pthread_join(c->threads[i], NULL);
  pthread_cond_destroy(&c->begin);
  pthread_cond_destroy(&c->done);
  pthread_mutex_destroy(&c->lock);
  free(c);
}

int host_crew_workers(const host_crew *c) {
  return c ? c->workers : 1;
}

static void start(host_crew *c) {
  while (c->started < c->workers - 1) {
    worker *w = &c->each[c->started];
    *w = (worker){c, c->started + 1};
    if (pthread_create(&c->threads[c->started], NULL, attend, w) != 0) break;
    c->started++;
  }
}

void host_crew_run(host_crew *c, int64_t cost, void (*work)(void *user, int share, int shares), void *user) {
  int shares = host_crew_workers(c);
  if (shares == 1 || cost < WORTH_THREADS) {
    work(user, 0, 1);
    return;
  }
  pthread_mutex_lock(&c->lock);
  /* A thread that starts now sees the round that begins below as its first: its own count begins at 0. */
  if (c->round == 0) start(c);
  c->work = work;
  c->user = user;
  c->busy = c->started;
  c->round++;
  pthread_cond_broadcast(&c->begin);
  pthread_mutex_unlock(&c->lock);
  work(user, 0, shares);
  for (int share = c->started + 1; share < shares; share++) work(user, share, shares);
  pthread_mutex_lock(&c->lock);
  while (c->busy) pthread_cond_wait(&c->done, &c->lock);
  pthread_mutex_unlock(&c->lock);
}

void host_crew_cut(int64_t count, int share, int shares, int64_t *begin, int64_t *end) {
  *begin = count / shares * share + (share < count % shares ? share : count % shares);
  *end = *begin + count / shares + (share < count % shares);
}
