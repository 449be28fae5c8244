/* Says which nodeslots wait for ever, and for what. */
#include "sim/agile/events.h"

#include <inttypes.h>

static void print_reason(const events *e, const nodeslot *s, text *out) {
  switch (s->state) {
  case AGILE_SLOT_wait_engine:
    text_printf(out, "the transformation, which waits for %" PRIu64 " nodes of its precision and has %" PRIu64, e->wait,
                e->pending[s->node.precision].count);
    break;
  case AGILE_SLOT_wait_cores:
    text_printf(out, "%" PRIu64 " cores of %" PRIu64, e->aggregation.cores, e->cores.all);
    break;
  case AGILE_SLOT_wait_buffer: text_printf(out, "one of %" PRIu64 " buffer slots", e->buffer.all); break;
  case AGILE_SLOT_messages:
  case AGILE_SLOT_aggregate:
    text_printf(out, "message %" PRIu64 " of %" PRIu32 ", of %" PRIu64 " beats in a message queue of %d", s->fetched,
                s->node.count, s->beats, (int)e->d->message_queue_beats);
    break;
  default: text_append(out, "a read master"); break;
  }
}

status deadlock_error(const events *e) {
  enum { MOST_NAMED = 4 };
  uint64_t waiting = 0;
  text words = {0};
  for (int32_t i = 0; i < e->d->nodeslots; i++) {
    const nodeslot *s = &e->slots[i];
    if (!s->is_taken) continue;
    if (waiting++ >= MOST_NAMED) continue;
    text_printf(&words, "%snodeslot %" PRId32 " (node %" PRIu32 ") for ", waiting > 1 ? ", " : "", i, s->node.node);
    print_reason(e, s, &words);
  }
  if (waiting > MOST_NAMED) text_printf(&words, ", and %" PRIu64 " others", waiting - MOST_NAMED);
  status s =
      status_error(STATUS_CODE_mismatch, "deadlock: %" PRIu64 " of %" PRIu64 " nodes are done, and wait for ever: %s",
                   e->out->nodes, e->live, text_str(&words));
  text_free(&words);
  return s;
}
