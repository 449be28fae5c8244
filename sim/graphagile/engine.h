/* The state of the simulated overlay that its parts share: Scheduler, PEs, memory channels. Inside of sim/graphagile/ only.
 *
 * Time is whole cycles. At each cycle at which something happens the engine lets memory finish transfers (sim/graphagile/transfer.h), then each PE that is due goes on as far as it
 * can (sim/graphagile/pe.h), then broadcasts and the Scheduler look at what came of it (sim/graphagile/broadcast.h, sim/graphagile/scheduler.h). */
#ifndef GNNC_SIM_ENGINE_H
#define GNNC_SIM_ENGINE_H

#include "sim/common/bandwidth.h"
#include "sim/common/memory.h"
#include "sim/common/trace.h"
#include "sim/graphagile/cycles.h"
#include "sim/graphagile/execute.h"
#include "sim/sim_class.h"
#include "support/vec.h"

#define ENGINE_NEVER UINT64_MAX
enum { ENGINE_FIFO = 4, ENGINE_STORES = 16, ENGINE_OTHER = SIM_KINDS - 1 };

/* What a PE's ACK does, and tracks of traces: those of a PE, then those of the device. */
enum {
  ENGINE_STATE_compute,
  ENGINE_STATE_fill,
  ENGINE_STATE_wait_load,
  ENGINE_STATE_wait_store,
  ENGINE_STATE_wait_block,
  ENGINE_STATES
};
enum {
  ENGINE_TRACK_DECODER,
  ENGINE_TRACK_LOAD_E,
  ENGINE_TRACK_LOAD_W,
  ENGINE_TRACK_LOAD_F,
  ENGINE_TRACK_COMPUTE,
  ENGINE_TRACK_STORE,
  ENGINE_TRACK_SCHEDULER,
  ENGINE_TRACK_DDR
};

/* A buffer of the device is a slot: 8 * PE + buffer; 8 * PE + ENGINE_STORE_SLOT is the PE's store port. */
enum { ENGINE_SLOTS = 8, ENGINE_STORE_SLOT = 7 };
#define ENGINE_NONE UINT32_MAX

/* Load ports of a PE, one per class of buffers (spec E.1): loads of a class come one after another, in the order they were asked for. */
enum { ENGINE_PORTS = 3, ENGINE_PORT_QUEUE = 3 };
typedef struct engine_port {
  uint32_t leaders
      [ENGINE_PORT_QUEUE]; /* slots that keep the transfers; the first is under way, or waits for ports of other PEs */
  uint32_t count;
} engine_port;

/* Mutex of a physical buffer (spec E.4.2). */
typedef enum engine_mutex { ENGINE_EMPTY, ENGINE_PENDING, ENGINE_FULL } engine_mutex;

/* A tiling block on a PE, decoded once. Slots are reused. */
typedef struct engine_block {
  uint64_t serial; /* n of the PE's n-th block, from 1; buffers rotate by n - 1 */
  uint64_t number; /* in its layer */
  uint64_t address;
  graphagile_insn *insns;
  uint32_t count, capacity;
  uint32_t open;  /* computes, loads and stores issued and not over */
  bool is_issued; /* the decoder has issued the last instruction */
  uint64_t begin; /* dispatched at */
} engine_block;

/* An instruction on its way: alternation, rotation, increments and descriptors are in its fields. Buffers are bits 1 << GRAPHAGILE_E0 ... of physical buffers. */
typedef struct engine_op {
  graphagile_insn insn;
  engine_block *block;
  uint32_t index;               /* in the block */
  int64_t iteration;            /* of its LOOP, -1 outside */
  uint64_t rows;                /* memrd, memwr: rows per fiber, or edges */
  uint64_t sequence;            /* computes: number on this PE; stores: computes issued before */
  uint64_t issued;              /* cycle */
  uint8_t reads, writes, frees; /* of computes */
} engine_op;

typedef struct engine_buffer {
  engine_mutex mutex;
  uint64_t owner;     /* serial of the block that filled it; it is that block's until EMPTY */
  uint64_t since;     /* cycle of the last change of mutex */
  uint32_t users;     /* computes and stores issued and not over that name it */
  bool is_loading;    /* a load was issued and is not over */
  engine_op load;     /* that load */
  cycles_piece piece; /* Edge Buffers */

  /* Of the transfer that serves the load: the buffer that asked first keeps it, `member` leads through all that it serves. */
  uint32_t member;  /* slot of the next, ENGINE_NONE: last */
  uint32_t blocked; /* ports in whose queue it is not first */
  uint32_t pes;     /* that the transfer serves */
  uint64_t bytes;
  uint64_t arrives; /* cycle at which the memory's latency is over */
} engine_buffer;

/* Why the ACK does nothing. */
typedef enum engine_wait { ENGINE_WAIT_BLOCK, ENGINE_WAIT_LOAD, ENGINE_WAIT_STORE } engine_wait;

typedef struct engine_pe {
  int32_t number;
  bool is_due;   /* something it may wait for has happened */
  uint64_t wake; /* cycle at which it goes on by itself */

  engine_block *blocks; /* queue_blocks slots, first to complete first */
  uint32_t first, num_blocks;
  uint64_t serial; /* of the last block taken */

  engine_block *decoding; /* NULL: nothing to decode */
  uint64_t ready;         /* cycle at which the next instruction leaves the decoder */
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
  engine_op next;
  uint64_t stalled; /* cycle since which */

  engine_op fifo[ENGINE_FIFO];
  uint32_t fifo_first, fifo_count;
  uint64_t issued, finished; /* computes */
  bool is_computing;
  engine_op compute;
  uint64_t compute_begin, compute_end;
  uint64_t idle_since;    /* end of the last compute */
  graphagile_opcode mode; /* nop: none yet */
  bool is_cold;           /* the pipelines have run dry */

  engine_op stores[ENGINE_STORES];
  uint32_t stores_first, stores_count; /* the first may be under way */
  bool is_storing;

  engine_wait wait; /* while the ACK is idle */
  uint64_t accounted;
  sim_unit stats; /* ENGINE_STATE_* */

  engine_buffer buffers[GRAPHAGILE_BUFFERS];
  engine_port ports[ENGINE_PORTS];
  sim_buffers contents; /* of the buffers; functional only */
  uint32_t held;        /* loads held for broadcast */
} engine_pe;

/* A layer of the program, found when the simulator is made. */
typedef struct engine_layer {
  uint64_t record; /* of .text */
  graphagile_csi csi;
  uint64_t first_block; /* in block_addresses */
} engine_layer;

typedef struct engine_held {
  int32_t pe;
  uint8_t buffer, share, group;
  uint64_t address, bytes, deadline;
} engine_held;

typedef struct engine {
  const sim_host *host;
  const image *image;
  graphagile_device device;
  sim_options options;
  memory *memory;
  cycles_table *cycles;
  arena *arena; /* layers, PEs, statistics */

  engine_layer *layers;
  int64_t num_layers;
  uint64_t *block_addresses;
  uint64_t num_blocks, blocks_done;

  engine_pe *pes;
  bandwidth **channels; /* one, or one per PE (memory=paper) */
  int32_t num_channels;
  trace *trace;
  uint64_t under_way, busy_since, busy_bytes; /* transfers asked for and not over, for the trace */

  uint64_t now;
  status fault; /* the first; ends the run */

  int64_t layer, end_layer;         /* that runs; behind the last of this run */
  uint64_t layer_ready;             /* its CSI has been read */
  uint64_t next_block, open_blocks; /* of the layer */
  bool is_due;                      /* a PE may be able to take a block, or the layer is over */

  engine_held *held; /* loads waiting for broadcast, in the order they came */
  uint32_t num_held, held_capacity;

  sim_stats *stats;
  uint64_t base; /* cycles of the program before this run */
} engine;

/* The statistics of the layer that runs. */
static inline sim_layer *engine_layer_stats(engine *s) {
  return &s->stats->layers[s->layer];
}

#endif
