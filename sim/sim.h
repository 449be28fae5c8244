/* A simulated device: functional semantics of every instruction and a cycle model
 * (docs/simulator.md), of whichever machine the program is for. Needs no LLVM. */
#ifndef GNNC_SIM_SIM_H
#define GNNC_SIM_SIM_H

#include "isa/image/image.h"

typedef enum sim_level {
  SIM_L0, /* the machine's published accounting */
  SIM_L1, /* conflicts that follow from the data; default */
  SIM_L2  /* cycle by cycle where L1 has a rule; slower by far */
} sim_level;

/* What made a result: one line each, "gnn-run 0.1.0 with --level=1" and "gnnc 0.1.0 with -O2". */
typedef struct sim_origin {
  const char *made_by, *program; /* the program that ran, the compiler of what was run */
} sim_origin;

typedef struct sim_options {
  sim_level level;
  bool
      is_timing_only; /* features are never touched; the device's memory holds instructions, descriptors and, at L1 and L2, edges where the image has them (else L0 per piece) */
  const sim_origin *origin; /* what traces say of themselves; NULL: nothing */
  void *trace;              /* FILE *: Chrome trace JSON, a track per unit and one for memory; NULL for none */
  void (*progress)(void *user, uint64_t done, uint64_t all); /* in units of the machine */
  void *user;
  uint64_t max_cycles; /* a run that takes longer is a fault; 0: 2^46, which is days of a device */
} sim_options;

/* Kinds of traffic and states of units; each machine names those that it has (sim/sim_class.h). */
enum { SIM_KINDS = 8, SIM_STATES = 8, SIM_MOST_CYCLES_LOG2 = 46 };
#define SIM_MOST_CYCLES ((UINT64_C(1) << SIM_MOST_CYCLES_LOG2) - 1)

typedef struct sim_layer {
  uint64_t cycles, begin;
  uint64_t blocks, instructions;
  uint64_t bytes_read[SIM_KINDS], bytes_written[SIM_KINDS]; /* that crossed the device's memory channel */
  uint64_t bytes_shared;                                    /* served by broadcast beyond the first unit */
  uint64_t multiply_adds;                                   /* executed */
  uint64_t in[SIM_STATES];                                  /* cycles of all units in each state; the rest is idle */
  uint64_t busy_most;                                       /* of the unit that worked longest */
  double peak;                                              /* multiply-adds per cycle, all units together */
  const char *type;                                         /* "gemm" */
} sim_layer;

/* Cycles of a unit in each state, disjoint; the rest is idle. */
typedef struct sim_unit {
  uint64_t in[SIM_STATES];
} sim_unit;

/* A number that one machine reports: {"bubbles", 31}. */
typedef struct sim_counter {
  const char *name;
  uint64_t value;
} sim_counter;

typedef struct sim_stats {
  uint64_t cycles;
  double ms;
  double bandwidth_gb_s; /* of the device's memory, all units together */
  sim_layer *layers;
  int64_t num_layers;
  sim_unit *units;
  int32_t num_units;
  sim_counter *counters;
  int32_t num_counters;
  uint64_t runs; /* of records */
} sim_stats;

/* What the host did between runs of the device, and what crossed the link for it; counted exactly.
 * Times are nominal: counts over the rates of the device's parameters. None of it is in
 * sim_stats. */
typedef struct sim_host_stats {
  uint64_t steps, flops, bytes;
  uint64_t link_bytes;
  uint64_t launches; /* runs of the device */
  double ms, link_ms, launch_ms;
} sim_host_stats;

/* Whether there is anything to report beside the time of the device. */
static inline bool sim_host_has_work(const sim_host_stats *h) {
  return h->steps || h->link_bytes || h->launch_ms > 0;
}

typedef struct sim sim;

/* A device with the image's loaded sections in its memory; the image must stay. `runs_on` may
 * differ from the image's device in parameters that only time. */
status sim_create(const image *im, const device *runs_on, const sim_options *options, sim **out);
void sim_destroy(sim *s);

/* Memory of a loaded tensor, for inputs before and outputs after a run; NULL beyond the image's
 * sections or in timing-only mode. */
void *sim_memory(sim *s, uint64_t address, uint64_t size);

/* A program as several runs: begin, then records [first, end) of .text any number of times, the
 * device idle before and after, then end. A fault (hazard, bounds, bad descriptor) or a deadlock is
 * a status that names the place and the cycle; `end` is called in any case, and returns a fault of
 * the trace's file. */
void sim_begin(sim *s);
status sim_run_records(sim *s, uint64_t first, uint64_t end);
status sim_end(sim *s);

/* All of them: the whole program in one run. May be called again. */
status sim_run(sim *s);

/* Since the last begin; lives until the next. */
const sim_stats *sim_statistics(const sim *s);

/* What units of a machine are called: "PE". */
const char *sim_unit_name(const machine *m);

/* The device it is. */
const device *sim_device(const sim *s);

#endif
