/* The way of a node through the device. Its steps in order, with the states of a nodeslot as the
 * published device names them:
 *
 *   FETCH_NB_LIST        a request to the prefetcher, then a read master reads the adjacency list
 *   FETCH_SCALE_FACTORS  the same for scale factors
 *   FETCH_NEIGHBOURS     the same for messages (fetch.c)
 *   AGGREGATION          a request to the aggregation engine; a manager and cores; messages to the cores, one after the
 *                        other; sums to a slot of the buffer
 *   TRANSFORMATION       see pass.c */
#include "sim/agile/events.h"

#include <inttypes.h>
#include <stdio.h>

/* What has happened when the event of a node comes. */
enum {
  NODE_ENTERED,
  NODE_LIST_TURN,
  NODE_LIST_ASKED,
  NODE_LIST_MASTER,
  NODE_LIST_CAME,
  NODE_SCALES_TURN,
  NODE_SCALES_ASKED,
  NODE_SCALES_MASTER,
  NODE_SCALES_CAME,
  NODE_MESSAGES_TURN,
  NODE_MESSAGES_ASKED,
  NODE_RESPONSE,
  NODE_CORES_TURN,
  NODE_CORES_ASKED,
  NODE_MANAGER,
  NODE_CORES,
  NODE_ALLOCATOR,
  NODE_ALLOCATED,
  NODE_MESSAGE_CAME,
  NODE_SENT,
  NODE_SUMMED,
  NODE_BUFFER,
  NODE_BUFFER_TOLD,
  NODE_STORED,
  NODE_AGGREGATED,
  NODE_DONE,
};

const char *const node_state_names[AGILE_SLOT_STATES] = {"aggregate", "transform",  "list",        "scales",
                                                         "messages",  "wait_cores", "wait_buffer", "wait_engine"};

static void leave(events *e, uint32_t i) {
  nodeslot *s = &e->slots[i];
  char words[48];
  e->out->in[s->state][i] += e->now - s->since;
  if (!e->t->trace || e->now == s->since) return;
  snprintf(words, sizeof words, "{\"node\": %" PRIu32 ", \"neighbours\": %" PRIu32 "}", s->node.node, s->node.count);
  trace_interval(e->t->trace, AGILE_TRACK_SLOT, (int32_t)i, node_state_names[s->state], e->t->begin + s->since / 2,
                 e->t->begin + e->now / 2, words);
}

void node_enter(events *e, uint32_t i, agile_slot_state state) {
  nodeslot *s = &e->slots[i];
  leave(e, i);
  s->state = state;
  s->since = e->now;
}

/* Waits for some of a resource, which the next step has. */
static void take_for(events *e, uint32_t i, resource *r, uint64_t amount, int step) {
  e->slots[i].step = step;
  take(e, r, tag_of_node(i), amount);
}

/* Continues with a step after some half cycles. */
static void spend(events *e, uint32_t i, uint64_t halves, int step) {
  e->slots[i].step = step;
  wake(e, tag_of_node(i), halves);
}

void node_begin(events *e, uint32_t i) {
  nodeslot *s = &e->slots[i];
  s->state = AGILE_SLOT_list;
  s->since = e->now;
  spend(e, i, 0, NODE_ENTERED);
}

/* A request of a nodeslot takes a cycle of the unit that serves all nodeslots. */
enum { REQUEST = 2 };

static void step_prefetch(events *e, uint32_t i) {
  nodeslot *s = &e->slots[i];
  resource *lists = &e->lists[s->master], *messages = &e->messages[s->master];
  switch (s->step) {
  case NODE_ENTERED: take_for(e, i, &e->prefetch, 1, NODE_LIST_TURN); break;
  case NODE_LIST_TURN: spend(e, i, REQUEST, NODE_LIST_ASKED); break;
  case NODE_LIST_ASKED:
    give(e, &e->prefetch, 1);
    take_for(e, i, lists, 1, NODE_LIST_MASTER);
    break;
  case NODE_LIST_MASTER: spend(e, i, 2 * agile_list_cycles(e->d, s->first), NODE_LIST_CAME); break;
  case NODE_LIST_CAME:
    node_enter(e, i, AGILE_SLOT_scales);
    give(e, lists, 1);
    take_for(e, i, &e->prefetch, 1, NODE_SCALES_TURN);
    break;
  case NODE_SCALES_TURN: spend(e, i, REQUEST, NODE_SCALES_ASKED); break;
  case NODE_SCALES_ASKED:
    give(e, &e->prefetch, 1);
    take_for(e, i, messages, 1, NODE_SCALES_MASTER);
    break;
  case NODE_SCALES_MASTER: spend(e, i, 2 * agile_scales_cycles(e->d, s->node.count), NODE_SCALES_CAME); break;
  case NODE_SCALES_CAME:
    node_enter(e, i, AGILE_SLOT_messages);
    give(e, messages, 1);
    take_for(e, i, &e->prefetch, 1, NODE_MESSAGES_TURN);
    break;
  case NODE_MESSAGES_TURN: spend(e, i, REQUEST, NODE_MESSAGES_ASKED); break;
  default:
    give(e, &e->prefetch, 1);
    s->step = NODE_RESPONSE;
    fetch_begin(e, i);
    break;
  }
}

static void step_allocate(events *e, uint32_t i) {
  const agile_aggregation *a = &e->aggregation;
  bool is_static = e->d->allocation == AGILE_ALLOCATION_static;
  switch (e->slots[i].step) {
  case NODE_RESPONSE:
    node_enter(e, i, AGILE_SLOT_wait_cores);
    take_for(e, i, &e->aggregate, 1, NODE_CORES_TURN);
    return;
  case NODE_CORES_TURN: spend(e, i, REQUEST, NODE_CORES_ASKED); return;
  case NODE_CORES_ASKED:
    give(e, &e->aggregate, 1);
    take_for(e, i, &e->managers, 1, NODE_MANAGER);
    return;
  case NODE_MANAGER:
    if (is_static) break; /* the cores of the manager's row */
    take_for(e, i, &e->cores, a->cores, NODE_CORES);
    return;
  case NODE_CORES: take_for(e, i, &e->allocator, 1, NODE_ALLOCATOR); return;
  case NODE_ALLOCATOR: spend(e, i, a->allocator, NODE_ALLOCATED); return;
  default: give(e, &e->allocator, 1); break;
  }
  node_enter(e, i, AGILE_SLOT_aggregate);
  spend(e, i, a->packets, NODE_MESSAGE_CAME);
}

/* Sends the next message to the cores, or goes on behind the last. */
static void send(events *e, uint32_t i) {
  nodeslot *s = &e->slots[i];
  if (s->sent == s->node.count) {
    spend(e, i, e->aggregation.last, NODE_SUMMED);
  } else if (s->fetched > s->sent) {
    spend(e, i, e->aggregation.neighbour, NODE_SENT);
  } else {
    s->waits_message = true;
    s->step = NODE_MESSAGE_CAME;
  }
}

static void step_aggregate(events *e, uint32_t i) {
  const agile_aggregation *a = &e->aggregation;
  nodeslot *s = &e->slots[i];
  switch (s->step) {
  case NODE_MESSAGE_CAME: send(e, i); break;
  case NODE_SENT:
    s->sent++;
    fetch_give_room(e, i);
    send(e, i);
    break;
  case NODE_SUMMED:
    node_enter(e, i, AGILE_SLOT_wait_buffer);
    take_for(e, i, &e->buffer, 1, NODE_BUFFER);
    break;
  case NODE_BUFFER:
    node_enter(e, i, AGILE_SLOT_aggregate);
    spend(e, i, a->packets, NODE_BUFFER_TOLD);
    break;
  case NODE_BUFFER_TOLD: spend(e, i, a->store, NODE_STORED); break;
  case NODE_STORED:
    if (e->d->allocation == AGILE_ALLOCATION_sequential) give(e, &e->cores, a->cores);
    spend(e, i, a->done, NODE_AGGREGATED);
    break;
  default:
    give(e, &e->managers, 1);
    node_enter(e, i, AGILE_SLOT_wait_engine);
    s->step = NODE_DONE;
    pass_add(e, i);
    break;
  }
}

void node_step(events *e, uint32_t i) {
  int step = e->slots[i].step;
  if (step == NODE_DONE) {
    leave(e, i);
    admit_done(e, i);
  } else if (step < NODE_RESPONSE) {
    step_prefetch(e, i);
  } else if (step <= NODE_ALLOCATED) {
    step_allocate(e, i);
  } else {
    step_aggregate(e, i);
  }
}
