/* Starts the threads of ranks and waits for them: comm_threads_run. */
#include "runtime/comm/comm_threads.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>

typedef struct job {
  status (*body)(comm *c, void *user);
  void *user;
  atomic_int first; /* the rank that failed first, or -1 */
} job;

typedef struct worker {
  job *job;
  comm *c;
  status result;
  pthread_t thread;
} worker;

static void note_failure(worker *w) {
  int nobody = -1;
  atomic_compare_exchange_strong(&w->job->first, &nobody, w->c->rank);
  w->c->engine->fail(w->c);
}

/* Closes the rank at its end, and not when all have ended, because that hands its turn on. */
static void work(worker *w) {
  comm_threads_enter(w->c);
  w->result = w->job->body(w->c, w->job->user);
  if (w->result) note_failure(w);
  w->c->engine->close(w->c);
}

static void *work_in_thread(void *data) {
  work(data);
  return NULL;
}

/* Starts the threads of ranks 1 and above and returns how many ranks there are, rank 0 included. Handlers of signals run in
 * the calling thread. */
static int32_t start(worker *workers, int32_t ranks) {
  sigset_t all, before;
  sigfillset(&all);
  const int of_the_thread[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS, SIGPROF};
  for (size_t i = 0; i < sizeof of_the_thread / sizeof *of_the_thread; i++) sigdelset(&all, of_the_thread[i]);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  int32_t started = 1;
  while (started < ranks && !pthread_create(&workers[started].thread, NULL, work_in_thread, &workers[started]))
    started++;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return started;
}

/* Ranks without a thread fail at once. */
static void fail_unstarted(worker *workers, int32_t started, int32_t ranks) {
  for (int32_t r = started; r < ranks; r++) {
    workers[r].result = status_error(STATUS_CODE_memory, "the system starts no thread for rank %d of %d", r, ranks);
    note_failure(&workers[r]);
    workers[r].c->engine->close(workers[r].c);
  }
}

status comm_threads_run(int32_t ranks, const comm_threads_options *options, status (*body)(comm *c, void *user),
                        void *user) {
  comm *comms = NULL;
  RETURN_IF_ERROR(comm_threads_open(ranks, options, &comms));
  job j = {.body = body, .user = user};
  atomic_init(&j.first, -1);
  worker *workers = calloc((size_t)ranks, sizeof *workers);
  if (!workers) {
    for (int32_t r = 0; r < ranks; r++) comms[r].engine->close(&comms[r]);
    return status_error(STATUS_CODE_memory, "out of memory for %d ranks", ranks);
  }
  for (int32_t r = 0; r < ranks; r++) workers[r] = (worker){.job = &j, .c = &comms[r]};
  const int32_t started = start(workers, ranks);
  fail_unstarted(workers, started, ranks);
  work(&workers[0]);
  for (int32_t r = 1; r < started; r++) pthread_join(workers[r].thread, NULL);
  const int first = atomic_load(&j.first);
  status result = STATUS_OK;
  for (int32_t r = 0; r < ranks; r++) {
    if (r == first)
      result = workers[r].result;
    else
      status_free(workers[r].result);
  }
  free(workers);
  return result;
}
