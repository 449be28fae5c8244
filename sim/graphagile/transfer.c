/* Loads and stores. A load that takes time is requested at once, or when broadcast has found the
 * loads that share its transfer. The buffer that asked first describes the transfer; its slot is
 * the leader. A transfer joins the queue of the load port of every PE that it serves. It flows when
 * it is first in all of them and the latency of the memory has passed, and at its end completes the
 * loads of all its members. Contents move between memory and buffers at that moment.
 *
 * With memory=paper loads and stores take no time and are complete when they start, except loads of
 * hidden tensors that are too large to stay on chip (docs/devices/graphagile.md, "The paper's
 * accounting"). Every PE has a channel of its own then, and nothing is broadcast. */
#include "sim/graphagile/transfer.h"

#include "sim/graphagile/broadcast.h"
#include "sim/graphagile/fault.h"
#include "sim/graphagile/hazard.h"

#include <inttypes.h>
#include <stdio.h>

/* Rounds up to 64 bytes. */
static uint64_t granules(uint64_t bytes) {
  return (bytes + BANDWIDTH_GRANULE - 1) / BANDWIDTH_GRANULE * BANDWIDTH_GRANULE;
}

uint64_t graphagile_transfer_bytes(const graphagile_insn *in, uint64_t rows, const graphagile_device *d) {
  uint64_t buffer = in->op == GRAPHAGILE_OP_memrd ? in->memrd.buffer : in->memwr.buffer;
  uint64_t form = in->op == GRAPHAGILE_OP_memrd ? in->memrd.form : in->memwr.form;
  uint64_t nfib = in->op == GRAPHAGILE_OP_memrd ? in->memrd.nfib : in->memwr.nfib;
  if (buffer < GRAPHAGILE_W0) return granules(rows * graphagile_edge_bytes(form));
  return (buffer < GRAPHAGILE_F0 ? 1 : nfib) * granules(rows * graphagile_row_bytes(d, form));
}

/* Whether a load or store takes no time. */
static bool is_free(const graphagile_engine *s, const graphagile_insn *in) {
  return s->device.memory == GRAPHAGILE_MEMORY_paper &&
         !(in->op == GRAPHAGILE_OP_memrd && in->memrd.kind == GRAPHAGILE_KIND_hidden &&
           memory_tensor_bytes(s->memory, in->memrd.addr * 4) > (uint64_t)s->device.reload_free_bytes);
}

static graphagile_engine_buffer *buffer_at(graphagile_engine *s, uint32_t slot) {
  return &s->pes[slot / GRAPHAGILE_ENGINE_SLOTS].buffers[slot % GRAPHAGILE_ENGINE_SLOTS];
}

static graphagile_engine_port *port_at(graphagile_engine *s, uint32_t slot) {
  uint32_t buffer = slot % GRAPHAGILE_ENGINE_SLOTS;
  return &s->pes[slot / GRAPHAGILE_ENGINE_SLOTS].ports[buffer < GRAPHAGILE_W0 ? 0 : buffer < GRAPHAGILE_F0 ? 1 : 2];
}

/* For the trace: DDR is busy while a transfer is requested and not complete. */
static void note_begin(graphagile_engine *s, uint64_t bytes) {
  if (!s->under_way++) {
    s->busy_since = s->now;
    s->busy_bytes = 0;
  }
  s->busy_bytes += bytes;
}

static void note_end(graphagile_engine *s) {
  char args[48];
  if (--s->under_way || !s->trace) return;
  snprintf(args, sizeof args, "{\"bytes\": %" PRIu64 "}", s->busy_bytes);
  trace_interval(s->trace, GRAPHAGILE_ENGINE_TRACK_DDR, 0, "busy", s->busy_since, s->now, args);
}

/* Requests bytes from the channel of a slot on behalf of `pes` PEs. They flow from cycle `arrives`
 * on, or from now on where `arrives` has passed. */
static void request(graphagile_engine *s, uint32_t slot, uint64_t bytes, uint64_t arrives, uint32_t pes) {
  bandwidth *channel = s->channels[s->num_channels == 1 ? 0 : slot / GRAPHAGILE_ENGINE_SLOTS];
  bandwidth_request(channel, arrives > s->now ? arrives : s->now, bytes, pes, slot);
}

/* The cycle at which the first byte of a request that is made now can flow. */
static uint64_t arrival(const graphagile_engine *s) {
  return s->now + (s->device.memory == GRAPHAGILE_MEMORY_paper ? 0 : (uint64_t)s->device.ddr_latency);
}

void graphagile_transfer_start_members(graphagile_engine *s, uint32_t leader) {
  graphagile_engine_buffer *b = buffer_at(s, leader);
  b->blocked = b->pes = 0;
  b->arrives = arrival(s);
  for (uint32_t slot = leader; slot != GRAPHAGILE_ENGINE_NONE; slot = buffer_at(s, slot)->member) {
    graphagile_engine_port *port = port_at(s, slot);
    if (port->count && port->leaders[port->count - 1] == leader)
      continue; /* two buffers of one PE receive the same rows */
    b->blocked += port->count > 0;
    b->pes++;
    port->leaders[port->count++] = leader;
  }
  note_begin(s, b->bytes);
  if (!b->blocked) request(s, leader, b->bytes, b->arrives, b->pes);
}

/* Removes the transfer of `leader` from the port of a slot. The next transfer in its queue starts
 * if it is first at its other ports, too. */
static void free_port(graphagile_engine *s, uint32_t slot, uint32_t leader) {
  graphagile_engine_port *port = port_at(s, slot);
  /* the port was freed already, for another buffer of the same PE */
  if (!port->count || port->leaders[0] != leader) return;
  port->count--;
  for (uint32_t i = 0; i < port->count; i++) port->leaders[i] = port->leaders[i + 1];
  if (!port->count) return;
  graphagile_engine_buffer *next = buffer_at(s, port->leaders[0]);
  if (!--next->blocked) request(s, port->leaders[0], next->bytes, next->arrives, next->pes);
}

static void set_mutex(const graphagile_engine *s, graphagile_engine_buffer *b, graphagile_engine_mutex mutex) {
  b->mutex = mutex;
  b->since = s->now;
}

/* Checks that the region of an instruction lies in one section of DDR; raises a fault otherwise. */
static bool check_region(graphagile_engine *s, const graphagile_engine_pe *pe, const graphagile_engine_op *op,
                         uint64_t address) {
  uint64_t size = graphagile_execute_span(&op->insn, op->rows, &s->device);
  if (!size || memory_covers(s->memory, address, size)) return true; /* a piece may have no edges */
  return graphagile_fault_raise(
      s, pe, op, "%" PRIu64 " bytes from address 0x%" PRIx64 " on are in no section of the image", size, address);
}

/* Records where in DDR the edges of an Edge Buffer are from; loads of values leave the record. A
 * load that waits for the empty buffer begins it anew. So does a load over edges of the load
 * before, and edges of the buffer in front of it are then unknown. */
static void note_piece(graphagile_engine_buffer *b, const graphagile_engine_op *op) {
  const graphagile_memrd *in = &op->insn.memrd;
  graphagile_cycles_piece *piece = &b->piece;
  if (in->buffer >= GRAPHAGILE_W0 || in->form == GRAPHAGILE_FORM_value) return;
  const graphagile_cycles_edges *last = &piece->loads[piece->num_loads ? piece->num_loads - 1 : 0];
  if (in->wait || (piece->num_loads && in->base < last->base + last->count)) piece->num_loads = 0;
  if (piece->num_loads < GRAPHAGILE_CYCLES_LOADS)
    piece->loads[piece->num_loads++] = (graphagile_cycles_edges){
        .address = in->addr * 4, .base = (uint32_t)in->base, .count = (uint32_t)op->rows, .form = in->form};
}

/* Completes the load into a buffer of the PE `number`. False after a fault. */
static bool finish_load(graphagile_engine *s, int32_t number, int buffer) {
  graphagile_engine_pe *pe = &s->pes[number];
  graphagile_engine_buffer *b = &pe->buffers[buffer];
  graphagile_engine_op *op = &b->load;
  pe->is_due = true;
  b->is_loading = false;
  if (op->insn.memrd.lock) set_mutex(s, b, GRAPHAGILE_ENGINE_FULL);
  op->block->open--;
  if (s->trace) {
    int32_t track = buffer < GRAPHAGILE_W0   ? GRAPHAGILE_ENGINE_TRACK_LOAD_E
                    : buffer < GRAPHAGILE_F0 ? GRAPHAGILE_ENGINE_TRACK_LOAD_W
                                             : GRAPHAGILE_ENGINE_TRACK_LOAD_F;
    char name[32];
    trace_interval(s->trace, track, number, graphagile_fault_buffer_name(op->block, buffer, name), op->issued, s->now,
                   NULL);
  }
  uint64_t address = op->insn.memrd.addr * 4, size = graphagile_execute_span(&op->insn, op->rows, &s->device);
  if (s->options.is_timing_only || !size) return true;
  const void *source = memory_read(s->memory, address, size);
  if (!source) return graphagile_fault_raise(s, pe, op, "address 0x%" PRIx64 " has no contents", address);
  const char *fault = graphagile_execute_load(&pe->contents, &op->insn, op->rows, source);
  return !fault || graphagile_fault_raise(s, pe, op, "%s", fault);
}

bool graphagile_transfer_start_load(graphagile_engine *s, graphagile_engine_pe *pe) {
  graphagile_engine_op *op = &pe->next;
  const graphagile_memrd *in = &op->insn.memrd;
  graphagile_engine_buffer *b = &pe->buffers[in->buffer];
  uint64_t bytes = graphagile_transfer_bytes(&op->insn, op->rows, &s->device);
  if (!check_region(s, pe, op, in->addr * 4) || !graphagile_hazard_note_load(s, pe, op)) return false;
  op->issued = s->now;
  op->block->open++;
  b->owner = op->block->serial;
  b->is_loading = true;
  b->load = *op;
  set_mutex(s, b, GRAPHAGILE_ENGINE_PENDING);
  note_piece(b, op);
  if (is_free(s, &op->insn)) {
    graphagile_engine_layer_stats(s)->bytes_read[in->kind] += bytes;
    return finish_load(s, pe->number, (int)in->buffer);
  }
  if (in->bcast && s->device.has_broadcast && s->num_channels == 1) {
    graphagile_broadcast_hold(s, pe, (int)in->buffer, bytes);
    return true;
  }
  graphagile_engine_layer_stats(s)->bytes_read[in->kind] += bytes;
  b->bytes = bytes;
  b->member = GRAPHAGILE_ENGINE_NONE;
  graphagile_transfer_start_members(s, (uint32_t)pe->number * GRAPHAGILE_ENGINE_SLOTS + (uint32_t)in->buffer);
  return true;
}

/* Completes the first store in the queue of the PE `number`. False after a fault. */
static bool finish_store(graphagile_engine *s, int32_t number) {
  graphagile_engine_pe *pe = &s->pes[number];
  graphagile_engine_op *op = &pe->stores[pe->stores_first];
  graphagile_engine_buffer *b = &pe->buffers[op->insn.memwr.buffer];
  const char *fault = NULL;
  pe->is_due = true;
  if (s->trace) {
    char name[32];
    graphagile_fault_buffer_name(op->block, (int)op->insn.memwr.buffer, name);
    trace_interval(s->trace, GRAPHAGILE_ENGINE_TRACK_STORE, number, name, op->issued, s->now, NULL);
  }
  uint64_t address = op->insn.memwr.addr * 4, size = graphagile_execute_span(&op->insn, op->rows, &s->device);
  if (!s->options.is_timing_only && size) {
    void *target = memory_write(s->memory, address, size, true);
    if (!target)
      return graphagile_fault_raise(s, pe, op, "%" PRIu64 " bytes from address 0x%" PRIx64 " on may not be written",
                                    size, address);
    fault = graphagile_execute_store(&pe->contents, &op->insn, op->rows, target);
    if (fault) return graphagile_fault_raise(s, pe, op, "%s", fault);
  }
  if (op->insn.memwr.unlock) set_mutex(s, b, GRAPHAGILE_ENGINE_EMPTY);
  b->users--;
  op->block->open--;
  pe->is_storing = false;
  pe->stores_first = (pe->stores_first + 1) % GRAPHAGILE_ENGINE_STORES;
  pe->stores_count--;
  return true;
}

bool graphagile_transfer_start_store(graphagile_engine *s, graphagile_engine_pe *pe) {
  graphagile_engine_op *op = &pe->stores[pe->stores_first];
  const graphagile_memwr *in = &op->insn.memwr;
  uint64_t bytes = graphagile_transfer_bytes(&op->insn, op->rows, &s->device);
  if (!check_region(s, pe, op, in->addr * 4) || !graphagile_hazard_note_store(s, pe, op)) return false;
  graphagile_engine_layer_stats(s)->bytes_written[in->kind] += bytes;
  op->issued = s->now;
  pe->is_storing = true;
  if (is_free(s, &op->insn)) return finish_store(s, pe->number);
  note_begin(s, bytes);
  request(s, (uint32_t)pe->number * GRAPHAGILE_ENGINE_SLOTS + GRAPHAGILE_ENGINE_STORE_SLOT, bytes, arrival(s), 1);
  return true;
}

/* Completes a transfer: the store of a store slot, or the loads of a leader and its members. */
static bool finish(graphagile_engine *s, uint32_t leader) {
  bool is_fine = true;
  note_end(s);
  if (leader % GRAPHAGILE_ENGINE_SLOTS == GRAPHAGILE_ENGINE_STORE_SLOT)
    return finish_store(s, (int32_t)(leader / GRAPHAGILE_ENGINE_SLOTS));
  for (uint32_t slot = leader, next; slot != GRAPHAGILE_ENGINE_NONE && is_fine; slot = next) {
    next = buffer_at(s, slot)->member;
    free_port(s, slot, leader);
    is_fine = finish_load(s, (int32_t)(slot / GRAPHAGILE_ENGINE_SLOTS), (int)(slot % GRAPHAGILE_ENGINE_SLOTS));
  }
  return is_fine;
}

bool graphagile_transfer_complete(graphagile_engine *s) {
  uint32_t tag;
  for (int32_t i = 0; i < s->num_channels; i++)
    while (bandwidth_take(s->channels[i], s->now, &tag))
      if (!finish(s, tag)) return false;
  return true;
}

uint64_t graphagile_transfer_next(const graphagile_engine *s) {
  uint64_t next = GRAPHAGILE_ENGINE_NEVER;
  for (int32_t i = 0; i < s->num_channels; i++) {
    uint64_t at = bandwidth_next(s->channels[i]);
    if (at < next) next = at;
  }
  return next;
}
