/* The parts of random programs (sim_program.h): choices, addresses, and loads, stores and fills
 * that keep the rules. */
#ifndef GNNC_TEST_FUZZ_SIM_PROGRAM_PARTS_H
#define GNNC_TEST_FUZZ_SIM_PROGRAM_PARTS_H

#include "isa/graphagile/graphagile.h"
#include "isa/image/image.h"

#include <stdbool.h>
#include <string.h>

enum {
  PROGRAM_ROWS = 64, /* rows of every buffer */
  PROGRAM_ENDS = 16, /* edges name rows below this */
  PROGRAM_INSNS = 1500,
  PROGRAM_INPUTS = 4, /* tiles that the caller fills before the run */
  PROGRAM_DESCRIPTORS = 8,
  PROGRAM_RELATION = 2 * PROGRAM_ROWS, /* records of the relation */
  PROGRAM_FEATURES_AT = 0x100000,
};

typedef struct program {
  const uint8_t *bytes; /* the input, which decides everything; each byte is 0 when it is used up */
  size_t size;
  device device;
  image image;
  graphagile_word code[PROGRAM_INSNS];
  uint32_t count;
  bool is_full[GRAPHAGILE_BUFFERS],
      may_load[GRAPHAGILE_BUFFERS]; /* in program order; may_load: nothing has waited for the last load */
  bool has_ends[2];
  uint64_t tiles, tiles_before_layer;
  unsigned char descriptors[PROGRAM_DESCRIPTORS][GRAPHAGILE_DESCRIPTOR_BYTES];
  float constants[4];
  uint32_t records[PROGRAM_RELATION * 3], packed[PROGRAM_RELATION];
  uint32_t edges_data[PROGRAM_RELATION * 6]; /* records, packed edges, edges of 8 bytes */
  float weights[PROGRAM_ROWS * 2 * 16];
} program;

static uint64_t program_take(program *p, uint64_t limit) {
  uint64_t value = 0;
  for (uint64_t range = 1; range < limit; range *= 256) {
    value = value * 256 + (p->size ? *p->bytes : 0);
    if (p->size) {
      p->bytes++;
      p->size--;
    }
  }
  return value % limit;
}

static void program_emit(program *p, graphagile_insn in) {
  if (p->count == PROGRAM_INSNS || !graphagile_encode_fast(&in, &p->code[p->count])) __builtin_trap();
  p->count++;
}

static uint64_t program_tile_bytes(const program *p) {
  return (uint64_t)(PROGRAM_ROWS * 4 * p->device.graphagile.width);
}
static uint64_t program_tile(const program *p, uint64_t tile) {
  return (PROGRAM_FEATURES_AT + tile * program_tile_bytes(p)) / 4;
}

/* Notes that a compute or a store reads the buffer: it waits for the loads before it. */
static void program_read(program *p, uint64_t buffer) {
  p->may_load[buffer] = false;
}

/* The address of a tile that an earlier layer stored or the caller filled. */
static uint64_t program_old_tile(program *p) {
  return program_tile(p, program_take(p, p->tiles_before_layer));
}
static uint64_t program_new_tile(program *p) {
  return program_tile(p, p->tiles++);
}

/* A region of `rows` rows and nfib fibers somewhere in a buffer. */
typedef struct program_region {
  uint64_t base, nfib, stride;
} program_region;
static program_region program_choose(program *p, uint64_t rows, uint64_t most_fibers) {
  program_region r = {.nfib = 1 + program_take(p, most_fibers)};
  while (r.nfib * rows > PROGRAM_ROWS) r.nfib--;
  r.stride = rows + program_take(p, (PROGRAM_ROWS - rows * r.nfib) / r.nfib + 1);
  r.base = program_take(p, PROGRAM_ROWS - rows - (r.nfib - 1) * r.stride + 1);
  return r;
}

static uint64_t program_lanes(program *p) {
  uint64_t all = (UINT64_C(1) << p->device.graphagile.width) - 1, some = program_take(p, all + 1);
  return some ? some : all;
}

/* A form of rows, or of edges with weights, that the device has. */
static uint64_t program_form(program *p) {
  return p->device.graphagile.has_half_rows && program_take(p, 2) ? GRAPHAGILE_FORM_half : GRAPHAGILE_FORM_record;
}

static uint64_t program_row_form(program *p) {
  return p->device.graphagile.has_compact_columns && program_take(p, 2) ? GRAPHAGILE_FORM_value : program_form(p);
}

/* Loads a whole EMPTY buffer. */
static void program_load(program *p, uint64_t buffer) {
  graphagile_memrd m = {
      .buffer = buffer, .lock = 1, .wait = 1, .count = PROGRAM_ROWS, .nfib = 1, .stride = PROGRAM_ROWS};
  uint64_t edges = p->image.sections[IMAGE_EDGES].address / 4;
  if (buffer <= GRAPHAGILE_E1) {
    m.kind = GRAPHAGILE_KIND_edges;
    m.form = program_form(p);
    if (p->device.graphagile.has_packed_edges && program_take(p, 2)) m.form = GRAPHAGILE_FORM_packed;
    static const uint64_t begins[] = {[GRAPHAGILE_FORM_packed] = 3, [GRAPHAGILE_FORM_half] = 4};
    m.addr = edges + PROGRAM_RELATION * begins[m.form] + program_take(p, 60) * graphagile_edge_bytes(m.form) / 4;
    p->has_ends[buffer] = true;
  } else if (buffer <= GRAPHAGILE_W1) {
    m.kind = GRAPHAGILE_KIND_weights;
    m.addr = p->image.sections[IMAGE_WEIGHTS].address / 4 +
             program_take(p, PROGRAM_ROWS) * (uint64_t)p->device.graphagile.width;
  } else {
    m.nfib = 4;
    m.count = m.stride = PROGRAM_ROWS / 4;
    m.addr = program_old_tile(p);
    m.kind = program_take(p, 2);
    m.form = program_row_form(p);
    m.bcast = p->device.graphagile.has_broadcast && program_take(p, 2);
  }
  program_emit(p, (graphagile_insn){.op = GRAPHAGILE_OP_memrd, .memrd = m});
  p->is_full[buffer] = p->may_load[buffer] = true;
}

/* Loads rows into a part of a FULL buffer. */
static void program_reload(program *p, uint64_t buffer) {
  graphagile_memrd m = {.buffer = buffer, .lock = 1, .nfib = 1, .stride = 1};
  m.count = 1 + program_take(p, PROGRAM_ROWS);
  m.base = program_take(p, PROGRAM_ROWS - m.count + 1);
  m.addr = program_old_tile(p) + program_take(p, PROGRAM_ROWS - m.count + 1) * (uint64_t)p->device.graphagile.width;
  m.form = buffer <= GRAPHAGILE_E1 ? GRAPHAGILE_FORM_value : buffer >= GRAPHAGILE_F0 ? program_row_form(p) : 0;
  if (buffer == GRAPHAGILE_W0 || buffer == GRAPHAGILE_W1) return;
  program_emit(p, (graphagile_insn){.op = GRAPHAGILE_OP_memrd, .memrd = m});
  p->may_load[buffer] = true;
}

static void program_store(program *p, uint64_t buffer, bool unlock) {
  graphagile_memwr m = {.buffer = buffer, .unlock = unlock, .nfib = 1, .stride = 1, .param = program_take(p, 4)};
  m.count = unlock ? PROGRAM_ROWS : 1 + program_take(p, PROGRAM_ROWS);
  m.base = program_take(p, PROGRAM_ROWS - m.count + 1);
  m.addr = program_new_tile(p);
  m.act = program_take(p, 3);
  m.form = buffer <= GRAPHAGILE_E1 ? GRAPHAGILE_FORM_value : buffer >= GRAPHAGILE_F0 ? program_row_form(p) : 0;
  m.kind = buffer <= GRAPHAGILE_E1 ? GRAPHAGILE_KIND_values : GRAPHAGILE_KIND_output;
  program_emit(p, (graphagile_insn){.op = GRAPHAGILE_OP_memwr, .memwr = m});
  program_read(p, buffer);
  if (unlock) p->is_full[buffer] = false;
}

static void program_settle(program *p, uint64_t feature) {
  graphagile_post o = {.function = GRAPHAGILE_FUNCTION_settle,
                       .buffer = GRAPHAGILE_F0 + feature,
                       .rows = PROGRAM_ROWS,
                       .nfib = 1,
                       .stride = 1};
  program_emit(p, (graphagile_insn){.op = GRAPHAGILE_OP_post, .post = o});
}

/* Fills a buffer into which no load may be in flight, or a part of it. The caller settles unset
 * words. */
static void program_fill(program *p, uint64_t feature, uint64_t fill, bool is_all) {
  graphagile_init i = {.fill = fill, .buffer = feature, .rows = PROGRAM_ROWS, .nfib = 1, .stride = 1};
  i.param = program_take(p, 4);
  i.w = program_take(p, 2);
  if (i.fill == GRAPHAGILE_FILL_row && !p->is_full[GRAPHAGILE_W0 + i.w]) i.fill = GRAPHAGILE_FILL_zero;
  if (!is_all) {
    i.rows = 1 + program_take(p, 20);
    program_region r = program_choose(p, i.rows, 3);
    i.base = r.base;
    i.nfib = r.nfib;
    i.stride = r.stride;
  }
  i.w_base = program_take(p, PROGRAM_ROWS - i.nfib + 1);
  i.unlock_w = i.fill == GRAPHAGILE_FILL_row && program_take(p, 2);
  if (i.fill == GRAPHAGILE_FILL_row) program_read(p, GRAPHAGILE_W0 + i.w);
  if (i.unlock_w) p->is_full[GRAPHAGILE_W0 + i.w] = false;
  program_emit(p, (graphagile_insn){.op = GRAPHAGILE_OP_init, .init = i});
  p->is_full[GRAPHAGILE_F0 + feature] = true;
}

#endif
