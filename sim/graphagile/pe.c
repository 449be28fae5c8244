/* What a PE does at one cycle: it ends a compute, starts a store, starts a compute and issues an
 * instruction, and repeats this until nothing changes.
 *
 * A full buffer belongs to the block that filled it: the next block of the same PE waits until the
 * buffer is EMPTY. */
#include "sim/graphagile/pe.h"

#include "isa/graphagile/timing.h"
#include "sim/graphagile/decoder.h"
#include "sim/graphagile/fault.h"
#include "sim/graphagile/scheduler.h"
#include "sim/graphagile/transfer.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void graphagile_pe_reset(graphagile_engine_pe *pe) {
  graphagile_engine_pe fresh = {
      .number = pe->number, .blocks = pe->blocks, .contents = pe->contents, .mode = GRAPHAGILE_OP_nop};
  fresh.wake = GRAPHAGILE_ENGINE_NEVER;
  fresh.is_cold = true;
  *pe = fresh;
}

bool graphagile_pe_can_take(const graphagile_engine *s, const graphagile_engine_pe *pe) {
  return !pe->decoding && !pe->held && pe->num_blocks < (uint32_t)s->device.queue_blocks;
}

bool graphagile_pe_take(graphagile_engine *s, graphagile_engine_pe *pe, uint64_t address, uint64_t number) {
  uint32_t slots = (uint32_t)s->device.queue_blocks;
  graphagile_engine_block *block = &pe->blocks[(pe->first + pe->num_blocks) % slots];
  block->serial = ++pe->serial;
  block->number = number;
  block->address = address;
  block->open = 0;
  block->is_issued = false;
  block->begin = s->now;
  pe->num_blocks++;
  if (!graphagile_decoder_read_block(s, block)) return false;
  pe->decoding = block;
  pe->pc = 0;
  pe->loop_end = 0;
  pe->has_next = false;
  pe->ready = s->now + (uint64_t)s->device.dispatch + 1;
  if (pe->ready < pe->wake) pe->wake = pe->ready;
  return true;
}

static void set_mutex(const graphagile_engine *s, graphagile_engine_buffer *b, graphagile_engine_mutex mutex) {
  if (b->mutex != mutex) b->since = s->now;
  b->mutex = mutex;
}

static void trace_compute(graphagile_engine *s, const graphagile_engine_pe *pe) {
  const graphagile_cycles_lost *lost = &pe->compute_lost;
  char args[96];
  snprintf(args, sizeof args, "{\"conflict_cycles\": %" PRIu64 ", \"hub_row_cycles\": %" PRIu64 "}", lost->conflict,
           lost->hub_row);
  trace_interval(s->trace, GRAPHAGILE_ENGINE_TRACK_COMPUTE, pe->number, graphagile_insn_name(pe->compute.insn.op),
                 pe->compute_begin, s->now, lost->conflict || lost->hub_row ? args : NULL);
}

static bool end_compute(graphagile_engine *s, graphagile_engine_pe *pe) {
  graphagile_engine_op *op = &pe->compute;
  unsigned named = (unsigned)op->reads | op->writes | op->frees;
  for (int i = 0; i < GRAPHAGILE_BUFFERS; i++) {
    graphagile_engine_buffer *b = &pe->buffers[i];
    if (!(named >> i & 1)) continue;
    b->users--;
    if (op->frees >> i & 1) {
      set_mutex(s, b, GRAPHAGILE_ENGINE_EMPTY);
    } else if (op->writes >> i & 1) {
      set_mutex(s, b, GRAPHAGILE_ENGINE_FULL);
      b->owner = op->block->serial;
    }
  }
  pe->is_computing = false;
  pe->idle_since = s->now;
  pe->finished++;
  op->block->open--;
  graphagile_engine_layer_stats(s)->multiply_adds += graphagile_cycles_multiply_adds(&op->insn, &s->device);
  if (s->trace) trace_compute(s, pe);
  if (s->options.is_timing_only) return true;
  const char *fault = graphagile_execute_compute(&pe->contents, &op->insn);
  return !fault || graphagile_fault_raise(s, pe, op, "%s", fault);
}

/* Whether a store that was issued before a compute is not complete, and the compute changes the
 * stored buffer, or reads it although the store will release it. */
static bool is_stored_before(const graphagile_engine_pe *pe, const graphagile_engine_op *op) {
  for (uint32_t i = 0; i < pe->stores_count; i++) {
    const graphagile_engine_op *store = &pe->stores[(pe->stores_first + i) % GRAPHAGILE_ENGINE_STORES];
    unsigned buffers = (unsigned)op->writes | op->frees | (store->insn.memwr.unlock ? op->reads : 0u);
    if (store->sequence < op->sequence && buffers >> store->insn.memwr.buffer & 1) return true;
  }
  return false;
}

typedef enum verdict { VERDICT_go, VERDICT_wait, VERDICT_fault } verdict;

/* Whether a compute finds its buffers in the states that it needs; sets pe->wait where it has to
 * wait. */
static verdict judge_buffers(graphagile_engine *s, graphagile_engine_pe *pe, const graphagile_engine_op *op) {
  unsigned needed = op->reads | (op->frees & ~(unsigned)op->writes);
  verdict v = VERDICT_go;
  char name[32];
  pe->awaited = 0;
  /* checked first, because a store may itself wait for the load of its buffer, and may make the
   * buffer EMPTY */
  if (is_stored_before(pe, op)) {
    pe->wait = GRAPHAGILE_ENGINE_WAIT_STORE;
    return VERDICT_wait;
  }
  for (int i = 0; i < GRAPHAGILE_BUFFERS; i++) {
    graphagile_engine_buffer *b = &pe->buffers[i];
    bool is_foreign = b->mutex != GRAPHAGILE_ENGINE_EMPTY && b->owner != op->block->serial;
    if (needed >> i & 1) {
      if (b->mutex == GRAPHAGILE_ENGINE_EMPTY || is_foreign) {
        graphagile_fault_raise(s, pe, op, "source %s is EMPTY%s and no load is under way",
                               graphagile_fault_buffer_name(op->block, i, name), is_foreign ? " for this block" : "");
        return VERDICT_fault;
      }
      if (b->mutex == GRAPHAGILE_ENGINE_PENDING) {
        pe->wait = GRAPHAGILE_ENGINE_WAIT_LOAD;
        pe->awaited |= 1u << i;
        v = VERDICT_wait;
      }
    } else if (op->writes >> i & 1) {
      if (is_foreign) {
        pe->wait = GRAPHAGILE_ENGINE_WAIT_STORE;
        v = VERDICT_wait;
      } else if (b->mutex == GRAPHAGILE_ENGINE_PENDING) {
        graphagile_fault_raise(s, pe, op, "destination %s is being loaded",
                               graphagile_fault_buffer_name(op->block, i, name));
        return VERDICT_fault;
      }
    }
  }
  return v;
}

/* Cycles to fill the pipelines: after idleness, and, with one cycle for the switch, after a change
 * of mode. Instructions without a mode leave the pipelines as they are. */
static uint64_t fill_cycles(const graphagile_engine *s, graphagile_engine_pe *pe, graphagile_opcode op) {
  if (s->now > pe->idle_since) pe->is_cold = true;
  if (!graphagile_cycles_has_mode(op)) return 0;
  uint64_t fill = (uint64_t)s->device.fill, cycles = pe->mode != op ? fill + GRAPHAGILE_TIMING_SWITCH
                                                     : pe->is_cold  ? fill
                                                                    : 0;
  if (pe->mode == GRAPHAGILE_OP_nop) cycles = fill;
  pe->mode = op;
  pe->is_cold = false;
  return cycles;
}

static verdict start_compute(graphagile_engine *s, graphagile_engine_pe *pe) {
  graphagile_engine_op *op = &pe->fifo[pe->fifo_first];
  verdict v = judge_buffers(s, pe, op);
  if (v != VERDICT_go) return v;
  const graphagile_cycles_piece *piece =
      &pe->buffers[op->reads & 1 << GRAPHAGILE_E1 ? GRAPHAGILE_E1 : GRAPHAGILE_E0].piece;
  graphagile_cycles_lost *lost = &pe->compute_lost;
  uint64_t fill = fill_cycles(s, pe, op->insn.op), cycles = graphagile_cycles_of(s->cycles, &op->insn, piece, lost);
  pe->compute = *op;
  pe->fifo_first = (pe->fifo_first + 1) % GRAPHAGILE_ENGINE_FIFO;
  pe->fifo_count--;
  pe->is_computing = true;
  pe->compute_begin = s->now;
  pe->compute_end = s->now + fill + cycles;
  pe->stats.in[GRAPHAGILE_ENGINE_STATE_fill] += fill;
  pe->stats.in[GRAPHAGILE_ENGINE_STATE_compute] += cycles - lost->conflict - lost->hub_row;
  pe->stats.in[GRAPHAGILE_ENGINE_STATE_conflict] += lost->conflict;
  pe->stats.in[GRAPHAGILE_ENGINE_STATE_hub_row] += lost->hub_row;
  pe->accounted = pe->compute_end;
  return VERDICT_go;
}

static verdict start_store(graphagile_engine *s, graphagile_engine_pe *pe) {
  const graphagile_engine_op *op = &pe->stores[pe->stores_first];
  const graphagile_engine_buffer *b = &pe->buffers[op->insn.memwr.buffer];
  char name[32];
  if (pe->finished < op->sequence) return VERDICT_wait;
  if (b->mutex == GRAPHAGILE_ENGINE_PENDING && b->owner == op->block->serial) return VERDICT_wait;
  if (b->mutex != GRAPHAGILE_ENGINE_FULL || b->owner != op->block->serial) {
    graphagile_fault_raise(s, pe, op, "%s is EMPTY when it is stored",
                           graphagile_fault_buffer_name(op->block, (int)op->insn.memwr.buffer, name));
    return VERDICT_fault;
  }
  return graphagile_transfer_start_store(s, pe) ? VERDICT_go : VERDICT_fault;
}

static verdict issue_load(graphagile_engine *s, graphagile_engine_pe *pe) {
  const graphagile_memrd *in = &pe->next.insn.memrd;
  const graphagile_engine_buffer *b = &pe->buffers[in->buffer];
  char name[32];
  if (b->users || b->is_loading) return VERDICT_wait;
  if (in->wait) {
    if (b->mutex != GRAPHAGILE_ENGINE_EMPTY) return VERDICT_wait;
  } else if (b->mutex == GRAPHAGILE_ENGINE_EMPTY || b->owner != pe->decoding->serial) {
    graphagile_fault_raise(s, pe, &pe->next, "%s is EMPTY, and a load without wait adds to one that is not",
                           graphagile_fault_buffer_name(pe->decoding, (int)in->buffer, name));
    return VERDICT_fault;
  }
  return graphagile_transfer_start_load(s, pe) ? VERDICT_go : VERDICT_fault;
}

static verdict issue_store(graphagile_engine *s, graphagile_engine_pe *pe) {
  graphagile_engine_op *op = &pe->next;
  if (pe->stores_count == GRAPHAGILE_ENGINE_STORES) return VERDICT_wait;
  op->issued = s->now;
  op->sequence = pe->issued;
  op->block->open++;
  pe->buffers[op->insn.memwr.buffer].users++;
  pe->stores[(pe->stores_first + pe->stores_count++) % GRAPHAGILE_ENGINE_STORES] = *op;
  return VERDICT_go;
}

static verdict issue_compute(graphagile_engine *s, graphagile_engine_pe *pe) {
  graphagile_engine_op *op = &pe->next;
  unsigned named = (unsigned)op->reads | op->writes | op->frees;
  if (pe->fifo_count == GRAPHAGILE_ENGINE_FIFO) return VERDICT_wait;
  op->issued = s->now;
  op->sequence = ++pe->issued;
  op->block->open++;
  for (int i = 0; i < GRAPHAGILE_BUFFERS; i++) pe->buffers[i].users += named >> i & 1;
  pe->fifo[(pe->fifo_first + pe->fifo_count++) % GRAPHAGILE_ENGINE_FIFO] = *op;
  return VERDICT_go;
}

static void end_decoding(graphagile_engine *s, graphagile_engine_pe *pe) {
  graphagile_engine_block *block = pe->decoding;
  if (s->trace) {
    char name[32];
    snprintf(name, sizeof name, "block %" PRIu64, block->number);
    trace_interval(s->trace, GRAPHAGILE_ENGINE_TRACK_DECODER, pe->number, name, block->begin, s->now, NULL);
  }
  block->is_issued = true;
  pe->decoding = NULL;
  s->is_due = true;
}

/* Whether the next instruction loads features that the iteration before has left in the buffer. */
static bool is_there(const graphagile_engine_pe *pe) {
  const graphagile_memrd *in = &pe->next.insn.memrd;
  return pe->next.insn.op == GRAPHAGILE_OP_memrd && in->ind && in->buffer >= GRAPHAGILE_F0 && pe->descriptor.reuse;
}

/* Issues the instruction at the decoder; to be called in its cycle. */
static verdict issue(graphagile_engine *s, graphagile_engine_pe *pe) {
  const graphagile_insn *in = &pe->decoding->insns[pe->pc];
  verdict v = VERDICT_go;
  if (in->op == GRAPHAGILE_OP_loop) {
    graphagile_decoder_begin_loop(pe);
    graphagile_engine_layer_stats(s)->instructions++;
    pe->ready = s->now + 1;
    return VERDICT_go;
  }
  if (in->op != GRAPHAGILE_OP_nop) {
    if (!pe->has_next && !graphagile_decoder_resolve(s, pe)) return VERDICT_fault;
    if (!pe->has_next) pe->stalled = s->now;
    pe->has_next = true;
    if (is_there(pe))
      v = VERDICT_go;
    else
      v = in->op == GRAPHAGILE_OP_memrd   ? issue_load(s, pe)
          : in->op == GRAPHAGILE_OP_memwr ? issue_store(s, pe)
                                          : issue_compute(s, pe);
  }
  if (v != VERDICT_go) return v;
  pe->has_next = false;
  pe->ready = s->now + 1;
  graphagile_engine_layer_stats(s)->instructions++;
  if (graphagile_decoder_advance(pe)) end_decoding(s, pe);
  return v;
}

static bool end_blocks(graphagile_engine *s, graphagile_engine_pe *pe) {
  char name[32];
  while (pe->num_blocks) {
    graphagile_engine_block *block = &pe->blocks[pe->first];
    if (!block->is_issued || block->open) break;
    for (int i = 0; i < GRAPHAGILE_BUFFERS; i++)
      if (pe->buffers[i].mutex != GRAPHAGILE_ENGINE_EMPTY && pe->buffers[i].owner == block->serial)
        return graphagile_fault_raise_layer(s, (int64_t)block->number,
                                            "%s of PE %" PRId32 " is %s at the end of the block",
                                            graphagile_fault_buffer_name(block, i, name), pe->number,
                                            pe->buffers[i].mutex == GRAPHAGILE_ENGINE_FULL ? "FULL" : "PENDING");
    pe->first = (pe->first + 1) % (uint32_t)s->device.queue_blocks;
    pe->num_blocks--;
    graphagile_scheduler_end_block(s);
  }
  return true;
}

/* Makes the PE wait for the load into a buffer if one is under way, else for stores. */
static void wait_for(graphagile_engine_pe *pe, uint64_t buffer) {
  bool is_loading = pe->buffers[buffer].is_loading;
  pe->wait = is_loading ? GRAPHAGILE_ENGINE_WAIT_LOAD : GRAPHAGILE_ENGINE_WAIT_STORE;
  pe->awaited = is_loading ? 1u << buffer : 0;
}

/* Finds out why an ACK with an empty queue is idle. */
static void find_idle_reason(graphagile_engine_pe *pe) {
  pe->awaited = 0;
  if (pe->decoding && pe->has_next && pe->next.insn.op == GRAPHAGILE_OP_memrd)
    wait_for(pe, pe->next.insn.memrd.buffer);
  else if (!pe->stores_count)
    pe->wait = GRAPHAGILE_ENGINE_WAIT_BLOCK;
  else if (pe->is_storing)
    pe->wait = GRAPHAGILE_ENGINE_WAIT_STORE;
  else
    wait_for(pe, pe->stores[pe->stores_first].insn.memwr.buffer);
}

static bool is_any_held(const graphagile_engine_pe *pe) {
  for (int i = 0; i < GRAPHAGILE_BUFFERS; i++)
    if (pe->awaited >> i & 1 && pe->buffers[i].is_held) return true;
  return false;
}

/* Whether the layer has no block left for the PE. */
static bool is_done(const graphagile_engine *s, const graphagile_engine_pe *pe) {
  return !pe->num_blocks && s->next_block == s->layers[s->layer].csi.num_blocks;
}

void graphagile_pe_account(const graphagile_engine *s, graphagile_engine_pe *pe) {
  if (pe->is_computing || pe->accounted >= s->now) return;
  uint64_t cycles = s->now - pe->accounted;
  if (pe->wait == GRAPHAGILE_ENGINE_WAIT_LOAD)
    pe->stats.in[is_any_held(pe) ? GRAPHAGILE_ENGINE_STATE_wait_broadcast : GRAPHAGILE_ENGINE_STATE_wait_ddr] += cycles;
  if (pe->wait == GRAPHAGILE_ENGINE_WAIT_STORE) pe->stats.in[GRAPHAGILE_ENGINE_STATE_wait_store] += cycles;
  if (pe->wait == GRAPHAGILE_ENGINE_WAIT_BLOCK && !is_done(s, pe))
    pe->stats.in[GRAPHAGILE_ENGINE_STATE_wait_block] += cycles;
  pe->accounted = s->now;
}

void graphagile_pe_end_layer(const graphagile_engine *s, graphagile_engine_pe *pe, sim_layer *layer) {
  uint64_t busy = 0;
  graphagile_pe_account(s, pe);
  for (int k = 0; k < GRAPHAGILE_ENGINE_STATES; k++) {
    uint64_t cycles = pe->stats.in[k] - pe->before.in[k];
    layer->in[k] += cycles;
    if (k < GRAPHAGILE_ENGINE_BUSY_STATES) busy += cycles;
  }
  if (busy > layer->busy_most) layer->busy_most = busy;
  pe->before = pe->stats;
}

bool graphagile_pe_step(graphagile_engine *s, graphagile_engine_pe *pe) {
  bool moved = true, is_stalled = false;
  graphagile_pe_account(s, pe);
  while (moved) {
    verdict v = VERDICT_wait;
    moved = false;
    if (pe->is_computing && pe->compute_end <= s->now) {
      if (!end_compute(s, pe)) return false;
      moved = true;
    }
    if (pe->stores_count && !pe->is_storing) {
      v = start_store(s, pe);
      if (v == VERDICT_fault) return false;
      moved |= v == VERDICT_go;
    }
    if (!pe->is_computing && pe->fifo_count) {
      v = start_compute(s, pe);
      if (v == VERDICT_fault) return false;
      moved |= v == VERDICT_go;
    }
    if (pe->decoding && pe->ready <= s->now) {
      v = issue(s, pe);
      if (v == VERDICT_fault) return false;
      is_stalled = v == VERDICT_wait;
      moved |= v == VERDICT_go;
    }
  }
  if (!end_blocks(s, pe)) return false;
  if (!pe->is_computing && !pe->fifo_count) find_idle_reason(pe);
  pe->is_due = false;
  pe->wake = pe->is_computing ? pe->compute_end : GRAPHAGILE_ENGINE_NEVER;
  if (pe->decoding && !is_stalled && pe->ready < pe->wake) pe->wake = pe->ready;
  return true;
}
