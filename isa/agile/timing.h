/* Cycles of the parts of AGILE (docs/devices/agile.md). The simulator counts by these rules, and the
 * compiler chooses by them. Times of parts that contain half a cycle (an even number of hops has a
 * mean of half a hop) are in half cycles; their names say so. */
#ifndef GNNC_ISA_AGILE_TIMING_H
#define GNNC_ISA_AGILE_TIMING_H

#include "isa/agile/format.h"

/* Cycles of a request of a read master: it takes one to accept, one for each burst of 64 beats, then
 * the latency, then the beats. */
static inline uint64_t agile_read_cycles(const agile_device *d, uint64_t beats) {
  return 1 + agile_ceil(beats, AGILE_BURST_BEATS) + (uint64_t)d->ddr_latency + beats;
}

/* An adjacency list; its entries go to the address queue one by one. */
static inline uint64_t agile_list_cycles(const agile_device *d, uint64_t entries) {
  return agile_read_cycles(d, agile_ceil(entries, AGILE_BEAT_WORDS)) + entries;
}

static inline uint64_t agile_scales_cycles(const agile_device *d, uint64_t entries) {
  return agile_read_cycles(d, agile_ceil(entries, AGILE_BEAT_WORDS));
}

static inline uint64_t agile_message_cycles(const agile_device *d, uint64_t beats) {
  return 1 + agile_read_cycles(d, beats);
}

/* Beats of a message. */
static inline uint64_t agile_message_beats(const agile_device *d, int precision, uint64_t features) {
  enum { BEAT_BITS = 8 * AGILE_BEAT_BYTES };
  if (!d->has_packed_messages) return agile_row_beats(features);
  return agile_ceil(features * (uint64_t)agile_precision_bits(precision), BEAT_BITS);
}

/* Weights of a layer in one precision: a request per row; each beat is handed on in 16 cycles. */
static inline uint64_t agile_weights_cycles(const agile_device *d, uint64_t f, uint64_t o) {
  return o * (2 + (uint64_t)d->ddr_latency + agile_row_beats(f) * (1 + AGILE_BEAT_WORDS));
}

/* The parts of an aggregation, in half cycles. A node of F features takes ceil(F / 16) cores. */
typedef struct agile_aggregation {
  uint64_t cores;
  uint64_t allocator; /* of the sequential allocation: one core after the other */
  uint64_t packets;   /* that tell cores what they do, and that ask for the buffer */
  uint64_t neighbour; /* each of its features to their core */
  uint64_t last;      /* the last packet on its way, and its sum */
  uint64_t store;     /* sums to the buffer */
  uint64_t done;      /* the packet to the manager */
} agile_aggregation;

static inline agile_aggregation agile_aggregation_of(const agile_device *d, uint64_t f) {
  enum { FEATURES_BITS = 512, ROUTER = 3, CONTROL = 2 };
  uint64_t packet = 1 + FEATURES_BITS / (uint64_t)d->flit_bits, cores = agile_row_beats(f);
  /* the mean way to a core: (columns + 1) / 2 hops in a row, a third of both sides in a mesh */
  uint64_t way = d->allocation == AGILE_ALLOCATION_static
                     ? (uint64_t)d->hop * ((uint64_t)d->columns + 1)
                     : (2 * (uint64_t)d->hop * ((uint64_t)d->rows + (uint64_t)d->columns) + 1) / 3;
  return (agile_aggregation){.cores = cores,
                             .allocator = 2 * (cores + 1),
                             .packets = 2 * cores * (CONTROL + ROUTER),
                             .neighbour = 2 * cores * (1 + packet + ROUTER),
                             .last = way + 2 * ROUTER,
                             .store = 2 * cores * (packet + 2) + way,
                             .done = 2 * 2 + way};
}

/* A pass of the transformation engine until buffer slots are free, and the rest of it, in which
 * `nodes` results are written. */
static inline uint64_t agile_pass_cycles(const agile_device *d, uint64_t f, uint64_t o) {
  uint64_t whole = (agile_row_beats(f) + agile_row_beats(o)) * AGILE_BEAT_WORDS;
  return 2 + (uint64_t)d->pulse * whole + 2 * (uint64_t)d->fte_rows + 4;
}

/* With one outstanding response, each row waits for that of the row before. */
static inline uint64_t agile_write_cycles(const agile_device *d, uint64_t o, uint64_t nodes) {
  uint64_t row = 1 + agile_row_beats(o), alone = row + (uint64_t)d->write_latency;
  uint64_t next = agile_ceil(alone, (uint64_t)d->write_outstanding);
  return (uint64_t)d->fte_rows + alone + (nodes - 1) * (next > row ? next : row);
}

#endif
