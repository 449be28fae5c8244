/* The event-driven model of a start of nodeslots, shared by the files that implement
 * agile_time_events.
 *
 * A process is a state machine: a tag names it, its state is a number, and a function executes a
 * step when an event with the tag comes. Each nodeslot has two: the node on its way through the
 * device (node.c), and the fetch of its messages (fetch.c). Others are the entry of nodes into
 * nodeslots (admit.c), and passes of the transformation engine (pass.c). Times are half cycles. */
#ifndef GNNC_SIM_AGILE_EVENTS_H
#define GNNC_SIM_AGILE_EVENTS_H

#include "sim/agile/time.h"
#include "sim/common/queue.h"

/* A part of the device of which there are several, or room of which there is some. Processes wait in
 * the order in which they came. */
typedef struct resource {
  uint64_t all, free;
  uint32_t first, last; /* tags of the first and of the last process that waits; NO_PROCESS: none does */
  uint64_t busy, since; /* half cycles of all taken ones together, until `since` */
} resource;

#define NO_PROCESS UINT32_MAX

/* A node in a nodeslot. */
typedef struct nodeslot {
  bool is_taken;
  agile_desc node;
  uint64_t group;         /* with admission in groups */
  int step, fetch_step;   /* states of the two processes */
  agile_slot_state state; /* for statistics */
  uint64_t since;         /* of `state` */
  uint32_t master;        /* the read master of the nodeslot */
  uint64_t first, beats;  /* entries of the first part of the adjacency list; beats of a message */
  uint64_t fetched, sent; /* messages that came; that went to the cores */
  uint64_t room;          /* beats in the message queue */
  bool wants_room;        /* the fetch waits for room */
  bool has_response;      /* the aggregation may begin */
  bool waits_response, waits_message;
  uint64_t pending_since;
} nodeslot;

/* What a process waits in: at most one resource at a time. */
typedef struct wait_entry {
  uint32_t next;
  uint64_t amount;
} wait_entry;

typedef struct node_ring {
  uint32_t *slots; /* a ring of nodeslots */
  uint64_t first, count;
} node_ring;

typedef struct events {
  const agile_timing *t;
  const agile_device *d;
  agile_times *out;
  queue *queue;
  uint64_t now, end; /* end: of the last event that belongs to a node */
  uint64_t f, o, wait;
  agile_aggregation aggregation;

  nodeslot *slots; /* [nodeslots] */
  uint32_t *empty;
  uint64_t num_empty;
  wait_entry *waiting; /* [tags] */

  resource nodeslots, prefetch, aggregate, managers, cores, allocator, buffer, engine;
  resource *messages, *lists; /* read masters; the same ones where they are shared */

  uint64_t next_desc, admitted, live, upstream, in_flight; /* nodes that are not aggregated: all; in nodeslots */
  int admit_step;
  uint64_t group;       /* nodes of a group; 0: none */
  uint64_t *group_left; /* nodes of each group that are not done */
  bool waits_group;
  uint64_t awaited_group;

  node_ring pending[AGILE_PRECISIONS];
  uint64_t num_pending, passes_waiting;
  bool has_timer, is_timed_out;
  uint32_t *batch;
  uint64_t num_batch, batch_begin;
} events;

/* Tags: 2 i is the node of nodeslot i, 2 i + 1 the fetch of its messages; behind those are these. */
enum { TAG_ADMIT, TAG_PASS, TAG_PASS_GRANTED, TAG_PASS_FREE, TAG_PASS_DONE, TAG_TIMER, TAGS };

static inline uint32_t tag_of(const events *e, int tag) {
  return 2 * (uint32_t)e->d->nodeslots + (uint32_t)tag;
}

static inline uint32_t tag_of_node(uint32_t slot) {
  return 2 * slot;
}

static inline uint32_t tag_of_fetch(uint32_t slot) {
  return 2 * slot + 1;
}

/* Continues a process after some half cycles. */
static inline void wake(events *e, uint32_t tag, uint64_t after) {
  queue_push(e->queue, e->now + after, tag);
}

static inline void count_busy(events *e, resource *r) {
  r->busy += (r->all - r->free) * (e->now - r->since);
  r->since = e->now;
}

/* Continues the processes whose turn it is, while there is enough for the first one. */
static inline void serve(events *e, resource *r) {
  while (r->first != NO_PROCESS && e->waiting[r->first].amount <= r->free) {
    uint32_t tag = r->first;
    r->first = e->waiting[tag].next;
    r->free -= e->waiting[tag].amount;
    wake(e, tag, 0);
  }
}

/* Takes some of a resource; the process continues when it has them. */
static inline void take(events *e, resource *r, uint32_t tag, uint64_t amount) {
  count_busy(e, r);
  e->waiting[tag] = (wait_entry){.next = NO_PROCESS, .amount = amount};
  if (r->first == NO_PROCESS)
    r->first = tag;
  else
    e->waiting[r->last].next = tag;
  r->last = tag;
  serve(e, r);
}

static inline void give(events *e, resource *r, uint64_t amount) {
  count_busy(e, r);
  r->free += amount;
  serve(e, r);
}

/* Ends a state of a nodeslot and begins the next. */
void node_enter(events *e, uint32_t i, agile_slot_state state);

/* A step of each process. */
void node_step(events *e, uint32_t i);
void fetch_step(events *e, uint32_t i);
void admit_step(events *e);
void pass_step(events *e, int tag);
void pass_timer_step(events *e);

/* The first step of the fetch of messages, and of a node that entered a nodeslot. */
void fetch_begin(events *e, uint32_t i);
void node_begin(events *e, uint32_t i);

/* Messages went to the cores, so there is room for others. */
void fetch_give_room(events *e, uint32_t i);

/* A node is aggregated. */
void pass_add(events *e, uint32_t i);

/* A node has left its nodeslot. */
void admit_done(events *e, uint32_t i);

/* The error of nodes that wait for ever. */
status deadlock_error(const events *e);

#endif
