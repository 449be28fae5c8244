/* Texts of faults and deadlocks. */
#include "sim/graphagile/fault.h"

#include "sim/graphagile/broadcast.h"

#include "isa/graphagile/graphagile.h"

#include <inttypes.h>
#include <stdio.h>

static const char *const mutex_names[] = {"EMPTY", "PENDING", "FULL"};

const char *graphagile_fault_buffer_name(const graphagile_engine_block *block, int buffer, char name[32]) {
  int logical = buffer;
  if (buffer >= GRAPHAGILE_F0)
    logical = GRAPHAGILE_F0 + (int)(((unsigned)(buffer - GRAPHAGILE_F0) + 3 - (block->serial - 1) % 3) % 3);
  const char *called = graphagile_value_name(GRAPHAGILE_VALUES_BUF, (uint64_t)logical);
  if (logical == buffer)
    snprintf(name, 32, "%s", called);
  else
    snprintf(name, 32, "%s (physical %s)", called, graphagile_value_name(GRAPHAGILE_VALUES_BUF, (uint64_t)buffer));
  return name;
}

static void print_layer(text *t, const graphagile_engine *s) {
  if (s->layer >= s->num_layers) return;
  const graphagile_csi *csi = &s->layers[s->layer].csi;
  text_printf(t, "layer %" PRIu64 " (%s), ", (uint64_t)csi->layer_id,
              graphagile_value_name(GRAPHAGILE_VALUES_LAYER, csi->layer_type));
}

static void print_insn(text *t, const graphagile_engine_block *block, uint32_t index, int64_t iteration) {
  text_printf(t, "instruction %" PRIu32 " `", index);
  graphagile_insn_print(t, &block->insns[index]);
  text_append(t, "`");
  if (iteration >= 0) text_printf(t, ", iteration %" PRId64, iteration);
}

__attribute__((format(printf, 3, 0))) static void keep(graphagile_engine *s, text *t, const char *format,
                                                       va_list args) {
  text_vprintf(t, format, args);
  if (!s->fault) s->fault = status_error(STATUS_CODE_format, "%s", text_str(t));
  text_free(t);
}

bool graphagile_fault_raise(graphagile_engine *s, const graphagile_engine_pe *pe, const graphagile_engine_op *op,
                            const char *format, ...) {
  text t = {0};
  va_list args;
  const graphagile_engine_block *block = op ? op->block : pe->decoding;
  print_layer(&t, s);
  if (block) {
    text_printf(&t, "block %" PRIu64 ", PE %" PRId32 ", ", block->number, pe->number);
    if (op)
      print_insn(&t, block, op->index, op->iteration);
    else
      print_insn(&t, block, pe->pc, pe->loop_end ? (int64_t)pe->iteration : -1);
    text_append(&t, ", ");
  }
  text_printf(&t, "cycle %" PRIu64 ": ", s->now);
  va_start(args, format);
  keep(s, &t, format, args);
  va_end(args);
  return false;
}

bool graphagile_fault_raise_layer(graphagile_engine *s, int64_t block, const char *format, ...) {
  text t = {0};
  va_list args;
  print_layer(&t, s);
  if (block >= 0) text_printf(&t, "block %" PRId64 ", ", block);
  text_printf(&t, "cycle %" PRIu64 ": ", s->now);
  va_start(args, format);
  keep(s, &t, format, args);
  va_end(args);
  return false;
}

static void print_buffer(text *t, const graphagile_engine_pe *pe, const graphagile_engine_block *block, int buffer) {
  char name[32];
  const graphagile_engine_buffer *b = &pe->buffers[buffer];
  text_printf(t, "%s is %s since cycle %" PRIu64, graphagile_fault_buffer_name(block, buffer, name),
              mutex_names[b->mutex], b->since);
  if (b->mutex != GRAPHAGILE_ENGINE_EMPTY && b->owner != block->serial) text_append(t, " for an earlier block");
  if (b->users) text_printf(t, " (named by %" PRIu32 " queued)", b->users);
}

static void print_decoder(text *t, const graphagile_engine_pe *pe) {
  const graphagile_engine_op *op = &pe->next;
  text_printf(t, "; PE %" PRId32 ": the decoder is at block %" PRIu64 ", ", pe->number, op->block->number);
  print_insn(t, op->block, op->index, op->iteration);
  text_printf(t, " since cycle %" PRIu64, pe->stalled);
  if (op->insn.op == GRAPHAGILE_OP_memrd) {
    text_append(t, op->insn.memrd.wait ? ", which waits for an EMPTY buffer: " : ", which waits until nothing uses ");
    print_buffer(t, pe, op->block, (int)op->insn.memrd.buffer);
  } else {
    text_append(t, op->insn.op == GRAPHAGILE_OP_memwr ? ", the store queue is full" : ", the ACK's queue is full");
  }
}

static void print_waiting(text *t, const graphagile_engine_pe *pe, const char *unit, const graphagile_engine_op *op,
                          unsigned buffers) {
  bool is_first = true;
  text_printf(t, "; PE %" PRId32 ": the %s waits with block %" PRIu64 ", ", pe->number, unit, op->block->number);
  print_insn(t, op->block, op->index, op->iteration);
  text_printf(t, ", issued at cycle %" PRIu64, op->issued);
  for (int i = 0; i < GRAPHAGILE_BUFFERS; i++) {
    if (!(buffers >> i & 1)) continue;
    text_append(t, is_first ? ": " : ", ");
    print_buffer(t, pe, op->block, i);
    is_first = false;
  }
}

/* Prints a held load for which too few PEs have asked. */
static void print_held(text *t, const graphagile_engine *s, uint32_t i) {
  const graphagile_engine_held *h = &s->held[i];
  const graphagile_engine_op *op = &s->pes[h->pe].buffers[h->buffer].load;
  text_printf(t, "; PE %" PRId32 ": a load of block %" PRIu64 ", ", h->pe, op->block->number);
  print_insn(t, op->block, op->index, op->iteration);
  text_printf(t, ", issued at cycle %" PRIu64 ": it is shared by %u PEs, and %" PRIu32 " have asked", op->issued,
              (unsigned)h->share, graphagile_broadcast_askers(s, i));
}

void graphagile_fault_raise_deadlock(graphagile_engine *s) {
  text t = {0};
  print_layer(&t, s);
  text_printf(&t, "cycle %" PRIu64 ": deadlock, nothing can happen any more", s->now);
  for (int32_t i = 0; i < s->device.num_pes; i++) {
    const graphagile_engine_pe *pe = &s->pes[i];
    if (pe->decoding && pe->has_next) print_decoder(&t, pe);
    if (pe->fifo_count) {
      const graphagile_engine_op *op = &pe->fifo[pe->fifo_first];
      print_waiting(&t, pe, "ACK", op, (unsigned)op->reads | op->writes | op->frees);
    }
    if (pe->stores_count && !pe->is_storing) {
      const graphagile_engine_op *op = &pe->stores[pe->stores_first];
      print_waiting(&t, pe, "store port", op, 1u << op->insn.memwr.buffer);
    }
  }
  for (uint32_t i = 0; i < s->num_held; i++) print_held(&t, s, i);
  if (!s->fault) s->fault = status_error(STATUS_CODE_format, "%s", text_str(&t));
  text_free(&t);
}
