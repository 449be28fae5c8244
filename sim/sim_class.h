/* A simulator of one machine, as an interface. There is one constant for each row of
 * isa/machines.def, such as toy_sim, in sim/<name>/. */
#ifndef GNNC_SIM_SIM_CLASS_H
#define GNNC_SIM_SIM_CLASS_H

#include "sim/common/memory.h"
#include "sim/common/trace.h"
#include "sim/sim.h"

/* What sim.c gives to a simulator; all of it outlives the simulator. */
typedef struct sim_host {
  const image *image;
  const device *device;
  const sim_options *options;
  memory *memory;
  arena *arena;
  sim_stats *stats; /* create allocates layers, units and counters; runs add to them */
  trace *trace;     /* of the current program; NULL: none */
} sim_host;

/* The functions and names of a simulator. */
typedef struct sim_class {
  const machine *machine;
  const char *unit;               /* name of a unit, "PE", for tables and traces; JSON has "pes" */
  const char *const *state_names; /* "compute", "wait_ddr", ...: [num_states]; the first is useful work */
  int32_t num_states;
  int32_t num_busy;                 /* the first num_busy states are work, the others are waiting; at least 1 */
  const char *const *kind_names;    /* [SIM_KINDS] names of kinds of traffic; NULL where the machine has fewer */
  const char *const *unit_tracks;   /* tracks of a trace for each unit, ended by NULL */
  const char *const *device_tracks; /* tracks of a trace for all units together, ended by NULL */
  status (*create)(sim_host *host, void **state);
  void (*destroy)(void *state); /* NULL is allowed */
  /* Runs instructions [first, end) of .text from cycle 0 on and adds to stats. The times of layers
   * count from the beginning of the program, so they include the earlier stats->cycles. */
  status (*run)(void *state, uint64_t first, uint64_t end);
} sim_class;

#define MACHINE(name, summary) extern const sim_class name##_sim;
#include "isa/machines.def"
#undef MACHINE

/* All simulators, in the order of machine_table, ended by NULL. */
extern const sim_class *const sim_class_table[];
/* The simulator of a machine; never NULL, because a machine without a simulator does not link. */
const sim_class *sim_class_of(const machine *m);

#endif
