/* Ranks that take turns, with spills: see comm_turns.h. */
#include "runtime/comm/comm_turns.h"

#include "runtime/comm/comm_threads.h"

/* A rank whose turn ends lets its pages go. */
static void let_go(void *user, int32_t rank) {
  spill *const *spills = user;
  spill_release(spills[rank]);
}

static void *allocate_message(void *user, int32_t rank, size_t bytes) {
  spill *const *spills = user;
  return spill_allocate(spills[rank], bytes);
}

/* What a full disk says, in the place of a status that finds no memory. */
static status explain(spill *const *spills, int32_t ranks, status s) {
  for (int32_t i = 0; s && i < ranks; i++) {
    const char *why = spills[i] ? spill_failure(spills[i]) : NULL;
    if (!why) continue;
    status_free(s);
    return status_error(STATUS_CODE_io, "--from-disk: %s", why);
  }
  return s;
}

status comm_turns_run(int32_t ranks, const char *folder, spill **spills, status (*body)(comm *c, void *user),
                      void *user) {
  const comm_threads_options turns = {
      .one_at_a_time = true, .pause = let_go, .allocate = allocate_message, .user = spills};
  for (int32_t i = 0; i < ranks; i++) RETURN_IF_ERROR(spill_open(folder, &spills[i]));
  return explain(spills, ranks, comm_threads_run(ranks, &turns, body, user));
}

void comm_turns_close(spill **spills, int32_t ranks) {
  for (int32_t i = 0; spills && i < ranks; i++) spill_close(spills[i]);
}
