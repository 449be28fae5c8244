/* The transformation engine. It takes aggregated nodes of one precision, up to its rows, when
 * wait_count of them are there; or fewer when none can follow, when the buffer is full, or after the
 * time-out. Their buffer slots are free behind the pulses; then results are written row by row. */
#include "sim/agile/events.h"

#include <inttypes.h>
#include <stdio.h>

static bool is_last(const events *e) {
  return e->upstream == 0 || (e->group && e->in_flight == 0);
}

static const nodeslot *oldest(const events *e, int p) {
  return &e->slots[e->pending[p].slots[e->pending[p].first]];
}

static bool is_ready(const events *e, int p) {
  uint64_t count = e->pending[p].count;
  return count && (count >= e->wait || is_last(e) || e->buffer.free == 0 || e->is_timed_out);
}

/* The precision of the next pass: the one whose first node waits longest; -1: there is none. */
static int next_precision(const events *e) {
  int best = -1;
  for (int p = 0; p < AGILE_PRECISIONS; p++)
    if (is_ready(e, p) && (best < 0 || oldest(e, p)->pending_since < oldest(e, best)->pending_since)) best = p;
  return best;
}

/* Asks for a pass where one could begin. */
static void kick(events *e) {
  if (next_precision(e) >= 0) wake(e, tag_of(e, TAG_PASS), 0);
}

static uint64_t oldest_since(const events *e) {
  uint64_t since = UINT64_MAX;
  for (int p = 0; p < AGILE_PRECISIONS; p++)
    if (e->pending[p].count && oldest(e, p)->pending_since < since) since = oldest(e, p)->pending_since;
  return since;
}

static void set_timer(events *e) {
  uint64_t wait = 2 * (uint64_t)e->d->wait_timeout;
  if (!wait || e->has_timer || !e->num_pending) return;
  uint64_t at = oldest_since(e) + wait;
  e->has_timer = true;
  wake(e, tag_of(e, TAG_TIMER), at > e->now ? at - e->now : 0);
}

void pass_timer_step(events *e) {
  uint64_t wait = 2 * (uint64_t)e->d->wait_timeout;
  e->has_timer = false;
  if (!e->num_pending || e->is_timed_out) return;
  if (oldest_since(e) + wait > e->now) {
    set_timer(e);
    return;
  }
  e->is_timed_out = true;
  kick(e);
}

void pass_add(events *e, uint32_t i) {
  node_ring *p = &e->pending[e->slots[i].node.precision];
  p->slots[(p->first + p->count++) % (uint64_t)e->d->nodeslots] = i;
  e->slots[i].pending_since = e->now;
  e->num_pending++;
  e->upstream--;
  e->in_flight--;
  kick(e);
  set_timer(e);
}

/* Gives the engine to the next pass. Passes have nothing of their own, so it is enough to count those
 * that wait. */
static void grant(events *e) {
  count_busy(e, &e->engine);
  if (!e->engine.free || !e->passes_waiting) return;
  e->engine.free = 0;
  e->passes_waiting--;
  wake(e, tag_of(e, TAG_PASS_GRANTED), 0);
}

static void release(events *e) {
  count_busy(e, &e->engine);
  e->engine.free = 1;
  grant(e);
}

/* Takes nodes, or releases the engine where an earlier pass took them. */
static void begin(events *e) {
  int precision = next_precision(e);
  if (precision < 0) {
    release(e);
    return;
  }
  node_ring *p = &e->pending[precision];
  if (p->count < e->wait && !is_last(e) && e->buffer.free) e->out->timeouts++;
  for (e->num_batch = 0; p->count && e->num_batch < (uint64_t)e->d->fte_rows; e->num_batch++) {
    uint32_t i = p->slots[p->first];
    p->first = (p->first + 1) % (uint64_t)e->d->nodeslots;
    p->count--;
    e->num_pending--;
    e->batch[e->num_batch] = i;
    node_enter(e, i, AGILE_SLOT_transform);
  }
  e->batch_begin = e->now;
  e->is_timed_out = false;
  wake(e, tag_of(e, TAG_PASS_FREE), 2 * agile_pass_cycles(e->d, e->f, e->o));
  set_timer(e);
}

static void write_trace(const events *e) {
  char words[32];
  if (!e->t->trace) return;
  snprintf(words, sizeof words, "{\"nodes\": %" PRIu64 "}", e->num_batch);
  trace_interval(e->t->trace, AGILE_TRACK_ENGINE, 0, "pass", e->t->begin + e->batch_begin / 2, e->t->begin + e->now / 2,
                 words);
}

static void end(events *e) {
  write_trace(e);
  e->out->passes++;
  release(e);
  for (uint64_t i = 0; i < e->num_batch; i++) wake(e, tag_of_node(e->batch[i]), 0);
  kick(e);
}

void pass_step(events *e, int tag) {
  switch (tag) {
  case TAG_PASS:
    e->passes_waiting++;
    grant(e);
    break;
  case TAG_PASS_GRANTED: begin(e); break;
  case TAG_PASS_FREE:
    for (uint64_t i = 0; i < e->num_batch; i++) give(e, &e->buffer, 1);
    wake(e, tag_of(e, TAG_PASS_DONE), 2 * agile_write_cycles(e->d, e->o, e->num_batch));
    break;
  default: end(e); break;
  }
}
