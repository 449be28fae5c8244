/* A small but complete program image for a device 4 columns wide: an Aggregate layer over a
 * relation of two pieces, a Linear layer, HALT. */
#ifndef GNNC_TEST_UNIT_ISA_ISA_IMAGE_FIXTURE_H
#define GNNC_TEST_UNIT_ISA_ISA_IMAGE_FIXTURE_H

#include "isa/graphagile/graphagile.h"
#include "isa/image/image.h"

#include <stdlib.h>
#include <string.h>

enum {
  FIXTURE_ROWS = 8,   /* rows of features, 4 numbers each */
  FIXTURE_EDGES = 5,  /* 3 edges in the first piece, 2 in the second */
  FIXTURE_TEXT = 0x0, /* addresses of sections */
  FIXTURE_DESC = 0x1000,
  FIXTURE_CONSTANTS = 0x2000,
  FIXTURE_EDGE_LIST = 0x3000,
  FIXTURE_WEIGHTS = 0x4000,
  FIXTURE_FEATURES = 0x5000,
  FIXTURE_X = FIXTURE_FEATURES,
  FIXTURE_Y = FIXTURE_FEATURES + FIXTURE_ROWS * 16,
  FIXTURE_Z = FIXTURE_Y + FIXTURE_ROWS * 16,
  FIXTURE_MOST_INSNS = 32,
  FIXTURE_LOOP = 2, /* indices of instructions */
  FIXTURE_LOAD_EDGES = 3,
  FIXTURE_LOAD_ROWS = 4,
  FIXTURE_SPDMM = 5,
  FIXTURE_STORE = 6,
  FIXTURE_SECOND_CSI = 7,
  FIXTURE_HALT = 12
};

typedef struct image_fixture {
  arena *memory;
  graphagile_insn insns[FIXTURE_MOST_INSNS];
  int num_insns;
  graphagile_descriptor descriptors[2];
  uint32_t records[3 * FIXTURE_EDGES];
  float constants[2];
  float weights[16];
  int32_t rows[FIXTURE_ROWS];
  image_symbol symbols[4];
  image image;
} image_fixture;

static inline void image_fixture_program(image_fixture *f) {
  const graphagile_insn insns[] = {
      {.op = GRAPHAGILE_OP_csi,
       .csi = {.layer_type = GRAPHAGILE_LAYER_spdmm,
               .num_blocks = 1,
               .tb_base = (FIXTURE_TEXT + 16) / 16,
               .desc_base = FIXTURE_DESC / 16}},
      {.op = GRAPHAGILE_OP_init, .init = {.buffer = 2, .rows = FIXTURE_ROWS, .nfib = 1, .stride = 1}},
      {.op = GRAPHAGILE_OP_loop, .loop = {.count = 2, .body_len = 3}},
      {.op = GRAPHAGILE_OP_memrd,
       .memrd = {.buffer = GRAPHAGILE_E0,
                 .lock = 1,
                 .wait = 1,
                 .ind = 1,
                 .alt = 1,
                 .kind = GRAPHAGILE_KIND_edges,
                 .count = 1,
                 .nfib = 1,
                 .addr = FIXTURE_EDGE_LIST / 4}},
      {.op = GRAPHAGILE_OP_memrd,
       .memrd = {.buffer = GRAPHAGILE_F0,
                 .lock = 1,
                 .wait = 1,
                 .ind = 1,
                 .alt = 1,
                 .count = 4,
                 .nfib = 1,
                 .addr = FIXTURE_X / 4,
                 .stride = FIXTURE_ROWS}},
      {.op = GRAPHAGILE_OP_spdmm,
       .spdmm = {.weighted = 1,
                 .unlock_e = 1,
                 .unlock_f = 1,
                 .ind = 1,
                 .alt = 1,
                 .out = 2,
                 .num_edges = 1,
                 .nfib = 1,
                 .in_stride = 1,
                 .out_stride = 1,
                 .lanes = 15}},
      {.op = GRAPHAGILE_OP_memwr,
       .memwr = {.buffer = GRAPHAGILE_F2,
                 .unlock = 1,
                 .eot = 1,
                 .kind = GRAPHAGILE_KIND_hidden,
                 .count = FIXTURE_ROWS,
                 .nfib = 1,
                 .addr = FIXTURE_Y / 4,
                 .stride = FIXTURE_ROWS}},
      {.op = GRAPHAGILE_OP_csi,
       .csi = {.layer_type = GRAPHAGILE_LAYER_gemm,
               .layer_id = 1,
               .num_blocks = 1,
               .last_layer = 1,
               .tb_base = (FIXTURE_TEXT + 8 * 16) / 16}},
      {.op = GRAPHAGILE_OP_memrd,
       .memrd = {.buffer = GRAPHAGILE_F0,
                 .lock = 1,
                 .wait = 1,
                 .kind = GRAPHAGILE_KIND_hidden,
                 .count = FIXTURE_ROWS,
                 .nfib = 1,
                 .addr = FIXTURE_Y / 4,
                 .stride = FIXTURE_ROWS}},
      {.op = GRAPHAGILE_OP_memrd,
       .memrd = {.buffer = GRAPHAGILE_W0,
                 .lock = 1,
                 .wait = 1,
                 .kind = GRAPHAGILE_KIND_weights,
                 .count = 4,
                 .nfib = 1,
                 .addr = FIXTURE_WEIGHTS / 4}},
      {.op = GRAPHAGILE_OP_gemm,
       .gemm = {.unlock_f = 1,
                .unlock_w = 1,
                .out = 2,
                .rows = FIXTURE_ROWS,
                .len = 4,
                .gfib = 1,
                .in_stride = 1,
                .out_stride = 1}},
      {.op = GRAPHAGILE_OP_memwr,
       .memwr = {.buffer = GRAPHAGILE_F2,
                 .unlock = 1,
                 .eot = 1,
                 .kind = GRAPHAGILE_KIND_output,
                 .count = FIXTURE_ROWS,
                 .nfib = 1,
                 .addr = FIXTURE_Z / 4,
                 .stride = FIXTURE_ROWS}},
      {.op = GRAPHAGILE_OP_halt},
  };
  memcpy(f->insns, insns, sizeof insns);
  f->num_insns = sizeof insns / sizeof insns[0];
}

/* Packs the current fields of the fixture into sections. */
static inline void image_fixture_pack(image_fixture *f) {
  image *im = &f->image;
  unsigned char *code = arena_alloc(f->memory, FIXTURE_MOST_INSNS * 16), *descriptors = arena_alloc(f->memory, 32);
  for (int i = 0; i < f->num_insns; i++) {
    graphagile_word word;
    status s = graphagile_encode(&f->insns[i], &word);
    if (s) abort();
    memcpy(code + 16 * i, &word, 16);
  }
  for (int i = 0; i < 2; i++) graphagile_descriptor_encode(&f->descriptors[i], descriptors + 16 * i);
  im->sections[IMAGE_TEXT] = (image_section){FIXTURE_TEXT, 16 * (uint64_t)f->num_insns, code};
  im->sections[IMAGE_DESC] = (image_section){FIXTURE_DESC, 32, descriptors};
  im->sections[IMAGE_CONSTANTS] = (image_section){FIXTURE_CONSTANTS, sizeof f->constants, (const void *)f->constants};
  im->sections[IMAGE_EDGES] = (image_section){FIXTURE_EDGE_LIST, sizeof f->records, (const void *)f->records};
  im->sections[IMAGE_WEIGHTS] = (image_section){FIXTURE_WEIGHTS, sizeof f->weights, (const void *)f->weights};
  im->sections[IMAGE_FEATURES] = (image_section){FIXTURE_FEATURES, 3 * FIXTURE_ROWS * 16, NULL};
}

static inline void image_fixture_text(image_fixture *f, image_section_kind kind, const char *said) {
  f->image.sections[kind] = (image_section){0, strlen(said), (const void *)said};
}

/* y[n] = sum of weight * x[source] over the edges, z = 2 y. */
static inline void image_fixture_init(image_fixture *f, arena *a) {
  memset(f, 0, sizeof *f);
  f->memory = a;
  image_fixture_program(f);
  f->descriptors[0] = (graphagile_descriptor){.first_edge = 0, .num_edges = 3, .src_row = 0, .src_rows = 4};
  f->descriptors[1] = (graphagile_descriptor){.first_edge = 3, .num_edges = 2, .src_row = 4, .src_rows = 4};
  static const uint32_t ends[FIXTURE_EDGES][2] = {{0, 1}, {3, 7}, {2, 1}, {0, 0}, {3, 7}};
  for (int i = 0; i < FIXTURE_EDGES; i++) {
    float weight = 1 + (float)i;
    memcpy(&f->records[3 * i], ends[i], 8);
    memcpy(&f->records[3 * i + 2], &weight, 4);
  }
  f->constants[0] = 1;
  f->constants[1] = 0.5f;
  for (int i = 0; i < 4; i++) f->weights[5 * i] = 2;
  device_default(&f->image.device, machine_default());
  device *d = &f->image.device;
  memcpy(d->graphagile.name, "small", 6);
  d->graphagile.num_pes = 2;
  d->graphagile.width = 4;
  d->graphagile.feature_rows = 64;
  d->graphagile.weight_rows = 32;
  d->graphagile.edges = 64;
  d->graphagile.ddr_bytes = 1 << 20;
  f->image.isa_major = GRAPHAGILE_MAJOR;
  f->image.isa_minor = GRAPHAGILE_MINOR;
  f->image.graph_fingerprint = 0x0123456789abcdefu;
  f->image.compiler = "gnnc test";
  f->symbols[0] = (image_symbol){"layer 0", IMAGE_TEXT, FIXTURE_TEXT, 7 * 16};
  f->symbols[1] = (image_symbol){"layer 0", IMAGE_DESC, FIXTURE_DESC, 32};
  f->symbols[2] = (image_symbol){"x", IMAGE_FEATURES, FIXTURE_X, FIXTURE_ROWS * 16};
  f->symbols[3] = (image_symbol){"conv1.weight", IMAGE_WEIGHTS, FIXTURE_WEIGHTS, 64};
  f->image.symbols = f->symbols;
  f->image.num_symbols = 4;
  for (int i = 0; i < FIXTURE_ROWS; i++) f->rows[i] = FIXTURE_ROWS - 1 - i;
  f->image.sections[IMAGE_ROWS] = (image_section){0, sizeof f->rows, (const void *)f->rows};
  image_fixture_text(f, IMAGE_PROGRAM, "{\"model\": \"small\"}");
  image_fixture_text(f, IMAGE_SOURCE, "model small\n");
  image_fixture_pack(f);
}

#endif
