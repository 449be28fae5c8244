/* A program of Sextans with one or more launches that share Q, A, B and C:
 *
 *   sextans_program p;
 *   sextans_program_begin(&p, a, 65, 20, 9, 2, (int[]){3, 5});   m, k, n, windows and the slots of each
 *   sextans_program_put(&p, 1, 4, 0, 2, 0.5f);                   PE, slot, row, column, value
 *   sextans_program_pack(&p);                                    after changes of p.insns
 *
 * A consists of bubbles at first. The arrays follow one another in their sections, without gaps. */
#ifndef GNNC_TEST_UNIT_ISA_ISA_SEXTANS_FIXTURE_H
#define GNNC_TEST_UNIT_ISA_ISA_SEXTANS_FIXTURE_H

#include "isa/image/image.h"
#include "isa/sextans/format.h"
#include "isa/sextans/sextans.h"

#include <stdlib.h>
#include <string.h>

enum {
  SEXTANS_FIXTURE_RECORDS = 80,
  SEXTANS_FIXTURE_Q = 4096, /* numbers in .edges */
  SEXTANS_AT_EDGES = 0x10000,
  SEXTANS_AT_WEIGHTS = 0x100000,
  SEXTANS_AT_FEATURES = 0x10000000
};

typedef struct sextans_program {
  arena *memory;
  sextans_insn insns[SEXTANS_FIXTURE_RECORDS];
  int num_insns; /* without halt */
  int32_t q[SEXTANS_FIXTURE_Q];
  uint64_t *elements; /* [8 * slots * 8] */
  image image;
} sextans_program;

/* The launch that tests change. */
static inline sextans_spmm *sextans_program_launch(sextans_program *p) {
  return &p->insns[0].spmm;
}

/* Encodes the records, `halt` behind them. */
static inline void sextans_program_pack(sextans_program *p) {
  size_t bytes = (size_t)(p->num_insns + 1) * SEXTANS_INSN_BYTES;
  unsigned char *code = arena_alloc(p->memory, bytes);
  p->insns[p->num_insns] = (sextans_insn){.op = SEXTANS_OP_halt};
  for (int i = 0; i <= p->num_insns; i++)
    if (isa_encode(&sextans_isa, &p->insns[i], code + i * SEXTANS_INSN_BYTES)) abort();
  p->image.sections[IMAGE_TEXT] = (image_section){0, bytes, code};
}

static inline uint64_t sextans_program_bits(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

/* Gives every array its place, for the sizes in the launch. */
static inline void sextans_program_place(sextans_program *p) {
  sextans_spmm *in = sextans_program_launch(p);
  in->a_stride = (uint64_t)sextans_a_bytes((int64_t)in->slots);
  in->b_stride = (uint64_t)sextans_b_bytes((int64_t)in->k, (int64_t)in->n);
  in->c_stride = (uint64_t)sextans_c_bytes((int64_t)in->m, (int64_t)in->n);
  in->q = SEXTANS_AT_EDGES;
  in->a = SEXTANS_AT_WEIGHTS;
  in->b = SEXTANS_AT_FEATURES;
  in->c_in = in->b + SEXTANS_B_CHANNELS * in->b_stride;
  in->c_out = in->c_in + SEXTANS_C_CHANNELS * in->c_stride;
  p->image.sections[IMAGE_FEATURES] =
      (image_section){SEXTANS_AT_FEATURES, in->c_out + SEXTANS_C_CHANNELS * in->c_stride - in->b, NULL};
}

static inline void sextans_program_begin(sextans_program *p, arena *a, uint64_t m, uint64_t k, uint64_t n, int windows,
                                         const int *slots) {
  memset(p, 0, sizeof *p);
  p->memory = a;
  p->num_insns = 1;
  device_default(&p->image.device, &sextans_machine);
  for (int j = 0; j < windows; j++) p->q[j + 1] = p->q[j] + slots[j];
  p->insns[0] = (sextans_insn){.op = SEXTANS_OP_spmm};
  *sextans_program_launch(p) = (sextans_spmm){.n = n,
                                              .m = m,
                                              .k = k,
                                              .windows = (uint64_t)windows,
                                              .slots = (uint64_t)p->q[windows],
                                              .alpha = sextans_program_bits(1),
                                              .beta = sextans_program_bits(0)};
  size_t count = (size_t)p->q[windows] * SEXTANS_PES;
  p->elements = arena_alloc_array(a, count + 1, sizeof *p->elements);
  for (size_t i = 0; i < count; i++) p->elements[i] = SEXTANS_BUBBLE;
  p->image.isa_major = SEXTANS_MAJOR;
  p->image.compiler = "test";
  p->image.sections[IMAGE_EDGES] = (image_section){SEXTANS_AT_EDGES, sizeof p->q, (const void *)p->q};
  p->image.sections[IMAGE_WEIGHTS] =
      (image_section){SEXTANS_AT_WEIGHTS, count * sizeof *p->elements, count ? (const void *)p->elements : NULL};
  sextans_program_place(p);
  sextans_program_pack(p);
}

/* The element of a slot of a PE. */
static inline uint64_t *sextans_program_element(sextans_program *p, int pe, int64_t slot) {
  uint64_t channel = (uint64_t)(pe % SEXTANS_A_CHANNELS) * sextans_program_launch(p)->slots * SEXTANS_LANES;
  return &p->elements[channel + (uint64_t)sextans_a_index(slot, pe)];
}

static inline void sextans_program_put(sextans_program *p, int pe, int64_t slot, uint32_t row, uint32_t column,
                                       float value) {
  *sextans_program_element(p, pe, slot) = sextans_element(row, column, value);
}

/* Adds a launch like the first one. */
static inline sextans_spmm *sextans_program_add(sextans_program *p) {
  if (p->num_insns + 1 == SEXTANS_FIXTURE_RECORDS) abort();
  p->insns[p->num_insns] = p->insns[0];
  return &p->insns[p->num_insns++].spmm;
}

#endif
