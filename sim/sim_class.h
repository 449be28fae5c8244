/* A simulator: what this room knows of each machine. One constant per row of isa/machines.def,
 * toy_sim, in sim/<name>/. */
#ifndef GNNC_SIM_SIM_CLASS_H
#define GNNC_SIM_SIM_CLASS_H

#include "sim/common/memory.h"
#include "sim/common/trace.h"
#include "sim/sim.h"

/* What a simulator gets to work with; all of it lives as long as the simulator. */
typedef struct sim_host {
  const image *image;
  const device *device;
  const sim_options *options;
  memory *memory;
  arena *arena;
  sim_stats *stats; /* create allocates layers, units and counters; runs add to them */
  trace *trace;     /* of the program under way; NULL: none */
} sim_host;

typedef struct sim_class {
  const machine *machine;
  const char *unit;               /* "PE": tables, traces; "pes" in JSON */
  const char *const *state_names; /* "compute", "wait_load", ...: num_states of them; the first is useful work */
  int32_t num_states;
  int32_t num_busy;                 /* the first so many states are work, others are waiting; 1 at least */
  const char *const *kind_names;    /* [SIM_KINDS] kinds of traffic; NULL where the machine has fewer */
  const char *const *unit_tracks;   /* of traces, per unit, ended by NULL */
  const char *const *device_tracks; /* of what units share, ended by NULL */
  status (*create)(sim_host *host, void **state);
  void (*destroy)(void *state); /* NULL is allowed */
  /* Records [first, end) of .text from cycle 0; adds to stats, in which times of layers count from
   * the beginning of the program: stats->cycles before. */
  status (*run)(void *state, uint64_t first, uint64_t end);
} sim_class;

#define MACHINE(name, summary) extern const sim_class name##_sim;
#include "isa/machines.def"
#undef MACHINE

/* In the order of machine_table, ended by NULL. */
extern const sim_class *const sim_class_table[];
/* Never NULL: a machine without a simulator does not link. */
const sim_class *sim_class_of(const machine *m);

#endif
