/* The fetch of a node's messages, one after the other, into its message queue. The node begins its
 * aggregation when all have come, or with a PARTIAL response when the queue is full; the queue then
 * drains while the rest is fetched. Entries of the adjacency list beyond the address queue are
 * fetched when it is empty. */
#include "sim/agile/events.h"

/* What has happened when the event of a fetch comes. */
enum { FETCH_BEGUN, FETCH_LIST_MASTER, FETCH_LIST_CAME, FETCH_ROOM, FETCH_MASTER, FETCH_CAME };

static void respond(events *e, uint32_t i) {
  nodeslot *s = &e->slots[i];
  s->has_response = true;
  if (s->waits_response) wake(e, tag_of_node(i), 0);
  s->waits_response = false;
}

static void serve_room(events *e, uint32_t i) {
  nodeslot *s = &e->slots[i];
  if (!s->wants_room || s->room < s->beats) return;
  s->wants_room = false;
  s->room -= s->beats;
  wake(e, tag_of_fetch(i), 0);
}

void fetch_give_room(events *e, uint32_t i) {
  nodeslot *s = &e->slots[i];
  s->room += s->beats;
  serve_room(e, i);
}

void fetch_begin(events *e, uint32_t i) {
  nodeslot *s = &e->slots[i];
  s->fetch_step = FETCH_BEGUN;
  s->waits_response = true;
  wake(e, tag_of_fetch(i), 0);
}

/* Asks for room for the next message. */
static void ask_room(events *e, uint32_t i) {
  nodeslot *s = &e->slots[i];
  if (s->room < s->beats && !s->has_response) {
    e->out->partial++;
    respond(e, i);
  }
  s->fetch_step = FETCH_ROOM;
  s->wants_room = true;
  serve_room(e, i);
}

static void fetch_next(events *e, uint32_t i) {
  nodeslot *s = &e->slots[i];
  if (s->fetched == s->node.count) {
    if (!s->has_response) respond(e, i);
  } else if (s->fetched == s->first) { /* the address queue is empty */
    s->fetch_step = FETCH_LIST_MASTER;
    take(e, &e->lists[s->master], tag_of_fetch(i), 1);
  } else {
    ask_room(e, i);
  }
}

static void message_came(events *e, uint32_t i) {
  nodeslot *s = &e->slots[i];
  give(e, &e->messages[s->master], 1);
  s->fetched++;
  if (s->waits_message) wake(e, tag_of_node(i), 0);
  s->waits_message = false;
  fetch_next(e, i);
}

void fetch_step(events *e, uint32_t i) {
  nodeslot *s = &e->slots[i];
  switch (s->fetch_step) {
  case FETCH_BEGUN: fetch_next(e, i); break;
  case FETCH_LIST_MASTER:
    s->fetch_step = FETCH_LIST_CAME;
    wake(e, tag_of_fetch(i), 2 * agile_list_cycles(e->d, s->node.count - s->first));
    break;
  case FETCH_LIST_CAME:
    give(e, &e->lists[s->master], 1);
    ask_room(e, i);
    break;
  case FETCH_ROOM:
    s->fetch_step = FETCH_MASTER;
    take(e, &e->messages[s->master], tag_of_fetch(i), 1);
    break;
  case FETCH_MASTER:
    s->fetch_step = FETCH_CAME;
    wake(e, tag_of_fetch(i), 2 * agile_message_cycles(e->d, s->beats));
    break;
  default: message_came(e, i); break;
  }
}
