/* The state of the simulated overlay that its parts share: Scheduler, PEs, memory channels. Inside
 * of sim/graphagile/ only.
 *
 * Time is whole cycles. At each cycle at which something happens the engine lets memory finish
 * transfers (sim/graphagile/transfer.h), then each PE that is due goes on as far as it can
 * (sim/graphagile/pe.h), then broadcasts and the Scheduler look at what came of it
 * (sim/graphagile/broadcast.h, sim/graphagile/scheduler.h). */
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

/* What a PE's ACK does, and tracks of traces: those of a PE, then those of the device. Cycles of an
 * instruction are compute as far as the array needs them at its peak; what banks, pipelines and the
 * RAW unit add is conflict, and what the largest destination row adds to that is hub_row. */
enum {
  GRAPHAGILE_ENGINE_STATE_compute,
  GRAPHAGILE_ENGINE_STATE_conflict,
  GRAPHAGILE_ENGINE_STATE_hub_row,
  GRAPHAGILE_ENGINE_STATE_fill,
  GRAPHAGILE_ENGINE_BUSY_STATES, /* those before are work */
  GRAPHAGILE_ENGINE_STATE_wait_broadcast = GRAPHAGILE_ENGINE_BUSY_STATES,
  GRAPHAGILE_ENGINE_STATE_wait_ddr,
  GRAPHAGILE_ENGINE_STATE_wait_store,
  GRAPHAGILE_ENGINE_STATE_wait_block,
  GRAPHAGILE_ENGINE_STATES
};
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

/* A buffer of the device is a slot: 8 * PE + buffer; 8 * PE + GRAPHAGILE_ENGINE_STORE_SLOT is the
 * PE's store port. */
enum { GRAPHAGILE_ENGINE_SLOTS = 8, GRAPHAGILE_ENGINE_STORE_SLOT = 7 };
#define GRAPHAGILE_ENGINE_NONE UINT32_MAX

/* Load ports of a PE, one per class of buffers (docs/simulator.md): loads of a class come one after
 * another, in the order they were asked for. */
enum { GRAPHAGILE_ENGINE_PORTS = 3, GRAPHAGILE_ENGINE_PORT_QUEUE = 3 };
typedef struct graphagile_engine_port {
  uint32_t leaders
      [GRAPHAGILE_ENGINE_PORT_QUEUE]; /* slots that keep the transfers; the first is under way, or waits for ports of other PEs */
  uint32_t count;
} graphagile_engine_port;

/* Mutex of a physical buffer (docs/simulator.md). */
typedef enum graphagile_engine_mutex {
  GRAPHAGILE_ENGINE_EMPTY,
  GRAPHAGILE_ENGINE_PENDING,
  GRAPHAGILE_ENGINE_FULL
} graphagile_engine_mutex;

/* A tiling block on a PE, decoded once. Slots are reused. */
typedef struct graphagile_engine_block {
  uint64_t serial; /* n of the PE's n-th block, from 1; buffers rotate by n - 1 */
  uint64_t number; /* in its layer */
  uint64_t address;
  graphagile_insn *insns;
  uint32_t count, capacity;
  uint32_t open;  /* computes, loads and stores issued and not over */
  bool is_issued; /* the decoder has issued the last instruction */
  uint64_t begin; /* dispatched at */
} graphagile_engine_block;

/* An instruction on its way: alternation, rotation, increments and descriptors are in its fields.
 * Buffers are bits 1 << GRAPHAGILE_E0 ... of physical buffers. */
typedef struct graphagile_engine_op {
  graphagile_insn insn;
  graphagile_engine_block *block;
  uint32_t index;               /* in the block */
  int64_t iteration;            /* of its LOOP, -1 outside */
  uint64_t rows;                /* memrd, memwr: rows per fiber, or edges */
  uint64_t sequence;            /* computes: number on this PE; stores: computes issued before */
  uint64_t issued;              /* cycle */
  uint8_t reads, writes, frees; /* of computes */
} graphagile_engine_op;

typedef struct graphagile_engine_buffer {
  graphagile_engine_mutex mutex;
  uint64_t owner;                /* serial of the block that filled it; it is that block's until EMPTY */
  uint64_t since;                /* cycle of the last change of mutex */
  uint32_t users;                /* computes and stores issued and not over that name it */
  bool is_loading;               /* a load was issued and is not over */
  bool is_held;                  /* that load is held for broadcast */
  graphagile_engine_op load;     /* that load */
  graphagile_cycles_piece piece; /* Edge Buffers */

  /* Of the transfer that serves the load: the buffer that asked first keeps it, `member` leads
   * through all that it serves. */
  uint32_t member;  /* slot of the next, GRAPHAGILE_ENGINE_NONE: last */
  uint32_t blocked; /* ports in whose queue it is not first */
  uint32_t pes;     /* that the transfer serves */
  uint64_t bytes;
  uint64_t arrives; /* cycle at which the memory's latency is over */
} graphagile_engine_buffer;

/* Why the ACK does nothing. */
typedef enum graphagile_engine_wait {
  GRAPHAGILE_ENGINE_WAIT_BLOCK,
  GRAPHAGILE_ENGINE_WAIT_LOAD,
  GRAPHAGILE_ENGINE_WAIT_STORE
} graphagile_engine_wait;

typedef struct graphagile_engine_pe {
  int32_t number;
  bool is_due;   /* something it may wait for has happened */
  uint64_t wake; /* cycle at which it goes on by itself */

  graphagile_engine_block *blocks; /* queue_blocks slots, first to complete first */
  uint32_t first, num_blocks;
  uint64_t serial; /* of the last block taken */

  graphagile_engine_block *decoding; /* NULL: nothing to decode */
  uint64_t ready;                    /* cycle at which the next instruction leaves the decoder */
  uint32_t pc;
  uint32_t loop_begin, loop_end; /* instructions of the body; end 0 outside of loops */
  uint64_t loop_count, iteration;
  bool has_descriptors; /* an instruction of the body has ind */
  bool swaps_features;  /* F0 and F1, in this iteration */
  bool keeps_features;  /* the next iteration uses this one's */
  bool has_broadcast;   /* the body has a load with bcast */
  graphagile_descriptor descriptor;
  uint64_t descriptor_iteration; /* the one `descriptor` is of, + 1; 0: none read */
  bool has_next;                 /* `next` is resolved and waits to be issued */
  graphagile_engine_op next;
  uint64_t stalled; /* cycle since which */

  graphagile_engine_op fifo[GRAPHAGILE_ENGINE_FIFO];
  uint32_t fifo_first, fifo_count;
  uint64_t issued, finished; /* computes */
  bool is_computing;
  graphagile_engine_op compute;
  uint64_t compute_begin, compute_end;
  graphagile_cycles_lost compute_lost;
  uint64_t idle_since;    /* end of the last compute */
  graphagile_opcode mode; /* nop: none yet */
  bool is_cold;           /* the pipelines have run dry */

  graphagile_engine_op stores[GRAPHAGILE_ENGINE_STORES];
  uint32_t stores_first, stores_count; /* the first may be under way */
  bool is_storing;

  graphagile_engine_wait wait; /* while the ACK is idle */
  unsigned awaited;            /* buffers whose loads it waits for, a bit each */
  uint64_t accounted;
  sim_unit stats;  /* ENGINE_STATE_* */
  sim_unit before; /* the same when the layer began */

  graphagile_engine_buffer buffers[GRAPHAGILE_BUFFERS];
  graphagile_engine_port ports[GRAPHAGILE_ENGINE_PORTS];
  graphagile_sim_buffers contents; /* of the buffers; functional only */
  uint32_t held;                   /* loads held for broadcast */
} graphagile_engine_pe;

/* A layer of the program, found when the simulator is made. */
typedef struct graphagile_engine_layer {
  uint64_t record; /* of .text */
  graphagile_csi csi;
  uint64_t first_block; /* in block_addresses */
} graphagile_engine_layer;

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
  graphagile_hazard *hazard; /* what the layer loads and stores */
  arena *arena;              /* layers, PEs, statistics */

  graphagile_engine_layer *layers;
  int64_t num_layers;
  uint64_t *block_addresses;
  uint64_t num_blocks, blocks_done;

  graphagile_engine_pe *pes;
  bandwidth **channels; /* one, or one per PE (memory=paper) */
  int32_t num_channels;
  trace *trace;
  uint64_t under_way, busy_since, busy_bytes; /* transfers asked for and not over, for the trace */
  report_names *names;                        /* of layers, for the trace */
  uint64_t sampled, sampled_busy;             /* cycle of the last sample of the bandwidth, and busy cycles then */

  uint64_t now;
  status fault; /* the first; ends the run */

  int64_t layer, end_layer;         /* that runs; behind the last of this run */
  uint64_t layer_ready;             /* its CSI has been read */
  uint64_t next_block, open_blocks; /* of the layer */
  bool is_due;                      /* a PE may be able to take a block, or the layer is over */

  graphagile_engine_held *held; /* loads waiting for broadcast, in the order they came */
  uint32_t num_held, held_capacity;

  sim_stats *stats;
  uint64_t base; /* cycles of the program before this run */
} graphagile_engine;

/* The statistics of the layer that runs. */
static inline sim_layer *graphagile_engine_layer_stats(graphagile_engine *s) {
  return &s->stats->layers[s->layer];
}

#endif
