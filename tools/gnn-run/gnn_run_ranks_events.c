/* The events of ranks: see gnn_run_ranks_events.h. */
#include "tools/gnn-run/gnn_run_ranks_events.h"

#include "support/clock.h"

#include <math.h>
#include <string.h>

enum { ZERO = -1 }; /* the number before the events of a rank */
static const double same_clock_seconds = 1;

status run_events_open(arena *a, const gnnc_program *program, const run_options *options, run_events *out) {
  *out = (run_events){.arena = a, .zero = clock_seconds()};
  status s = profile_read(a, options->program, NULL, &out->calls);
  return status_context(s ? s : profile_attach(program, &out->calls), "--trace");
}

void run_events_begin(const run_events *e, int32_t rank, profile *mine) {
  *mine = (profile){.arena = arena_create(), .count = e->calls.count, .rank = rank};
  mine->calls = arena_alloc_array(mine->arena, (size_t)mine->count + 1, sizeof *mine->calls);
  if (mine->count) memcpy(mine->calls, e->calls.calls, (size_t)mine->count * sizeof *mine->calls);
  profile_use(mine);
}

void run_events_end(profile *mine) {
  profile_use(NULL);
  if (mine->arena) arena_destroy(mine->arena);
}

/* Makes the seconds of all ranks, whose events have the rank's own zero before them, count from one moment. Clocks that are less
 * than same_clock_seconds apart are those of one machine, which need no zero of their own. */
static size_t align_events(profile_event *events, size_t count) {
  const double first = count ? events[0].begin : 0;
  double zero = first;
  size_t kept = 0;
  for (size_t i = 0; i < count; i++) {
    if (events[i].number == ZERO) {
      zero = fabs(events[i].begin - first) < same_clock_seconds ? first : events[i].begin;
      continue;
    }
    events[kept] = events[i];
    events[kept].begin -= zero;
    events[kept++].end -= zero;
  }
  return kept;
}

status run_events_gather(run_events *e, rank_session *r, const profile *mine) {
  const size_t count = mine->events.count + 1;
  profile_event *sent = arena_alloc_array(mine->arena, count, sizeof *sent);
  char *all = NULL;
  size_t bytes = 0;
  sent[0] = (profile_event){.number = ZERO, .begin = e->zero};
  if (count > 1) memcpy(sent + 1, mine->events.items, (count - 1) * sizeof *sent);
  RETURN_IF_ERROR(ranks_gather_bytes(r, sent, count * sizeof *sent, &all, &bytes));
  if (r->comm->rank) return STATUS_OK;
  profile_event *kept = memcpy(arena_alloc(e->arena, bytes), all, bytes);
  e->items = kept;
  e->count = align_events(kept, bytes / sizeof *kept);
  return STATUS_OK;
}

status run_events_write(const run_events *e, int32_t ranks, const run_options *options) {
  sim_origin origin = run_describe_origin(e->arena, options, NULL);
  return profile_write_ranks(&e->calls, ranks, e->items, e->count, options->trace, &origin);
}
