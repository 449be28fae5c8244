/* Waiting, turns and failures of threads under one lock: see comm_team.h. The thread that changes a count decides who goes
 * on, so that with turns there is always one who does. */
#include "runtime/comm/comm_team.h"

#include <stdio.h>
#include <stdlib.h>

enum { NOBODY = -1 };

struct comm_team {
  comm_threads_options options;
  pthread_mutex_t mutex;
  int32_t size;
  int32_t running; /* members that neither wait nor have left; those that have not entered may yet do something */
  int32_t waiting;
  int32_t turn;     /* with turns: the member that runs, or NOBODY */
  int32_t last;     /* the member that had the last turn */
  status_code code; /* of the failure; STATUS_CODE_ok: none */
  char message[256];
  comm_member members[];
};

static bool can_go_on(const comm_team *t, const comm_member *m) {
  return m->is_waiting && (t->code || !m->count || *m->count >= m->value);
}

static void go_on(comm_team *t, comm_member *m) {
  m->is_waiting = false;
  t->waiting--;
  t->running++;
  if (t->options.one_at_a_time) t->turn = t->last = m->rank;
  pthread_cond_signal(&m->wake);
}

/* Lets those go on who can: with turns the next one in the order of ranks, else all. */
static void choose(comm_team *t) {
  do {
    const int32_t last = t->last;
    for (int32_t i = 1; i <= t->size; i++) {
      if (t->options.one_at_a_time && t->turn != NOBODY) return;
      comm_member *m = &t->members[(last + i) % t->size];
      if (can_go_on(t, m)) go_on(t, m);
    }
    const bool is_stuck = !t->running && t->waiting; /* for counts that nobody will raise */
    if (is_stuck && !t->code) {
      t->code = STATUS_CODE_mismatch;
      snprintf(t->message, sizeof t->message, "ranks wait for one another: they do not run the same program");
    }
  } while (!t->running && t->waiting);
}

static void stop(comm_team *t, comm_member *m) {
  t->running--;
  if (t->turn == m->rank) t->turn = NOBODY;
}

static void wait_for(comm_team *t, comm_member *m, const int64_t *count, int64_t value) {
  m->count = count;
  m->value = value;
  m->is_waiting = true;
  t->waiting++;
  stop(t, m);
  choose(t);
  while (m->is_waiting) pthread_cond_wait(&m->wake, &t->mutex);
}

/* Calls a hook of turns without the lock. */
static void call(comm_team *t, comm_member *m, void (*hook)(void *user, int32_t rank)) {
  if (!hook || !t->options.one_at_a_time) return;
  pthread_mutex_unlock(&t->mutex);
  hook(t->options.user, m->rank);
  pthread_mutex_lock(&t->mutex);
}

bool comm_team_await(comm_member *m, const int64_t *count, int64_t value) {
  comm_team *t = m->team;
  if (!t->code && *count < value) {
    call(t, m, t->options.pause);
    wait_for(t, m, count, value);
    call(t, m, t->options.resume);
  }
  return !t->code;
}

void comm_team_raise(comm_member *m, int64_t *count) {
  ++*count;
  choose(m->team);
}

void comm_team_enter(comm_member *m) {
  comm_team *t = m->team;
  comm_team_lock(m);
  if (!m->has_entered && !m->has_left && t->options.one_at_a_time) wait_for(t, m, NULL, 0);
  m->has_entered = true;
  comm_team_unlock(m);
}

void comm_team_leave(comm_member *m) {
  comm_team *t = m->team;
  comm_team_lock(m);
  if (!m->has_left) {
    m->has_left = true;
    stop(t, m);
    choose(t);
  }
  comm_team_unlock(m);
}

void comm_team_fail(comm_member *m, status_code code, const char *format, ...) {
  comm_team *t = m->team;
  if (!t->code) {
    va_list args;
    va_start(args, format);
    vsnprintf(t->message, sizeof t->message, format, args);
    va_end(args);
    t->code = code;
  }
  choose(t);
}

bool comm_team_has_failed(const comm_member *m) {
  return m->team->code != STATUS_CODE_ok;
}

status comm_team_failure(const comm_member *m) {
  const comm_team *t = m->team;
  return t->code ? status_error(t->code, "%s", t->message) : STATUS_OK;
}

void comm_team_lock(comm_member *m) {
  pthread_mutex_lock(&m->team->mutex);
}

void comm_team_unlock(comm_member *m) {
  pthread_mutex_unlock(&m->team->mutex);
}

comm_member *comm_team_member(comm_team *t, int32_t rank) {
  return &t->members[rank];
}

status comm_team_create(int32_t size, const comm_threads_options *options, comm_team **out) {
  comm_team *t = calloc(1, sizeof *t + (size_t)size * sizeof *t->members);
  *out = NULL;
  if (!t || pthread_mutex_init(&t->mutex, NULL)) {
    free(t);
    return status_error(STATUS_CODE_memory, "out of memory for %d ranks", size);
  }
  if (options) t->options = *options;
  t->turn = NOBODY;
  t->last = size - 1;
  for (t->size = 0; t->size < size; t->size++) {
    comm_member *m = &t->members[t->size];
    *m = (comm_member){.team = t, .rank = t->size};
    if (pthread_cond_init(&m->wake, NULL)) break;
  }
  t->running = t->size;
  if (t->size == size) {
    *out = t;
    return STATUS_OK;
  }
  comm_team_destroy(t);
  return status_error(STATUS_CODE_memory, "out of memory for %d ranks", size);
}

void comm_team_destroy(comm_team *t) {
  if (!t) return;
  for (int32_t r = 0; r < t->size; r++) pthread_cond_destroy(&t->members[r].wake);
  pthread_mutex_destroy(&t->mutex);
  free(t);
}
