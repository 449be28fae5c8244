/* The cycles of a start of nodeslots (docs/devices/agile.md, "Times"). */
#ifndef GNNC_SIM_AGILE_TIME_H
#define GNNC_SIM_AGILE_TIME_H

#include "isa/agile/program.h"
#include "isa/agile/timing.h"
#include "sim/common/trace.h"

/* States of a nodeslot; without a node it is idle. */
typedef enum agile_slot_state {
  AGILE_SLOT_aggregate, /* an aggregation manager sends it messages */
  AGILE_SLOT_transform,
  AGILE_SLOT_list, /* its adjacency list is fetched, with the wait for a read master */
  AGILE_SLOT_scales,
  AGILE_SLOT_messages,
  AGILE_SLOT_wait_cores, /* it waits for a manager or for cores */
  AGILE_SLOT_wait_buffer,
  AGILE_SLOT_wait_engine, /* it is aggregated and waits for its transformation */
  AGILE_SLOT_STATES
} agile_slot_state;

extern const char *const node_state_names[AGILE_SLOT_STATES];

/* Tracks of a trace: one for each nodeslot, one for the transformation engine. */
enum { AGILE_TRACK_SLOT, AGILE_TRACK_ENGINE };

typedef struct agile_times {
  bool is_too_long; /* longer than the limit; the rest is not known then */
  uint64_t cycles;
  uint64_t nodes, passes, partial, timeouts;
  uint64_t master_cycles, manager_cycles, buffer_cycles, engine_cycles; /* busy ones, all of a kind together */
  uint64_t *in[AGILE_SLOT_STATES]; /* [nodeslots], given by the caller: cycles are added */
} agile_times;

typedef struct agile_timing {
  const agile_device *device;
  const agile_state *registers;
  const unsigned char *descs; /* of registers->reg[AGILE_REGISTER_node_count] descriptors */
  uint64_t limit;             /* cycles */
  trace *trace;               /* NULL: none */
  uint64_t begin;             /* where the start begins in the trace */
} agile_timing;

/* Executes the events of all nodes one after the other (levels 1 and 2). An error: some nodes wait
 * for ever; it names nodeslots and what they wait for. */
status agile_time_events(const agile_timing *t, agile_times *out);

/* Level 0: the busiest part of the device, as if it never waited. */
void agile_time_bound(const agile_timing *t, agile_times *out);

#endif
