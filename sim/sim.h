/* A simulated device of any machine: it executes every instruction of a program and counts cycles
 * by a model (docs/simulator.md). Does not need LLVM. */
#ifndef GNNC_SIM_SIM_H
#define GNNC_SIM_SIM_H

#include "isa/image/image.h"

typedef enum sim_level {
  SIM_L0, /* the cycle counts that the machine's publication uses */
  SIM_L1, /* also conflicts that follow from the data; the default */
  SIM_L2  /* cycle by cycle where L1 has a rule; much slower */
} sim_level;

/* What made a result, in one line each: "gnn-run 0.1.0 with --level=1" and "gnnc 0.1.0 with -O2". */
typedef struct sim_origin {
  const char *made_by, *program; /* the program that ran; the compiler of what it ran */
} sim_origin;

/* Options of a simulation. */
typedef struct sim_options {
  sim_level level;
  /* features are never touched; the device's memory holds instructions, descriptors and, at L1 and
   * L2, edges where the image has them (pieces without edges are timed as at L0) */
  bool is_timing_only;
  const sim_origin *origin; /* what traces say of their making; NULL: nothing */
  void *trace; /* FILE *: a Chrome trace in JSON, with a track for each unit and one for memory; NULL: none */
  void (*progress)(void *user, uint64_t done, uint64_t all); /* called with the work done so far and all work, in
                                                              * units that the machine chooses */
  void *user;
  uint64_t max_cycles; /* a longer run is a fault; 0: 2^46 cycles, which are days of a device */
} sim_options;

/* Limits for kinds of traffic and states of units; each machine names its own (sim/sim_class.h). */
enum { SIM_KINDS = 8, SIM_STATES = 8, SIM_MOST_CYCLES_LOG2 = 46 };
#define SIM_MOST_CYCLES ((UINT64_C(1) << SIM_MOST_CYCLES_LOG2) - 1)

/* Statistics of one layer. */
typedef struct sim_layer {
  uint64_t cycles, begin;
  uint64_t blocks, instructions;
  uint64_t bytes_read[SIM_KINDS], bytes_written[SIM_KINDS]; /* over the device's memory channel */
  uint64_t bytes_shared;                                    /* bytes that broadcast delivered to units beyond the
                                                             * first */
  uint64_t multiply_adds;                                   /* executed */
  uint64_t in[SIM_STATES];                                  /* cycles of all units in each state; the rest is idle */
  uint64_t busy_most;                                       /* cycles of work of the unit that worked longest */
  double peak;                                              /* multiply-adds per cycle, all units together */
  double largest[SIM_KINDS]; /* magnitude of the largest number read or written of each kind of traffic, where the
                              * machine notes it; else 0 */
  const char *type;          /* "gemm" */
} sim_layer;

/* The cycles of a unit in each state; the rest is idle. */
typedef struct sim_unit {
  uint64_t in[SIM_STATES];
} sim_unit;

/* A counter of one machine: {"bubbles", 31}. */
typedef struct sim_counter {
  const char *name;
  uint64_t value;
} sim_counter;

/* Statistics of a program, since sim_begin. */
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
  uint64_t runs; /* number of calls of sim_run_records */
} sim_stats;

/* The work of the host between runs of the device, and the bytes that crossed the link for it.
 * Counts are exact; times are nominal: counts divided by the rates among the device's parameters.
 * None of this is part of sim_stats. */
typedef struct sim_host_stats {
  uint64_t steps, flops, bytes;
  uint64_t multiply_adds; /* products and sums over edges; copies of rows have none */
  uint64_t link_bytes;
  uint64_t launches; /* runs of the device */
  double ms, link_ms, launch_ms;
} sim_host_stats;

/* Whether the host has anything to report. */
static inline bool sim_host_has_work(const sim_host_stats *h) {
  return h->steps || h->link_bytes || h->launch_ms > 0;
}

typedef struct sim sim;

/* Creates a device with the loaded sections of the image in its memory; the image must outlive it.
 * `runs_on` may differ from the image's device only in parameters that affect only times. The
 * caller destroys *out. */
status sim_create(const image *im, const device *runs_on, const sim_options *options, sim **out);
void sim_destroy(sim *s);

/* The memory of a loaded tensor, to write inputs before a run and read outputs after it; NULL
 * outside of the image's sections, or with is_timing_only. */
void *sim_memory(sim *s, uint64_t address, uint64_t size);

/* Runs a program in parts: sim_begin, then instructions [first, end) of .text any number of times,
 * then sim_end. The device is idle before and after each part. A fault (hazard, bounds, bad
 * descriptor) or a deadlock is an error that names the place and the cycle. sim_end must be called
 * in any case; it returns errors of the trace's file. */
void sim_begin(sim *s);
status sim_run_records(sim *s, uint64_t first, uint64_t end);
status sim_end(sim *s);

/* Runs the whole program at once; may be called again. */
status sim_run(sim *s);

/* Statistics since the last sim_begin; valid until the next. */
const sim_stats *sim_statistics(const sim *s);

/* What the units of a machine are called: "PE". */
const char *sim_unit_name(const machine *m);

/* The device that is simulated. */
const device *sim_device(const sim *s);

#endif
