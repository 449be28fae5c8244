/* Ranks that are threads of one process, side by side or one after another: then only one of them runs at any moment, and
 * hands its turn on where it waits. So a graph is computed part by part in the memory of one part.
 *
 *   comm_threads_run(8, &(comm_threads_options){.one_at_a_time = true}, compute_part, &job);
 *
 * Ranks that wait for one another for ever, and those that send rows of another size than their neighbour expects, fail with
 * a message; none hangs. */
#ifndef GNNC_RUNTIME_COMM_COMM_THREADS_H
#define GNNC_RUNTIME_COMM_COMM_THREADS_H

#include "runtime/comm/comm.h"

#include <stdbool.h>

typedef struct comm_threads_options {
  bool one_at_a_time;
  /* With one_at_a_time, each may be NULL: called in the thread of a rank before it hands its turn on, and when it has got it
   * back, always in pairs. The rank alone runs meanwhile. It may release what it can read again, as pages of mapped files. */
  void (*pause)(void *user, int32_t rank);
  void (*resume)(void *user, int32_t rank);
  /* May be NULL: memory for the rows that a rank sends, which the engine does not free; else malloc has it. */
  void *(*allocate)(void *user, int32_t rank, size_t bytes);
  void *user; /* of these functions */
} comm_threads_options;

/* Makes the ranks; out[0 .. ranks - 1] are used by a thread each, and all are closed. `options` may be NULL. Fails when memory
 * is out, and where ranks < 1. */
status comm_threads_open(int32_t ranks, const comm_threads_options *options, comm **out);

/* With one_at_a_time, the first call of the thread of each rank: returns when it has its turn. Closing gives the last turn
 * away. */
void comm_threads_enter(comm *c);

/* Opens, calls body(c, user) at each rank, rank 0 in the calling thread and the others in threads of their own, and closes.
 * A rank whose body fails makes the others fail, too. Returns STATUS_OK where no body failed, else what the body returned that
 * failed first. Fails also where a thread cannot be started. */
status comm_threads_run(int32_t ranks, const comm_threads_options *options, status (*body)(comm *c, void *user),
                        void *user);

#endif
