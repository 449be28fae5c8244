/* Runs the events of a start of nodeslots: see events.h. */
#include "sim/agile/events.h"

#include <inttypes.h>
#include <stdlib.h>

static resource resource_of(uint64_t count) {
  return (resource){.all = count, .free = count, .first = NO_PROCESS, .last = NO_PROCESS};
}

static uint64_t count_nodes(const agile_timing *t) {
  uint64_t nodes = 0;
  for (uint64_t i = 0; i < t->registers->reg[AGILE_REGISTER_node_count]; i++)
    nodes += agile_desc_runs(agile_desc_at(t->descs, i));
  return nodes;
}

/* Arrays that belong to one another, so that one test finds out that memory is out. */
static bool allocate(events *e) {
  size_t slots = (size_t)e->d->nodeslots, masters = (size_t)e->d->read_masters;
  bool is_there = true;
  for (int p = 0; p < AGILE_PRECISIONS; p++)
    is_there &= (e->pending[p].slots = calloc(slots, sizeof *e->pending[p].slots)) != NULL;
  e->slots = calloc(slots, sizeof *e->slots);
  e->empty = calloc(slots, sizeof *e->empty);
  e->batch = calloc(slots, sizeof *e->batch);
  e->waiting = calloc(2 * slots + TAGS, sizeof *e->waiting);
  e->messages = calloc(masters, sizeof *e->messages);
  e->lists = e->d->masters == AGILE_MASTERS_shared ? e->messages : calloc(masters, sizeof *e->lists);
  e->group_left = calloc(e->group ? (size_t)(e->live / e->group + 1) : 1, sizeof *e->group_left);
  return is_there && e->slots && e->empty && e->batch && e->waiting && e->messages && e->lists && e->group_left;
}

static void release(events *e) {
  for (int p = 0; p < AGILE_PRECISIONS; p++) free(e->pending[p].slots);
  free(e->slots);
  free(e->empty);
  free(e->batch);
  free(e->waiting);
  if (e->lists != e->messages) free(e->lists);
  free(e->messages);
  free(e->group_left);
  queue_destroy(e->queue);
}

static void begin(events *e) {
  const agile_device *d = e->d;
  uint64_t managers = (uint64_t)d->rows * (uint64_t)d->meshes, slots = (uint64_t)d->nodeslots;
  e->nodeslots = resource_of(slots);
  e->prefetch = e->aggregate = e->allocator = e->engine = resource_of(1);
  e->managers = resource_of(managers);
  e->cores = resource_of(managers * (uint64_t)d->columns);
  e->buffer = resource_of((uint64_t)d->buffer_slots);
  for (int32_t i = 0; i < d->read_masters; i++) e->lists[i] = e->messages[i] = resource_of((uint64_t)d->outstanding);
  for (uint64_t i = 0; i < slots; i++) e->empty[i] = (uint32_t)(slots - 1 - i);
  e->num_empty = slots;
  for (uint64_t i = 0; e->group && i <= e->live / e->group; i++)
    e->group_left[i] = i < e->live / e->group ? e->group : e->live % e->group;
  e->upstream = e->live;
  e->queue = queue_create();
  wake(e, tag_of(e, TAG_ADMIT), 2 * (uint64_t)d->ddr_latency);
}

static void step(events *e, uint32_t tag) {
  uint32_t first = tag_of(e, 0);
  if (tag < first)
    (tag % 2 ? fetch_step : node_step)(e, tag / 2);
  else if (tag == first + TAG_ADMIT)
    admit_step(e);
  else if (tag == first + TAG_TIMER)
    pass_timer_step(e);
  else
    pass_step(e, (int)(tag - first));
}

/* Executes all events; false: it takes longer than the limit. */
static bool run(events *e) {
  uint32_t tag, timer = tag_of(e, TAG_TIMER);
  while (queue_pop(e->queue, &e->now, &tag)) {
    if (tag != timer) e->end = e->now;
    if (e->end / 2 > e->t->limit) return false;
    step(e, tag);
  }
  return true;
}

/* The busy cycles of resources until the end. */
static uint64_t busy_cycles(const events *e, const resource *r) {
  return (r->busy + (r->all - r->free) * (e->end - r->since)) / 2;
}

static void count(events *e) {
  agile_times *out = e->out;
  out->cycles = e->end / 2;
  for (int32_t i = 0; i < e->d->read_masters; i++) out->master_cycles += busy_cycles(e, &e->messages[i]);
  out->manager_cycles = busy_cycles(e, &e->managers);
  out->buffer_cycles = busy_cycles(e, &e->buffer);
  out->engine_cycles = busy_cycles(e, &e->engine);
}

status agile_time_events(const agile_timing *t, agile_times *out) {
  const agile_device *d = t->device;
  events e = {.t = t, .d = d, .out = out, .live = count_nodes(t)};
  e.f = t->registers->reg[AGILE_REGISTER_in_features];
  e.o = t->registers->reg[AGILE_REGISTER_out_features];
  e.wait = agile_state_wait_count(t->registers, d);
  e.aggregation = agile_aggregation_of(d, e.f);
  if (d->admission == AGILE_ADMISSION_groups) e.group = d->nodeslots > 1 ? (uint64_t)d->nodeslots / 2 : 1;
  status failed = STATUS_OK;
  if (!e.live) return STATUS_OK;
  if (allocate(&e)) {
    begin(&e);
    out->is_too_long = !run(&e);
    if (!out->is_too_long) count(&e);
    if (!out->is_too_long && out->nodes < e.live) failed = deadlock_error(&e);
  } else {
    failed = status_error(STATUS_CODE_memory, "no memory for %d nodeslots", (int)d->nodeslots);
  }
  release(&e);
  return failed;
}
