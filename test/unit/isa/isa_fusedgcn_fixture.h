/* A program of FusedGCN with a LOADW, a LAYER and a RUN over all rows, to which records are added:
 *
 *   fusedgcn_program p;
 *   fusedgcn_program_begin(&p, a, NULL, 3, 4, 20, 5, (int[]){2, 0, 1});   device, n, h_rows, i, o, non-zeros of each row
 *   p.col[0] = 3; p.val[0] = bf16_nearest(0.5f);
 *   *fusedgcn_program_weight(&p, 19, 4) = bf16_nearest(2);
 *   fusedgcn_program_pack(&p);                                            after changes of p.insns
 *
 * The columns of a row are 0, 1, .. at first, all values, weights and biases 0. H and OUT are in
 * .features, without gaps between rows. */
#ifndef GNNC_TEST_UNIT_ISA_ISA_FUSEDGCN_FIXTURE_H
#define GNNC_TEST_UNIT_ISA_ISA_FUSEDGCN_FIXTURE_H

#include "isa/fusedgcn/bf16.h"
#include "isa/fusedgcn/fusedgcn.h"
#include "isa/fusedgcn/timing.h"
#include "isa/image/image.h"

#include <stdlib.h>
#include <string.h>

enum {
  FUSEDGCN_FIXTURE_RECORDS = 160,
  FUSEDGCN_AT_EDGES = 0x100000,
  FUSEDGCN_AT_WEIGHTS = 0x1000000,
  FUSEDGCN_AT_FEATURES = 0x10000000,
};

typedef struct fusedgcn_program {
  arena *memory;
  fusedgcn_insn insns[FUSEDGCN_FIXTURE_RECORDS];
  int num_insns; /* without halt */
  int32_t *pos, *col;
  uint16_t *val;
  uint16_t *w; /* the stream */
  image image;
} fusedgcn_program;

static inline fusedgcn_loadw *fusedgcn_program_loadw(fusedgcn_program *p) {
  return &p->insns[0].loadw;
}

static inline fusedgcn_layer *fusedgcn_program_layer(fusedgcn_program *p) {
  return &p->insns[1].layer;
}

static inline fusedgcn_run *fusedgcn_program_run(fusedgcn_program *p) {
  return &p->insns[2].run;
}

/* Encodes the records, `halt` behind them. */
static inline void fusedgcn_program_pack(fusedgcn_program *p) {
  size_t bytes = (size_t)(p->num_insns + 1) * FUSEDGCN_INSN_BYTES;
  unsigned char *code = arena_alloc(p->memory, bytes);
  p->insns[p->num_insns] = (fusedgcn_insn){.op = FUSEDGCN_OP_halt};
  for (int i = 0; i <= p->num_insns; i++)
    if (isa_encode(&fusedgcn_isa, &p->insns[i], code + i * FUSEDGCN_INSN_BYTES)) abort();
  p->image.sections[IMAGE_TEXT] = (image_section){0, bytes, code};
}

static inline uint64_t fusedgcn_program_align(uint64_t bytes) {
  return (bytes + 63) / 64 * 64;
}

/* Gives S its numbers and its place. */
static inline void fusedgcn_program_make_s(fusedgcn_program *p, const int *nonzeros) {
  fusedgcn_layer *l = fusedgcn_program_layer(p);
  for (uint64_t row = 0; row < l->n; row++) l->nnz += (uint64_t)nonzeros[row];
  uint64_t pos = fusedgcn_program_align((l->n + 1) * sizeof *p->pos),
           col = fusedgcn_program_align(l->nnz * sizeof *p->col);
  uint64_t bytes = pos + col + fusedgcn_program_align(l->nnz * sizeof *p->val);
  unsigned char *edges = arena_alloc(p->memory, bytes);
  memset(edges, 0, bytes);
  p->pos = (void *)edges;
  p->col = (void *)(edges + pos);
  p->val = (void *)(edges + pos + col);
  for (uint64_t row = 0; row < l->n; row++) {
    p->pos[row + 1] = p->pos[row] + nonzeros[row];
    for (int j = 0; j < nonzeros[row]; j++) p->col[p->pos[row] + j] = j;
  }
  l->s_pos = FUSEDGCN_AT_EDGES;
  l->s_col = l->s_pos + pos;
  l->s_val = l->s_col + col;
  p->image.sections[IMAGE_EDGES] = (image_section){FUSEDGCN_AT_EDGES, bytes, edges};
}

/* Gives H, OUT and the stream their places, for the sizes in the LAYER. */
static inline void fusedgcn_program_place(fusedgcn_program *p) {
  fusedgcn_layer *l = fusedgcn_program_layer(p);
  fusedgcn_loadw *w = fusedgcn_program_loadw(p);
  const fusedgcn_device *d = &p->image.device.fusedgcn;
  l->kt = fusedgcn_kt(d, l->i);
  l->rt = fusedgcn_rt(d, l->o);
  w->tiles = l->kt * l->rt;
  w->biases = l->rt;
  w->w = FUSEDGCN_AT_WEIGHTS;
  uint64_t bytes = fusedgcn_program_align(fusedgcn_load_bytes(d, w->tiles, w->biases));
  p->w = arena_alloc(p->memory, bytes);
  memset(p->w, 0, bytes);
  p->image.sections[IMAGE_WEIGHTS] = (image_section){FUSEDGCN_AT_WEIGHTS, bytes, (const void *)p->w};
  l->h_stride = l->i;
  l->out_stride = l->o;
  l->h = FUSEDGCN_AT_FEATURES;
  l->out = l->h + fusedgcn_program_align(l->h_rows * l->h_stride * sizeof(uint16_t));
  bytes = l->out + fusedgcn_program_align(l->n * l->out_stride * sizeof(uint16_t)) - l->h;
  p->image.sections[IMAGE_FEATURES] = (image_section){FUSEDGCN_AT_FEATURES, bytes, NULL};
}

/* d: NULL is the default device. */
static inline void fusedgcn_program_begin(fusedgcn_program *p, arena *a, const device *d, uint64_t n, uint64_t h_rows,
                                          uint64_t i, uint64_t o, const int *nonzeros) {
  memset(p, 0, sizeof *p);
  p->memory = a;
  p->num_insns = 3;
  device_default(&p->image.device, &fusedgcn_machine);
  if (d) p->image.device = *d;
  p->image.isa_major = FUSEDGCN_MAJOR;
  p->image.compiler = "test";
  p->insns[0] = (fusedgcn_insn){.op = FUSEDGCN_OP_loadw, .loadw = {0}};
  p->insns[1] = (fusedgcn_insn){.op = FUSEDGCN_OP_layer, .layer = {.n = n, .h_rows = h_rows, .i = i, .o = o}};
  p->insns[2] = (fusedgcn_insn){.op = FUSEDGCN_OP_run, .run = {.hi = n}};
  fusedgcn_program_make_s(p, nonzeros);
  fusedgcn_program_place(p);
  fusedgcn_program_pack(p);
}

/* The place of W[p][q] and of a bias in the stream. */
static inline uint16_t *fusedgcn_program_weight(fusedgcn_program *p, uint64_t row, uint64_t column) {
  const fusedgcn_device *d = &p->image.device.fusedgcn;
  uint64_t k = (uint64_t)d->rows, m = (uint64_t)d->columns;
  uint64_t tile = row / k * fusedgcn_program_layer(p)->rt + column / m;
  return &p->w[(tile * k + row % k) * m + column % m];
}

static inline uint16_t *fusedgcn_program_bias(fusedgcn_program *p, uint64_t column) {
  return &p->w[fusedgcn_program_loadw(p)->tiles * fusedgcn_tile_words(&p->image.device.fusedgcn) + column];
}

/* Adds a record; the caller fills in its fields. */
static inline fusedgcn_insn *fusedgcn_program_add(fusedgcn_program *p, fusedgcn_opcode op) {
  if (p->num_insns + 1 == FUSEDGCN_FIXTURE_RECORDS) abort();
  fusedgcn_insn *in = &p->insns[p->num_insns++];
  *in = (fusedgcn_insn){.op = op};
  return in;
}

#endif
