/* Threads that wait for one another: who waits for which count, whose turn it is, and what made them fail.
 *
 *   comm_team_lock(m); bool is_there = comm_team_await(m, &box->posted, 3); comm_team_unlock(m);
 *
 * All waiting is for a count that another member raises, so a team sees when nobody could ever go on: it fails then, where
 * other threads would hang. */
#ifndef GNNC_RUNTIME_COMM_COMM_TEAM_H
#define GNNC_RUNTIME_COMM_COMM_TEAM_H

#include "runtime/comm/comm_threads.h"

#include <pthread.h>
#include <stdbool.h>

typedef struct comm_team comm_team;

typedef struct comm_member {
  comm_team *team;
  int32_t rank;
  pthread_cond_t wake;
  bool is_waiting, has_entered, has_left;
  const int64_t *count; /* what it waits for: *count >= value; NULL: only for its turn */
  int64_t value;
} comm_member;

/* Makes a team of 1 or more members; the caller destroys it. The options, which may be NULL, are copied. Fails when memory
 * is out. */
status comm_team_create(int32_t size, const comm_threads_options *options, comm_team **out);
void comm_team_destroy(comm_team *t);
comm_member *comm_team_member(comm_team *t, int32_t rank);

void comm_team_lock(comm_member *m);
void comm_team_unlock(comm_member *m);

/* The first and the last call of a member's thread. With turns, enter returns when the member has its first one. Between
 * both, the functions below are called with the lock. Second calls do nothing. */
void comm_team_enter(comm_member *m);
void comm_team_leave(comm_member *m);

/* Waits until *count >= value; a member that must wait hands its turn on. Returns false, at once, when the team has
 * failed. */
bool comm_team_await(comm_member *m, const int64_t *count, int64_t value);
/* Adds 1 to a count, and lets those who wait for it go on. */
void comm_team_raise(comm_member *m, int64_t *count);

/* Makes the team fail, with this message where it has not failed before. */
void comm_team_fail(comm_member *m, status_code code, const char *format, ...) __attribute__((format(printf, 3, 4)));
bool comm_team_has_failed(const comm_member *m);
/* The failure of the team as a status of the caller; STATUS_OK where there is none. */
status comm_team_failure(const comm_member *m);

#endif
