/* Functions before those of an engine: see comm_watch.h. */
#include "runtime/comm/comm_watch.h"

#include "support/clock.h"

#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <time.h>

_Static_assert(offsetof(gnnc_comm, transpose) + sizeof(((gnnc_comm *)0)->transpose) == sizeof(gnnc_comm),
               "functions that an engine has besides begin, end, share, share_edges and transpose need one here");

/* Linux wakes threads up to 50 us late, and the processor may sleep, too. */
static const double late_seconds = 2e-4;

static void wait_until(double seconds) {
  const double early = seconds - late_seconds, whole = floor(early);
  struct timespec t = {.tv_sec = (time_t)whole, .tv_nsec = (long)((early - whole) * 1e9)};
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL) == EINTR) continue;
  while (clock_seconds() < seconds) continue;
}

static gnnc_result begin(void *user, const gnnc_node_rows *values, int32_t num_values) {
  comm_watch *w = user;
  gnnc_result result = w->options.before ? w->options.before(w->options.user) : GNNC_OK;
  if (result) return result;
  const double called = clock_seconds();
  result = w->watched.begin(w->watched.user, values, num_values);
  w->returned = clock_seconds();
  if (!result && w->options.begun) w->options.begun(called, w->returned);
  return result;
}

static gnnc_result end(void *user) {
  comm_watch *w = user;
  const gnnc_result result = w->watched.end(w->watched.user);
  if (!result && w->options.delay_seconds > 0) wait_until(w->returned + w->options.delay_seconds);
  return result;
}

static gnnc_result share(void *user, void *rows, size_t row_bytes, const int32_t *ptr, const int32_t *numbers) {
  comm_watch *w = user;
  gnnc_result result = w->options.before ? w->options.before(w->options.user) : GNNC_OK;
  return result ? result : w->watched.share(w->watched.user, rows, row_bytes, ptr, numbers);
}

static gnnc_result share_edges(void *user, void *rows, size_t row_bytes, const int32_t *places) {
  comm_watch *w = user;
  gnnc_result result = w->options.before ? w->options.before(w->options.user) : GNNC_OK;
  if (result) return result;
  const double called = clock_seconds();
  result = w->watched.share_edges(w->watched.user, rows, row_bytes, places);
  if (!result && w->options.delay_seconds > 0) wait_until(called + w->options.delay_seconds);
  return result;
}

static gnnc_result transpose(void *user, const void *from, void *to, size_t strip_bytes, int32_t strips,
                             int32_t to_rows) {
  comm_watch *w = user;
  gnnc_result result = w->options.before ? w->options.before(w->options.user) : GNNC_OK;
  if (result) return result;
  const double called = clock_seconds();
  result = w->watched.transpose(w->watched.user, from, to, strip_bytes, strips, to_rows);
  if (!result && w->options.delay_seconds > 0) wait_until(called + w->options.delay_seconds);
  return result;
}

void comm_watch_put(comm_watch *w, const comm_watch_options *options, gnnc_comm *exchange) {
  *w = (comm_watch){.options = *options, .watched = *exchange};
  exchange->user = w;
  exchange->begin = begin;
  exchange->end = end;
  exchange->share = share;
  exchange->share_edges = share_edges;
  exchange->transpose = transpose;
}
