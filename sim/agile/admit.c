/* The entry of nodes into nodeslots, in the order of their descriptors: one after the other as
 * nodeslots become empty, or in groups. A group of half the nodeslots enters when all nodes of the
 * group before the last one are done, as with two buffers. */
#include "sim/agile/events.h"

enum { ADMIT_BEGUN, ADMIT_GROUP, ADMIT_SLOT, ADMIT_PROGRAMMED };

/* The next descriptor that the device executes; false at the end. */
static bool next(events *e, agile_desc *out) {
  uint64_t count = e->t->registers->reg[AGILE_REGISTER_node_count];
  for (; e->next_desc < count; e->next_desc++) {
    *out = agile_desc_at(e->t->descs, e->next_desc);
    if (agile_desc_runs(*out)) return true;
  }
  return false;
}

static void fill(events *e, agile_desc node) {
  uint32_t i = e->empty[--e->num_empty];
  const agile_device *d = e->d;
  uint64_t first = (uint64_t)d->address_queue;
  e->slots[i] = (nodeslot){.is_taken = true,
                           .node = node,
                           .group = e->group ? e->admitted / e->group : 0,
                           .master = (uint32_t)(e->admitted % (uint64_t)d->nodeslots % (uint64_t)d->read_masters),
                           .first = node.count < first ? node.count : first,
                           .beats = agile_message_beats(d, node.precision, e->f),
                           .room = (uint64_t)d->message_queue_beats};
  e->admitted++;
  e->in_flight++;
  node_begin(e, i);
}

static void ask_slot(events *e) {
  e->admit_step = ADMIT_SLOT;
  take(e, &e->nodeslots, tag_of(e, TAG_ADMIT), 1);
}

static void ask(events *e) {
  agile_desc node;
  if (!next(e, &node)) return;
  if (e->group && e->admitted % e->group == 0 && e->admitted >= 2 * e->group) {
    e->admit_step = ADMIT_GROUP;
    e->awaited_group = e->admitted / e->group - 2;
    e->waits_group = e->group_left[e->awaited_group] > 0;
    if (!e->waits_group) wake(e, tag_of(e, TAG_ADMIT), 0);
    return;
  }
  ask_slot(e);
}

void admit_step(events *e) {
  agile_desc node;
  switch (e->admit_step) {
  case ADMIT_BEGUN: ask(e); break;
  case ADMIT_GROUP: ask_slot(e); break;
  case ADMIT_SLOT: /* a descriptor per cycle; each beat of 8 takes one more */
    e->admit_step = ADMIT_PROGRAMMED;
    wake(e, tag_of(e, TAG_ADMIT), e->admitted % AGILE_BEAT_DESCS ? 2 : 4);
    break;
  default:
    if (next(e, &node)) fill(e, node);
    e->next_desc++;
    ask(e);
    break;
  }
}

void admit_done(events *e, uint32_t i) {
  nodeslot *s = &e->slots[i];
  s->is_taken = false;
  e->empty[e->num_empty++] = i;
  give(e, &e->nodeslots, 1);
  e->out->nodes++;
  if (!e->group || --e->group_left[s->group]) return;
  if (!e->waits_group || e->awaited_group != s->group) return;
  e->waits_group = false;
  wake(e, tag_of(e, TAG_ADMIT), 0);
}
