/* Makes and runs programs from instruction structs, for tests of the simulator:
 *
 *   program p;
 *   program_begin(&p);
 *   program_layer(&p, GRAPHAGILE_LAYER_gemm, 1);
 *   program_load(&p, GRAPHAGILE_F0, 0, 16, 1);
 *   ...
 *   const sim_stats *stats = program_run(&p);   (the rest of the program is HALT)
 *   program_end(&p);
 *
 * In DDR the text is at 0; descriptors, constants, edges, weights and features are at the addresses below. */
#ifndef GNNC_TEST_UNIT_SIM_SIM_FIXTURE_H
#define GNNC_TEST_UNIT_SIM_SIM_FIXTURE_H

#include "isa/graphagile/graphagile.h"
#include "sim/graphagile/engine.h"
#include "unit.h"

enum {
  AT_DESC = 0x40000,
  AT_CONSTANTS = 0x50000,
  AT_EDGES = 0x60000,
  AT_WEIGHTS = 0x400000,
  AT_FEATURES = 0x800000,
  BYTES_FEATURES = 0x2000000,
  MAX_INSNS = 8192,
  MAX_EDGES = 131072,
  MAX_DESCS = 256
};

typedef struct program {
  unsigned char text[MAX_INSNS * GRAPHAGILE_INSN_BYTES];
  unsigned char desc[MAX_DESCS * GRAPHAGILE_DESCRIPTOR_BYTES];
  unsigned char edges[MAX_EDGES * GRAPHAGILE_RECORD_BYTES];
  float constants[4];
  image_symbol symbols[4];
  image im;
  device device;
  sim_options options;
  uint32_t num_insns, num_layers, num_descs, num_edges;
  sim *sim;
  status problem; /* the error of the last run */
} program;

/* Begins an empty program for the default device, timing only, at level L0. */
__attribute__((unused)) static program *program_begin(void) {
  program *p = calloc(1, sizeof *p);
  if (!p) abort();
  device_default(&p->device, machine_default());
  p->options = (sim_options){.level = SIM_L0, .is_timing_only = true};
  p->constants[0] = 1;
  return p;
}

__attribute__((unused)) static void program_end(program *p) {
  sim_destroy(p->sim);
  status_free(p->problem);
  free(p);
}

__attribute__((unused)) static void program_emit(program *p, graphagile_insn insn) {
  graphagile_word word;
  if (p->num_insns == MAX_INSNS - 1) abort();
  CHECK_OK(graphagile_encode(&insn, &word));
  for (int i = 0; i < 8; i++) {
    p->text[p->num_insns * 16 + (unsigned)i] = (unsigned char)(word.low >> 8 * i);
    p->text[p->num_insns * 16 + 8 + (unsigned)i] = (unsigned char)(word.high >> 8 * i);
  }
  p->num_insns++;
}

#define EMIT(p, name, ...) program_emit(p, (graphagile_insn){.op = GRAPHAGILE_OP_##name, .name = {__VA_ARGS__}})

/* Adds a CSI. The blocks that follow are emitted next, each with an eot. */
__attribute__((unused)) static void program_layer(program *p, unsigned type, unsigned blocks) {
  EMIT(p, csi, .layer_type = type, .layer_id = p->num_layers, .num_blocks = blocks, .tb_base = p->num_insns + 1,
       .desc_base = AT_DESC / 16);
  p->num_layers++;
}

typedef struct program_edge {
  uint32_t src, dst;
} program_edge;

/* Adds a piece of edges with weight 1, and its descriptor; returns the number of the descriptor. */
__attribute__((unused)) static uint32_t program_piece(program *p, const program_edge *edges, uint32_t n,
                                                      uint32_t src_row, uint32_t src_rows) {
  graphagile_descriptor d = {.first_edge = p->num_edges, .num_edges = n, .src_row = src_row, .src_rows = src_rows};
  for (uint32_t i = 0; i < n; i++) {
    unsigned char *at = p->edges + (size_t)(p->num_edges + i) * GRAPHAGILE_RECORD_BYTES;
    float one = 1;
    memcpy(at, &edges[i], 8);
    memcpy(at + 8, &one, 4);
  }
  p->num_edges += n;
  graphagile_descriptor_encode(&d, p->desc + (size_t)p->num_descs * GRAPHAGILE_DESCRIPTOR_BYTES);
  return p->num_descs++;
}

/* Loads, computes and stores in their simplest forms. Rows count from the start of the section. */
__attribute__((unused)) static void program_load(program *p, unsigned buffer, unsigned row, unsigned rows,
                                                 unsigned nfib) {
  unsigned at = buffer >= GRAPHAGILE_F0 ? AT_FEATURES : buffer >= GRAPHAGILE_W0 ? AT_WEIGHTS : AT_EDGES;
  unsigned bytes = buffer >= GRAPHAGILE_W0 ? 4 * (unsigned)p->device.graphagile.width : GRAPHAGILE_RECORD_BYTES;
  EMIT(p, memrd, .buffer = buffer, .lock = 1, .wait = 1, .count = rows, .nfib = nfib, .addr = (at + row * bytes) / 4,
       .stride = rows,
       .kind = buffer >= GRAPHAGILE_F0   ? GRAPHAGILE_KIND_hidden
               : buffer >= GRAPHAGILE_W0 ? GRAPHAGILE_KIND_weights
                                         : GRAPHAGILE_KIND_edges);
}

__attribute__((unused)) static void program_store(program *p, unsigned buffer, unsigned row, unsigned rows, bool eot) {
  EMIT(p, memwr, .buffer = buffer, .unlock = 1, .count = rows, .nfib = 1, .stride = rows, .eot = eot,
       .kind = GRAPHAGILE_KIND_output, .addr = (AT_FEATURES + row * 4 * (unsigned)p->device.graphagile.width) / 4);
}

__attribute__((unused)) static void program_gemm(program *p, unsigned in, unsigned w, unsigned out, unsigned rows,
                                                 unsigned len, bool acc) {
  EMIT(p, gemm, .in = in, .w = w, .out = out, .rows = rows, .len = len, .gfib = 1, .in_stride = rows,
       .out_stride = rows, .acc = acc, .unlock_f = 1, .unlock_w = 1);
}

/* A whole block: F0, W0 -> gemm -> F2 -> DDR. */
__attribute__((unused)) static void program_block(program *p, unsigned rows) {
  program_load(p, GRAPHAGILE_F0, 0, rows, 1);
  program_load(p, GRAPHAGILE_W0, 0, 16, 1);
  program_gemm(p, 0, 0, 2, rows, 16, false);
  program_store(p, GRAPHAGILE_F2, 4096, rows, true);
}

/* Runs the program; returns statistics even after a fault, which is p->problem. */
__attribute__((unused)) static const sim_stats *program_try(program *p) {
  uint32_t count = p->num_insns;
  EMIT(p, halt, 0);
  p->num_insns = count; /* the program may grow before the next run */
  sim_destroy(p->sim);
  status_free(p->problem);
  p->sim = NULL;
  p->im =
      (image){.isa_major = GRAPHAGILE_MAJOR, .isa_minor = GRAPHAGILE_MINOR, .device = p->device, .symbols = p->symbols};
  p->im.num_symbols = p->symbols[0].name != NULL;
  p->im.sections[IMAGE_TEXT] = (image_section){0, (count + 1) * (uint64_t)GRAPHAGILE_INSN_BYTES, p->text};
  p->im.sections[IMAGE_DESC] = (image_section){AT_DESC, p->num_descs * (uint64_t)GRAPHAGILE_DESCRIPTOR_BYTES, p->desc};
  p->im.sections[IMAGE_CONSTANTS] =
      (image_section){AT_CONSTANTS, sizeof p->constants, (const unsigned char *)p->constants};
  p->im.sections[IMAGE_EDGES] = (image_section){AT_EDGES, AT_WEIGHTS - AT_EDGES, p->num_edges ? p->edges : NULL};
  if (p->num_edges) p->im.sections[IMAGE_EDGES].size = p->num_edges * (uint64_t)GRAPHAGILE_RECORD_BYTES;
  p->im.sections[IMAGE_WEIGHTS] = (image_section){AT_WEIGHTS, AT_FEATURES - AT_WEIGHTS, NULL};
  p->im.sections[IMAGE_FEATURES] = (image_section){AT_FEATURES, BYTES_FEATURES, NULL};
  p->problem = sim_create(&p->im, &p->device, &p->options, &p->sim);
  if (p->problem) return NULL;
  p->problem = sim_run(p->sim);
  return sim_statistics(p->sim);
}

__attribute__((unused)) static const sim_stats *program_run(program *p) {
  const sim_stats *stats = program_try(p);
  CHECK_STR(status_message(p->problem), "");
  return stats;
}

#endif
