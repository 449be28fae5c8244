/* A program of AGILE with one layer:
 *
 *   agile_program p;
 *   agile_program_begin(&p, a, 3, 4, 16, 8);                             nodes, messages, F, O
 *   agile_program_node(&p, 0, 2, AGILE_PRECISION_float_32);              node 0 has 2 neighbours
 *   agile_program_put(&p, 0, 1, 3, 0.5f);                                neighbour 1 of node 0: message 3, scale 0.5
 *   agile_program_pack(&p);                                              after changes of p.reg
 *
 * Nodes without a call have no neighbours. Messages come first in .features, results follow. */
#ifndef GNNC_TEST_UNIT_ISA_ISA_AGILE_FIXTURE_H
#define GNNC_TEST_UNIT_ISA_ISA_AGILE_FIXTURE_H

#include "isa/agile/format.h"
#include "isa/agile/program.h"
#include "isa/image/image.h"

#include <stdlib.h>
#include <string.h>

enum {
  AGILE_FIXTURE_NODES = 4096,
  AGILE_FIXTURE_WORDS = 1 << 16, /* of adjacency lists, and of scale factors */
  AGILE_FIXTURE_RECORDS = 128,
  AGILE_AT_DESC = 0x10000,
  AGILE_AT_EDGES = 0x1000000,
  AGILE_AT_WEIGHTS = 0x4000000,
  AGILE_AT_FEATURES = 0x10000000
};

typedef struct agile_program {
  arena *memory;
  uint64_t reg[AGILE_COUNT_REGISTER];
  agile_insn insns[AGILE_FIXTURE_RECORDS];
  int num_insns;
  uint64_t nodes, messages;
  uint64_t descs[AGILE_FIXTURE_NODES];
  uint32_t lists[2 * AGILE_FIXTURE_WORDS]; /* adjacency lists, then scale factors */
  uint64_t words;                          /* of each that are used */
  float *weights;                          /* [o][F rounded up to 16] */
  image image;
} agile_program;

static inline uint64_t agile_program_bits(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

static inline void agile_program_add(agile_program *p, agile_insn in) {
  if (p->num_insns == AGILE_FIXTURE_RECORDS) abort();
  p->insns[p->num_insns++] = in;
}

static inline void agile_program_write(agile_program *p, uint64_t reg, uint64_t value) {
  agile_program_add(p, (agile_insn){.op = AGILE_OP_write, .write = {.reg = reg, .value = value}});
}

static inline void agile_program_poll(agile_program *p, uint64_t reg) {
  agile_program_add(p, (agile_insn){.op = AGILE_OP_poll, .poll = {.reg = reg, .value = 1}});
}

static inline void agile_program_fetch(agile_program *p) {
  agile_program_write(p, AGILE_REGISTER_fetch_layer_weights, 1);
  agile_program_poll(p, AGILE_REGISTER_fetch_layer_weights_done);
  agile_program_write(p, AGILE_REGISTER_fetch_layer_weights_done_ack, 1);
}

static inline void agile_program_start(agile_program *p) {
  agile_program_write(p, AGILE_REGISTER_start_nodeslot_fetch, 1);
  agile_program_poll(p, AGILE_REGISTER_start_nodeslot_fetch_done);
  agile_program_write(p, AGILE_REGISTER_start_nodeslot_fetch_done_ack, 1);
  agile_program_poll(p, AGILE_REGISTER_nodeslots_empty);
}

/* The records of a layer with the registers. */
static inline void agile_program_layer(agile_program *p, uint64_t layer) {
  agile_program_add(p, (agile_insn){.op = AGILE_OP_layer, .layer = {.layer = layer}});
  for (uint64_t r = 0; r < AGILE_REGISTER_layer_config_valid; r++)
    if (p->reg[r]) agile_program_write(p, r, p->reg[r]);
  agile_program_write(p, AGILE_REGISTER_layer_config_valid, 1);
  agile_program_fetch(p);
  agile_program_start(p);
}

/* Encodes the records, `halt` behind them. */
static inline void agile_program_encode(agile_program *p) {
  size_t bytes = (size_t)(p->num_insns + 1) * AGILE_INSN_BYTES;
  unsigned char *code = arena_alloc(p->memory, bytes);
  agile_program_add(p, (agile_insn){.op = AGILE_OP_halt});
  for (int i = 0; i < p->num_insns; i++)
    if (isa_encode(&agile_isa, &p->insns[i], code + i * AGILE_INSN_BYTES)) abort();
  p->num_insns--;
  p->image.sections[IMAGE_TEXT] = (image_section){0, bytes, code};
}

/* Makes the program of one layer from the registers. */
static inline void agile_program_pack(agile_program *p) {
  p->num_insns = 0;
  agile_program_layer(p, 0);
  agile_program_encode(p);
}

/* Gives the arrays their places, for F and O in the registers. */
static inline void agile_program_place(agile_program *p) {
  uint64_t f = p->reg[AGILE_REGISTER_in_features], o = p->reg[AGILE_REGISTER_out_features];
  uint64_t results = p->messages * agile_row_bytes(f), bytes = o * agile_row_bytes(f);
  p->weights = arena_alloc(p->memory, bytes + 1);
  p->reg[AGILE_REGISTER_out_features_address] = AGILE_AT_FEATURES + results;
  p->image.sections[IMAGE_WEIGHTS] = (image_section){AGILE_AT_WEIGHTS, bytes, (const void *)p->weights};
  p->image.sections[IMAGE_FEATURES] = (image_section){AGILE_AT_FEATURES, results + p->nodes * agile_row_bytes(o), NULL};
}

static inline void agile_program_begin(agile_program *p, arena *a, uint64_t nodes, uint64_t messages, uint64_t f,
                                       uint64_t o) {
  memset(p, 0, sizeof *p);
  p->memory = a;
  p->nodes = nodes;
  p->messages = messages;
  device_default(&p->image.device, &agile_machine);
  p->image.isa_major = AGILE_MAJOR;
  p->image.compiler = "test";
  p->reg[AGILE_REGISTER_node_count] = nodes;
  p->reg[AGILE_REGISTER_nodeslots] = AGILE_AT_DESC;
  p->reg[AGILE_REGISTER_in_features] = f;
  p->reg[AGILE_REGISTER_out_features] = o;
  p->reg[AGILE_REGISTER_adjacency_list] = AGILE_AT_EDGES;
  p->reg[AGILE_REGISTER_scale_factors] = AGILE_AT_EDGES + AGILE_FIXTURE_WORDS * sizeof(uint32_t);
  p->reg[AGILE_REGISTER_in_messages] = AGILE_AT_FEATURES;
  p->reg[AGILE_REGISTER_weights] = AGILE_AT_WEIGHTS;
  p->reg[AGILE_REGISTER_precisions] = 1;
  p->image.sections[IMAGE_DESC] = (image_section){AGILE_AT_DESC, nodes * AGILE_DESC_BYTES, (const void *)p->descs};
  p->image.sections[IMAGE_EDGES] = (image_section){AGILE_AT_EDGES, sizeof p->lists, (const void *)p->lists};
  agile_program_place(p);
  agile_program_pack(p);
}

/* Gives a node that many neighbours: message 0 with scale 1. */
static inline void agile_program_node(agile_program *p, uint32_t node, uint32_t count, int precision) {
  if (p->words + count > AGILE_FIXTURE_WORDS) abort();
  p->descs[node] = agile_desc_pack((agile_desc){node, count, precision, (uint32_t)(p->words / AGILE_BEAT_WORDS), true});
  for (uint32_t k = 0; k < count; k++) p->lists[AGILE_FIXTURE_WORDS + p->words + k] = (uint32_t)agile_program_bits(1);
  p->words += agile_row_beats(count) * AGILE_BEAT_WORDS;
}

static inline void agile_program_put(agile_program *p, uint32_t node, uint32_t k, uint32_t message, float scale) {
  uint64_t at = agile_desc_unpack(p->descs[node]).list * (uint64_t)AGILE_BEAT_WORDS + k;
  p->lists[at] = message * (uint32_t)agile_row_bytes(p->reg[AGILE_REGISTER_in_features]);
  p->lists[AGILE_FIXTURE_WORDS + at] = (uint32_t)agile_program_bits(scale);
}

/* The weight of input f and output o. */
static inline float *agile_program_weight(agile_program *p, uint64_t f, uint64_t o) {
  return &p->weights[o * agile_row_bytes(p->reg[AGILE_REGISTER_in_features]) / sizeof(float) + f];
}

#endif
