/* The state of the simulated overlay, which its parts share: Scheduler, PEs, memory channels. For
 * use inside of sim/graphagile/ only.
 *
 * Time is counted in whole cycles. At each cycle at which something happens, the engine first
 * completes memory transfers (transfer.h); then each PE that is due proceeds as far as it can
 * (pe.h); then broadcasts and the Scheduler react (broadcast.h, scheduler.h). */
#ifndef GNNC_SIM_GRAPHAGILE_ENGINE_H
#define GNNC_SIM_GRAPHAGILE_ENGINE_H

#include "sim/common/bandwidth.h"
#include "sim/common/memory.h"
#include "sim/common/report_names.h"
#include "sim/common/trace.h"
#include "sim/graphagile/cycles.h"
#include "sim/graphagile/execute.h"
#include "sim/sim_class.h"
#include "support/vec.h"

#define GRAPHAGILE_ENGINE_NEVER UINT64_MAX
enum { GRAPHAGILE_ENGINE_FIFO = 4, GRAPHAGILE_ENGINE_STORES = 16, GRAPHAGILE_ENGINE_OTHER = SIM_KINDS - 1 };

/* States of a PE's ACK. Of the cycles of an instruction, `compute` are those that the array needs
 * at its peak rate, `conflict` those that banks, pipelines and the RAW unit add, and `hub_row`
 * those that the destination row with most edges adds to that. */
enum {
  GRAPHAGILE_ENGINE_STATE_compute,
  GRAPHAGILE_ENGINE_STATE_conflict,
  GRAPHAGILE_ENGINE_STATE_hub_row,
  GRAPHAGILE_ENGINE_STATE_fill,
  GRAPHAGILE_ENGINE_BUSY_STATES, /* the states before this one are work, the others are waiting */
  GRAPHAGILE_ENGINE_STATE_wait_broadcast = GRAPHAGILE_ENGINE_BUSY_STATES,
  GRAPHAGILE_ENGINE_STATE_wait_ddr,
  GRAPHAGILE_ENGINE_STATE_wait_store,
  GRAPHAGILE_ENGINE_STATE_wait_block,
  GRAPHAGILE_ENGINE_STATES
};
/* Tracks of traces: those of a PE, then those of the device. */
enum {
  GRAPHAGILE_ENGINE_TRACK_DECODER,
  GRAPHAGILE_ENGINE_TRACK_LOAD_E,
  GRAPHAGILE_ENGINE_TRACK_LOAD_W,
  GRAPHAGILE_ENGINE_TRACK_LOAD_F,
  GRAPHAGILE_ENGINE_TRACK_COMPUTE,
  GRAPHAGILE_ENGINE_TRACK_STORE,
  GRAPHAGILE_ENGINE_TRACK_SCHEDULER,
  GRAPHAGILE_ENGINE_TRACK_DDR
};

/* Slots number the buffers of all PEs: 8 * PE + buffer. 8 * PE + GRAPHAGILE_ENGINE_STORE_SLOT is
 * the PE's store port. */
enum { GRAPHAGILE_ENGINE_SLOTS = 8, GRAPHAGILE_ENGINE_STORE_SLOT = 7 };
#define GRAPHAGILE_ENGINE_NONE UINT32_MAX

/* A load port. A PE has one for each class of buffers (docs/devices/graphagile.md, rule 10); it
 * executes its loads one after the other, in the order in which they were requested. */
enum { GRAPHAGILE_ENGINE_PORTS = 3, GRAPHAGILE_ENGINE_PORT_QUEUE = 3 };
typedef struct graphagile_engine_port {
  /* Slots whose buffers describe the transfers. The first transfer is active, or waits for ports of other PEs. */
  uint32_t leaders[GRAPHAGILE_ENGINE_PORT_QUEUE];
  uint32_t count;
} graphagile_engine_port;

/* The mutex of a physical buffer (docs/devices/graphagile.md, rule 6). */
typedef enum graphagile_engine_mutex {
  GRAPHAGILE_ENGINE_EMPTY,
  GRAPHAGILE_ENGINE_PENDING,
  GRAPHAGILE_ENGINE_FULL
} graphagile_engine_mutex;

/* A tiling block on a PE. It is decoded once; the memory is reused for later blocks. */
typedef struct graphagile_engine_block {
  uint64_t serial; /* it is the n-th block of the PE, n from 1; its buffers are rotated by n - 1 */
  uint64_t number; /* number of the block in its layer */
  uint64_t address;
  graphagile_insn *insns;
  uint32_t count, capacity;
  uint32_t open;  /* computes, loads and stores that were issued and are not complete */
  bool is_issued; /* the decoder has issued the last instruction */
  uint64_t begin; /* cycle of its dispatch */
} graphagile_engine_block;

/* An instruction that was resolved or issued: its fields contain alternation, rotation, increments
 * and descriptors. Sets of buffers have the bit 1 << GRAPHAGILE_E0 ... for each physical buffer. */
typedef struct graphagile_engine_op {
  graphagile_insn insn;
  graphagile_engine_block *block;
  uint32_t index;               /* in its block */
  int64_t iteration;            /* of its LOOP; -1 outside of loops */
  uint64_t rows;                /* memrd, memwr: rows per fiber, or number of edges */
  uint64_t sequence;            /* of computes: number on this PE; of stores: number of the computes that were issued
                                 * before */
  uint64_t issued;              /* cycle of issue */
  uint8_t reads, writes, frees; /* buffers that a compute reads, writes and releases */
} graphagile_engine_op;

/* A physical buffer of a PE, and the load into it. */
typedef struct graphagile_engine_buffer {
  graphagile_engine_mutex mutex;
  uint64_t owner;                /* serial of the block that filled it; no other block may use it until it is EMPTY */
  uint64_t since;                /* cycle of the last change of `mutex` */
  uint32_t users;                /* computes and stores that name it, were issued and are not complete */
  bool is_loading;               /* a load into it was issued and is not complete */
  bool is_held;                  /* that load is held for broadcast */
  graphagile_engine_op load;     /* that load */
  graphagile_cycles_piece piece; /* content of an Edge Buffer */

  /* The transfer that serves the load. The buffer that asked first describes it; `member` links the
   * buffers that it serves. */
  uint32_t member;  /* slot of the next buffer; GRAPHAGILE_ENGINE_NONE: this is the last */
  uint32_t blocked; /* number of ports at which another transfer comes first */
  uint32_t pes;     /* PEs that the transfer serves */
  uint64_t bytes;
  uint64_t arrives; /* cycle after the latency of the memory */
} graphagile_engine_buffer;

/* Why the ACK is idle. */
typedef enum graphagile_engine_wait {
  GRAPHAGILE_ENGINE_WAIT_BLOCK,
  GRAPHAGILE_ENGINE_WAIT_LOAD,
  GRAPHAGILE_ENGINE_WAIT_STORE
} graphagile_engine_wait;

/* A processing element. */
typedef struct graphagile_engine_pe {
  int32_t number;
  bool is_due;   /* something that it may wait for has happened */
  uint64_t wake; /* cycle at which it can proceed by itself */

  graphagile_engine_block *blocks; /* queue_blocks blocks, a ring that begins at `first` */
  uint32_t first, num_blocks;
  uint64_t serial; /* of the last block that it took */

  graphagile_engine_block *decoding; /* the block at the decoder; NULL: none */
  uint64_t ready;                    /* cycle at which the decoder can issue the next instruction */
  uint32_t pc;                       /* index of that instruction in the block */
  uint32_t loop_begin, loop_end;     /* the body of the loop; loop_end is 0 outside of loops */
  uint64_t loop_count, iteration;
  bool has_descriptors; /* an instruction of the body has ind */
  bool swaps_features;  /* F0 and F1 are swapped in this iteration */
  bool keeps_features;  /* the next iteration uses the source features of this one */
  bool has_broadcast;   /* the body has a load with bcast */
  graphagile_descriptor descriptor;
  uint64_t descriptor_iteration; /* iteration of `descriptor`, plus 1; 0: none was read */
  bool has_next;                 /* `next` is resolved and waits to be issued */
  graphagile_engine_op next;
  uint64_t stalled; /* cycle since which `next` waits */

  graphagile_engine_op fifo[GRAPHAGILE_ENGINE_FIFO];
  uint32_t fifo_first, fifo_count;
  uint64_t issued, finished; /* number of computes */
  bool is_computing;
  graphagile_engine_op compute;
  uint64_t compute_begin, compute_end;
  graphagile_cycles_lost compute_lost;
  uint64_t idle_since;    /* cycle at which the last compute ended */
  graphagile_opcode mode; /* last mode of the ACK; nop: none yet */
  bool is_cold;           /* the ACK was idle, so its pipelines are empty */

  graphagile_engine_op stores[GRAPHAGILE_ENGINE_STORES];
  uint32_t stores_first, stores_count; /* a ring; the first store may be under way */
  bool is_storing;

  graphagile_engine_wait wait; /* why the ACK is idle */
  unsigned awaited;            /* buffers whose loads it waits for, as a bit mask */
  uint64_t accounted;          /* cycle up to which the time is in `stats` */
  sim_unit stats;              /* cycles by GRAPHAGILE_ENGINE_STATE_* */
  sim_unit before;             /* the same at the beginning of the layer */

  graphagile_engine_buffer buffers[GRAPHAGILE_BUFFERS];
  graphagile_engine_port ports[GRAPHAGILE_ENGINE_PORTS];
  graphagile_sim_buffers contents; /* contents of the buffers; unused with is_timing_only */
  uint32_t held;                   /* number of its loads that are held for broadcast */
} graphagile_engine_pe;

/* A layer of the program; all layers are found when the simulator is created. */
typedef struct graphagile_engine_layer {
  uint64_t record; /* number of its CSI among the instructions of .text */
  graphagile_csi csi;
  uint64_t first_block; /* index in block_addresses */
} graphagile_engine_layer;

/* A load that is held for broadcast. share: PEs that share it, 0 where the load does not say;
 * group: number of their wave; deadline: cycle at which the load starts in any case. */
typedef struct graphagile_engine_held {
  int32_t pe;
  uint8_t buffer, share, group;
  uint64_t address, bytes, deadline;
} graphagile_engine_held;

typedef struct graphagile_hazard graphagile_hazard; /* sim/graphagile/hazard.h */

typedef struct graphagile_engine {
  const sim_host *host;
  const image *image;
  graphagile_device device;
  sim_options options;
  memory *memory;
  graphagile_cycles_table *cycles;
  graphagile_hazard *hazard; /* what the layer has loaded and stored */
  arena *arena;              /* for layers, PEs and statistics */

  graphagile_engine_layer *layers;
  int64_t num_layers;
  uint64_t *block_addresses; /* of all layers, in their order */
  uint64_t num_blocks, blocks_done;

  graphagile_engine_pe *pes;
  bandwidth **channels; /* one for all PEs, or one for each PE (memory=paper) */
  int32_t num_channels;
  trace *trace;
  uint64_t under_way, busy_since, busy_bytes; /* for the trace: transfers that are not complete, and since when, and
                                               * their bytes */
  report_names *names;                        /* for the trace */
  uint64_t sampled, sampled_busy;             /* for the trace: cycle of the last point of the bandwidth curve, and
                                               * busy cycles at that point */

  uint64_t now;
  status fault; /* the first fault, which ends the run */

  int64_t layer, end_layer;         /* the layer that runs; the layer at which this run ends */
  uint64_t layer_ready;             /* cycle at which its CSI has been read */
  uint64_t next_block, open_blocks; /* of the layer: blocks dispatched; blocks that are not complete */
  bool is_due;                      /* a PE may be able to take a block, or the layer is complete */

  graphagile_engine_held *held; /* in the order in which they were held */
  uint32_t num_held, held_capacity;

  sim_stats *stats;
  uint64_t base; /* cycles of the program before this run */
} graphagile_engine;

/* The statistics of the layer that runs. */
static inline sim_layer *graphagile_engine_layer_stats(graphagile_engine *s) {
  return &s->stats->layers[s->layer];
}

#endif
