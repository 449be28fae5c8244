/* The simulated device: functional semantics of every instruction and a cycle model (spec: GraphAGILE; docs/simulator.md). Needs no LLVM. */
#ifndef GNNC_SIM_SIM_H
#define GNNC_SIM_SIM_H

#include "isa/image.h"

typedef enum sim_level {
  SIM_L0, /* the paper: 8 edges and 16 columns per cycle, always */
  SIM_L1, /* bank, unit and RAW conflicts of each piece (spec E.2); default */
  SIM_L2  /* cycle-level networks; slow, for small graphs */
} sim_level;

typedef struct sim_options {
  sim_level level;
  bool
      is_timing_only; /* features are never touched; DDR holds instructions, descriptors and, at L1 and L2, edges where the image has them (else L0 per piece) */
  void *trace;        /* FILE *: Chrome trace JSON, one track per PE and unit and one for DDR; NULL for none */
  void (*progress)(void *user, uint64_t blocks_done, uint64_t blocks);
  void *user;
  uint64_t max_cycles; /* a run that takes longer is a fault; 0: 2^46, which is days of a device */
} sim_options;

enum { SIM_KINDS = 8 }; /* ISA_KIND_* and, last, instructions and descriptors */

typedef struct sim_layer {
  uint64_t cycles, begin;
  uint64_t blocks, instructions;
  uint64_t bytes_read[SIM_KINDS], bytes_written[SIM_KINDS]; /* that crossed DDR */
  uint64_t bytes_shared;                                    /* served by broadcast beyond the first PE */
  uint64_t multiply_adds;                                   /* done by GEMM, SpDMM and SDDMM */
  int32_t layer_type;
} sim_layer;

typedef struct sim_pe {
  uint64_t compute, fill, wait_load, wait_store,
      wait_block; /* cycles of the ACK, disjoint; the rest is idle after the last layer */
} sim_pe;

typedef struct sim_stats {
  uint64_t cycles;
  double ms;
  sim_layer *layers;
  int64_t num_layers;
  sim_pe *pes;
  int32_t num_pes;
} sim_stats;

typedef struct sim sim;

/* A device with the image's loaded sections in its DDR; the image must stay. The machine may differ in fields that only time. */
status sim_create(const image *im, const device *machine, const sim_options *options, sim **out);
void sim_destroy(sim *s);

/* DDR of a loaded tensor, for inputs before and outputs after a run; NULL beyond the image's sections or in timing-only mode. */
void *sim_memory(sim *s, uint64_t address, uint64_t size);

/* Runs to HALT; may be called again. A fault (hazard, bounds, bad descriptor) or a deadlock is a status that names layer, block, PE, instruction and
 * cycle; a deadlock lists who waits for which buffer since when. */
status sim_run(sim *s);

/* Of the last run; lives until the next. */
const sim_stats *sim_statistics(const sim *s);

#endif
