/* Broadcast: one DDR transfer for several equal loads (see broadcast.h). */
#include "sim/graphagile/broadcast.h"

#include "sim/graphagile/pe.h"
#include "sim/graphagile/transfer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void graphagile_broadcast_hold(graphagile_engine *s, graphagile_engine_pe *pe, int buffer, uint64_t bytes) {
  if (s->num_held == s->held_capacity) {
    s->held_capacity = s->held_capacity ? 2 * s->held_capacity : 16;
    s->held = realloc(s->held, s->held_capacity * sizeof *s->held);
    if (!s->held) abort();
  }
  const graphagile_memrd *in = &pe->buffers[buffer].load.insn.memrd;
  s->held[s->num_held++] = (graphagile_engine_held){.pe = pe->number,
                                                    .buffer = (uint8_t)buffer,
                                                    .share = (uint8_t)in->share,
                                                    .group = (uint8_t)(in->share && !in->inc ? in->step : 0),
                                                    .address = in->addr * 4,
                                                    .bytes = bytes,
                                                    .deadline = in->share ? GRAPHAGILE_ENGINE_NEVER
                                                                          : s->now + GRAPHAGILE_BROADCAST_PATIENCE};
  pe->buffers[buffer].is_held = true;
  pe->held++;
}

/* Whether two held loads are for the same rows of the same tensor. The address alone does not say
 * how many rows. */
static bool is_same(const graphagile_engine *s, const graphagile_engine_held *a, const graphagile_engine_held *b) {
  const graphagile_engine_op *x = &s->pes[a->pe].buffers[a->buffer].load, *y = &s->pes[b->pe].buffers[b->buffer].load;
  return a->address == b->address && a->bytes == b->bytes && a->share == b->share && a->group == b->group &&
         x->rows == y->rows && x->insn.memrd.nfib == y->insn.memrd.nfib &&
         x->insn.memrd.stride == y->insn.memrd.stride && x->insn.memrd.form == y->insn.memrd.form;
}

/* How many of the loads equal to `chosen` one transfer serves: all of them; or, where loads say how
 * many PEs share them, a multiple of that number of PEs, because a part of the group would leave
 * the others waiting for ever. A second load of a PE, for its next piece over the same rows,
 * belongs to the group's next transfer. */
static uint32_t count_to_serve(const graphagile_engine *s, uint32_t chosen) {
  const graphagile_engine_held *leader = &s->held[chosen];
  uint32_t n = 0;
  if (leader->share) return graphagile_broadcast_askers(s, chosen) / leader->share * leader->share;
  for (uint32_t i = 0; i < s->num_held; i++) n += is_same(s, &s->held[i], leader);
  return n;
}

/* Whether the transfer that begins with the slot `first` serves the PE. */
static bool is_served(const graphagile_engine *s, uint32_t first, int32_t pe) {
  for (uint32_t slot = first; slot != GRAPHAGILE_ENGINE_NONE;
       slot = s->pes[slot / GRAPHAGILE_ENGINE_SLOTS].buffers[slot % GRAPHAGILE_ENGINE_SLOTS].member)
    if ((int32_t)(slot / GRAPHAGILE_ENGINE_SLOTS) == pe) return true;
  return false;
}

/* Starts one transfer for the load `chosen` and the loads equal to it, in the order in which they
 * were held; they are held no longer. */
static void serve(graphagile_engine *s, uint32_t chosen) {
  graphagile_engine_held leader = s->held[chosen];
  const graphagile_memrd *in = &s->pes[leader.pe].buffers[leader.buffer].load.insn.memrd;
  uint32_t wanted = count_to_serve(s, chosen);
  uint32_t kept = 0, served = 0, last = GRAPHAGILE_ENGINE_NONE, first = GRAPHAGILE_ENGINE_NONE;
  for (uint32_t i = 0; i < s->num_held; i++) {
    graphagile_engine_held h = s->held[i];
    if (served == wanted || !is_same(s, &h, &leader) || (leader.share && is_served(s, first, h.pe))) {
      s->held[kept++] = h;
      continue;
    }
    uint32_t slot = (uint32_t)h.pe * GRAPHAGILE_ENGINE_SLOTS + h.buffer;
    graphagile_engine_buffer *b = &s->pes[h.pe].buffers[h.buffer];
    if (last == GRAPHAGILE_ENGINE_NONE)
      first = slot;
    else
      s->pes[last / GRAPHAGILE_ENGINE_SLOTS].buffers[last % GRAPHAGILE_ENGINE_SLOTS].member = slot;
    graphagile_pe_account(s, &s->pes[h.pe]);
    b->is_held = false;
    b->member = GRAPHAGILE_ENGINE_NONE;
    b->bytes = h.bytes;
    last = slot;
    s->pes[h.pe].held--;
    served++;
  }
  s->num_held = kept;
  s->is_due = true; /* a PE may be able to take a block now */
  graphagile_engine_layer_stats(s)->bytes_read[in->kind] += leader.bytes;
  graphagile_engine_layer_stats(s)->bytes_shared += leader.bytes * (served - 1);
  graphagile_transfer_start_members(s, first);
}

static bool has_everyone_asked(const graphagile_engine *s) {
  for (int32_t i = 0; i < s->device.num_pes; i++) {
    const graphagile_engine_pe *pe = &s->pes[i];
    if (pe->decoding && pe->loop_end && pe->has_broadcast && !pe->held) return false;
  }
  return true;
}

uint32_t graphagile_broadcast_askers(const graphagile_engine *s, uint32_t i) {
  uint32_t n = 0;
  for (uint32_t k = 0; k < s->num_held; k++) {
    if (!is_same(s, &s->held[k], &s->held[i])) continue;
    bool is_first = true;
    if (s->pes[s->held[k].pe].held > 1)
      for (uint32_t j = 0; j < k && is_first; j++)
        is_first = s->held[j].pe != s->held[k].pe || !is_same(s, &s->held[j], &s->held[i]);
    n += is_first;
  }
  return n;
}

/* A held load for which all sharing PEs have asked or whose deadline has passed; num_held where
 * there is none. */
static uint32_t find_due(const graphagile_engine *s) {
  for (uint32_t i = 0; i < s->num_held; i++)
    if (s->held[i].deadline <= s->now || (s->held[i].share && graphagile_broadcast_askers(s, i) >= s->held[i].share))
      return i;
  return s->num_held;
}

/* Among the loads that do not say how many PEs share them, the one for which most PEs ask; num_held
 * where there is none. */
static uint32_t find_wanted(const graphagile_engine *s) {
  uint32_t chosen = s->num_held, most = 0;
  for (uint32_t i = 0; i < s->num_held; i++) {
    uint32_t n = s->held[i].share ? 0 : graphagile_broadcast_askers(s, i);
    if (!n || n < most || (n == most && s->held[i].address >= s->held[chosen].address)) continue;
    chosen = i;
    most = n;
  }
  return chosen;
}

void graphagile_broadcast_step(graphagile_engine *s) {
  for (;;) {
    uint32_t chosen = find_due(s);
    if (chosen == s->num_held && has_everyone_asked(s)) chosen = find_wanted(s);
    if (chosen == s->num_held) return;
    serve(s, chosen);
  }
}

uint64_t graphagile_broadcast_next(const graphagile_engine *s) {
  uint64_t next = GRAPHAGILE_ENGINE_NEVER;
  for (uint32_t i = 0; i < s->num_held; i++)
    if (s->held[i].deadline < next) next = s->held[i].deadline;
  return next;
}
